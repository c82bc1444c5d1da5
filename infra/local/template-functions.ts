// Functions of the template with the statements that their roles are granted, and what wakes them.
import type { LocalEventSource, LocalFunction, LocalRoute, LocalSchedule, PolicyStatement } from './model.ts';
import { type ResolvedResource, type ResourceIndex, required } from './resource-index.ts';
import { asBoolean, asList, asNumber, asObject, asText, asTexts, type Json } from './shapes.ts';

// Lambda's own defaults, for what a template leaves out.
const MEMORY_MB_DEFAULT = 128;
const TIMEOUT_SECONDS_DEFAULT = 3;

/** All functions that come with a bundle; those of inline code (CDK's custom resources) never run here. */
export function readFunctions(index: ResourceIndex): readonly LocalFunction[] {
  const taken = new Set<string>();
  return index.ofType('AWS::Lambda::Function').flatMap((resource) => {
    const codeDir = assetDir(resource, asObject(resource.properties['Code']));
    if (codeDir === undefined) return [];
    const short = shortName(resource.path);
    const name = taken.has(short) ? resource.id : short;
    taken.add(name);
    const reserved = asNumber(resource.properties['ReservedConcurrentExecutions']);
    return [
      {
        logicalId: resource.id,
        name,
        arn: resource.arn,
        codeDir,
        handler: required(resource, 'Handler'),
        environment: asTexts(asObject(resource.properties['Environment'])['Variables']),
        memoryMb: asNumber(resource.properties['MemorySize']) ?? MEMORY_MB_DEFAULT,
        timeoutSeconds: asNumber(resource.properties['Timeout']) ?? TIMEOUT_SECONDS_DEFAULT,
        ...(reserved === undefined ? {} : { reservedConcurrency: reserved }),
        layerDirs: asList(resource.properties['Layers']).map((arn) => layerDir(index, String(arn))),
        policies: readPolicies(index, required(resource, 'Role')),
      },
    ];
  });
}

/** The construct's own name in kebab case, e.g. `mailbox-http`; CDK's trailing `Resource` is no name. */
function shortName(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== 'Resource' && segment !== 'Function' && segment !== 'Default');
  return (segments.at(-1) ?? path)
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();
}

function assetDir(resource: ResolvedResource, code: Json): string | undefined {
  const key = asText(code['S3Key']);
  return key === undefined ? undefined : resource.assetDirs.get(key);
}

function layerDir(index: ResourceIndex, arn: string): string {
  const layer = index.byArn('AWS::Lambda::LayerVersion', arn);
  const folder = layer && assetDir(layer, asObject(layer.properties['Content']));
  if (folder === undefined) throw new Error(`the layer ${arn} has no asset in the assembly`);
  return folder;
}

function readPolicies(index: ResourceIndex, roleArn: string): readonly PolicyStatement[] {
  const role = index.byArn('AWS::IAM::Role', roleArn);
  if (!role) return [];
  const managedArns = new Set(asList(role.properties['ManagedPolicyArns']).map(String));
  const attached = [...index.ofType('AWS::IAM::Policy'), ...index.ofType('AWS::IAM::ManagedPolicy')].filter(
    (policy) => asList(policy.properties['Roles']).includes(role.name) || managedArns.has(policy.arn),
  );
  const documents = [
    ...asList(role.properties['Policies']).map((policy) => asObject(policy)['PolicyDocument']),
    ...attached.map((policy) => policy.properties['PolicyDocument']),
  ];
  return documents.flatMap((document) =>
    asList(asObject(document)['Statement']).map((statement) => toStatement(asObject(statement), role.path)),
  );
}

function toStatement(statement: Json, path: string): PolicyStatement {
  if ('NotAction' in statement || 'NotResource' in statement) throw new Error(`${path}: NotAction and NotResource are not enforced here`);
  return {
    effect: statement['Effect'] === 'Deny' ? 'Deny' : 'Allow',
    actions: asList(statement['Action']).map(String),
    resources: asList(statement['Resource']).map(String),
    conditions: asObject(statement['Condition']) as PolicyStatement['conditions'],
  };
}

/** The routes of the HTTP API with the function behind each and the mappings of its replies' headers. */
export function readRoutes(index: ResourceIndex): readonly LocalRoute[] {
  const integrations = new Map(index.ofType('AWS::ApiGatewayV2::Integration').map((each) => [each.logicalId, each]));
  return index.ofType('AWS::ApiGatewayV2::Route').map((route) => {
    const integration = integrations.get(required(route, 'Target').replace(/^integrations\//, ''));
    const target = integration && index.function(required(integration, 'IntegrationUri'));
    if (!integration || !target) throw new Error(`${route.path}: no function behind the route`);
    return {
      routeKey: required(route, 'RouteKey'),
      functionId: target.id,
      responseParameters: readMappings(integration.properties['ResponseParameters']),
    };
  });
}

/** Both forms: `{status: {ResponseParameters: [{Destination, Source}]}}` and `{status: {destination: source}}`. */
function readMappings(value: unknown): LocalRoute['responseParameters'] {
  const byStatus = Object.entries(asObject(value)).map(([status, mapping]) => {
    const listed = asObject(mapping)['ResponseParameters'];
    if (listed === undefined) return [status, asTexts(mapping)] as const;
    const pairs = asList(listed)
      .map(asObject)
      .map((pair) => [String(pair['Destination']), String(pair['Source'])] as const);
    return [status, Object.fromEntries(pairs)] as const;
  });
  return Object.fromEntries(byStatus);
}

/** Queues and streams that wake functions. Disabled mappings are left out. */
export function readEventSources(index: ResourceIndex): readonly LocalEventSource[] {
  const mappings = index.ofType('AWS::Lambda::EventSourceMapping');
  return mappings.filter((mapping) => asBoolean(mapping.properties['Enabled']) !== false).map((mapping) => toEventSource(index, mapping));
}

function toEventSource(index: ResourceIndex, mapping: ResolvedResource): LocalEventSource {
  const given = mapping.properties;
  const target = index.function(required(mapping, 'FunctionName'));
  if (!target) throw new Error(`${mapping.path}: no function to wake`);
  const sourceArn = required(mapping, 'EventSourceArn');
  const kind = sourceArn.startsWith('arn:aws:sqs:') ? 'queue' : 'stream';
  const concurrency = asNumber(asObject(given['ScalingConfig'])['MaximumConcurrency']);
  const retries = asNumber(given['MaximumRetryAttempts']);
  const onFailure = asText(asObject(asObject(given['DestinationConfig'])['OnFailure'])['Destination']);
  const filters = asList(asObject(given['FilterCriteria'])['Filters']).map((filter) => asText(asObject(filter)['Pattern']) ?? '{}');
  return {
    functionId: target.id,
    kind,
    sourceArn,
    batchSize: asNumber(given['BatchSize']) ?? (kind === 'queue' ? 10 : 100),
    batchWindowSeconds: asNumber(given['MaximumBatchingWindowInSeconds']) ?? 0,
    reportsPartialFailures: asList(given['FunctionResponseTypes']).includes('ReportBatchItemFailures'),
    ...(concurrency === undefined ? {} : { maximumConcurrency: concurrency }),
    // -1 is Lambda's way of writing "until the record is too old".
    ...(retries === undefined || retries < 0 ? {} : { maximumRetryAttempts: retries }),
    bisectOnError: asBoolean(given['BisectBatchOnFunctionError']) ?? false,
    ...(onFailure === undefined ? {} : { onFailureArn: onFailure }),
    filterPatterns: filters.map((pattern) => JSON.parse(pattern) as unknown),
  };
}

/** Schedules of EventBridge rules and of the Scheduler, one entry per function they wake. */
export function readSchedules(index: ResourceIndex): readonly LocalSchedule[] {
  const rules = index
    .ofType('AWS::Events::Rule')
    .flatMap((rule) => asList(rule.properties['Targets']).map((target) => ({ rule, target: asObject(target) })));
  const schedules = index.ofType('AWS::Scheduler::Schedule').map((rule) => ({ rule, target: asObject(rule.properties['Target']) }));
  return [...rules, ...schedules].flatMap(({ rule, target }) => {
    const expression = asText(rule.properties['ScheduleExpression']);
    const woken = index.function(asText(target['Arn']) ?? '');
    if (expression === undefined || !woken) return [];
    const input = asText(target['Input']);
    return [
      {
        name: shortName(woken.path),
        functionId: woken.id,
        ...readExpression(expression, rule.path),
        input: input === undefined ? undefined : (JSON.parse(input) as unknown),
        enabled: rule.properties['State'] !== 'DISABLED',
      },
    ];
  });
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { minute: 60, hour: 3600, day: 86_400 };

function readExpression(expression: string, path: string): { readonly everySeconds: number } | { readonly cron: string } {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression);
  if (rate) return { everySeconds: Number(rate[1]) * (UNIT_SECONDS[rate[2] ?? ''] ?? 60) };
  const cron = /^cron\((.+)\)$/.exec(expression);
  if (cron?.[1]) return { cron: cron[1] };
  throw new Error(`${path}: ${expression} is no rate() or cron()`);
}
