// All resources of all stacks in one place: found by type or ARN, with properties resolved across stacks.
import type { StackTemplate } from './cloud-assembly.ts';
import { StackResolver } from './intrinsics.ts';
import { arnOf, type Identified, nameOf, queueUrlOf } from './physical-names.ts';
import { asObject, asText, type Json } from './shapes.ts';

/** One resource of the template with everything resolved. */
export interface ResolvedResource {
  /** Unique over all stacks: the logical id, or `stack/id` where two stacks use the same. */
  readonly id: string;
  readonly logicalId: string;
  readonly type: string;
  readonly path: string;
  readonly name: string;
  readonly arn: string;
  readonly queueUrl: string;
  readonly properties: Json;
  readonly assetDirs: ReadonlyMap<string, string>;
}

export class ResourceIndex {
  readonly #resources: readonly ResolvedResource[];

  /** `parameters` go to every stack that declares them; `endpointUrl` is our AWS endpoint, as functions reach it. */
  constructor(stacks: readonly StackTemplate[], parameters: Readonly<Record<string, string>>, endpointUrl: string) {
    const exported = new Map<string, () => unknown>();
    const importValue = (name: string): unknown => {
      const value = exported.get(name);
      if (!value) throw new Error(`no stack exports ${name}`);
      return value();
    };
    const resolvers = stacks.map((stack) => new StackResolver(stack, { parameters, endpointUrl, importValue }));
    for (const resolver of resolvers) registerExports(resolver, exported);
    const taken = new Set<string>();
    this.#resources = resolvers.flatMap((resolver) => resolveStack(resolver, taken));
  }

  /** All resources of one type, in the order of the template. */
  ofType(type: string): readonly ResolvedResource[] {
    return this.#resources.filter((resource) => resource.type === type);
  }

  /** The resource with this ARN; qualifiers of functions (version, alias) and paths behind an ARN are looked through. */
  byArn(type: string, arn: string): ResolvedResource | undefined {
    return this.ofType(type).find(
      (resource) => resource.arn === arn || arn.startsWith(`${resource.arn}:`) || arn.startsWith(`${resource.arn}/`),
    );
  }

  /** A function by name, ARN, or the longer ARN in which an API integration wraps it. */
  function(reference: string): ResolvedResource | undefined {
    const wrapped = /functions\/(arn:[^/]+)\/invocations/.exec(reference)?.[1] ?? reference;
    const type = 'AWS::Lambda::Function';
    return this.byArn(type, wrapped) ?? this.ofType(type).find((resource) => resource.name === wrapped);
  }
}

function registerExports(resolver: StackResolver, exported: Map<string, () => unknown>): void {
  for (const [outputName, value] of Object.entries(resolver.stack.outputs)) {
    const output = asObject(value);
    const resolve = (): unknown => resolver.resolve(output['Value']);
    exported.set(`${resolver.stack.name}.${outputName}`, resolve);
    const name = asObject(output['Export'])['Name'];
    if (name !== undefined) exported.set(resolver.text(name), resolve);
  }
}

function resolveStack(resolver: StackResolver, taken: Set<string>): readonly ResolvedResource[] {
  return [...resolver.stack.resources].flatMap(([logicalId, resource]) => {
    if (!KNOWN_TYPES.has(resource.type) || !resolver.isIncluded(resource)) return [];
    const id = taken.has(logicalId) ? `${resolver.stack.name}/${logicalId}` : logicalId;
    taken.add(id);
    const identity: Identified = resolver.identify(logicalId);
    return [
      {
        id,
        logicalId,
        type: resource.type,
        path: resource.path,
        name: nameOf(identity),
        arn: arnOf(identity),
        queueUrl: queueUrlOf(identity),
        properties: resolver.properties(resource),
        assetDirs: resolver.stack.assetDirs,
      },
    ];
  });
}

// Everything else (alarms, dashboards, log groups, custom resources) has no part in running the service here.
const KNOWN_TYPES = new Set([
  'AWS::Lambda::Function',
  'AWS::Lambda::LayerVersion',
  'AWS::Lambda::EventSourceMapping',
  'AWS::IAM::Role',
  'AWS::IAM::Policy',
  'AWS::IAM::ManagedPolicy',
  'AWS::DynamoDB::Table',
  'AWS::S3::Bucket',
  'AWS::SQS::Queue',
  'AWS::SNS::Topic',
  'AWS::SNS::Subscription',
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Integration',
  'AWS::Events::Rule',
  'AWS::Scheduler::Schedule',
  'AWS::SES::ReceiptRuleSet',
  'AWS::SES::ReceiptRule',
  'AWS::SES::ConfigurationSet',
  'AWS::SES::ConfigurationSetEventDestination',
  'AWS::SES::EmailIdentity',
  'AWS::SecretsManager::Secret',
]);

/** A required text property. Throws with the resource's path when it is missing. */
export function required(resource: ResolvedResource, property: string): string {
  const value = asText(resource.properties[property]);
  if (value === undefined) throw new Error(`${resource.path}: ${property} is missing`);
  return value;
}
