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
/** Number of conditions up to which the whole history is searched for messages that fail one of them alone. */
const MAX_CONDITIONS = 8;
/** Number of messages that are looked at for each of these. */
const ALMOST = 20;
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

type Search = (filter: string, limit: number) => Promise<readonly MessageRow[]>;

/** A message with the conditions that it fails. */
interface Near {
  readonly row: MessageRow;
  readonly failed: readonly string[];
}

/**
 * Searches the newest messages, and the whole history for those that fail one condition alone.
 * @param filter a valid filter
 * @param after number of a message: only later ones count
 */
export async function seenInstead(rpc: Rpc, filter: string, after: number): Promise<Instead> {
  const later: Search = async (condition, limit) => {
    const { items } = await rpc.call('messages.list', { filter: condition, limit });
    return items.filter(({ number }) => number > after);
  };
  const seen = await later('', LOOKED_AT);
  const conditions = conditionsOf(filter);
  const near = [...(await amongNewest(seen, conditions, later)), ...(await almostRight(conditions, later))];
  const nearest: Miss[] = [];
  const told = new Set<string>();
  for (const { row, failed } of near.toSorted(byNearness)) {
    if (nearest.length === TOLD) break;
    const kind = kindOf(row, failed);
    if (told.has(row.messageId) || told.has(kind)) continue;
    const message = await detailOf(rpc, row.messageId);
    if (message === undefined) continue;
    told.add(row.messageId).add(kind);
    nearest.push({ message, failed, why: rulesOf(message) });
  }
  return { seen, nearest };
}

function byNearness(one: Near, other: Near): number {
  return one.failed.length - other.failed.length || other.row.number - one.row.number;
}

/** The newest messages that pass some of the conditions, or fail the only one. */
async function amongNewest(
  seen: readonly MessageRow[],
  conditions: readonly string[],
  later: Search,
): Promise<readonly Near[]> {
  const misses = new Map<string, string[]>(seen.map(({ messageId }) => [messageId, []]));
  for (const condition of conditions) {
    const passing = new Set((await later(condition, LOOKED_AT)).map(({ messageId }) => messageId));
    for (const [messageId, failed] of misses) if (!passing.has(messageId)) failed.push(condition);
  }
  return seen
    .map((row) => ({ row, failed: misses.get(row.messageId) ?? [] }))
    .filter(
      ({ failed: { length } }) => length > 0 && (length < conditions.length || conditions.length === 1),
    );
}

/** Messages of the whole history that fail exactly one of several conditions. */
async function almostRight(conditions: readonly string[], later: Search): Promise<readonly Near[]> {
  if (conditions.length < 2 || conditions.length > MAX_CONDITIONS) return [];
  const near: Near[] = [];
  for (const condition of conditions) {
    const others = conditions.filter((each) => each !== condition);
    const rows = await later([...others, `NOT (${condition})`].join(' '), ALMOST);
    near.push(...rows.map((row) => ({ row, failed: [condition] })));
  }
  return near;
}

/** Messages of one kind have the same story: topic, failed conditions, and how each delivery stands after how many attempts. */
function kindOf(row: MessageRow, failed: readonly string[]): string {
  const deliveries = row.deliveries.map(({ appId, state, attempts }) => [appId, state, attempts]);
  return JSON.stringify([row.pubsubname, row.topic, failed, deliveries]);
}

/** The parts of a conjunction; any other filter is one condition. */
function conditionsOf(filter: string): readonly string[] {
  const parsed = parseFilter(filter);
  if (!parsed.ok || parsed.filter.isEmpty) return [];
  const { root } = parsed.filter;
  const nodes = root.kind === 'and' ? root.nodes : [root];
  return nodes.map((node) => {
    const text = printFilter({ isEmpty: false, root: node });
    return node.kind === 'or' ? `(${text})` : text;
  });
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
export function describeInstead({ seen, nearest }: Instead, withIds = false): readonly string[] {
  const near = nearest.flatMap(({ message, failed }) => [
    `nearest, but not ${failed.join(' ')}${withIds ? ` (${message.messageId})` : ''}:`,
    ...storyOf(message).map((line) => `  ${line}`),
  ]);
  // A full page is not the whole history, so its number must not read as a total.
  const which = seen.length === LOOKED_AT ? 'the newest ' : '';
  return [`seen: ${which}${seenOf(seen)}`, ...near];
}
