/** Removes messages from the history, open ones included: running calls are cut, and their deliveries report nothing more. */
import { countedWithout } from '../../contract/attention.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Deliveries } from '../state/delivery.ts';
import { countedAs, liveWithout } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';

const SLICE = 500;

/**
 * @param hiddenIn the journal that has hidden messages; listeners were notified when they were hidden, and the caller says that they are gone
 * @returns number of removed messages; unknown ids are ignored
 */
export async function removeMessages(
  shared: SharedServices,
  deliveries: Deliveries,
  messageIds: readonly string[],
  hiddenIn?: Journal,
): Promise<number> {
  const journal = hiddenIn ?? shared.journal;
  let removed = 0;
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
    await shared.writer.orOwed(shared.writer.record([{ kind: 'message.removed', messageIds: known }]));
    removed += known.length;
    if (hiddenIn === undefined) shared.signals.emit('removed', numbers);
  }
  if (removed > 0 && hiddenIn === undefined)
    shared.events.add({ type: 'messages.pruned', beforeSequence: 0, count: removed });
  return removed;
}
