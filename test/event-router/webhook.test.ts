/** The webhook: handshakes, refusals in order, and the router's answer for each answer of the app (H01 to H09, H23). */
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serveWebhook } from '../../core/event-router/webhook/webhook-server.ts';
import { forbidPort } from '../support/forbidden-port.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { rig } from './rig.ts';
import type { Rig } from './rig.ts';
import type { EventRouterBinding } from '../../core/event-router/binding/binding.ts';

const ORIGIN = { 'webhook-request-origin': 'eventrouter.localhost' };
const EVENT = '{"specversion":"1.0","id":"e1","source":"s","type":"t.x","subject":"sub","data":{"a":1}}';

async function ready(): Promise<{ it: Rig; binding: EventRouterBinding }> {
  const it = await rig();
  const binding = await it.listening();
  await it.reaches(binding, 'ready');
  return { it, binding };
}

test('H01: a handshake without a token gets consent for the origin it names', async () => {
  const { it, binding } = await ready();
  const answer = await it.send({
    method: 'OPTIONS',
    headers: {
      ...ORIGIN,
      'webhook-request-rate': '120',
      'webhook-request-callback': 'https://r/v?token=secret',
    },
  });
  expect(answer).toMatchObject({ status: 200, text: '' });
  expect(answer.headers).toMatchObject({
    'webhook-allowed-origin': 'eventrouter.localhost',
    'webhook-allowed-rate': '*',
    allow: 'POST, OPTIONS',
  });
  expect(binding.report().input?.handshakes[0]).toMatchObject({
    by: 'router',
    origin: 'eventrouter.localhost',
    token: 'absent',
    status: 200,
    consent: 'yes',
    requestedRate: '120',
    callback: 'https://r/v',
  });
});

test('H02, H03: a handshake with a good token gets consent, and one with a bad token is refused', async () => {
  const { it, binding } = await ready();
  const good = await it.send({ method: 'OPTIONS', headers: ORIGIN, token: await it.router.token() });
  expect(good.status).toBe(200);
  expect(binding.report().input?.handshakes[0]).toMatchObject({ token: 'verified', consent: 'yes' });
  const bad = await it.send({
    method: 'OPTIONS',
    headers: ORIGIN,
    token: await it.router.token({ aud: 'x' }),
  });
  expect(bad).toMatchObject({ status: 401, text: '401 Unauthorized' });
  expect(bad.headers['webhook-allowed-origin']).toBeUndefined();
  expect(binding.report().input?.handshakes[0]).toMatchObject({
    token: 'refused',
    status: 401,
    consent: 'no',
  });
});

test('H04: a handshake without a token is refused if one is required, and a bad token is accepted if tokens are not checked', async () => {
  const { it } = await ready();
  it.rules = { ...it.rules, handshakeAuth: 'required' };
  expect((await it.send({ method: 'OPTIONS', headers: ORIGIN })).status).toBe(401);
  it.rules = { ...it.rules, handshakeAuth: 'none' };
  const token = await it.router.token({ aud: 'x' });
  expect((await it.send({ method: 'OPTIONS', headers: ORIGIN, token })).status).toBe(200);
});

test('H05: a handshake without an origin gets no consent', async () => {
  const { it } = await ready();
  const { status, headers } = await it.send({ method: 'OPTIONS' });
  expect(status).toBe(200);
  expect(headers['webhook-allowed-origin']).toBeUndefined();
  expect(headers['webhook-allowed-rate']).toBeUndefined();
  expect(headers.allow).toBe('POST, OPTIONS');
});

test('an origin that is not allowed gets no consent, and neither does any after consent was withdrawn', async () => {
  const { it, binding } = await ready();
  it.rules = { ...it.rules, allowedOrigins: ['eventgrid.azure.net'] };
  const other = await it.send({ method: 'OPTIONS', headers: ORIGIN });
  expect([other.status, other.headers['webhook-allowed-origin']]).toEqual([200, undefined]);
  it.rules = { ...it.rules, allowedOrigins: ['EventRouter.localhost'] };
  const same = await it.send({ method: 'OPTIONS', headers: ORIGIN });
  expect(same.headers['webhook-allowed-origin']).toBe('eventrouter.localhost');
  if (binding.input !== undefined) binding.input.consents = false;
  const late = await it.send({ method: 'OPTIONS', headers: ORIGIN });
  expect([late.status, late.headers['webhook-allowed-origin']]).toEqual([200, undefined]);
});

test.each([
  ['H06', 'OPTIONS', '/other', 404, '404 Not found'],
  ['H07', 'GET', '/api/events', 405, '405 Method Not Allowed'],
  ['H07', 'PUT', '/anywhere', 405, '405 Method Not Allowed'],
  ['H07', 'DELETE', '/api/events', 405, '405 Method Not Allowed'],
  ['H08', 'POST', '/api/Events', 404, '404 Not found'],
  ['H08', 'OPTIONS', '/api/events/', 404, '404 Not found'],
] as const)('%s: %s %s is answered %i', async (_id, method, path, status, text) => {
  const { it, binding } = await ready();
  expect(await it.send({ method, path, token: await it.router.token() })).toMatchObject({ status, text });
  expect(binding.report().input?.received[0]).toMatchObject({ method, status });
  expect(it.lines.some((line) => line.text.includes(`got ${status}`))).toBe(true);
  expect(it.events).toEqual([]);
});

test('H09: a query in the path of a handshake is ignored', async () => {
  const { it } = await ready();
  expect((await it.send({ method: 'OPTIONS', path: '/api/events?x=1', headers: ORIGIN })).status).toBe(200);
});

test('H23: our own probe and a real handshake are two rows', async () => {
  const { it, binding } = await ready();
  await it.send({ method: 'OPTIONS', headers: ORIGIN });
  const rows = binding.report().input?.handshakes.map(({ by, origin }) => `${by} ${origin ?? ''}`);
  expect(rows).toEqual(['router eventrouter.localhost', 'self-probe self-probe']);
});

test('J01: an event with a good token reaches the app byte for byte', async () => {
  const { it, binding } = await ready();
  const headers = {
    'aeg-subscription-name': 'ORDERSIN',
    'aeg-delivery-count': '2',
    traceparent: '00-1-2-01',
  };
  const answer = await it.send({ token: await it.router.token(), body: EVENT, headers });
  expect(answer).toMatchObject({ status: 200, text: '' });
  const [event] = it.events;
  expect(Buffer.from(event?.data ?? '').toString()).toBe(EVENT);
  expect(event?.about).toEqual({ eventId: 'e1', eventType: 't.x', subject: 'sub' });
  expect(event?.headers).toEqual({ traceparent: '00-1-2-01' });
  expect(event?.metadata).toMatchObject({ 'aeg-subscription-name': 'ORDERSIN' });
  expect(JSON.stringify(event?.metadata)).not.toContain('Bearer');
  expect(binding.report().input?.received[0]).toMatchObject({
    status: 200,
    messageId: 'msg_1',
    eventIds: ['e1'],
    deliveryCount: 2,
  });
});

test('a batch is one event for the app, and forwardRouterHeaders passes the aeg headers', async () => {
  const { it, binding } = await ready();
  it.rules = { ...it.rules, forwardRouterHeaders: true };
  const body = `[${EVENT},${EVENT.replace('e1', 'e2')}]`;
  const headers = {
    'content-type': 'application/cloudevents-batch+json; charset=utf-8',
    'aeg-event-type': 'Notification',
  };
  expect((await it.send({ token: await it.router.token(), body, headers })).status).toBe(200);
  expect(it.events).toHaveLength(1);
  expect(it.events[0]?.headers).toEqual({ 'aeg-event-type': 'Notification' });
  expect(binding.report().input?.received[0]).toMatchObject({ events: 2, eventIds: ['e1', 'e2'] });
});

test.each([
  [
    { accepted: false, status: 404, body: 'gone' },
    'fails to send binding event to http app channel, status code: 404 body: gone',
  ],
  [{ accepted: false, error: 'connect ECONNREFUSED' }, 'error invoking app: connect ECONNREFUSED'],
  [{ accepted: false, error: 'held by developer' }, 'error invoking app: held by developer'],
  [{ accepted: false }, 'error invoking app: response object is nil'],
])('D07: for an app that answered %j the router gets 500 and decides', async (taken, text) => {
  const { it } = await ready();
  it.taken = [taken];
  expect(await it.send({ token: await it.router.token(), body: EVENT })).toMatchObject({ status: 500, text });
  expect(it.lines.some((line) => line.level === 'warn' && line.text === text)).toBe(true);
});

test('other content types are 415, larger bodies 413, and neither reaches the app', async () => {
  const { it } = await ready();
  const token = await it.router.token();
  expect((await it.send({ token, body: 'x', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  const large = Buffer.alloc(1024 * 1024 + 64 * 1024 + 1, 0x20);
  expect((await it.send({ token, body: large })).status).toBe(413);
  expect(it.events).toEqual([]);
  const exact = Buffer.alloc(1024 * 1024 + 64 * 1024, 0x20);
  expect((await it.send({ token, body: exact })).status).toBe(200);
});

test('a body that is shorter than announced reaches no app', async () => {
  const { it } = await ready();
  const token = await it.router.token();
  await new Promise<void>((resolve) => {
    const socket = connect(it.port, '127.0.0.1', () => {
      socket.write(
        `POST /api/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"half":`,
      );
      setTimeout(() => socket.destroy(), 20);
    });
    socket.on('close', () => resolve());
  });
  expect((await it.send({ token, body: EVENT })).status).toBe(200);
  expect(it.events).toHaveLength(1);
});

test('headers over the limit and bytes that are no HTTP are refused before they are read', async () => {
  const { it } = await ready();
  expect((await it.send({ headers: { 'x-long': 'a'.repeat(17 * 1024) } })).status).toBe(431);
  const said = await new Promise<string>((resolve) => {
    const socket = connect(it.port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
  });
  expect(said).toMatch(/^HTTP\/1\.1 400 /);
});

test('a request with the verb CONNECT that is not answered ends with the listener', async () => {
  const clock = new ManualClock();
  let ask = (): void => undefined;
  const asked = new Promise<void>((come) => (ask = come));
  const webhook = await serveWebhook({
    port: 0,
    clock,
    answer: () => {
      ask();
      return new Promise<void>(() => undefined);
    },
    broken: () => undefined,
  });
  const socket = connect(webhook.port, '127.0.0.1', () =>
    socket.write('CONNECT / HTTP/1.1\r\nhost: a\r\n\r\n'),
  );
  socket.on('error', () => socket.destroy());
  onTestFinished(() => void socket.destroy());
  await asked;
  const closed = webhook.close();
  clock.advance(5_000);
  await expect(closed).resolves.toBeUndefined();
});

test('a port on which this user may not listen is not said to be in use', async () => {
  forbidPort(80);
  const answer = (): Promise<void> => Promise.resolve();
  const webhook = serveWebhook({ port: 80, clock: new ManualClock(), answer, broken: () => undefined });
  await expect(webhook).rejects.toMatchObject({
    code: 'EVR-NET-02',
    message:
      'Sidelight cannot listen: port 80 needs more rights than this user has, like every port below 1024.',
  });
});
