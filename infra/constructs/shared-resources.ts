// What the data and mail stacks make and the functions use; passed on as one value instead of a dozen properties.
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Config } from '#infra/config.ts';
import type { FunctionEntry } from '#infra/inventory.ts';
import type { QueueName, SecretName } from '#infra/permissions.ts';
import type { QueueWithDlq } from './queue-with-dlq.ts';

/** The result of the build, on disk. */
export interface Bundles {
  readonly functions: readonly FunctionEntry[];
  /** Holds one folder per function, each with an `index.js`. */
  readonly functionsDir: string;
  /** The layer's folder (with `nodejs/node_modules`), when there is anything in it. */
  readonly layerDir?: string;
}

export interface SharedResources {
  readonly config: Config;
  readonly bundles: Bundles;
  readonly table: Table;
  readonly bucket: Bucket;
  readonly secrets: Readonly<Record<SecretName, Secret>>;
  readonly queues: ReadonlyMap<QueueName, QueueWithDlq>;
}
