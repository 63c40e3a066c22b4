// Problems that reading a list of subscriptions finds, at the fields that show them.
import { expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { readDiscovery } from '../../core/domain/subscription.ts';
import { fieldProblems, otherProblems } from '../../renderer/format/served-problems.ts';

const GOOD = { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } };
const LIST = [
  GOOD,
  { ...GOOD, topic: '' },
  { ...GOOD, topic: 'odd): (name', routes: {} },
  { ...GOOD, topic: 'ruled', routes: { rules: [{ match: 'event.', path: '/x' }] } },
  { ...GOOD, topic: 'dead', deadLetterTopic: 'dead' },
  { ...GOOD, topic: 'more', route2: '/x' },
];

test('a problem stands at the field of its subscription, and the others at the end', () => {
  const { problems } = readDiscovery(LIST, { appId: 'shop', profile: PROFILES.sidecar });
  const said = (n: number, member: string): string | undefined => fieldProblems(problems, n)(member);
  expect(said(2, 'topic')).toMatch(/^Subscription 2: topic must be a name/);
  expect(said(3, 'routes')).toMatch(/no route, no rules and no default/);
  expect(said(4, 'routes.rules[0].match')).toMatch(/is not a valid condition/);
  expect(said(5, 'deadLetterTopic')).toMatch(/is the topic itself/);
  expect(said(1, 'topic')).toBeUndefined();
  expect(said(2, 'routes')).toBeUndefined();
  const rest = otherProblems(problems, LIST.length);
  expect(rest.map(({ message }) => message.split(' ', 2).join(' '))).toEqual(['Subscription 6']);
  expect(otherProblems(problems, 0)).toEqual(problems);
});
