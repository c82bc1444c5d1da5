// What must outlive every deployment: the table, the mail bucket and the secrets. In a cloud stage CloudFormation deletes
// nothing here that was ever in use.
import { Duration, RemovalPolicy, SecretValue, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CorsRule,
  HttpMethods,
  type LifecycleRule,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Secret, type SecretStringGenerator } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Config } from '#infra/config.ts';
import { INBOUND_PREFIX, receiptRuleArn } from '#infra/constructs/receipt-rules.ts';
import { singleTable } from '#infra/constructs/single-table.ts';
import type { SecretName } from '#infra/permissions.ts';

const LIFECYCLE: readonly LifecycleRule[] = [
  { id: 'journal', prefix: INBOUND_PREFIX, expiration: Duration.days(30) },
  { id: 'uploads', prefix: 'uploads/', expiration: Duration.days(1) },
  { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
];

/**
 * Lets pages of any origin use the signed addresses that the API hands out: they upload, and follow redirects, whose origin
 * browsers tell as `null`. The address itself is the right: whoever has none is refused as before.
 */
const SIGNED_ADDRESSES: CorsRule = {
  allowedMethods: [HttpMethods.GET, HttpMethods.PUT],
  allowedOrigins: ['*'],
  allowedHeaders: ['*'],
  exposedHeaders: ['Content-Disposition', 'ETag'],
  maxAge: Duration.hours(1).toSeconds(),
};

/** A value made by Secrets Manager under the given key; 64 characters of a-z, A-Z and 0-9 hold 381 bits. */
const generated = (key: string): SecretStringGenerator => ({
  secretStringTemplate: '{}',
  generateStringKey: key,
  passwordLength: 64,
  excludePunctuation: true,
});

interface SecretRow {
  readonly purpose: string;
  /** Absent: the operator fills it in; until then it is `{}`. */
  readonly generate?: SecretStringGenerator;
  /** Why it is not rotated on a timer. */
  readonly rotation: string;
}

const BY_HAND = 'Rotated by hand with two live keys, see "Rotate" in infra/operations.md; a timer would sign everyone out';
const FOREIGN = 'Issued by someone else, who rotates it; the operator enters the new one';

const SECRETS: Readonly<Record<SecretName, SecretRow>> = {
  signing: { purpose: 'Signs session tokens: {"current": key, "previous"?: key}', generate: generated('current'), rotation: BY_HAND },
  sealing: {
    purpose: 'Encrypts webhook secrets and stored replies: {"current": key, "previous"?: key}',
    generate: generated('current'),
    rotation: BY_HAND,
  },
  chain: { purpose: 'Chain access: {"rpc_urls": {"8453": url, ...}, "platform_private_key"?: key}', rotation: FOREIGN },
  mpp: { purpose: 'Signs payment challenges: {"secret_key": key}', generate: generated('secret_key'), rotation: BY_HAND },
  'world-id': { purpose: 'World ID: {"signing_key": key, "api_key"?: key}', rotation: FOREIGN },
};

/** What a failed first deployment made is empty, and goes: a secret that stayed would hold its name against the next try. */
const removalPolicy = (isPrecious: boolean): RemovalPolicy =>
  isPrecious ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

export interface DataStackProps extends StackProps {
  readonly config: Config;
}

/** Table, bucket and secrets. */
export class DataStack extends Stack {
  readonly table: Table;
  readonly bucket: Bucket;
  readonly secrets: Readonly<Record<SecretName, Secret>>;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, props);
    const isPrecious = props.config.stage !== 'local';
    this.table = singleTable(this, 'Table', { isPrecious });
    this.bucket = this.makeBucket(isPrecious);
    this.letReceivingStore(props.config);
    this.secrets = Object.fromEntries(
      Object.entries(SECRETS).map(([name, row]) => [name, this.makeSecret(name, row, props.config, isPrecious)]),
    ) as Record<SecretName, Secret>;
  }

  private makeBucket(isPrecious: boolean): Bucket {
    const bucket = new Bucket(this, 'Mail', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // Deleting a mail has to delete it; versions would keep it readable.
      versioned: false,
      lifecycleRules: [...LIFECYCLE],
      cors: [SIGNED_ADDRESSES],
      removalPolicy: removalPolicy(isPrecious),
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Only functions of this service read the bucket, each logs its requests; access logs would double the cost of every small mail',
    });
    return bucket;
  }

  /** Lets this account's catch-all rule, and no other sender of SES notifications, write to the journal. */
  private letReceivingStore(config: Config): void {
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        principals: [new ServicePrincipal('ses.amazonaws.com')],
        actions: ['s3:PutObject'],
        resources: [this.bucket.arnForObjects(`${INBOUND_PREFIX}*`)],
        conditions: { StringEquals: { 'AWS:SourceAccount': this.account, 'AWS:SourceArn': receiptRuleArn(this, config) } },
      }),
    );
  }

  private makeSecret(name: string, row: SecretRow, config: Config, isPrecious: boolean): Secret {
    const secret = new Secret(this, `${name[0]?.toUpperCase()}${name.slice(1).replace('-id', 'Id')}Secret`, {
      secretName: `agent-email/${config.stage}/${name}`,
      description: row.purpose,
      removalPolicy: removalPolicy(isPrecious),
      ...(row.generate ? { generateSecretString: row.generate } : { secretStringValue: SecretValue.unsafePlainText('{}') }),
    });
    Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason: row.rotation });
    return secret;
  }
}
