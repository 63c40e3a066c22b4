/** What the commands on messages are about: the selection, else the open message, else the row of the keyboard. */
import type { MessageDetail, MessageRow } from '../../core/contract/message.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import type { ActSubject } from '../format/acts.ts';
import type { Console } from '../state/console.ts';

/** Value of the parameter `d` that stands for every delivery. */
export const ALL_DELIVERIES = 'all';

/** The row form of a whole message. */
export function rowOfDetail(detail: MessageDetail): MessageRow {
  const {
    envelope: _envelope,
    data: _data,
    dataBase64: _bytes,
    wire: _wire,
    metadata: _metadata,
    ...row
  } = detail;
  return {
    ...row,
    deliveries: detail.deliveries.map((delivery) => ({
      deliveryId: delivery.deliveryId,
      appId: delivery.appId,
      state: delivery.state,
      attempts: delivery.attempts.length,
      route: delivery.route.path,
      ...withoutUndefined({ nextAttemptAt: delivery.nextAttemptAt, waitsFor: delivery.waitsFor }),
      ...(delivery.heldAt === 'response' ? { heldAt: delivery.heldAt } : {}),
    })),
  };
}

/** The row of a message, from the list's window or from the open message. */
export function findRow(console: Console, messageId: string): MessageRow | undefined {
  const row = console.messages.rows.rowOf(messageId);
  if (row !== undefined) return row;
  const { value } = console.detail.store.getState();
  return value?.messageId === messageId ? rowOfDetail(value) : undefined;
}

/** Everything that an act would be done to now; empty when nothing is chosen. */
export function subjectsNow(console: Console): readonly ActSubject[] {
  const { selected, current } = console.messages.store.getState();
  if (selected.size > 0) {
    return [...selected].flatMap((messageId) => {
      const row = findRow(console, messageId);
      return row === undefined ? [] : [{ row }];
    });
  }
  const open = console.navigation.param('m');
  const messageId = open ?? current;
  if (messageId === undefined) return [];
  const row = findRow(console, messageId);
  if (row === undefined) return [];
  const deliveryId = open === messageId ? console.navigation.param('d') : undefined;
  return deliveryId === undefined || deliveryId === ALL_DELIVERIES ? [{ row }] : [{ row, deliveryId }];
}

/** The one message that a command for one message is about. */
export function subjectNow(console: Console): ActSubject | undefined {
  return subjectsNow(console)[0];
}

/** What an act on many is about, as methods take it. */
export type What = { readonly messageIds: readonly string[] } | { readonly filter: string };

/** What commands on many are about: everything that matches, or the rows that are chosen. */
export function whatNow(console: Console): What | undefined {
  const { selected, allSelected, filter, total } = console.messages.store.getState();
  if (allSelected && selected.size < total) return { filter };
  const messageIds = selected.size > 0 ? [...selected] : subjectsNow(console).map(({ row }) => row.messageId);
  return messageIds.length === 0 ? undefined : { messageIds };
}
