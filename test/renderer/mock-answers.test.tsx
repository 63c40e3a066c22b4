/** The list of answers of the mock app: hundreds are drawn step by step, each with its counter. */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { MockAppState, ResponseRule } from '../../core/contract/mock-app.ts';
import { AnswersTab } from '../../renderer/views/mock-app/AnswersTab.tsx';
import { drawn, known, wordsOf } from './drawn.tsx';

const CONSOLE = {
  connection: createStore(() => ({ link: { status: 'open' } })),
  mockApps: { presets: known({ items: [] }) },
};

function state(rules: readonly ResponseRule[]): MockAppState {
  return { appId: 'app', rules, defaultHits: 0, received: 0, on: true } as unknown as MockAppState;
}

const rule = (n: number, hits = 0): ResponseRule => ({
  ruleId: `rul_${n}`,
  name: `answer ${n}`,
  enabled: true,
  match: { topic: `t${n}` },
  answer: { kind: 'respond', status: 200 },
  hits,
});

test('the first sixty of two hundred answers are drawn, and the others are counted', () => {
  const rules = Array.from({ length: 200 }, (_, n) => rule(n + 1));
  const html = drawn(<AnswersTab state={state(rules)} />, CONSOLE);
  expect(html.match(/<li/g)).toHaveLength(62);
  const words = wordsOf(html);
  expect(words).toContain('answer 60');
  expect(words).not.toContain('answer 61');
  expect(words).toContain('140 more');
  expect(words).toContain('everything else');
});

test('an answer says how often it was given, and leads to the messages', () => {
  const html = drawn(<AnswersTab state={state([rule(1, 1), rule(2, 2), rule(3)])} />, CONSOLE);
  expect(html).toMatch(/<a [^>]*>1 hit<\/a>/);
  expect(html).toMatch(/<a [^>]*>2 hits<\/a>/);
  expect(wordsOf(html)).toContain('0 hits');
});

test('a mock app without answers says that every request gets 200 SUCCESS', () => {
  expect(wordsOf(drawn(<AnswersTab state={state([])} />, CONSOLE))).toContain(
    'Everything is answered 200 SUCCESS.',
  );
});
