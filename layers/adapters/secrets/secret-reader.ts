// Secrets Manager: a secret is a JSON object; it is read when first needed and kept for five minutes, so that a rotated
// one is seen without a deployment.
import { GetSecretValueCommand, ResourceNotFoundException, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { fail, FailureError } from '#domain/errors.ts';
import { patience } from '#adapters/sdk-patience.ts';

const CALL_MS = 3000;

export type SecretValues = Readonly<Record<string, string>>;

/** Gives the values of one secret; throws `misconfigured` (503) where it is missing. */
export type SecretReader = () => Promise<SecretValues>;

const KEPT_MS = 300_000;

let client: SecretsManagerClient | undefined;

const fetchSecret = async (id: string): Promise<SecretValues> => {
  client ??= new SecretsManagerClient(patience(CALL_MS));
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }));
    return JSON.parse(SecretString ?? '{}') as SecretValues;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) throw new FailureError(fail('misconfigured'));
    throw error;
  }
};

/** Opens a secret by its ARN; an empty ARN is a secret that this deployment does not have. */
export const openSecret = (id: string): SecretReader => {
  let held: { readonly values: Promise<SecretValues>; readonly until: number } | undefined;
  return async () => {
    if (id === '') throw new FailureError(fail('misconfigured'));
    if (!held || held.until <= Date.now()) held = { values: fetchSecret(id), until: Date.now() + KEPT_MS };
    try {
      return await held.values;
    } catch (error) {
      // A failure is not kept: the next request looks again.
      held = undefined;
      throw error;
    }
  };
};

/** One value of a secret that must be there. */
export const secretValue = (values: SecretValues, name: string): string => {
  const value = values[name];
  if (value === undefined || value === '') throw new FailureError(fail('misconfigured'));
  return value;
};
