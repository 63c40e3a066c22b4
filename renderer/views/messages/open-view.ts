/** Opens another view of the list and keeps the visible rows in place. */
import type { Messages } from '../../state/messages-state.ts';

type Opens = Pick<Messages, 'open' | 'goTo' | 'eye' | 'asked'> & {
  readonly store: Pick<Messages['store'], 'getState'>;
  readonly rows: Pick<Messages['rows'], 'indexOf'>;
};

/**
 * Whether the list shows a view, or is about to. The view that is shown does not count while another one is opening: a filter that is
 * cleared at once would stay.
 */
export function isOpenedAs(
  { store, asked }: Pick<Messages, 'asked'> & Pick<Opens, 'store'>,
  filter: string,
  groupBy: string,
): boolean {
  const { status, failure } = store.getState();
  return status === 'ready' && failure === undefined && asked.filter === filter && asked.groupBy === groupBy;
}

/**
 * Opens a view. A list that a person sorted stays sorted with another filter. A visible row keeps its position; if it is not in the view,
 * the keyboard row is shown, or else the open message. A list that follows the newest rows continues to follow.
 * @param opened id of the open message
 */
export async function openKeepingPlace(
  messages: Opens,
  filter: string,
  groupBy: string,
  opened: string | undefined,
): Promise<void> {
  const before = messages.store.getState();
  const { eye } = messages;
  // Groups have an order of their own.
  await messages.open(filter, groupBy, groupBy === '' ? messages.asked.sort : undefined);
  // Another view was asked for meanwhile, so the rows that are shown are not those of this one.
  if (messages.asked.filter !== filter || messages.asked.groupBy !== groupBy) return;
  const { status, follow, groupBy: shown } = messages.store.getState();
  const messageId = before.current ?? opened;
  const isRead = !before.follow && !follow && before.status === 'ready' && status === 'ready';
  if (messageId === undefined || !isRead || shown !== '') return;
  if (eye !== undefined && messages.rows.indexOf(eye) !== undefined) return;
  // The list starts at its default position if the message is not in the view, or the connection is lost.
  await messages.goTo({ messageId }).catch(() => undefined);
}
