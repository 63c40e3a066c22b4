/** Names that no address can hold: an app's list of subscriptions is JSON, where half a character can stand in a topic. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import { StateCounts } from '../../renderer/components/StateCounts.tsx';
import { publishUrl } from '../../renderer/format/curl.ts';

const TOPIC = 'half\ud83d';

test('a topic with half a character has links', () => {
  const html = renderToStaticMarkup(
    <Router ssrPath="/">
      <StateCounts counts={{ parked: 1 }} within={`topic:${TOPIC}`} />
    </Router>,
  );
  expect(html).toContain('topic%3Ahalf%EF%BF%BD');
});

test('a topic with half a character has an address to publish to', () => {
  const to = { pubsubname: 'pubsub', topic: TOPIC };
  expect(publishUrl('http://127.0.0.1:3500', to, {})).toContain('/pubsub/half%EF%BF%BD');
});
