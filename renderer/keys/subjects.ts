/** Subjects of the commands on messages: the selection, else the open message, else the keyboard row. */
import type { MessageDetail, MessageRow } from '../../core/contract/message.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import { ACT_WHY, SELECTION } from '../copy/acts.ts';
import type { ActSubject } from '../format/act-targets.ts';
import type { Console } from '../state/console.ts';
import type { What } from '../state/messages-state.ts';
import { everythingOf, selectedCount } from '../state/selection.ts';

/** Value of the parameter `d` that means every delivery. */
export const ALL_DELIVERIES = 'all';

/** The row of a whole message. */
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
      ...withoutUndefined({
        nextAttemptAt: delivery.nextAttemptAt,
        waitsFor: delivery.waitsFor,
        rule: delivery.transitions.at(-1)?.rule,
      }),
      ...(delivery.heldAt === 'response' ? { heldAt: delivery.heldAt } : {}),
    })),
  };
}

/** The row of a message, from the loaded rows or from the open message. */
function findRow(console: Console, messageId: string): MessageRow | undefined {
  const row = console.messages.rows.rowOf(messageId);
  if (row !== undefined) return row;
  const { value } = console.detail.store.getState();
  return value?.messageId === messageId ? rowOfDetail(value) : undefined;
}

/**
 * All subjects of an act now; empty if there are none.
 * @param read rows of selected messages that are not loaded
 */
export function subjectsNow(console: Console, read?: ReadonlyMap<string, MessageRow>): readonly ActSubject[] {
  const { selected, allSelected, isSelecting } = console.messages.store.getState();
  // What is selected is not known yet, and the keyboard row alone is not meant.
  if (isSelecting) return [];
  if (selected.size === 0 && !allSelected) return openOrCurrent(console);
  return [...selected].flatMap((messageId) => {
    const row = findRow(console, messageId) ?? read?.get(messageId);
    return row === undefined ? [] : [{ row }];
  });
}

/** The open message, else the keyboard row. */
function openOrCurrent(console: Console): readonly ActSubject[] {
  const { current } = console.messages.store.getState();
  const open = console.navigation.param('m');
  const messageId = open ?? current;
  if (messageId === undefined) return [];
  const row = findRow(console, messageId);
  if (row === undefined) return [];
  const deliveryId = open === messageId ? console.navigation.param('d') : undefined;
  return deliveryId === undefined || deliveryId === ALL_DELIVERIES ? [{ row }] : [{ row, deliveryId }];
}

/** The first subject of an act now. */
export function subjectNow(console: Console): ActSubject | undefined {
  return subjectsNow(console)[0];
}

/** The message of a command that takes one alone, such as editing: the open one, as for its button, also while others are selected. */
export function singleNow(console: Console): ActSubject | undefined {
  const isOpen = console.navigation.param('m') !== undefined;
  return isOpen ? openOrCurrent(console)[0] : subjectNow(console);
}

/** A selection of everything that matched; undefined: the id of every selected message is known. */
export function everythingNow(console: Console): Extract<What, { readonly filter: string }> | undefined {
  const state = console.messages.store.getState();
  return state.allSelected && !state.isSelecting && !state.upTo.isFixed ? everythingOf(state) : undefined;
}

/**
 * Ids from a selection of everything whose rows are not loaded: only a row tells the deliveries, and another connection begins without most
 * rows. The filter would reach messages that match since then, and miss those that do no more.
 */
export function unreadNow(console: Console): readonly string[] {
  const { selected, allSelected, isSelecting, upTo } = console.messages.store.getState();
  if (!allSelected || isSelecting || !upTo.isFixed) return [];
  return [...selected].filter((messageId) => findRow(console, messageId) === undefined);
}

/** Subjects of commands on many: everything that matched, or the selected rows. */
export function whatNow(console: Console): What | undefined {
  const { selected, isSelecting } = console.messages.store.getState();
  const everything = everythingNow(console);
  if (everything !== undefined) return everything;
  const messageIds =
    selected.size > 0 && !isSelecting ? [...selected] : subjectsNow(console).map(({ row }) => row.messageId);
  return messageIds.length === 0 ? undefined : { messageIds };
}

/** Why there is nothing to act on: no message, or an open one or a selection that the host has not told yet or that is not loaded. */
export function whyNoSubject({
  messages,
  navigation,
  detail,
}: Pick<Console, 'messages' | 'navigation' | 'detail'>): string {
  const state = messages.store.getState();
  if (state.isSelecting) return ACT_WHY.selecting;
  if (selectedCount(state) > 0) return SELECTION.notLoaded;
  const isOpening = navigation.param('m') !== undefined && detail.store.getState().failure === undefined;
  return isOpening ? ACT_WHY.loading : ACT_WHY.noMessage;
}
