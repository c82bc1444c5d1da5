// The app as a whole: five stacks, wired in one direction, from settings and bundles to a cloud assembly.
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { GatewayRow } from './constructs/http-gateway.ts';
import type { Bundles, SharedResources } from './constructs/shared-resources.ts';
import { type Config, resourceNames } from './config.ts';
import { eventSourceOf } from './event-sources.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { MailStack } from './stacks/mail-stack.ts';
import { MonitoringStack } from './stacks/monitoring-stack.ts';
import { WorkersStack } from './stacks/workers-stack.ts';
import { ROUTES } from '#contract/routes.ts';

/** Set here and not in cdk.json, so that `cdk deploy` and the local stack synthesise the same template. */
const FEATURE_FLAGS = {
  '@aws-cdk/aws-iam:minimizePolicies': true,
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/aws-lambda:recognizeLayerVersion': true,
  // A stack that others import from refuses to change what they use.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  // The CLI sets this for itself; the local stack names functions by the construct path that it writes.
  'aws:cdk:enable-path-metadata': true,
} as const;

/** An app with the service's feature flags; `outDir` is the CLI's choice when absent. */
export const makeApp = (outDir?: string): App =>
  new App({ context: FEATURE_FLAGS, analyticsReporting: false, treeMetadata: false, ...(outDir === undefined ? {} : { outdir: outDir }) });

export interface ServiceStacks {
  readonly data: DataStack;
  readonly mail: MailStack;
  readonly api: ApiStack;
  readonly workers: WorkersStack;
  readonly monitoring: MonitoringStack;
}

/** Adds the five stacks of one stage to an app. */
export function addStacks(app: App, config: Config, bundles: Bundles, rows: readonly GatewayRow[] = ROUTES): ServiceStacks {
  const { prefix } = resourceNames(config);
  const named = (part: string, description: string) => ({
    stackName: `${prefix}-${part}`,
    description: `${config.serviceName} (${config.stage}): ${description}`,
  });
  const data = new DataStack(app, `${prefix}-data`, { ...named('data', 'table, bucket, secrets'), config });
  const mail = new MailStack(app, `${prefix}-mail`, {
    ...named('mail', 'identity, receiving, queues'),
    config,
    bucket: data.bucket,
    functions: bundles.functions,
  });
  const shared: SharedResources = { config, bundles, table: data.table, bucket: data.bucket, secrets: data.secrets, queues: mail.queues };
  const api = new ApiStack(app, `${prefix}-api`, { ...named('api', 'HTTP API and its functions'), shared, rows });
  const workers = new WorkersStack(app, `${prefix}-workers`, { ...named('workers', 'queue, stream and schedule functions'), shared });
  const monitoring = new MonitoringStack(app, `${prefix}-monitoring`, {
    ...named('monitoring', 'alarms'),
    config,
    functions: bundles.functions.map(({ name }) => name),
    streamConsumers: bundles.functions
      .filter(({ kind, name }) => kind === 'event' && eventSourceOf(name).kind === 'stream')
      .map(({ name }) => name),
    queues: [...mail.queues.keys()],
    table: data.table,
    gateway: api.gateway,
  });
  return { data, mail, api, workers, monitoring };
}

export interface SynthesizeOptions {
  readonly config: Config;
  readonly bundles: Bundles;
  readonly outDir: string;
}

/** Writes the cloud assembly to `outDir`. Security rules are checked by `cdk synth` and by tests, not at each local start. */
export function synthesize(options: SynthesizeOptions): void {
  const app = makeApp(options.outDir);
  addStacks(app, options.config, options.bundles);
  app.synth();
}

/** Adds the AWS Solutions rules; a finding that nobody acknowledged with a reason ends the synth. */
export const checkSecurity = (app: App): void => Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
