// Which IP addresses belong to the public internet. An attacker's name may resolve to anything: to this function's own
// runtime interface, to the cloud's metadata service, to a neighbour, or to one of those wrapped in an IPv6 transition
// address. IPv4 is public unless listed; IPv6 only where the registries hand out addresses, less what is listed.
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Special-purpose IPv4 (RFC 6890 and its registry). */
const INNER_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carrier-grade NAT, where clouds put their own machinery.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local: metadata at 169.254.169.254, the function's own interface beside it.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  // Relays of 6to4, which lead to the address wrapped in the packet.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** All global unicast. What lies outside is not: ::/96, ::ffff:0:0/96, 64:ff9b::/96 (NAT64), fc00::/7, fe80::/10, ff00::/8. */
const GLOBAL_IPV6 = ['2000::', 3] as const;

/** Inside of it, and still not public. */
const INNER_IPV6: readonly (readonly [string, number])[] = [
  // Protocol assignments, among them Teredo, which wraps IPv4 addresses.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4, which wraps IPv4 addresses.
  ['2002::', 16],
  ['3fff::', 20],
];

const blockListOf = (subnets: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
};

const innerIpv4 = blockListOf(INNER_IPV4, 'ipv4');
const globalIpv6 = blockListOf([GLOBAL_IPV6], 'ipv6');
const innerIpv6 = blockListOf(INNER_IPV6, 'ipv6');

/** Whether an IP address belongs to the public internet; anything that is no address does not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !innerIpv4.check(address, 'ipv4');
  return isIPv6(address) && globalIpv6.check(address, 'ipv6') && !innerIpv6.check(address, 'ipv6');
};
