/** What the envelope says about a time to live: only a message that expired is said to have expired. */
import { expect, test } from 'vitest';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import { canExpire, expiryText } from '../../renderer/components/detail/EnvelopeTab.tsx';
import { setTimeZone } from '../../renderer/format/clock-time.ts';

setTimeZone('utc');

const AT = '2026-03-01T14:32:08.412Z';
const of = (...states: readonly DeliveryState[]) => ({ deliveries: states.map((state) => ({ state })) });
const said = (message: ReturnType<typeof of>, afterMs: number): string =>
  expiryText(AT, message, canExpire(message) ? Date.parse(AT) + afterMs : undefined);

test('a message that was processed in time is not said to have expired later', () => {
  expect(said(of('processed'), 60_000)).toBe('valid until 14:32:08.412');
  expect(said(of('processed', 'dropped'), -60_000)).toBe('valid until 14:32:08.412');
});

test('a message that is open has its time left, and one that expired says so', () => {
  expect(said(of('processed', 'retrying'), -2000)).toBe('expires 14:32:08.412 (in 2 s)');
  expect(said(of('retrying'), 60_000)).toBe('time to live ended 14:32:08.412');
  expect(said(of('processed', 'expired'), 60_000)).toBe('expired 14:32:08.412');
});
