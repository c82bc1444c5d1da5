// The one table, with every index that the stores' table schema names; nothing here decides what an item looks like.
import { RemovalPolicy } from 'aws-cdk-lib';
import { type Attribute, AttributeType, BillingMode, ProjectionType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { TABLE_SCHEMA } from '#adapters/dynamo/table-schema.ts';

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });
/** Unix seconds, compared as numbers. */
const time = (name: string): Attribute => ({ name, type: AttributeType.NUMBER });

export interface SingleTableProps {
  /** Keeps the table when its stack goes, and refuses to delete it. */
  readonly isPrecious: boolean;
}

/** Makes the table; local indexes can only be made with it, never later. */
export function singleTable(scope: Construct, id: string, props: SingleTableProps): Table {
  const table = new Table(scope, id, {
    partitionKey: text(TABLE_SCHEMA.partitionKey),
    sortKey: text(TABLE_SCHEMA.sortKey),
    timeToLiveAttribute: TABLE_SCHEMA.timeToLive,
    billingMode: BillingMode.PAY_PER_REQUEST,
    stream: StreamViewType.NEW_AND_OLD_IMAGES,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: props.isPrecious,
    // Also what a failed first deployment made: protected as it is, its rollback could not delete it, and its name is free.
    removalPolicy: props.isPrecious ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  for (const [indexName, attribute] of Object.entries(TABLE_SCHEMA.localIndexes)) {
    table.addLocalSecondaryIndex({ indexName, sortKey: text(attribute), projectionType: ProjectionType.ALL });
  }
  const { name, partitionKey, sortKey } = TABLE_SCHEMA.dueIndex;
  table.addGlobalSecondaryIndex({
    indexName: name,
    partitionKey: text(partitionKey),
    sortKey: time(sortKey),
    projectionType: ProjectionType.ALL,
  });
  return table;
}

/** Every index of the table by name, local ones first. */
export const indexNames = (): readonly string[] => [...Object.keys(TABLE_SCHEMA.localIndexes), TABLE_SCHEMA.dueIndex.name];
