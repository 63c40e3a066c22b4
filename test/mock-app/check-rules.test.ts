/** Response rules that cannot be are refused with their place; nothing of such a list is used. */
import { describe, expect, test } from 'vitest';

import { checkParams } from '../../core/console/params/check.ts';
import { checkAnswer, checkRules } from '../../core/mock-app/check-rules.ts';
import { PRESETS } from '../../core/mock-app/presets.ts';
import { Refusal } from '../../core/domain/refusal.ts';

const OK = { kind: 'respond', status: 200 };
const RULE = { enabled: true, match: {}, answer: OK };

function refusalOf(act: () => void): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

function refuses(act: () => void): boolean {
  try {
    act();
    return false;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}

describe('the search budget of all rules for each request', () => {
  const rule = (filter: string) => ({ ...RULE, match: { filter } });

  test('allows ten words and values with *, and refuses the rule with one more', () => {
    const ten = [
      rule('a OR b OR c OR data.a:x*'),
      rule('d e f NOT subject:*y'),
      rule('g h data.n>1 topic:t'),
    ];
    expect(() => checkRules(ten)).not.toThrow();
    expect(refusalOf(() => checkRules([...ten, rule('data.z:*'), rule('i')]))).toMatchObject({
      code: 'FILTER_SYNTAX',
      field: 'rules[4].match.filter',
    });
  });

  test('allows a filter of 10,000 characters, and refuses a longer one', () => {
    const filter = `topic:${'x'.repeat(9994)}`;
    expect(() => checkRules([rule(filter)])).not.toThrow();
    expect(refusalOf(() => checkRules([rule(`${filter}x`)]))).toMatchObject({ code: 'FILTER_SYNTAX' });
  });
});

describe('rules', () => {
  test.each<[string, unknown]>([
    ['rules', {}],
    ['rules', null],
    ['rules', Array.from({ length: 501 }, () => RULE)],
    ['rules[0]', [5]],
    ['rules[1].enabled', [RULE, { ...RULE, enabled: 'yes' }]],
    ['rules[0].ruleId', [{ ...RULE, ruleId: '' }]],
    [
      'rules[1].ruleId',
      [
        { ...RULE, ruleId: 'a' },
        { ...RULE, ruleId: 'a' },
      ],
    ],
    ['rules[0].name', [{ ...RULE, name: 5 }]],
    ['rules[0].colour', [{ ...RULE, colour: 'red' }]],
    ['rules[0].match', [{ enabled: true, answer: OK }]],
    ['rules[0].match.topics', [{ ...RULE, match: { topics: 'x' } }]],
    ['rules[0].match.topic', [{ ...RULE, match: { topic: '' } }]],
    ['rules[0].match.eventType', [{ ...RULE, match: { eventType: 1 } }]],
    ['rules[0].match.filter', [{ ...RULE, match: { filter: 'topik:x' } }]],
    ['rules[0].match.filter', [{ ...RULE, match: { filter: 5 } }]],
    ['rules[0].times', [{ ...RULE, times: 0 }]],
    ['rules[0].times', [{ ...RULE, times: 1.5 }]],
    ['rules[0].hits', [{ ...RULE, hits: -1 }]],
    ['rules[0].per', [{ ...RULE, per: 'topic' }]],
    ['rules[0].answer', [{ enabled: true, match: {} }]],
    ['rules[0].answer.kind', [{ ...RULE, answer: { kind: 'explode' } }]],
    ['rules[0].answer.status', [{ ...RULE, answer: { kind: 'respond' } }]],
    ['rules[0].answer.status', [{ ...RULE, answer: { kind: 'respond', status: 199 } }]],
    ['rules[0].answer.status', [{ ...RULE, answer: { kind: 'respond', status: 600 } }]],
    ['rules[0].answer.status', [{ ...RULE, answer: { kind: 'respond', status: '200' } }]],
    ['rules[0].answer.delay', [{ ...RULE, answer: { ...OK, delay: 5 } }]],
    ['rules[0].answer.delayMs', [{ ...RULE, answer: { ...OK, delayMs: -1 } }]],
    ['rules[0].answer.delayMs', [{ ...RULE, answer: { ...OK, delayMs: [1] } }]],
    ['rules[0].answer.delayMs[1]', [{ ...RULE, answer: { ...OK, delayMs: [5, 4] } }]],
    ['rules[0].answer.delayMs[0]', [{ ...RULE, answer: { ...OK, delayMs: ['1', 2] } }]],
    ['rules[0].answer.headers', [{ ...RULE, answer: { ...OK, headers: [] } }]],
    ['rules[0].answer.headers.a b', [{ ...RULE, answer: { ...OK, headers: { 'a b': '1' } } }]],
    ['rules[0].answer.headers.x', [{ ...RULE, answer: { ...OK, headers: { x: 'a\r\nb: c' } } }]],
    ['rules[0].answer.headers.x', [{ ...RULE, answer: { ...OK, headers: { x: 1 } } }]],
    [
      'rules[0].answer.headers.Content-Length',
      [{ ...RULE, answer: { ...OK, headers: { 'Content-Length': '1' } } }],
    ],
    ['rules[0].answer.body', [{ ...RULE, answer: { ...OK, body: 'x'.repeat(4 * 1024 * 1024 + 1) } }]],
    ['rules[0].answer.body', [{ ...RULE, answer: { ...OK, body: '{{uuid}}'.repeat(1001) } }]],
    ['rules[0].answer.body', [{ ...RULE, answer: { ...OK, body: [{ id: '{{uuid}}'.repeat(1001) }] } }]],
    ['rules[0].answer.statuses', [{ ...RULE, answer: { kind: 'respond-bulk', status: 200 } }]],
    [
      'rules[0].answer.statuses',
      [{ ...RULE, answer: { kind: 'respond-bulk', status: 200, statuses: 'all' } }],
    ],
    [
      'rules[0].answer.statuses',
      [{ ...RULE, answer: { kind: 'respond-bulk', status: 200, statuses: { '#0': null } } }],
    ],
    [
      'rules[0].answer.statuses.e1',
      [{ ...RULE, answer: { kind: 'respond-bulk', status: 200, statuses: { e1: 'MAYBE' } } }],
    ],
    ['rules[0].answer.why', [{ ...RULE, answer: { kind: 'hang', why: 'x' } }]],
    ['rules[0].answer.steps', [{ ...RULE, answer: { kind: 'sequence', steps: [], then: 'loop' } }]],
    [
      'rules[0].answer.steps[1].status',
      [{ ...RULE, answer: { kind: 'sequence', steps: [OK, { kind: 'respond', status: 0 }], then: 'loop' } }],
    ],
    [
      'rules[0].answer.steps[0].kind',
      [{ ...RULE, answer: { kind: 'sequence', steps: [{ kind: 'sequence' }], then: 'loop' } }],
    ],
    ['rules[0].answer.then', [{ ...RULE, answer: { kind: 'sequence', steps: [OK], then: 'stop' } }]],
    ['rules[0].answer.of', [{ ...RULE, answer: { kind: 'random', of: [{ share: 99, answer: OK }] } }]],
    [
      'rules[0].answer.of[0].share',
      [
        {
          ...RULE,
          answer: {
            kind: 'random',
            of: [
              { share: -1, answer: OK },
              { share: 101, answer: OK },
            ],
          },
        },
      ],
    ],
    [
      'rules[0].answer.of[0].answer.kind',
      [{ ...RULE, answer: { kind: 'random', of: [{ share: 100, answer: { kind: 'random', of: [] } }] } }],
    ],
  ])('%s is refused', (field, rules) => {
    const refusal = refusalOf(() => checkRules(rules));
    // A filter that cannot be read has a code of its own, as everywhere.
    const code = String(JSON.stringify(rules)).includes('topik:') ? 'FILTER_SYNTAX' : 'INVALID_PARAMS';
    expect(refusal).toMatchObject({ code, field });
    expect(refusal.message).toContain(field);
    expect(refusal.expected).toMatch(/./);
  });

  test('the mistake of a filter has its position', () => {
    const refusal = refusalOf(() => checkRules([{ ...RULE, match: { filter: 'topik:x' } }]));
    expect(refusal.data).toMatchObject({ position: 1, length: 5, found: 'topik', suggestion: 'topic' });
  });

  test('valid rules are accepted, including the presets', () => {
    const third = 100 / 3;
    checkRules([
      ...PRESETS.flatMap(({ rules }) => rules),
      {
        ...RULE,
        ruleId: 'a',
        name: '',
        times: 3,
        per: 'message',
        hits: 5,
        lastAt: '2026-01-01T00:00:00.000Z',
      },
      { ...RULE, match: { topic: 'a*', route: '/x', eventType: 't', filter: 'data.n>5' } },
      { ...RULE, answer: { ...OK, headers: { 'Retry-After': '5' }, body: null, delayMs: [0, 10] } },
      {
        ...RULE,
        answer: {
          kind: 'respond-bulk',
          status: 200,
          statuses: { '#1': 'DROP', '*': null, 'an id': 'RETRY' },
        },
      },
      { ...RULE, answer: { kind: 'random', of: [1, 2, 3].map(() => ({ share: third, answer: OK })) } },
    ]);
    expect(PRESETS.length).toBeGreaterThan(20);
  });
});

describe('what the declaration of the methods says of a rule', () => {
  const respond = (more: object) => ({ ...RULE, answer: { ...OK, ...more } });
  const bulk = (more: object) => ({
    ...RULE,
    answer: { kind: 'respond-bulk', status: 200, statuses: 'all-drop', ...more },
  });

  test.each<[object, boolean]>([
    [respond({ status: 199 }), false],
    [respond({ status: 200 }), true],
    [respond({ status: 599 }), true],
    [respond({ status: 600 }), false],
    [bulk({ status: 199 }), false],
    [bulk({ status: 200 }), true],
    [respond({ delayMs: 600_000 }), true],
    [respond({ delayMs: 600_001 }), false],
    [respond({ delayMs: 0.5 }), false],
    [respond({ delayMs: [0, 600_000] }), true],
    [respond({ delayMs: [0, 600_001] }), false],
    [bulk({ delayMs: 600_001 }), false],
    [{ ...RULE, times: 1_000_000 }, true],
    [{ ...RULE, times: 1_000_001 }, false],
    [{ ...RULE, ruleId: '' }, false],
    [{ ...RULE, match: { topic: '' } }, false],
    [{ ...RULE, match: { route: '' } }, false],
    [{ ...RULE, match: { eventType: '' } }, false],
  ])('is what the check of the rules says: %j', (rule, isGood) => {
    expect(refuses(() => checkParams('mockApp.setRules', { rules: [rule] }))).toBe(!isGood);
    expect(refuses(() => checkRules([rule]))).toBe(!isGood);
  });
});

test("a single answer is checked like a rule's, and must not be a sequence", () => {
  checkAnswer({ kind: 'ask' }, 'answer');
  expect(refusalOf(() => checkAnswer({ kind: 'respond', status: 1 }, 'answer')).field).toBe('answer.status');
  expect(refusalOf(() => checkAnswer({ kind: 'sequence', steps: [OK], then: 'loop' }, 'answer')).field).toBe(
    'answer.kind',
  );
  expect(refusalOf(() => checkAnswer(undefined, 'answer')).field).toBe('answer');
});
