/** Opens another view of the list without losing what is being read. */
import type { Messages } from '../../state/messages-state.ts';

type Opens = Pick<Messages, 'open' | 'goTo' | 'eye'> & {
  readonly store: Pick<Messages['store'], 'getState'>;
  readonly rows: Pick<Messages['rows'], 'indexOf'>;
};

/**
 * Opens a view. What was in sight keeps its place; where it is not in the view, the row of the keyboard comes into sight, or else
 * the open message. Who follows the newest rows goes on following them.
 * @param opened the message whose detail is open
 */
export async function openKeepingPlace(
  messages: Opens,
  filter: string,
  groupBy: string,
  opened: string | undefined,
): Promise<void> {
  const before = messages.store.getState();
  const { eye } = messages;
  await messages.open(filter, groupBy);
  const { status, follow, groupBy: shown } = messages.store.getState();
  const messageId = before.current ?? opened;
  const isRead = !before.follow && !follow && before.status === 'ready' && status === 'ready';
  if (messageId === undefined || !isRead || shown !== '') return;
  if (eye !== undefined && messages.rows.indexOf(eye) !== undefined) return;
  // Where the message is not in the view, or the connection is gone, the list begins as it does.
  await messages.goTo({ messageId }).catch(() => undefined);
}
