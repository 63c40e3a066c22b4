/** Log lines of answers: none promises a retry that the policy does not allow. */
import { expect, test } from 'vitest';
import type { Attempt } from '../../core/contract/message.ts';
import { describeVerdict } from '../../core/runtime/telemetry/log-lines.ts';

const ATTEMPT: Attempt = {
  attemptId: 'att_1',
  number: 2,
  startedAt: '2026-03-01T14:32:08.500Z',
  request: { method: 'POST', url: 'http://127.0.0.1:6001/orders', headers: {}, body: '{}' },
  response: { status: 503, headers: {}, body: '' },
  error: { code: 'refused', message: 'connection refused' },
};

test.each([
  'single.other',
  'single.2xx.other',
  'grpc.bulk.missing',
  'policy.no-answer',
  'user.cancel',
] as const)('the log line of %s says whether an attempt is left', (rule) => {
  const verdict = { outcome: 'retry', rule } as const;
  expect(describeVerdict(verdict, ATTEMPT, false)).toMatch(/to be retried/i);
  expect(describeVerdict(verdict, ATTEMPT, true)).toMatch(/no attempt is left/i);
  expect(describeVerdict(verdict, ATTEMPT, true)).not.toMatch(/retried/i);
});

test('a body of several lines is one line of the log, without escapes', () => {
  const verdict = { outcome: 'retry', rule: 'single.other' } as const;
  const { error: _none, ...answered } = ATTEMPT;
  const line = (body: string): string =>
    describeVerdict(verdict, { ...answered, response: { status: 500, headers: {}, body } }, false);
  expect(line('{"success":false}\n')).toMatch(/ Body: \{"success":false\}$/);
  expect(line('<!doctype html>\n<title>500</title>\n  <h1>Error</h1>\n')).toMatch(
    / Body: <!doctype html> <title>500<\/title> <h1>Error<\/h1>$/,
  );
  expect(line(' \n')).not.toContain('Body');
});
