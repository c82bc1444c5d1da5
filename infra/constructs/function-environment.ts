// The environment variables of a function: settings for all, and the names of just those resources it was granted.
import { CfnParameter, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type Config, resourceNames } from '#infra/config.ts';
import type { FunctionPermissions, SecretName } from '#infra/permissions.ts';
import { existingQueues } from './function-policy.ts';
import type { SharedResources } from './shared-resources.ts';

/**
 * A setting that a running local stack hands in, since it knows its own addresses only then. In the cloud a parameter would
 * keep its first value through every later deploy, whatever the settings say, so there the setting stands as it is.
 */
const lateSetting = (scope: Construct, config: Config, late: { id: string; description: string; value: string }): string =>
  config.stage === 'local' ? parameter(scope, late.id, late.description, late.value) : late.value;

/** One parameter per stack, whoever asks first makes it. */
const parameter = (scope: Construct, id: string, description: string, fallback: string): string => {
  const stack = Stack.of(scope);
  const existing = stack.node.tryFindChild(id);
  if (existing instanceof CfnParameter) return existing.valueAsString;
  return new CfnParameter(stack, id, { type: 'String', description, default: fallback }).valueAsString;
};

const SECRET_VARIABLES: Readonly<Record<SecretName, string>> = {
  signing: 'SIGNING_SECRET',
  sealing: 'SEALING_SECRET',
  chain: 'CHAIN_SECRET',
  mpp: 'MPP_SECRET',
  'world-id': 'WORLD_ID_SECRET',
};

const settingVariables = (config: Config): Readonly<Record<string, string>> => ({
  STAGE: config.stage,
  MAIL_DOMAIN: config.mailDomain,
  OPERATOR_EMAIL: config.operatorEmail,
  SERVICE_NAME: config.serviceName,
  MPP_ENABLED: String(config.mppEnabled),
  TEMPO_CHAIN_ID: String(config.tempoChainId),
  PAYMENT_BIND_SENDER: String(config.paymentBindSender),
  CONFIRMATIONS: config.confirmations,
  NAMES_START_BLOCK: String(config.namesStartBlock),
  SUNSET_DATE: config.sunsetDate,
  AIRDROP_WAVES: config.airdropWaves,
  WORLD_ID_APP_ID: config.worldIdAppId,
  WORLD_ID_RP_ID: config.worldIdRpId,
  WORLD_ID_ACTION: config.worldIdAction,
  WORLD_ID_STUB: String(config.worldIdStub),
  LOOPBACK_WEBHOOKS: String(config.loopbackWebhooks),
});

/** `deliveries` is told as `DELIVERIES_QUEUE_URL`. */
const queueVariable = (name: string): string => `${name.replaceAll('-', '_').toUpperCase()}_QUEUE_URL`;

/** Every variable a function gets; secrets are told by ARN, never by value. */
export function environmentFor(scope: Construct, permissions: FunctionPermissions, shared: SharedResources): Record<string, string> {
  const { config } = shared;
  const environment: Record<string, string> = {
    ...settingVariables(config),
    TABLE_NAME: shared.table.tableName,
    BASE_URL: lateSetting(scope, config, {
      id: 'BaseUrl',
      description: 'Public address of the API; empty: the address a request came to',
      value: config.baseUrl,
    }),
    DEPOSIT_ADDRESS: lateSetting(scope, config, {
      id: 'DepositAddress',
      description: 'Where payments go: 0x and 40 hexadecimal digits',
      value: config.depositAddress,
    }),
  };
  if (permissions.bucket) environment.MAIL_BUCKET = shared.bucket.bucketName;
  if (permissions.ses) environment.CONFIGURATION_SET = resourceNames(config).configurationSet;
  for (const name of permissions.secrets ?? []) environment[SECRET_VARIABLES[name]] = shared.secrets[name].secretArn;
  for (const { name, queue } of existingQueues(permissions.queues ?? [], shared)) environment[queueVariable(name)] = queue.queueUrl;
  return environment;
}
