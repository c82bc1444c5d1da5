// What the local stack knows of the service: the synthesized template, resolved into plain values.
// Types only; template.ts fills them in, everything else in this folder reads them.

/** One statement of an IAM policy, with every reference resolved to a local ARN. */
export interface PolicyStatement {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface LocalFunction {
  readonly logicalId: string;
  /** Short name for people, e.g. `mailbox-http` or `on-mail-received`. */
  readonly name: string;
  readonly arn: string;
  /** Folder with the bundle, e.g. `cdk.out/asset.abc`. */
  readonly codeDir: string;
  /** `index.handler` */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly reservedConcurrency?: number;
  /** Unpacked layer folders; each holds `nodejs/node_modules`. */
  readonly layerDirs: readonly string[];
  readonly policies: readonly PolicyStatement[];
}

export interface LocalTable {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  readonly streamArn?: string;
  /** The CreateTable input that makes it. */
  readonly createInput: Readonly<Record<string, unknown>>;
  readonly ttlAttribute?: string;
}

export interface LocalQueue {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  readonly url: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Set on queues that another queue or a function names as its dead-letter queue. */
  readonly isDeadLetterQueue: boolean;
}

export interface LocalTopic {
  readonly name: string;
  readonly arn: string;
  readonly subscriptions: readonly { readonly protocol: string; readonly endpoint: string; readonly raw: boolean }[];
}

export interface LocalBucket {
  readonly name: string;
  readonly arn: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface LocalRoute {
  /** `GET /api/inbox/{id}` or `$default`. */
  readonly routeKey: string;
  readonly functionId: string;
  /** Response parameter mappings by status, e.g. `{"402": {"overwrite:header.www-authenticate": "$response.header.x-payment-challenge"}}`. */
  readonly responseParameters: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface LocalEventSource {
  readonly functionId: string;
  readonly kind: 'queue' | 'stream';
  readonly sourceArn: string;
  readonly batchSize: number;
  readonly batchWindowSeconds: number;
  readonly reportsPartialFailures: boolean;
  readonly maximumConcurrency?: number;
  readonly maximumRetryAttempts?: number;
  readonly bisectOnError: boolean;
  readonly onFailureArn?: string;
  readonly filterPatterns: readonly unknown[];
}

export interface LocalSchedule {
  readonly name: string;
  readonly functionId: string;
  /** Seconds between runs, from `rate(...)`; or a cron expression. */
  readonly everySeconds?: number;
  readonly cron?: string;
  readonly input: unknown;
  readonly enabled: boolean;
}

export interface LocalReceiptRule {
  readonly name: string;
  /** Domains or addresses the rule takes; empty means every one. */
  readonly recipients: readonly string[];
  readonly scanEnabled: boolean;
  readonly s3?: { readonly bucket: string; readonly prefix: string; readonly topicArn?: string };
}

export interface LocalConfigurationSet {
  readonly name: string;
  readonly destinations: readonly { readonly topicArn: string; readonly eventTypes: readonly string[] }[];
}

export interface LocalSecret {
  readonly name: string;
  readonly arn: string;
  /** `GenerateSecretString` of the template, to make the first value from. */
  readonly generate?: Readonly<Record<string, unknown>>;
  readonly value?: string;
}

export interface Assembly {
  readonly functions: readonly LocalFunction[];
  readonly tables: readonly LocalTable[];
  readonly queues: readonly LocalQueue[];
  readonly topics: readonly LocalTopic[];
  readonly buckets: readonly LocalBucket[];
  readonly routes: readonly LocalRoute[];
  readonly eventSources: readonly LocalEventSource[];
  readonly schedules: readonly LocalSchedule[];
  readonly receiptRules: readonly LocalReceiptRule[];
  readonly configurationSets: readonly LocalConfigurationSet[];
  readonly secrets: readonly LocalSecret[];
  /** Verified SES identities (domains or addresses). */
  readonly identities: readonly string[];
}

/** The clock of the whole stack; tests move it, nothing in here asks the machine for the time directly. */
export interface Clock {
  nowMs(): number;
}

/** Where a call to the AWS endpoint comes from: the environment (worker) and what it is doing at the moment. */
export interface Caller {
  readonly environmentId: string;
  readonly function: LocalFunction;
  /** Route key, event source or schedule name of the running invocation. */
  readonly route: string;
}

/** What the AWS endpoint needs to know of the function runner. */
export interface CallerDirectory {
  /** Environments sign with their own id as access key; undefined for anything that is no function of ours. */
  callerOf(accessKeyId: string): Caller | undefined;
  /** Kills the environment at once, as a crash of the process would. */
  crash(environmentId: string): void;
}
