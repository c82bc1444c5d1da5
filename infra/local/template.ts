// Turns the synthesized cloud assembly into the plain values that the local stack runs from. It knows resource types,
// but no route, table or function by name.
import { readStacks } from './cloud-assembly.ts';
import type { Assembly } from './model.ts';
import { ResourceIndex } from './resource-index.ts';
import { asObject, asText } from './shapes.ts';
import { readEventSources, readFunctions, readRoutes, readSchedules } from './template-functions.ts';
import {
  readBuckets,
  readConfigurationSets,
  readIdentities,
  readQueues,
  readReceiptRules,
  readSecrets,
  readTables,
  readTopics,
} from './template-stores.ts';

/**
 * Reads `cdkOutDir` with these stack parameters; queue URLs are made to lead through `endpointUrl`.
 * Throws with the construct's path where the template uses something that cannot be run here.
 */
export function loadAssembly(cdkOutDir: string, parameters: Readonly<Record<string, string>>, endpointUrl: string): Assembly {
  const index = new ResourceIndex(readStacks(cdkOutDir), parameters, endpointUrl);
  const eventSources = readEventSources(index);
  return {
    functions: readFunctions(index),
    tables: readTables(index),
    queues: readQueues(index, deadLetterArns(index, eventSources)),
    topics: readTopics(index),
    buckets: readBuckets(index),
    routes: readRoutes(index),
    eventSources,
    schedules: readSchedules(index),
    receiptRules: readReceiptRules(index),
    configurationSets: readConfigurationSets(index),
    secrets: readSecrets(index),
    identities: readIdentities(index),
  };
}

/** Dead-letter queues that functions and event sources name; queues name theirs in their redrive policy. */
function deadLetterArns(index: ResourceIndex, eventSources: Assembly['eventSources']): ReadonlySet<string> {
  const ofFunctions = index
    .ofType('AWS::Lambda::Function')
    .map((each) => asText(asObject(each.properties['DeadLetterConfig'])['TargetArn']));
  const ofSources = eventSources.map((source) => source.onFailureArn);
  return new Set([...ofFunctions, ...ofSources].filter((arn) => arn !== undefined));
}
