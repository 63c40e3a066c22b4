/**
 * Addresses that the router may call: this machine and private networks; public ones if allowed; some never.
 */
import { lookup } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

/** Error of an address that is refused before the connection is opened. */
class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
  constructor(host: string, address: string, why: string) {
    super(`${host} (${address}) is not called: ${why}`);
    this.name = 'AddressRefused';
  }
}

const NEVER = new BlockList();
NEVER.addSubnet('169.254.0.0', 16);
NEVER.addSubnet('224.0.0.0', 4);
NEVER.addSubnet('0.0.0.0', 8);
NEVER.addAddress('255.255.255.255');
NEVER.addSubnet('fe80::', 10, 'ipv6');
NEVER.addSubnet('ff00::', 8, 'ipv6');
NEVER.addAddress('::', 'ipv6');

const NEAR = new BlockList();
NEAR.addSubnet('127.0.0.0', 8);
NEAR.addSubnet('10.0.0.0', 8);
NEAR.addSubnet('172.16.0.0', 12);
NEAR.addSubnet('192.168.0.0', 16);
NEAR.addAddress('::1', 'ipv6');
NEAR.addSubnet('fc00::', 7, 'ipv6');

/** Checks an address. Throws AddressRefused. `host` is the name that resolved to the address. */
export function checkAddress(host: string, address: string, allowPublic: boolean): void {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (NEVER.check(address, family)) {
    throw new AddressRefused(host, address, 'link-local, multicast and unspecified addresses never are');
  }
  if (!allowPublic && !NEAR.check(address, family)) {
    throw new AddressRefused(host, address, 'public hosts need the setting allowPublicSubscribers');
  }
}

/** A DNS lookup that checks every result, so that the connection uses a checked address. */
export function checkedLookup(allowPublic: boolean): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        done(error, '', 0);
        return;
      }
      try {
        for (const { address } of found) checkAddress(host, address, allowPublic);
      } catch (refused) {
        done(refused instanceof Error ? refused : new Error(String(refused)), '', 0);
        return;
      }
      const [first] = found;
      if (options.all === true) done(null, found);
      else done(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}
