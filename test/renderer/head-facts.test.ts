/** The facts in the head of a message, and the whole text of one that may be cut. */
import { expect, test } from 'vitest';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import { headFacts } from '../../renderer/components/detail/HeadFacts.tsx';
import { FACTS } from '../../renderer/copy/detail.ts';
import { clockSeconds } from '../../renderer/format/clock-time.ts';
import { wholeDelivery, wholeMessage } from './samples.ts';

const NEXT = '2026-03-01T14:40:00Z';
const EXPIRY = '2026-03-01T15:10:05Z';

const wholeNext = (state: DeliveryState, expiresAt?: string): string | undefined =>
  headFacts(
    wholeMessage(expiresAt === undefined ? {} : { expiresAt }),
    wholeDelivery({ state, nextAttemptAt: NEXT }),
  ).find(({ title }) => title === FACTS.next || title === FACTS.expires)?.whole;

test('the next attempt and the expiry are together in the text that shows where they are cut', () => {
  expect(wholeNext('retrying', EXPIRY)).toBe(`at ${clockSeconds(NEXT)} · expires at ${clockSeconds(EXPIRY)}`);
});

test('a single time is never cut', () => {
  expect(wholeNext('retrying')).toBe('');
  expect(wholeNext('queued', EXPIRY)).toBe('');
});
