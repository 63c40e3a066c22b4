/** The banner of refused publishes: there as long as the reason is, once for each, new when it comes again, and in the log. */
import { beforeEach, expect, test } from 'vitest';

import { watchRefusals } from '../../core/host/refusal-banners.ts';
import type { Refusals } from '../../core/host/refusal-banners.ts';
import { ManualClock } from '../support/manual-clock.ts';

let clock: ManualClock;
let lines: string[];
let reasons: (string | undefined)[];
let refusals: Refusals;

beforeEach(() => {
  clock = new ManualClock();
  lines = [];
  reasons = [];
  const log = {
    write: (level: string, part: string, text: string) => void lines.push(`${level} ${part}: ${text}`),
  };
  refusals = watchRefusals({ clock, log, reasons: () => reasons });
});

function texts(): string[] {
  return refusals.banners().map(({ text }) => text);
}

test('there is no banner while publishes are accepted', () => {
  reasons = [undefined, undefined];
  expect(refusals.banners()).toEqual([]);
  expect(lines).toEqual([]);
});

test('a banner lasts as long as its reason, and the log has its beginning and end', () => {
  reasons = ['the disk is full', undefined];
  expect(refusals.banners()).toEqual([
    { id: 'refusal-1', text: 'Sidelight refuses publishes: the disk is full.', level: 'error' },
  ]);
  expect(refusals.banners()[0]?.id).toBe('refusal-1');
  reasons = ['the disk is full', 'too many'];
  expect(texts()).toEqual([
    'Sidelight refuses publishes: the disk is full.',
    'Sidelight refuses publishes: too many.',
  ]);
  reasons = [undefined, undefined];
  expect(texts()).toEqual([]);
  expect(lines).toEqual([
    'error publish: Sidelight refuses publishes: the disk is full.',
    'error publish: Sidelight refuses publishes: too many.',
    'info publish: Sidelight accepts publishes again.',
  ]);
});

test('the next banner has another id, so that a dismissed one does not hide it', () => {
  reasons = ['the disk is full'];
  refusals.banners();
  reasons = [];
  refusals.banners();
  reasons = ['the disk is full'];
  expect(refusals.banners()[0]?.id).toBe('refusal-2');
});

test('a reason is noticed without a request for banners, until the close', () => {
  reasons = ['the disk is full'];
  clock.advance(1000);
  expect(lines).toEqual(['error publish: Sidelight refuses publishes: the disk is full.']);
  reasons = [];
  clock.advance(1000);
  expect(lines.at(-1)).toBe('info publish: Sidelight accepts publishes again.');
  refusals.close();
  expect(clock.waiting).toBe(0);
});
