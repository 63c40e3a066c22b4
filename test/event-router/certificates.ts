/** One authority for the tests of a file, with leaves of every kind. */
import { makeAuthority, makeLeaf } from '../../core/local-router/trust/certificate-making.ts';
import type { PemPair } from '../../core/local-router/trust/certificate-making.ts';

export type LeafKind = 'good' | 'self-signed' | 'expired' | 'wrong-host' | 'unknown-issuer';

export interface Leaves {
  readonly ca: string;
  leaf(kind: LeafKind): Promise<PemPair>;
}

let made: Promise<Leaves> | undefined;

/** Made once: keys are what takes time. */
export function leaves(): Promise<Leaves> {
  made ??= make();
  return made;
}

async function make(): Promise<Leaves> {
  const now = Date.now();
  const authority = await makeAuthority(['localhost', '127.0.0.1', 'other.localhost'], now);
  const stranger = await makeAuthority(['localhost'], now);
  const hosts = ['localhost', '127.0.0.1'];
  const known = new Map<LeafKind, Promise<PemPair>>();
  const of = (kind: LeafKind): Promise<PemPair> => {
    switch (kind) {
      case 'good':
        return makeLeaf(authority, { hosts, nowMs: now });
      case 'self-signed':
        return makeLeaf(undefined, { hosts, nowMs: now });
      case 'expired':
        return makeLeaf(authority, { hosts, nowMs: now, days: -1 });
      case 'wrong-host':
        return makeLeaf(authority, { hosts: ['other.localhost'], nowMs: now });
      case 'unknown-issuer':
        return makeLeaf(stranger, { hosts, nowMs: now });
    }
  };
  return {
    ca: authority.cert,
    leaf(kind) {
      const pair = known.get(kind) ?? of(kind);
      known.set(kind, pair);
      return pair;
    },
  };
}
