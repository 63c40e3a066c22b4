// Completions of the filter field, by the position of the cursor. "|" marks the cursor.
import { describe, expect, test } from 'vitest';
import { DELIVERY_STATES, RULE_IDS } from '../../core/contract/delivery.ts';
import { termsFor } from '../../core/domain/filter/everyday.ts';
import { completeFilter } from '../../core/domain/filter/complete.ts';
import type { CompletionItem, CompletionSources } from '../../core/domain/filter/complete.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';

const SOURCES: CompletionSources = {
  values: {
    topic: ['orders', 'refunds', 'late fees', 'reorders'],
    type: Array.from({ length: 30 }, (_, index) => `t${index}`),
    source: ['shop-web'],
    route: ['/orders'],
    data: ['x'],
  },
  paths: ['total', 'items[0].sku', '[0].id'],
  metaKeys: ['ttlInSeconds', 'cloudevent.type'],
};

function complete(marked: string, sources = SOURCES): CompletionItem[] {
  return completeFilter(marked.replace('|', ''), marked.indexOf('|'), sources);
}

/** The text after accepting an item. */
function accepted(marked: string, item: CompletionItem): string {
  const [before = '', after = ''] = marked.split('|');
  return before.slice(0, item.from) + item.insert + after;
}

const labels = (marked: string): string[] => complete(marked).map(({ label }) => label);
const afterFirst = (marked: string): string => {
  const [first] = complete(marked);
  if (first === undefined) throw new Error(`nothing is offered in ${marked}`);
  return accepted(marked, first);
};

describe('keys', () => {
  test('each key is offered with its meaning', () => {
    const items = complete('|');
    expect(items).toContainEqual({ label: 'topic', insert: 'topic:', from: 0, detail: 'exact topic name' });
    expect(items).toContainEqual({
      label: 'state',
      insert: 'state:',
      from: 0,
      detail: 'state of a delivery',
    });
    expect(items.every(({ detail }) => detail !== '')).toBe(true);
  });

  test('all keys are offered, and NOT and ( too', () => {
    const offered = labels('|');
    const keys =
      'topic state type app pubsub route source id attempts took status answer protocol size age time changed data. meta. rule lastrule cause is origin';
    expect(offered).toEqual([
      ...keys.split(' '),
      ...['batch', 'replayof', 'trace', 'subject', 'contenttype', 'error', 'answeredby'],
      ...['NOT', '('],
    ]);
  });

  test.each<[string, string[]]>([
    ['sta|', ['state', 'status']],
    ['STA|', ['state', 'status']],
    ['topic:a sta|', ['state', 'status']],
    ['-sta|', ['state', 'status']],
    ['(sta|', ['state', 'status']],
    ['sta| topic:b', ['state', 'status']],
    ['topic:a o|', ['origin', 'OR']],
    ['o|', ['origin']],
    ['no|', ['NOT']],
    ['a an|', ['answer', 'answeredby', 'AND']],
    ['ans|', ['answer', 'answeredby']],
    ['da|', ['data.']],
    ['xyz|', []],
  ])('keys offered for %s', (marked, expected) => {
    expect(labels(marked)).toEqual(expected);
  });

  test('an accepted key replaces the word', () => {
    expect(afterFirst('topic:a sta|')).toBe('topic:a state:');
    expect(afterFirst('-sta| b')).toBe('-state: b');
    expect(afterFirst('a -|')).toBe('a -topic:');
  });

  test('a key of the language is offered exactly once', () => {
    expect(new Set(labels('|')).size).toBe(labels('|').length);
  });
});

describe('paths', () => {
  test.each<[string, string[]]>([
    ['data.|', ['data.total', 'data.items[0].sku']],
    ['data.it|', ['data.items[0].sku']],
    ['data[|', ['data[0].id']],
    ['meta.|', ['meta.ttlInSeconds', 'meta.cloudevent.type']],
    ['meta.t|', ['meta.ttlInSeconds']],
  ])('paths offered for %s', (marked, expected) => {
    expect(labels(marked)).toEqual(expected);
  });

  test('a name that the language cannot write is not offered', () => {
    const odd = {
      values: {},
      paths: ['a b', 'x"y', 'a:b', 'ok', 'a..b', 'a=b'],
      metaKeys: ['a b', 'x:y', 'ok'],
    };
    expect(complete('data.|', odd).map(({ label }) => label)).toEqual(['data.ok']);
    expect(complete('meta.|', odd).map(({ label }) => label)).toEqual(['meta.ok']);
  });

  test('an accepted path asks for its value', () => {
    expect(afterFirst('data.it|')).toBe('data.items[0].sku:');
    expect(complete('data.total:|')).toEqual([
      { label: '*', insert: '*', from: 11, detail: 'any value' },
      { label: 'x', insert: 'x', from: 11, detail: '' },
    ]);
  });
});

describe('values', () => {
  test('values of the sources are offered, those that begin like the typed text first', () => {
    expect(labels('topic:|')).toEqual(['orders', 'refunds', 'late fees', 'reorders']);
    expect(labels('topic:or|')).toEqual(['orders', 'reorders']);
    expect(labels('topic:RE|')).toEqual(['refunds', 'reorders']);
    expect(labels('topic=or|')).toEqual(['orders', 'reorders']);
    expect(labels('topic:"la|')).toEqual(['late fees']);
    expect(labels('pubsub:|')).toEqual([]);
  });

  test('at most 20 values are offered', () => {
    expect(labels('type:|')).toHaveLength(20);
  });

  test('a list is not offered its present values again', () => {
    expect(labels('topic:orders,|')).toEqual(['refunds', 'late fees', 'reorders']);
    expect(labels('state:parked,d|')).toEqual(['dropped', 'dead-lettered']);
    expect(afterFirst('topic:orders,re|')).toBe('topic:orders,refunds');
  });

  test('values are quoted if they need it', () => {
    expect(afterFirst('topic:la|')).toBe('topic:"late fees"');
    expect(afterFirst('topic:"la|')).toBe('topic:"late fees"');
  });

  test.each<[string, readonly string[]]>([
    ['state:|', [...DELIVERY_STATES, 'waiting', 'none', 'unseen']],
    ['rule:|', RULE_IDS],
    ['cause:|', ['app', 'user', 'policy', 'ttl', 'restart']],
    ['is:|', ['unread', 'pinned', 'raw', 'bulk', 'replay', 'tapped', 'replayed']],
    [
      'origin:|',
      ['http', 'bulk', 'grpc', 'grpc-bulk', 'console', 'replay', 'binding', 'dead-letter', 'elsewhere'],
    ],
    [
      'source:|',
      [
        'shop-web',
        'http',
        'bulk',
        'grpc',
        'grpc-bulk',
        'console',
        'replay',
        'binding',
        'dead-letter',
        'elsewhere',
      ],
    ],
    ['error:|', ['*']],
    ['answer:|', ['SUCCESS', 'RETRY', 'DROP', '2xx', '4xx', '5xx', '*']],
    ['answer:r|', ['RETRY']],
  ])('values offered for %s', (marked, expected) => {
    expect(labels(marked)).toEqual(expected);
  });

  test('measures come with their comparison', () => {
    expect(labels('attempts:|')).toEqual(['0', '>=1', '>=2', '>=3']);
    expect(labels('attempts:>|')).toEqual(['>=1', '>=2', '>=3']);
    expect(labels('attempts>|')).toEqual(['>=1', '>=2', '>=3']);
    expect(labels('status:5|')).toEqual(['5xx', '500']);
    expect(labels('status:404,5|')).toEqual(['5xx', '500']);
    expect(afterFirst('attempts:>=|')).toBe('attempts:>=1');
    expect(afterFirst('attempts>|')).toBe('attempts:>=1');
    expect(afterFirst('status:404,5|')).toBe('status:404,5xx');
    expect(afterFirst('age:|')).toBe('age:<1m');
  });
});

describe('after a complete term', () => {
  test.each(['topic:a |', '"late fee" |', 'a |', '(a)|', '(a) |', 'topic:a,b |'])(
    'operators and keys are offered after %s',
    (marked) => {
      expect(labels(marked).slice(0, 4)).toEqual(['AND', 'OR', 'NOT', '(']);
      expect(labels(marked)).toContain('topic');
    },
  );

  test.each(['a OR |', 'a AND |', 'NOT |', '(|', '|'])('%s has nothing to join', (marked) => {
    expect(labels(marked)).not.toContain('AND');
    expect(labels(marked)).not.toContain('OR');
  });
});

test.each(['"late|', 'a "late fee"|', 'http://|', 'topic:a"b|'])('%s: nothing is offered', (marked) => {
  expect(labels(marked)).toEqual([]);
});

test('every offered value makes a filter', () => {
  for (const key of labels('|').filter((label) => /^[a-z]+$/.test(label))) {
    for (const item of complete(`${key}:|`)) {
      const text = accepted(`${key}:|`, item);
      expect([text, parseFilter(text).ok]).toEqual([text, true]);
    }
  }
});

test('for the word of what was replayed the replays are offered too', () => {
  expect(termsFor('replayed')).toEqual(['is:replayed', 'is:replay']);
});
