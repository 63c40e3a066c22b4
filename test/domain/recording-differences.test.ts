// Differences of two recorded messages: everything that matters to an app, and nothing that always differs.
import { describe, expect, test, vi } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { comparableData, differencesOf } from '../../core/domain/recording/differences.ts';
import type { RecordedDelivery, RecordedMessage } from '../../core/domain/recording/recorded.ts';
import { attempt, messageRow } from '../adapters/journal-records.ts';

interface Given {
  readonly event?: object;
  readonly wire?: string;
  readonly row?: Partial<RecordedMessage['message']['row']>;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly deliveries?: readonly RecordedDelivery[];
}

function recorded({ event, wire, row, metadata = {}, deliveries = [] }: Given): RecordedMessage {
  const text = wire ?? JSON.stringify({ specversion: '1.0', data: 1, ...event });
  return {
    message: { row: messageRow(1, row), wire: text, metadata, givenContentType: 'application/json' },
    deliveries,
  };
}

function delivery(
  more: Partial<RecordedDelivery['delivery']> = {},
  answers: readonly number[] = [200],
): RecordedDelivery {
  return {
    delivery: {
      deliveryId: 'dlv_1',
      messageId: 'msg_1',
      appId: 'shop',
      subscription: { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' },
      route: { path: '/orders' },
      state: 'processed',
      maxAttempts: 3,
      attemptCount: answers.length,
      roundStart: 0,
      ...more,
    },
    attempts: answers.map((status, index) =>
      attempt({ number: index + 1, response: { status, headers: {}, body: '' } }),
    ),
    transitions: [],
  };
}

const differences = (
  before: Given,
  after: Given,
  apps: ReadonlyMap<string, string> = new Map(),
): readonly unknown[] => differencesOf(recorded(before), recorded(after), { codec: bufferCodec, apps });

describe('nothing differs', () => {
  test.each([
    ['com.dapr.event.sent', 'com.sidecar.event.sent'],
    ['com.sidecar.event.sent.bulk', 'com.dapr.event.sent.bulk'],
  ])('by types that sidecars of two profiles give: %s, %s', (one, other) => {
    const of = (eventType: string): Given => ({ event: { type: eventType }, row: { eventType } });
    expect(differences(of(one), of(other))).toEqual([]);
    expect(differences(of(one), of('order.created'))).toMatchObject([{ what: 'type', before: one }]);
  });

  test('by ids, moments, traces and the publisher', () => {
    const before = {
      id: 'a',
      time: '2026-01-01T00:00:00Z',
      traceparent: '00-1',
      source: 'shop',
      expiration: '1',
    };
    const after = {
      id: 'b',
      time: '2026-01-02T00:00:00Z',
      traceparent: '00-2',
      source: 'app',
      expiration: '2',
    };
    expect(
      differences(
        { event: before, row: { messageId: 'm1', eventId: 'a', traceId: '1', sizeBytes: 1 } },
        { event: after, row: { messageId: 'm2', eventId: 'b', traceId: '2', sizeBytes: 2 } },
      ),
    ).toEqual([]);
  });

  test('by the order of members and the space between values', () => {
    const before = '{"data":{"b":[1,{"y":1,"x":"\\u0041"}],"a":2}}';
    const after = '{ "data": { "a": 2, "b": [ 1, { "x": "A", "y": 1 } ] } }';
    expect(differences({ wire: before }, { wire: after })).toEqual([]);
  });
});

test('a payload of a thousand levels is read once, not once for each level', () => {
  const DEPTH = 995;
  const numbers = `[${'1, '.repeat(60_000)}1]`;
  const lists = '['.repeat(DEPTH) + numbers + ']'.repeat(DEPTH);
  const objects = '{ "a": '.repeat(DEPTH) + numbers + '}'.repeat(DEPTH);
  const slice = vi.spyOn(String.prototype, 'slice');
  for (const wire of [lists, objects]) {
    slice.mockClear();
    const given = recorded({ wire, row: { raw: true } });
    const compared = comparableData(given, bufferCodec);
    const read = slice.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
    expect(compared).toBe(`json ${wire.replaceAll(' ', '')}`);
    expect(read).toBeLessThan(10 * wire.length);
  }
});

describe('a difference has both sides', () => {
  test('the data, in one line', () => {
    expect(differences({ event: { data: { total: 1 } } }, { event: { data: { total: 2 } } })).toEqual([
      { what: 'data', before: '{"total":1}', after: '{"total":2}' },
    ]);
  });

  test('digits that a number of JavaScript would lose', () => {
    const event = (digits: string): string => `{"data":{"id":${digits}}}`;
    expect(
      differences({ wire: event('12345678901234567890') }, { wire: event('12345678901234567891') }),
    ).toHaveLength(1);
  });

  test('a text that looks like the JSON of the other side', () => {
    expect(differences({ event: { data: '1' } }, { event: { data: 1 } })).toHaveLength(1);
  });

  test('facts of the message', () => {
    expect(
      differences(
        { row: { eventType: 'a', stage: 'refused' }, metadata: { ttlInSeconds: '1' } },
        { event: { region: 'eu' }, row: { subject: 's', contentType: 'text/plain' } },
      ),
    ).toEqual([
      { what: 'contentType', before: 'application/json', after: 'text/plain' },
      { what: 'type', before: 'a' },
      { what: 'subject', after: 's' },
      { what: 'attributes', before: 'specversion: 1.0', after: 'region: eu, specversion: 1.0' },
      { what: 'metadata', before: 'ttlInSeconds: 1' },
      { what: 'stage', before: 'refused' },
    ]);
  });

  test('state, route and answers of a delivery', () => {
    expect(
      differences(
        { deliveries: [delivery({}, [503, 503, 200])] },
        { deliveries: [delivery({ state: 'parked', route: { path: '/other' } }, [503, 503, 503])] },
      ),
    ).toEqual([
      { what: 'state', appId: 'shop', before: 'processed', after: 'parked' },
      { what: 'route', appId: 'shop', before: '/orders', after: '/other' },
      { what: 'answers', appId: 'shop', before: '503 ×2, 200', after: '503 ×3' },
    ]);
  });

  test('a delivery to another app, and one that the other side does not have', () => {
    const billing = delivery({
      appId: 'billing',
      subscription: { pubsubname: 'pubsub', topic: 'all', source: 'programmatic' },
    });
    expect(
      differences({ deliveries: [delivery()] }, { deliveries: [delivery({ appId: 'app' }), billing] }),
    ).toEqual([
      { what: 'app', appId: 'shop', before: 'shop', after: 'app' },
      { what: 'delivery', appId: 'billing', after: 'processed' },
    ]);
  });

  test('a delivery to the same app under another id has only its outcome compared', () => {
    const billing = delivery({ appId: 'billing' });
    const apps = new Map([['shop', 'app']]);
    expect(
      differences(
        { deliveries: [delivery(), billing] },
        { deliveries: [billing, delivery({ appId: 'app', state: 'parked' })] },
        apps,
      ),
    ).toEqual([{ what: 'state', appId: 'shop', before: 'processed', after: 'parked' }]);
  });

  test('a long text is cut', () => {
    const [found] = differences({ row: { subject: 'x'.repeat(500) } }, {});
    expect(found).toMatchObject({ before: expect.stringMatching(/^x{200}…$/) });
  });
});

test('bytes, texts and a missing payload are different', () => {
  const given: readonly Given[] = [
    { wire: '{"data_base64":"AQ=="}' },
    { wire: '{"data":"AQ=="}' },
    { wire: '{}' },
    { wire: '{"data":null}' },
    { wire: 'AQ==', row: { raw: true } },
  ];
  const texts = given.map((each) => comparableData(recorded(each), bufferCodec));
  expect(new Set(texts).size).toBe(given.length);
});
