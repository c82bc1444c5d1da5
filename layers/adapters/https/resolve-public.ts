// Resolves a name for one connection and lets it through only when every address is public. The socket gets exactly the
// addresses that were judged, so a name that answers differently a moment later is never asked again.
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** All addresses of a name; empty when there are none. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

/** Its message is shown to the owner of the endpoint. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

const DNS_TIMEOUT_MS = 2000;
const DNS_TRIES = 2;

/**
 * Asks the name servers directly. `dns.lookup` would read /etc/hosts, and would hold one of four threads while a name
 * server keeps silent: an attacker's silent one could stop every other delivery of the function.
 */
export const resolveName: ResolveName = async (hostname) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

/** @throws AddressError when the name has no address, or one that is not public. */
const publicAddresses = async (resolve: ResolveName, hostname: string): Promise<readonly string[]> => {
  const addresses = await resolve(hostname);
  if (addresses.length === 0) throw new AddressError('the name has no address');
  if (!addresses.every(isPublicAddress)) throw new AddressError('the name leads to an address that is not public');
  return addresses;
};

/** A `lookup` for sockets that judges what it resolves. */
export const publicLookup =
  (resolve: ResolveName): LookupFunction =>
  (hostname, options, callback) => {
    publicAddresses(resolve, hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (options.all) callback(null, found);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new AddressError('the name could not be resolved'), '', 0),
    );
  };
