/** Links of the chips with the number of deliveries in each state. */
import { createElement } from 'react';
import { expect, test } from 'vitest';
import { StateCounts } from '../../renderer/components/StateCounts.tsx';
import { drawn, wordsOf } from './drawn.tsx';

test('each leads to what it counts: those without a subscription leave out what was replayed since', () => {
  const html = drawn(
    createElement(StateCounts, { counts: { parked: 2, none: 3 }, replayed: 1, within: 'topic:a' }),
    {},
  );
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => decodeURIComponent(href));
  expect(links.toSorted()).toEqual([
    '/messages?f=topic:a state:none -is:replayed -is:tapped',
    '/messages?f=topic:a state:none is:replayed',
    '/messages?f=topic:a state:parked',
  ]);
  expect(wordsOf(html)).toBe('Parked 2 No subscription 3 Replayed since 1');
  expect([...html.matchAll(/title="([^"]*)"/g)].map(([, title]) => title)).toEqual([
    '2 deliveries. A message has a delivery for each subscription.',
    '3 messages without a subscription, not replayed since',
    '1 message that had no subscription, and was replayed since. The replay is another message.',
  ]);
});
