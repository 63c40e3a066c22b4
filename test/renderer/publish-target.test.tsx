/** The target of a publish: what its field says about a topic that nobody subscribes to. */
import { expect, test } from 'vitest';
import { Target } from '../../renderer/views/publish/Target.tsx';
import { drawn, known, wordsOf } from './drawn.tsx';

const TOPICS = ['orders', 'refunds2', 'unused'].map((topic) => ({
  pubsubname: 'pubsub',
  topic,
  subscriptions: topic === 'unused' ? 0 : 1,
  apps: ['app'],
}));

test.each([
  ['orders', 'Subscribed by app'],
  ['ordrs', 'No app subscribes to this topic; did you mean orders?'],
  ['order', 'No app subscribes to this topic; did you mean orders?'],
  ['invoices', 'No app subscribes to this topic'],
  ['refunds1', 'No app subscribes to this topic'],
  ['unusd', 'No app subscribes to this topic'],
])('of the topic %s it says: %s', (topic, says) => {
  const topology = {
    components: known({ items: [] }),
    topics: known({ items: TOPICS }),
    apps: known({ items: [] }),
  };
  const html = drawn(
    <Target value={{ pubsubname: 'pubsub', topic, appId: 'app' }} onChange={() => undefined} />,
    {
      topology,
    },
  );
  const words = wordsOf(html);
  expect(words).toContain(says);
  expect(words.includes('did you mean')).toBe(says.includes('did you mean'));
});
