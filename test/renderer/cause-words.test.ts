/** Every rule's sentence, in each of its forms, and its short cause: they say the state that the rule leads to, and no other. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CAUSE_SENTENCES, LAST_ATTEMPT_SENTENCES } from '../../core/contract/cause-sentences.ts';
import type { KnownRule } from '../../core/contract/cause-sentences.ts';
import { RULE_IDS } from '../../core/contract/delivery.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { Attempt, Transition } from '../../core/contract/message.ts';
import { MACHINE } from '../../core/domain/machine.ts';
import { CAUSE_SHORT } from '../../renderer/copy/causes.ts';
import { causeSentence } from '../../renderer/format/cause.ts';
import { attemptWith, wholeDelivery, wholeMessage } from './samples.ts';

/** The state after each rule of an answer, as the law and the specification of gRPC say. The machine has those of all other rules. */
const AFTER_ANSWER: Readonly<Partial<Record<KnownRule, DeliveryState>>> = {
  'single.2xx.empty': 'processed',
  'single.2xx.success': 'processed',
  'single.2xx.retry': 'retrying',
  'single.2xx.drop': 'dropped',
  'single.2xx.other': 'retrying',
  'single.2xx.invalid': 'processed',
  'single.404': 'dropped',
  'single.404.drop': 'dropped',
  'single.other': 'retrying',
  'bulk.2xx.success': 'processed',
  'bulk.2xx.retry': 'retrying',
  'bulk.2xx.drop': 'dropped',
  'bulk.2xx.missing': 'retrying',
  'bulk.2xx.other': 'retrying',
  'bulk.404': 'dropped',
  'bulk.other': 'retrying',
  'grpc.success': 'processed',
  'grpc.retry': 'retrying',
  'grpc.drop': 'dropped',
  'grpc.unknown-status': 'retrying',
  'grpc.unimplemented': 'dropped',
  'grpc.error': 'retrying',
  'grpc.bulk.success': 'processed',
  'grpc.bulk.retry': 'retrying',
  'grpc.bulk.drop': 'dropped',
  'grpc.bulk.unknown-status': 'retrying',
  'grpc.bulk.missing': 'retrying',
  'grpc.bulk.unimplemented': 'dropped',
  'grpc.bulk.error': 'retrying',
  'stream.closed': 'queued',
  'binding.2xx': 'processed',
  'binding.refused': 'dropped',
  'policy.no-answer': 'retrying',
  'user.cancel': 'retrying',
};

/** States to which a rule leads. */
function statesAfter(rule: KnownRule): readonly DeliveryState[] {
  const after = AFTER_ANSWER[rule];
  if (after !== undefined) return [after];
  const isUnsent = rule === 'policy.route-error' || rule === 'policy.unreadable';
  return MACHINE.filter((row) => row.rule === rule || (isUnsent && row.rule === 'input')).map(({ to }) => to);
}

/** Words of the law that a sentence may name without saying that they happened. */
const NAMED_ONLY =
  /is not SUCCESS, RETRY or DROP|other than SUCCESS, RETRY and DROP|retry, replay or drop it/g;

/** What words say of the state after them. */
const CLAIMS: readonly (readonly [RegExp, readonly DeliveryState[]])[] = [
  [/SUCCESS|\bprocessed\b|\baccepted the event|^app: accepted/, ['processed']],
  [
    /to be retried|asked for a retry|\bRETRY\b|Sidelight retries|counts as an error|last one allowed/i,
    ['retrying'],
  ],
  [
    /unknown status|error status|gRPC error|^no status for the entry|^no answer|cancelled the call/i,
    ['retrying'],
  ],
  [/No answer (?:within|:)|call ended|not seen it again|not seen again/i, ['retrying']],
  [/\b[Dd]ropped\b|asked to drop|\bDROP\b|: 404|no handler|: refused|the sender got 500/, ['dropped']],
  [/copy ended with its stream|one copy for the next stream/, ['dropped']],
  [/Parked:/, ['parked']],
  [/no further attempt/, ['parked', 'dead-lettered']],
  [/copy was published|moved it|published a copy|dead-lettered by/, ['dead-lettered']],
  [/\bexpired\b|time to live passed/, ['expired']],
  [/^Held by|held it|^a hold$/, ['held']],
  [/Released by|released (?:it|by)|retried it|delivered again|call cut off/i, ['queued']],
  [
    /^Waiting for|no subscription now|sent (?:it )?again|waits for the next stream, and no|^stream ended/,
    ['queued'],
  ],
  [/^Accepted for|^accepted$/, ['queued']],
  [/^First attempt|^Attempt \d|^first attempt|^next attempt/, ['attempting']],
  [
    /not sent|cannot be delivered|no default route|no rule matched|rule error|unreadable message/i,
    ['parked', 'dropped', 'dead-lettered'],
  ],
  [/you undid the drop/, ['queued', 'held', 'retrying', 'parked', 'dead-lettered', 'expired']],
];

/** The claims of a text that are not true of a rule; a text without any claim says nothing. */
function falseOf(text: string, rule: KnownRule): readonly string[] {
  const said = text.replaceAll(NAMED_ONLY, '');
  const made = CLAIMS.filter(([words]) => words.test(said));
  if (made.length === 0) return [`${rule} says nothing: ${text}`];
  const states = statesAfter(rule);
  return made
    .filter(([, claimed]) => !claimed.some((state) => states.includes(state)))
    .map(([words]) => `${rule} leads to ${states.join(', ')}, but "${text}" says ${words.source}`);
}

const FACTS = fc.record({
  number: fc.integer({ min: 2, max: 40 }),
  batchSize: fc.integer({ min: 2, max: 900 }),
  ttl: fc.integer({ min: 1, max: 900 }),
  word: fc.constantFrom('LATER', 'MAYBE'),
  isLast: fc.boolean(),
});
type Facts = typeof FACTS extends fc.Arbitrary<infer T> ? T : never;

const DEAD = 'orders-dead';

function statusOf(rule: KnownRule): number {
  if (rule.includes('404')) return 404;
  if (rule.includes('2xx')) return 200;
  return 503;
}

function attemptFor(rule: KnownRule, { number, batchSize, word }: Facts): Attempt {
  const attempt = attemptWith({ number, word, response: { status: statusOf(rule), headers: {}, body: '' } });
  const hasNone = rule === 'policy.no-answer' || rule === 'user.cancel';
  const bulk = rule.includes('bulk') ? { bulk: { batchId: 'b1', entryId: 'entry-7', batchSize } } : {};
  if (!hasNone) return { ...attempt, ...bulk };
  const { response: _none, ...rest } = attempt;
  const code = rule === 'user.cancel' ? 'cancelled' : 'refused';
  return { ...rest, error: { code, message: 'nobody listens there' } };
}

/** The sentence of a rule with facts of its own, and with another attempt to come or without. */
function sentenceOf(rule: KnownRule, facts: Facts): string {
  const to = statesAfter(rule)[0] ?? 'queued';
  const began: Transition = {
    from: 'queued',
    to: 'attempting',
    at: '2026-03-01T14:32:08.500Z',
    sequence: 1,
    cause: 'policy',
    rule: 'policy.attempt',
  };
  const own = {
    ...began,
    from: 'attempting',
    to,
    sequence: 2,
    rule,
    note: 'Rule 3: no such member',
  } as const;
  const { note: _note, ...plain } = own;
  const hasNote = ['policy.route-error', 'policy.unreadable', 'hold.matched', 'hold.released'].includes(rule);
  const transition: Transition = hasNote ? own : plain;
  const end = { ...plain, from: 'retrying', to: 'parked', sequence: 3, rule: 'policy.exhausted' } as const;
  const isLast = facts.isLast && to === 'retrying';
  const delivery = wholeDelivery({
    attempts: [attemptFor(rule, facts)],
    transitions: [...(to === 'attempting' ? [] : [began]), transition, ...(isLast ? [end] : [])],
    maxAttempts: 40,
    deadLetter: { topic: DEAD, messageId: 'msg_9' },
  });
  const message = wholeMessage({ metadata: { ttlInSeconds: String(facts.ttl) } });
  return causeSentence(transition, delivery, message, () => 'look first');
}

/** All rules but that of an undo: its sentence quotes an earlier one, as `cause-lives.test.ts` checks. */
const RULES: readonly KnownRule[] = RULE_IDS.filter((rule) => rule !== 'user.undo-drop');

describe('the words of a rule', () => {
  test.each(RULES)('%s: its sentence says the state after it, and no gap is left', (rule) => {
    fc.assert(
      fc.property(FACTS, (facts) => {
        const said = sentenceOf(rule, facts);
        expect(falseOf(said, rule)).toEqual([]);
        expect(said).not.toMatch(/[{}]|undefined|NaN/);
      }),
      { numRuns: 50 },
    );
  });

  test.each(RULES)('%s: its sentence names the facts for which its text has a gap', (rule) => {
    fc.assert(
      fc.property(FACTS, (facts) => {
        const said = sentenceOf(rule, facts);
        const isLast = facts.isLast && statesAfter(rule)[0] === 'retrying';
        const text = (isLast ? LAST_ATTEMPT_SENTENCES[rule] : undefined) ?? CAUSE_SENTENCES[rule];
        const isOfBatch = /batch of \{n\}/.test(text);
        const wanted: Readonly<Record<string, string>> = {
          code: String(statusOf(rule)),
          status: facts.word,
          entryId: 'entry-7',
          hold: '"look first"',
          topic: DEAD,
          error: rule === 'policy.route-error' ? 'no such member' : 'nobody listens there',
          max: '40',
          used: String(facts.number),
          n:
            rule === 'ttl.expired'
              ? `= ${facts.ttl}`
              : rule === 'policy.route-error'
                ? 'Rule 3'
                : String(isOfBatch ? facts.batchSize : facts.number),
        };
        const gaps = Object.keys(wanted).filter((gap) => text.includes(`{${gap}}`));
        expect(gaps.filter((gap) => !said.includes(wanted[gap] ?? ''))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  test.each(RULE_IDS)('%s: its short cause says nothing else', (rule) => {
    expect(falseOf(CAUSE_SHORT[rule] ?? '', rule)).toEqual([]);
  });

  test.each([
    ['policy.exhausted', 'app: DROP'],
    ['single.2xx.retry', 'The app answered SUCCESS.'],
    ['policy.no-answer', 'No answer: nobody listens. Parked: retry, replay or drop it.'],
    ['user.cancel', 'You dropped it.'],
    ['user.dead-letter', 'You retried it.'],
    ['policy.no-route', 'The app answered SUCCESS.'],
    ['hold.released', 'Held by "look first".'],
  ] as const)('a wrong text for %s is seen', (rule, text) => {
    expect(falseOf(text, rule)).not.toEqual([]);
  });
});
