/** Rules and subscriptions of all mock apps have a room in common. */
import { expect, test } from 'vitest';

import type { ResponseRule } from '../../core/contract/mock-app.ts';
import { RuleRoom } from '../../core/mock-app/rule-room.ts';
import { openMockApp } from '../support/mock-app-parts.ts';

const rules = (body: unknown): readonly ResponseRule[] => [
  { ruleId: 'r', enabled: true, match: {}, answer: { kind: 'respond', status: 200, body } },
];
const tooLarge = (field: string) => expect.objectContaining({ code: 'TOO_LARGE', field });

test('an app is refused rules for which the others leave no room, and keeps those that it has', async () => {
  const room = new RuleRoom(10_000);
  const [one, other] = [
    await openMockApp({ room, appId: 'one' }),
    await openMockApp({ room, appId: 'other' }),
  ];
  one.setRules(rules('x'.repeat(6000)));
  other.setRules(rules('y'));
  expect(() => other.setRules(rules('x'.repeat(6000)))).toThrow(tooLarge('rules'));
  expect(other.state().rules[0]?.answer).toMatchObject({ body: 'y' });
  one.setRules([]);
  other.setRules(rules('x'.repeat(6000)));
});

test('subscriptions share the room with rules', async () => {
  const app = await openMockApp({ room: new RuleRoom(10_000) });
  app.setRules(rules('x'.repeat(6000)));
  const subscriptions = [{ pubsubname: 'p', topic: 'x'.repeat(6000), routes: { default: '/a' } }];
  expect(() => app.setSubscriptions(subscriptions)).toThrow(tooLarge('subscriptions'));
  expect(app.state().subscriptions).toEqual([]);
});

test('values without text count, for each takes memory', async () => {
  const app = await openMockApp({ room: new RuleRoom(10_000) });
  const lists = Array.from({ length: 1000 }, () => []);
  expect(() => app.setRules(rules(lists))).toThrow(tooLarge('rules'));
});
