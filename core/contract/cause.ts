/** Why a delivery changed its state, as a sentence: the rule's text filled with the facts of that transition. */
import { theApp } from './app-text.ts';
import { answererFacts, judgedAnswer, ofContentType } from './answerer.ts';
import { clause, noAnswer } from './error-text.ts';
import {
  asObserved,
  CAUSE_SENTENCES,
  CAUSE_VARIANTS,
  CHANGED_ANSWER,
  CUT_BY_END,
  HELD_WHEN_CUT,
  KEPT_ANSWER,
  LAST_ANSWER,
  LAST_ATTEMPT_SENTENCES,
  ONLY_ANSWER,
  SINCE_RETRY,
  STEADY_LAST_SENTENCES,
  STEADY_SENTENCES,
  WITHOUT_STATUS,
} from './cause-sentences.ts';
import type { KnownRule } from './cause-sentences.ts';
import { RULE_IDS } from './delivery.ts';
import type { RuleId } from './delivery.ts';
import { fill } from './fill.ts';
import type { Facts } from './fill.ts';
import type { Attempt, Delivery, MessageDetail, Transition } from './message.ts';
import { duration } from './duration-text.ts';

export type CauseDelivery = Pick<
  Delivery,
  'appId' | 'attempts' | 'maxAttempts' | 'transitions' | 'heldBy' | 'deadLetter' | 'route'
> &
  Partial<Pick<Delivery, 'subscription'>>;
export type CauseMessage = Pick<MessageDetail, 'at' | 'metadata' | 'expiresAt'>;

/** Names of holds by id, for "Held by …". */
export type HoldNames = (holdId: string) => string | undefined;

const KNOWN: ReadonlySet<string> = new Set(RULE_IDS);

/** Whether the rule has a sentence in this room; rules of the embedded router have theirs elsewhere. */
export function isKnownRule(rule: RuleId): rule is KnownRule {
  return KNOWN.has(rule);
}

/** One attempt with the transitions that began and ended it. */
interface Span {
  readonly attempt: Attempt;
  readonly began: Transition;
  readonly ended: Transition | undefined;
}

/**
 * Tolerance when moments are compared, because they are rounded to milliseconds. The order of transitions is
 * exact.
 */
const ROUNDING_MS = 5;

/** Attempts and their transitions, paired in order. A call that a restart cut may have left no attempt. */
function spansOf({
  attempts,
  transitions,
}: Pick<CauseDelivery, 'attempts' | 'transitions'>): readonly Span[] {
  const spans: Span[] = [];
  let next = 0;
  for (const [index, began] of transitions.entries()) {
    const attempt = attempts[next];
    if (attempt === undefined) break;
    if (began.to !== 'attempting') continue;
    const ended = transitions.slice(index + 1).find(({ from }) => from === 'attempting');
    const isLater = ended !== undefined && Date.parse(attempt.startedAt) > Date.parse(ended.at) + ROUNDING_MS;
    if (isLater) continue;
    spans.push({ attempt, began, ended });
    next += 1;
  }
  return spans;
}

/**
 * The attempt that a transition starts or ends, else the last one that began before it; undefined before the
 * first.
 */
export function attemptOf(delivery: CauseDelivery, transition: Transition): Attempt | undefined {
  const spans = spansOf(delivery);
  if (spans.length === 0) return delivery.attempts.at(-1);
  const own = spans.find(({ began, ended }) => began === transition || ended === transition);
  const before = spans.findLast(({ began }) => began.sequence <= transition.sequence);
  return (own ?? before)?.attempt;
}

/**
 * Number of the attempt to which a transition belongs; undefined before the first. A call that a restart cut
 * may have left no attempt: its number follows those that are kept.
 */
function numberOf(delivery: CauseDelivery, transition: Transition): number | undefined {
  const began = delivery.transitions.findLast(
    ({ to, sequence }) => to === 'attempting' && sequence <= transition.sequence,
  );
  if (began === undefined) return attemptOf(delivery, transition)?.number;
  const upToHere = spansOf(delivery).filter((span) => span.began.sequence <= began.sequence);
  const last = upToHere.at(-1);
  return last?.began === began ? last.attempt.number : (last?.attempt.number ?? 0) + 1;
}

/** The transition that ended an attempt; undefined while it runs. */
export function outcomeOf(
  delivery: Pick<CauseDelivery, 'attempts' | 'transitions'>,
  attempt: Attempt,
): Transition | undefined {
  return spansOf(delivery).find((span) => span.attempt.attemptId === attempt.attemptId)?.ended;
}

/** Each transition that ended an attempt, with that attempt. */
export function attemptsByOutcome(
  delivery: Pick<CauseDelivery, 'attempts' | 'transitions'>,
): ReadonlyMap<Transition, Attempt> {
  return new Map(
    spansOf(delivery).flatMap(({ ended, attempt }) => (ended === undefined ? [] : [[ended, attempt]])),
  );
}

/** The transition that began an attempt. */
export function beganBy(
  delivery: Pick<CauseDelivery, 'attempts' | 'transitions'>,
  attempt: Attempt,
): Transition | undefined {
  return spansOf(delivery).find((span) => span.attempt.attemptId === attempt.attemptId)?.began;
}

/** Rules that end a delivery because no attempt is left. */
const USED_UP: ReadonlySet<RuleId> = new Set(['policy.exhausted', 'policy.dead-letter']);

/**
 * The transition that followed at once because the attempt with this outcome was the last one allowed;
 * undefined: another attempt was allowed.
 */
export function usedUpBy(
  { transitions }: Pick<CauseDelivery, 'transitions'>,
  outcome: Transition,
): Transition | undefined {
  if (outcome.to !== 'retrying') return undefined;
  const at = transitions.indexOf(outcome);
  const next = at === -1 ? undefined : transitions[at + 1];
  return next !== undefined && next.from === 'retrying' && USED_UP.has(next.rule) ? next : undefined;
}

/**
 * Attempts allowed up to the end of the round of a transition; undefined: no limit, or an earlier round that
 * ended before its limit. A round begins when a person retries.
 */
function mostAttempts(delivery: CauseDelivery, transition: Transition): number | undefined {
  const { transitions, maxAttempts } = delivery;
  const later = transitions.slice(transitions.indexOf(transition) + 1);
  const reopened = later.findIndex(({ rule }) => rule === 'user.retry');
  if (reopened === -1) {
    // A policy that was changed meanwhile may allow fewer attempts than were made.
    return maxAttempts === 0 || maxAttempts < (numberOf(delivery, transition) ?? 0) ? undefined : maxAttempts;
  }
  const end = later.slice(0, reopened).find(({ rule }) => USED_UP.has(rule));
  return end === undefined ? undefined : numberOf(delivery, end);
}

/**
 * The sentence of one transition.
 * @param holdName name of a hold by its id
 */
export function causeSentence(
  transition: Transition,
  delivery: CauseDelivery,
  message: CauseMessage,
  holdName: HoldNames,
): string {
  const sentence = sentenceOf(transition, delivery, message, {
    holdName,
    errorOf: ({ message: text }) => clause(text),
    sentence: (earlier) => causeSentence(earlier, delivery, message, holdName),
  });
  const kept = keptAnswer(delivery, transition);
  if (kept === undefined) return sentence;
  const { keptAndChanged, kept: unchanged } = CAUSE_VARIANTS;
  return fill(kept.isChanged ? keptAndChanged : unchanged, { sentence, t: duration(kept.to - kept.from) });
}

/** Time in ms since 1970 for which a hold kept back the answer that a transition judged; undefined: none did. */
export function keptAnswer(
  delivery: Pick<CauseDelivery, 'attempts' | 'transitions'>,
  { from, at, note, sequence }: Transition,
): { readonly from: number; readonly to: number; readonly isChanged: boolean } | undefined {
  if (from !== 'attempting' || note === undefined) return undefined;
  const isChanged = note.includes(CHANGED_ANSWER);
  if (!isChanged && !note.includes(KEPT_ANSWER)) return undefined;
  const span = spansOf(delivery).find(({ ended }) => ended?.sequence === sequence);
  const endedAt = span?.attempt.endedAt;
  if (endedAt === undefined) return undefined;
  const began = Date.parse(endedAt);
  return { from: began, to: Math.max(began, Date.parse(at)), isChanged };
}

/** The parts of a sentence that differ between its two forms. */
interface Words {
  readonly holdName: HoldNames;
  /** Why a call got no answer. */
  readonly errorOf: (error: NonNullable<Attempt['error']>) => string;
  /** Sentence of an earlier transition of the delivery, in the same form. */
  readonly sentence: (earlier: Transition) => string;
}

function sentenceOf(
  transition: Transition,
  delivery: CauseDelivery,
  message: CauseMessage,
  words: Words,
): string {
  const { rule } = transition;
  if (!isKnownRule(rule)) return fill(CAUSE_VARIANTS.router, { rule });
  const attempt = attemptOf(delivery, transition);
  const facts: Facts = {
    app: theApp(delivery.appId),
    max: mostAttempts(delivery, transition),
    topic: delivery.deadLetter?.topic,
    ...answerFacts(attempt, words),
    ...ownFacts(rule, transition, { delivery, message, attempt, ...words }),
  };
  const template = templateOf(rule, facts, attempt, usedUpBy(delivery, transition) !== undefined);
  return withCopy(fill(attempt?.tap === undefined ? template : asObserved(template), facts), transition);
}

/** Rules whose sentence says nothing of the dead-letter copy that goes with them. */
const COPIED_TOO: ReadonlySet<RuleId> = new Set([
  'policy.no-route',
  'policy.route-error',
  'policy.unreadable',
]);
/** Rules whose sentence has what became of the copy already. */
const SAYS_COPY: ReadonlySet<RuleId> = new Set([
  'policy.exhausted',
  'policy.dead-letter',
  'user.dead-letter',
]);

/** Adds what became of the copy on the dead-letter topic. */
function withCopy(sentence: string, { rule, note }: Transition): string {
  const { topic, refused } = notedCopy(note);
  if (topic !== undefined && COPIED_TOO.has(rule)) return fill(CAUSE_VARIANTS.copied, { sentence, topic });
  return refused === undefined || SAYS_COPY.has(rule)
    ? sentence
    : fill(CAUSE_VARIANTS.notCopied, { sentence, note: refused });
}

/** A note of a transition, taken apart. */
export interface NotedCopy {
  /** What the note says beside the copy; undefined: nothing. */
  readonly own: string | undefined;
  /** Topic that got a copy. */
  readonly topic: string | undefined;
  /** Clause that says why there is no copy. */
  readonly refused: string | undefined;
}

const COPY =
  /^(.*?)(?:^|\.? )(?:A copy was published to (.*): message \S+|(The copy for .* could not be published: .*))$/su;

/** Takes what a note says of a dead-letter copy apart from the rest. */
export function notedCopy(note: string | undefined): NotedCopy {
  const found = COPY.exec(clause(note) ?? '');
  if (found === null) return { own: note, topic: undefined, refused: undefined };
  const [, own, topic, refused] = found;
  return { own: own === '' ? undefined : own, topic, refused };
}

/**
 * The sentence of one transition without times, names and addresses of one run, so that equal runs have equal
 * sentences.
 */
export function steadySentence(
  transition: Transition,
  delivery: CauseDelivery,
  message: CauseMessage,
): string {
  const { rule } = transition;
  if (!isKnownRule(rule)) return fill(CAUSE_VARIANTS.router, { rule });
  const isLast = usedUpBy(delivery, transition) !== undefined;
  const steady = (isLast ? STEADY_LAST_SENTENCES[rule] : undefined) ?? STEADY_SENTENCES[rule];
  if (steady === undefined) {
    return sentenceOf(transition, delivery, message, {
      holdName: () => undefined,
      errorOf: ({ code }) => code,
      sentence: (earlier) => steadySentence(earlier, delivery, message),
    });
  }
  const attempt = attemptOf(delivery, transition);
  return fill(attempt?.tap === undefined ? steady : asObserved(steady), {
    n: attempt?.number,
    error: attempt?.error?.code,
  });
}

function answerFacts(attempt: Attempt | undefined, { errorOf }: Pick<Words, 'errorOf'>): Facts {
  const { response, error } = attempt === undefined ? {} : judgedAnswer(attempt);
  return {
    ...answererFacts(attempt),
    code: response?.statusText ?? response?.status ?? error?.code,
    status: attempt?.word,
    entryId: attempt?.bulk?.entryId,
    error: error && errorOf(error),
  };
}

/** How the last attempt ended, for a line of the log: "; the last answer was 503". */
export function lastAnswerText(attempt: Attempt, isOnly: boolean): string {
  return lastAnswer(attempt, isOnly, { errorOf: ({ message }) => clause(message) });
}

/**
 * How the last attempt ended, for a delivery without an attempt left: "; the last answer was 200 RETRY". Empty if that is not known.
 * @param isOnly whether it was the only attempt
 */
function lastAnswer(
  attempt: Attempt | undefined,
  isOnly: boolean,
  { errorOf }: Pick<Words, 'errorOf'>,
): string {
  if (attempt === undefined) return '';
  const { response, error } = judgedAnswer(attempt);
  const texts = isOnly ? ONLY_ANSWER : LAST_ANSWER;
  if (response !== undefined) return fill(texts.answered, { answer: answerOf(attempt, response) });
  if (error === undefined) return '';
  return error.code === 'cancelled'
    ? texts.cancelled
    : fill(texts.unanswered, { none: noAnswer(errorOf(error)).replace('N', 'n') });
}

function answerOf(
  { protocol, bulk, word }: Attempt,
  { status, statusText }: NonNullable<Attempt['response']>,
): string {
  const code = statusText ?? String(status);
  if (word !== undefined) return `${code} ${word}`;
  const isTaken = protocol === 'grpc' ? status === 0 : status >= 200 && status < 300;
  return isTaken && bulk !== undefined ? fill(WITHOUT_STATUS, { code }) : code;
}

interface Known extends Words {
  readonly delivery: CauseDelivery;
  readonly message: CauseMessage;
  readonly attempt: Attempt | undefined;
}

function ownFacts(rule: KnownRule, transition: Transition, known: Known): Facts {
  const { delivery, message, attempt } = known;
  const number = numberOf(delivery, transition);
  switch (rule) {
    case 'policy.exhausted':
    case 'policy.dead-letter': {
      const { before, notCounted } = roundOf(delivery, transition);
      const used = number && number - before - notCounted;
      const since = before > 0 ? SINCE_RETRY : '';
      const note = transition.note === undefined ? undefined : `${clause(transition.note)}.`;
      return { n: number, used, since, note, last: lastAnswer(attempt, used === 1, known) };
    }
    case 'bulk.404':
    case 'grpc.bulk.unimplemented':
      return { n: attempt?.bulk?.batchSize };
    case 'bulk.other':
    case 'grpc.bulk.error':
      return { n: usedUpBy(delivery, transition) === undefined ? attempt?.bulk?.batchSize : number };
    case 'single.2xx.invalid':
      return { type: typeIfNotJson(attempt) };
    case 'policy.retry':
      return { n: number };
    case 'restart.requeued':
      return { n: number, note: transition.note };
    case 'policy.no-answer':
      if (attempt?.error?.code === 'timeout') return { n: number, t: duration(attempt.durationMs ?? 0) };
      // A call that could not be made has no error of its own, but a note.
      return attempt?.error === undefined ? { n: number, error: clause(transition.note) } : { n: number };
    case 'policy.route-error':
      return { n: ruleNumber(transition.note), error: withoutRuleNumber(notedCopy(transition.note).own) };
    case 'policy.unreadable':
      return { reason: clause(notedCopy(transition.note).own) };
    case 'policy.no-subscription':
      return { subscribed: subscribedOf(delivery) };
    case 'ttl.expired':
      return { t: duration(between(message.at, transition.at)), n: message.metadata['ttlInSeconds'] };
    case 'user.undo-drop': {
      const earlier = beforeDrop(delivery, transition);
      return { earlier: earlier && known.sentence(earlier) };
    }
    case 'hold.matched':
    case 'hold.released':
      return { hold: nameOfHold(transition, known), t: duration(heldFor(delivery, transition)) };
    default:
      return { n: number };
  }
}

/** Content type of an answer that is not JSON, in words, "" if it named none; undefined: it is JSON, or was not kept whole. */
function typeIfNotJson(attempt: Attempt | undefined): string | undefined {
  const response = attempt === undefined ? undefined : judgedAnswer(attempt).response;
  if (response === undefined || response.bodyError !== undefined) return undefined;
  const { body, bodyBase64, bodyTruncated, headers } = response;
  if (bodyBase64 === true || body === '') return undefined;
  // The beginning of a web page is enough to recognise it.
  const isJson = bodyTruncated === true ? !body.trimStart().startsWith('<') : isJsonText(body);
  return isJson ? undefined : ofContentType(headers);
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The transition that had brought the delivery into the state that an undo of its drop brings back, however
 * often it was dropped and brought back since; undefined: the history does not have it.
 */
function beforeDrop({ transitions }: CauseDelivery, undo: Transition): Transition | undefined {
  for (let at = transitions.indexOf(undo); at >= 0; at -= 2) {
    if (transitions[at]?.rule !== 'user.undo-drop') return transitions[at];
    if (transitions[at - 1]?.rule !== 'user.drop') return undefined;
  }
  return undefined;
}

/**
 * The round of attempts that a transition ends. A round begins when a person retries what had ended.
 * `before`: attempts of earlier rounds. `notCounted`: attempts of this round that ended with their stream,
 * which have numbers, but do not count for the policy.
 */
function roundOf(
  delivery: CauseDelivery,
  { sequence }: Transition,
): { readonly before: number; readonly notCounted: number } {
  const { transitions } = delivery;
  const upToHere = transitions.filter((each) => each.sequence <= sequence);
  const began = upToHere.findLastIndex(({ rule, from }) => rule === 'user.retry' && from !== 'retrying');
  // The number of the last attempt before would not do: one that a restart cut off gives its number to the next.
  const first = upToHere.slice(began + 1).find(({ to }) => to === 'attempting');
  const before = began === -1 || first === undefined ? 0 : (numberOf(delivery, first) ?? 1) - 1;
  return {
    before,
    notCounted: upToHere.slice(began + 1).filter(({ rule }) => rule === 'stream.closed').length,
  };
}

/**
 * Chooses the text of a rule by the facts.
 * @param isLast whether no attempt was left after this one
 */
function templateOf(rule: KnownRule, facts: Facts, attempt: Attempt | undefined, isLast: boolean): string {
  const byStatus = attempt?.notRetried === true ? templateByStatus(rule, facts) : undefined;
  if (byStatus !== undefined) return byStatus;
  if (rule === 'policy.no-answer' && saysItself(facts['error'])) {
    return isLast ? CAUSE_VARIANTS.noneAsSaidLast : CAUSE_VARIANTS.noneAsSaid;
  }
  if (rule === 'policy.no-answer' && attempt?.error?.code === 'timeout') {
    return isLast ? CAUSE_VARIANTS.timedOutLast : CAUSE_VARIANTS.timedOut;
  }
  // An attempt of an older history does not have the status word.
  if (rule === 'single.2xx.other' && facts['status'] === undefined) {
    return isLast ? CAUSE_VARIANTS.otherWithoutWordLast : CAUSE_VARIANTS.otherWithoutWord;
  }
  if (rule === 'single.2xx.invalid' && facts['type'] !== undefined) return CAUSE_VARIANTS.notJson;
  if (rule === 'bulk.2xx.other' && facts['status'] === undefined) {
    return isLast ? CAUSE_VARIANTS.entryWithoutWordLast : CAUSE_VARIANTS.entryWithoutWord;
  }
  if (isLast) return LAST_ATTEMPT_SENTENCES[rule] ?? CAUSE_SENTENCES[rule];
  if (rule === 'policy.exhausted' && facts['note'] !== undefined) return CAUSE_VARIANTS.exhaustedWithNote;
  if (rule === 'policy.exhausted' && facts['used'] === 1) return CAUSE_VARIANTS.exhaustedAtOnce;
  if (rule === 'policy.dead-letter' && facts['used'] === 1) return CAUSE_VARIANTS.deadLetteredAtOnce;
  if (rule === 'policy.retry' && facts['max'] === undefined) return CAUSE_VARIANTS.retryWithoutLimit;
  if (rule === 'user.undo-drop' && facts['earlier'] === undefined) return CAUSE_VARIANTS.undoneWithoutCause;
  if (rule === 'ttl.expired' && facts['n'] === undefined) return CAUSE_VARIANTS.expiredWithoutTtl;
  if (rule === 'restart.requeued') return templateOfCut(facts['note']);
  return CAUSE_SENTENCES[rule];
}

function templateOfCut(note: Facts[string]): string {
  if (wasAnsweredWhenCut(note)) return CAUSE_VARIANTS.heldAnswerLost;
  return wasCutByRemoval(note) ? CAUSE_VARIANTS.cutByRemoval : CAUSE_SENTENCES['restart.requeued'];
}

/** Whether the app had answered a call that was cut off: a hold kept the answer back, as the note of the transition says. */
export function wasAnsweredWhenCut(note: Facts[string]): boolean {
  return typeof note === 'string' && note.endsWith(HELD_WHEN_CUT);
}

/** Whether a call was cut off because its app was removed, not because Sidelight ended, by the note of the transition. */
export function wasCutByRemoval(note: Facts[string]): boolean {
  return typeof note === 'string' && !Object.values(CUT_BY_END).some((end) => note.startsWith(end));
}

/** Whether a reason says itself that there was no answer: it has the limit that a call passed. */
function saysItself(reason: Facts[string]): boolean {
  return typeof reason === 'string' && noAnswer(reason) === reason;
}

/** The text of an answer that the retry policy does not try again, and of what follows from it. */
function templateByStatus(rule: KnownRule, facts: Facts): string | undefined {
  switch (rule) {
    case 'single.other':
      return CAUSE_VARIANTS.notRetried;
    case 'policy.exhausted':
      return facts['note'] === undefined
        ? CAUSE_VARIANTS.exhaustedByStatus
        : CAUSE_VARIANTS.exhaustedByStatusWithNote;
    case 'policy.dead-letter':
      return CAUSE_VARIANTS.deadLetteredByStatus;
    default:
      return undefined;
  }
}

function subscribedOf({ subscription }: CauseDelivery): string | undefined {
  if (subscription === undefined) return undefined;
  const { pubsubname, topic, source } = subscription;
  // The app's own subscription to the topic does not take over what a stream had.
  return `${pubsubname}/${topic}${source === 'streaming' ? ' with a stream' : ''}`;
}

function ruleNumber(note: string | undefined): string | undefined {
  return /\bRule (\d+)\b/i.exec(note ?? '')?.[1];
}

function withoutRuleNumber(note: string | undefined): string | undefined {
  return clause(note?.replace(/^Rule \d+[^:]*:\s*/i, ''));
}

function between(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

/** The name that the hold had when it caught the delivery. The delivery itself names the hold that has it now. */
function nameOfHold(transition: Transition, { delivery, holdName }: Known): string | undefined {
  const note =
    transition.note ?? (transition.to === 'held' ? delivery.heldBy : heldBy(delivery, transition)?.note);
  return note === undefined ? undefined : (holdName(note) ?? note);
}

/** The transition by which the delivery came to be held that this one releases. */
function heldBy({ transitions }: CauseDelivery, { sequence }: Transition): Transition | undefined {
  return transitions.findLast((each) => each.to === 'held' && each.sequence <= sequence);
}

function heldFor(delivery: CauseDelivery, transition: Transition): number {
  const began = heldBy(delivery, transition);
  return began === undefined ? 0 : between(began.at, transition.at);
}
