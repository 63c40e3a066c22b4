// What a person means who does not know the language: each filter is right, or leads to one that is.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkFilter, meantFilter } from '../../core/domain/filter/meant.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import { completeFilter } from '../../core/domain/filter/complete.ts';
import { times } from '../support/extent.ts';

const FAILED = 'state:parked,dead-lettered,dropped';
const ERRORS = '(error:* OR status:4xx,5xx)';
const RETRIED = '(state:retrying OR attempts>1)';

/** A filter of a new user, and what is suggested for it; undefined: it is right as it stands. */
type Row = readonly [text: string, meant: string | undefined];

const FIRST_FILTERS: readonly Row[] = [
  ['total>100', 'data.total>100'],
  ['status=500', undefined],
  ['state=PARKED', undefined],
  ['topic=orders', undefined],
  ['app = shop', 'app=shop'],
  ['"orders', '"orders"'],
  ['data.total => 3', 'data.total>=3'],
  ['type:*', undefined],
  ['orders AND failed', `orders AND ${FAILED}`],
  ['not:processed', '-state:processed'],
  ['id:', 'id:*'],
  ['since:5m', 'age:<5m'],
  ['error', ERRORS],
  ['500', 'status:500'],
  ['retry', RETRIED],
];

const OTHERS: readonly Row[] = [
  ['total > 100', 'data.total>100'],
  ['topic:orders total == 100', 'topic:orders data.total=100'],
  ['topic: orders', 'topic:orders'],
  ['Topic:orders State:Parked', 'topic:orders state:Parked'],
  ['attempts >= 3', 'attempts>=3'],
  ['attempts==3', 'attempts=3'],
  ['topic:orders -items[0].qty>=2 "a>b"', 'topic:orders -data.items[0].qty>=2 "a>b"'],
  ['is = unread', 'is=unread'],
  ['stauts:404 topik:a', 'status:404 topic:a'],
  ['status:parked', 'state:parked'],
  ['status:failed', FAILED],
  ['status:RETRY', 'answer:RETRY'],
  ['status:RETRY,DROP', 'answer:RETRY,DROP'],
  ['-status:DROP', '-answer:DROP'],
  ['status!=RETRY', 'answer!=RETRY'],
  ['status=RETRY,503', 'answer:RETRY,503'],
  ['status!=RETRY,DROP', '-answer:RETRY,DROP'],
  ['answer:RETYR', 'answer:RETRY'],
  ['answer=RETRY,DROP', 'answer:RETRY,DROP'],
  ['answer:5*', 'answer:5xx'],
  ['lastAnswer:RETRY', 'answer:RETRY'],
  ['answer:', 'answer:*'],
  ['state:500', 'status:500'],
  ['state:parkd', 'state:parked'],
  ['state!=failed', `-${FAILED}`],
  ['state:!parked', '-state:parked'],
  ['state:-parked', '-state:parked'],
  ['state=!parkd', '-state=parked'],
  ['-state:!parked', 'state:parked'],
  ['state:!error', `-${FAILED}`],
  ['is:-unread', '-is:unread'],
  ['status:!500', '-status:500'],
  ['state:parked,failed', FAILED],
  ['state!=dropped,failed', '-state:dropped,parked,dead-lettered'],
  ['is:parked', 'state:parked'],
  ['-error', `-${ERRORS}`],
  ['!parked', '-state:parked'],
  ['orders and failed', `orders AND ${FAILED}`],
  ['a && b', 'a AND b'],
  ['appId:shop', 'app:shop'],
  ['payload.total>5', 'data.total>5'],
  ['metadata.ttlInSeconds:5', 'meta.ttlInSeconds:5'],
  ['orderId:4', 'data.orderId:4'],
  ['data:late', 'late'],
  ['age:5m', 'age:<5m'],
  ['age<5min', 'age<5m'],
  ['last:2h', 'age:<2h'],
  ['older:1d', 'age:>1d'],
  ['since:2026-01-31T14:30:00Z', 'time:>=2026-01-31T14:30:00Z'],
  ['time:2026-01-31', 'time:>=2026-01-31'],
  ['size:>5m', 'size:>5mb'],
  ['(topic:orders', '(topic:orders)'],
  ['topic:orders)', 'topic:orders'],
  ['topic:"orders', 'topic:"orders"'],
  ['attempts:', 'attempts:>=1'],
  ['topic=', 'topic=*'],
  ['topic:orders,', 'topic:orders'],
  ["topic:'orders' 'late fee'", 'topic:"orders" "late fee"'],
  ['topic:“orders”', 'topic:"orders"'],
  [`"say 'hi'" and 'bye now'`, `"say 'hi'" AND "bye now"`],
  ['state:Processed,Failed', 'state:Processed,parked,dead-lettered,dropped'],
  ['state:done', 'state:processed'],
  ['state:RETRY', 'state:retrying'],
  ['state:error', FAILED],
  ['state:errors', FAILED],
  ['state:errored', FAILED],
  ['state:fail', FAILED],
  ['state:failed', FAILED],
  ['state:dead', 'state:dead-lettered'],
  ['state:ok', 'state:processed'],
  ['state:success', 'state:processed'],
  ['state:nack', 'state:retrying'],
  ['state:error,parked', FAILED],
  ['has=error', 'error:*'],
  ['not=parked', '-state:parked'],
  ['without=error', '-error:*'],
  ['missing=true', 'data.missing=true'],
  ['no=5', 'data.no=5'],
  ['no=A17', 'data.no=A17'],
  ['with=card', 'data.with=card'],
  ['no=subscription', 'state:none'],
  ['replayed', 'is:replayed'],
  ['state!=done', 'state!=processed'],
  ['state!=parkd', 'state!=parked'],
  ['state<>parked', 'state!=parked'],
  ['has:error', 'error:*'],
  ['has:total', 'data.total:*'],
  ['path:/orders', 'route:/orders'],
  ['DROP', 'state:dropped'],
  ['404 OR 500', 'status:404 OR status:500'],
  ['total>100 and total<200', 'data.total>100 AND data.total<200'],
  ['status>400 and <500', 'status>400 AND <500'],
  ['status:', 'status:5xx'],
  ['orderId: 7', 'data.orderId:7'],
  ['orderId : 7', 'data.orderId:7'],
  ['-orderId: 7', '-data.orderId:7'],
  ['order: 7', 'data.order:7'],
  ['appId: shop', 'app:shop'],
  ['since: 5m', 'age:<5m'],
  ['topc: orders', 'topic:orders'],
  ['not: parked', '-state:parked'],
  ['eventtype:"a b"', 'type:"a b"'],
  ['not:"a b"', '-"a b"'],
];

const RIGHT: readonly string[] = [
  '',
  'late fee',
  'data.total>100',
  'age:<5m',
  'age:1m..5m',
  'size:>10kb',
  'status:unavailable',
  'status:ok',
  'status:OK,3xx',
  'status:>=500',
  'answer:RETRY',
  'answer:success,404',
  'answer:MAYBE',
  'answer:"OK"',
  'state:parked,dead-lettered OR state:expired',
  'a->b',
  'a -> b',
  'late > ',
  '> 100',
  '"total > 100"',
  `"say 'hi' now"`,
  '"a “quoted” word"',
  String.raw`"say \"it's 'so'\" now"`,
  'http://localhost/a',
  '12:30',
  'time:2026-01-31T14:30:00Z..2026-02-01T14:30:00Z',
  'state:none -is:tapped',
  '-topic:orders NOT is:replay',
];

describe('what a filter probably means', () => {
  test.each([...FIRST_FILTERS, ...OTHERS])('%s is right, or means %s', (text, meant) => {
    expect(meantFilter(text)).toBe(meant);
    // What the method of the console answers has it too.
    expect(checkFilter(text).meant).toBe(meant);
    expect(parseFilter(meant ?? text).ok).toBe(true);
    // Nothing else is suggested for what was suggested.
    expect(meantFilter(meant ?? text)).toBeUndefined();
  });

  test.each(RIGHT)('nothing else is suggested for %s', (text) => {
    expect(meantFilter(text)).toBeUndefined();
  });

  test('a mistake without a filter that is meant has none, and a mistake with a word that is near has it', () => {
    expect(checkFilter('topic:orders OR')).not.toHaveProperty('meant');
    expect(checkFilter('topic>orders topik:x')).toMatchObject({ ok: false });
  });

  test.each(['state:parked,-dropped', 'state!=!parked', 'orderId: AND topic:orders'])(
    'no filter with a mistake is suggested for %s',
    (text) => {
      expect(checkFilter(text)).not.toHaveProperty('meant');
    },
  );

  test.each(['data:', 'data:*', 'data=', 'data:**', 'data:""', '-data:*'])(
    'what finds every message is not suggested for %s',
    (text) => {
      const check = checkFilter(text);
      expect(check).not.toHaveProperty('meant');
      expect(check.ok ? '' : check.error.message).not.toMatch(/Did you mean|alone/);
    },
  );

  test.each([
    ['payload:*', 'data.payload:*'],
    ['has:data', 'data.has:data'],
  ])('%s is a member of payloads if anything: %s', (text, meant) => {
    expect(checkFilter(text)).toMatchObject({ meant });
  });

  test.each([
    ['state:waiting', 'state:queued,held,attempting,retrying'],
    ['topic:orders state=waiting', 'topic:orders state:queued,held,attempting,retrying'],
    ['topic:orders -state:waiting', undefined],
    ['NOT state:waiting', undefined],
    ['"state:waiting"', undefined],
  ])('%s may mean all that waits: %s', (text, meant) => {
    expect(checkFilter(text)).toEqual({ ok: true, ...(meant === undefined ? {} : { meant }) });
  });

  test('the sentence about a word in a list names no state twice', () => {
    expect(checkFilter('state:parked,failed')).toMatchObject({
      error: { message: expect.stringContaining('Did you mean "state:parked,dead-lettered,dropped"?') },
    });
  });

  test('a long text is not searched for what it means', () => {
    expect(meantFilter(`total>100 ${'a'.repeat(1000)}`)).toBeUndefined();
  });
});

test('whatever is suggested can be read', () => {
  const parts = [
    'topic',
    'state',
    'total',
    'failed',
    '500',
    ':',
    '=',
    '>',
    '=>',
    ' ',
    ' ',
    '"',
    "'",
    '(',
    ')',
    '-',
    '!',
  ];
  const text = fc.array(fc.constantFrom(...parts, 'parked', 'and', 'since', '5m', ','), { maxLength: 14 });
  fc.assert(
    fc.property(text, (words) => {
      const { meant } = checkFilter(words.join(''));
      expect(parseFilter(meant ?? '')).toMatchObject({ ok: true });
    }),
    { numRuns: times(700, 2000) },
  );
});

test.each([
  ['500', 'status:500'],
  ['park', 'state:parked'],
  ['Retry', RETRIED],
  ['error', ERRORS],
])('at %s the field offers the term %s', (typed, term) => {
  const offered = completeFilter(typed, typed.length, { values: {}, paths: [], metaKeys: [] });
  expect(offered).toContainEqual(expect.objectContaining({ insert: term, from: 0 }));
  expect(offered.every(({ detail }) => detail !== '')).toBe(true);
});
