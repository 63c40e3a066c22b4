/** Links of the chips with the number of deliveries in each state. */
import { createElement } from 'react';
import { expect, test } from 'vitest';
import { StateCounts } from '../../renderer/components/StateCounts.tsx';
import { drawn } from './drawn.tsx';

test('each leads to what it counts: those without a subscription leave out what was replayed since', () => {
  const html = drawn(createElement(StateCounts, { counts: { parked: 2, none: 3 }, within: 'topic:a' }), {});
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => decodeURIComponent(href));
  expect(links.toSorted()).toEqual([
    '/messages?f=topic:a state:none -is:replayed -is:tapped',
    '/messages?f=topic:a state:parked',
  ]);
});
