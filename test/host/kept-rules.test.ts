/** Rules that an earlier version kept and this one refuses: they are left out with the reason, and the others count. */
import { expect, test } from 'vitest';
import type { ResponseRule } from '../../core/contract/mock-app.ts';
import { restoreRules, restoreSubscriptions } from '../../core/mock-app/kept-rules.ts';
import { RuleRoom } from '../../core/mock-app/rule-room.ts';
import { openMockApp } from '../support/mock-app-parts.ts';
import { rulesOfTap } from '../support/rules-of-tap.ts';

const FINE: ResponseRule = {
  ruleId: 'r1',
  name: 'not yet',
  enabled: true,
  match: { topic: 'orders' },
  answer: { kind: 'respond', status: 200, body: { status: 'RETRY' } },
};
const ASKS: ResponseRule = { ...FINE, ruleId: 'r2', name: 'ask me', answer: { kind: 'ask' } };

function restored(kept: unknown) {
  const lines: string[] = [];
  const log = { write: (_level: string, _part: string, text: string) => void lines.push(text) };
  const rules = rulesOfTap(log);
  restoreRules(rules, kept, log);
  return { names: rules.state().rules.map(({ name }) => name), lines };
}

test('a stored rule that is refused now is left out and logged with the reason; the others are used', () => {
  expect(restored([FINE, ASKS, { ...FINE, ruleId: 'r3', name: 'third' }])).toEqual({
    names: ['not yet', 'third'],
    lines: [
      'Sidelight left out the saved rule "ask me" of shop: rules[1].answer must be an answer that is not ask: hold the delivery to answer it by hand.',
    ],
  });
});

test('valid rules are restored unchanged, and a value that is no list restores none', () => {
  expect(restored([FINE])).toEqual({ names: ['not yet'], lines: [] });
  expect(restored('rules')).toEqual({ names: [], lines: [] });
});

test('saved subscriptions for which there is no room are left out and logged', async () => {
  const lines: string[] = [];
  const log = { write: (_level: string, _part: string, text: string) => void lines.push(text) };
  const app = await openMockApp({ room: new RuleRoom(100) });
  const topic = 'x'.repeat(200);
  restoreSubscriptions(app, [{ pubsubname: 'pubsub', topic, routes: { default: '/a' } }], log);
  expect(app.state().subscriptions).toEqual([]);
  expect(lines).toEqual([
    expect.stringContaining('the saved subscriptions of app: There is room for at most 100'),
  ]);
});
