/** Random messages and random filters that meet one another often, with values that hurt. */
import fc from 'fast-check';

import { CAUSES, DELIVERY_STATES, RULE_IDS } from '../../core/contract/delivery.ts';
import type { Attempt } from '../../core/contract/message.ts';
import { ORIGINS, STAGES } from '../../core/contract/words.ts';
import type { Comparison, FilterNode, FilterValue, TermKey } from '../../core/domain/filter/ast.ts';
import { IS_WORDS } from '../../core/contract/filter-keys.ts';
import type { JournalRecord } from '../../core/ports/journal.ts';
import { accepted, delivered, published } from './journal-records.ts';

/** Few enough to meet one another often; odd enough to hurt. */
const WORDS = [
  'order',
  'Order',
  'late fee',
  'a',
  'A-1',
  'data',
  'total',
  '100',
  '1.5',
  '1e3',
  'straße',
  'ÄÖ',
  '\u212aelvin',
  'k',
  'x"y',
  'back\\slash',
  'two\nlines',
  'a\0b',
  '[x]?',
  '%_',
  '*',
  'null',
  '',
  '\ud83d\ude00',
  'msg_1',
];
const word = fc.constantFrom(...WORDS);
const PATHS: readonly (readonly (string | number)[])[] = [
  ['total'],
  ['a'],
  ['a', 'b'],
  ['items', 0],
  ['items', 1, 'id'],
  ['x"y'],
  ['straße'],
  ['length'],
  ['__proto__'],
];
/** When messages of the samples were accepted, and their deliveries changed. */
const MOMENTS = ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:59.500Z'] as const;
const NUMBERS = [
  ...MOMENTS.map((at) => Date.parse(at)),
  0,
  -0,
  1,
  1.5,
  100,
  99.9,
  -3,
  1000,
  1e21,
  1e-7,
  9007199254740992,
  0.1,
];
const number = fc.constantFrom(...NUMBERS);

/** JSON as others write it: spaces, escapes, one value written in several ways, a name twice. */
const jsonValue = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(
      word.map((text) => JSON.stringify(text)),
      word.map((text) => JSON.stringify(text).replaceAll('a', String.raw`\u0061`)),
      fc.constantFrom(
        ...['0', '-0', '1', '1.0', '1.50', '100', '1e3', '1E2', '0.0000001', '9007199254740993'],
        ...['1e999', '123456789012345.67891', 'true', 'false', 'null', String.raw`"\ud800"`],
      ),
    ),
    fc.array(tie('any'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc
      .array(
        fc.tuple(fc.constantFrom('total', 'a', 'b', 'items', 'id', 'x"y', 'straße', '__proto__'), tie('any')),
        {
          maxLength: 4,
        },
      )
      .map(
        (members) => `{${members.map(([name, value]) => `${JSON.stringify(name)} : ${value}`).join(',')}}`,
      ),
  ),
})).any;

const wire = fc.oneof(
  { weight: 8, arbitrary: jsonValue.map((data) => `{"specversion":"1.0","source":"shop","data":${data}}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(word, jsonValue)
      .map(([source, data]) => `{"source":${JSON.stringify(source)},"n":12,"data": ${data} }`),
  },
  { weight: 1, arbitrary: jsonValue },
  { weight: 1, arbitrary: word },
  { weight: 1, arbitrary: jsonValue.map((data) => `{"data_base64":"b3JkZXI=","data":${data}}`) },
  { weight: 1, arbitrary: jsonValue.map((data) => `{"data":${data}} and more`) },
  { weight: 1, arbitrary: fc.constant(new Uint8Array([0xff, 0, 0x6f, 0x72])) },
);

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

export const message = fc.record({
  wire,
  metadata: fc.dictionary(fc.constantFrom('ttl', 'x"y', 'order'), word, { maxKeys: 2 }),
  isPublished: fc.boolean(),
  row: fc.record({
    topic: word,
    pubsubname: word,
    appId: fc.constantFrom('shop', 'mail'),
    source: fc.constantFrom(...ORIGINS),
    eventId: optional(word),
    eventType: optional(word),
    subject: optional(word),
    contentType: fc.oneof(fc.constantFrom('application/json', 'text/plain'), word),
    traceId: optional(word),
    batchId: optional(word),
    replayOf: optional(word),
    stage: optional(fc.constantFrom(...STAGES)),
    raw: fc.boolean(),
    pinned: fc.boolean(),
    unread: fc.boolean(),
    sizeBytes: fc.constantFrom(0, 1, 100, 2048),
    at: fc.constantFrom(...MOMENTS, 'no moment'),
  }),
  deliveries: fc.array(
    fc.record({
      state: fc.constantFrom(...DELIVERY_STATES),
      path: fc.constantFrom('', '/orders', '/x'),
      attempts: fc.nat(3),
      status: optional(fc.constantFrom(200, 404, 500, 503)),
      body: fc.oneof(
        fc.constant(''),
        word,
        jsonValue,
        fc.constant('{"error":"Order failed: not a\u212aelvin"}'),
      ),
      isBytes: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      isOfBatch: fc.boolean(),
      error: optional(word),
      answeredBy: optional(word),
      said: optional(fc.oneof(word, fc.constantFrom('SUCCESS', 'retry', 'RETRY'))),
      waits: fc.boolean(),
      rule: fc.constantFrom(...RULE_IDS),
      cause: fc.constantFrom(...CAUSES),
      changedAt: fc.constantFrom(...MOMENTS),
      edited: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: wire }),
    }),
    { maxLength: 2 },
  ),
});

const value: fc.Arbitrary<FilterValue> = fc.oneof(
  word.map((each) => ({ kind: 'string', value: each }) as const),
  fc.tuple(word, word).map(([a, b]) => ({ kind: 'pattern', value: `${a}*${b}` }) as const),
  fc.constantFrom('*', 'o*', '*e*').map((each) => ({ kind: 'pattern', value: each }) as const),
  number.map((each) => ({ kind: 'number', value: each }) as const),
  fc.tuple(number, number).map(([from, to]) => ({ kind: 'range', from, to }) as const),
  fc.boolean().map((each) => ({ kind: 'boolean', value: each }) as const),
  fc.constant({ kind: 'null' } as const),
  fc
    .constantFrom(
      ...DELIVERY_STATES,
      ...STAGES,
      'none',
      ...IS_WORDS,
      ...RULE_IDS,
      ...CAUSES,
      ...ORIGINS,
      'shop',
      'SUCCESS',
      'Retry',
    )
    .map((each) => ({ kind: 'string', value: each }) as const),
  fc
    .tuple(fc.constantFrom(...DELIVERY_STATES), fc.constantFrom(...RULE_IDS))
    .map(([state, rule]) => ({ kind: 'string', value: `${state}/${rule}` }) as const),
);

const KEYS: readonly TermKey[] = [
  ...([
    'topic',
    'pubsub',
    'app',
    'route',
    'state',
    'type',
    'source',
    'id',
    'attempts',
    'took',
    'status',
    'answer',
    'size',
  ] as const),
  ...([
    'age',
    'time',
    'changed',
    'rule',
    'lastrule',
    'cause',
    'is',
    'origin',
    'batch',
    'replayof',
    'trace',
    'subject',
    'contenttype',
    'error',
    'answeredby',
    'level',
  ] as const),
];
const term: fc.Arbitrary<FilterNode> = fc
  .record({
    place: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...KEYS).map((key) => ({ key })) },
      { weight: 2, arbitrary: fc.constantFrom(...PATHS).map((path) => ({ key: 'data' as const, path })) },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom('ttl', 'x"y', 'order')
          .map((name) => ({ key: 'meta' as const, path: [name] })),
      },
    ),
    op: fc.constantFrom<Comparison>('=', '=', '=', '!=', '>', '>=', '<', '<='),
    values: fc.array(value, { minLength: 1, maxLength: 3 }),
  })
  .map(({ place, op, values }) => ({
    kind: 'term',
    ...place,
    op,
    values: op === '=' ? values : values.slice(0, 1),
  }));

const freeText: fc.Arbitrary<FilterNode> = fc.oneof(
  fc
    .oneof(word, fc.constantFrom('ord', 'e f', '"a":1', ':1', '1,', 'ee', '_', '-', 'total', 'spec'))
    .map((each) => ({ kind: 'text', value: { kind: 'string', value: each } }) as const),
  fc
    .tuple(word, word)
    .map(([a, b]) => ({ kind: 'text', value: { kind: 'pattern', value: `${a}*${b}` } }) as const),
);

export const filterNode = fc.letrec<{ any: FilterNode }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(term, freeText),
    tie('any').map((each) => ({ kind: 'not', node: each }) as const),
    fc.array(tie('any'), { minLength: 2, maxLength: 3 }).map((nodes) => ({ kind: 'and', nodes }) as const),
    fc.array(tie('any'), { minLength: 2, maxLength: 3 }).map((nodes) => ({ kind: 'or', nodes }) as const),
  ),
})).any;

type Message = typeof message extends fc.Arbitrary<infer M> ? M : never;
type Answered = Pick<Message['deliveries'][number], 'status' | 'body' | 'isBytes' | 'isOfBatch'>;

/** The answer to an attempt, if there is one, which may be that to a batch. */
function answerOf({ status, body, isBytes, isOfBatch }: Answered): Partial<Attempt> {
  return {
    ...(isOfBatch ? { bulk: { entryId: 'e1', batchSize: 2 } } : {}),
    ...(status === undefined
      ? {}
      : { response: { status, headers: {}, body, ...(isBytes ? { bodyBase64: true } : {}) } }),
  };
}

export function recordsOf(messages: readonly Message[]): JournalRecord[] {
  return messages.flatMap(({ wire: given, metadata, isPublished, row, deliveries }, index) => {
    const number_ = index + 1;
    const present = Object.fromEntries(Object.entries(row).filter(([, each]) => each !== undefined));
    return [
      accepted(number_, { row: present, wire: given, metadata }),
      ...(isPublished ? [published(number_)] : []),
      ...deliveries.map(
        (
          {
            state,
            path,
            attempts,
            error,
            answeredBy,
            said,
            waits,
            rule,
            cause,
            changedAt,
            edited,
            ...answered
          },
          nth,
        ) =>
          delivered(number_, state, {
            nth: nth + 1,
            delivery: {
              attemptCount: attempts,
              route: { path },
              rule,
              ...(waits ? { waitsFor: { pubsubname: 'pubsub', topic: 'orders' } } : {}),
              ...(edited === undefined ? {} : { changedWire: edited }),
            },
            transition: { rule, cause, at: changedAt },
            attempt: {
              ...answerOf(answered),
              ...(error === undefined ? {} : { error: { code: 'refused', message: error } }),
              ...(said === undefined ? {} : { word: said }),
              ...(answeredBy === undefined ? {} : { answeredBy: { ruleId: 'rul_1', name: answeredBy } }),
            },
          }),
      ),
    ];
  });
}
