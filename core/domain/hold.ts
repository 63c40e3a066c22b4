/** Which hold catches a message at a point of its life. */
import type { Hold, HoldChange, HoldPoint } from '../contract/hold.ts';
import type { FilterError } from './filter/ast.ts';
import { compileFilter, needsData, needsText } from './filter/evaluate.ts';
import type { CompiledFilter } from './filter/evaluate.ts';
import { searchesOf } from './filter/live.ts';
import { parseFilter } from './filter/parse.ts';
import type { FilterSubject } from './filter/subject.ts';
import { OutOfSteps } from './steps.ts';

/** A hold with its filter read. Make it again whenever the hold changes, its `hits` included. */
export interface CompiledHold {
  readonly hold: Hold;
  readonly matches: CompiledFilter;
  /** True when the hold's filter asks for something of the payload or the envelope. */
  readonly readsWire: boolean;
  /** How often its filter looks through a text. */
  readonly searches: number;
}

export type CompiledHoldResult =
  | { readonly ok: true; readonly compiled: CompiledHold }
  | { readonly ok: false; readonly error: FilterError };

/** Reads a hold's filter once for all the messages it will be asked about. */
export function compileHold(hold: Hold): CompiledHoldResult {
  const parsed = parseFilter(hold.filter);
  if (!parsed.ok) return parsed;
  const { filter } = parsed;
  const readsWire = needsData(filter) || needsText(filter);
  return {
    ok: true,
    compiled: { hold, matches: compileFilter(filter), readsWire, searches: searchesOf(filter) },
  };
}

/** Who stops a message. */
export interface Caught {
  readonly hold: Hold;
  /** Why it is not known whether the message matches the hold's filter; absent: it does. */
  readonly undecided?: string;
}

/** The longest name or filter that a note repeats. */
const LONGEST_NAME = 200;

/**
 * The first hold, in the order given, that stops a message here; undefined: it goes on.
 * A hold that is off, has caught its `times`, or has let this message go before does not catch it.
 * A hold whose filter uses up the subject's steps catches the message too: what was let go by mistake cannot be called back, and what is
 * held by mistake can be released.
 * @param nowMs milliseconds since 1970, for `age`
 * @param releasedFrom ids of holds that let it go; for a replay also those of the message it repeats
 */
export function catchingHold(
  holds: readonly CompiledHold[],
  at: HoldPoint,
  subject: FilterSubject,
  nowMs: number,
  releasedFrom: ReadonlySet<string>,
): Caught | undefined {
  const concerned = holds.filter(
    ({ hold }) =>
      hold.enabled &&
      hold.at === at &&
      hold.hits < (hold.times ?? Infinity) &&
      !releasedFrom.has(hold.holdId),
  );
  for (const { hold, matches } of concerned) {
    try {
      if (matches(subject, nowMs)) return { hold };
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error;
      const undecided = `The filter of the hold "${holdTitle(hold)}" needed ${error.message} for this message, so the message is held without knowing whether it matches.`;
      return { hold, undecided };
    }
  }
  return undefined;
}

/** What a person knows the hold by. */
export function holdTitle({ name, filter }: Hold): string {
  const title = name ?? filter;
  return title.length > LONGEST_NAME ? `${title.slice(0, LONGEST_NAME)}…` : title;
}

/** What is known of the holds of a message or of one of its deliveries. */
export interface HoldTrace {
  readonly heldBy?: string | undefined;
  readonly releasedFrom?: readonly string[] | undefined;
}

/**
 * Holds that must not catch the replay of a message: each that has it now or had it before, at whatever point.
 * Without this a replay of what was just released would be held again, without end.
 */
export function holdsOfOriginal(message: HoldTrace, deliveries: readonly HoldTrace[]): ReadonlySet<string> {
  return new Set(
    [message, ...deliveries].flatMap(({ heldBy, releasedFrom }) => [
      ...(heldBy === undefined ? [] : [heldBy]),
      ...(releasedFrom ?? []),
    ]),
  );
}

/** The hold with what was given; a member that is null goes. "The next n only" counts from the moment it is set. */
export function changeHold(hold: Hold, change: HoldChange): Hold {
  const { name, times, releaseAfterMs, ...kept } = hold;
  const next = { name, times, releaseAfterMs, ...change };
  const isRestarted = change.times !== undefined || (change.enabled === true && !hold.enabled);
  return {
    ...kept,
    at: change.at ?? hold.at,
    filter: change.filter ?? hold.filter,
    enabled: change.enabled ?? hold.enabled,
    ...(next.name === undefined || next.name === null ? {} : { name: next.name }),
    ...(next.times === undefined || next.times === null ? {} : { times: next.times }),
    ...(next.releaseAfterMs === undefined || next.releaseAfterMs === null
      ? {}
      : { releaseAfterMs: next.releaseAfterMs }),
    hits: isRestarted && typeof next.times === 'number' ? 0 : hold.hits,
  };
}
