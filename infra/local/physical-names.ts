// What `Ref` and `Fn::GetAtt` give for each resource type: the names and ARNs that resources have on this machine.
import { createHash } from 'node:crypto';
import { asText, type Json } from './shapes.ts';

export const ACCOUNT_ID = '000000000000';
export const REGION = 'us-east-1';

/** A resource with its properties resolved, as far as its identity needs them. */
export interface Identified {
  readonly stackName: string;
  readonly logicalId: string;
  readonly type: string;
  /** The property that names the resource when the template does, already resolved. */
  readonly givenName?: string;
  readonly endpointUrl: string;
}

/** The properties by which a template may name a resource itself. */
export const NAME_PROPERTIES: Readonly<Record<string, string>> = {
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Lambda::LayerVersion': 'LayerName',
  'AWS::IAM::Role': 'RoleName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::Events::Rule': 'Name',
  'AWS::Scheduler::Schedule': 'Name',
  'AWS::SES::ReceiptRuleSet': 'RuleSetName',
  'AWS::SES::ConfigurationSet': 'Name',
  'AWS::SES::EmailIdentity': 'EmailIdentity',
  'AWS::SecretsManager::Secret': 'Name',
};

/** The physical name: as the template says, else made from stack and logical id within what AWS allows. */
export function nameOf(resource: Identified): string {
  if (resource.givenName !== undefined) return resource.givenName;
  const name = `${resource.stackName}-${resource.logicalId}`;
  const fitted = name.length <= 60 ? name : `${name.slice(0, 51)}-${digest(name).slice(0, 8)}`;
  return resource.type === 'AWS::S3::Bucket' ? fitted.toLowerCase() : fitted;
}

/** The ARN of the types that have one. */
export function arnOf(resource: Identified): string {
  const name = nameOf(resource);
  const place = `${REGION}:${ACCOUNT_ID}`;
  const arns: Readonly<Record<string, string>> = {
    'AWS::Lambda::Function': `arn:aws:lambda:${place}:function:${name}`,
    'AWS::Lambda::LayerVersion': `arn:aws:lambda:${place}:layer:${name}:1`,
    'AWS::IAM::Role': `arn:aws:iam::${ACCOUNT_ID}:role/${name}`,
    'AWS::IAM::ManagedPolicy': `arn:aws:iam::${ACCOUNT_ID}:policy/${name}`,
    'AWS::DynamoDB::Table': `arn:aws:dynamodb:${place}:table/${name}`,
    'AWS::S3::Bucket': `arn:aws:s3:::${name}`,
    'AWS::SQS::Queue': `arn:aws:sqs:${place}:${name}`,
    'AWS::SNS::Topic': `arn:aws:sns:${place}:${name}`,
    'AWS::Events::Rule': `arn:aws:events:${place}:rule/${name}`,
    'AWS::Scheduler::Schedule': `arn:aws:scheduler:${place}:schedule/default/${name}`,
    'AWS::SES::ConfigurationSet': `arn:aws:ses:${place}:configuration-set/${name}`,
    'AWS::SES::EmailIdentity': `arn:aws:ses:${place}:identity/${name}`,
    // Secrets Manager ends each ARN in six characters of its own; ours follow from the name, to be the same at each start.
    'AWS::SecretsManager::Secret': `arn:aws:secretsmanager:${place}:secret:${name}-${digest(name).slice(0, 6)}`,
    'AWS::Logs::LogGroup': `arn:aws:logs:${place}:log-group:${name}:*`,
    'AWS::KMS::Key': `arn:aws:kms:${place}:key/${name}`,
  };
  return arns[resource.type] ?? `arn:aws:local:${place}:${resource.type.replaceAll('::', '-').toLowerCase()}/${name}`;
}

/** A queue's URL leads through our own AWS endpoint, so that calls on it are checked, counted and faulted. */
export function queueUrlOf(resource: Identified): string {
  return `${resource.endpointUrl}/${ACCOUNT_ID}/${nameOf(resource)}`;
}

const REF_IS_ARN = new Set(['AWS::Lambda::LayerVersion', 'AWS::IAM::ManagedPolicy', 'AWS::SNS::Topic', 'AWS::SecretsManager::Secret']);

/** What `{"Ref": logicalId}` stands for. Routes and integrations are known by their logical id, which links them. */
export function refOf(resource: Identified): string {
  if (resource.type === 'AWS::SQS::Queue') return queueUrlOf(resource);
  if (REF_IS_ARN.has(resource.type)) return arnOf(resource);
  return resource.type.startsWith('AWS::ApiGatewayV2::') ? resource.logicalId : nameOf(resource);
}

/** What `{"Fn::GetAtt": [logicalId, attribute]}` stands for. Throws for an attribute that nothing here can give. */
export function attributeOf(resource: Identified, attribute: string): string {
  if (attribute === 'Arn' || attribute.endsWith('Arn') || attribute === 'Id') return arnAttribute(resource, attribute);
  const name = nameOf(resource);
  if (attribute.endsWith('Name') && !attribute.includes('Domain') && !attribute.startsWith('Dkim')) return name;
  const host = new URL(resource.endpointUrl).host;
  const attributes: Readonly<Record<string, string>> = {
    DomainName: `${name}.${host}`,
    RegionalDomainName: `${name}.${host}`,
    ApiEndpoint: resource.endpointUrl,
    ApiId: resource.logicalId,
    QueueUrl: queueUrlOf(resource),
    RoleId: name,
    Version: '1',
  };
  // Identities hand out DNS records (tokens, hosts) that only outputs ever show.
  return attributes[attribute] ?? `${resource.logicalId}.${attribute}`;
}

function arnAttribute(resource: Identified, attribute: string): string {
  const arn = arnOf(resource);
  return attribute === 'StreamArn' ? `${arn}/stream/local` : arn;
}

/** The given name of a resource's properties, when its type has one and it is set. */
export function givenName(type: string, properties: Json): string | undefined {
  const property = NAME_PROPERTIES[type];
  return property === undefined ? undefined : asText(properties[property]);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').replace(/[-_]/g, 'x');
}
