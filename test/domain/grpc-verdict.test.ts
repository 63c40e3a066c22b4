// The outcome tables of a gRPC app row by row: what it answered, what follows, and the rule that says why.
import { describe, expect, test } from 'vitest';
import { GRPC_CODES } from '../../core/contract/grpc.ts';
import { RULE_IDS } from '../../core/contract/delivery.ts';
import { readGrpcAnswer, readGrpcBulkAnswer } from '../../core/domain/answer.ts';
import { step } from '../../core/domain/machine.ts';
import { GRPC, GRPC_BULK, judgeBinding, judgeGrpc, judgeGrpcBulk } from '../../core/domain/verdict.ts';

const said = (status: unknown): string => JSON.stringify({ status });
const entries = (statuses: readonly object[]): string => JSON.stringify({ statuses });

describe('one event', () => {
  test.each<[number, string | undefined, string, string]>([
    [0, said('SUCCESS'), 'processed', 'grpc.success'],
    [0, '', 'processed', 'grpc.success'],
    [0, '{}', 'processed', 'grpc.success'],
    [0, said(0), 'processed', 'grpc.success'],
    [0, said('RETRY'), 'retry', 'grpc.retry'],
    [0, said(1), 'retry', 'grpc.retry'],
    [0, said('DROP'), 'dropped', 'grpc.drop'],
    [0, said(7), 'retry', 'grpc.unknown-status'],
    [0, said('LATER'), 'retry', 'grpc.unknown-status'],
    [0, 'no JSON', 'retry', 'grpc.error'],
    [0, undefined, 'retry', 'grpc.error'],
    [12, 'no handler', 'dropped', 'grpc.unimplemented'],
    [17, '', 'retry', 'grpc.error'],
  ])('%i %s -> %s by %s', (code, body, outcome, rule) => {
    expect(judgeGrpc(readGrpcAnswer(code, body))).toMatchObject({ outcome, rule });
  });

  test.each(GRPC_CODES.filter((name) => name !== 'OK' && name !== 'UNIMPLEMENTED'))(
    '%s is retried',
    (name) => {
      const verdict = judgeGrpc(readGrpcAnswer(GRPC_CODES.indexOf(name), 'SUCCESS'));
      expect(verdict).toEqual({ outcome: 'retry', rule: 'grpc.error', log: 'warn' });
    },
  );

  test('without an answer is retried or cancelled', () => {
    expect(judgeGrpc({ kind: 'none', code: 'refused' })).toMatchObject({ rule: 'policy.no-answer' });
    expect(judgeGrpc({ kind: 'none', code: 'cancelled' })).toMatchObject({ rule: 'user.cancel' });
  });

  test('goes back into the queue without a failure when its stream ended', () => {
    const verdict = judgeGrpc({ kind: 'none', code: 'reset', streamClosed: true });
    expect(step('attempting', { type: 'verdict', verdict })).toEqual({
      ok: true,
      to: 'queued',
      cause: 'app',
      rule: 'stream.closed',
    });
  });
});

describe('an entry of a batch', () => {
  const judged = (code: number, body: string) => judgeGrpcBulk(readGrpcBulkAnswer(code, body), ['a', 'b']);
  const rules = (code: number, body: string): unknown[] =>
    [...judged(code, body).verdicts.values()].map(({ rule, outcome }) => [rule, outcome]);

  test('has a verdict of its own', () => {
    const body = entries([
      { entry_id: 'a', status: 'DROP' },
      { entry_id: 'b', status: 'RETRY' },
    ]);
    expect(rules(0, body)).toEqual([
      ['grpc.bulk.drop', 'dropped'],
      ['grpc.bulk.retry', 'retry'],
    ]);
  });

  test('an entry without a status is SUCCESS, one that is left out is retried', () => {
    expect(rules(0, entries([{ entry_id: 'a' }]))).toEqual([
      ['grpc.bulk.success', 'processed'],
      ['grpc.bulk.missing', 'retry'],
    ]);
    expect(rules(0, '')).toEqual([
      ['grpc.bulk.missing', 'retry'],
      ['grpc.bulk.missing', 'retry'],
    ]);
  });

  test('the last of two counts, a strange number is retried, an entry that was not sent is named', () => {
    const body = entries([
      { entry_id: 'a', status: 'RETRY' },
      { entry_id: 'a', status: 'SUCCESS' },
      { entry_id: 'b', status: 9 },
      { entry_id: 'c', status: 'DROP' },
    ]);
    expect(rules(0, body)).toEqual([
      ['grpc.bulk.success', 'processed'],
      ['grpc.bulk.unknown-status', 'retry'],
    ]);
    expect(judged(0, body).unknown).toEqual(['c']);
  });

  test('has the verdict of the call if that ended with a code', () => {
    expect(rules(12, '')).toEqual(Array(2).fill(['grpc.bulk.unimplemented', 'dropped']));
    expect(rules(14, '')).toEqual(Array(2).fill(['grpc.bulk.error', 'retry']));
  });

  test('is retried if the call has no answer', () => {
    const { verdicts } = judgeGrpcBulk({ kind: 'none', code: 'timeout' }, ['a']);
    expect(verdicts.get('a')).toMatchObject({ rule: 'policy.no-answer', outcome: 'retry' });
  });
});

test('an event of a binding is accepted with OK and refused with any other code', () => {
  expect(judgeBinding(readGrpcAnswer(0, ''))).toMatchObject({ rule: 'binding.2xx' });
  expect(judgeBinding(readGrpcAnswer(13, ''))).toMatchObject({ rule: 'binding.refused' });
});

test('the rows of gRPC have every rule of gRPC and no other', () => {
  const shared = ['user.cancel', 'policy.no-answer'];
  const rows = [...GRPC, ...GRPC_BULK].map(({ rule }) => rule).filter((rule) => !shared.includes(rule));
  const ids = RULE_IDS.filter((rule) => rule.startsWith('grpc.') || rule === 'stream.closed');
  expect(rows.toSorted()).toEqual(ids.toSorted());
});
