/**
 * Finds messages that nearly match a filter: the conditions that each one fails, and the rules that led to
 * its state.
 */
import type { RuleId } from '../contract/delivery.ts';
import type { Delivery, MessageDetail, MessageRow } from '../contract/message.ts';
import { parseFilter } from '../domain/filter/parse.ts';
import { printFilter } from '../domain/filter/print.ts';
import { RpcRefused } from './rpc.ts';
import type { Rpc } from './rpc.ts';
import { seenOf, storyOf } from './story.ts';

/** Number of the newest messages that are compared with the filter. */
const LOOKED_AT = 200;
/** Maximum number of near messages in a report. */
const TOLD = 3;

export interface Miss {
  readonly message: MessageDetail;
  /** Failed conditions in the filter language. */
  readonly failed: readonly string[];
  readonly why: readonly RuleId[];
}

/** Messages that were found instead of the awaited ones. */
export interface Instead {
  /** The newest messages, at most 200. */
  readonly seen: readonly MessageRow[];
  /** Messages that fail the fewest conditions, the newest first, one of each kind. */
  readonly nearest: readonly Miss[];
}

/**
 * Searches the newest messages.
 * @param filter a valid filter
 * @param after number of a message: only later ones count
 */
export async function seenInstead(rpc: Rpc, filter: string, after: number): Promise<Instead> {
  const later = async (condition: string): Promise<readonly MessageRow[]> => {
    const { items } = await rpc.call('messages.list', { filter: condition, limit: LOOKED_AT });
    return items.filter(({ number }) => number > after);
  };
  const seen = await later('');
  const failed = new Map<string, string[]>(seen.map(({ messageId }) => [messageId, []]));
  const conditions = conditionsOf(filter);
  for (const condition of conditions) {
    const passing = new Set((await later(condition)).map(({ messageId }) => messageId));
    for (const [messageId, misses] of failed) if (!passing.has(messageId)) misses.push(condition);
  }
  const isNear = (misses: readonly string[]): boolean =>
    misses.length > 0 && (misses.length < conditions.length || conditions.length === 1);
  const near = [...failed]
    .filter(([, misses]) => isNear(misses))
    .toSorted(([, one], [, other]) => one.length - other.length);
  const nearest: Miss[] = [];
  const rows = new Map(seen.map((row) => [row.messageId, row]));
  const kinds = new Set<string>();
  for (const [messageId, misses] of near) {
    if (nearest.length === TOLD) break;
    const kind = kindOf(rows.get(messageId), misses);
    if (kinds.has(kind)) continue;
    const message = await detailOf(rpc, messageId);
    if (message === undefined) continue;
    kinds.add(kind);
    nearest.push({ message, failed: misses, why: rulesOf(message) });
  }
  return { seen, nearest };
}

/** Messages of one kind have the same story: topic, failed conditions, and how each delivery stands after how many attempts. */
function kindOf(row: MessageRow | undefined, failed: readonly string[]): string {
  const deliveries = (row?.deliveries ?? []).map(({ appId, state, attempts }) => [appId, state, attempts]);
  return JSON.stringify([row?.pubsubname, row?.topic, failed, deliveries]);
}

/** The parts of a conjunction; any other filter is one condition. */
function conditionsOf(filter: string): readonly string[] {
  const parsed = parseFilter(filter);
  if (!parsed.ok || parsed.filter.isEmpty) return [];
  const { root } = parsed.filter;
  const nodes = root.kind === 'and' ? root.nodes : [root];
  return nodes.map((node) => printFilter({ isEmpty: false, root: node }));
}

/** A message for its story, without its payload, which may have any size. */
export function toldMessage(rpc: Rpc, messageId: string): Promise<MessageDetail> {
  return rpc.call('messages.get', { messageId, payloadUpTo: 0 });
}

/** The message; undefined: it was removed meanwhile. */
async function detailOf(rpc: Rpc, messageId: string): Promise<MessageDetail | undefined> {
  try {
    return await toldMessage(rpc, messageId);
  } catch (error) {
    if (error instanceof RpcRefused && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** The rule of each delivery's last step, without rules that only began an attempt. */
function rulesOf({ deliveries }: MessageDetail): readonly RuleId[] {
  return [...new Set(deliveries.flatMap(lastRule))];
}

function lastRule({ transitions }: Delivery): readonly RuleId[] {
  const last = transitions.findLast(({ to }) => to !== 'attempting');
  return last === undefined ? [] : [last.rule];
}

/** The found messages in words, with the story of each near one. */
export function describeInstead({ seen, nearest }: Instead): readonly string[] {
  const near = nearest.flatMap(({ message, failed }) => [
    `nearest, but not ${failed.join(' ')}:`,
    ...storyOf(message).map((line) => `  ${line}`),
  ]);
  // A full page is not the whole history, so its number must not read as a total.
  const which = seen.length === LOOKED_AT ? 'the newest ' : '';
  return [`seen: ${which}${seenOf(seen)}`, ...near];
}
