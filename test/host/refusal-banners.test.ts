// The banner of refused publishes: there as long as the reason is, once for each, new when it comes again, and in the log.
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

test('nothing while publishes are taken', () => {
  reasons = [undefined, undefined];
  expect(refusals.banners()).toEqual([]);
  expect(lines).toEqual([]);
});

test('as long as there is a reason; its coming and its end are lines of the log', () => {
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

test('the next time has another id: what was dismissed does not hide it', () => {
  reasons = ['the disk is full'];
  refusals.banners();
  reasons = [];
  refusals.banners();
  reasons = ['the disk is full'];
  expect(refusals.banners()[0]?.id).toBe('refusal-2');
});

test('is noticed when nobody asks, until it is closed', () => {
  reasons = ['the disk is full'];
  clock.advance(1000);
  expect(lines).toEqual(['error publish: Sidelight refuses publishes: the disk is full.']);
  reasons = [];
  clock.advance(1000);
  expect(lines.at(-1)).toBe('info publish: Sidelight accepts publishes again.');
  refusals.close();
  expect(clock.waiting).toBe(0);
});
