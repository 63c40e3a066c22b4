/** Removes messages from the history, open ones included: running calls are cut, and their deliveries report nothing more. */
import { countedWithout } from '../../contract/attention.ts';
import type { HidingJournal } from '../persistence/hiding-journal.ts';
import type { Deliveries } from '../state/delivery.ts';
import { countedAs, liveWithout } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';

const SLICE = 500;

interface Removing {
  readonly deliveries: Deliveries;
  /** Hides what is removed until the disk has lost it too: a journal that refuses writes still has all of it. */
  readonly hiding: HidingJournal;
  /** True: listeners were notified when the messages were hidden, and the caller says that they are gone. */
  readonly areHidden: boolean;
}

/** @returns numbers of the removed messages; unknown ids are ignored */
export async function removeMessages(
  shared: SharedServices,
  messageIds: readonly string[],
  { deliveries, hiding, areHidden }: Removing,
): Promise<readonly number[]> {
  const journal = areHidden ? hiding.whole : hiding;
  const removed: number[] = [];
  for (let from = 0; from < messageIds.length; from += SLICE) {
    const slice = messageIds.slice(from, from + SLICE);
    const known: string[] = [];
    const numbers: number[] = [];
    for (const messageId of slice) {
      const live = shared.live.message(messageId);
      if (live !== undefined) deliveries.forget(live);
      const source = await journal.get(messageId);
      if (source === undefined) continue;
      known.push(messageId);
      // A live message is counted by its state in memory, because a journal that refuses writes may be behind.
      const { row } = live ?? source;
      numbers.push(row.number);
      const open = live?.deliveries ?? source.deliveries.map(({ delivery }) => delivery);
      const keptWithout = open.length === 0 ? countedWithout(row) : undefined;
      const without = live === undefined ? keptWithout : liveWithout(live);
      shared.metrics.goneMessage(row.pubsubname, row.topic, without);
      shared.metrics.staged(row.stage, undefined);
      for (const { appId, state, subscription } of open)
        if (state !== null) shared.metrics.gone(countedAs(row.topic, { appId, subscription }), state);
    }
    hiding.hide(numbers);
    const written = shared.writer.record([{ kind: 'message.removed', messageIds: known }]);
    void written.then(() => hiding.show(numbers));
    await shared.writer.orOwed(written);
    removed.push(...numbers);
    if (!areHidden) shared.signals.emit('removed', numbers);
  }
  if (removed.length > 0 && !areHidden)
    shared.events.add({ type: 'messages.pruned', beforeSequence: 0, count: removed.length });
  return removed;
}
