/** The card of an attempt says where the attempt led: where the machine went, not where the answer alone would lead. */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Delivery } from '../../core/contract/message.ts';
import { AttemptCard } from '../../renderer/components/detail/AttemptCard.tsx';
import { drawn, known } from './drawn.tsx';
import { attemptWith, transitionBy, wholeDelivery, wholeMessage } from './samples.ts';

const CONSOLE = {
  connection: createStore(() => ({ link: { status: 'open' }, runtime: undefined })),
  mockApps: { waiting: known({ items: [] }) },
  holds: { list: known({ items: [] }) },
};

function nameOf(delivery: Delivery): string | undefined {
  const [attempt] = delivery.attempts;
  if (attempt === undefined) throw new Error('the delivery has no attempt');
  const html = drawn(
    <AttemptCard attempt={attempt} delivery={delivery} message={wholeMessage()} startsOpen={false} />,
    CONSOLE,
  );
  return /<article aria-label="([^"]*)"/.exec(html)?.[1];
}

const began = transitionBy('policy.attempt', 'attempting', {
  from: 'queued',
  sequence: 2,
  at: '2026-03-01T14:32:08.500Z',
  cause: 'policy',
});
const asked = transitionBy('single.other', 'retrying', { sequence: 3 });
const attempts = [attemptWith()];

test('an answer that asks for a retry leads to the next attempt while there is one', () => {
  expect(nameOf(wholeDelivery({ attempts, transitions: [began, asked] }))).toBe('Attempt 1, 503, Retrying');
});

test('an answer that asks for a retry on the last attempt leads to where the delivery went', () => {
  const ended = (rule: 'policy.exhausted' | 'policy.dead-letter', to: 'parked' | 'dead-lettered') =>
    transitionBy(rule, to, { from: 'retrying', sequence: 4, cause: 'policy' });
  const led = (last: ReturnType<typeof ended>) =>
    nameOf(wholeDelivery({ state: last.to, attempts, transitions: [began, asked, last], maxAttempts: 1 }));
  expect(led(ended('policy.exhausted', 'parked'))).toBe('Attempt 1, 503, Parked');
  expect(led(ended('policy.dead-letter', 'dead-lettered'))).toBe('Attempt 1, 503, Dead-lettered');
});

test('an attempt without an answer is running', () => {
  const { response: _response, ...running } = attemptWith();
  const delivery = wholeDelivery({ state: 'attempting', attempts: [running], transitions: [began] });
  expect(nameOf(delivery)).toBe('Attempt 1, running, Attempting');
});
