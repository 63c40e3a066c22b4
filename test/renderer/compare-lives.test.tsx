/** What became of two compared messages: facts of their deliveries side by side, and a word beside those that differ. */
import { expect, test } from 'vitest';
import { comparedFacts } from '../../renderer/format/compare-lives.ts';
import { Compared } from '../../renderer/views/act-dialogs/CompareDialog.tsx';
import { drawn, wordsOf } from './drawn.tsx';
import { attemptWith, wholeDelivery, wholeMessage } from './samples.ts';

const ok = { status: 200, headers: {}, body: '' };
const failed = wholeMessage({
  deliveries: [wholeDelivery({ state: 'parked', attempts: [attemptWith(), attemptWith({ number: 2 })] })],
});
const processed = wholeMessage({
  deliveries: [
    wholeDelivery({
      state: 'processed',
      attempts: [attemptWith({ response: ok, word: 'SUCCESS', durationMs: 1500 })],
    }),
  ],
});

function lines(...of: Parameters<typeof comparedFacts>): readonly string[] {
  return comparedFacts(...of).map(({ name, left, right }) => `${name}: ${left} | ${right}`);
}

test('state, attempts, last answer and duration stand side by side', () => {
  expect(lines(failed, processed)).toEqual([
    'State: Parked | Processed',
    'Attempts: 2 | 1',
    'Last answer: 503 | 200 SUCCESS',
    'Last attempt took: 12 ms | 1.5 s',
  ]);
});

test('a call without an answer, one that still runs, and a message without a delivery are told apart', () => {
  const { response: _response, ...silent } = attemptWith({ error: { code: 'refused', message: 'refused' } });
  const none = wholeMessage({ deliveries: [wholeDelivery({ attempts: [silent] })] });
  const { endedAt: _end, durationMs: _took, error: _error, ...running } = silent;
  const first = wholeMessage({ deliveries: [wholeDelivery({ state: 'attempting', attempts: [running] })] });
  expect(lines(none, first).slice(2)).toEqual(['Last answer: no answer | –', 'Last attempt took: 12 ms | –']);
  const alone = wholeMessage({ deliveries: [] });
  expect(lines(alone, processed)[0]).toBe('State: No subscription | Processed');
  expect(lines(alone, alone)).toEqual(['State: No subscription | No subscription']);
});

test('deliveries of several apps are paired by app', () => {
  const to = (appId: string, state: 'processed' | 'parked') => wholeDelivery({ appId, state });
  const left = wholeMessage({ deliveries: [to('mail', 'processed'), to('shop', 'parked')] });
  const right = wholeMessage({ deliveries: [to('shop', 'processed')] });
  expect(lines(left, right).filter((line) => line.includes('State'))).toEqual([
    'mail: State: Processed | no delivery',
    'shop: State: Parked | Processed',
  ]);
});

test('the comparison says in words which facts differ', () => {
  const side = (message: typeof failed) => ({ message, data: '' });
  const of = (left: typeof failed, right: typeof failed) =>
    drawn(<Compared left={side(left)} right={side(right)} />, {});
  const different = of(failed, processed);
  expect(wordsOf(different)).toContain('State Parked Processed Differs');
  expect(different).toContain('<strong>Parked</strong>');
  expect(wordsOf(of(failed, failed))).toContain('State Parked Parked Attempts');
});
