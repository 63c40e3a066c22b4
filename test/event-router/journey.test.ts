/** An event goes the whole way: output side, router, delivery with a token, ingress, webhook, app; and what is seen when it cannot. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MessageRow } from '../../core/contract/message.ts';
import type { RouterDeliveryRow } from '../../core/contract/event-router/local-router.ts';
import { cloudEvent, eventually, readyExample, wholeProduct } from './whole-product.ts';
import type { Whole } from './whole-product.ts';

let whole: Whole;
let name = '';
beforeAll(async () => {
  whole = await wholeProduct();
  name = await readyExample(whole);
});
afterAll(() => whole.stop());

let count = 0;
const nextId = (): string => `event-${(count += 1)}`;

async function publish(id = nextId()): Promise<string> {
  expect(await whole.invoke(name, { operation: 'create', data: cloudEvent(id) })).toEqual({
    status: 204,
    text: '',
  });
  return id;
}

const messages = async (id: string): Promise<readonly MessageRow[]> =>
  (await whole.rpc('messages.list', { filter: `id:${id}` })).items;

/** The message of the event once its delivery has ended. */
const ended = (id: string): Promise<MessageRow> =>
  eventually(
    async () => (await messages(id)).find(({ deliveries }) => deliveries[0]?.state === 'processed'),
    id,
  );

const atRouter = (id: string, isSo: (row: RouterDeliveryRow) => boolean): Promise<RouterDeliveryRow> =>
  eventually(async () => {
    const { items } = await whole.rpc('eventRouter.deliveries', { component: name });
    return items.find((row) => row.eventId === id && isSo(row));
  }, `the delivery of ${id}`);

test.each(['POST', 'PUT'] as const)(
  'T17, T18: the app receives a created event unchanged: %s',
  async (method) => {
    const id = nextId();
    expect(
      await whole.invoke(name, { operation: 'create', data: cloudEvent(id, { a: [1, 'ü'] }) }, method),
    ).toEqual({
      status: 204,
      text: '',
    });
    const row = await ended(id);
    expect(row).toMatchObject({
      source: 'binding',
      pubsubname: name,
      topic: name,
      eventId: id,
      eventType: 'test.made',
    });
    const message = await whole.rpc('messages.get', { messageId: row.messageId });
    expect(message.data).toMatchObject(cloudEvent(id, { a: [1, 'ü'] }));
    expect(message.deliveries[0]?.transitions.map(({ rule }) => rule)).toEqual([
      'policy.accepted',
      'policy.attempt',
      'binding.2xx',
    ]);
    expect(message.metadata).toMatchObject({ 'aeg-event-type': 'Notification', 'aeg-delivery-count': '0' });
    const [attempt] = message.deliveries[0]?.attempts ?? [];
    expect(attempt?.request.headers['content-type']).toBe('application/json');
    expect(attempt?.request.headers['aeg-event-type']).toBeUndefined();
    const { items } = await whole.rpc('eventRouter.token', { component: name });
    expect(items[0]?.verdicts[0]).toMatchObject({ accepted: true, reason: 'verified' });
  },
);

test('the form of the console wraps data as an event', async () => {
  const made = await whole.rpc('eventRouter.create', {
    component: name,
    data: { b: 2 },
    type: 'my.type',
    subject: 's',
  });
  expect(made).toMatchObject({ status: 204, component: name });
  expect(await ended(made.eventId ?? '')).toMatchObject({ eventType: 'my.type', subject: 's' });
});

describe('T19 to T21: what is refused', () => {
  const invoke = 'error invoking output binding';
  test.each([
    ['data that are no event', { operation: 'create', data: { a: 1 } }, 500, 'invalid status code (400)'],
    ['no data', { operation: 'create' }, 500, 'invalid status code (400)'],
    [
      'another operation',
      { operation: 'get' },
      500,
      'does not support operation get. supported operations:create',
    ],
    ['no operation', { data: 1 }, 500, 'operation field is missing from request'],
    ['no JSON', 'nonsense', 400, 'failed deserializing HTTP body'],
  ] as const)('%s is answered with the error of the topic', async (_name, body, status, text) => {
    const answer = await whole.invoke(name, body);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(text);
    expect(answer.text).toContain(status === 400 ? 'ERR_MALFORMED_REQUEST' : `ERR_INVOKE_OUTPUT_BINDING`);
  });
  test('an unknown binding is refused in the words of the reference', async () => {
    const answer = await whole.invoke('nobody', { operation: 'create', data: 1 });
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(`${invoke} nobody: couldn't find output binding nobody`);
  });
});

test('D07: an app that answers 400 is a 500 for the router, which repeats the event', async () => {
  await whole.rpc('mockApp.setRules', {
    rules: [{ enabled: true, match: {}, times: 2, answer: { kind: 'respond', status: 400, body: 'no' } }],
  });
  const id = await publish();
  await ended(id);
  const all = await eventually(async () => {
    const found = await messages(id);
    return found.length >= 3 ? found : undefined;
  }, 'three messages');
  expect(all.map(({ deliveries }) => deliveries[0]?.state).toSorted()).toEqual([
    'dropped',
    'dropped',
    'processed',
  ]);
  const row = await atRouter(id, ({ state }) => state === 'processed');
  expect(row.attempts).toBe(3);
  const { delivery } = await whole.rpc('eventRouter.deliveries', { deliveryId: row.deliveryId });
  expect(delivery?.history[0]?.response).toMatchObject({
    status: 500,
    body: expect.stringContaining(
      'fails to send binding event to http app channel, status code: 400 body: no',
    ),
  });
});

test('a broken ingress shows its cause; its repair delivers waiting events', async () => {
  await whole.rpc('eventRouter.faults', { ingress: '503', timeScale: 1 });
  const id = await publish();
  const row = await atRouter(id, ({ state }) => state === 'retrying');
  expect(row).toMatchObject({ lastOutcome: 'Busy', lastStatus: 503 });
  const shaken = await whole.rpc('eventRouter.handshake', { component: name, act: 'probe' });
  expect(shaken.handshakes[0]).toMatchObject({ by: 'self-probe', status: 503, code: 'EVR-ING-03' });
  // With the real schedule the next attempt is far away: it comes at once because the ingress is whole again.
  await whole.rpc('eventRouter.faults', { ingress: 'none' });
  await ended(id);
  await whole.rpc('eventRouter.faults', { timeScale: 0.01 });
});

test.each([
  ['self-signed', 'EVR-TLS-02'],
  ['expired', 'EVR-TLS-03'],
  ['wrong-host', 'EVR-TLS-04'],
] as const)('a certificate that is %s is named by router and binding: %s', async (ingress, code) => {
  await whole.rpc('eventRouter.faults', { ingress, timeScale: 1 });
  const id = await publish();
  const row = await atRouter(id, ({ state }) => state === 'retrying');
  const { delivery } = await whole.rpc('eventRouter.deliveries', { deliveryId: row.deliveryId });
  expect(delivery?.history[0]?.error?.evr).toBe(code);
  const { handshakes } = await whole.rpc('eventRouter.handshake', { component: name, act: 'probe' });
  expect(handshakes[0]?.code).toBe(code);
  await whole.rpc('eventRouter.faults', { ingress: 'none' });
  await ended(id);
  await whole.rpc('eventRouter.faults', { timeScale: 0.01 });
});

test.each([
  ['expired', 'token expired'],
  ['not-yet-valid', 'not yet valid'],
  ['wrong-audience', 'audience mismatch'],
  ['wrong-issuer', 'issuer mismatch'],
  ['wrong-caller', 'the caller is'],
  ['unknown-kid', 'unknown signing key'],
  ['bad-signature', 'bad signature'],
  ['none', 'no token'],
] as const)('a delivery with a token that is %s is refused and says why', async (fault, reason) => {
  await whole.rpc('eventRouter.token', { act: 'fault', fault, times: 1 });
  const id = await publish();
  const row = await atRouter(id, ({ state }) => state === 'parked');
  expect(row).toMatchObject({ lastStatus: 401, lastOutcome: 'Unauthorized', attempts: 1 });
  const { items } = await whole.rpc('eventRouter.token', { component: name });
  expect(items[0]?.verdicts[0]).toMatchObject({ accepted: false });
  expect(items[0]?.verdicts[0]?.reason).toContain(reason);
  expect(await messages(id)).toEqual([]);
  await whole.rpc('eventRouter.act', { act: 'retry', deliveryId: row.deliveryId });
  await ended(id);
});

test('emulated requests: a handshake and events, with and without a token', async () => {
  const emulate = (params: { send: 'handshake' | 'events'; token?: 'valid' | 'none' }) =>
    whole.rpc('eventRouter.emulate', { component: name, ...params });
  expect(await emulate({ send: 'handshake' })).toMatchObject({ status: 200, health: 'healthy' });
  expect(await emulate({ send: 'events' })).toMatchObject({ status: 200 });
  expect(await emulate({ send: 'events', token: 'none' })).toMatchObject({
    status: 401,
    body: '401 Unauthorized',
  });
});

test('F01: a new signing key during deliveries refuses none of them', async () => {
  const ids = Array.from({ length: 20 }, nextId);
  await Promise.all(
    ids.map(async (id, i) => {
      if (i === 5 || i === 12) await whole.rpc('eventRouter.token', { act: 'rotate-key' });
      await publish(id);
    }),
  );
  for (const id of ids) await ended(id);
  const { items } = await whole.rpc('eventRouter.deliveries', { component: name, limit: 100 });
  const ours = items.filter(({ eventId }) => ids.includes(eventId));
  expect(ours.map(({ state, lastStatus }) => `${state} ${lastStatus ?? ''}`)).toEqual(
    ids.map(() => 'processed 200'),
  );
});

test('F02: handshake and deliveries continue with a new local authority', async () => {
  const before = await whole.rpc('eventRouter.certificate', {});
  const after = await whole.rpc('eventRouter.certificate', { act: 'rotate-ca' });
  expect(after.ca?.fingerprint).not.toBe(before.ca?.fingerprint);
  await ended(await publish());
  const { handshakes } = await whole.rpc('eventRouter.handshake', { component: name, act: 'probe' });
  expect(handshakes[0]).toMatchObject({ status: 200, consent: 'yes' });
});

test('F04: tokens of a router whose clock is ten minutes ahead are refused, and the reason names the clocks', async () => {
  await whole.rpc('eventRouter.faults', { add: { target: 'identity', clockSkewMinutes: 10 } });
  await whole.rpc('eventRouter.token', { component: name, act: 'refresh' });
  const id = await publish();
  const row = await atRouter(id, ({ state }) => state === 'parked');
  const { items } = await whole.rpc('eventRouter.token', { component: name });
  expect(items[0]?.verdicts[0]?.reason).toContain('the clocks of the router and of this machine are apart');
  await whole.rpc('eventRouter.faults', { add: { target: 'identity', clockSkewMinutes: 0 } });
  await whole.rpc('eventRouter.act', { act: 'retry', deliveryId: row.deliveryId });
  await ended(id);
});

test('the stored subscription is shown, put again, changed, and tested with an event', async () => {
  const listed = await whole.rpc('eventRouter.subscriptions', { component: name });
  expect(listed.items[0]).toMatchObject({ role: 'current', state: 'Succeeded', differences: [] });
  const changed = await whole.rpc('eventRouter.subscriptions', {
    component: name,
    act: 'change',
    properties: { filter: { subjectBeginsWith: '/only' } },
  });
  expect(changed.items[0]?.record?.properties.filter).toMatchObject({ subjectBeginsWith: '/only' });
  const event = cloudEvent('x');
  const test1 = await whole.rpc('eventRouter.subscriptions', { component: name, act: 'test', event });
  expect(test1).toMatchObject({ matches: false, because: 'subject' });
  await whole.rpc('eventRouter.subscriptions', {
    component: name,
    act: 'change',
    properties: { filter: {} },
  });
  await ended(await publish());
});

test('J16, C30: no answer has keys, secrets or tokens, except the one that reveals them', async () => {
  const key = await whole.rpc('eventRouter.reveal', { component: name, field: 'accessKey' });
  const secret = await whole.rpc('eventRouter.reveal', { component: name, field: 'cloudClientSecret' });
  expect(key.value).not.toBe('***');
  const answers = await Promise.all([
    whole.rpc('eventRouter.status', {}),
    whole.rpc('eventRouter.subscriptions', {}),
    whole.rpc('eventRouter.token', {}),
    whole.rpc('eventRouter.topics', {}),
    whole.rpc('eventRouter.deliveries', { limit: 500 }),
    whole.rpc('eventRouter.handshake', { component: name }),
    whole.rpc('components.list', {}),
    whole.rpc('logs.list', { limit: 500 }),
    whole.rpc('settings.get', {}),
  ]);
  const text = JSON.stringify(answers);
  expect(text).not.toContain(key.value);
  expect(text).not.toContain(secret.value);
  expect(text).not.toMatch(/eyJ[A-Za-z0-9_-]{20,}\./);
  expect(text).toContain(`A person looked at accessKey of component ${name}.`);
  expect(await whole.refused('eventRouter.reveal', { component: name, field: 'scope' })).toContain(
    'INVALID_PARAMS',
  );
  expect(await whole.refused('eventRouter.status', { component: 'nobody' })).toContain('NOT_FOUND');
});

test('the list of dead letters has their files and no deliveries', async () => {
  const all = await whole.rpc('eventRouter.deliveries', {});
  expect(all.total).toBeGreaterThan(0);
  const dead = await whole.rpc('eventRouter.deliveries', { of: 'dead-letters' });
  expect(dead).toMatchObject({ items: [], total: 0, deadLetters: [] });
});
