/** Answers and rules of the mock app: in words, and as the fields of the form. */
import { describe, expect, test } from 'vitest';
import type { Answer, ResponseRule } from '../../core/contract/mock-app.ts';
import { answerText, matchText, ruleAnswerText, ruleSentence } from '../../renderer/format/answer.ts';
import { draftOf, EMPTY_ANSWER, readAnswer } from '../../renderer/views/mock-app/answer-draft.ts';
import { withRule } from '../../renderer/views/mock-app/RuleEditor.tsx';
import {
  EMPTY_RULE,
  ofKind,
  oneMoreStep,
  readRule,
  ruleDraftOf,
} from '../../renderer/views/mock-app/rule-draft.ts';

const SUCCESS: Answer = { kind: 'respond', status: 200, body: { status: 'SUCCESS' } };
const BROKEN: Answer = { kind: 'respond', status: 503 };

const WORDS: readonly (readonly [Answer, string])[] = [
  [SUCCESS, '200 SUCCESS'],
  [BROKEN, '503'],
  [{ kind: 'respond', status: 200, body: 'not json' }, '200 not JSON'],
  [{ kind: 'respond', status: 200, body: {} }, '200 with a body'],
  [{ ...SUCCESS, delayMs: 8000 }, '200 SUCCESS after 8 s'],
  [{ ...BROKEN, delayMs: [100, 500] }, '503 after 100 ms to 500 ms'],
  [{ kind: 'respond-bulk', status: 200, statuses: 'all-retry' }, '200, every entry RETRY'],
  [{ kind: 'respond-bulk', status: 200, statuses: {} }, '200, no statuses'],
  [
    { kind: 'respond-bulk', status: 200, statuses: { '#1': 'DROP', '*': null } },
    '200, entries #1 DROP, * left out',
  ],
  [{ kind: 'hang' }, 'never answers'],
  [{ kind: 'reset' }, 'closes the connection'],
  [{ kind: 'ask' }, 'ask me'],
];

describe('words of answers', () => {
  test.each(WORDS)('%o is described in words', (answer, words) => expect(answerText(answer)).toBe(words));

  test('words describe sequences and chances', () => {
    expect(ruleAnswerText({ kind: 'sequence', steps: [BROKEN, BROKEN, SUCCESS], then: 'repeat-last' })).toBe(
      'sequence 503, 503, 200 SUCCESS',
    );
    expect(
      ruleAnswerText({
        kind: 'random',
        of: [
          { share: 20, answer: BROKEN },
          { share: 80, answer: SUCCESS },
        ],
      }),
    ).toBe('random 20 % 503, 80 % 200 SUCCESS');
  });

  test('words describe the conditions of a rule', () => {
    expect(matchText({ match: {} })).toBe('everything');
    expect(matchText({ match: { topic: 'orders', route: '/orders' } })).toBe('topic:orders route:/orders');
  });
});

describe('the sentence under the editor', () => {
  const rule = (answer: ResponseRule['answer'], more: Partial<ResponseRule> = {}): ResponseRule => ({
    enabled: true,
    match: { topic: 'orders' },
    answer,
    ...more,
  });

  test.each([
    [
      rule({ kind: 'sequence', steps: [BROKEN, BROKEN, SUCCESS], then: 'repeat-last' }),
      'For topic orders: answer 503 twice, then 200 SUCCESS.',
    ],
    [
      rule({ kind: 'sequence', steps: [BROKEN, BROKEN, BROKEN], then: 'loop' }),
      'For topic orders: answer 503 3 times and start over.',
    ],
    [rule(SUCCESS, { match: {} }), 'For everything: answer 200 SUCCESS.'],
    [rule({ kind: 'ask' }, { times: 3 }), 'For topic orders: ask me. Only the first 3.'],
    [rule(BROKEN, { match: { topic: 'a', eventType: 'b' } }), 'For topic a and type b: answer 503.'],
  ])('%o has its sentence', (given, sentence) => expect(ruleSentence(given)).toBe(sentence));
});

describe('fields of an answer', () => {
  test.each(WORDS.map(([answer]) => answer))('%o is read back unchanged', (answer) => {
    const read = readAnswer(draftOf(answer, 1));
    expect(read).toEqual({ ok: true, answer });
  });

  test.each([
    [{ status: '150' }, 'status'],
    [{ status: '600' }, 'status'],
    [{ status: 'abc' }, 'status'],
    [{ delay: '-5' }, 'delay'],
    [{ delay: '500-100' }, 'delay'],
    [{ delay: '600001' }, 'delay'],
    [{ delay: '1-600001' }, 'delay'],
    [{ delay: '11m' }, 'delay'],
    [{ delay: '100-2s' }, 'delay'],
    [{ delay: '2 kg' }, 'delay'],
    [{ delay: '0.5' }, 'delay'],
    [{ delay: '1-2-3' }, 'delay'],
  ])('%o is refused at %s', (change, field) => {
    expect(readAnswer({ ...EMPTY_ANSWER, ...change })).toMatchObject({ ok: false, field });
  });

  test.each([
    ['250', 250],
    ['250ms', 250],
    ['2s', 2000],
    ['1.5 s', 1500],
    ['1m', 60_000],
    ['100-500', [100, 500]],
    ['100ms - 2s', [100, 2000]],
    ['1-2 s', [1000, 2000]],
  ])('the delay %s is read in ms', (delay, delayMs) => {
    expect(readAnswer({ ...EMPTY_ANSWER, delay })).toMatchObject({ ok: true, answer: { delayMs } });
  });

  test('a line of entries that cannot be read is named', () => {
    const draft = { ...EMPTY_ANSWER, kind: 'respond-bulk' as const, statusesKind: 'each' as const };
    expect(readAnswer({ ...draft, statuses: '#1 SUCCESS\n#2 MAYBE' })).toMatchObject({
      ok: false,
      message: 'Line 2 is not an entry and a status.',
    });
    expect(readAnswer({ ...draft, statuses: '#1 SUCCESS\n\n#2 -' })).toEqual({
      ok: true,
      answer: { kind: 'respond-bulk', status: 200, statuses: { '#1': 'SUCCESS', '#2': null } },
    });
  });
});

describe('fields of a rule', () => {
  test.each<ResponseRule>([
    { enabled: true, match: {}, answer: SUCCESS },
    {
      ruleId: 'r',
      name: 'n',
      enabled: false,
      match: { topic: 'a', filter: 'state:held' },
      times: 2,
      answer: BROKEN,
    },
    {
      enabled: true,
      match: {},
      per: 'message',
      answer: { kind: 'sequence', steps: [BROKEN, SUCCESS], then: 'loop' },
    },
    {
      enabled: true,
      match: { eventType: 'x' },
      answer: {
        kind: 'random',
        of: [
          { share: 50, answer: { kind: 'hang' } },
          { share: 50, answer: SUCCESS },
        ],
      },
    },
  ])('%o is read back unchanged', (rule) => {
    expect(readRule(ruleDraftOf(rule))).toEqual({ ok: true, rule });
  });

  test('"fail n times" is a sequence counted per message', () => {
    const read = readRule({
      ...EMPTY_RULE,
      topic: 'orders',
      kind: 'fail-then',
      failTimes: '2',
      failWith: '503',
    });
    expect(read).toEqual({
      ok: true,
      rule: {
        enabled: true,
        match: { topic: 'orders' },
        per: 'message',
        answer: { kind: 'sequence', steps: [BROKEN, BROKEN, SUCCESS], then: 'repeat-last' },
      },
    });
  });

  test.each([
    [{ kind: 'fail-then' as const, failTimes: '0' }, 'failTimes', 'Use a whole number from 1 to 100.'],
    [{ kind: 'fail-then' as const, failWith: '199' }, 'failWith', 'Use a status code from 200 to 599.'],
    [{ kind: 'sequence' as const }, 'steps', 'Add a step.'],
    [
      { kind: 'random' as const, steps: [{ ...EMPTY_ANSWER, share: '40' }] },
      'steps',
      'The shares add up to 40 %; they must add up to 100.',
    ],
    [{ times: 'x' }, 'times', 'Use a whole number from 1 to 1,000,000.'],
    [{ times: '1000001' }, 'times', 'Use a whole number from 1 to 1,000,000.'],
  ])('%o is refused at %s', (change, field, message) => {
    expect(readRule({ ...EMPTY_RULE, ...change })).toEqual({ ok: false, field, message });
  });
});

test('an edited rule keeps the place that it has now; a new one, or one that was removed meanwhile, comes first', () => {
  const named = (ruleId: string, name = ruleId): ResponseRule => ({
    ruleId,
    name,
    enabled: true,
    match: {},
    answer: SUCCESS,
  });
  const rules = [named('b'), named('a')];
  expect(withRule(rules, named('a', 'edited')).map(({ name }) => name)).toEqual(['b', 'edited']);
  expect(withRule(rules, named('gone')).map(({ name }) => name)).toEqual(['gone', 'b', 'a']);
  const { ruleId: _id, ...fresh } = named('new');
  expect(withRule(rules, fresh).map(({ name }) => name)).toEqual(['new', 'b', 'a']);
});

describe('a list of answers', () => {
  test.each(['sequence', 'random'] as const)('a %s begins with two that can be saved as they are', (kind) => {
    const draft = ofKind(EMPTY_RULE, kind);
    expect(draft.steps).toHaveLength(2);
    expect(readRule(draft)).toMatchObject({ ok: true });
  });

  test('steps stay when another kind is chosen', () => {
    const steps = [{ ...EMPTY_ANSWER, id: 7, share: '100' }];
    expect(ofKind({ ...EMPTY_RULE, steps }, 'random').steps).toBe(steps);
    expect(ofKind(EMPTY_RULE, 'hang').steps).toEqual([]);
  });

  test.each([
    ['120', '-20'],
    ['', '100'],
    ['half', '50'],
  ])('shares of %s and %s cannot be saved', (...shares) => {
    const steps = shares.map((share, id) => ({ ...EMPTY_ANSWER, id, share }));
    expect(readRule({ ...EMPTY_RULE, kind: 'random', steps })).toEqual({
      ok: false,
      message: 'Use a number from 0 to 100.',
    });
  });

  test('one more of a random answer gets what is left', () => {
    const steps = [{ ...EMPTY_ANSWER, id: 3, share: '70' }];
    expect(oneMoreStep(steps).map(({ id, share }) => [id, share])).toEqual([
      [3, '70'],
      [4, '30'],
    ]);
    expect(oneMoreStep(oneMoreStep(steps)).at(-1)?.share).toBe('0');
  });
});
