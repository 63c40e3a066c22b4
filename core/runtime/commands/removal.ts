/** Removes messages from the history, open ones included: running calls are cut, and their deliveries report nothing more. */
import { countedWithout, endedEarly } from '../../contract/attention.ts';
import type { CountedWithout } from '../../contract/attention.ts';
import type { MessageRow } from '../../contract/message.ts';
import { NO_MESSAGES } from '../../ports/journal.ts';
import type { MessageDetailSource, TopicTotals } from '../../ports/journal.ts';
import type { HidingJournal } from '../persistence/hiding-journal.ts';
import type { Deliveries } from '../state/delivery.ts';
import { liveWithout } from '../state/live.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';

const SLICE = 500;

interface Removing {
  readonly deliveries: Deliveries;
  /** Hides what is removed until the disk has lost it too: a journal that refuses writes still has all of it. */
  readonly hiding: HidingJournal;
  /** True: listeners were notified when the messages were hidden, and the caller says that they are gone. */
  readonly areHidden: boolean;
}

/** What of a message tells what it counts as. */
interface Counted {
  readonly row: MessageRow;
  readonly deliveries: readonly Pick<LiveDelivery, 'appId' | 'state' | 'subscription'>[];
}

interface Taken {
  readonly messageId: string;
  readonly number: number;
}

/** @returns numbers of the removed messages; unknown ids are ignored, and messages that another removal takes */
export async function removeMessages(
  shared: SharedServices,
  messageIds: readonly string[],
  removing: Removing,
): Promise<readonly number[]> {
  const { areHidden } = removing;
  const removed: number[] = [];
  for (let from = 0; from < messageIds.length; from += SLICE) {
    const taken: Taken[] = [];
    try {
      for (const messageId of messageIds.slice(from, from + SLICE)) {
        const number = await take(shared, messageId, removing);
        if (number !== undefined) taken.push({ messageId, number });
      }
    } finally {
      // Also where one of them cannot be read: the others are gone from memory.
      await write(shared, taken, removing);
    }
    removed.push(...taken.map(({ number }) => number));
  }
  if (removed.length > 0 && !areHidden)
    shared.events.add({ type: 'messages.pruned', beforeSequence: 0, count: removed.length });
  return removed;
}

async function write(
  shared: SharedServices,
  taken: readonly Taken[],
  { hiding, areHidden }: Removing,
): Promise<void> {
  if (taken.length === 0) return;
  const numbers = taken.map(({ number }) => number);
  const messageIds = taken.map(({ messageId }) => messageId);
  const written = shared.writer.record([{ kind: 'message.removed', messageIds }]);
  void written.then(() => hiding.show(numbers));
  await shared.writer.orOwed(written);
  if (!areHidden) shared.signals.emit('removed', numbers);
}

/**
 * Stops what still happens with a message, hides it and stops counting it.
 * @returns its number; undefined: it is unknown, or another removal takes it
 */
async function take(
  shared: SharedServices,
  messageId: string,
  { deliveries, hiding, areHidden }: Removing,
): Promise<number | undefined> {
  // A live one is taken before anything is awaited, so that acts that wait for it find it gone.
  const source =
    shared.live.message(messageId) === undefined ? await readKept(shared, hiding, messageId) : undefined;
  const live = shared.live.message(messageId);
  const row = live?.row ?? source?.row;
  // One that can be restored is left alone by a removal at once, and one that retention has taken meanwhile is hidden no longer.
  if (row === undefined || hiding.isHidden(row.number) !== areHidden) return undefined;
  if (live !== undefined) deliveries.forget(live);
  // A live message is counted by its state in memory, because a journal that refuses writes may be behind.
  const counted = live === undefined ? keptTotals(source) : totalsOf(live, liveWithout(live));
  shared.metrics.pruned(counted);
  hiding.hideCounted(row.number, counted);
  return row.number;
}

/** A message that the history has: retention counts what it takes itself, so one that it took during the read is not to be counted again. */
async function readKept(
  { live: { historyRemoval } }: SharedServices,
  { whole }: HidingJournal,
  messageId: string,
): Promise<MessageDetailSource | undefined> {
  for (;;) {
    await historyRemoval.over();
    const { begun } = historyRemoval;
    const source = await whole.get(messageId);
    if (source === undefined || !historyRemoval.mayHaveTaken(begun)) return source;
  }
}

function keptTotals(source: MessageDetailSource | undefined): readonly TopicTotals[] {
  if (source === undefined) return [];
  const { row } = source;
  const deliveries = source.deliveries.map(({ delivery }) => delivery);
  return totalsOf({ row, deliveries }, deliveries.length === 0 ? countedWithout(row) : undefined);
}

/**
 * What a message and its deliveries count as.
 * @param without how it counts among those without a subscription
 */
function totalsOf({ row, deliveries }: Counted, without: CountedWithout | undefined): readonly TopicTotals[] {
  const { pubsubname, topic, stage } = row;
  const early = endedEarly(stage);
  const own: TopicTotals = {
    ...{ ...NO_MESSAGES, pubsubname, topic, messages: 1, deliveries: [] },
    ...(without === undefined ? {} : { [without]: 1 }),
    ...(early === undefined ? {} : { [early]: 1 }),
  };
  return [
    own,
    ...deliveries.flatMap(({ appId, state, subscription }) =>
      state === null
        ? []
        : {
            ...{ ...NO_MESSAGES, pubsubname: subscription.pubsubname, topic },
            deliveries: [{ appId, subscription: subscription.topic, state, count: 1 }],
          },
    ),
  ];
}
