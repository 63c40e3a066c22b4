/** Trouble before being ready: repeated calls, waits for a person, reports. */
import { createServer as plainServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { leaves } from './certificates.ts';
import { freePort } from '../support/free-port.ts';
import { SCOPE, passes, rig } from './rig.ts';
import type { Rig } from './rig.ts';

const puts = (it: Rig): number => it.router.count('PUT', '/eventSubscriptions/');

test('S11: a taken port is tried again until it is free, and nothing is put before', async () => {
  const it = await rig();
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(it.port, '127.0.0.1', resolve));
  const binding = await it.listening();
  await passes(it.clock, () => it.step(binding, 'listening').attempts >= 2);
  expect(it.step(binding, 'listening')).toMatchObject({ code: 'EVR-NET-01' });
  expect(puts(it)).toBe(0);
  await new Promise<void>((resolve) => squatter.close(() => resolve()));
  const freedAt = it.clock.now();
  await it.reaches(binding, 'ready');
  expect(it.clock.now() - freedAt).toBeLessThanOrEqual(10_000);
});

test('S13: an ingress that answers 503 is reported, and the router finds out after a minute', async () => {
  const it = await rig();
  it.ingress.answers = 503;
  const binding = await it.listening();
  await passes(it.clock, () => it.step(binding, 'self-probing').result === 'retrying');
  expect(it.step(binding, 'self-probing')).toMatchObject({ code: 'EVR-ING-03' });
  expect(it.step(binding, 'self-probing').message).toContain('malfunctioning');
  expect(binding.report().input?.handshakes[0]).toMatchObject({
    by: 'self-probe',
    origin: 'self-probe',
    status: 503,
    consent: 'no',
    code: 'EVR-ING-03',
  });
  await it.reaches(binding, 'ready');
  expect(it.step(binding, 'self-probing').message).toContain('the router will find out');
});

test.each([
  ['self-signed', 'EVR-TLS-02'],
  ['expired', 'EVR-TLS-03'],
  ['wrong-host', 'EVR-TLS-04'],
  ['unknown-issuer', 'EVR-TLS-01'],
] as const)('H20, H22: a certificate that is %s: %s', async (kind, code) => {
  const it = await rig();
  await it.ingress.use(kind);
  const binding = await it.listening();
  await passes(it.clock, () => it.step(binding, 'self-probing').result === 'retrying');
  expect(it.step(binding, 'self-probing').code).toBe(code);
  await it.ingress.use('good');
  await it.reaches(binding, 'ready');
});

test('H21: a self-signed certificate is refused even when it is among the trusted ones', async () => {
  const it = await rig();
  const { cert } = await (await leaves()).leaf('self-signed');
  it.extraAnchors = [cert];
  await it.ingress.use('self-signed');
  const binding = await it.listening();
  await passes(it.clock, () => it.step(binding, 'self-probing').result === 'retrying');
  expect(it.step(binding, 'self-probing').code).toBe('EVR-TLS-02');
});

test('H22: an ingress that speaks plain HTTP is reported as EVR-TLS-05', async () => {
  const it = await rig();
  const server = plainServer((_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  it.metadata['subscriberEndpoint'] =
    `https://localhost:${(server.address() as AddressInfo).port}/api/events`;
  const binding = await it.listening();
  await passes(it.clock, () => it.step(binding, 'self-probing').result === 'retrying');
  expect(it.step(binding, 'self-probing').code).toBe('EVR-TLS-05');
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

test('S14: a wrong secret is not tried again, and the right one and a new start make the component ready', async () => {
  const it = await rig();
  it.metadata['cloudClientSecret'] = 'wrong';
  const binding = await it.listening();
  await it.reaches(binding, 'failed');
  expect(it.step(binding, 'acquiring-token')).toMatchObject({ result: 'failed', code: 'EVR-ID-10' });
  expect(it.step(binding, 'acquiring-token').message).toContain('7000215');
  const before = it.router.count('POST', '/token');
  it.clock.advance(3_600_000);
  expect(it.router.count('POST', '/token')).toBe(before);
  await binding.close();
  it.metadata['cloudClientSecret'] = it.router.secret;
  await it.reaches(await it.listening(), 'ready');
});

test('S14: a person can repeat the start', async () => {
  const it = await rig();
  it.router.secret = 'another';
  const binding = await it.listening();
  await it.reaches(binding, 'failed');
  it.router.secret = it.metadata['cloudClientSecret'] ?? '';
  expect(binding.input?.retry()).toBe(true);
  await it.reaches(binding, 'ready');
});

test('S15: an identity service that does not answer is asked again, later each time', async () => {
  const it = await rig();
  await it.router.stop();
  const binding = await it.listening();
  await passes(it.clock, () => it.step(binding, 'resolving-identity').attempts >= 3);
  expect(it.step(binding, 'resolving-identity')).toMatchObject({ code: 'EVR-NET-10' });
  await it.router.start();
  await it.reaches(binding, 'ready');
});

test('S16: a missing role is reported with role and scope, and waits for a person', async () => {
  const it = await rig();
  const message = `The client '${it.metadata['cloudClientId'] ?? ''}' does not have authorization to perform action 'Cloud.EventRouter/eventSubscriptions/read' over scope '${SCOPE}'`;
  it.router.script('GET /eventSubscriptions/', {
    status: 403,
    body: { error: { code: 'AuthorizationFailed', message } },
  });
  const binding = await it.listening();
  await it.reaches(binding, 'failed');
  expect(it.step(binding, 'reconciling')).toMatchObject({ code: 'EVR-MGT-03' });
  expect(it.step(binding, 'reconciling').message).toContain(SCOPE);
  binding.input?.retry();
  await it.reaches(binding, 'ready');
});

test('S17: a provider that is not registered is a conflict, and the step is tried again', async () => {
  const it = await rig();
  it.router.script('PUT /eventSubscriptions/', {
    status: 409,
    body: { error: { code: 'MissingSubscriptionRegistration', message: 'Not registered.' } },
  });
  const binding = await it.listening();
  await passes(it.clock, () => it.step(binding, 'reconciling').result === 'retrying');
  expect(it.step(binding, 'reconciling')).toMatchObject({ code: 'EVR-MGT-05' });
  expect(it.step(binding, 'reconciling').message).toContain('MissingSubscriptionRegistration');
  await it.reaches(binding, 'ready');
});

test('S18: the subscription is created after two answers of 500 and one of 404', async () => {
  const it = await rig();
  it.router.script('GET /eventSubscriptions/', { status: 500 }, { status: 500 });
  const binding = await it.listening();
  await it.reaches(binding, 'ready');
  expect(it.step(binding, 'reconciling').attempts).toBe(3);
  expect(puts(it)).toBe(1);
});

test('S19: the step waits for the time of Retry-After', async () => {
  const it = await rig();
  it.router.script('PUT /eventSubscriptions/', { status: 429, headers: { 'retry-after': '3' } });
  const binding = await it.listening();
  await passes(it.clock, () => it.step(binding, 'reconciling').result === 'retrying');
  const { nextAttemptAt = '', endedAt = '' } = it.step(binding, 'reconciling');
  expect(Date.parse(nextAttemptAt) - Date.parse(endedAt)).toBeGreaterThanOrEqual(3000);
  await it.reaches(binding, 'ready');
});

test('S20: a failed operation is shown in its own words, and can be repeated', async () => {
  const it = await rig();
  it.router.operation = {
    status: 'Failed',
    error: { code: 'Url validation', message: 'Webhook validation handshake failed for https://x.' },
  };
  const binding = await it.listening();
  await passes(it.clock, () => it.step(binding, 'reconciling').result === 'retrying');
  expect(it.step(binding, 'reconciling')).toMatchObject({
    code: 'EVR-MGT-08',
    message: 'Url validation: Webhook validation handshake failed for https://x.',
  });
  it.router.operation = { status: 'Succeeded' };
  binding.input?.retry();
  await it.reaches(binding, 'ready');
});

test('S21: a failing component does not keep another one from being ready', async () => {
  const it = await rig();
  const good = { ...it.metadata };
  it.metadata = { ...good, cloudClientSecret: 'wrong', handshakePort: String(await freePort()) };
  const bad = await it.listening('bad');
  it.metadata = good;
  const fine = await it.listening('good');
  await it.reaches(fine, 'ready');
  await it.reaches(bad, 'failed');
  expect(fine.report().input?.state).toBe('ready');
});

test('S22: a component that ends during its start leaves nothing running', async () => {
  const it = await rig();
  const binding = await it.component();
  let onTheWay: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (onTheWay = resolve));
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  it.router.onPut = () => {
    onTheWay();
    return held;
  };
  await binding.listen(async () => ({ accepted: true }));
  await passes(it.clock, () => it.step(binding, 'reconciling').result === 'running');
  await reached;
  await binding.close();
  goOn();
  expect(binding.report().input?.state).toBe('stopped');
  await it.reaches(await it.listening(), 'ready');
});

test('a management token that is refused once is replaced by a fresh one', async () => {
  const it = await rig();
  it.router.script('GET /eventSubscriptions/', { status: 401 });
  const binding = await it.listening();
  await it.reaches(binding, 'ready');
  expect(it.router.count('POST', '/token')).toBe(2);
  expect(it.step(binding, 'reconciling').attempts).toBe(1);
});

test('addresses of another origin are refused', async () => {
  const it = await rig();
  it.router.script('GET /.well-known/', {
    status: 200,
    body: {
      issuer: 'https://x/',
      token_endpoint: 'https://evil.example/token',
      jwks_uri: `${it.router.url}/k`,
    },
  });
  const binding = await it.listening();
  await passes(it.clock, () => it.step(binding, 'resolving-identity').result === 'retrying');
  expect(it.step(binding, 'resolving-identity')).toMatchObject({ code: 'EVR-ID-04' });
});

test('missing published keys are reported as EVR-ID-02', async () => {
  const it = await rig();
  it.router.script('GET /discovery/', { status: 200, body: { keys: [] } });
  const binding = await it.listening();
  await passes(it.clock, () => it.step(binding, 'resolving-identity').result === 'retrying');
  expect(it.step(binding, 'resolving-identity')).toMatchObject({ code: 'EVR-ID-02' });
});

test('a component is ready without a restart if the router stops during its handshake and comes back', async () => {
  const it = await rig();
  let isFirst = true;
  it.router.onPut = async () => {
    if (!isFirst) return;
    isFirst = false;
    await it.send({ method: 'OPTIONS', headers: { 'webhook-request-origin': 'eventrouter.localhost' } });
    void it.router.stop();
  };
  const binding = await it.listening();
  await passes(it.clock, () => it.step(binding, 'reconciling').result === 'retrying');
  expect(it.step(binding, 'reconciling').code).toMatch(/^EVR-(?:NET-10|MGT-07)$/);
  expect(binding.report().input?.handshakes[0]).toMatchObject({ by: 'router', consent: 'yes' });
  await it.router.start();
  await it.reaches(binding, 'ready');
});
