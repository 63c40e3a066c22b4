/** Certificates: what is made, who is believed, what each failure is called (H20 to H22). */
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkAddress } from '../../core/local-router/outbound/addresses.ts';
import { createOutbound } from '../../core/local-router/outbound/outbound.ts';
import { makeAuthority, makeLeaf, permittedNames } from '../../core/local-router/trust/certificate-making.ts';
import type { PemPair } from '../../core/local-router/trust/certificate-making.ts';
import { Certificates } from '../../core/local-router/trust/certificates.ts';

const DAY_MS = 86_400_000;
const LOCAL = ['localhost', '127.0.0.1', '::1'];

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'sidelight-trust-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function serve(pair: PemPair | undefined): Promise<string> {
  const server = pair === undefined ? http.createServer() : https.createServer(pair);
  server.on('request', (_request, response: http.ServerResponse) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `https://localhost:${(server.address() as AddressInfo).port}/`;
}

async function ask(url: string, anchors: readonly string[]) {
  const outbound = createOutbound({ anchors, allowPublic: false });
  onTestFinished(() => outbound.close());
  const answer = await outbound.send({ method: 'POST', url, headers: {} }).answer;
  return answer.kind === 'response' ? answer.status : (answer.evr ?? answer.code);
}

describe('certificates that the router trusts', () => {
  test('H20, H21, H22 each wrong certificate has its code', async () => {
    const now = Date.now();
    const ca = await makeAuthority(LOCAL, now);
    const other = await makeAuthority(LOCAL, now);
    const wish = { hosts: LOCAL, nowMs: now };
    const selfSigned = await makeLeaf(undefined, wish);
    const cases: readonly (readonly [string, PemPair | undefined, readonly string[], unknown])[] = [
      ['right', await makeLeaf(ca, wish), [ca.cert], 200],
      ['self-signed', selfSigned, [ca.cert], 'EVR-TLS-02'],
      ['self-signed and trusted', selfSigned, [ca.cert, selfSigned.cert], 'EVR-TLS-02'],
      ['an authority as a leaf', ca, [ca.cert], 'EVR-TLS-02'],
      ['expired', await makeLeaf(ca, { ...wish, days: -1 }), [ca.cert], 'EVR-TLS-03'],
      ['wrong host', await makeLeaf(ca, { ...wish, hosts: ['other.localhost'] }), [ca.cert], 'EVR-TLS-04'],
      ['unknown issuer', await makeLeaf(other, wish), [ca.cert], 'EVR-TLS-01'],
      ['plain http', undefined, [ca.cert], 'EVR-TLS-05'],
    ];
    for (const [name, pair, anchors, expected] of cases) {
      expect([name, await ask(await serve(pair), anchors)]).toEqual([name, expected]);
    }
    expect(await ask('https://localhost:1/', [ca.cert])).toBe('EVR-NET-10');
  });

  test('an authority signs for its own hosts alone', async () => {
    const ca = await makeAuthority(LOCAL, Date.now());
    expect(permittedNames(ca.cert)).toEqual(new Set(LOCAL));
    const outside = await makeLeaf(ca, { hosts: ['localhost', 'bank.example'], nowMs: Date.now() });
    expect(await ask(await serve(outside), [ca.cert])).not.toBe(200);
  });

  test('link-local, multicast and unspecified addresses are never called, public ones when allowed', () => {
    const refused = (address: string, allowPublic: boolean): boolean => {
      try {
        checkAddress('host', address, allowPublic);
        return false;
      } catch (error) {
        return error instanceof Error && error.name === 'AddressRefused';
      }
    };
    for (const address of [
      '169.254.169.254',
      '::ffff:169.254.169.254',
      'fe80::1',
      '224.0.0.1',
      '0.0.0.0',
      '::',
      'ff02::1',
    ]) {
      expect([address, refused(address, true)]).toEqual([address, true]);
    }
    for (const address of ['127.0.0.1', '::1', '10.1.2.3', '172.16.0.1', '192.168.0.9', 'fd00::1']) {
      expect([address, refused(address, false)]).toEqual([address, false]);
    }
    for (const address of ['8.8.8.8', '2001:4860:4860::8888']) {
      expect([refused(address, false), refused(address, true)]).toEqual([true, false]);
    }
  });

  test('a URL with a forbidden address is refused before a connection', async () => {
    expect(await ask('https://169.254.169.254/latest/', [])).toBe('ADDRESS_REFUSED');
    expect(await ask('https://8.8.8.8/', [])).toBe('ADDRESS_REFUSED');
  });
});

describe('created certificates', () => {
  test('authority and leaf have the shapes of 7.1 and 7.2', async () => {
    const certificates = await Certificates.open({ hosts: ['dev.internal'], now: Date.now });
    const ca = new X509Certificate(certificates.caPem);
    const leaf = new X509Certificate(certificates.leaf.cert);
    expect(ca.subject).toMatch(/^CN=Sidelight Local CA [0-9a-f]{6}$/);
    expect([ca.ca, leaf.ca]).toEqual([true, false]);
    expect(leaf.checkIssued(ca)).toBe(true);
    expect(leaf.verify(ca.publicKey)).toBe(true);
    expect(leaf.checkHost('dev.internal')).toBe('dev.internal');
    expect(leaf.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(Number.parseInt(leaf.serialNumber.slice(0, 2), 16)).toBeLessThan(0x80);
    expect(leaf.serialNumber).toHaveLength(32);
    expect((ca.validToDate.getTime() - Date.now()) / DAY_MS).toBeLessThanOrEqual(365);
  });

  test.skipIf(process.platform === 'win32')(
    'the ways to trust hold for a folder with a blank and a quote in its path',
    async () => {
      const made = path.join(folder(), "Application Support's");
      mkdirSync(made, { mode: 0o700 });
      const certificates = await Certificates.open({ folder: made, hosts: [], now: Date.now });
      const { caFile = '', hints } = certificates.status();
      for (const { text } of hints) {
        const at = text.indexOf("'");
        expect(execFileSync('sh', ['-c', `printf %s ${text.slice(at)}`], { encoding: 'utf8' })).toBe(caFile);
      }
    },
  );

  test('keys are kept for their owner alone, and come back', async () => {
    const data = folder();
    chmodSync(data, 0o700);
    const first = await Certificates.open({ folder: data, hosts: [], now: Date.now });
    for (const file of readdirSync(data)) expect(statSync(path.join(data, file)).mode & 0o077).toBe(0);
    const second = await Certificates.open({ folder: data, hosts: [], now: Date.now });
    expect(second.caPem).toBe(first.caPem);
    expect(second.leaf.cert).toBe(first.leaf.cert);
    expect(readFileSync(first.caFile ?? '', 'utf8')).toBe(first.caPem);
  });

  test.skipIf(process.platform === 'win32')('a key that others can read stops the start', async () => {
    const data = folder();
    chmodSync(data, 0o700);
    await Certificates.open({ folder: data, hosts: [], now: Date.now });
    chmodSync(path.join(data, 'ca.key'), 0o644);
    await expect(Certificates.open({ folder: data, hosts: [], now: Date.now })).rejects.toMatchObject({
      code: 'EVR-SEC-01',
    });
  });

  test('F03 a leaf with fewer than 30 days left, or without a host, is made again', async () => {
    let nowMs = Date.now();
    const certificates = await Certificates.open({ hosts: ['dev.internal'], now: () => nowMs });
    const { cert } = certificates.leaf;
    nowMs += 59 * DAY_MS;
    expect(await certificates.renewIfNeeded()).toBe(false);
    nowMs += 2 * DAY_MS;
    expect(await certificates.renewIfNeeded()).toBe(true);
    expect(certificates.leaf.cert).not.toBe(cert);
    expect(await certificates.ensureHost('localhost')).toBe(true);
    expect(await certificates.ensureHost('new.internal')).toBe(false);
    await certificates.rotateCa();
    expect(await certificates.ensureHost('new.internal')).toBe(true);
    expect(new X509Certificate(certificates.leaf.cert).checkHost('new.internal')).toBe('new.internal');
  });

  test('an authority near its end is replaced together with its leaf', async () => {
    let nowMs = Date.now();
    const certificates = await Certificates.open({ hosts: [], now: () => nowMs });
    const before = certificates.caPem;
    nowMs += 334 * DAY_MS;
    await certificates.renewIfNeeded();
    expect(certificates.caPem).toBe(before);
    nowMs += 3 * DAY_MS;
    expect(await certificates.renewIfNeeded()).toBe(true);
    expect(certificates.caPem).not.toBe(before);
    const issuer = new X509Certificate(certificates.caPem);
    expect(new X509Certificate(certificates.leaf.cert).checkIssued(issuer)).toBe(true);
  });

  test('every language has instructions how to trust the authority', async () => {
    const certificates = await Certificates.open({ hosts: [], now: Date.now });
    const { hints } = certificates.status();
    expect(hints.map(({ text }) => text.split(/[= ]/)[0])).toEqual([
      'NODE_EXTRA_CA_CERTS',
      'SSL_CERT_FILE',
      'REQUESTS_CA_BUNDLE',
      'curl',
    ]);
  });
});
