/**
 * Expectations on messages: that enough of them reach a state, that none ever matches, that nothing is in
 * progress.
 */
import { withoutDelivery } from '../contract/attention.ts';
import { isUnfinishedState } from '../contract/delivery.ts';
import type { DeliveryRow, MessageRow } from '../contract/message.ts';
import type { ExpectedDelivery } from '../contract/scenario.ts';
import type { RowState } from '../contract/words.ts';
import { counted } from '../contract/count-text.ts';
import { durationText } from '../domain/duration.ts';
import { worstState } from '../domain/facet.ts';
import { seenInstead, describeInstead, toldMessage } from './nearest.ts';
import { ExpectationFailed } from './expectation-failed.ts';
import { problemsBehind, storyOf } from './story.ts';
import { untilFound } from './until.ts';
import type { Watching } from './until.ts';

export interface Expected {
  readonly filter: string;
  /** State; absent: any. */
  readonly state?: RowState | undefined;
  /** Exact number of attempts of a delivery; absent: any. */
  readonly attempts?: number | undefined;
  /** Exact deliveries in any order; absent: any. */
  readonly deliveries?: readonly ExpectedDelivery[] | undefined;
  /** Minimum number of messages. */
  readonly count: number;
  readonly withinMs: number;
}

/** Maximum number of messages that are checked, the newest first. */
const MAX_LOOKED_AT = 1000;
/** Maximum number of stories of messages that match and are not as expected. */
const MAX_TOLD = 3;

/**
 * Resolves with the rows as soon as enough messages are as expected. Rejects with ExpectationFailed after the time. It
 * rejects at once when enough messages match and none of the others can become as expected, because each of
 * their deliveries has ended or had too many attempts.
 */
export async function expectMessages(at: Watching, expected: Expected): Promise<readonly MessageRow[]> {
  const { filter, count, withinMs } = expected;
  let matching: readonly MessageRow[] = [];
  let isHopeless = false;
  const found = await untilFound(at, filter, withinMs, async ({ rows }) => {
    matching = await rows(0, Math.max(count, MAX_LOOKED_AT));
    const good = matching.filter((row) => isAsExpected(row, expected));
    if (good.length >= count) return good;
    isHopeless =
      matching.length >= count && matching.every((row) => good.includes(row) || isOver(row, expected));
    return isHopeless ? [] : undefined;
  });
  if (found !== undefined && !isHopeless) return found;
  const canCome = !isHopeless && at.signal?.aborted !== true;
  throw new ExpectationFailed(await storyOfMissing(at, expected, matching, canCome));
}

function isAsExpected(row: MessageRow, { state, attempts, deliveries }: Expected): boolean {
  if (deliveries !== undefined && !hasExactly(row, deliveries)) return false;
  if (attempts === undefined) return state === undefined || statesOf(row).includes(state);
  return row.deliveries.some(
    (each) => each.attempts === attempts && (state === undefined || each.state === state),
  );
}

function hasExactly(row: MessageRow, expected: readonly ExpectedDelivery[]): boolean {
  if (row.stage !== undefined) return false;
  const found = row.deliveries.map(({ appId, route = '', state, attempts }) =>
    deliveryText({ app: appId, route, state, attempts }),
  );
  return found.toSorted().join('\n') === expected.map(deliveryText).toSorted().join('\n');
}

/** A delivery in words: "to app at /orders: processed after 1 attempt". */
function deliveryText({ app, route, state, attempts }: ExpectedDelivery): string {
  return `to ${app}${route === '' ? '' : ` at ${route}`}: ${state} after ${counted(attempts, 'attempt')}`;
}

function statesOf(row: MessageRow): readonly RowState[] {
  const stage = row.stage === undefined ? [] : [row.stage];
  const states = [...row.deliveries.map(({ state }) => state), ...stage];
  return states.length === 0 ? [withoutDelivery(row)] : states;
}

/** Whether a message can no longer become as expected by itself. */
function isOver(row: MessageRow, { attempts }: Expected): boolean {
  const isDone = ({ state, attempts: made }: DeliveryRow): boolean =>
    !isUnfinishedState(state) || (attempts !== undefined && made > attempts);
  if (row.deliveries.length > 0) return row.deliveries.every(isDone);
  return row.stage === 'refused' || row.stage === 'dropped' || row.stage === 'expired';
}

async function storyOfMissing(
  { rpc }: Watching,
  expected: Expected,
  matching: readonly MessageRow[],
  canCome: boolean,
): Promise<readonly string[]> {
  const when = canCome ? `not within ${durationText(expected.withinMs)}` : 'it can no longer come';
  const good = matching.filter((row) => isAsExpected(row, expected)).length;
  const head = `${wordsOf(expected)}: ${when}; ${good} of ${matching.length} matching`;
  const { items: apps } = await rpc.call('apps.list', {});
  if (matching.length < expected.count) {
    const instead = await seenInstead(rpc, expected.filter, 0);
    const near = instead.nearest.map(({ message }) => message);
    return [head, ...describeInstead(instead), ...problemsBehind(near, apps)];
  }
  const bad = matching.filter((row) => !isAsExpected(row, expected)).slice(0, MAX_TOLD);
  const details = await Promise.all(bad.map(({ messageId }) => toldMessage(rpc, messageId)));
  return [head, ...details.flatMap((message) => storyOf(message)), ...problemsBehind(details, apps)];
}

/** An expectation in words: "1 message processed after 3 attempts". */
export function wordsOf({
  state,
  attempts,
  deliveries,
  count,
}: Pick<Expected, 'state' | 'attempts' | 'deliveries' | 'count'>): string {
  const after = attempts === undefined ? '' : ` after ${counted(attempts, 'attempt')}`;
  const to =
    deliveries?.length === 0
      ? ' to nobody'
      : (deliveries ?? []).map((each) => ` ${deliveryText(each)}`).join(',');
  return `${counted(count, 'message')}${state === undefined ? '' : ` ${state}`}${after}${to}`;
}

/** Rejects with ExpectationFailed as soon as a message matches, even one from before. */
export async function neverMessage(at: Watching, filter: string, forMs: number): Promise<void> {
  const first = await untilFound(at, filter, forMs, async ({ rows }) => (await rows(0, 1))[0]);
  if (first === undefined) return;
  const message = await toldMessage(at.rpc, first.messageId);
  throw new ExpectationFailed(['a message matches that never should', ...storyOf(message)]);
}

const UNDER_WAY = 'state:queued,attempting,retrying';

/**
 * Resolves when nothing is queued, attempting or retrying; rejects with ExpectationFailed if that takes longer than
 * `withinMs`.
 */
export async function settled(at: Watching, withinMs: number): Promise<void> {
  const underWay = () => at.rpc.call('messages.list', { filter: UNDER_WAY, limit: MAX_TOLD });
  // An open view may not have the newest message yet, so the list decides.
  const isDone = await untilFound(at, UNDER_WAY, withinMs, async () =>
    (await underWay()).total === 0 ? true : undefined,
  );
  if (isDone === true) return;
  const { items, total } = await underWay();
  const details = await Promise.all(items.map(({ messageId }) => toldMessage(at.rpc, messageId)));
  const states = [...new Set(items.map((row) => worstState(row)))].join(', ');
  throw new ExpectationFailed([
    `${counted(total, 'message')} still under way (${states}) after ${durationText(withinMs)}`,
    ...details.flatMap((message) => storyOf(message)),
  ]);
}
