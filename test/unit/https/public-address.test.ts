// Which addresses count as public: every special range is refused, in each way of writing it.
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '#adapters/https/public-address.ts';

const INNER = [
  ['this network', '0.0.0.0'],
  ['private 10', '10.1.2.3'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['loopback', '127.0.0.1'],
  ['loopback, another', '127.255.255.254'],
  ['metadata', '169.254.169.254'],
  ['task metadata', '169.254.170.2'],
  ['the function itself', '169.254.79.129'],
  ['private 172.16', '172.31.255.255'],
  ['protocol assignments', '192.0.0.170'],
  ['documentation', '203.0.113.9'],
  ['6to4 relay', '192.88.99.1'],
  ['private 192.168', '192.168.0.1'],
  ['benchmarks', '198.19.0.1'],
  ['multicast', '224.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['IPv6 unspecified', '::'],
  ['IPv6 loopback', '::1'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-compatible, public', '::8.8.8.8'],
  ['IPv4-mapped', '::ffff:127.0.0.1'],
  ['IPv4-mapped in hex', '::ffff:7f00:1'],
  ['IPv4-mapped metadata', '::ffff:169.254.169.254'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64, local use', '64:ff9b:1::a00:1'],
  ['6to4', '2002:7f00:1::'],
  ['Teredo', '2001:0:7f00:1::'],
  ['IPv6 documentation', '2001:db8::1'],
  ['unique local', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['IPv6 multicast', 'ff02::1'],
  ['discard', '100::1'],
  ['no address', 'localhost'],
  ['nothing', ''],
] as const;

describe('isPublicAddress', () => {
  it.each(INNER)('error: %s (%s) is not public', (_name, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:2800:220:1:248:1893:25c8:1946', '2a00:1450:4001::200e'])(
    'default: %s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});
