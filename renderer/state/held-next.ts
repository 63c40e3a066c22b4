/** Says so when what a person released is caught by another hold: without that, "Released." would be all they hear. */
import type { ConsoleEvent, Result } from '../../core/contract/console.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { ACT_DONE } from '../copy/acts.ts';
import { fill } from '../copy/fill.ts';
import type { Toasts } from './toasts.ts';

export interface HeldNext {
  /** A release of this message is about to be asked for. @param heldBy the hold at publish that it is released from */
  watch(messageId: string, heldBy: string | undefined): void;
  /** Stops watching a message whose release was refused, or that a person held: no toast follows. */
  forget(messageId: string): void;
  onEvents(events: readonly ConsoleEvent[]): void;
}

/** Messages that are watched at the same time; the oldest go first. */
const MOST = 100;

type Detail = Result<'messages.get'>;

/** Words of the hold that caught the message after a release; undefined: none did. */
function nextHold(
  { deliveries, stage, heldBy }: Detail,
  names: ReadonlyMap<string, string>,
): string | undefined {
  for (const { state, transitions } of deliveries) {
    const last = transitions.at(-1);
    const wasReleased = transitions.some(({ rule }) => rule === 'user.release');
    if (state === 'held' && wasReleased && last?.rule === 'hold.matched') return last.note ?? '';
  }
  return stage === 'held' && heldBy !== undefined ? names.get(heldBy) : undefined;
}

/** Watches what one window released. */
export function createHeldNext({ call }: Pick<RpcClient, 'call'>, toasts: Toasts): HeldNext {
  /** Message -> the hold at publish that it was released from. */
  const watched = new Map<string, string | undefined>();

  async function look(messageId: string): Promise<void> {
    const [message, { items }] = await Promise.all([
      call('messages.get', { messageId }),
      call('holds.list', {}),
    ]);
    if (!watched.has(messageId)) return;
    if (message.stage === 'held' && message.heldBy === watched.get(messageId)) return;
    const names = new Map(items.map(({ holdId, name, filter }) => [holdId, name ?? filter]));
    const hold = nextHold(message, names);
    if (hold === undefined) return;
    watched.delete(messageId);
    // A notice of what the person did, in place of "Released."
    toasts.done(hold === '' ? ACT_DONE.heldNextByAll : fill(ACT_DONE.heldNext, { hold }));
  }

  function isHeldNow(event: ConsoleEvent): string | undefined {
    if (event.type === 'delivery.changed' && event.delivery.state === 'held') return event.messageId;
    if (event.type === 'message.added' && event.row.stage === 'held') return event.row.messageId;
    return undefined;
  }

  return {
    watch(messageId, heldBy) {
      watched.delete(messageId);
      watched.set(messageId, heldBy);
      const oldest = watched.keys().next();
      if (watched.size > MOST && oldest.done !== true) watched.delete(oldest.value);
    },
    forget: (messageId) => void watched.delete(messageId),
    onEvents(events) {
      for (const event of events) {
        const messageId = isHeldNow(event);
        // Without the host's answer the queue shows it, and the connection bar says why.
        if (messageId !== undefined && watched.has(messageId)) look(messageId).catch(() => undefined);
      }
    },
  };
}
