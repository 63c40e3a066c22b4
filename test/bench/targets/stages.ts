/** Where the time of a message goes, from its publisher to the app's answer, and what the slowest of them waited for. */
import type { Page } from '../../../core/contract/console.ts';
import type { MessageRow } from '../../../core/contract/message.ts';
import type { Arrival } from '../messages.ts';
import type { RpcSocket } from '../rpc-socket.ts';
import { quantile } from '../stats.ts';

/** In the order in which a message passes them; a moment in a row is known to a millisecond. */
const STAGES = ['accept', 'queue', 'dispatch', 'answer'] as const;

/** Milliseconds in each stage: sent to accepted, to the start of the call, to the app having it, to its answer. */
export type Stages = Readonly<Record<(typeof STAGES)[number], number>>;

/** Upper ends of the columns of a histogram, in ms; the last column has the rest. */
const COLUMNS_MS = [1, 2, 5, 10, 20, 50, 100, 200] as const;
const PAGE = 500;
/** The slowest ones: one of a hundred. */
const TAIL = 0.99;

/** The stages of every message that the app noted and the history has with its answer. */
export function stagesOf(arrivals: readonly Arrival[], rows: readonly MessageRow[]): readonly Stages[] {
  const byEvent = new Map(rows.map((row) => [row.eventId, row]));
  return arrivals.flatMap(({ eventId, sentAt, arrivedAt }) => {
    const row = byEvent.get(eventId);
    const span = row?.deliveries[0]?.span;
    if (row === undefined || span === undefined) return [];
    const acceptedAt = Date.parse(row.at);
    return [
      {
        accept: acceptedAt - sentAt,
        queue: span.firstMs,
        dispatch: arrivedAt - acceptedAt - span.firstMs,
        answer: acceptedAt + span.endMs - arrivedAt,
      },
    ];
  });
}

/** Lines for a terminal: a histogram for each stage, and the stages of the messages that the app had last of all. */
export function stageLines(all: readonly Stages[]): readonly string[] {
  const head = [
    'stage'.padEnd(9),
    ...[...COLUMNS_MS.map((ms) => `<${ms}`), 'more'].map(cell),
    cell('p50'),
    cell('p99'),
  ];
  const age = ({ accept, queue, dispatch }: Stages): number => accept + queue + dispatch;
  const from = quantile(sorted(all.map(age)), TAIL);
  const tail = all.filter((one) => age(one) >= from);
  const mean = (stage: (typeof STAGES)[number]): string =>
    `${stage} ${(tail.reduce((sum, one) => sum + one[stage], 0) / tail.length).toFixed(1)}`;
  return [
    head.join(' '),
    ...STAGES.map((stage) => lineOf(stage, sorted(all.map((one) => one[stage])))),
    `means of the slowest ${tail.length} of ${all.length}, in ms: ${STAGES.map(mean).join(', ')}`,
  ];
}

/** Rows of the newest messages, as many as were noted. */
export async function newestRows(console: RpcSocket, count: number): Promise<readonly MessageRow[]> {
  const rows: MessageRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<MessageRow> = await console.call('messages.list', {
      order: 'newest',
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    rows.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < count);
  return rows;
}

function lineOf(stage: string, ms: readonly number[]): string {
  const counts = [0, ...COLUMNS_MS].map((from, column) => {
    const to = COLUMNS_MS[column] ?? Infinity;
    return ms.filter((one) => (column === 0 || one >= from) && one < to).length;
  });
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(ms, share).toFixed(1));
  return [stage.padEnd(9), ...counts.map(String).map(cell), cell(p50 ?? ''), cell(p99 ?? '')].join(' ');
}

function cell(text: string): string {
  return text.padStart(6);
}

function sorted(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((one, other) => one - other);
}
