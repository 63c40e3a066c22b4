/** The filter as SQL gives the same answers as the evaluator: random messages, random filters, and the odd cases by name. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { compileSql } from '../../core/adapters/sqlite-journal/sql.ts';
import type { FilterNode } from '../../core/domain/filter/ast.ts';
import type { JournalRecord } from '../../core/ports/journal.ts';
import { ask, bothWith, sameAnswers } from './filter-both.ts';
import type { Both } from './filter-both.ts';
import { accepted, delivered, filterOf, NOW_MS } from './journal-records.ts';

/** Filters of a text, one on each line or between two bars. */
function filtersIn(text: string): string[] {
  return text
    .split(/\||\n/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

// The full count is in sqlite-filter.long.test.ts.
test('random messages, random filters', async () => {
  expect(await sameAnswers(20)).toBeGreaterThanOrEqual(20);
});

describe('names of mock rules with characters that SQLite has no text for', () => {
  let both: Both;
  const names = ['a\0b', 'a', 'a\ud800b', 'a\u0001b', 'plain'];
  beforeAll(async () => {
    both = await bothWith(
      names.flatMap((name, index) => [
        accepted(index + 1),
        delivered(index + 1, 'processed', { attempt: { answeredBy: { ruleId: 'rul_1', name } } }),
      ]),
    );
  });
  afterAll(() => both.close());

  test.each([...names, 'a*', '*b', 'a*b', 'rul_1', 'b', '*'])('answeredby:%j', async (value) => {
    const values = [{ kind: value.includes('*') ? 'pattern' : 'string', value }] as const;
    const term: FilterNode = { kind: 'term', key: 'answeredby', op: '=', values };
    for (const root of [term, { kind: 'not', node: term }] as const) {
      const { found, wanted } = await ask(both, { isEmpty: false, root }, names.length);
      expect(found).toEqual(wanted);
    }
  });
});

describe('status words', () => {
  let both: Both;
  const words = ['RETRY', 'retry', 'SUCCESS', '\u017fuccess', 'straße', 'a\0b', 'a\ud800b', 'OK', ''];
  beforeAll(async () => {
    both = await bothWith([
      ...words.flatMap((word, index) => [
        accepted(index + 1),
        delivered(index + 1, 'processed', {
          attempt: { word, response: { status: 200, headers: {}, body: '' } },
        }),
      ]),
      accepted(words.length + 1),
      delivered(words.length + 1, 'queued', { attempt: {} }),
    ]);
  });
  afterAll(() => both.close());

  test.each([...words.slice(0, -1), '*', 'R*', '*s', 'a*b'])('answer:%j', async (value) => {
    const values = [{ kind: value.includes('*') ? 'pattern' : 'string', value }] as const;
    const term: FilterNode = { kind: 'term', key: 'answer', op: '=', values };
    for (const root of [term, { kind: 'not', node: term }] as const) {
      const { found, wanted } = await ask(both, { isEmpty: false, root }, words.length + 1);
      expect(found).toEqual(wanted);
    }
  });
});

const DATA = [
  '{"a":1,"a":2}',
  '{"a":2,"a":1}',
  String.raw`{"\u0061":1}`,
  String.raw`{"a":"x\u0000y"}`,
  String.raw`{"a":"\ud800"}`,
  String.raw`"\ud800"`,
  String.raw`{"x\"y":1}`,
  String.raw`{"x\\y":1}`,
  String.raw`"line\nnext"`,
  String.raw`"tab\there"`,
  String.raw`"caf\u00e9 LATE fee"`,
  String.raw`{"a":"100\/200"}`,
  '{"a":9007199254740993}',
  '{"a":0.1234567890123456789}',
  '{"a":123456789012.3456789}',
  '{"a":1e3}',
  '{"a":1E-7}',
  '{"a":0.0000001}',
  '{"a":1e999}',
  '{"a":-0}',
  '{"a":1.0}',
  '{"a":10.50}',
  '{"a" : [ 1 , 2 ] , "b" : { "c" : 1 } }',
  '{"a":{"length":3}}',
  '{"__proto__":{"a":1}}',
  '{"a":true}',
  '{"a":"true"}',
  '{"a":null}',
  '{"b":null}',
  '"a"',
  '"\u212aelvin"',
  '"\u0130stanbul"',
  '"STRASSE straße"',
  '"\ue000"',
  '"\ud83d\ude00"',
  '"100%"',
  '"a_b"',
  '{"specs":"none"}',
  `{"a":${'['.repeat(300)}1${']'.repeat(300)}}`,
  `"${'x'.repeat(70_000)} order"`,
];
const WIRES = [
  ...DATA.map((data) => `{"specversion":"1.0","source":"shop-web","data":${data}}`),
  '{"source":"a","source":"b","data":1}',
  '{"data_base64":"b3JkZXI=","data":{"a":1}}',
  '{"data_base64":7,"data":{"a":1}}',
  '{"data":{"a":1}} more',
  '{"a":1}',
  '[{"a":1}]',
  'order',
  '',
];
const records = WIRES.flatMap((each, index) => [
  accepted(index + 1, { wire: each }),
  accepted(WIRES.length + index + 1, { wire: each, row: { raw: true } }),
]);
const last = 2 * WIRES.length;
const more: JournalRecord[] = [
  accepted(last + 1, { row: { eventId: '\u212a9', topic: 'a\0b', subject: '\u212a' } }),
  accepted(last + 2, { row: { eventId: 'A*[b]?', topic: '[x]?', replayOf: 'MSG_1' } }),
  accepted(last + 3, { wire: new Uint8Array([0x7b, 0x7d]), metadata: { order: 'x' } }),
  accepted(last + 4, { wire: new Uint8Array([0xff]), metadata: { 'x"y': 'order', n: '12' } }),
  ...[accepted(last + 5), delivered(last + 5, 'parked', { delivery: { appId: '[x]' } })],
  accepted(last + 6, { row: { tap: 'shop' } }),
  accepted(last + 7, { row: { tap: 'shop', stage: 'held' } }),
  accepted(last + 8, { row: { expectedBy: ['shop'] } }),
];

describe('payloads that SQLite reads in its own way', () => {
  let both: Both;
  beforeAll(async () => {
    both = await bothWith([...records, ...more]);
  });
  afterAll(() => both.close());

  test.each(
    filtersIn(`
      data.a:1 | data.a:2 | data.a>0 | data.a<=1000 | data.a:1..2000 | data.a!=1 | data.a:9007199254740992
      data.a:9007199254740993 | data.a>9007199254740992 | data.a:1e-7 | data.a:0 | data.a:10.5 | data.a:1000
      data.a:* | data.a:true | data.a:"true" | data.a:null | data.a:x* | data.a:*y | data.b:null | data.a:100/*
      data.a>"x" | data.a<"y" | data.a[0]:1 | data.b.c:1 | data.a.length:3 | data.a.length:*
      data.__proto__:* | data.__proto__.a:1
      a | kelvin | k | istanbul | i | strasse | straße | STRASSE | late | "late fee" | fee | café | next | "line next"
      n | t | u | there | here | spec | specs | source | shop-web | order | more | data | x | y
      1e3 | 1000 | 1 | 1.0 | 10.5 | 10.50 | -0 | "-" | "-0" | e | null | true | infinity | 1e-7 | 100%
      "a_b" | a_b | axb | "100/200" | "\\"a\\":1" | "a:1" | "[1,2]" | "1,2" | l*fee | fee*late | "*" | "{" | ":"
      xxxx | order OR late | -order -late | b3JkZXI | msg_1 | dlv_ | mail | " "
      source:a | source:b | source:shop-* | source:http | topic:"a\0b" | topic:*b | topic:a* | topic:"[x]?"
      topic:[* | topic:?* | subject:\u212a | subject:k | id:A* | id:"A*[b]?" | id:*b* | id:msg_1 | id:dlv
      id:"" | id:"msg_10" | id:#1 | id:#2,m | id:#3,#4 | id:#0 | -id:#1 | replayof:MSG_1 | replayof:msg_1 | app:[x] | app:[* | app:* | meta.order:x
      meta.n>10 | meta.n<10 | meta.order:* | state:none | state:unseen | state:n* | attempts:0 | age:>=0s | -age:>=0s`),
  )('%s finds the same in SQL and in memory', async (filter) => {
    for (const text of [filter, `-(${filter})`]) {
      const { found, wanted } = await ask(both, filterOf(text), last + more.length);
      expect(found).toEqual(wanted);
    }
  });

  test.each([['x"y'], ['x\\y'], ['a', 0, 0], ['straße'], [''], ['\u0000'], []].map((path) => ({ path })))(
    'an escaped path is evaluated alike in SQL and in memory: $path',
    async ({ path }) => {
      const values = [{ kind: 'pattern', value: '*' }] as const;
      for (const key of ['data', 'meta'] as const) {
        const root: FilterNode = { kind: 'term', key, path, op: '=', values };
        const { found, wanted } = await ask(both, { isEmpty: false, root }, last + more.length);
        expect(found).toEqual(wanted);
      }
    },
  );
});

describe('conditions that SQL decides alone', () => {
  test.each(
    filtersIn(`
      topic:orders | state:parked | -state:processed | status:5xx | attempts>=2 | age>1h | id:msg_1 | id:#1 | rule:user.drop
      cause:app | error:*refused* | is:pinned | source:shop | size>1kb | route:/a* app:x | topic:a OR type:b | -topic:*`),
  )('%s is decided by SQL alone', (filter) => {
    expect(compileSql(filterOf(filter), 'window', NOW_MS).isExact).toBe(true);
  });

  test.each(filtersIn('data.total>10 | data.note:x* | data.ok:true | data.gone:null'))(
    '%s is decided by SQL alone in payloads that both evaluators read alike',
    (filter) => {
      const { over, under } = compileSql(filterOf(filter), 'window', NOW_MS);
      expect(over.replace('ELSE 1', 'ELSE 0')).toBe(under);
    },
  );

  test('a filter too long for it is left to the evaluator', async () => {
    const both = await bothWith([accepted(1), accepted(2, { row: { topic: 't500' } })]);
    const terms = Array.from({ length: 3000 }, (_, index) => `topic:t${index}`);
    const nodes = terms.map((each) => filterOf(each).root);
    const long = 'a'.repeat(60_000);
    const topic: FilterNode = {
      kind: 'term',
      key: 'topic',
      op: '=',
      values: [{ kind: 'pattern', value: `t*${long}` }],
    };
    const text: FilterNode = { kind: 'text', value: { kind: 'string', value: long } };
    const asked = [{ kind: 'or', nodes } as const, topic, text].map((root) =>
      ask(both, { isEmpty: false, root }, 2),
    );
    const [anyTopic, ...patterns] = await Promise.all(asked);
    expect(anyTopic?.found).toEqual([[2], [2], [2], 1]);
    expect(patterns.map(({ found }) => found)).toEqual([
      [[], [], [], 0],
      [[], [], [], 0],
    ]);
    both.close();
  });
});
