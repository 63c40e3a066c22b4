/** The output side: one event to the topic, and what the caller hears of each answer (T17 to T23). */
import { expect, test } from 'vitest';
import { ACCESS_KEY, rig } from './rig.ts';
import type { Rig } from './rig.ts';

const EVENT = '{"specversion":"1.0","id":"e1","source":"s","type":"t"}';
const TOPIC = 'POST /topics/orders';

async function says(it: Rig, data = EVENT): Promise<string> {
  const binding = await it.component();
  return binding.invoke('create', data).then(
    () => 'accepted',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

test('T17: an event is posted unchanged, with the key and the content type of an event', async () => {
  const it = await rig();
  it.router.script(TOPIC, { status: 200 });
  const binding = await it.component();
  await binding.invoke('create', EVENT);
  const [asked] = it.router.asked;
  expect(asked).toMatchObject({ method: 'POST', url: '/topics/orders/api/events', body: EVENT });
  expect(asked?.headers).toMatchObject({
    'content-type': 'application/cloudevents+json',
    'aeg-sas-key': ACCESS_KEY,
    'user-agent': 'sidelight/1.2.3',
  });
  expect(binding.report().output?.calls[0]).toMatchObject({ status: 200, eventId: 'e1' });
});

test.each([201, 202, 204, 302, 400, 401, 500])(
  'T19, T22: an answer of %i is a failure that quotes it',
  async (status) => {
    const it = await rig();
    it.router.script(TOPIC, {
      status,
      body: status === 204 ? undefined : { error: 'why' },
      headers: { location: '/elsewhere' },
    });
    const quoted = status === 204 ? '' : '{"error":"why"}';
    expect(await says(it)).toBe(`invalid status code (${status}) - response: ${quoted}`);
    expect(it.router.asked).toHaveLength(1);
  },
);

test('T20: the quoted answer is cut and does not contain the key', async () => {
  const it = await rig();
  it.router.script(TOPIC, { status: 401, body: { echo: ACCESS_KEY, long: 'x'.repeat(10_000) } });
  const text = await says(it);
  expect(text).toContain('(401)');
  expect(text).not.toContain(ACCESS_KEY);
  expect(text.length).toBeLessThan(4300);
});

test('T23: a refused connection is reported as EVR-NET-10', async () => {
  const it = await rig();
  await it.router.stop();
  expect(await says(it)).toMatch(/^request error: localhost:\d+: .*ECONNREFUSED.* \(EVR-NET-10\)$/);
});

test('an unknown issuer is reported as EVR-TLS-01', async () => {
  const it = await rig();
  await it.ingress.use('unknown-issuer');
  it.metadata['topicEndpoint'] = `https://localhost:${it.ingress.port}/topics/orders/api/events`;
  expect(await says(it)).toMatch(/^request error: .*\(EVR-TLS-01\)$/);
});

test('missing data are sent as null, and the answer of the topic is reported', async () => {
  const it = await rig();
  it.router.script(TOPIC, { status: 400, body: { error: { code: 'BadRequest' } } });
  expect(await says(it, 'null')).toContain('invalid status code (400)');
  expect(it.router.asked[0]?.body).toBe('null');
});

test('C21: with the output side alone nothing listens, and no other service is called', async () => {
  const it = await rig();
  const { accessKey = '', topicEndpoint = '' } = it.metadata;
  it.metadata = { direction: 'output', accessKey, topicEndpoint };
  const binding = await it.component();
  expect(binding.hasInput).toBe(false);
  expect(binding.operations).toEqual(['create']);
  await expect(it.send({ method: 'OPTIONS' })).rejects.toThrow(/ECONNREFUSED/);
  expect(it.router.asked).toEqual([]);
});

test('C22: with the input side alone there is no operation', async () => {
  const it = await rig();
  const { accessKey: _key, topicEndpoint: _endpoint, ...rest } = it.metadata;
  it.metadata = { ...rest, direction: 'input' };
  expect((await it.component()).operations).toEqual([]);
});
