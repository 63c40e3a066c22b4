/** Requests of the rule editor to the host: each different answer once, in order. */
import { expect, test } from 'vitest';
import type { Protocol } from '../../core/contract/grpc.ts';
import { explainVerdict } from '../../core/domain/explain-verdict.ts';
import type { RuleAnswer } from '../../core/contract/mock-app.ts';
import { chipsOf } from '../../renderer/views/mock-app/LeadsTo.tsx';
import { predictions, toOneMessage } from '../../renderer/views/mock-app/predictions.ts';
import { attemptWith, wholeDelivery } from './samples.ts';

const asked = (answer: RuleAnswer, protocol?: Protocol) =>
  predictions(answer, protocol).map((each) => (each.kind === 'known' ? each.chip : each.question));

test('each different answer of a sequence is asked about once', () => {
  const broken = { kind: 'respond', status: 503 } as const;
  const good = { kind: 'respond', status: 200, body: { status: 'SUCCESS' } } as const;
  expect(asked({ kind: 'sequence', steps: [broken, broken, good], then: 'loop' })).toEqual([
    { kind: 'single', status: 503, body: '' },
    { kind: 'single', status: 200, body: '{\n  "status": "SUCCESS"\n}' },
  ]);
});

test('a batch is asked about for each entry; one that is left out has no status', () => {
  const statuses = { a: 'DROP', b: null } as const;
  const body = '{"statuses":[{"entryId":"a","status":"DROP"}]}';
  expect(asked({ kind: 'respond-bulk', status: 200, statuses })).toEqual([
    { kind: 'bulk', status: 200, entryId: 'a', body },
    { kind: 'bulk', status: 200, entryId: 'b', body },
  ]);
});

test('an answer of a gRPC app is judged by the code that its call gets', () => {
  const states = (answer: RuleAnswer, protocol?: Protocol) =>
    predictions(answer, protocol).map((each) =>
      each.kind === 'known' ? each.chip : explainVerdict(each.question).state,
    );
  const missing = { kind: 'respond', status: 404 } as const;
  expect(states(missing)).toEqual(['dropped']);
  expect(states(missing, 'grpc')).toEqual(['retrying']);
  expect(states({ kind: 'respond', status: 501 }, 'grpc')).toEqual(['dropped']);
  expect(states({ kind: 'respond', status: 200, body: 'not json' }, 'grpc')).toEqual(['processed']);
  const dropped = { kind: 'respond', status: 200, body: { status: 'DROP' } } as const;
  expect(states(dropped, 'grpc')).toEqual(['dropped']);
  const batch = { kind: 'respond-bulk', status: 200, statuses: { a: 'DROP', b: 'SUCCESS' } } as const;
  expect(states(batch, 'grpc')).toEqual(['dropped', 'processed']);
});

test('no answer means another attempt, and a question means a person', () => {
  expect(asked({ kind: 'hang' })).toEqual(['retrying']);
  expect(asked({ kind: 'ask' })).toEqual(['asked']);
});

test('an answer to the last allowed attempt leads where the machine goes, and one to an earlier attempt to a retry', () => {
  const foreseen = (answer: RuleAnswer, maxAttempts?: number) => {
    const found = predictions(answer);
    const verdicts = found.flatMap((each) => (each.kind === 'asked' ? [explainVerdict(each.question)] : []));
    const attempt = attemptWith({ number: 2, attemptId: 'att_2' });
    const { response: _none, endedAt: _never, durationMs: _nothing, ...running } = attempt;
    const delivery = wholeDelivery({
      state: 'attempting',
      attempts: [attemptWith(), running],
      maxAttempts: maxAttempts ?? 0,
    });
    const asked = { delivery, attempt: running, subscriptions: [] };
    return chipsOf(found, verdicts, maxAttempts === undefined ? undefined : asked);
  };
  const failing = { kind: 'respond', status: 503 } as const;
  const good = { kind: 'respond', status: 200 } as const;
  expect(foreseen(failing)).toEqual(['retrying']);
  expect(foreseen(failing, 3)).toEqual(['retrying']);
  expect(foreseen(failing, 2)).toEqual(['parked']);
  expect(foreseen({ kind: 'hang' }, 3)).toEqual(['retrying']);
  expect(foreseen({ kind: 'reset' }, 2)).toEqual(['parked']);
  expect(foreseen({ kind: 'ask' }, 2)).toEqual(['asked']);
  expect(foreseen(good, 2)).toEqual(['processed']);
});

test('an answer for a batch gives a call with one message the word of its first entry', () => {
  const said = (statuses: Extract<RuleAnswer, { kind: 'respond-bulk' }>['statuses']) =>
    toOneMessage({ kind: 'respond-bulk', status: 200, statuses });
  expect(said('all-drop')).toEqual({ kind: 'respond', status: 200, body: { status: 'DROP' } });
  expect(said({ '#1': 'RETRY', '*': 'DROP' })).toEqual({
    kind: 'respond',
    status: 200,
    body: { status: 'RETRY' },
  });
  expect(said({ '#2': 'DROP' })).toEqual({ kind: 'respond', status: 200, body: {} });
  expect(toOneMessage({ kind: 'hang' })).toEqual({ kind: 'hang' });
});
