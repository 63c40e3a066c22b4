/** The ingress over the wire: rules, answers of its own, faults and their repair. */
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cloudEvent, wireStand } from './wire-stand.ts';

const TYPE = { 'content-type': 'application/json' };

describe('forwarding', () => {
  test('by host and path keeps query and headers, and drops hop-by-hop headers', async () => {
    const stand = await wireStand();
    stand.hook.script.respond = (_request, response) => {
      response.writeHead(207, { 'x-own': 'yes', connection: 'close' });
      response.end('answer');
    };
    const done = await stand.call(
      'POST',
      `${stand.subscriber}?a=1`,
      { ...TYPE, te: 'x', 'x-mine': '1' },
      '{"n":1}',
    );
    expect([done.status, done.text, done.headers['x-own']]).toEqual([207, 'answer', 'yes']);
    expect(stand.hook.seen[0]).toMatchObject({ method: 'POST', url: '/api/events?a=1', body: '{"n":1}' });
    expect(stand.hook.seen[0]?.headers).toMatchObject({
      'x-mine': '1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': new URL(stand.subscriber).host,
      'x-forwarded-for': '127.0.0.1',
    });
    expect(stand.hook.seen[0]?.headers).not.toHaveProperty('te');
  });

  test('without a matching rule is answered with 404, and path and letter case count', async () => {
    const stand = await wireStand();
    for (const path of ['/other', '/API/EVENTS', '/api/events/']) {
      const { status } = await stand.call('POST', stand.subscriber.replace('/api/events', path), TYPE, '{}');
      expect([path, status]).toEqual([path, 404]);
    }
    expect(stand.hook.seen).toEqual([]);
  });

  test('without an upstream it answers 503 and its rule says so; a body beyond 2 MiB gets 413', async () => {
    const stand = await wireStand();
    await stand.router.ingress.ensureRule(
      new URL(`${stand.router.addresses().ingress}/dead`),
      new URL('http://127.0.0.1:1'),
    );
    const dead = await stand.call('POST', `${stand.router.addresses().ingress}/dead`, TYPE, '{}');
    expect([dead.status, dead.headers['retry-after']]).toEqual([503, '1']);
    expect(stand.router.ingress.status().rules.find(({ path }) => path === '/dead')?.upstreamState).toBe(
      'down',
    );
    const big = await stand.call('POST', stand.subscriber, TYPE, 'x'.repeat(2 * 1024 * 1024 + 1));
    expect(big.status).toBe(413);
  });

  test('a rewrite changes the path that the webhook sees', async () => {
    const server = http.createServer((request, response) => response.end(request.url));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const rules = [{ host: 'localhost', path: '/gw/orders', upstream, rewrite: '/api/events' }];
    const stand = await wireStand({ settings: { ingress: { enabled: true, rules } } });
    const done = await stand.call('POST', `${stand.router.addresses().ingress}/gw/orders?x=1`, TYPE, '{}');
    expect(done.text).toBe('/api/events?x=1');
  });
});

describe('faults', () => {
  test('each fault is reported with its cause, and its repair delivers waiting events at once', async () => {
    const stand = await wireStand({ settings: { handshakeRetryMs: 1 } });
    await stand.subscribe();
    await stand.router.ingress.setFault('none');
    const seen: unknown[] = [];
    const shown: unknown[] = [];
    for (const fault of ['503', 'pause', 'wrong-host', 'self-signed', 'expired'] as const) {
      await stand.router.ingress.setFault(fault);
      await stand.publish(cloudEvent(fault));
      await expect
        .poll(() => stand.stored().find(({ eventId }) => eventId === fault)?.attempts)
        .toBeGreaterThan(0);
      await expect
        .poll(() => stand.router.deliveries.get(stand.stored()[0]?.deliveryId ?? '')?.history.length)
        .toBeGreaterThan(0);
      const detail = stand.router.deliveries.get(stand.stored()[0]?.deliveryId ?? '');
      seen.push(detail?.history[0]?.error?.evr ?? detail?.history[0]?.response?.status);
      shown.push(stand.router.ingress.status().certificate?.verdict);
    }
    expect(shown).toEqual(['ok', 'ok', 'EVR-TLS-04', 'EVR-TLS-02', 'EVR-TLS-03']);
    expect(seen).toEqual([503, 503, 'EVR-TLS-04', 'EVR-TLS-02', 'EVR-TLS-03']);
    expect(stand.hook.events()).toEqual([]);
    await stand.router.ingress.setFault('none');
    await expect
      .poll(() => new Set(stand.stored().map(({ state }) => state)))
      .toEqual(new Set(['processed']));
    expect(stand.hook.events()).toHaveLength(5);
  });

  test('a connection that is in use when the ingress breaks carries nothing more', async () => {
    const stand = await wireStand();
    await stand.subscribe();
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    stand.hook.script.respond = (_request, response) => void held.then(() => response.end());
    await stand.publish(cloudEvent('first'));
    await expect.poll(() => stand.hook.events().length).toBe(1);
    await stand.router.ingress.setFault('self-signed');
    goOn();
    await expect.poll(() => stand.stored()[0]?.state).toBe('processed');
    await stand.publish(cloudEvent('second'));
    await expect.poll(() => stand.stored()[0]?.lastCode).toBe('EVR-TLS-02');
    expect(stand.hook.events()).toHaveLength(1);
  });

  test('a connection that was accepted before the ingress broke, and secured after, carries one request', async () => {
    const stand = await wireStand();
    const { hostname, port } = new URL(stand.subscriber);
    const raw = net.connect(Number(port), '127.0.0.1');
    onTestFinished(() => void raw.destroy());
    await once(raw, 'connect');
    await stand.call('POST', stand.subscriber, TYPE, '{}');
    await stand.router.ingress.setFault('self-signed');
    const secured = tls.connect({ socket: raw, servername: hostname, ca: stand.router.certificates.caPem() });
    await once(secured, 'secureConnect');
    secured.write(`GET /other HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`);
    const answer = await text(secured);
    expect(answer).toMatch(/^HTTP\/1.1 404 .*\r\n(?:.*\r\n)*connection: close\r\n/i);
  });

  test('F02 router and ingress have certificates of a new authority, and deliveries continue', async () => {
    const stand = await wireStand();
    await stand.subscribe();
    const before = stand.router.certificates.caPem();
    await stand.router.certificates.rotateCa();
    expect(stand.router.certificates.caPem()).not.toBe(before);
    await stand.router.topics.publish('orders', JSON.stringify(cloudEvent()), 'application/cloudevents+json');
    await expect.poll(() => stand.stored()[0]?.state).toBe('processed');
    expect(
      await stand.router.subscriptions.handshake(stand.router.subscriptions.list()[0]?.record.id ?? ''),
    ).toMatchObject({
      properties: { provisioningState: 'Succeeded' },
    });
  });

  test('armed faults meet the next requests of their target and no more', async () => {
    const stand = await wireStand();
    stand.router.faults.arm({ target: 'topic', times: 2, status: 429 });
    expect((await stand.publish(cloudEvent())).status).toBe(429);
    const identity = stand.router.faults.arm({ target: 'identity', times: 5, drop: true });
    expect((await stand.publish(cloudEvent())).status).toBe(429);
    expect((await stand.publish(cloudEvent())).status).toBe(200);
    await expect(stand.token()).rejects.toThrow();
    stand.router.faults.disarm(identity.faultId);
    expect(await stand.token()).toMatch(/^ey/);
    expect(stand.router.faults.list()).toEqual([]);
    expect(() => stand.router.faults.disarm('x')).toThrow(/no fault/);
  });

  test('an answer to CONNECT that a fault delays does not delay the end', async () => {
    const stand = await wireStand();
    stand.router.faults.arm({ target: 'ingress', times: 1, delayMs: 60_000 });
    const port = Number(new URL(stand.subscriber).port);
    const ca = stand.router.certificates.caPem();
    const socket = tls.connect({ port, host: '127.0.0.1', servername: 'localhost', ca });
    socket.on('error', () => socket.destroy());
    onTestFinished(() => void socket.destroy());
    socket.write(`CONNECT /api/events HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`);
    await expect.poll(() => stand.router.faults.list()).toEqual([]);
    const closed = once(socket, 'close');
    await stand.router.stop();
    await closed;
  });

  test('a slow body comes late but whole', async () => {
    const stand = await wireStand();
    stand.router.faults.arm({ target: 'ingress', times: 1, slowBodyMs: 20 });
    stand.hook.script.respond = (_request, response) => response.end('slow');
    expect((await stand.call('POST', stand.subscriber, TYPE, '{}')).text).toBe('slow');
  });

  test('a wrong clock makes tokens that are not valid yet', async () => {
    const stand = await wireStand();
    stand.router.faults.arm({ target: 'identity', clockSkewMinutes: 10 });
    await stand.subscribe();
    const [options] = stand.hook.seen;
    const [, body = ''] = String(options?.headers.authorization).split('.');
    const { nbf } = JSON.parse(Buffer.from(body, 'base64url').toString()) as { nbf: number };
    expect(nbf * 1000).toBeGreaterThan(Date.now() + 300_000);
    stand.router.faults.disarm();
    expect(stand.router.identity.status().clockSkewMs).toBe(0);
  });

  test('the emulator sends the requests and tokens that are asked for', async () => {
    const stand = await wireStand();
    const send = (kind: 'handshake' | 'event' | 'batch', token: 'none' | 'valid') =>
      stand.router.emulate({ url: stand.subscriber, kind, token, tenantId: 't', clientId: 'c' });
    expect(await send('handshake', 'valid')).toMatchObject({
      response: { status: 200 },
      request: { method: 'OPTIONS' },
    });
    expect(await send('event', 'none')).toMatchObject({ response: { status: 200 } });
    expect(await send('batch', 'valid')).toMatchObject({ token: { aud: 'c' } });
    const [, one, two] = stand.hook.seen;
    expect([one?.headers.authorization, two?.headers.authorization?.slice(0, 9)]).toEqual([
      undefined,
      'Bearer ey',
    ]);
    expect(JSON.parse(two?.body ?? '')).toHaveLength(2);
    await expect(
      stand.router.emulate({ url: 'http://localhost/x', kind: 'event', token: 'none' }),
    ).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
  });
});
