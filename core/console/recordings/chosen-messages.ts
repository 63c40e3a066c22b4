/** The messages of a choice, oldest first: named ones, those of a filter, or all present ones. */
import type { MessageRow } from '../../contract/message.ts';
import type { RecordingChoice } from '../../contract/recording.ts';
import { noMessage } from '../../domain/no-message.ts';
import { Refusal } from '../../domain/refusal.ts';
import { checkUpTo } from '../../domain/up-to.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal, MessageDetailSource } from '../../ports/journal.ts';
import { countUpTo } from '../up-to.ts';
import { readFilter } from '../views/filter.ts';

/** Maximum number of messages and of bytes of one group, so that sending a group between threads never takes long. */
const AT_ONCE = 16;
const GROUP_BYTES = 1024 * 1024;
const SLICE = 4000;

export interface Chosen {
  readonly count: number;
  /** All messages in groups; those of one group are in memory together. */
  readonly groups: AsyncIterable<readonly MessageDetailSource[]>;
}

/** The messages of a choice, one after the other. */
export async function* oneByOne({ groups }: Pick<Chosen, 'groups'>): AsyncGenerator<MessageDetailSource> {
  for await (const group of groups) yield* group;
}

/** Reads a choice. Throws Refusal FILTER_SYNTAX, INVALID_PARAMS for ids together with a filter or a bound, NOT_FOUND for an unknown id. */
export async function choose(
  { filter, messageIds, upTo }: RecordingChoice,
  { journal, clock }: { readonly journal: Journal; readonly clock: Clock },
  signal: AbortSignal,
): Promise<Chosen> {
  if (messageIds !== undefined) {
    if (filter !== undefined) {
      const expected = 'at most one of messageIds and filter';
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: `Expected ${expected}, got both` },
        { field: 'filter', expected },
      );
    }
    checkUpTo({ filter, upTo });
    const numbers = await numbersOf(journal, messageIds);
    return { count: numbers.length, groups: groupsOf(journal, [numbers]) };
  }
  const parsed = readFilter(filter ?? '');
  const nowMs = clock.now();
  const before = await journal.stats();
  const query = { filter: parsed, nowMs, signal };
  const total = parsed.isEmpty
    ? before.messages
    : (await journal.page({ ...query, order: 'newest', limit: 1 })).total;
  const last = Math.min(upTo ?? before.lastNumber, before.lastNumber);
  const count = await countUpTo(journal, query, { upTo: last, before, total });
  async function* slices(): AsyncGenerator<readonly number[]> {
    let after: number | undefined = 0;
    while (after !== undefined) {
      const slice: { readonly numbers: readonly number[]; readonly next?: number } = await journal.scan({
        order: 'oldest',
        limit: SLICE,
        nowMs,
        after,
        ...(parsed.isEmpty ? {} : { filter: parsed }),
      });
      const wanted = slice.numbers.filter((number) => number <= last);
      yield wanted;
      // Messages accepted after the start are not part of the choice.
      if (wanted.length < slice.numbers.length) return;
      after = slice.next;
    }
  }
  return { count, groups: groupsOf(journal, slices()) };
}

async function numbersOf(journal: Journal, messageIds: readonly string[]): Promise<number[]> {
  const numbers = new Set<number>();
  for (const messageId of messageIds) {
    const found = await journal.get(messageId);
    if (found === undefined) throw noMessage(messageId, 'messageIds');
    numbers.add(found.row.number);
  }
  return [...numbers].toSorted((a, b) => a - b);
}

/** Groups of messages, without those removed meanwhile. */
async function* groupsOf(
  journal: Journal,
  slices: Iterable<readonly number[]> | AsyncIterable<readonly number[]>,
): AsyncGenerator<readonly MessageDetailSource[]> {
  for await (const numbers of slices) {
    for (let at = 0; at < numbers.length; at += AT_ONCE) {
      const rows = await journal.rows(numbers.slice(at, at + AT_ONCE));
      for (const group of withinBytes(rows.filter((row) => row !== undefined))) {
        const found = await journal.details(group.map(({ number }) => number));
        yield found.filter((detail) => detail !== undefined);
      }
    }
  }
}

/** Rows in groups of at most `GROUP_BYTES` of bodies, or of one message. */
function withinBytes(rows: readonly MessageRow[]): readonly (readonly MessageRow[])[] {
  const groups: MessageRow[][] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += row.sizeBytes;
    const last = groups.at(-1);
    if (last !== undefined && bytes <= GROUP_BYTES) last.push(row);
    else {
      groups.push([row]);
      bytes = row.sizeBytes;
    }
  }
  return groups;
}
