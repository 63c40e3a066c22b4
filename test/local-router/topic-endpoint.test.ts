/** Topic endpoints over the wire: content types, events, limits, errors, who asks (T07 to T15, T24, T25). */
import https from 'node:https';
import { connect } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { Throttle } from '../../core/local-router/topics/throttle.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CLIENT, FORM, KEY, TENANT, cloudEvent, wireStand } from './wire-stand.ts';
import type { Json } from './wire-stand.ts';

const PATH = '/topics/orders/api/events';

describe('events', () => {
  test('T07 one object, a batch of three, and an event in binary mode are accepted', async () => {
    const stand = await wireStand();
    await stand.subscribe();
    expect((await stand.publish(cloudEvent('one'))).status).toBe(200);
    const batch = [cloudEvent('a'), cloudEvent('b'), cloudEvent('c')];
    const type = { 'content-type': 'application/cloudevents-batch+json; charset=utf-8' };
    expect((await stand.publish(batch, type)).status).toBe(200);
    const binary = {
      'content-type': 'application/json',
      'ce-specversion': '1.0',
      'ce-id': 'bin',
      'ce-source': '/a%20b',
      'ce-type': 't',
    };
    expect((await stand.publish({ hello: 1 }, binary)).status).toBe(200);
    expect(
      stand
        .stored()
        .map(({ eventId }) => eventId)
        .toSorted(),
    ).toEqual(['a', 'b', 'bin', 'c', 'one']);
    await expect.poll(() => stand.hook.events().length).toBe(5);
    const sent = stand.hook.events().map(({ body }) => JSON.parse(body) as Json);
    expect(sent.find(({ id }) => id === 'bin')).toMatchObject({ source: '/a b', data: { hello: 1 } });
  });

  test('plain application/json is read as CloudEvents, with a warning', async () => {
    const stand = await wireStand();
    const done = await stand.publish(cloudEvent(), { 'content-type': 'application/json' });
    expect([done.status, done.headers['x-sidelight-warning']]).toEqual([
      200,
      'Content-Type application/json was read as application/cloudevents+json.',
    ]);
  });

  test('T09 a topic of the event schema takes arrays alone', async () => {
    const stand = await wireStand();
    await stand.router.topics.create({ name: 'grid', inputSchema: 'EventGridSchema', key1: KEY });
    const event = {
      id: '1',
      subject: 's',
      eventType: 't',
      eventTime: '2026-01-02T03:04:05Z',
      data: {},
      dataVersion: '1',
    };
    const post = (body: unknown, type = 'application/json') =>
      stand.publish(body, { 'content-type': type }, '/topics/grid/api/events');
    expect((await post([event])).status).toBe(200);
    const refused = await post(event);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Expected: StartArray, actual: StartObject.');
    for (const name of ['id', 'subject', 'eventType', 'eventTime', 'data']) {
      const { [name]: _gone, ...rest } = event as Json;
      expect((await post([event, rest])).text).toContain(
        `Event[1]: Required property '${name}' was not set.`,
      );
    }
    expect((await post([{ ...event, eventTime: '2026-01-02T03:04:05' }])).status).toBe(400);
    expect((await post([{ ...event, topic: 'elsewhere' }])).status).toBe(400);
    expect((await post([event], 'application/cloudevents+json')).status).toBe(400);
  });

  test('T10, T11 a second event that is wrong refuses all three, and says which it was', async () => {
    const stand = await wireStand();
    await stand.subscribe();
    const wrong: readonly (readonly [Json, string])[] = [
      [{ id: undefined }, "Required property 'id' was not set."],
      [{ source: '' }, "Required property 'source' was not set."],
      [{ type: 1 }, "Property 'type' must be a string."],
      [{ specversion: '0.3' }, "Property 'specversion' must be"],
      [{ data_base64: 'AA==' }, "Properties 'data' and 'data_base64' must not both be set."],
      [{ 'Bad-Name': 'x' }, "The extension attribute 'Bad-Name'"],
      [{ nested: {} }, "The extension attribute 'nested'"],
      [{ time: 'yesterday' }, "Property 'time'"],
    ];
    for (const [change, says] of wrong) {
      const batch = [cloudEvent('a'), { ...cloudEvent('b'), ...change }, cloudEvent('c')];
      const done = await stand.publish(batch, { 'content-type': 'application/cloudevents-batch+json' });
      expect([done.status, done.text]).toEqual([400, expect.stringContaining(`Event[1]: ${says}`)]);
      expect(done.json()).toMatchObject({
        error: { code: 'BadRequest', details: [{ code: 'InputJsonInvalid' }] },
      });
    }
    expect(stand.stored()).toEqual([]);
    const [topic] = stand.router.topics.list();
    expect(topic).toMatchObject({ accepted: 0, rejected: wrong.length });
    expect(topic?.rejections[0]).toMatchObject({ status: 400, index: 1 });
  });

  test('a null attribute is the same as none', async () => {
    const stand = await wireStand();
    expect((await stand.publish(cloudEvent('a', { subject: null, ext: null }))).status).toBe(200);
  });

  test('T12 1,048,576 bytes are accepted, and one more is refused', async () => {
    const stand = await wireStand();
    const body = (size: number): string => {
      const empty = JSON.stringify(cloudEvent('big', { data: '' }));
      return JSON.stringify(cloudEvent('big', { data: 'x'.repeat(size - empty.length) }));
    };
    expect((await stand.publish(body(1_048_576))).status).toBe(200);
    const over = await stand.publish(body(1_048_577));
    expect([over.status, over.json()]).toMatchObject([413, { error: { code: 'RequestEntityTooLarge' } }]);
    const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024, ' '));
    expect((await stand.publish(bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
    const small = gzipSync(Buffer.from(JSON.stringify(cloudEvent())));
    expect((await stand.publish(small, { 'content-encoding': 'gzip' })).status).toBe(200);
    expect((await stand.publish(small, { 'content-encoding': 'br' })).status).toBe(415);
    expect(
      (await stand.publish(cloudEvent(), { 'content-type': 'application/cloudevents+json; charset=latin1' }))
        .status,
    ).toBe(415);
  });

  test('a client that sends all of a too large body gets 413 on the same connection', async () => {
    const stand = await wireStand();
    const { port, hostname } = new URL(stand.base);
    const socket = connect({ port: Number(port), host: hostname, ca: stand.router.certificates.caPem() });
    onTestFinished(() => void socket.destroy());
    let said = '';
    socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const size = 8 * 1024 * 1024;
    socket.write(
      `POST /topics/orders/api/events HTTP/1.1\r\nHost: localhost:${port}\r\naeg-sas-key: ${KEY}\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`,
    );
    // As simple clients do: they look for an answer when all is sent.
    socket.pause();
    await new Promise<void>((sent, failed) => {
      socket.once('error', failed);
      socket.write(Buffer.alloc(size, ' '), () => sent());
    });
    socket.resume();
    await expect.poll(() => said).toMatch(/^HTTP\/1\.1 413 .*RequestEntityTooLarge/s);
    socket.write(`GET /topics/orders/api/events HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    await expect.poll(() => said).toMatch(/HTTP\/1\.1 405 /);
  });

  test('429 with Retry-After where a topic has a limit per second, and only there', async () => {
    const limited = { topicEventsPerSecond: 3, topicBytesPerSecond: 0 };
    const stand = await wireStand({ settings: { throttle: limited } });
    const batch = { 'content-type': 'application/cloudevents-batch+json' };
    const events = Array.from({ length: 5 }, (_, n) => cloudEvent(`e${n}`));
    // Many at once in an empty second: they could never be sent otherwise.
    expect((await stand.publish(events, batch)).status).toBe(200);
    const statuses: number[] = [];
    for (let n = 0; n < 20 && statuses.at(-1) !== 429; n += 1)
      statuses.push((await stand.publish(cloudEvent())).status);
    expect(statuses.at(-1)).toBe(429);
    const [refused] = stand.router.topics.list()[0]?.rejections ?? [];
    expect(refused).toMatchObject({ status: 429, reason: 'The topic orders takes 3 events per second.' });
    await expect.poll(async () => (await stand.publish(cloudEvent())).status, { timeout: 8_000 }).toBe(200);
  });

  test('the second of a limit ends by the clock, bytes count as events do, each topic alone', () => {
    let now = 0;
    const throttle = new Throttle({ topicEventsPerSecond: 2, topicBytesPerSecond: 100 }, () => now);
    const one = { events: 1, bytes: 60 };
    expect(throttle.refusal('a', one)).toBeUndefined();
    expect(throttle.refusal('a', one)).toMatch(/100 bytes per second/);
    expect(throttle.refusal('b', one)).toBeUndefined();
    now = 999;
    expect(throttle.refusal('a', one)).toBeDefined();
    now = 1000;
    expect(throttle.refusal('a', { events: 1, bytes: 500 })).toBeUndefined();
    const off = new Throttle({ topicEventsPerSecond: 0, topicBytesPerSecond: 0 }, () => now);
    for (let n = 0; n < 10; n += 1) expect(off.refusal('a', one)).toBeUndefined();
  });

  test('T13 a wrong api-version, an unknown topic and other methods are refused', async () => {
    const stand = await wireStand();
    expect((await stand.publish(cloudEvent(), {}, `${PATH}?api-version=2020-01-01`)).status).toBe(400);
    expect((await stand.publish(cloudEvent(), {}, PATH)).status).toBe(200);
    expect((await stand.publish(cloudEvent(), {}, '/topics/nobody/api/events')).status).toBe(404);
    expect((await stand.call('GET', PATH)).status).toBe(405);
    const options = await stand.call('OPTIONS', PATH);
    expect([options.status, options.headers['allow']]).toEqual([204, 'POST']);
  });

  test('bodies that are no JSON, no UTF-8 or nested too deeply are refused', async () => {
    const stand = await wireStand();
    for (const body of ['{', '[]x', '"text"', '', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`]) {
      expect((await stand.publish(body)).status).toBe(400);
    }
    expect((await stand.publish(Buffer.from([0x22, 0xff, 0x22]))).status).toBe(400);
  });
});

describe('mapping', () => {
  test('T14 an event of the event schema arrives as a CloudEvent', async () => {
    const stand = await wireStand();
    const id = stand.scope.replace('/orders', '/grid');
    await stand.router.topics.create({
      name: 'grid',
      resourceId: id,
      inputSchema: 'EventGridSchema',
      key1: KEY,
    });
    await stand.router.identity.grant(CLIENT, 'event-subscription-contributor', id);
    const path = `/${id}/providers/${stand.namespace}/eventSubscriptions/gridin?api-version=2022-06-15`;
    const properties = {
      destination: { endpointType: 'WebHook', properties: { endpointUrl: stand.subscriber } },
      eventDeliverySchema: 'CloudEventSchemaV1_0',
    };
    expect((await stand.manage('PUT', path, { properties })).status).toBe(201);
    await expect.poll(async () => (await stand.manage('GET', path)).text).toContain('"Succeeded"');
    const event = {
      id: '7',
      subject: 's',
      eventType: 't',
      eventTime: '2026-01-02T03:04:05Z',
      data: { a: 1 },
      dataVersion: '2',
    };
    await stand.publish([event], { 'content-type': 'application/json' }, '/topics/grid/api/events');
    await expect.poll(() => stand.hook.events().length).toBe(1);
    expect(JSON.parse(stand.hook.events()[0]?.body ?? '')).toEqual({
      specversion: '1.0',
      id: '7',
      source: id,
      type: 't',
      subject: 's',
      time: '2026-01-02T03:04:05Z',
      data: { a: 1 },
      dataschema: '#2',
    });
  });

  test('T15 a CloudEvents topic cannot be delivered in the event schema', async () => {
    const stand = await wireStand();
    const properties = {
      destination: { endpointType: 'WebHook', properties: { endpointUrl: stand.subscriber } },
      eventDeliverySchema: 'EventGridSchema',
    };
    const put = await stand.manage('PUT', stand.recordPath(), { properties });
    expect([put.status, put.text]).toEqual([
      400,
      expect.stringContaining('extension attributes would be lost'),
    ]);
  });
});

describe('the caller and its address', () => {
  test('T24 a request of a web page is refused everywhere', async () => {
    const stand = await wireStand();
    const origin = { origin: 'https://evil.example' };
    const asked = [
      await stand.publish(cloudEvent(), origin),
      await stand.call('POST', `/${TENANT}/oauth2/v2.0/token`, { ...FORM, ...origin }, 'grant_type=x'),
      await stand.call('GET', stand.recordPath(), origin),
      await stand.call('GET', '/eventsubscriptions/x/validate', origin),
    ];
    expect(asked.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(asked.map(({ headers }) => headers['access-control-allow-origin'])).toEqual(
      asked.map(() => undefined),
    );
  });

  test('T25 a foreign Host is misdirected', async () => {
    const stand = await wireStand();
    const { port } = new URL(stand.base);
    const asked = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const options = { port, host: '127.0.0.1', servername: 'localhost', path: PATH, headers: { host } };
        https
          .get({ ...options, ca: stand.router.certificates.caPem(), agent: false }, (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          })
          .on('error', reject);
      });
    expect(await asked('evil.example')).toBe(421);
    expect(await asked('localhost:1')).toBe(421);
    expect(await asked(`LOCALHOST:${port}`)).toBe(405);
  });

  test('tricks in a path are refused', async () => {
    const stand = await wireStand();
    for (const topic of ['..%2forders', 'orders%5c', 'orders%00', '%2e%2e', 'a%zz']) {
      const { status } = await stand.publish(cloudEvent(), {}, `/topics/${topic}/api/events`);
      expect([topic, status]).toEqual([topic, topic === '%2e%2e' ? 404 : 400]);
    }
  });

  test('a topic port serves only its topic', async () => {
    const stand = await wireStand({
      settings: {
        listen: {
          router: 'localhost:0',
          ingress: 'localhost:0',
          topicPorts: { orders: 0 },
          soft: { router: true, ingress: true },
        },
      },
    });
    const own = stand.router.addresses().topicPorts['orders'] ?? '';
    expect((await stand.publish(cloudEvent(), {}, `${own}/api/events`)).status).toBe(200);
    expect((await stand.call('GET', `${own}/${TENANT}/discovery/v2.0/keys`)).status).toBe(404);
  });
});
