// Laws of the filter language on random filters and messages: printing and reading back, negation, De Morgan, no text throws.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Comparison, Filter, FilterNode, FilterValue, TermKey } from '../../core/domain/filter/ast.ts';
import { COMPARISONS, TERM_KEYS } from '../../core/domain/filter/ast.ts';
import { completeFilter } from '../../core/domain/filter/complete.ts';
import { compileFilter, needsData, needsText } from '../../core/domain/filter/evaluate.ts';
import { compileInSteps } from '../../core/domain/filter/in-steps.ts';
import { MESSAGE_LANGUAGE } from '../../core/domain/filter/keys.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import { printFilter } from '../../core/domain/filter/print.ts';
import type { FilterSubject } from '../../core/domain/filter/subject.ts';
import { times } from '../support/extent.ts';
import { NOW_MS, sampleRow, sampleSubject } from './filter-sample.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    'OR',
    'AND',
    'NOT',
    'true',
    'null',
    '5',
    '1..5',
    '*',
    'a,b',
    '"',
    '\\',
    '\\"',
    ' ',
    '-a',
    'a:b',
    '(',
    '>=',
    '5xx',
  ),
);
const string = anyText.map((value): FilterValue => ({ kind: 'string', value }));
const finite = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (Object.is(value, -0) ? 0 : value));
const number = finite.map((value): FilterValue => ({ kind: 'number', value }));
const range = fc
  .tuple(finite, finite)
  .map(([a, b]): FilterValue => ({ kind: 'range', from: Math.min(a, b), to: Math.max(a, b) }));
/** Characters that can stand outside quotes. */
const bare = fc.string({
  unit: fc.constantFrom('a', 'B', '7', '.', '-', '/', '_', 'ü', '=', '<', '!', '\\'),
  maxLength: 6,
});
const pattern = fc.tuple(bare, bare).map(([before, after]): Extract<FilterValue, { kind: 'pattern' }> => ({
  kind: 'pattern',
  value: `${before}*${after}`,
}));
/** A "-" as the very first character of a term would negate it. */
const textPattern = pattern.filter(({ value }) => !value.startsWith('-'));
const wordPattern = pattern.filter(({ value }) => !/^(?:[<>=]|!=)/.test(value));

const member = fc
  .string({ unit: fc.constantFrom('a', 'B', '7', '-', '_', 'ü', '$', '!'), minLength: 1, maxLength: 5 })
  .filter((name) => !name.endsWith('!'));
const path = fc
  .tuple(fc.oneof(member, fc.nat(99)), fc.array(fc.oneof(member, fc.nat(99)), { maxLength: 3 }))
  .map(([first, rest]) => [first, ...rest]);

function termOf(
  key: TermKey,
  value: fc.Arbitrary<FilterValue>,
  ordered?: fc.Arbitrary<FilterValue>,
): fc.Arbitrary<FilterNode> {
  const list = fc
    .array(value, { minLength: 1, maxLength: 3 })
    .map((values) => ({ op: '=' as Comparison, values }));
  const unequal = value.map((each) => ({ op: '!=' as Comparison, values: [each] }));
  const order = (ordered ?? fc.constant<FilterValue | undefined>(undefined)).chain((each) =>
    each === undefined
      ? unequal
      : fc.constantFrom<Comparison>('>', '>=', '<', '<=').map((op) => ({ op, values: [each] })),
  );
  return fc
    .oneof(list, unequal, order)
    .map(({ op, values }): FilterNode => ({ kind: 'term', key, op, values }));
}

function wordsOf(key: TermKey): fc.Arbitrary<FilterValue> {
  const spec = MESSAGE_LANGUAGE[key];
  const words = [...(spec?.words ?? []), ...(spec?.moreWords ?? [])];
  return fc.oneof(
    fc.constantFrom(...words).map((value): FilterValue => ({ kind: 'string', value })),
    wordPattern,
  );
}

const term = fc
  .constantFrom(...TERM_KEYS.filter((key) => MESSAGE_LANGUAGE[key] !== undefined))
  .chain((key) => {
    const positive = number.map((each): FilterValue => ({
      kind: 'number',
      value: Math.abs('value' in each ? Number(each.value) : 0),
    }));
    switch (MESSAGE_LANGUAGE[key]?.reads) {
      case 'word':
        return termOf(key, wordsOf(key));
      case 'number':
      case 'status':
      case 'size':
      case 'duration':
      case 'moment':
        return termOf(key, fc.oneof(number, range), positive);
      case 'answer':
        return termOf(key, fc.oneof(string, wordPattern, number, range));
      case 'data': {
        const json = fc.constantFrom<FilterValue>(
          { kind: 'null' },
          { kind: 'boolean', value: true },
          { kind: 'boolean', value: false },
        );
        const terms = termOf(
          key,
          fc.oneof(string, wordPattern, number, range, json),
          fc.oneof(string, number),
        );
        return fc.tuple(terms, path).map(([node, steps]) => ({ ...node, path: steps }));
      }
      case 'meta': {
        const name = fc.tuple(member, member).map(([a, b]) => [`${a}.${b}`]);
        const terms = termOf(key, fc.oneof(string, wordPattern, range), fc.oneof(string, number));
        return fc.tuple(terms, name).map(([node, steps]) => ({ ...node, path: steps }));
      }
      case 'text':
      case undefined:
        return termOf(key, fc.oneof(string, wordPattern));
    }
  });

const text = fc
  .oneof(
    anyText.map((value) => ({ kind: 'string' as const, value })),
    textPattern,
  )
  .map((value): FilterNode => ({ kind: 'text', value }));

const { node } = fc.letrec<{ node: FilterNode }>((tie) => {
  const several = fc.array(tie('node'), { minLength: 2, maxLength: 3, depthIdentifier: 'filter' });
  return {
    node: fc.oneof(
      { depthIdentifier: 'filter', maxDepth: 4, depthSize: 'small' },
      term,
      text,
      several.map((nodes): FilterNode => ({ kind: 'and', nodes })),
      several.map((nodes): FilterNode => ({ kind: 'or', nodes })),
      tie('node').map((each): FilterNode => ({ kind: 'not', node: each })),
    ),
  };
});

const filter = node.map((root): Filter => ({ isEmpty: false, root }));

const message = fc
  .record({
    topic: fc.constantFrom('a', 'orders', 'a*'),
    state: fc.constantFrom('queued' as const, 'parked' as const, 'processed' as const),
    raw: fc.boolean(),
    sizeBytes: fc.nat(),
    data: fc.jsonValue(),
  })
  .map(({ topic, state, raw, sizeBytes, data }) =>
    sampleSubject({ row: { topic, raw, sizeBytes }, deliveries: [{ state }], data }),
  );

const passes = (root: FilterNode, subject: ReturnType<typeof sampleSubject>): boolean =>
  compileFilter({ isEmpty: false, root })(subject, NOW_MS);
const not = (of: FilterNode): FilterNode => ({ kind: 'not', node: of });
const RUNS = { numRuns: times(250, 1000) };

test('a printed filter reads back as itself', () => {
  fc.assert(
    fc.property(filter, (given) => {
      expect(parseFilter(printFilter(given))).toEqual({ ok: true, filter: given });
    }),
    RUNS,
  );
});

describe('laws', () => {
  test('a double negation is the term itself', () => {
    fc.assert(
      fc.property(node, message, (a, m) => {
        expect(passes(not(not(a)), m)).toBe(passes(a, m));
        expect(passes(not(a), m)).toBe(!passes(a, m));
      }),
      RUNS,
    );
  });

  test("De Morgan's laws hold", () => {
    fc.assert(
      fc.property(node, node, message, (a, b, m) => {
        const neither = passes({ kind: 'and', nodes: [not(a), not(b)] }, m);
        expect(passes(not({ kind: 'or', nodes: [a, b] }), m)).toBe(neither);
        const notBoth = passes({ kind: 'or', nodes: [not(a), not(b)] }, m);
        expect(passes(not({ kind: 'and', nodes: [a, b] }), m)).toBe(notBoth);
      }),
      RUNS,
    );
  });

  test('!= is the negation of =', () => {
    fc.assert(
      fc.property(term, message, (a, m) => {
        if (a.kind !== 'term' || a.op !== '!=') return;
        expect(passes(a, m)).toBe(!passes({ ...a, op: '=' }, m));
      }),
      RUNS,
    );
  });

  test('a filter that is evaluated in steps gives the same', () => {
    fc.assert(
      fc.property(filter, message, (given, m) => {
        const steps = compileInSteps(given)(m, NOW_MS);
        let step = steps.next();
        while (step.done !== true) step = steps.next();
        expect(step.value).toBe(compileFilter(given)(m, NOW_MS));
      }),
      RUNS,
    );
  });

  test('a filter that needs neither payload nor text does not read them', () => {
    let reads = 0;
    fc.assert(
      fc.property(filter, (given) => {
        const closed: FilterSubject = {
          row: sampleRow(),
          deliveries: [],
          metadata: {},
          get event() {
            return { source: refuse() };
          },
          data: refuse,
          text: refuse,
          statuses: [],
          words: [],
          answers: () => [],
          errors: [],
          answeredBy: [],
          rules: [],
          causes: [],
          changedAt: [],
        };
        reads = 0;
        if (!needsData(given) && !needsText(given)) compileFilter(given)(closed, NOW_MS);
        expect(reads).toBe(0);
      }),
      RUNS,
    );
    function refuse(): string {
      reads++;
      return '';
    }
  });
});

test('no text makes the parser or the completion throw; a mistake stands inside the text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...TERM_KEYS,
      'data.x',
      'meta.y',
      'data.x[0]',
      ...COMPARISONS,
      ':',
      ',',
      '(',
      ')',
      '"',
      '\\',
      ' ',
      '-',
      'OR',
      'AND',
      'NOT',
      '*',
      '..',
      '5xx',
      '10kb',
      '5m',
      '1',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const sources = { values: { topic: ['a b', 'orders'] }, paths: ['x', '[0].y'], metaKeys: ['y'] };
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), fc.nat(40), (pieces, cursor) => {
      const given = pieces.join('');
      const parsed = parseFilter(given);
      for (const item of completeFilter(given, cursor, sources))
        expect(item.from).toBeLessThanOrEqual(cursor);
      const again = parsed.ok ? parseFilter(printFilter(parsed.filter)) : parsed;
      expect(again).toEqual(parsed);
      if (parsed.ok) compileFilter(parsed.filter)(sampleSubject({ data: { x: [1] } }), NOW_MS);
      const place = parsed.ok ? { position: 1, length: 0, message: 'none' } : parsed.error;
      expect(place.position).toBeGreaterThanOrEqual(1);
      expect(place.position - 1 + place.length).toBeLessThanOrEqual(given.length);
      expect(place.message).not.toBe('');
    }),
    { numRuns: times(1500, 5000) },
  );
});
