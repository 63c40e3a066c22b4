/** The list of answers of the mock app: hundreds are drawn step by step, each with its counter. */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { MockAppState, ResponseRule } from '../../core/contract/mock-app.ts';
import { AnswersTab, movedTo } from '../../renderer/views/mock-app/AnswersTab.tsx';
import { silentTopic, topicsOfMock } from '../../renderer/views/mock-app/silent-topic.ts';
import { drawn, known, wordsOf } from './drawn.tsx';

const CONSOLE = {
  connection: createStore(() => ({ link: { status: 'open' } })),
  mockApps: { presets: known({ items: [] }) },
  commands: { store: createStore(() => ({ pending: new Set() })) },
  topology: {
    apps: known({ items: [{ appId: 'app', mock: true }] }),
    components: known({
      items: [{ name: 'pubsub', kind: 'pubsub', scopes: [], problems: [], state: 'ready' }],
    }),
    subscriptions: known({ items: ['t1', 't2', 't3'].map((topic) => ({ appId: 'app', topic })) }),
  },
};

function state(rules: readonly ResponseRule[]): MockAppState {
  const url = 'http://127.0.0.1:6001';
  return {
    appId: 'app',
    url,
    rules,
    subscriptions: [],
    requests: [],
    defaultHits: 0,
    received: 0,
    on: true,
  };
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

test('an answer says how many of its calls wait, which are no hits yet', () => {
  const underWay = [
    { ruleId: 'rul_1', calls: 1 },
    { ruleId: 'rul_2', calls: 1_002 },
  ];
  const words = wordsOf(
    drawn(<AnswersTab state={{ ...state([rule(1), rule(2, 1), rule(3)]), underWay }} />, CONSOLE),
  );
  expect(words).toContain('0 hits · 1 waits');
  expect(words).toContain('1 hit · 1,002 wait');
  expect(words.match(/ wait/g)).toHaveLength(2);
});

test('an answer says how often it was given, and leads to the messages', () => {
  const html = drawn(<AnswersTab state={state([rule(1, 1), rule(2, 2), rule(3)])} />, CONSOLE);
  expect(html).toMatch(/<a [^>]*>1 hit<\/a>/);
  expect(html).toMatch(/<a [^>]*>2 hits<\/a>/);
  expect(wordsOf(html)).toContain('0 hits');
});

test('an answer is moved among those that there are, and one that was removed meanwhile comes back by no move', () => {
  const rules = [rule(1), rule(2), rule(3)];
  const names = (all: readonly ResponseRule[]) => all.map(({ name }) => name);
  expect(names(movedTo(rules, rule(3), 0))).toEqual(['answer 3', 'answer 1', 'answer 2']);
  expect(names(movedTo([rule(2), rule(1, 5)], rule(1), 0))).toEqual(['answer 1', 'answer 2']);
  expect(movedTo(rules, rule(4), 0)).toBe(rules);
});

test('a mock app without answers says that every request gets 200 SUCCESS', () => {
  expect(wordsOf(drawn(<AnswersTab state={state([])} />, CONSOLE))).toContain(
    'The mock app answers everything with 200 SUCCESS.',
  );
});

test('an answer for a topic without a subscription says so, with the button that subscribes the mock app', () => {
  const words = (n: number): string => wordsOf(drawn(<AnswersTab state={state([rule(n)])} />, CONSOLE));
  expect(words(4)).toContain(
    'The mock app does not subscribe to topic t4, so no delivery of that topic gets this answer. Subscribe the mock app',
  );
  expect(words(3)).not.toContain('Subscribe the mock app');
});

test('an answer is silent only where it is in use for one topic that nobody asks of the mock app', () => {
  const orders = { enabled: true, match: { topic: 'orders' } };
  expect(silentTopic(orders, ['letters'])).toBe('orders');
  expect(silentTopic(orders, ['ord*'])).toBeUndefined();
  expect(silentTopic(orders, undefined)).toBeUndefined();
  expect(silentTopic({ ...orders, enabled: false }, [])).toBeUndefined();
  expect(silentTopic({ ...orders, match: { topic: 'or*' } }, [])).toBeUndefined();
  expect(silentTopic({ ...orders, match: { route: '/orders' } }, [])).toBeUndefined();

  const mock = { ...state([]), subscriptions: [{ pubsubname: 'pubsub', topic: 'a' }] };
  const apps = [{ appId: 'app', mock: true }];
  const items = [
    { appId: 'app', topic: 'b' },
    { appId: 'other', topic: 'c' },
  ];
  expect(topicsOfMock(mock, apps, items)).toEqual(['a', 'b']);
  expect(topicsOfMock({ ...mock, tap: true }, apps, items)).toBeUndefined();
  expect(topicsOfMock(mock, [{ appId: 'app', mock: false }], items)).toBeUndefined();
  expect(topicsOfMock(mock, apps, undefined)).toBeUndefined();
});
