/** Decides which hold catches a message at a point of its life. */
import { shortened } from '../contract/cut-place.ts';
import type { Hold, HoldChange, HoldPoint } from '../contract/hold.ts';
import type { FilterError } from './filter/ast.ts';
import { compileFilter, needsData, needsText } from './filter/evaluate.ts';
import type { CompiledFilter } from './filter/evaluate.ts';
import { searchesOf } from './filter/live-bounds.ts';
import { parseFilter } from './filter/parse.ts';
import type { FilterSubject } from './filter/subject.ts';
import { OutOfSteps } from './steps.ts';

/**
 * A hold with its compiled filter. Compile it again whenever the hold changes, also for a change of `hits`.
 */
export interface CompiledHold {
  readonly hold: Hold;
  readonly matches: CompiledFilter;
  /** True if the hold's filter reads the payload or the envelope. */
  readonly readsWire: boolean;
  /** Number of texts that its filter searches for. */
  readonly searches: number;
}

export type CompiledHoldResult =
  | { readonly ok: true; readonly compiled: CompiledHold }
  | { readonly ok: false; readonly error: FilterError };

/** Compiles a hold's filter once, for all messages. */
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

/** The hold that stops a message. */
export interface Caught {
  readonly hold: Hold;
  /** Why the filter could not decide; absent: the message matches. */
  readonly undecided?: string;
}

/** Longest name or filter that a note repeats. */
const MAX_NAME_LENGTH = 200;

/**
 * The first hold, in the order given, that stops a message here; undefined: none. A hold does not catch a message if it is off, has caught
 * its `times`, or has released this message before. A hold whose filter uses up the subject's steps catches the message too: a person can
 * release what was held by mistake, but cannot call back what was delivered by mistake.
 * @param nowMs milliseconds since 1970, for `age`
 * @param releasedFrom ids of holds that released the message; for a replay also those of its original
 */
export function catchingHold(
  holds: readonly CompiledHold[],
  at: HoldPoint,
  subject: FilterSubject,
  nowMs: number,
  releasedFrom: ReadonlySet<string>,
): Caught | undefined {
  const concerned = holds.filter(
    ({ hold }) => mayCatch(hold) && hold.at === at && !releasedFrom.has(hold.holdId),
  );
  for (const { hold, matches } of concerned) {
    try {
      if (matches(subject, nowMs)) return { hold };
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error;
      const undecided = `The filter of the hold "${holdTitle(hold)}" needed ${error.message} for this message. Sidelight holds the message, although it does not know whether it matches.`;
      return { hold, undecided };
    }
  }
  return undefined;
}

/** Whether the hold is on and not used up. */
export function mayCatch({ enabled, hits, times = Infinity }: Hold): boolean {
  return enabled && hits < times;
}

/** Name of the hold for people. */
export function holdTitle({ name, filter }: Hold): string {
  return shortened(name ?? filter, MAX_NAME_LENGTH);
}

/** Holds of a message or of one of its deliveries, present and past. */
export interface HoldTrace {
  readonly heldBy?: string | undefined;
  readonly releasedFrom?: readonly string[] | undefined;
}

/**
 * Holds that must not catch the replay of a message: all that hold it now or did before, at any point.
 * Without this rule the replay of a released message would be held again, without end.
 */
export function holdsOfOriginal(message: HoldTrace, deliveries: readonly HoldTrace[]): ReadonlySet<string> {
  return new Set(
    [message, ...deliveries].flatMap(({ heldBy, releasedFrom }) => [
      ...(heldBy === undefined ? [] : [heldBy]),
      ...(releasedFrom ?? []),
    ]),
  );
}

/** The hold after a change; a member that is null is removed. `times` counts from the moment it is set. */
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
