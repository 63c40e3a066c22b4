/** Converts a response rule to the fields of a form and back. */
import type { ResponseRule, RuleAnswer } from '../../../core/contract/mock-app.ts';
import { isAnswerStatus, MAX_RULE_TIMES } from '../../../core/contract/rule-bounds.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { RULE_EDITOR } from '../../copy/mock-app.ts';
import { fill } from '../../copy/fill.ts';
import { count } from '../../format/quantity.ts';
import { draftOf, EMPTY_ANSWER, readAnswer, type AnswerDraft, type AnswerKind } from './answer-draft.ts';

export type RuleKind = AnswerKind | 'fail-then' | 'sequence' | 'random';
export type Then = 'repeat-last' | 'loop' | 'next-rule';

export interface RuleDraft {
  readonly ruleId: string | undefined;
  readonly name: string;
  readonly enabled: boolean;
  readonly topic: string;
  readonly route: string;
  readonly eventType: string;
  readonly filter: string;
  readonly times: string;
  readonly per: 'rule' | 'message';
  readonly kind: RuleKind;
  readonly answer: AnswerDraft;
  readonly failTimes: string;
  readonly failWith: string;
  readonly steps: readonly AnswerDraft[];
  readonly then: Then;
}

/** Fields of the rule itself that can be wrong; the fields of an answer have their own mistakes. */
export type RuleField = 'times' | 'failTimes' | 'failWith' | 'steps';

interface Wrong {
  readonly ok: false;
  /** The wrong field; undefined: a field of an answer. */
  readonly field?: RuleField;
  readonly message: string;
}

/** The fields in the parts that a person changes as one: the fields of the answer belong together. */
export interface RuleParts extends Omit<RuleDraft, AnswerPart> {
  readonly answers: Pick<RuleDraft, AnswerPart>;
}

type AnswerPart = 'kind' | 'answer' | 'failTimes' | 'failWith' | 'steps' | 'then';

export function partsOf(draft: RuleDraft): RuleParts {
  const { kind, answer, failTimes, failWith, steps, then, ...rest } = draft;
  return { ...rest, answers: { kind, answer, failTimes, failWith, steps, then } };
}

export function draftOfParts({ answers, ...rest }: RuleParts): RuleDraft {
  return { ...rest, ...answers };
}

export type ReadRule = { readonly ok: true; readonly rule: ResponseRule } | Wrong;

export const EMPTY_RULE: RuleDraft = {
  ruleId: undefined,
  name: '',
  enabled: true,
  topic: '',
  route: '',
  eventType: '',
  filter: '',
  times: '',
  per: 'rule',
  kind: 'respond',
  answer: EMPTY_ANSWER,
  failTimes: '2',
  failWith: '503',
  steps: [],
  then: 'repeat-last',
};

/** Most failures of a rule that fails some times and then answers: each is a step of its own. */
const MAX_FAILURES = 100;

/** First steps of a list of answers, valid as they are: errors, then success; or mostly success. */
const FIRST_STEPS: Readonly<Record<'sequence' | 'random', readonly AnswerDraft[]>> = {
  sequence: [
    { ...EMPTY_ANSWER, id: 1, status: '503', body: '' },
    { ...EMPTY_ANSWER, id: 2 },
  ],
  random: [
    { ...EMPTY_ANSWER, id: 1, share: '80' },
    { ...EMPTY_ANSWER, id: 2, status: '503', body: '', share: '20' },
  ],
};

/** The fields with another kind of answer; existing steps stay. */
export function ofKind(draft: RuleDraft, kind: RuleKind): RuleDraft {
  const needsSteps = (kind === 'sequence' || kind === 'random') && draft.steps.length === 0;
  return needsSteps ? { ...draft, kind, steps: FIRST_STEPS[kind] } : { ...draft, kind };
}

/** The steps with one more; for a random answer it gets the rest of 100 %. */
export function oneMoreStep(steps: readonly AnswerDraft[]): readonly AnswerDraft[] {
  const given = steps.reduce((sum, { share }) => sum + (Number(share) || 0), 0);
  const id = Math.max(0, ...steps.map((step) => step.id)) + 1;
  return [...steps, { ...EMPTY_ANSWER, id, share: String(Math.max(0, 100 - given)) }];
}

/** The fields with the answer of a preset. */
export function withAnswer(draft: RuleDraft, answer: RuleAnswer): RuleDraft {
  const { kind, answer: fields, steps, then } = ruleDraftOf({ enabled: true, match: {}, answer });
  return { ...draft, kind, answer: fields, steps, then };
}

/** The fields of a rule. */
export function ruleDraftOf(rule: ResponseRule): RuleDraft {
  const { answer, match } = rule;
  const shared: RuleDraft = {
    ...EMPTY_RULE,
    ruleId: rule.ruleId,
    name: rule.name ?? '',
    enabled: rule.enabled,
    topic: match.topic ?? '',
    route: match.route ?? '',
    eventType: match.eventType ?? '',
    filter: match.filter ?? '',
    times: rule.times === undefined ? '' : String(rule.times),
    per: rule.per ?? 'rule',
  };
  if (answer.kind === 'sequence') {
    const fails = failingOf(rule);
    if (fails !== undefined) return { ...shared, kind: 'fail-then', ...fails };
    const steps = answer.steps.map((step, index) => draftOf(step, index + 1));
    return { ...shared, kind: 'sequence', steps, then: answer.then };
  }
  if (answer.kind === 'random') {
    const steps = answer.of.map(({ share, answer: each }, index) => ({
      ...draftOf(each, index + 1),
      share: String(share),
    }));
    return { ...shared, kind: 'random', steps };
  }
  return { ...shared, kind: answer.kind, answer: draftOf(answer, 0) };
}

/** The fields of "fails n times with a status, then something"; undefined: the sequence has another form. */
function failingOf({
  answer,
  per,
}: ResponseRule): Pick<RuleDraft, 'failTimes' | 'failWith' | 'answer'> | undefined {
  if (answer.kind !== 'sequence' || per !== 'message' || answer.then !== 'repeat-last') return undefined;
  const last = answer.steps.at(-1);
  const [first, ...others] = answer.steps.slice(0, -1);
  if (last === undefined || first?.kind !== 'respond') return undefined;
  const isBare = first.body === undefined && first.headers === undefined && first.delayMs === undefined;
  const isSame = others.every((step) => JSON.stringify(step) === JSON.stringify(first));
  if (!isBare || !isSame) return undefined;
  return { failTimes: String(others.length + 1), failWith: String(first.status), answer: draftOf(last, 0) };
}

type ReadRuleAnswer = { readonly ok: true; readonly answer: RuleAnswer } | Wrong;

function wholeNumber(text: string): number | undefined {
  return /^[1-9]\d*$/.test(text.trim()) ? Number(text) : undefined;
}

/** The mistake of one share by itself; undefined: it has none. */
export function shareMistake(text: string): string | undefined {
  const share = text.trim() === '' ? Number.NaN : Number(text);
  return share >= 0 && share <= 100 ? undefined : RULE_EDITOR.badShare;
}

function readRuleAnswer(draft: RuleDraft): ReadRuleAnswer {
  if (draft.kind === 'fail-then') {
    const times = wholeNumber(draft.failTimes);
    const status = Number(draft.failWith);
    if (times === undefined || times > MAX_FAILURES)
      return { ok: false, field: 'failTimes', message: fill(RULE_EDITOR.badNumber, { n: MAX_FAILURES }) };
    if (!isAnswerStatus(status)) {
      return { ok: false, field: 'failWith', message: RULE_EDITOR.badStatus };
    }
    const fail = { kind: 'respond', status } as const;
    const read = readAnswer(draft.answer);
    if (!read.ok) return { ok: false, message: read.message };
    const steps = [...Array.from({ length: times }, () => fail), read.answer];
    return { ok: true, answer: { kind: 'sequence', steps, then: 'repeat-last' } };
  }
  if (draft.kind !== 'sequence' && draft.kind !== 'random') {
    const read = readAnswer({ ...draft.answer, kind: draft.kind });
    return read.ok ? read : { ok: false, message: read.message };
  }
  const read = draft.steps.map(readAnswer);
  const wrong = read.find((each) => !each.ok);
  if (wrong !== undefined && !wrong.ok) return { ok: false, message: wrong.message };
  const steps = read.flatMap((each) => (each.ok ? [each.answer] : []));
  if (draft.kind === 'sequence') {
    if (steps.length === 0) return { ok: false, field: 'steps', message: RULE_EDITOR.noSteps };
    return { ok: true, answer: { kind: 'sequence', steps, then: draft.then } };
  }
  const wrongShare = draft.steps.map(({ share }) => shareMistake(share)).find((each) => each !== undefined);
  if (wrongShare !== undefined) return { ok: false, message: wrongShare };
  const shares = draft.steps.map(({ share }) => Number(share));
  const sum = shares.reduce((total, share) => total + share, 0);
  if (sum !== 100) return { ok: false, field: 'steps', message: fill(RULE_EDITOR.shares, { n: sum }) };
  const of = steps.map((answer, index) => ({ share: shares[index] ?? 0, answer }));
  return { ok: true, answer: { kind: 'random', of } };
}

/** The rule of the fields, or the first mistake. */
export function readRule(draft: RuleDraft): ReadRule {
  const answered = readRuleAnswer(draft);
  if (!answered.ok) return answered;
  const times = wholeNumber(draft.times);
  if (draft.times !== '' && (times === undefined || times > MAX_RULE_TIMES)) {
    return { ok: false, field: 'times', message: fill(RULE_EDITOR.badNumber, { n: count(MAX_RULE_TIMES) }) };
  }
  const given = Object.entries({
    topic: draft.topic,
    route: draft.route,
    eventType: draft.eventType,
    filter: draft.filter,
  }).filter(([, value]) => value !== '');
  const per = draft.kind === 'fail-then' ? 'message' : draft.per;
  return {
    ok: true,
    rule: {
      ...withoutUndefined({ ruleId: draft.ruleId }),
      ...(draft.name === '' ? {} : { name: draft.name }),
      enabled: draft.enabled,
      match: Object.fromEntries(given),
      ...withoutUndefined({ times }),
      ...(per === 'rule' ? {} : { per }),
      answer: answered.answer,
    },
  };
}
