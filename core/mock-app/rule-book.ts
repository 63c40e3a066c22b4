/**
 * Chooses the rule that answers: the first enabled one that matches and still has an answer for this turn.
 */
import type { Answer, ResponseRule, RuleAnswer } from '../contract/mock-app.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import type { Codec } from '../domain/codec.ts';
import type { Clock } from '../ports/clock.ts';
import type { IdSource } from '../ports/ids.ts';
import type { Random } from '../ports/random.ts';
import { LIVE_STEPS } from '../domain/filter/live-bounds.ts';
import { isObject } from '../domain/json.ts';
import { OutOfSteps, Steps } from '../domain/steps.ts';
import { bodyText } from './body-text.ts';
import { checkRules } from './check-rules.ts';
import type { Incoming, IncomingEvent } from './incoming.ts';
import { compileMatch, messageKey } from './matching.ts';
import type { MatchFacts, Matcher } from './matching.ts';
import { Recent } from './recent.ts';
import type { RecentRoom } from './recent.ts';

export interface RuleBookPorts {
  readonly appId: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly random: Random;
  readonly codec: Codec;
}

export interface Chosen {
  readonly ruleId: string;
  readonly name?: string;
  readonly answer: Answer;
  /**
   * Why it is unknown whether the rule matches: the answer is then a 500 with this reason, and no counter
   * changes.
   */
  readonly undecided?: string;
}

/** Number of messages that `attempts` remembers; older ones start again. */
const MESSAGES_KEPT = 10_000;
/** Number of counters that all rules with `per: 'message'` have together, one for each rule and message; older ones start again. */
const COUNTERS_KEPT = 20_000;
/** Maximum number of characters of a rule's name or filter that an answer repeats. */
const MAX_TITLE_LENGTH = 200;

interface Entry {
  readonly rule: ResponseRule & { readonly ruleId: string };
  readonly matches: Matcher;
  hits: number;
  lastAt: string | undefined;
  /** Number of answered matches of the rule; those of each message have counters of their own. */
  count: number;
  /** Begins the keys of those counters. A rule that starts again gets another one. */
  readonly counting: string;
}

/** Rules with their counters. */
export class RuleBook {
  readonly #ports: RuleBookPorts;
  readonly #mustFit: (rules: readonly ResponseRule[]) => void;
  /** How often each message was received. */
  readonly #seen: Recent<number>;
  /** How often each rule with `per: 'message'` has answered each message. */
  readonly #counts: Recent<number>;
  #entries: readonly Entry[] = [];
  #started = 0;

  /**
   * Makes a book without rules.
   * @param mustFit throws Refusal TOO_LARGE for rules for which there is no room
   * @param room room for the counters of messages, which all books share
   */
  constructor(
    ports: RuleBookPorts,
    mustFit: (rules: readonly ResponseRule[]) => void = () => undefined,
    room?: RecentRoom,
  ) {
    this.#ports = ports;
    this.#mustFit = mustFit;
    this.#seen = new Recent(MESSAGES_KEPT, room);
    this.#counts = new Recent(COUNTERS_KEPT, room);
  }

  /** Whether any rule is enabled. */
  get hasEnabled(): boolean {
    return this.#entries.some(({ rule }) => rule.enabled);
  }

  /** The rules in order, with ids, hits and the time of the last hit. */
  rules(): readonly ResponseRule[] {
    return this.#entries.map(({ rule, hits, lastAt }) => ({
      ...rule,
      hits,
      ...withoutUndefined({ lastAt }),
    }));
  }

  /**
   * Replaces all rules. A rule that has the same id and content as before keeps its counters; with `hits: 0`
   * it starts again. Throws Refusal INVALID_PARAMS or TOO_LARGE, and then nothing has changed.
   */
  set(rules: readonly ResponseRule[]): void {
    checkRules(rules);
    this.#mustFit(rules);
    const known = new Map(this.#entries.map((entry) => [entry.rule.ruleId, entry]));
    this.#entries = rules.map((given) => {
      const { hits, lastAt, ...said } = copied(given, 'rule') as ResponseRule;
      const rule = { ...said, ruleId: given.ruleId ?? this.#ports.ids.next('rule') };
      const before = known.get(rule.ruleId);
      const goesOn = before !== undefined && hits !== 0 && saysTheSame(before.rule, rule);
      return {
        rule,
        matches: compileMatch(rule.match),
        hits: goesOn ? before.hits : (hits ?? 0),
        lastAt: goesOn ? before.lastAt : lastAt,
        count: goesOn ? before.count : 0,
        counting: goesOn ? before.counting : `${(this.#started += 1)} `,
      };
    });
  }

  /** Resets the counters of every rule. */
  reset(): void {
    this.set(this.#entries.map(({ rule }) => ({ ...rule, hits: 0 })));
  }

  /** Forgets what it remembers of messages. */
  close(): void {
    this.#seen.clear();
    this.#counts.clear();
  }

  /**
   * Chooses and counts the answer for this request; undefined: no rule has one. If the filters of the rules
   * need too much work, the answer is a 500: the message is then tried again or parked, and not taken as
   * processed although a rule was not evaluated.
   */
  choose(incoming: Incoming): Chosen | undefined {
    const keys = new Map(incoming.events.map((event) => [event, messageKey(incoming, event)]));
    const facts = this.#facts(keys);
    for (const key of keys.values()) this.#seen.set(key, (this.#seen.get(key) ?? 0) + 1);
    for (const entry of this.#entries) {
      if (!entry.rule.enabled) continue;
      const concerned = concerns(entry, incoming, facts);
      if (typeof concerned === 'string') return undecided(entry.rule, concerned);
      if (!concerned) continue;
      const turn = this.#turnOf(entry, keys);
      if (entry.rule.times !== undefined && turn >= entry.rule.times) continue;
      const answer = this.#answerFor(entry.rule.answer, turn);
      if (answer === undefined) continue;
      this.#count(entry, keys);
      const { ruleId, name } = entry.rule;
      return { ruleId, ...withoutUndefined({ name }), answer };
    }
    return undefined;
  }

  /**
   * Whether an enabled rule for exactly this route answers 404, which a binding's probe of the route gets.
   */
  denies(route: string): boolean {
    return this.#entries.some(
      ({ rule }) =>
        rule.enabled &&
        rule.match.route === route &&
        rule.answer.kind === 'respond' &&
        rule.answer.status === 404,
    );
  }

  #facts(keys: ReadonlyMap<IncomingEvent, string>): MatchFacts {
    return {
      appId: this.#ports.appId,
      codec: this.#ports.codec,
      nowMs: this.#ports.clock.now(),
      timesSeen: (event) => this.#seen.get(keys.get(event) ?? '') ?? 1,
      steps: new Steps(LIVE_STEPS),
      subjects: new Map(),
    };
  }

  #answerFor(answer: RuleAnswer, turn: number): Answer | undefined {
    if (answer.kind === 'random') return this.#drawn(answer.of);
    if (answer.kind !== 'sequence') return answer;
    const { steps, then } = answer;
    if (turn < steps.length) return steps[turn];
    switch (then) {
      case 'repeat-last':
        return steps.at(-1);
      case 'loop':
        return steps[turn % steps.length];
      case 'next-rule':
        return undefined;
    }
  }

  #drawn(of: readonly { readonly share: number; readonly answer: Answer }[]): Answer | undefined {
    let left = this.#ports.random.next() * 100;
    for (const { share, answer } of of) {
      left -= share;
      if (left < 0) return answer;
    }
    return of.findLast(({ share }) => share > 0)?.answer;
  }

  #count(entry: Entry, keys: ReadonlyMap<IncomingEvent, string>): void {
    entry.hits++;
    entry.lastAt = new Date(this.#ports.clock.now()).toISOString();
    if (entry.rule.per !== 'message') entry.count++;
    else
      for (const key of new Set(keys.values()))
        this.#counts.set(entry.counting + key, (this.#counts.get(entry.counting + key) ?? 0) + 1);
  }

  /**
   * How often the rule has answered before. A batch has the turn of its entry that was answered least often.
   */
  #turnOf(entry: Entry, keys: ReadonlyMap<IncomingEvent, string>): number {
    if (entry.rule.per !== 'message') return entry.count;
    let least = Number.POSITIVE_INFINITY;
    for (const key of keys.values()) least = Math.min(least, this.#counts.get(entry.counting + key) ?? 0);
    return keys.size === 0 ? 0 : least;
  }
}

/** Whether the rule matches the request; a text says why its filter could not decide. */
function concerns(entry: Entry, incoming: Incoming, facts: MatchFacts): boolean | string {
  try {
    return entry.matches(incoming, facts);
  } catch (error) {
    if (error instanceof OutOfSteps) return error.message;
    throw error;
  }
}

function undecided({ ruleId, name, match }: Entry['rule'], needed: string): Chosen {
  const title = (name ?? match.filter ?? ruleId).slice(0, MAX_TITLE_LENGTH);
  const reason = `The filter of the rule "${title}" needed ${needed} for this request, so the mock app answers 500.`;
  const headers = { 'content-type': 'application/json' };
  return {
    ruleId,
    ...withoutUndefined({ name }),
    answer: { kind: 'respond', status: 500, headers, body: { error: reason } },
    undecided: reason,
  };
}

function saysTheSame(a: ResponseRule, b: ResponseRule): boolean {
  const said = ({ match, times, per, answer }: ResponseRule): string =>
    JSON.stringify([match, times ?? null, per ?? 'rule', answer], written);
  return said(a) === said(b);
}

/** Writes a body by its text, which is known, and marks it, because a body may be that text itself. */
function written(name: string, value: unknown): unknown {
  return name === 'body' && typeof value === 'object' ? { json: bodyText(value) } : value;
}

/** Copies a rule, which its caller may change, apart from bodies: to copy one of 240,000 members takes a quarter of a second. */
function copied(value: unknown, name: string): unknown {
  if (name === 'body') return value;
  if (Array.isArray(value)) return value.map((item) => copied(item, ''));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([of, member]) => [of, copied(member, of)]));
}
