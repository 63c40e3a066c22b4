// The outcome tables, row by row from the interface's own rows.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RULE_IDS } from '../../core/contract/delivery.ts';
import { ATTEMPT_ERRORS } from '../../core/contract/words.ts';
import { readAnswer, readBulkAnswer } from '../../core/domain/answer.ts';
import type { AppAnswer, BulkAnswer } from '../../core/domain/answer.ts';
import { BINDING, BULK, SINGLE, judgeBinding, judgeBulk, judgeSingle } from '../../core/domain/verdict.ts';
import { TABLES, rowsOf } from './spec-rows.ts';

const single = rowsOf('single');
const bulk = rowsOf('bulk');
const bodyOf = (body: string | null): string | undefined => body ?? undefined;

test('of an answer with many values the status alone is read; one of a batch cannot be read beyond 400,000', () => {
  const many = `"x":[${'{},'.repeat(100_000)}1]`;
  const rule = (body: string): string => judgeSingle(readAnswer(200, body)).rule;
  expect(rule(`{"status":"DROP",${many}}`)).toBe('single.2xx.drop');
  expect(rule(`{${many}, "Status" : "RETRY" } and more`)).toBe('single.2xx.retry');
  expect(rule(`{"status":"DROP",${many},"status":"SUCCESS"}`)).toBe('single.2xx.success');
  expect(rule(`{"y":{"status":"DROP"},${many}}`)).toBe(rule('{}'));
  expect(rule(`{${many},"status":"${'x'.repeat(5000)}"}`)).toBe('single.2xx.other');
  expect(rule(`{${many},"status":null}`)).toBe(rule('{}'));
  for (const status of ['{}}', '1}', '"\\x"}', '}', '"RETRY"'])
    expect(rule(`{${many},"status":${status}`)).toBe('single.2xx.invalid');
  expect(rule(`[${many.slice(4)}]`)).toBe('single.2xx.invalid');
  const entries = (count: number): string =>
    `{"statuses":[${'{"entryId":"a","status":"DROP"},'.repeat(count)}{}]}`;
  expect(judgeBulk(readBulkAnswer(200, entries(40_000)), ['a']).verdicts.get('a')?.outcome).toBe('dropped');
  expect(judgeBulk(readBulkAnswer(200, entries(50_000)), ['a']).verdicts.get('a')?.outcome).toBe('retry');
});

test('the status counts beside up to 10,000 nested lists, as on the reference', () => {
  const beside = (levels: number): string => `"x":${'['.repeat(levels)}${']'.repeat(levels)}`;
  const rule = (levels: number): string =>
    judgeSingle(readAnswer(200, `{"status":"RETRY",${beside(levels)}}`)).rule;
  expect(rule(6000)).toBe('single.2xx.retry');
  expect(rule(9999)).toBe('single.2xx.retry');
  expect(rule(10_000)).toBe('single.2xx.invalid');
  const batch = `{"statuses":[{"entryId":"a","status":"DROP",${beside(6000)}}]}`;
  expect(judgeBulk(readBulkAnswer(200, batch), ['a']).verdicts.get('a')?.outcome).toBe('dropped');
});

describe('single delivery', () => {
  const cases = single.flatMap((row) => (row.examples ?? []).map((example) => ({ ...row, ...example })));

  test('the interface has eight rows, and each has an example', () => {
    expect(single).toHaveLength(8);
    expect(single.filter((row) => (row.examples ?? []).length === 0)).toEqual([]);
  });

  test.each(cases)('$status $body -> $id', ({ id, status, body, outcome, log }) => {
    const verdict = judgeSingle(readAnswer(status, bodyOf(body)));
    expect(verdict.rule).toBe(id);
    expect(verdict.outcome).toBe(outcome);
    expect(verdict.log).toBe(log);
  });

  test('the rows of the code are the rows of the interface, and two of ours', () => {
    const ours = ['user.cancel', 'policy.no-answer'];
    expect(new Set(SINGLE.map(({ rule }) => rule))).toEqual(
      new Set([...single.map(({ id }) => id), ...ours]),
    );
    expect(SINGLE).toHaveLength(single.length + ours.length);
  });

  test('outcome and log of each row are those of the interface', () => {
    const ofCode = SINGLE.filter(({ rule }) => single.some(({ id }) => id === rule));
    const facts = ofCode.map(({ rule, outcome, log }) => [rule, outcome, log]);
    const expected = single.map(({ id, outcome, log }) => [id, outcome, log]);
    expect(new Set(facts.map(String))).toEqual(new Set(expected.map(String)));
  });

  test.each(ATTEMPT_ERRORS)('a call without an answer (%s) is retried', (code) => {
    const verdict = judgeSingle({ kind: 'none', code });
    expect(verdict).toEqual({
      outcome: 'retry',
      rule: code === 'cancelled' ? 'user.cancel' : 'policy.no-answer',
      log: 'warn',
    });
  });

  test('the verdict has the word of the answer', () => {
    expect(judgeSingle(readAnswer(200, '{"status":"WAT"}')).word).toBe('WAT');
    expect(judgeSingle(readAnswer(200, '{"status":"DROP"}')).word).toBe('DROP');
    expect(judgeSingle(readAnswer(200, '')).word).toBeUndefined();
  });

  test('a body counts if it begins with whole JSON, whatever follows', () => {
    expect(judgeSingle(readAnswer(200, '{"status":"DROP"}{"status":"RETRY"}')).rule).toBe('single.2xx.drop');
    expect(judgeSingle(readAnswer(200, '{"status":"DROP"')).rule).toBe('single.2xx.invalid');
  });

  test('the exact spelling of the member goes before another case', () => {
    expect(judgeSingle(readAnswer(200, '{"Status":"RETRY","status":"DROP"}')).rule).toBe('single.2xx.drop');
    expect(judgeSingle(readAnswer(200, '{"status":"DROP","STATUS":"RETRY"}')).rule).toBe('single.2xx.drop');
  });

  test('property: any answer has a verdict of a known rule', () => {
    const answers: fc.Arbitrary<AppAnswer> = fc.oneof(
      fc
        .tuple(
          fc.integer({ min: 100, max: 599 }),
          fc.option(fc.oneof(fc.string(), fc.json()), { nil: undefined }),
        )
        .map(([status, body]) => readAnswer(status, body)),
      fc.constantFrom(...ATTEMPT_ERRORS).map((code): AppAnswer => ({ kind: 'none', code })),
    );
    fc.assert(
      fc.property(answers, (answer) => {
        const { rule, outcome } = judgeSingle(answer);
        expect(RULE_IDS).toContain(rule);
        const status = answer.kind === 'response' ? answer.status : 0;
        const allowed =
          status === 404 ? ['dropped'] : status > 404 ? ['retry'] : ['processed', 'retry', 'dropped'];
        expect(allowed).toContain(outcome);
      }),
    );
  });
});

describe('bulk delivery', () => {
  const cases = bulk.flatMap((row) => (row.examples ?? []).map((example) => ({ ...row, ...example })));

  test.each(cases)('$status $body -> $id', ({ id, status, body, outcome, log }) => {
    const { verdicts } = judgeBulk(readBulkAnswer(status, bodyOf(body)), ['a']);
    expect(verdicts.get('a')?.rule).toBe(id);
    expect(verdicts.get('a')?.outcome).toBe(outcome);
    expect(verdicts.get('a')?.log).toBe(log);
  });

  test('every row has an example, and the code has the rows of the interface and three of ours', () => {
    expect(bulk.filter((row) => (row.examples ?? []).length === 0)).toEqual([]);
    const ours = ['bulk.2xx.other', 'user.cancel', 'policy.no-answer'];
    expect(new Set(BULK.map(({ rule }) => rule))).toEqual(new Set([...bulk.map(({ id }) => id), ...ours]));
  });

  test.each(['success', 'WAT', 'Success', ' RETRY'])('an entry with another word (%s) is retried', (word) => {
    const answer = readBulkAnswer(200, JSON.stringify({ statuses: [{ entryId: 'a', status: word }] }));
    expect(judgeBulk(answer, ['a']).verdicts.get('a')).toEqual({
      outcome: 'retry',
      rule: 'bulk.2xx.other',
      log: 'error',
      word,
    });
  });

  test('each entry has its own status, a missing one is retried, and an unknown one is reported', () => {
    const body = {
      statuses: [
        { entryId: '1', status: 'SUCCESS' },
        { entryId: '2', status: 'DROP' },
        { entryId: 'x', status: 'RETRY' },
      ],
    };
    const { verdicts, unknown } = judgeBulk(readBulkAnswer(200, JSON.stringify(body)), ['1', '2', '3']);
    expect([...verdicts].map(([entryId, { rule }]) => [entryId, rule])).toEqual([
      ['1', 'bulk.2xx.success'],
      ['2', 'bulk.2xx.drop'],
      ['3', 'bulk.2xx.missing'],
    ]);
    expect(unknown).toEqual(['x']);
  });

  test('property: every entry sent has exactly one verdict, and nothing else has', () => {
    const word = fc.constantFrom('SUCCESS', 'RETRY', 'DROP', 'other', '', null);
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const said = fc.array(fc.record({ entryId: id, status: word }));
    fc.assert(
      fc.property(fc.uniqueArray(id), said, fc.constantFrom(200, 404, 500), (sent, statuses, status) => {
        const answer: BulkAnswer = readBulkAnswer(status, JSON.stringify({ statuses }));
        const { verdicts, unknown } = judgeBulk(answer, sent);
        expect([...verdicts.keys()]).toEqual(sent);
        const expected = sent.map((entryId) => {
          const last = statuses.findLast((one) => one.entryId === entryId)?.status;
          if (status !== 200) return status === 404 ? 'dropped' : 'retry';
          return last === 'SUCCESS' ? 'processed' : last === 'DROP' ? 'dropped' : 'retry';
        });
        expect(sent.map((entryId) => verdicts.get(entryId)?.outcome)).toEqual(expected);
        for (const entryId of unknown) expect(sent).not.toContain(entryId);
      }),
    );
  });
});

describe('input binding', () => {
  test.each([
    [200, 'binding.2xx', 'processed'],
    [204, 'binding.2xx', 'processed'],
    [404, 'binding.refused', 'dropped'],
    [500, 'binding.refused', 'dropped'],
  ])('%i -> %s, %s', (status, rule, outcome) => {
    expect(judgeBinding(readAnswer(status, '{"status":"RETRY"}'))).toMatchObject({ rule, outcome });
  });

  test('no answer is refused, not retried', () => {
    expect(judgeBinding({ kind: 'none', code: 'timeout' })).toEqual({
      rule: 'binding.refused',
      outcome: 'dropped',
      log: 'warn',
    });
    expect(BINDING).toHaveLength(2);
  });
});

test('every rule id of single and bulk delivery is a row of the interface or marked as ours', () => {
  const rows = new Set([...single, ...bulk].map(({ id }) => id));
  const ofTables = RULE_IDS.filter((id) => id.startsWith('single.') || id.startsWith('bulk.'));
  expect(ofTables.filter((id) => !rows.has(id))).toEqual(['single.404.drop', 'bulk.2xx.other']);
  expect([...rows].filter((id) => !ofTables.some((known) => known === id))).toEqual([]);
});

test('row ids are unique over all tables', () => {
  const ids = TABLES.flatMap(({ rows }) => rows.map(({ id }) => id));
  expect(ids.length).toBeGreaterThan(90);
  expect(new Set(ids).size).toBe(ids.length);
});
