/** Journal records for tests: give what a test is about, the rest is there already. */
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { Attempt, MessageRow, Transition } from '../../core/contract/message.ts';
import type { Wire } from '../../core/domain/codec.ts';
import type { Filter } from '../../core/domain/filter/ast.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import type { Journal, JournalRecord, MessagePatch, StoredDelivery } from '../../core/ports/journal.ts';

/** One minute after message 1; message n is accepted n - 1 ms after message 1. */
export const NOW_MS = Date.parse('2026-03-01T10:01:00.000Z');
const FIRST_MS = Date.parse('2026-03-01T10:00:00.000Z');

/** Gives the journal of the running test. */
export type Current = () => Journal;

export interface AcceptedMore {
  readonly row?: Partial<MessageRow>;
  readonly data?: unknown;
  /** Instead of an envelope around `data`. */
  readonly wire?: Wire;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly releasedFrom?: readonly string[];
}

export function messageRow(number: number, more: Partial<MessageRow> = {}): MessageRow {
  return {
    messageId: `msg_${number}`,
    number,
    at: new Date(FIRST_MS + number - 1).toISOString(),
    pubsubname: 'pubsub',
    topic: 'orders',
    appId: 'shop',
    source: 'http',
    contentType: 'application/json',
    sizeBytes: 100,
    raw: false,
    deliveries: [],
    ...more,
  };
}

export function accepted(number: number, more: AcceptedMore = {}): JournalRecord {
  return {
    kind: 'message.accepted',
    message: {
      row: messageRow(number, more.row),
      wire:
        more.wire ?? JSON.stringify({ specversion: '1.0', source: 'shop-web', data: more.data ?? number }),
      metadata: more.metadata ?? {},
      givenContentType: 'application/json',
      ...(more.releasedFrom === undefined ? {} : { releasedFrom: more.releasedFrom }),
    },
  };
}

export function published(number: number): JournalRecord {
  return { kind: 'message.published', messageId: `msg_${number}` };
}

export function changed(number: number, patch: MessagePatch): JournalRecord {
  return { kind: 'message.changed', messageId: `msg_${number}`, patch };
}

export function removed(...numbers: number[]): JournalRecord {
  return { kind: 'message.removed', messageIds: numbers.map((number) => `msg_${number}`) };
}

export interface DeliveryMore {
  /** Number of the delivery of the message; default 1. */
  readonly nth?: number;
  readonly delivery?: Partial<StoredDelivery>;
  readonly transition?: Partial<Transition>;
  readonly attempt?: Partial<Attempt>;
}

/** The delivery `dlv_<number>_<nth>` of message `number` in a state. */
export function delivered(number: number, state: DeliveryState, more: DeliveryMore = {}): JournalRecord {
  return {
    kind: 'delivery',
    delivery: {
      deliveryId: `dlv_${number}_${more.nth ?? 1}`,
      messageId: `msg_${number}`,
      appId: 'mail',
      subscription: { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' },
      route: { path: '/orders' },
      state,
      maxAttempts: 10,
      attemptCount: 0,
      roundStart: 0,
      ...more.delivery,
    },
    ...(more.transition === undefined ? {} : { transition: transition(state, more.transition) }),
    ...(more.attempt === undefined ? {} : { attempt: attempt(more.attempt) }),
  };
}

/** A message that came in, was published and processed. */
export function finished(number: number, more: AcceptedMore = {}): JournalRecord[] {
  return [accepted(number, more), published(number), delivered(number, 'processed')];
}

export function transition(to: DeliveryState, more: Partial<Transition> = {}): Transition {
  return {
    from: null,
    to,
    at: '2026-03-01T10:00:00.000Z',
    sequence: 1,
    cause: 'policy',
    rule: 'policy.accepted',
    ...more,
  };
}

export function attempt(more: Partial<Attempt> = {}): Attempt {
  return {
    attemptId: 'att_1',
    number: 1,
    startedAt: '2026-03-01T10:00:00.000Z',
    request: { method: 'POST', url: 'http://127.0.0.1:6001/orders', headers: {}, body: '{}' },
    ...more,
  };
}

export function filterOf(text: string): Filter {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error.message}`);
  return parsed.filter;
}

/** Appends one group for each message. */
export async function fill(
  journal: Journal,
  from: number,
  to: number,
  more: AcceptedMore = {},
): Promise<void> {
  for (let number = from; number <= to; number++) await journal.append(finished(number, more));
}

export async function pageNumbers(
  journal: Journal,
  query: { filter?: string; order?: 'newest' | 'oldest'; cursor?: string; limit?: number } = {},
): Promise<{ numbers: number[]; nextCursor: string | null; total: number }> {
  const { items, nextCursor, total } = await journal.page({
    order: query.order ?? 'newest',
    limit: query.limit ?? 100,
    nowMs: NOW_MS,
    ...(query.filter === undefined ? {} : { filter: filterOf(query.filter) }),
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
  });
  return { numbers: items.map(({ number }) => number), nextCursor, total };
}

/** Every number there is, page by page. */
export async function allPages(
  journal: Journal,
  query: { filter?: string; order?: 'newest' | 'oldest'; limit: number },
): Promise<number[]> {
  const numbers: number[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await pageNumbers(journal, { ...query, ...(cursor === undefined ? {} : { cursor }) });
    numbers.push(...page.numbers);
    cursor = page.nextCursor;
  }
  return numbers;
}

/** Every match of a scan, slice by slice. */
export async function wholeScan(
  journal: Journal,
  query: { filter?: string; order: 'newest' | 'oldest'; limit: number },
): Promise<number[]> {
  const numbers: number[] = [];
  let after: number | undefined;
  do {
    const slice = await journal.scan({
      order: query.order,
      limit: query.limit,
      nowMs: NOW_MS,
      ...(query.filter === undefined ? {} : { filter: filterOf(query.filter) }),
      ...(after === undefined ? {} : { after }),
    });
    numbers.push(...slice.numbers);
    after = slice.next;
  } while (after !== undefined);
  return numbers;
}

export async function unfinishedNumbers(journal: Journal): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { message } of journal.unfinished()) numbers.push(message.row.number);
  return numbers;
}

/** From high to low, or the other way round. */
export function count(from: number, to: number): number[] {
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + index * step);
}
