/** Bulk subscriptions, bulk publishes and answers to batches. */
import { entriesOf, statuses } from './app.ts';
import type { Responding, Step } from './app-answer.ts';
import type { Context, Own, WireSubscription } from './case.ts';
import { accepted, dataIn, entriesIn, objectOf } from './checks.ts';
import type { Delivery } from './deliveries.ts';

/** Entries wait long enough for a whole bulk publish, and short enough for a batch that is never full. */
export const LIMITS = { maxMessagesCount: 3, maxAwaitDurationMs: 300 };
/** A bulk subscription of `topic()`. */
export const bulk = (own: Own): readonly WireSubscription[] => [own.bulk('t', LIMITS)];

/** One bulk publish; each entry's data is its id. */
export const publishAll = async (context: Context, data: readonly string[]): Promise<void> =>
  accepted(
    await context.sidecar.bulk(
      context.topic(),
      data.map((event) => ({ entryId: event, event, contentType: 'text/plain' })),
    ),
  );

/** Every delivery of the case's topic so far, as the data of its entries. */
export const batches = (context: Context, name?: string): readonly (readonly unknown[])[] =>
  context.seen(name).map(dataIn);

/** Waits until entries with all these data came, in whatever batches. */
export const untilCame = async (
  context: Context,
  times: number,
  name?: string,
): Promise<readonly Delivery[]> =>
  context.app.log.until(
    context.path(name),
    (seen) => seen.flatMap(dataIn).length >= times,
    `${times} entries`,
    context.patienceMs,
  );

/** Answers each entry by its data. */
export const byData =
  (word: (data: string) => string | undefined): Step =>
  (delivery) =>
    statuses(
      entriesIn(delivery).flatMap((entry) => {
        const status = word(String(objectOf(entry['event'])['data']));
        return status === undefined ? [] : [[String(entry['entryId']), status] as const];
      }),
    );

/** Every entry SUCCESS. */
export const success: Step = (delivery) => statuses((entriesOf(delivery) ?? []).map((id) => [id, 'SUCCESS']));
/** Whatever the app says is heard as SUCCESS for every entry. */
export const allSuccess = {
  name: 'every entry is heard as a success',
  answered: (_said: unknown, delivery: Delivery): Responding =>
    statuses((entriesOf(delivery) ?? []).map((id) => [id, 'SUCCESS'])),
};
