/** Read and unread messages, and the position at which a person looked away. */
import type { StoreApi } from 'zustand/vanilla';
import { LEFT_OVER } from '../../core/contract/attention.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import type { Messages, MessagesState } from './messages-state.ts';
import { NO_SUBSCRIPTION } from '../copy/messages.ts';
import { createResource } from './resource.ts';

/** Shortest time between two requests for counts. */
const COUNT_EVERY_MS = 3000;

type Unread = Pick<
  Messages,
  'unread' | 'unsubscribed' | 'markLooked' | 'markAllRead' | 'markRead' | 'isUnread'
>;

/** No message of a recording is unread, because nothing in it is marked. */
export function createAllRead(rpc: RpcClient, store: StoreApi<MessagesState>): Unread {
  return { ...createUnread(rpc, store), isUnread: () => false, markRead: async () => undefined };
}

/** The part of a list that knows what is read. */
export function createUnread(rpc: RpcClient, store: StoreApi<MessagesState>): Unread {
  const unread = createResource(
    () => rpc.call('messages.list', { filter: 'is:unread', limit: 1 }),
    COUNT_EVERY_MS,
  );
  const unsubscribed = createResource(async () => {
    const { items: taps } = await rpc.call('taps.list', {});
    // Whether a message was observed is only in the message itself, so without taps a long history is not
    // searched for it.
    const filter = taps.length === 0 ? LEFT_OVER : NO_SUBSCRIPTION;
    return rpc.call('messages.list', { filter, limit: 1 });
  }, COUNT_EVERY_MS);
  return {
    unread,
    unsubscribed,
    markLooked: () => store.setState(({ newestNumber }) => ({ lookedAt: newestNumber })),
    async markAllRead() {
      const { newestNumber } = store.getState();
      await rpc.call('messages.markRead', {});
      unread.invalidate();
      store.setState(({ version }) => ({
        lookedAt: newestNumber,
        version: version + 1,
      }));
    },
    // The host's mark alone, by which the number beside Messages is counted too.
    isUnread: ({ unread: isUnread }) => isUnread === true,
    async markRead({ messageId }, read = true) {
      await rpc.call('messages.update', { messageId, read });
      unread.invalidate();
    },
  };
}
