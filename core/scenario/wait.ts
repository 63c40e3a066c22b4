/** Waits until enough messages match a filter, and reports what was found instead if they do not. */
import type { RuleId } from '../contract/delivery.ts';
import type { MessageRow } from '../contract/message.ts';
import { counted } from '../contract/count-text.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { durationText } from '../domain/duration.ts';
import { printable } from '../domain/names.ts';
import { seenInstead, describeInstead } from './nearest.ts';
import type { Instead } from './nearest.ts';
import { untilFound } from './until.ts';
import type { Watching } from './until.ts';

export interface WaitFor {
  /** A valid filter. */
  readonly filter: string;
  /** Minimum number of messages. */
  readonly count: number;
  readonly withinMs: number;
  /** `now`: only messages that are accepted from now on. */
  readonly since: 'start' | 'now';
}

export interface Waited {
  readonly matched: boolean;
  /** Number of messages that match at the end. */
  readonly count: number;
  readonly elapsedMs: number;
  /** The newest of them, at most 500. */
  readonly items: readonly MessageRow[];
  /** Messages found instead, if there were too few. */
  readonly instead?: Instead;
  /** The filter that was probably meant, if no message matches. */
  readonly meant?: string;
}

/** Maximum number of rows in a result. */
const MAX_ITEMS = 500;

/** Waits. Throws InstanceGone, and RpcRefused when the instance refuses the filter. */
export async function waitFor(at: Watching, { filter, count, withinMs, since }: WaitFor): Promise<Waited> {
  const { rpc, clock } = at;
  const from = clock.monotonic();
  const after = since === 'start' ? 0 : await newestNumber(at);
  let found: { readonly count: number; readonly items: readonly MessageRow[] } = { count: 0, items: [] };
  const enough = await untilFound(at, filter, withinMs, async ({ total, rows }) => {
    const items = await rows(after, Math.max(count, MAX_ITEMS));
    found = { count: after === 0 ? total : items.length, items: items.slice(0, MAX_ITEMS) };
    return found.count >= count ? true : undefined;
  });
  const elapsedMs = Math.round(clock.monotonic() - from);
  if (enough === true) return { matched: true, ...found, elapsedMs };
  const instead = await seenInstead(rpc, filter, after);
  // A filter that finds some messages says what it was meant to say.
  const meant = found.count > 0 ? undefined : (await rpc.call('filter.check', { filter })).meant;
  return { matched: false, ...found, elapsedMs, instead, ...withoutUndefined({ meant }) };
}

async function newestNumber({ rpc }: Watching): Promise<number> {
  const { items } = await rpc.call('messages.list', { limit: 1 });
  return items[0]?.number ?? 0;
}

/** One line about the messages that matched, with the newest of them. */
export function describeMatched({ count, elapsedMs, items: [newest] }: Waited): string {
  const head = `${counted(count, 'message')} matched after ${durationText(elapsedMs)}`;
  if (newest === undefined) return head;
  const { number, topic, messageId, deliveries } = newest;
  const states = [...new Set(deliveries.map(({ state }) => state))];
  const told = `message ${number} on ${topic} (${[...states, messageId].join(', ')})`;
  return printable(`${head}: ${count === 1 ? '' : 'the newest is '}${told}`);
}

/** Lines about the messages found instead. */
export function describeWaited(
  { filter, count, withinMs, since }: WaitFor,
  waited: Waited,
): readonly string[] {
  const wanted = `${counted(count, 'message')}${since === 'now' ? ' accepted from then on' : ''}`;
  const head = `after ${durationText(withinMs)} ${waited.count} of ${wanted} matched: ${filter}`;
  const { meant, instead } = waited;
  return [
    head,
    ...(meant === undefined ? [] : [`Did you mean: ${meant}`]),
    ...(instead === undefined ? [] : describeInstead(instead, true)),
  ];
}

/** Value of `nearest` in the JSON output. */
export function nearestOf({ nearest }: Instead): readonly {
  readonly messageId: string;
  readonly failed: readonly string[];
  readonly why: readonly RuleId[];
}[] {
  return nearest.map(({ message: { messageId }, failed, why }) => ({ messageId, failed, why }));
}
