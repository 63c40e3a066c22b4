/** Makes the local authority's certificate and the certificates that it signs. */
import { X509Certificate, randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import 'reflect-metadata';
import { AsnConvert } from '@peculiar/asn1-schema';
import { GeneralName, GeneralSubtree, GeneralSubtrees, NameConstraints } from '@peculiar/asn1-x509';
import * as x509 from '@peculiar/x509';
import type { CertInfo } from '../../contract/event-router/local-router-status.ts';

/** A certificate with its key, both as PEM. */
export interface PemPair {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
const CA_DAYS = 365;
const LEAF_DAYS = 90;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const NAME_CONSTRAINTS = '2.5.29.30';

/** A new authority that can sign only for these host names and addresses. */
export async function makeAuthority(hosts: readonly string[], nowMs: number): Promise<PemPair> {
  const keys = await newKeys();
  const cert = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: serial(),
      name: `CN=Sidelight Local CA ${randomBytes(3).toString('hex')}`,
      ...validity(nowMs, CA_DAYS),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
        new x509.Extension(NAME_CONSTRAINTS, true, AsnConvert.serialize(permitted(hosts))),
      ],
    },
    webcrypto,
  );
  return { cert: cert.toString('pem'), key: await pemOf(keys.privateKey) };
}

export interface LeafRequest {
  readonly hosts: readonly string[];
  readonly nowMs: number;
  /** Days until it ends; negative: it has ended already. Default 90. */
  readonly days?: number;
}

/** A server certificate signed by the authority; without an authority it is self-signed. */
export async function makeLeaf(authority: PemPair | undefined, request: LeafRequest): Promise<PemPair> {
  const keys = await newKeys();
  const issuer = authority === undefined ? undefined : new x509.X509Certificate(authority.cert);
  const name = `CN=${request.hosts[0] ?? 'localhost'}`;
  const cert = await x509.X509CertificateGenerator.create(
    {
      serialNumber: serial(),
      subject: name,
      issuer: issuer?.subject ?? name,
      ...validity(request.nowMs, request.days ?? LEAF_DAYS),
      signingAlgorithm: ALGORITHM,
      publicKey: keys.publicKey,
      signingKey: authority === undefined ? keys.privateKey : await keyOf(authority.key),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth], false),
        new x509.SubjectAlternativeNameExtension(request.hosts.map(alternative), false),
        await x509.AuthorityKeyIdentifierExtension.create(
          issuer?.publicKey ?? keys.publicKey,
          false,
          webcrypto,
        ),
      ],
    },
    webcrypto,
  );
  return { cert: cert.toString('pem'), key: await pemOf(keys.privateKey) };
}

/** Facts about a certificate for display. */
export function describeCertificate(pem: string, nowMs: number, verdict: CertInfo['verdict']): CertInfo {
  const cert = new X509Certificate(pem);
  return {
    subject: cert.subject,
    issuer: cert.issuer,
    names: namesOf(cert),
    notBefore: cert.validFromDate.toISOString(),
    notAfter: cert.validToDate.toISOString(),
    daysLeft: Math.floor((cert.validToDate.getTime() - nowMs) / DAY_MS),
    fingerprint: cert.fingerprint256,
    verdict,
  };
}

/** Verdict of a client that trusts its issuer on a certificate that a person supplied. */
export function suppliedVerdict(pem: string, nowMs: number): CertInfo['verdict'] {
  const cert = new X509Certificate(pem);
  if (cert.ca || cert.verify(cert.publicKey)) return 'EVR-TLS-02';
  const over = cert.validToDate.getTime() < nowMs || cert.validFromDate.getTime() > nowMs;
  return over ? 'EVR-TLS-03' : 'ok';
}

/** Hosts and addresses of a certificate, without their kind. */
export function namesOf(cert: X509Certificate): string[] {
  const text = cert.subjectAltName ?? '';
  return text.split(', ').flatMap((entry) => {
    const name = /^(?:DNS|IP Address):(.+)$/.exec(entry)?.[1];
    return name === undefined ? [] : [name === '0:0:0:0:0:0:0:1' ? '::1' : name];
  });
}

/** Hosts and addresses for which an authority made here may sign. */
export function permittedNames(pem: string): Set<string> {
  const extension = new x509.X509Certificate(pem).getExtension(NAME_CONSTRAINTS);
  if (extension === null) return new Set();
  const { permittedSubtrees } = AsnConvert.parse(extension.value, NameConstraints);
  return new Set(
    [...(permittedSubtrees ?? [])].flatMap(({ base }) => {
      if (base.dNSName !== undefined) return [base.dNSName];
      const address = base.iPAddress?.replace(/\/.*$/, '');
      return address === undefined ? [] : [address];
    }),
  );
}

function permitted(hosts: readonly string[]): NameConstraints {
  const subtrees = hosts.map((host) => {
    const family = isIP(host);
    const base = family === 0 ? { dNSName: host } : { iPAddress: `${host}/${family === 4 ? '32' : '128'}` };
    return new GeneralSubtree({ base: new GeneralName(base) });
  });
  return new NameConstraints({ permittedSubtrees: new GeneralSubtrees(subtrees) });
}

function alternative(host: string): { type: 'dns' | 'ip'; value: string } {
  return { type: isIP(host) === 0 ? 'dns' : 'ip', value: host };
}

function validity(nowMs: number, days: number): { notBefore: Date; notAfter: Date } {
  const end = nowMs + days * DAY_MS;
  // The validity begins an hour earlier, so that a clock that is a little slow accepts it; earlier still if
  // it has ended already.
  return { notBefore: new Date(Math.min(nowMs - 3_600_000, end - DAY_MS)), notAfter: new Date(end) };
}

/** Serial number: 16 random bytes, the top bit clear and the first byte never zero. */
function serial(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

async function keyOf(pem: string): Promise<webcrypto.CryptoKey> {
  const [der] = x509.PemConverter.decode(pem);
  if (der === undefined) throw new Error('the key file holds no PEM block');
  return webcrypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
}
