// The verified identities of the account: who may stand in the From of a mail that SES sends.
import type { Assembly } from '#infra/local/model.ts';
import { AwsError } from './aws-error.ts';

/** The identity under which an address may send: itself, its domain, or a parent of its domain. */
export function verifiedIdentity(assembly: Assembly, address: string): string | undefined {
  const wanted = address.toLowerCase();
  const domain = wanted.slice(wanted.lastIndexOf('@') + 1);
  const fits = (identity: string): boolean =>
    identity === wanted || (!identity.includes('@') && (domain === identity || domain.endsWith(`.${identity}`)));
  // The address itself, where it is verified, is what IAM is asked about; among domains the closest.
  return assembly.identities.filter((identity) => fits(identity.toLowerCase())).sort((a, b) => b.length - a.length)[0];
}

/**
 * Refuses senders that are not verified, in SES's words.
 *
 * @throws AwsError MessageRejected naming the addresses
 */
export function checkIdentities(assembly: Assembly, region: string, senders: readonly string[]): void {
  const failed = [...new Set(senders)].filter((address) => verifiedIdentity(assembly, address) === undefined);
  if (failed.length === 0) return;
  const where = region.toUpperCase();
  const message = `Email address is not verified. The following identities failed the check in region ${where}: ${failed.join(', ')}`;
  throw new AwsError(400, 'MessageRejected', message);
}
