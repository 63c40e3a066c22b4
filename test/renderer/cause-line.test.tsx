/** A hidden character in what an app answered turns no sentence around, in the reason, in the attempts and in the list. */
import { expect, test } from 'vitest';
import type { Transition } from '../../core/contract/message.ts';
import { Calls } from '../../renderer/components/detail/Calls.tsx';
import { CauseLine } from '../../renderer/components/detail/CauseLine.tsx';
import { answerText, shortAnswerOf } from '../../renderer/format/row.ts';
import { drawn, known, wordsOf } from './drawn.tsx';
import { attemptWith, deliveryIn, transitionBy, wholeDelivery, wholeMessage } from './samples.ts';

const WORD = 'MAYBE\u202e';
const CONSOLE = { holds: { list: known({ items: [] }) } };

const began = transitionBy('policy.attempt', 'attempting', { from: 'queued', sequence: 2, cause: 'policy' });
const asked = transitionBy('single.2xx.other', 'retrying', { sequence: 3 });
const again = transitionBy('policy.retry', 'attempting', { from: 'retrying', sequence: 4, cause: 'policy' });
const answered = attemptWith({ word: WORD, response: { status: 200, headers: {}, body: '' } });
const delivery = wholeDelivery({ attempts: [answered], transitions: [began, asked, again] });

test('the reason of a state shows the character instead', () => {
  const line = <CauseLine transition={asked} delivery={delivery} message={wholeMessage()} />;
  expect(wordsOf(drawn(line, CONSOLE))).toContain('&quot;MAYBE⟨U+202E⟩&quot; is not SUCCESS, RETRY or DROP');
});

test('the reason of a further attempt, and the answer of a row, show it too', () => {
  const { eventId: _none, ...message } = wholeMessage({ deliveries: [delivery] });
  const calls = drawn(<Calls message={message} delivery={delivery} />, CONSOLE);
  expect(wordsOf(calls)).toContain('because attempt 1 was answered 200 MAYBE⟨U+202E⟩.');
  const lastAnswer = { status: 200, word: WORD };
  expect(answerText(lastAnswer)).toBe('200 MAYBE⟨U+202E⟩');
  expect(shortAnswerOf({ deliveries: [deliveryIn('retrying', { lastAnswer })] })).toBe('MAYBE⟨U+202E⟩');
});

test('an entry that the answer to a batch leaves out is tried again because of that, and not because of the 200', () => {
  const attempt = attemptWith({ response: { status: 200, headers: {}, body: '{"statuses":[]}' } });
  const missing = transitionBy('bulk.2xx.missing', 'retrying', { sequence: 3 });
  const said = (rest: readonly Transition[]): string => {
    const one = wholeDelivery({ attempts: [attempt], transitions: [began, ...rest] });
    const { eventId: _none, ...message } = wholeMessage({ deliveries: [one] });
    return wordsOf(drawn(<Calls message={message} delivery={one} />, CONSOLE));
  };
  expect(said([missing, again])).toContain(
    'because attempt 1 was answered 200, and that answer left this entry out. bulk.2xx.missing',
  );
  const parked = transitionBy('bulk.2xx.missing', 'parked', { sequence: 3 });
  const retried = transitionBy('user.retry', 'queued', { from: 'parked', sequence: 4, cause: 'user' });
  const afterAct = transitionBy('policy.attempt', 'attempting', {
    from: 'queued',
    sequence: 5,
    cause: 'policy',
  });
  expect(said([parked, retried, afterAct])).toContain(
    'Attempt 1 had been answered 200, and that answer left this entry out.',
  );
});
