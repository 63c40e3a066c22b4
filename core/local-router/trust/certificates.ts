/**
 * The router's certificates: authority and server certificate, made at first use, stored in the private
 * folder, renewed and rotated.
 */
import { X509Certificate } from 'node:crypto';
import path from 'node:path';
import type { EvrCode } from '../../contract/event-router/wire.ts';
import type {
  CertificateStatus,
  CertInfo,
  IngressFault,
} from '../../contract/event-router/local-router-status.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import {
  describeCertificate,
  makeAuthority,
  makeLeaf,
  namesOf,
  permittedNames,
} from './certificate-making.ts';
import type { PemPair } from './certificate-making.ts';
import { readPrivate, writePrivate } from '../store/private-folder.ts';

const ALWAYS = ['localhost', '127.0.0.1', '::1'];
const DAY_MS = 86_400_000;
const RENEW_AT_DAYS = 30;

export interface CertificateOptions {
  /** Folder of the certificates; absent: they are in memory only. */
  readonly folder?: string;
  /** Further hosts of subscriber endpoints. */
  readonly hosts: readonly string[];
  readonly now: () => number;
}

/** Authority and server certificate. `onChange` is called after either was replaced. */
export class Certificates {
  readonly #options: CertificateOptions;
  readonly #hosts: Set<string>;
  readonly #listeners = new Set<() => void>();
  #ca: PemPair;
  #leaf: PemPair;

  private constructor(options: CertificateOptions, ca: PemPair, leaf: PemPair) {
    this.#options = options;
    this.#hosts = new Set([...ALWAYS, ...options.hosts]);
    this.#ca = ca;
    this.#leaf = leaf;
  }

  /** Reads the stored certificates, or makes them. Throws RouterError EVR-SEC-01 if others can read a key. */
  static async open(options: CertificateOptions): Promise<Certificates> {
    const hosts = [...new Set([...ALWAYS, ...options.hosts])];
    const keptCa = readPair(options.folder, 'ca');
    const usable = keptCa !== undefined && daysLeft(keptCa.cert, options.now()) > RENEW_AT_DAYS;
    const ca = usable ? keptCa : await makeAuthority(hosts, options.now());
    const keptLeaf = usable ? readPair(options.folder, 'leaf') : undefined;
    const leaf = keptLeaf ?? (await makeLeaf(ca, { hosts, nowMs: options.now() }));
    const made = new Certificates(options, ca, leaf);
    if (!usable) made.#keep('ca', ca);
    if (keptLeaf === undefined) made.#keep('leaf', leaf);
    await made.renewIfNeeded();
    return made;
  }

  get caPem(): string {
    return this.#ca.cert;
  }

  /** File of the authority's certificate; undefined: it is not stored. */
  get caFile(): string | undefined {
    return this.#options.folder === undefined ? undefined : path.join(this.#options.folder, 'ca.pem');
  }

  /** The certificate that servers show. */
  get leaf(): PemPair {
    return this.#leaf;
  }

  /** Adds a host to the certificate. False: the authority may not sign for it, see `rotateCa`. */
  async ensureHost(host: string): Promise<boolean> {
    this.#hosts.add(host);
    await this.renewIfNeeded();
    return this.#maySign(host);
  }

  /**
   * Makes a new certificate if a host is missing or fewer than 30 days are left; also a new authority if that
   * ends soon.
   */
  async renewIfNeeded(): Promise<boolean> {
    if (daysLeft(this.#ca.cert, this.#options.now()) < RENEW_AT_DAYS) {
      await this.rotateCa();
      return true;
    }
    const names = namesOf(new X509Certificate(this.#leaf.cert));
    const wanted = [...this.#hosts].filter((host) => this.#maySign(host));
    const fresh = daysLeft(this.#leaf.cert, this.#options.now()) >= RENEW_AT_DAYS;
    if (fresh && wanted.every((host) => names.includes(host))) return false;
    await this.renewLeaf();
    return true;
  }

  async renewLeaf(): Promise<CertInfo> {
    const hosts = [...this.#hosts].filter((host) => this.#maySign(host));
    this.#leaf = await makeLeaf(this.#ca, { hosts, nowMs: this.#options.now() });
    this.#keep('leaf', this.#leaf);
    this.#notify();
    return this.status().leaf;
  }

  /**
   * Makes a new authority for all known hosts, and a certificate signed by it. Clients have to trust it
   * again.
   */
  async rotateCa(): Promise<CertInfo> {
    this.#ca = await makeAuthority([...this.#hosts], this.#options.now());
    this.#keep('ca', this.#ca);
    await this.renewLeaf();
    return this.status().ca;
  }

  /** The certificate that a fault of the ingress shows; undefined: this fault shows the right one. */
  async faulty(fault: IngressFault): Promise<PemPair | undefined> {
    const request = { hosts: [...this.#hosts], nowMs: this.#options.now() };
    switch (fault) {
      case 'self-signed':
        return makeLeaf(undefined, request);
      case 'expired':
        return makeLeaf(this.#ca, { ...request, days: -1 });
      case 'wrong-host':
        return makeLeaf(this.#ca, { ...request, hosts: ['wrong.localhost'] });
      case 'none':
      case '503':
      case 'pause':
        return undefined;
    }
  }

  status(): CertificateStatus {
    const now = this.#options.now();
    const file = this.caFile;
    return {
      ca: describeCertificate(this.#ca.cert, now, verdictOf(this.#ca.cert, now)),
      ...withoutUndefined({ caFile: file }),
      leaf: describeCertificate(this.#leaf.cert, now, verdictOf(this.#leaf.cert, now)),
      hints: hints(file ?? 'sidelight-ca.pem'),
    };
  }

  onChange(take: () => void): () => void {
    this.#listeners.add(take);
    return () => this.#listeners.delete(take);
  }

  #notify(): void {
    for (const take of this.#listeners) take();
  }

  /** Whether the name constraints of the authority include the host. */
  #maySign(host: string): boolean {
    return permittedNames(this.#ca.cert).has(host);
  }

  #keep(name: 'ca' | 'leaf', pair: PemPair): void {
    const { folder } = this.#options;
    if (folder === undefined) return;
    writePrivate(path.join(folder, `${name}.key`), pair.key);
    writePrivate(path.join(folder, `${name}.pem`), pair.cert);
  }
}

function verdictOf(pem: string, nowMs: number): 'ok' | EvrCode {
  const cert = new X509Certificate(pem);
  return cert.validToDate.getTime() < nowMs || cert.validFromDate.getTime() > nowMs ? 'EVR-TLS-03' : 'ok';
}

function daysLeft(pem: string, nowMs: number): number {
  return (new X509Certificate(pem).validToDate.getTime() - nowMs) / DAY_MS;
}

function readPair(folder: string | undefined, name: string): PemPair | undefined {
  if (folder === undefined) return undefined;
  const key = readPrivate(path.join(folder, `${name}.key`));
  const cert = readPrivate(path.join(folder, `${name}.pem`));
  return key === undefined || cert === undefined ? undefined : { key, cert };
}

/** Instructions by which each runtime trusts the authority. On macOS the data folder has a blank in its path. */
function hints(file: string): CertificateStatus['hints'] {
  const word = /^[\w@%+=:,./\\-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`;
  return [
    { runtime: 'Node.js', text: `NODE_EXTRA_CA_CERTS=${word}` },
    { runtime: 'OpenSSL, Go, Ruby', text: `SSL_CERT_FILE=${word}` },
    { runtime: 'Python requests', text: `REQUESTS_CA_BUNDLE=${word}` },
    { runtime: 'curl', text: `curl --cacert ${word}` },
  ];
}
