/** Which rule answers, turn by turn. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { randomIds } from '../../core/adapters/random-ids.ts';
import type { ResponseRule, RuleAnswer } from '../../core/contract/mock-app.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { respond } from '../../core/mock-app/answers/respond.ts';
import { batchOf } from '../../core/mock-app/grpc-incoming.ts';
import { readIncoming } from '../../core/mock-app/incoming.ts';
import type { Incoming } from '../../core/mock-app/incoming.ts';
import type { Reply } from '../../core/mock-app/reply.ts';
import { RuleBook } from '../../core/mock-app/rule-book.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { batch, single } from '../support/mock-app-parts.ts';
import type { SentEvent } from '../support/mock-app-parts.ts';

function answer(status: number): { kind: 'respond'; status: number } {
  return { kind: 'respond', status };
}

function rule(rest: Partial<ResponseRule> & { readonly answer: RuleAnswer }): ResponseRule {
  return { enabled: true, match: {}, ...rest };
}

function book(rules: readonly ResponseRule[], draws: number[] = []): RuleBook {
  const made = new RuleBook({
    appId: 'app',
    clock: new ManualClock(),
    ids: randomIds(),
    random: { next: () => draws.shift() ?? 0 },
    codec: bufferCodec,
  });
  made.set(rules);
  return made;
}

function delivery(event: SentEvent = {}, path = '/orders'): Incoming {
  const { body, headers } = single(event);
  return readIncoming(path, headers, Buffer.from(body));
}

function bulk(...events: readonly SentEvent[]): Incoming {
  const { body, headers } = batch(
    events.map((_, index) => `x${index}`),
    (index) => events[index] ?? {},
  );
  return readIncoming('/orders', headers, Buffer.from(body));
}

/** Status of the answer; undefined: no rule had one. */
function statusOf(of: RuleBook, incoming: Incoming = delivery()): number | undefined {
  const chosen = of.choose(incoming)?.answer;
  return chosen?.kind === 'respond' ? chosen.status : undefined;
}

function statuses(
  of: RuleBook,
  count: number,
  incoming: (n: number) => Incoming = () => delivery(),
): (number | undefined)[] {
  return Array.from({ length: count }, (_, n) => statusOf(of, incoming(n)));
}

describe('which requests a rule concerns', () => {
  test.each<[string, ResponseRule['match'], Incoming, boolean]>([
    ['nothing given', {}, delivery(), true],
    ['topic', { topic: 'orders' }, delivery(), true],
    ['topic in other case', { topic: 'Orders' }, delivery(), false],
    ['topic with *', { topic: 'ord*' }, delivery(), true],
    ['another topic', { topic: 'refunds' }, delivery(), false],
    [
      'topic, none in the body',
      { topic: 'orders' },
      readIncoming('/x', { pubsubname: 'p' }, Buffer.from('raw')),
      false,
    ],
    ['route', { route: '/orders' }, delivery(), true],
    ['route without slash', { route: 'orders' }, delivery(), true],
    ['route without the query', { route: '/orders' }, delivery({}, '/orders?a=1'), true],
    ['route with its query', { route: '/orders?a=1' }, delivery({}, '/orders?a=1'), true],
    ['another route', { route: '/order' }, delivery(), false],
    ['event type', { eventType: 't' }, delivery(), true],
    ['event type with *', { eventType: 'com.acme.*' }, delivery({ type: 'com.acme.x' }), true],
    ['another event type', { eventType: 'u' }, delivery(), false],
    ['filter on data', { filter: 'data.total>100' }, delivery({ data: { total: 120 } }), true],
    ['filter on data that fails', { filter: 'data.total>100' }, delivery({ data: { total: 20 } }), false],
    [
      'filter on topic, type, id, app, route',
      { filter: 'topic:orders type:t id:e1 app:app route:/orders' },
      delivery(),
      true,
    ],
    ['filter on text', { filter: '"late fee"' }, delivery({ data: { note: 'A Late Fee' } }), true],
    ['filter with NOT', { filter: '-topic:orders' }, delivery(), false],
    ['all must hold', { topic: 'orders', eventType: 'u' }, delivery(), false],
    ['a batch: topic', { topic: 'orders' }, bulk({}, {}), true],
    ['a batch: type of one entry', { eventType: 'u' }, bulk({}, { type: 'u' }), true],
    ['a batch: type of none', { eventType: 'u' }, bulk({}, {}), false],
    [
      'a batch: type and filter of the same entry',
      { eventType: 'u', filter: 'data.n:2' },
      bulk({ type: 'u', data: { n: 1 } }, { data: { n: 2 } }),
      false,
    ],
    ['an empty batch', { eventType: 't' }, readIncoming('/orders', {}, Buffer.from('{"entries":[]}')), false],
  ])('a rule matches by %s', (_name, match, incoming, expected) => {
    expect(statusOf(book([rule({ match, answer: answer(201) })]), incoming)).toBe(expected ? 201 : undefined);
  });

  test('attempts in a filter counts how often the event came', () => {
    const rules = book([rule({ match: { filter: 'attempts:>=3' }, answer: answer(404) })]);
    expect(statuses(rules, 4)).toEqual([undefined, undefined, 404, 404]);
    expect(statusOf(rules, delivery({ id: 'another' }))).toBeUndefined();
  });

  test('the first enabled match answers', () => {
    const rules = [
      rule({ enabled: false, answer: answer(500) }),
      rule({ match: { topic: 'other' }, answer: answer(501) }),
      rule({ answer: answer(201) }),
      rule({ answer: answer(202) }),
    ];
    expect(statusOf(book(rules))).toBe(201);
    expect(statusOf(book([]))).toBeUndefined();
  });
});

describe('how often a rule answers', () => {
  test('times answers only the first n requests, and then the next rule does', () => {
    const rules = book([rule({ times: 2, answer: answer(503) }), rule({ answer: answer(200) })]);
    expect(statuses(rules, 4)).toEqual([503, 503, 200, 200]);
  });

  test('times counts for each message with per: message', () => {
    const rules = book([rule({ times: 1, per: 'message', answer: answer(503) })]);
    const ids = ['a', 'b', 'a', 'b', 'c'];
    expect(statuses(rules, 5, (n) => delivery({ id: ids[n] ?? '' }))).toEqual([
      503,
      503,
      undefined,
      undefined,
      503,
    ]);
  });

  test.each([
    ['repeat-last', [500, 404, 404, 404, 404]],
    ['loop', [500, 404, 500, 404, 500]],
    ['next-rule', [500, 404, 200, 200, 200]],
  ] as const)('a sequence, then %s', (then, expected) => {
    const steps = [answer(500), answer(404)];
    const rules = book([rule({ answer: { kind: 'sequence', steps, then } }), rule({ answer: answer(200) })]);
    expect(statuses(rules, 5)).toEqual(expected);
  });

  test('a sequence with per: message is counted for each message', () => {
    const steps = [answer(503), answer(503), answer(200)];
    const rules = book([rule({ per: 'message', answer: { kind: 'sequence', steps, then: 'repeat-last' } })]);
    const ids = ['a', 'a', 'b', 'a', 'b', 'b'];
    expect(statuses(rules, 6, (n) => delivery({ id: ids[n] ?? '' }))).toEqual([503, 503, 503, 200, 503, 200]);
  });

  test('a batch takes the turn of its entry that was answered least often', () => {
    const steps = [answer(500), answer(501), answer(200)];
    const rules = book([rule({ per: 'message', answer: { kind: 'sequence', steps, then: 'repeat-last' } })]);
    const [a, b] = [{ id: 'a' }, { id: 'b' }];
    expect([bulk(a), bulk(a, b), bulk(a, b), bulk(a), bulk(b)].map((one) => statusOf(rules, one))).toEqual([
      500, 500, 501, 200, 200,
    ]);
  });

  test('the counters of all rules for single messages share a bound, and the oldest start again', () => {
    const rules = book(
      Array.from({ length: 500 }, () => rule({ times: 1, per: 'message', answer: answer(503) })),
    );
    const one = delivery({ id: 'one' });
    for (let n = 0; n < 50; n += 1) {
      const many = bulk(...Array.from({ length: 400 }, (_, at) => ({ id: `${'i'.repeat(300)}${at}` })));
      expect(statusOf(rules, many)).toBe(503);
    }
    // Each of 50 rules has a counter for 400 messages, so this one makes the oldest counter be forgotten.
    expect(statuses(rules, 2, () => one)).toEqual([503, 503]);
    expect(
      rules
        .rules()
        .map(({ hits }) => hits)
        .slice(0, 52),
    ).toEqual([...Array.from({ length: 2 }, () => 2), ...Array.from({ length: 48 }, () => 1), 0, 0]);
  });

  test('long ids are told apart', () => {
    const rules = book([rule({ times: 1, per: 'message', answer: answer(503) })]);
    const long = 'x'.repeat(5000);
    const ids = [`${long}a`, `${long}b`, `${long}a`];
    expect(statuses(rules, 3, (n) => delivery({ id: ids[n] ?? '' }))).toEqual([503, 503, undefined]);
  });

  test('a raw message is recognised by its data, because its wrapper has a new id each time', () => {
    const rules = book([rule({ times: 1, per: 'message', answer: answer(503) })]);
    const raw = (id: string, data: string): Incoming => delivery({ id, data_base64: data });
    expect([raw('1', 'aGk='), raw('2', 'aGk='), raw('3', 'bm8=')].map((one) => statusOf(rules, one))).toEqual(
      [503, undefined, 503],
    );
  });

  const OCTETS = 'application/octet-stream';

  function rawBatch(...texts: readonly string[]): Incoming {
    const entries = texts.map((text, i) => ({
      entryId: `x${i}`,
      event: Buffer.from(text).toString('base64'),
      contentType: OCTETS,
    }));
    return readIncoming('/orders', {}, Buffer.from(JSON.stringify({ entries, topic: 'orders' })));
  }

  function rawBatchOverGrpc(...texts: readonly string[]): Incoming {
    const entries = texts.map((text, i) => ({
      entry_id: `x${i}`,
      bytes: Buffer.from(text),
      content_type: OCTETS,
      metadata: {},
    }));
    const named = {
      id: 'b',
      metadata: {},
      topic: 'orders',
      pubsub_name: 'pubsub',
      type: 't',
      path: '/orders',
    };
    return { ...batchOf({ ...named, entries }), headers: {} };
  }

  describe.each([
    ['over HTTP', rawBatch],
    ['over gRPC', rawBatchOverGrpc],
  ])('entries of a batch for a raw subscription %s', (_protocol, raw) => {
    test('are recognised by their own bytes', () => {
      const rules = book([rule({ times: 1, per: 'message', answer: answer(503) })]);
      const sent = [raw('one', 'two'), raw('one'), raw('two', 'one'), raw('three')];
      expect(sent.map((one) => statusOf(rules, one))).toEqual([503, undefined, undefined, 503]);
    });

    test('count as received once each', () => {
      const rules = book([rule({ match: { filter: 'attempts:1' }, answer: answer(503) })]);
      expect([raw('one', 'two'), raw('two', 'one')].map((one) => statusOf(rules, one))).toEqual([
        503,
        undefined,
      ]);
    });

    test('are searched for their own data', () => {
      const rules = book([rule({ match: { filter: 'data.n:2 -data.n:1' }, answer: answer(503) })]);
      const sent = [raw('{"n":1}', '{"n":3}'), raw('{"n":1}', '{"n":2}'), raw('\xff', 'n 2')];
      expect(sent.map((one) => statusOf(rules, one))).toEqual([undefined, 503, undefined]);
    });

    test.each([
      ['bytes', raw('one', 'two')],
      ['an event without id', bulk({ id: '' }, { id: '' })],
      ['no event', readIncoming('/x', {}, Buffer.from('{"entries":[{"entryId":"a"},{"entryId":"b"}]}'))],
      ['a number', readIncoming('/x', {}, Buffer.from('{"entries":[{"entryId":"a","event":1}]}'))],
    ])('with %s need no text of the whole batch', (_what, incoming) => {
      const rules = book([rule({ answer: answer(503) })]);
      const body = (): Buffer => {
        throw new Error('the whole batch was read for an entry');
      };
      expect(statusOf(rules, Object.defineProperty({ ...incoming }, 'body', { get: body }))).toBe(503);
    });
  });

  test('a body that is no event is recognised by its bytes', () => {
    const rules = book([rule({ times: 1, per: 'message', answer: answer(503) })]);
    const bytes = (text: string): Incoming => readIncoming('/x', {}, Buffer.from(text));
    expect(
      [bytes('one'), bytes('one'), bytes('two'), bytes('eno')].map((one) => statusOf(rules, one)),
    ).toEqual([503, undefined, 503, 503]);
  });

  test.each([
    [0, 500],
    [0.199, 500],
    [0.2, 200],
    [0.999, 200],
  ])('a random answer for the number %d is %i', (draw, status) => {
    const of = [
      { share: 20, answer: answer(500) },
      { share: 80, answer: answer(200) },
    ];
    expect(statusOf(book([rule({ answer: { kind: 'random', of } })], [draw]))).toBe(status);
  });

  test('a random answer with shares of a third always exists', () => {
    const of = [500, 404, 200].map((status) => ({ share: 33.333, answer: answer(status) }));
    expect(statusOf(book([rule({ answer: { kind: 'random', of } })], [0.999999]))).toBe(200);
  });
});

describe('counters', () => {
  test('hits and the last time count answers, not matches', () => {
    const rules = book([rule({ times: 1, answer: answer(500) }), rule({ answer: answer(200) })]);
    statuses(rules, 3);
    expect(rules.rules().map(({ hits, lastAt }) => [hits, lastAt])).toEqual([
      [1, '2026-01-02T03:04:05.000Z'],
      [2, '2026-01-02T03:04:05.000Z'],
    ]);
  });

  test('rules get ids and keep the ones they have', () => {
    const rules = book([rule({ answer: answer(200) }), rule({ ruleId: 'mine', answer: answer(200) })]);
    const [first, second] = rules.rules();
    expect(first?.ruleId).toMatch(/^rul_/);
    expect(second?.ruleId).toBe('mine');
  });

  test.each<[string, (given: ResponseRule) => ResponseRule, number, number]>([
    ['as it was', (given) => given, 2, 404],
    ['only renamed or switched', (given) => ({ ...given, name: 'new' }), 2, 404],
    [
      'with other answers',
      (given) => ({
        ...given,
        answer: { kind: 'sequence', steps: [answer(201), answer(202)], then: 'repeat-last' },
      }),
      2,
      201,
    ],
    ['with hits 0', (given) => ({ ...given, hits: 0 }), 0, 500],
    ['under another id', (given) => ({ ...given, ruleId: 'x', hits: 0 }), 0, 500],
  ])('a rule that comes back %s', (_name, change, hits, next) => {
    const steps = [answer(500), answer(503), answer(404)];
    const rules = book([rule({ ruleId: 'r', answer: { kind: 'sequence', steps, then: 'repeat-last' } })]);
    statuses(rules, 2);
    rules.set(rules.rules().map(change));
    expect(rules.rules()[0]?.hits).toBe(hits);
    expect(statusOf(rules)).toBe(next);
  });

  test('a list with a bad rule changes nothing', () => {
    const rules = book([rule({ ruleId: 'r', answer: answer(200) })]);
    expect(() => rules.set([rule({ answer: answer(200) }), rule({ answer: answer(5) })])).toThrow(Refusal);
    expect(rules.rules().map(({ ruleId }) => ruleId)).toEqual(['r']);
  });

  test('a later change of the given rules has no effect', () => {
    const given = { enabled: true, match: { topic: 'orders' }, answer: answer(200) };
    const rules = book([given]);
    given.match.topic = 'other';
    expect(statusOf(rules)).toBe(200);
    expect(rules.rules()[0]?.match.topic).toBe('orders');
  });
});

describe('filters that need too much work for one request', () => {
  // Priced as if they nearly fitted at every place; they do not, so the test is quick.
  const words = Array.from({ length: 10 }, (_, nth) => `${'x'.repeat(300 + nth)}b`);
  const hostile = rule({ name: 'hostile', match: { filter: words.join(' OR ') }, answer: answer(204) });
  const other = rule({ answer: answer(200) });

  test('the answer is a 500 that names the rule, and nothing is counted', () => {
    const of = book([hostile, other]);
    const chosen = of.choose(delivery({ data: 'a'.repeat(3_900_000) }));
    const reason = expect.stringMatching(
      /^The filter of the rule "hostile" needed more than 3,000,000 steps for this request/,
    ) as unknown;
    expect(chosen).toMatchObject({ name: 'hostile', undecided: reason });
    expect(chosen?.answer).toMatchObject({ kind: 'respond', status: 500, body: { error: reason } });
    expect(of.rules().map(({ hits }) => hits)).toEqual([0, 0]);
    expect(statusOf(of, delivery({ data: 'a' }))).toBe(200);
  });

  test('rules share the steps, and entries of a batch do', () => {
    const one = (filter: string): ResponseRule => rule({ match: { filter }, answer: answer(204) });
    const data = 'a'.repeat(2_500_000);
    const few = words.slice(0, 5);
    expect(statusOf(book([...few.map(one), other]), delivery({ data }))).toBe(200);
    expect(statusOf(book([...words.map(one), other]), delivery({ data, id: 'all' }))).toBe(500);
    expect(statusOf(book([...few.map(one), other]), bulk({ data }, { data, id: 'second' }))).toBe(500);
  });
});

test('a body is written once for its check, its comparison with the rule before and its answers', () => {
  const body = { a: 1 };
  const rules = [rule({ ruleId: 'a', answer: { kind: 'respond', status: 200, body } })];
  const write = vi.spyOn(JSON, 'stringify');
  onTestFinished(() => write.mockRestore());
  const of = book(rules);
  of.set(rules);
  const sent: unknown[] = [];
  const reply = { send: (...args: unknown[]) => void sent.push(args[2]) } as unknown as Reply;
  const answered = of.choose(delivery())?.answer;
  if (answered?.kind === 'respond') respond({ answer: answered, reply, ports: {} } as never);
  expect(sent).toEqual(['{"a":1}']);
  expect(write.mock.calls.filter(([value]) => value === body)).toHaveLength(1);
});

test('a rule starts again when only the body of its answer has changed', () => {
  const one = (body: unknown): readonly ResponseRule[] => [
    rule({ ruleId: 'a', times: 1, answer: { kind: 'respond', status: 200, body } }),
  ];
  const of = book(one({ a: 1 }));
  expect(statuses(of, 2)).toEqual([200, undefined]);
  of.set(one({ a: 1 }));
  expect(statusOf(of)).toBeUndefined();
  for (const body of [{ a: 2 }, '{"a":2}', { json: '{"a":2}' }]) {
    of.set(one(body));
    expect(statuses(of, 2)).toEqual([200, undefined]);
  }
});
