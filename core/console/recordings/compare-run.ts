/** Compares two histories: which messages of one are in the other, and how they differ. */
import { createHash } from 'node:crypto';
import type {
  Compared,
  CompareParams,
  CompareResult,
  Difference,
  JoinedBy,
} from '../../contract/recording.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { Codec } from '../../domain/codec.ts';
import { Refusal } from '../../domain/refusal.ts';
import { comparableData, differencesOf } from '../../domain/recording/differences.ts';
import type { Comparing } from '../../domain/recording/differences.ts';
import { joinMessages } from '../../domain/recording/match-messages.ts';
import type { JoinKeys } from '../../domain/recording/match-messages.ts';
import { noteApps, sameApps } from '../../domain/recording/same-apps.ts';
import type { SubscriptionsOfApps } from '../../domain/recording/same-apps.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import { yieldToOthers } from '../stream/yield-to-others.ts';
import { choose } from './chosen-messages.ts';

/** Maximum number of messages of each side: each is read twice, and a person could not look through more. */
const MAX_COMPARED = 5000;
/** Number of pairs whose bodies are in memory together. */
const AT_ONCE = 16;
const BYTES_AT_ONCE = 1024 * 1024;
const LIMIT = 100;

export interface CompareDependencies {
  readonly before: Journal;
  readonly after: Journal;
  readonly codec: Codec;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Rules to compare a pair. */
type Judging = CompareDependencies & Comparing;

/** Facts about a message that are kept while its partner on the other side is searched. */
interface Seen extends JoinKeys {
  readonly number: number;
  readonly sizeBytes: number;
}

/** Facts of one side that are needed to match the two. */
interface SeenSide {
  readonly messages: readonly Seen[];
  readonly apps: SubscriptionsOfApps;
}

interface Line {
  readonly is: Compared;
  readonly before?: Seen | undefined;
  readonly after?: Seen | undefined;
  readonly joinedBy?: JoinedBy | undefined;
  readonly differences: readonly Difference[];
}

/** Compares two recordings. Throws Refusal TOO_LARGE, INVALID_PARAMS for a cursor, and the refusals of `choose`. */
export async function compareRecordings(
  { filter, show, cursor, limit = LIMIT, matchApps = true }: Omit<CompareParams, 'before' | 'after'>,
  deps: CompareDependencies,
): Promise<CompareResult> {
  const from = startOf(cursor);
  const before = await seenIn(deps.before, filter, deps);
  const after = await seenIn(deps.after, filter, deps);
  const apps: ReadonlyMap<string, string> = matchApps ? sameApps(before.apps, after.apps) : new Map();
  const lines = await linesOf(before.messages, after.messages, { ...deps, apps });
  const counts: Record<Compared, number> = { same: 0, changed: 0, 'only-before': 0, 'only-after': 0 };
  for (const { is } of lines) counts[is] += 1;
  const wanted = show === undefined ? lines : lines.filter(({ is }) => show.includes(is));
  const page = wanted.slice(from, from + limit);
  return {
    counts,
    apps: [...apps].map(([one, other]) => ({ before: one, after: other })),
    items: await withRows(page, deps),
    nextCursor: from + limit < wanted.length ? String(from + limit) : null,
  };
}

/** Reads the cursor: the number of lines before the page. */
function startOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,6}$/.test(cursor)) return Number(cursor);
  const expected = 'nextCursor of the page before';
  throw new Refusal(
    'INVALID_PARAMS',
    { reason: `cursor must be ${expected}` },
    { field: 'cursor', expected },
  );
}

async function seenIn(
  journal: Journal,
  filter: string | undefined,
  { codec, clock, signal }: CompareDependencies,
): Promise<SeenSide> {
  const { count, groups } = await choose(filter === undefined ? {} : { filter }, { journal, clock }, signal);
  if (count > MAX_COMPARED) {
    const reason = `At most ${MAX_COMPARED} messages of each side can be compared, and one side has ${count}. Use a filter to compare fewer.`;
    throw new Refusal('TOO_LARGE', { reason }, { expected: `at most ${MAX_COMPARED} messages` });
  }
  const messages: Seen[] = [];
  const apps = new Map<string, Set<string>>();
  for await (const group of groups) {
    signal.throwIfAborted();
    for (const source of group) {
      const { number, sizeBytes, pubsubname, topic, eventType, subject, eventId } = source.row;
      const data = createHash('sha256').update(comparableData(source, codec)).digest('base64');
      messages.push({ number, sizeBytes, pubsubname, topic, eventType, subject, eventId, data });
      noteApps(apps, source);
    }
    await yieldToOthers();
  }
  return { messages, apps };
}

async function linesOf(
  before: readonly Seen[],
  after: readonly Seen[],
  deps: Judging,
): Promise<readonly Line[]> {
  const joined = joinMessages(before, after).map(({ joinedBy, ...at }) => ({
    before: at.before === undefined ? undefined : before[at.before],
    after: at.after === undefined ? undefined : after[at.after],
    joinedBy,
  }));
  const lines: Line[] = [];
  for (const group of inGroups(joined)) {
    deps.signal.throwIfAborted();
    lines.push(...(await compared(group, deps)));
    await yieldToOthers();
  }
  return lines;
}

type Pair = Omit<Line, 'is' | 'differences'>;

async function compared(group: readonly Pair[], deps: Judging): Promise<readonly Line[]> {
  const pairs = group.filter(({ before, after }) => before !== undefined && after !== undefined);
  const [ones, others] = await Promise.all([
    deps.before.details(pairs.map(({ before }) => before?.number ?? 0)),
    deps.after.details(pairs.map(({ after }) => after?.number ?? 0)),
  ]);
  return group.map((pair): Line => {
    const at = pairs.indexOf(pair);
    if (at === -1)
      return { ...pair, is: pair.before === undefined ? 'only-after' : 'only-before', differences: [] };
    const [one, other] = [ones[at], others[at]];
    // A message that was removed after the join is listed as missing on its side.
    if (one === undefined || other === undefined) {
      const [is, gone] =
        one === undefined ? (['only-after', 'before'] as const) : (['only-before', 'after'] as const);
      return { ...pair, is, [gone]: undefined, joinedBy: undefined, differences: [] };
    }
    const differences = differencesOf(one, other, deps);
    return { ...pair, is: differences.length === 0 ? 'same' : 'changed', differences };
  });
}

function* inGroups(pairs: readonly Pair[]): Generator<readonly Pair[]> {
  let group: Pair[] = [];
  let bytes = 0;
  for (const pair of pairs) {
    const more = (pair.before?.sizeBytes ?? 0) + (pair.after?.sizeBytes ?? 0);
    if (group.length === AT_ONCE || (group.length > 0 && bytes + more > BYTES_AT_ONCE)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(pair);
    bytes += more;
  }
  if (group.length > 0) yield group;
}

/** Lines with their rows; a message removed since keeps its line, without a row. */
async function withRows(
  lines: readonly Line[],
  { before, after }: CompareDependencies,
): Promise<CompareResult['items']> {
  const rowsOf = async (journal: Journal, side: 'before' | 'after') => {
    const numbers = lines.flatMap((line) => line[side]?.number ?? []);
    const rows = await journal.rows(numbers);
    return new Map(numbers.map((number, at) => [number, rows[at]]));
  };
  const [ones, others] = [await rowsOf(before, 'before'), await rowsOf(after, 'after')];
  return lines.map(({ is, joinedBy, differences, ...line }) => {
    const one = line.before && ones.get(line.before.number);
    const other = line.after && others.get(line.after.number);
    return {
      is,
      ...withoutUndefined({ joinedBy, before: one, after: other }),
      differences,
    };
  });
}
