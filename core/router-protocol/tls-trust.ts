/**
 * Trust of the event router's TLS clients: anchors, the refusal of self-signed certificates, and the code of
 * each failure.
 */
import { X509Certificate, createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checkServerIdentity, createSecureContext, rootCertificates } from 'node:tls';
import type { PeerCertificate, SecureContext } from 'node:tls';
import type { EvrCode } from '../contract/event-router/wire.ts';

/** Error for a server certificate that is self-signed or may sign others, trusted or not. */
class SelfSignedLeafError extends Error {
  readonly code = 'SELF_SIGNED_LEAF';
  constructor(host: string) {
    super(
      `the certificate of ${host} is self-signed or belongs to an authority; it is refused even if it is trusted`,
    );
    this.name = 'SelfSignedLeafError';
  }
}

const CODES: Readonly<Record<string, EvrCode>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'EVR-TLS-01',
  UNABLE_TO_GET_ISSUER_CERT: 'EVR-TLS-01',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'EVR-TLS-01',
  SELF_SIGNED_CERT_IN_CHAIN: 'EVR-TLS-01',
  CERT_SIGNATURE_FAILURE: 'EVR-TLS-01',
  CERT_UNTRUSTED: 'EVR-TLS-01',
  INVALID_CA: 'EVR-TLS-01',
  PERMITTED_SUBTREE_VIOLATION: 'EVR-TLS-04',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'EVR-TLS-02',
  // An authority's certificate was shown as a server certificate.
  INVALID_PURPOSE: 'EVR-TLS-02',
  SELF_SIGNED_LEAF: 'EVR-TLS-02',
  CERT_HAS_EXPIRED: 'EVR-TLS-03',
  CERT_NOT_YET_VALID: 'EVR-TLS-03',
  ERR_TLS_CERT_ALTNAME_INVALID: 'EVR-TLS-04',
  ERR_SSL_WRONG_VERSION_NUMBER: 'EVR-TLS-05',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'EVR-TLS-05',
  ERR_SSL_RECORD_LAYER_FAILURE: 'EVR-TLS-05',
  ECONNREFUSED: 'EVR-NET-10',
  ENOTFOUND: 'EVR-NET-11',
  EAI_AGAIN: 'EVR-NET-11',
};

/** The code of a failed connection, from the chain of causes; undefined: none of them has one. */
export function connectionCode(error: unknown): EvrCode | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    const code = 'code' in at && typeof at.code === 'string' ? CODES[at.code] : undefined;
    if (code !== undefined) return code;
    if (at instanceof AggregateError && at.errors.length > 0) return connectionCode(at.errors[0]);
  }
  return undefined;
}

/** The library's message about a failed connection, without its advice on running a program. */
export function plainTrouble(message: string): string {
  return message.replace(/; if the root CA is installed locally.*$/s, '');
}

/** Anchors as PEM texts. Throws if a file cannot be read, because a requested trust must not be left out. */
export function anchorsOf(trust: {
  readonly local?: string;
  readonly extraCaFiles: readonly string[];
  readonly trustSystemRoots: boolean;
}): string[] {
  return [
    ...(trust.local === undefined ? [] : [trust.local]),
    ...trust.extraCaFiles.map((file) => readFileSync(file, 'utf8')),
    ...(trust.trustSystemRoots ? rootCertificates : []),
  ];
}

/**
 * Checks a connection's certificate beyond its chain: the host as usual, then that it is a server certificate.
 * @returns an error when the peer is refused, undefined when it is accepted (as `tls.checkServerIdentity`)
 */
function checkLeaf(host: string, certificate: PeerCertificate): Error | undefined {
  const wrongHost = checkServerIdentity(host, certificate);
  if (wrongHost !== undefined) return wrongHost;
  const leaf = new X509Certificate(certificate.raw);
  // `checkIssued` alone misses a self-signed certificate whose key usage lacks certificate signing, so the
  // signature is checked too.
  const ownSignature = leaf.checkIssued(leaf) || leaf.verify(leaf.publicKey);
  return leaf.ca || ownSignature ? new SelfSignedLeafError(host) : undefined;
}

/**
 * TLS contexts by anchors. Reading the system's roots takes tens of milliseconds, so connections with the
 * same anchors share the result.
 */
const CONTEXTS = new Map<string, SecureContext>();
const MAX_CONTEXTS = 8;

/**
 * Members for the `connect` option of an HTTP client. Sessions are never resumed, because a resumed one is not verified again.
 * @param anchors PEM texts, see `anchorsOf`
 */
export function trustedConnect(anchors: readonly string[]): {
  readonly secureContext: SecureContext;
  readonly checkServerIdentity: typeof checkLeaf;
  readonly maxCachedSessions: 0;
} {
  const key = createHash('sha256').update(anchors.join('\n')).digest('base64');
  const secureContext = CONTEXTS.get(key) ?? createSecureContext({ ca: [...anchors], minVersion: 'TLSv1.2' });
  if (!CONTEXTS.has(key) && CONTEXTS.size >= MAX_CONTEXTS) CONTEXTS.clear();
  CONTEXTS.set(key, secureContext);
  return { secureContext, checkServerIdentity: checkLeaf, maxCachedSessions: 0 };
}
