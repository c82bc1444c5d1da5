// The IAM side of DynamoDB calls: transactions are checked as the writes and reads they consist of, queries on an
// index need the index, and `dynamodb:LeadingKeys` is read from the items and conditions of the request.
import type { Assembly } from '#infra/local/model.ts';
import { type Account, tableArn } from './arns.ts';
import type { AwsCall } from './aws-call.ts';
import type { Permission } from './iam.ts';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

interface KeyElement {
  readonly AttributeName: string;
  readonly KeyType: string;
}

const hashKeyOf = (schema: unknown): string | undefined =>
  (listOf(schema) as readonly KeyElement[]).find((element) => element.KeyType === 'HASH')?.AttributeName;

/** The partition key attribute of a table or of one of its indexes; undefined for tables that are not ours. */
function partitionKey(assembly: Assembly, tableName: string, indexName?: string): string | undefined {
  const input = assembly.tables.find((table) => table.name === tableName || table.arn === tableName)?.createInput;
  if (!input || indexName === undefined) return hashKeyOf(input?.['KeySchema']);
  const indexes = [...listOf(input['GlobalSecondaryIndexes']), ...listOf(input['LocalSecondaryIndexes'])].map(fieldsOf);
  return hashKeyOf(indexes.find((index) => index['IndexName'] === indexName)?.['KeySchema']);
}

/** The text of an attribute value such as `{"S": "x"}`. */
const plainValue = (value: unknown): string | undefined => Object.values(fieldsOf(value)).map(String)[0];

/** The value that a key condition (`#p = :p AND ...`) asks the partition key to equal. */
function queriedKey(input: Fields, keyName: string): string | undefined {
  const names = fieldsOf(input['ExpressionAttributeNames']);
  const values = fieldsOf(input['ExpressionAttributeValues']);
  for (const [, name = '', placeholder = ''] of String(input['KeyConditionExpression'] ?? '').matchAll(/([#\w.-]+)\s*=\s*(:\w+)/g)) {
    if ((names[name] ?? name) === keyName) return plainValue(values[placeholder]);
  }
  return undefined;
}

/** Unknown keys leave the fact out, so that a condition on it does not match. */
const leadingKeys = (values: readonly (string | undefined)[]): Permission['context'] =>
  values.includes(undefined) ? {} : { 'dynamodb:LeadingKeys': [...new Set(values as readonly string[])] };

class DynamoRules {
  readonly #assembly: Assembly;
  readonly #account: Account;
  constructor(assembly: Assembly, account: Account) {
    this.#assembly = assembly;
    this.#account = account;
  }

  onTable(action: string, table: string, keyed: readonly Fields[]): Permission {
    const name = partitionKey(this.#assembly, table);
    const values = keyed.map((item) => (name === undefined ? undefined : plainValue(item[name])));
    const resource = tableArn(this.#assembly, this.#account, table);
    return { actions: [`dynamodb:${action}`], resource, context: keyed.length > 0 ? leadingKeys(values) : {} };
  }

  onQuery(action: string, input: Fields): Permission {
    const table = String(input['TableName'] ?? '');
    const index = typeof input['IndexName'] === 'string' ? input['IndexName'] : undefined;
    const name = partitionKey(this.#assembly, table, index);
    const resource = tableArn(this.#assembly, this.#account, table) + (index === undefined ? '' : `/index/${index}`);
    return {
      actions: [`dynamodb:${action}`],
      resource,
      context: name === undefined ? {} : leadingKeys([queriedKey(input, name)]),
    };
  }

  ofTransaction(input: Fields): readonly Permission[] {
    return listOf(input['TransactItems']).flatMap((entry) =>
      Object.entries(fieldsOf(entry)).map(([kind, value]) => {
        const part = fieldsOf(value);
        const action = kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`;
        return this.onTable(action, String(part['TableName'] ?? ''), [fieldsOf(part['Item'] ?? part['Key'])]);
      }),
    );
  }

  ofBatch(action: string, input: Fields): readonly Permission[] {
    return Object.entries(fieldsOf(input['RequestItems'])).map(([table, request]) => {
      const keys = action === 'BatchGetItem' ? listOf(fieldsOf(request)['Keys']) : listOf(request).map(writtenItem);
      return this.onTable(action, table, keys.map(fieldsOf));
    });
  }
}

/** The item or key of one element of BatchWriteItem. */
function writtenItem(request: unknown): unknown {
  const { PutRequest: put, DeleteRequest: remove } = fieldsOf(request);
  return fieldsOf(put)['Item'] ?? fieldsOf(remove)['Key'];
}

/** The permissions that a DynamoDB (or DynamoDB Streams) call needs. */
export function dynamoPermissions(call: AwsCall, assembly: Assembly, account: Account): readonly Permission[] {
  const { operation, input } = call;
  const rules = new DynamoRules(assembly, account);
  switch (operation) {
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return rules.ofTransaction(input);
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return rules.ofBatch(operation, input);
    case 'Query':
    case 'Scan':
      return [rules.onQuery(operation, input)];
    case 'GetItem':
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [rules.onTable(operation, String(input['TableName'] ?? ''), [fieldsOf(input['Item'] ?? input['Key'])])];
    default:
      return [administrative(call, assembly, account)];
  }
}

/** Everything else names a table, a stream or nothing at all. */
function administrative(call: AwsCall, assembly: Assembly, account: Account): Permission {
  const { TableName: table, StreamArn: stream, ResourceArn: resource } = call.input;
  const named = typeof table === 'string' ? tableArn(assembly, account, table) : (stream ?? resource ?? '*');
  return { actions: [`dynamodb:${call.operation}`], resource: String(named), context: {} };
}
