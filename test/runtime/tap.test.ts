/** Reports of a tap to the runtime: messages, attempts and states by the same tables, matched by the event's id or by its payload. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { causeSentence } from '../../core/contract/cause.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import type { Delivery } from '../../core/contract/message.ts';
import type { Subscription } from '../../core/contract/subscription.ts';
import type { ReceivedAnswer } from '../../core/ports/app-channel.ts';
import type { ObservedCall, RuledCall, SeenDelivery, SeenPublish, TapRules } from '../../core/ports/tap.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { Stand } from '../support/runtime-stand.ts';

const TEN_MINUTES = 600_000;
/** Time after which a publish becomes a message without its event. */
const WITHOUT_EVENT = 500;

/** Reports nothing: the tap has nothing that waits. */
const report = (): undefined => undefined;
const NOTHING = { report, reportInTurns: report };
const NO_RULES: TapRules = { any: false, answerTo: () => undefined };

let stand: Stand;
beforeEach(async () => {
  stand = await new Stand({ profile: 'dapr' }).start();
});

const ORDERS: Subscription = {
  appId: 'shop',
  pubsubname: 'redis',
  topic: 'orders',
  source: 'programmatic',
  rules: [],
  defaultPath: '/orders',
  metadata: {},
  rawPayload: false,
};

const eventOf = (more: object): string =>
  JSON.stringify({
    specversion: '1.0',
    type: 'com.dapr.event.sent',
    source: 'shop',
    topic: 'orders',
    pubsubname: 'redis',
    datacontenttype: 'application/json',
    ...more,
  });

function publish(body: string, more: Partial<SeenPublish> = {}) {
  return stand.runtime.tapObserver.published({
    appId: 'shop',
    profile: PROFILES.dapr,
    protocol: 'http',
    pubsubname: 'redis',
    topic: 'orders',
    body: Buffer.from(body),
    isBulk: false,
    contentType: 'application/json',
    metadata: {},
    caller: { address: '127.0.0.1:5000', headers: {} },
    ...more,
  });
}

function deliver(wire: string, more: Partial<SeenDelivery> = {}): ObservedCall {
  return stand.runtime.tapObserver.delivering({
    appId: 'shop',
    profile: PROFILES.dapr,
    protocol: 'http',
    subscription: ORDERS,
    route: { path: '/orders' },
    events: [{ entryId: '', wire }],
    isBulk: false,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:8080/orders',
      headers: { 'dapr-api-token': 'secret' },
      body: wire,
    },
    requestWith: (wires) => ({
      method: 'POST',
      url: 'http://127.0.0.1:8080/orders',
      headers: { 'content-length': '2', 'dapr-api-token': 'secret' },
      body: JSON.stringify([...wires.values()].map(String)),
    }),
    mayStop: false,
    ...more,
  });
}

const answer = (status: number, body: object | '' = ''): ReceivedAnswer => ({
  kind: 'response',
  status,
  headers: {},
  body: Buffer.from(body === '' ? '' : JSON.stringify(body)),
});

/** The whole of a delivery that the app answers. */
async function delivered(
  wire: string,
  received: ReceivedAnswer,
  more: Partial<SeenDelivery> = {},
): Promise<void> {
  const call = deliver(wire, more);
  await call.passage;
  await call.answered(received);
  await stand.settle();
}

async function rows() {
  await stand.settle();
  const { items } = await stand.runtime.journal.page({
    order: 'oldest',
    limit: 50,
    nowMs: stand.clock.now(),
  });
  return items;
}

async function only(): Promise<{ readonly messageId: string; readonly delivery: Delivery }> {
  const [row, ...others] = await rows();
  expect(others).toEqual([]);
  const messageId = row?.messageId ?? '';
  return { messageId, delivery: await stand.delivery(messageId) };
}

describe('a copy on a dead-letter topic', () => {
  const TO_DEAD: Subscription = { ...ORDERS, deadLetterTopic: 'dead' };
  const DEAD: Subscription = { ...ORDERS, topic: 'dead', defaultPath: '/dead' };
  const event = eventOf({ id: 'e1', data: { n: 1 } });
  /** The copy has the bytes of what it was made of, its first topic among them. */
  const asCopy = { subscription: DEAD, route: { path: '/dead' }, topic: 'orders' } as const;

  test.each([
    ['the sidecar gave up', 503, '', 'dead-lettered', 'tap.dead-letter'],
    ['the app dropped', 200, { status: 'DROP' }, 'dropped', 'single.2xx.drop'],
  ] as const)(
    'a dead-letter copy of a delivery that %s is a message of its own',
    async (_, status, body, state, rule) => {
      publish(event, { contentType: 'application/cloudevents+json' }).ended({ kind: 'accepted' });
      await delivered(event, answer(status, body), { subscription: TO_DEAD });
      await delivered(event, answer(200), asCopy);
      const [first, copy, ...others] = await rows();
      expect(others).toEqual([]);
      const [given] = (await stand.message(first?.messageId ?? '')).deliveries;
      expect(given).toMatchObject({ state, deadLetter: { topic: 'dead', messageId: copy?.messageId } });
      expect(given?.transitions.at(-1)?.rule).toBe(rule);
      expect(copy).toMatchObject({
        topic: 'dead',
        tap: 'shop',
        source: 'dead-letter',
        deadLetterOf: { messageId: first?.messageId, deliveryId: given?.deliveryId, topic: 'orders' },
        deliveries: [{ state: 'processed', attempts: 1, route: '/dead' }],
      });
    },
  );

  test('that passes before the end of the last call is known ends the delivery too', async () => {
    publish(event, { contentType: 'application/cloudevents+json' }).ended({ kind: 'accepted' });
    const call = deliver(event, { subscription: TO_DEAD });
    await call.passage;
    await delivered(event, answer(200), asCopy);
    await call.answered({ kind: 'none', code: 'reset', message: 'the sidecar ended the call' });
    const [first, copy] = await rows();
    const [given] = (await stand.message(first?.messageId ?? '')).deliveries;
    expect(given).toMatchObject({
      state: 'dead-lettered',
      deadLetter: { topic: 'dead', messageId: copy?.messageId },
    });
    expect(given?.transitions.map(({ rule }) => rule).slice(-2)).toEqual([
      'policy.no-answer',
      'tap.dead-letter',
    ]);
  });

  test.each([
    ['of a delivery that the app dropped', TO_DEAD, 'dropped'],
    ['that no delivery is known to lead to', ORDERS, 'dropped'],
  ] as const)(
    '%s leaves its original out of memory when it is sent again',
    async (_, subscription, state) => {
      await delivered(event, answer(200, { status: 'DROP' }), { subscription });
      await delivered(event, answer(503), asCopy);
      const [first] = await rows();
      expect(first?.deliveries).toMatchObject([{ state }]);
      const read = vi.spyOn(stand.journal, 'get');
      for (let time = 1; time <= 2; time += 1) {
        await delivered(event, answer(503), asCopy);
        expect(read.mock.calls.filter(([messageId]) => messageId === first?.messageId)).toHaveLength(time);
      }
    },
  );

  test('was published elsewhere if the tap did not see its first delivery', async () => {
    await delivered(event, answer(200), asCopy);
    expect(await rows()).toMatchObject([
      { topic: 'dead', source: 'elsewhere', deliveries: [{ attempts: 1 }] },
    ]);
  });

  test('is tried again when the same event comes again', async () => {
    await delivered(event, answer(503), { subscription: TO_DEAD });
    await delivered(event, answer(503), asCopy);
    await delivered(event, answer(200), asCopy);
    const [first, copy, ...others] = await rows();
    expect(others).toEqual([]);
    expect(first?.deliveries).toMatchObject([{ state: 'dead-lettered', attempts: 1 }]);
    expect(copy?.deliveries).toMatchObject([{ state: 'processed', attempts: 2 }]);
  });
});

describe('joining publishes and deliveries', () => {
  test('a publish with an id of its own and its delivery are one message', async () => {
    const event = eventOf({ id: 'e1', data: { n: 1 } });
    publish(event, { contentType: 'application/cloudevents+json' }).ended({ kind: 'accepted' });
    await delivered(event, answer(200));
    const { delivery } = await only();
    expect((await rows())[0]).toMatchObject({ tap: 'shop', source: 'http', eventId: 'e1', appId: 'shop' });
    expect(delivery).toMatchObject({ appId: 'shop', state: 'processed', route: { path: '/orders' } });
    expect(delivery.attempts).toMatchObject([
      {
        tap: 'shop',
        number: 1,
        request: { headers: { 'dapr-api-token': '***' } },
        response: { status: 200 },
      },
    ]);
  });

  test('the newest 5,000 publishes with an id of their own stay in memory; an older one is read when its event comes', async () => {
    const event = (n: number): string => eventOf({ id: `e${n}`, data: { n } });
    const ids: string[] = [];
    for (let n = 0; n <= 5_000; n += 1) {
      const { messageIds, ended } = publish(event(n), { contentType: 'application/cloudevents+json' });
      ended({ kind: 'accepted' });
      ids.push(messageIds[0] ?? '');
    }
    await stand.settle();
    const read = vi.spyOn(stand.journal, 'get');
    await delivered(event(5_000), answer(200));
    expect(read).not.toHaveBeenCalled();
    await delivered(event(0), answer(200));
    expect(read).toHaveBeenCalledWith(ids[0]);
    expect(await stand.states(ids[0] ?? '')).toEqual(['processed']);
  });

  test.each([
    ['an id of its own', eventOf({ id: 'e1', data: { n: 1 } }), 'application/cloudevents+json'],
    ['an id of its sidecar', '{"n":1}', 'application/json'],
  ])(
    'an event is recorded though the history has removed its publish with %s meanwhile',
    async (_, body, contentType) => {
      publish(body, { contentType }).ended({ kind: 'accepted' });
      await stand.settle();
      const prune = stand.journal.prune.bind(stand.journal);
      // The setting allows no fewer than a thousand.
      stand.journal.prune = (keep, ...rest) => prune({ ...keep, maxMessages: 0 }, ...rest);
      await stand.pass(1_000);
      stand.journal.prune = prune;
      expect(await rows()).toEqual([]);
      await delivered(eventOf({ id: 'e1', data: { n: 1 } }), answer(200));
      expect(await rows()).toMatchObject([{ eventId: 'e1', deliveries: [{ state: 'processed' }] }]);
    },
  );

  test('an event that comes during a removal waits for its end, and is read only if it may be gone', async () => {
    const event = (n: number): string => eventOf({ id: `e${n}`, data: { n } });
    const [first, second] = [1, 2].map((n) => {
      const { messageIds, ended } = publish(event(n), { contentType: 'application/cloudevents+json' });
      ended({ kind: 'accepted' });
      return messageIds[0];
    });
    await stand.settle();
    const prune = stand.journal.prune.bind(stand.journal);
    let goOn = (): void => undefined;
    const gate = new Promise<void>((go) => (goOn = go));
    stand.journal.prune = async (keep, ...rest) => {
      await gate;
      return prune({ ...keep, maxMessages: 1 }, ...rest);
    };
    const read = vi.spyOn(stand.journal, 'get');
    await stand.pass(1_000);
    const calls = [deliver(event(1)), deliver(event(2))];
    await stand.settle();
    goOn();
    await stand.settle();
    stand.journal.prune = prune;
    for (const call of calls) {
      await call.passage;
      await call.answered(answer(200));
    }
    expect(read.mock.calls).toEqual([[first]]);
    const found = await rows();
    expect(found.map(({ eventId }) => eventId)).toEqual(['e2', 'e1']);
    expect(found[0]?.messageId).toBe(second);
    expect(found.map(({ deliveries }) => deliveries)).toMatchObject([
      [{ state: 'processed' }],
      [{ state: 'processed' }],
    ]);
  });

  test('an event is recorded though a history in memory had no room for its publish meanwhile', async () => {
    const kept = createMemoryJournal({ codec: bufferCodec, capacityBytes: 200_000 });
    stand = await new Stand({ profile: 'dapr', journal: new LastingJournal({}, kept) }).start();
    const event = eventOf({ id: 'e1', data: { n: 1 } });
    publish(event, { contentType: 'application/cloudevents+json' }).ended({ kind: 'accepted' });
    for (let n = 0; n < 6; n += 1) {
      publish(JSON.stringify('x'.repeat(60_000))).ended({ kind: 'accepted' });
      // Each one is a message before the next.
      await stand.pass(50);
    }
    expect((await rows()).map(({ eventId }) => eventId)).not.toContain('e1');
    await delivered(event, answer(200));
    expect((await rows()).at(-1)).toMatchObject({ eventId: 'e1', deliveries: [{ state: 'processed' }] });
  });

  test('a publish whose id the sidecar makes is joined by its payload, and carries the event as it was delivered', async () => {
    publish('{"n": 1, "of": {"b": 2, "a": 1}}').ended({ kind: 'accepted' });
    publish('{"n": 2}').ended({ kind: 'accepted' });
    await stand.pass(WITHOUT_EVENT);
    const [before] = await rows();
    expect(before?.eventId).toBeUndefined();
    expect(before?.flags).toEqual(['The sidecar gave it an id, which the tap learns when the event passes.']);
    // The sidecar writes the members in another order.
    const event = eventOf({ id: 'made', data: { of: { a: 1, b: 2 }, n: 1 } });
    await delivered(event, answer(200));
    const [first, second] = await rows();
    expect(first).toMatchObject({ eventId: 'made', source: 'http', deliveries: [{ state: 'processed' }] });
    expect(first?.flags).toBeUndefined();
    expect(second).toMatchObject({ deliveries: [] });
    expect((await stand.message(first?.messageId ?? '')).wire.body).toBe(event);
  });

  test('a publish whose event does not come has the time at which it passed', async () => {
    const ms = stand.clock.now();
    publish('{"n":1}', { at: { ms: ms - 40, mono: stand.clock.monotonic() - 40 } });
    publish('{"n":2}');
    await stand.pass(3000);
    const [first, second] = await rows();
    const timeOf = async (id = ''): Promise<unknown> => JSON.parse((await stand.message(id)).wire.body).time;
    const seconds = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
    expect([await timeOf(first?.messageId), await timeOf(second?.messageId)]).toEqual([
      seconds(ms - 40),
      seconds(ms),
    ]);
  });

  test('a publish that comes some time after the one before is a message at once', async () => {
    for (let n = 1; n <= 3; n += 1) {
      publish(`{"n":${n}}`).ended({ kind: 'accepted' });
      expect(await rows()).toHaveLength(n);
      await stand.pass(50);
    }
    publish('{"n":4}').ended({ kind: 'accepted' });
    publish('{"n":5}').ended({ kind: 'accepted' });
    expect(await rows()).toHaveLength(4);
    await delivered(eventOf({ id: 'made', data: { n: 2 } }), answer(200));
    expect((await rows()).map(({ eventId }) => eventId)).toEqual([undefined, 'made', undefined, undefined]);
  });

  test('of many publishes one whose id the sidecar makes becomes a message with its event, or a little later without it', async () => {
    publish('{"n":0}');
    const [late, early, , refused] = [1, 2, 3, 4].map((n) => publish(`{"n":${n}}`));
    refused?.ended({ kind: 'refused', reason: '403' });
    await stand.settle();
    const event = eventOf({ id: 'made', data: { n: 2 } });
    await delivered(event, answer(200));
    const told = async () =>
      (await rows()).slice(1).map(({ messageId, eventId, stage }) => [messageId, eventId, stage]);
    expect(await told()).toEqual([
      [early?.messageIds[0], 'made', undefined],
      [refused?.messageIds[0], undefined, 'refused'],
    ]);
    const [, { flags } = {}] = await rows();
    expect(flags).toBeUndefined();
    await stand.pass(WITHOUT_EVENT);
    await delivered(eventOf({ id: 'later', data: { n: 1 } }), answer(200));
    expect(await told()).toEqual([
      [late?.messageIds[0], 'later', undefined],
      [early?.messageIds[0], 'made', undefined],
      [expect.any(String), undefined, undefined],
      [refused?.messageIds[0], undefined, 'refused'],
    ]);
  });

  test('what has passed is in the history at once where it is asked for', async () => {
    const late: { readonly messageIds: readonly string[] }[] = [];
    stand.runtime.tapObserver.connect('shop', {
      rules: NO_RULES,
      send: () => Promise.resolve(''),
      ...NOTHING,
      report: () => void late.push(publish('{"n":2}')),
    });
    publish('{"n":0}').ended({ kind: 'accepted' });
    publish('{"n":1}').ended({ kind: 'accepted' });
    await stand.settle();
    expect(await rows()).toHaveLength(1);
    const caughtUp = stand.runtime.tapsCaughtUp();
    await stand.settle();
    expect(await caughtUp).toBe(true);
    expect((await rows()).map(({ messageId }) => messageId)).toEqual([
      expect.any(String),
      expect.any(String),
      late[0]?.messageIds[0],
    ]);
  });

  test('an event that says less than its publish leaves what the sidecar was expected to make', async () => {
    publish('{"n":1}').ended({ kind: 'accepted' });
    await delivered(JSON.stringify({ id: 'made', data: { n: 1 } }), answer(200));
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      eventId: 'made',
      eventType: 'com.dapr.event.sent',
      contentType: 'application/json',
      source: 'http',
    });
    expect(row?.flags).toBeUndefined();
  });

  test('while events of others come a publish waits for its own, but no longer than three seconds', async () => {
    publish('{"first":true}').ended({ kind: 'accepted' });
    publish('{"n":0}').ended({ kind: 'accepted' });
    const counts: number[] = [];
    for (let n = 1; n <= 8; n += 1) {
      publish(`{"n":${n}}`).ended({ kind: 'accepted' });
      await stand.pass(WITHOUT_EVENT - 100);
      await delivered(eventOf({ id: `e${n}`, data: { n } }), answer(200));
      counts.push((await rows()).length);
    }
    expect(counts).toEqual([2, 3, 4, 5, 6, 7, 8, 10]);
  });

  test('publishes whose time is over at the same moment become messages a hundred at a time', async () => {
    for (let n = 0; n < 250; n += 1) publish(`{"n":${n}}`).ended({ kind: 'accepted' });
    const counts: number[] = [];
    await stand.pass(WITHOUT_EVENT);
    for (let n = 0; n < 3; n += 1) {
      counts.push((await stand.journal.stats()).messages);
      await stand.pass(1);
    }
    // The first one has none before it.
    expect(counts).toEqual([101, 201, 250]);
  });

  test('publishes that wait for their events are messages once Sidelight ends, and beyond 5,000 at once', async () => {
    for (let n = 0; n <= 5_001; n += 1) publish(`{"n":${n}}`).ended({ kind: 'accepted' });
    await stand.settle();
    // The first one has none before it.
    expect((await stand.journal.stats()).messages).toBe(2);
    await stand.stop();
    await stand.start();
    expect((await stand.journal.stats()).messages).toBe(5_002);
  });

  test.each([
    ['few members', 3],
    ['many members', 40],
  ])('a publish of %s is joined with its event, whatever their order', async (_, count) => {
    const members = Array.from(
      { length: count },
      (__, n) => `"m${(n * 7) % count}":{"b":1,"__proto__":2,"a":[3]}`,
    );
    publish(`{${members.join(',')}}`).ended({ kind: 'accepted' });
    const data = `{${members.toReversed().join(',').replaceAll('"b":1,"__proto__":2', '"__proto__":2,"b":1')}}`;
    await delivered(eventOf({ id: 'made' }).replace(/}$/, `,"data":${data}}`), answer(200));
    // The member with that name counts like any other.
    await delivered(
      eventOf({ id: 'other' }).replace(/}$/, `,"data":${data.replaceAll(':2', ':4')}}`),
      answer(200),
    );
    expect((await rows()).map(({ eventId, source }) => [eventId, source])).toEqual([
      ['made', 'http'],
      ['other', 'elsewhere'],
    ]);
  });

  test('equal payloads published twice are two messages, matched in order', async () => {
    publish('{"n":1}').ended({ kind: 'accepted' });
    publish('{"n":1}').ended({ kind: 'accepted' });
    await delivered(eventOf({ id: 'a', data: { n: 1 } }), answer(200));
    await delivered(eventOf({ id: 'b', data: { n: 1 } }), answer(200));
    expect((await rows()).map(({ eventId }) => eventId)).toEqual(['a', 'b']);
  });

  test('equal payloads are matched in order also when one in between was refused', async () => {
    const [first, refused, last] = [publish('{"n":1}'), publish('{"n":1}'), publish('{"n":1}')];
    first.ended({ kind: 'accepted' });
    last.ended({ kind: 'accepted' });
    refused.ended({ kind: 'refused', reason: '403' });
    for (const id of ['a', 'b', 'c']) await delivered(eventOf({ id, data: { n: 1 } }), answer(200));
    expect((await rows()).map(({ eventId, stage, source }) => [eventId, stage, source])).toEqual([
      ['a', undefined, 'http'],
      [undefined, 'refused', 'http'],
      ['b', undefined, 'http'],
      ['c', undefined, 'elsewhere'],
    ]);
  });

  test('a raw publish is joined by its bytes, and a delivery to a raw subscription by its event', async () => {
    publish('{"id":"x","n":1}', { metadata: { rawPayload: 'true' } }).ended({ kind: 'accepted' });
    await delivered('{"id":"x","n":1}', answer(200));
    publish('{"n":2}').ended({ kind: 'accepted' });
    await delivered(eventOf({ id: 'e2', data: { n: 2 } }), answer(200), {
      subscription: { ...ORDERS, rawPayload: true },
    });
    expect(await rows()).toMatchObject([
      { source: 'http', raw: true, deliveries: [{ state: 'processed' }] },
      { source: 'http', eventId: 'e2', deliveries: [{ state: 'processed' }] },
    ]);
  });

  test('bytes that are text are joined with that text, and other bytes with equal bytes', async () => {
    const bytes = { contentType: 'application/octet-stream' };
    publish('hello', bytes).ended({ kind: 'accepted' });
    publish('\u0001\ufffd', { ...bytes, body: Buffer.from([0xff, 0xfe]) }).ended({ kind: 'accepted' });
    await delivered(eventOf({ id: 'bytes', data_base64: '//4=' }), answer(200));
    await delivered(eventOf({ id: 'text', datacontenttype: 'text/plain', data: 'hello' }), answer(200));
    expect((await rows()).map(({ eventId, source }) => [eventId, source])).toEqual([
      ['text', 'http'],
      ['bytes', 'http'],
    ]);
  });

  test('an event without an observed publish is from elsewhere', async () => {
    await delivered(eventOf({ id: 'e9', subject: 'theirs', data: 1 }), answer(200));
    expect(await rows()).toMatchObject([
      {
        source: 'elsewhere',
        tap: 'shop',
        eventId: 'e9',
        subject: 'theirs',
        deliveries: [{ state: 'processed' }],
      },
    ]);
  });

  test('a bulk publish is a message for each entry, and an entry of a batch has its own verdict', async () => {
    const entry = (entryId: string, n: number): object => ({
      entryId,
      event: { n },
      contentType: 'application/json',
    });
    publish(JSON.stringify([entry('1', 1), entry('2', 2)]), { isBulk: true }).ended({ kind: 'accepted' });
    const events = [1, 2].map((n) => ({ entryId: `x${n}`, wire: eventOf({ id: `e${n}`, data: { n } }) }));
    const statuses = [
      { entryId: 'x1', status: 'SUCCESS' },
      { entryId: 'x2', status: 'RETRY' },
    ];
    await delivered('', answer(200, { statuses }), { events, isBulk: true });
    expect(await rows()).toMatchObject([
      { source: 'bulk', eventId: 'e1', deliveries: [{ state: 'processed' }] },
      { source: 'bulk', eventId: 'e2', deliveries: [{ state: 'retrying' }] },
    ]);
    stand.clock.advance(1000);
    const { points } = stand.runtime.figures.metrics(60).history ?? { points: [] };
    expect(points.filter(({ published }) => published > 0)).toMatchObject([{ published: 2, bulk: 2 }]);
  });

  test('a publish that the sidecar refuses is refused, with its answer', async () => {
    publish('{"n":1}').ended({ kind: 'refused', reason: '403 topic is not allowed' });
    expect(await rows()).toMatchObject([
      { stage: 'refused', flags: ['The sidecar refused it: 403 topic is not allowed'] },
    ]);
  });
});

describe('states', () => {
  const EVENT = eventOf({ id: 'e1', data: 1 });

  test.each([
    [answer(200, { status: 'DROP' }), 'dropped', 'single.2xx.drop'],
    [answer(404), 'dropped', 'single.404'],
    [answer(500), 'retrying', 'single.other'],
    [answer(200, { status: 'RETRY' }), 'retrying', 'single.2xx.retry'],
    [{ kind: 'none', code: 'reset', message: 'gone' } as const, 'retrying', 'policy.no-answer'],
  ])('%j leads to %s', async (received, state, rule) => {
    await delivered(EVENT, received);
    const { delivery } = await only();
    expect(delivery).toMatchObject({ state, maxAttempts: 0 });
    expect(delivery.transitions.at(-1)?.rule).toBe(rule);
  });

  test('after RETRY a delivery has no time of the next attempt, and the same event again is its next attempt', async () => {
    await delivered(EVENT, answer(503));
    const { delivery } = await only();
    expect(delivery.nextAttemptAt).toBeUndefined();
    expect(delivery.transitions.at(-1)?.note).toBe('The sidecar decides when it is sent again.');
    await stand.pass(1_000);
    await delivered(EVENT, answer(200));
    const after = await only();
    expect(after.delivery).toMatchObject({
      state: 'processed',
      attempts: [{ number: 1 }, { number: 2, waitedMs: 1_000 }],
    });
  });

  test('an event that is sent again after its end continues the same delivery', async () => {
    await delivered(EVENT, answer(200));
    await stand.settle();
    await delivered(EVENT, answer(200));
    const { delivery } = await only();
    expect(delivery.transitions.map(({ rule }) => rule)).toContain('tap.again');
    expect(delivery).toMatchObject({ state: 'processed', attempts: [{ number: 1 }, { number: 2 }] });
  });

  test('after ten minutes without another attempt a delivery stays retrying and counts as finished', async () => {
    await delivered(EVENT, answer(503));
    await stand.pass(TEN_MINUTES - 1);
    expect((await only()).delivery.transitions.at(-1)?.rule).toBe('single.other');
    await stand.pass(1);
    const { delivery, messageId } = await only();
    expect(delivery.transitions.at(-1)).toMatchObject({
      from: 'retrying',
      to: 'retrying',
      rule: 'tap.silent',
      note: 'Not seen again.',
    });
    const pruned = await stand.runtime.journal.prune(
      { maxMessages: 0, maxBytes: 0, olderThanMs: 0 },
      stand.clock.now(),
      10,
    );
    expect(pruned.removed).toBe(1);
    await expect(stand.message(messageId)).rejects.toThrow();
  });

  test('retention keeps a retrying delivery until it is silent, even over a restart', async () => {
    await delivered(EVENT, answer(503));
    await stand.stop();
    await stand.start();
    const keep = { maxMessages: 0, maxBytes: 0, olderThanMs: 0 };
    expect((await stand.runtime.journal.prune(keep, stand.clock.now(), 10)).removed).toBe(0);
    await stand.pass(TEN_MINUTES);
    expect((await stand.runtime.journal.prune(keep, stand.clock.now(), 10)).removed).toBe(1);
  });

  test('a call that was under way when Sidelight ended is left to its sidecar', async () => {
    await deliver(EVENT).passage;
    await stand.settle();
    stand.crash();
    await stand.start();
    const { delivery } = await only();
    expect(delivery).toMatchObject({ state: 'retrying' });
    expect(delivery.transitions.at(-1)?.rule).toBe('tap.lost');
    // The sidecar sends it again after the restart: the next attempt of the same delivery.
    await delivered(EVENT, answer(200));
    expect((await only()).delivery).toMatchObject({ state: 'processed', attempts: [{ number: 2 }] });
  });

  test('an observed topic is known as such after a restart, and its messages do not count as without a subscription', async () => {
    publish('{"n":1}', { topic: 'bills' });
    publish('{"n":2}', { topic: 'bills' });
    await stand.pass(WITHOUT_EVENT);
    await delivered(EVENT, answer(200));
    await stand.settle();
    const before = stand.runtime.topology.topics();
    await stand.stop();
    await stand.start();
    const after = stand.runtime.topology.topics();
    const told = ({ topic, published, counts, taps }: (typeof after)[number]) => ({
      topic,
      published,
      counts,
      taps,
    });
    expect(after.map(told)).toEqual(before.map(told));
    expect(after.find(({ topic }) => topic === 'bills')).toMatchObject({ counts: {}, taps: ['shop'] });
  });

  test('a removed message that was observed leaves the count of ours without a subscription alone', async () => {
    await stand.publish('bills', { pubsubname: 'pubsub' });
    publish('{"n":1}', { pubsubname: 'pubsub', topic: 'bills' });
    const observed = (await rows()).filter(({ tap }) => tap !== undefined);
    await stand.runtime.removals.removeAtOnce(observed.map(({ messageId }) => messageId));
    const [bills] = stand.runtime.topology.topics();
    expect(bills).toMatchObject({ topic: 'bills', published: 1, counts: { none: 1 } });
  });

  test('an event that had ended before a restart and is sent again is the next attempt of its delivery', async () => {
    await delivered(EVENT, answer(200));
    await stand.stop();
    await stand.start();
    await delivered(EVENT, answer(200));
    expect((await only()).delivery).toMatchObject({
      state: 'processed',
      attempts: [{ number: 1 }, { number: 2 }],
    });
  });

  test('an event whose id is too long for its row is found again after a restart', async () => {
    const event = eventOf({ id: 'x'.repeat(20_000), data: 1 });
    await delivered(event, answer(200));
    await stand.stop();
    await stand.start();
    await delivered(event, answer(200));
    expect((await only()).delivery.attempts).toHaveLength(2);
  });

  test('long members of a publish are cut in its row', async () => {
    publish('{"n":1}').ended({ kind: 'accepted' });
    await rows();
    const long = 'x'.repeat(20_000);
    const event = { id: long, type: long, subject: long, datacontenttype: long, data: { n: 1 } };
    await delivered(eventOf(event), answer(200));
    const cut = `${'x'.repeat(16_383)}…`;
    const names = { eventId: cut, eventType: cut, subject: cut, contentType: cut };
    expect(await rows()).toMatchObject([{ ...names, source: 'http', deliveries: [{ state: 'processed' }] }]);
  });

  test('an event from elsewhere is cut in its row, and a topic that has no room there is that of its subscription', async () => {
    const long = 'x'.repeat(20_000);
    const pattern = { ...ORDERS, topic: 'orders.*' };
    const event = eventOf({ id: 'e1', datacontenttype: long, topic: long, data: 1 });
    await delivered(event, answer(200), { subscription: pattern, topic: long });
    expect(await rows()).toMatchObject([{ topic: 'orders.*', contentType: `${'x'.repeat(16_383)}…` }]);
  });

  test('404 means what the release of the real sidecar makes of it', async () => {
    const later = { profile: PROFILES['dapr-1.18'] };
    await delivered(EVENT, answer(404), later);
    expect((await only()).delivery.transitions.at(-1)?.rule).toBe('single.404.drop');
  });

  test('a history that could not be read for once is asked again with the next event', async () => {
    const scan = vi.spyOn(stand.journal, 'scan').mockRejectedValueOnce(new Error('busy'));
    onTestFinished(() => scan.mockRestore());
    await delivered(eventOf({ id: 'e1' }), answer(200));
    expect(stand.runtime.tapObserver).toMatchObject({ missed: 1, missedWhy: 'busy' });
    await delivered(eventOf({ id: 'e2' }), answer(200));
    expect((await only()).delivery.state).toBe('processed');
  });

  test('observed deliveries never count in the backlog', async () => {
    stand.settings.set('delivery.backlog', 1);
    for (const id of ['a', 'b', 'c']) await delivered(eventOf({ id, data: id }), answer(503));
    await expect(stand.publish('mine')).resolves.toMatch(/^msg/);
  });
});

test.each([
  ['a payload', '{"n":1}', { data: { n: 1 } }],
  ['an id', eventOf({ id: 'own', data: 2 }), { id: 'own', data: 2 }],
])(
  'a publish with %s through one tap is joined with its delivery through another that reports before it',
  async (_, body, event) => {
    let waits = true;
    const contentType = 'application/cloudevents+json';
    const more = { appId: 'mail', ...('id' in event ? { contentType } : {}) };
    stand.runtime.tapObserver.connect('mail', {
      rules: { any: false, answerTo: () => undefined },
      send: () => Promise.resolve(''),
      report,
      reportInTurns: (until) => {
        expect(until).toEqual({ ms: 5, mono: 5 });
        if (waits) publish(body, more).ended({ kind: 'accepted' });
        waits = false;
        return undefined;
      },
    });
    await delivered(eventOf({ id: 'made', ...event }), answer(200), { at: { ms: 5, mono: 5 } });
    expect(await rows()).toMatchObject([
      { appId: 'mail', tap: 'mail', source: 'http', deliveries: [{ appId: 'shop', state: 'processed' }] },
    ]);
  },
);

test('an event from elsewhere waits until another tap has reported in turns, and an export waits for it', async () => {
  let goOn = (): void => undefined;
  const turns = new Promise<void>((done) => (goOn = done));
  stand.runtime.tapObserver.connect('mail', {
    rules: { any: false, answerTo: () => undefined },
    send: () => Promise.resolve(''),
    report,
    reportInTurns: () => turns,
  });
  const call = deliver(eventOf({ id: 'made', data: { n: 1 } }));
  let isCaughtUp = false;
  const caughtUp = stand.runtime.tapsCaughtUp().then(() => (isCaughtUp = true));
  expect([await rows(), isCaughtUp]).toEqual([[], false]);
  publish('{"n":1}', { appId: 'mail' }).ended({ kind: 'accepted' });
  goOn();
  await call.passage;
  await stand.settle();
  await caughtUp;
  await call.answered(answer(200));
  expect(await rows()).toMatchObject([
    { appId: 'mail', tap: 'mail', deliveries: [{ appId: 'shop', state: 'processed' }] },
  ]);
});

describe('acts on observed deliveries', () => {
  const EVENT = eventOf({ id: 'e1', data: { n: 1 } });

  test('a hold keeps a delivery from the app until it is released, and the app gets an edit instead', async () => {
    await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
    const call = deliver(EVENT, { mayStop: true });
    const { delivery } = await only();
    expect(delivery.state).toBe('held');
    const { deliveryId } = delivery;
    await stand.runtime.deliveryActions.release({ deliveryId }, { data: { n: 2 } });
    const passage = await call.passage;
    expect(passage.kind).toBe('changed');
    const [wire] = passage.kind === 'changed' ? passage.wires.values() : [];
    expect(JSON.parse(String(wire))).toMatchObject({ id: 'e1', data: { n: 2 } });
    const sent = { headers: { 'content-length': '2' }, body: JSON.stringify([wire]) };
    expect((await only()).delivery.attempts).toMatchObject([{ number: 1, request: sent }]);
    await call.answered(answer(200));
    const ended = { state: 'processed', attempts: [{ number: 1, request: sent }] };
    expect((await only()).delivery).toMatchObject(ended);
    expect(JSON.stringify((await only()).delivery.attempts)).not.toContain('secret');
  });

  test('the app gets an edit also where its attempt cannot be recorded', async () => {
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const requestWith = (): never => {
      throw new Error('no text of it');
    };
    const call = deliver(EVENT, { mayStop: true, requestWith });
    const { delivery } = await only();
    await stand.runtime.deliveryActions.release({ deliveryId: delivery.deliveryId }, { data: { n: 2 } });
    const passage = await call.passage;
    const [wire] = passage.kind === 'changed' ? passage.wires.values() : [];
    expect(JSON.parse(String(wire))).toMatchObject({ id: 'e1', data: { n: 2 } });
    expect(stand.runtime.tapObserver.missedWhy).toBe('no text of it');
  });

  test('a held delivery whose publish had ended before is released by its message too', async () => {
    publish('{"n":1}').ended({ kind: 'accepted' });
    await stand.settle();
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const call = deliver(EVENT, { mayStop: true });
    const { messageId } = await only();
    await stand.runtime.deliveryActions.release({ messageId }, { data: { n: 2 } });
    expect((await call.passage).kind).toBe('changed');
    expect((await only()).delivery.state).toBe('attempting');
  });

  test('a held delivery retries when its sidecar stops waiting, and the next attempt passes the hold', async () => {
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const call = deliver(EVENT, { mayStop: true });
    await stand.settle();
    call.lost('The sidecar closed the connection.');
    const { delivery } = await only();
    expect(delivery).toMatchObject({ state: 'retrying', attempts: [] });
    expect(delivery.transitions.at(-1)).toMatchObject({ rule: 'tap.lost' });
  });

  test('no rule answers a held delivery whose sidecar no longer waits', async () => {
    const asked: RuledCall[] = [];
    const rules: TapRules = { any: true, answerTo: (one) => void asked.push(one) };
    stand.runtime.tapObserver.connect('shop', { ...NOTHING, rules, send: () => Promise.resolve('') });
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const call = deliver(EVENT, { mayStop: true });
    await stand.settle();
    call.lost('The sidecar closed the connection.');
    expect(await call.passage).toEqual({ kind: 'pass' });
    expect(asked).toEqual([]);
  });

  test.each([
    [
      { ruleId: 'r1', name: 'outage' },
      `Sidelight's rule "outage" answered 503: its sidecar decides whether it tries again.`,
    ],
    [{ ruleId: 'r1' }, 'A rule of Sidelight answered 503: its sidecar decides whether it tries again.'],
  ])('an answer of the rule %o is logged as its answer, not as one of the app', async (by, said) => {
    const ruled = { by, answer: Promise.resolve(answer(503)), gone: () => undefined };
    const rules: TapRules = { any: true, answerTo: () => ruled };
    stand.runtime.tapObserver.connect('shop', { ...NOTHING, rules, send: () => Promise.resolve('') });
    await deliver(EVENT, { mayStop: true }).passage;
    const { messageId, delivery } = await only();
    expect(stand.logged('warn')).toEqual([said]);
    const [last] = delivery.transitions.slice(-1);
    if (last === undefined) throw new Error('it has no transition');
    const message = await stand.message(messageId);
    expect(causeSentence(last, delivery, message, () => undefined)).toBe(`${said} A warning was logged.`);
  });

  test('rules that fail keep no delivery from the app, and that is logged', async () => {
    const answerTo = (): never => {
      throw new Error('a rule broke');
    };
    const rules: TapRules = { any: true, answerTo };
    stand.runtime.tapObserver.connect('shop', { ...NOTHING, rules, send: () => Promise.resolve('') });
    expect(await deliver(EVENT, { mayStop: true }).passage).toEqual({ kind: 'pass' });
    expect(stand.logged('error')).toEqual([expect.stringContaining('a rule broke')]);
  });

  test('a held answer that was changed counts, and is sent to the sidecar', async () => {
    await stand.runtime.holds.add({ at: 'response', filter: '' });
    const call = deliver(EVENT);
    await call.passage;
    const sent = call.answered(answer(500));
    const { delivery } = await only();
    expect(delivery.heldAt).toBe('response');
    await stand.runtime.deliveryActions.release({ deliveryId: delivery.deliveryId }, undefined, {
      kind: 'respond',
      status: 200,
      body: { status: 'DROP' },
    });
    expect(await sent).toMatchObject({ kind: 'response', status: 200 });
    expect((await only()).delivery.state).toBe('dropped');
  });

  test('an answer by a person instead of the app counts, and the app is not called', async () => {
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const call = deliver(EVENT, { mayStop: true });
    const { delivery } = await only();
    const reply = { kind: 'respond', status: 200, body: { status: 'RETRY' } } as const;
    await stand.runtime.deliveryActions.release({ deliveryId: delivery.deliveryId }, undefined, reply);
    expect(await call.passage).toMatchObject({ kind: 'answered', answer: { status: 200 } });
    const after = (await only()).delivery;
    expect(after).toMatchObject({
      state: 'retrying',
      attempts: [{ word: 'RETRY', answeredBy: { ruleId: 'by-hand' } }],
    });
    expect(after.transitions.at(-1)?.note).toMatch(/^A person gave this answer. The sidecar decides/);
  });

  test.each(['response', 'delivery'] as const)(
    'a word for every entry, given to one event that is held at %s, is its word',
    async (at) => {
      await stand.runtime.holds.add({ at, filter: '' });
      const call = deliver(EVENT, { mayStop: true });
      await stand.settle();
      if (at === 'response') void call.answered(answer(200));
      const { deliveryId } = (await only()).delivery;
      const reply = { kind: 'respond-bulk', status: 200, statuses: 'all-drop' } as const;
      await stand.runtime.deliveryActions.release({ deliveryId }, undefined, reply);
      expect((await only()).delivery.state).toBe('dropped');
    },
  );

  test('an entry of a batch that is answered without a word has none, whatever the others have', async () => {
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    deliver(EVENT, { mayStop: true });
    const { deliveryId } = (await only()).delivery;
    const statuses = { '#1': null, '*': 'DROP' } as const;
    await stand.runtime.deliveryActions.release({ deliveryId }, undefined, {
      kind: 'respond-bulk',
      status: 200,
      statuses,
    });
    expect((await only()).delivery.state).toBe('processed');
  });

  test.each(['retry', 'drop', 'hold', 'deadLetter'] as const)(
    "%s is the sidecar's, and refused",
    async (act) => {
      await delivered(EVENT, answer(503));
      const { deliveryId } = (await only()).delivery;
      await expect(stand.runtime.deliveryActions[act]({ deliveryId })).rejects.toMatchObject({
        code: 'TRANSITION_NOT_ALLOWED',
        message: expect.stringContaining('the sidecar of shop makes this delivery'),
      });
    },
  );

  test('a running call of the sidecar cannot be cancelled here', async () => {
    deliver(EVENT, { mayStop: false });
    const { deliveryId, state } = (await only()).delivery;
    expect(state).toBe('attempting');
    await expect(stand.runtime.runningCalls.cancel(deliveryId)).rejects.toMatchObject({
      code: 'TRANSITION_NOT_ALLOWED',
      message: expect.stringContaining('the sidecar of shop makes this delivery'),
    });
  });

  test.each([
    ['in a state that the act leaves', 503],
    ['in another state', 200],
  ])('an act on several leaves an observed delivery unchanged with the reason: %s', async (_, status) => {
    await delivered(EVENT, answer(status));
    const { deliveryId, state } = (await only()).delivery;
    const reason = expect.stringContaining('the sidecar of shop makes this delivery');
    expect(await stand.runtime.deliveryActions.retry({ filter: 'topic:orders' })).toEqual({
      changed: 0,
      refused: [{ deliveryId, code: 'TRANSITION_NOT_ALLOWED', state, reason }],
    });
  });

  test('a replay goes through the sidecar behind the tap', async () => {
    await delivered(EVENT, answer(200));
    const { messageId } = await only();
    const sent: object[] = [];
    stand.runtime.tapObserver.connect('shop', {
      ...NOTHING,
      rules: NO_RULES,
      send: (one) => Promise.resolve(`msg_${sent.push(one)}`),
    });
    expect(await stand.runtime.replay.replay(messageId, { data: { n: 5 } }, undefined)).toEqual({
      messageId: 'msg_1',
    });
    expect(sent).toMatchObject([
      {
        pubsubname: 'redis',
        topic: 'orders',
        contentType: 'application/cloudevents+json',
        replayOf: messageId,
      },
    ]);
    stand.runtime.tapObserver.connect('shop', {
      ...NOTHING,
      rules: NO_RULES,
      send: () => Promise.reject(new Error('the sidecar answered 403')),
    });
    await expect(stand.runtime.replay.replay(messageId, undefined, 'topic')).rejects.toThrow(
      'the sidecar answered 403',
    );
  });
});

test('a publish at a tap that another app may have got is not marked by its replay', async () => {
  publish(eventOf({ id: 'e1', data: { n: 1 } }), { contentType: 'application/cloudevents+json' }).ended({
    kind: 'accepted',
  });
  await stand.settle();
  const messageId = (await rows())[0]?.messageId ?? '';
  await stand.runtime.replay.replay(messageId, { pubsubname: 'pubsub' }, undefined);
  await stand.settle();
  expect(await stand.message(messageId)).not.toHaveProperty('replayedAs');
});

test('a replay of raw bytes whose content type was cut says so, and takes another one', async () => {
  const contentType = `text/plain; of="${'x'.repeat(20_000)}"`;
  const entry = { entryId: '1', contentType, metadata: {}, event: Buffer.from('x') };
  publish('', { isBulk: true, protocol: 'grpc', metadata: { rawPayload: 'true' }, body: [entry] }).ended({
    kind: 'accepted',
  });
  const [row] = await rows();
  expect(row?.raw).toBe(true);
  expect(row?.contentType.length).toBe(16_384);
  const sent: object[] = [];
  stand.runtime.tapObserver.connect('shop', {
    ...NOTHING,
    rules: NO_RULES,
    send: (one) => Promise.resolve(`msg_${sent.push(one)}`),
  });
  const { replay } = stand.runtime;
  await expect(replay.replay(row?.messageId ?? '', undefined, undefined)).rejects.toMatchObject({
    code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
    params: {
      reason:
        'the content type of the message has more than 16384 characters, and only its start was kept: give another one',
    },
  });
  expect(sent).toEqual([]);
  await replay.replay(row?.messageId ?? '', { contentType: 'text/plain' }, undefined);
  expect(sent).toMatchObject([{ contentType: 'text/plain' }]);
});

test('an unrecorded call names the disk as the reason, and not a slow history', async () => {
  publish('{"n":1}').ended({ kind: 'accepted' });
  await stand.pass(WITHOUT_EVENT);
  stand.journal.failure = new Error('the disk is full');
  publish('{"n":2}').ended({ kind: 'accepted' });
  await stand.pass(WITHOUT_EVENT);
  await vi.waitFor(() => {
    publish('{"n":3}').ended({ kind: 'accepted' });
    expect(stand.runtime.tapObserver.missedWhy).toBe('the disk is full');
  });
  expect(stand.runtime.tapObserver.missed).toBeGreaterThan(0);
  expect(stand.logged('error')).toContain('1 record of what passed is missing: the disk is full');
  stand.journal.failure = undefined;
});

test('a report that fails is counted, and those of other taps are made', async () => {
  const fails = (): never => {
    throw new Error('it cannot be read');
  };
  const told = vi.fn<() => void>();
  const send = (): Promise<string> => Promise.resolve('');
  stand.runtime.tapObserver.connect('shop', { ...NOTHING, report: fails, rules: NO_RULES, send });
  stand.runtime.tapObserver.connect('other', { ...NOTHING, report: told, rules: NO_RULES, send });
  await stand.runtime.tapObserver.catchUp();
  expect(told).toHaveBeenCalledTimes(1);
  expect(stand.runtime.tapObserver).toMatchObject({ missed: 1, missedWhy: 'it cannot be read' });
});

test('a table, and a text that looks like many values, are recorded however long they are', async () => {
  const table = 'a,b:c\n'.repeat(300_000);
  expect(publish(table, { contentType: 'text/plain' }).messageIds).toHaveLength(1);
  expect(publish(`[${table}`, { contentType: 'text/csv' }).messageIds).toHaveLength(1);
  const entry = { entryId: '1', event: Buffer.from(`[${table}`), contentType: 'text/csv', metadata: {} };
  expect(publish('', { body: [entry], isBulk: true, protocol: 'grpc' }).messageIds).toHaveLength(1);
  const call = deliver(table, { subscription: { ...ORDERS, rawPayload: true } });
  await call.answered(answer(200));
  await stand.settle();
  expect(stand.runtime.tapObserver.missed).toBe(0);
});

test('a replay is recorded though the history cannot keep up', async () => {
  let go = (): void => undefined;
  stand.journal.sync = new Promise((resolve) => (go = resolve));
  const large = JSON.stringify('x'.repeat(14 * 1024 * 1024));
  for (let n = 0; n < 5; n += 1) publish(large);
  expect(publish('{"n":1}').messageIds).toEqual([]);
  expect(stand.runtime.tapObserver.missedWhy).toBe('the history cannot keep up');
  expect(publish('{"n":2}', { replayOf: 'msg_1' }).messageIds).toHaveLength(1);
  stand.journal.sync = undefined;
  go();
  await stand.settle();
  expect((await rows()).at(-1)).toMatchObject({ source: 'replay', replayOf: 'msg_1' });
});

test('a replay is not sent to the sidecar while the history can record nothing', async () => {
  await delivered(eventOf({ id: 'e1', data: {} }), answer(200));
  const { messageId } = await only();
  const sent: object[] = [];
  stand.runtime.tapObserver.connect('shop', {
    ...NOTHING,
    rules: NO_RULES,
    send: (one) => Promise.resolve(`msg_${sent.push(one)}`),
  });
  stand.journal.failure = new Error('the disk is full');
  publish('{"n":1}').ended({ kind: 'accepted' });
  await stand.pass(WITHOUT_EVENT);
  await expect(stand.runtime.replay.replay(messageId, undefined, undefined)).rejects.toMatchObject({
    code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
    params: { reason: 'the disk is full' },
  });
  expect(sent).toEqual([]);
  stand.journal.failure = undefined;
});

test('a replay is recorded whatever number of values it has', () => {
  const many = `[${'1,'.repeat(401_000)}1]`;
  const [id] = publish(many, { replayOf: 'msg_1' }).messageIds;
  expect(id).not.toBe('');
  expect(id).toBeDefined();
});

test('a call of more than 400,000 values passes, and is counted instead of recorded', async () => {
  const values = (count: number): string => `[${'1,'.repeat(count - 1)}1]`;
  publish(values(399_000)).ended({ kind: 'accepted' });
  await stand.pass(WITHOUT_EVENT);
  expect(stand.runtime.tapObserver.missed).toBe(0);
  expect(publish(values(401_000)).messageIds).toEqual([]);
  const entries = Array.from({ length: 34_000 }, (_, n) => ({
    entryId: `${n}`,
    event: Buffer.from('1'),
    contentType: 'application/json',
    metadata: {},
  }));
  expect(publish('', { body: entries, isBulk: true, protocol: 'grpc' }).messageIds).toEqual([]);
  const call = deliver(`{"id":"many","specversion":"1.0","data":${values(401_000)}}`);
  expect(await call.passage).toEqual({ kind: 'pass' });
  await call.answered(answer(200));
  await stand.settle();
  expect(stand.runtime.tapObserver.missed).toBe(3);
  expect(stand.logged('error')).toContain(
    '1 record of what passed is missing: it has more than 400,000 values',
  );
  expect(stand.journal.records.filter(({ kind }) => kind === 'message.accepted')).toHaveLength(1);
});

test('an event that is reported late has the time at which it passed', async () => {
  const at = { ms: stand.clock.now() - 40, mono: stand.clock.monotonic() - 40 };
  const call = deliver(eventOf({ id: 'late', data: 1 }), { at });
  await call.passage;
  await call.answered(answer(200), { ms: at.ms + 15, mono: at.mono + 15 });
  const { delivery } = await only();
  const [row] = await rows();
  const passedAt = new Date(at.ms).toISOString();
  expect(row?.at).toBe(passedAt);
  expect(delivery.attempts).toMatchObject([{ startedAt: passedAt, durationMs: 15 }]);
});

describe('the time of a transition that is reported late', () => {
  /** A moment before now, as `passed` ms went by since. */
  const ago = (passed: number) => ({
    ms: stand.clock.now() - passed,
    mono: stand.clock.monotonic() - passed,
  });
  const timesOf = ({ transitions }: Delivery) => transitions.map(({ to, at }) => [to, Date.parse(at)]);

  test('is that at which the call or its answer passed', async () => {
    const [asked, answered] = [ago(40), ago(25)];
    const call = deliver(eventOf({ id: 'late', data: 1 }), { at: asked });
    await call.passage;
    await call.answered(answer(200), answered);
    expect(timesOf((await only()).delivery)).toEqual([
      ['queued', asked.ms],
      ['attempting', asked.ms],
      ['processed', answered.ms],
    ]);
  });

  test('is that of the cut, of the next call and of the copy on the dead-letter topic', async () => {
    const event = eventOf({ id: 'late', data: 1 });
    const subscription = { ...ORDERS, deadLetterTopic: 'dead' };
    const [first, cut, again, next, copied] = [ago(90), ago(80), ago(70), ago(60), ago(50)];
    deliver(event, { at: first, subscription }).lost('The sidecar closed the connection.', cut);
    deliver(event, { at: again, subscription });
    await deliver(event, { at: next, subscription }).answered(answer(503), ago(55));
    const asCopy = { ...ORDERS, topic: 'dead', defaultPath: '/dead' };
    deliver(event, { at: copied, subscription: asCopy, topic: 'orders', route: { path: '/dead' } });
    const [row] = await rows();
    expect(timesOf(await stand.delivery(row?.messageId ?? ''))).toEqual([
      ['queued', first.ms],
      ['attempting', first.ms],
      ['retrying', cut.ms],
      ['attempting', again.ms],
      ['retrying', next.ms],
      ['attempting', next.ms],
      ['retrying', stand.clock.now() - 55],
      ['dead-lettered', copied.ms],
    ]);
  });

  test('is that of the release if a hold held the call', async () => {
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const call = deliver(eventOf({ id: 'late', data: 1 }), { at: ago(40), mayStop: true });
    const { messageId } = await only();
    stand.clock.advance(500);
    await stand.runtime.deliveryActions.release({ messageId });
    await call.passage;
    const releasedAt = stand.clock.now();
    const times = timesOf((await only()).delivery);
    expect(times.at(-1)).toEqual(['attempting', releasedAt]);
  });
});
