/** What the form of a hold says it will catch. */
import { expect, test } from 'vitest';
import { holdsWhat, lastMinute } from '../../renderer/views/holds/holds-what.ts';

const ALL = { at: 'delivery', filter: ' ', times: '' } as const;

test('a hold without a filter holds everything, and says how much that is', () => {
  expect(holdsWhat(ALL, undefined)).toBe('Holds every delivery to every app from now on.');
  expect(holdsWhat({ ...ALL, at: 'publish' }, { all: 34, matching: 34 })).toBe(
    'Holds every message that is published from now on. In the last minute there were 34 messages.',
  );
  expect(holdsWhat({ ...ALL, at: 'response' }, { all: 1, matching: 1 })).toBe(
    'Holds every answer of every app from now on. In the last minute there was 1 message.',
  );
});

test('a hold for the next few says so, also without a filter', () => {
  expect(holdsWhat({ ...ALL, times: '1' }, undefined)).toBe('Holds the next 1 delivery, whatever it is.');
  expect(holdsWhat({ ...ALL, times: '3', at: 'publish' }, undefined)).toBe(
    'Holds the next 3 messages, whatever they are.',
  );
  expect(holdsWhat({ ...ALL, times: '-1' }, undefined)).toBe(
    'Holds every delivery to every app from now on.',
  );
});

test('a hold with a filter says how much of the last minute matched', () => {
  const ofOrders = { at: 'delivery', filter: 'topic:orders', times: '' } as const;
  expect(holdsWhat(ofOrders, { all: 34, matching: 3 })).toBe(
    'Holds each delivery of a message that matches the filter. In the last minute 3 of 34 messages matched.',
  );
});

test('the filter of a count keeps its parts together', () => {
  expect(lastMinute('')).toBe('age:<1m');
  expect(lastMinute('topic:a OR topic:b')).toBe('(topic:a OR topic:b) age:<1m');
});
