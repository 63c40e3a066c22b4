/** Reports when another hold catches what a person released; otherwise they would only read "Released." */
import type { ConsoleEvent, Result } from '../../core/contract/console.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { ACT_DONE } from '../copy/acts.ts';
import { fill } from '../copy/fill.ts';
import type { Toasts } from './toasts.ts';

export interface HeldNext {
  /**
   * Watches a message that is about to be released.
   * @param heldBy the hold at publish from which it is released
   */
  watch(messageId: string, heldBy: string | undefined): void;
  /** Stops watching a message whose release was refused, or that a person held: no toast follows. */
  forget(messageId: string): void;
  /**
   * Looks at a message that was released: the page hears only of messages that it has opened, and many are released
   * without that. From then on it hears of this one.
   */
  released(messageId: string): void;
  /** Whether the next hold of a message was reported since it was watched; "Released." would replace that report. */
  isAnnounced(messageId: string): boolean;
  onEvents(events: readonly ConsoleEvent[]): void;
}

/** Maximum number of messages that are watched at the same time; the oldest are dropped. */
const MAX = 100;

type Detail = Result<'messages.get'>;

/**
 * Text about the hold that caught the message after a release; undefined: none did.
 * @param wasAtPublish true: the message was released before it had deliveries, so each of them came after that
 */
function nextHold(
  { deliveries, stage, heldBy }: Detail,
  names: ReadonlyMap<string, string>,
  wasAtPublish: boolean,
): string | undefined {
  for (const { state, transitions } of deliveries) {
    const last = transitions.at(-1);
    const wasReleased = wasAtPublish || transitions.some(({ rule }) => rule === 'user.release');
    if (state === 'held' && wasReleased && last?.rule === 'hold.matched') return last.note ?? '';
  }
  return stage === 'held' && heldBy !== undefined ? names.get(heldBy) : undefined;
}

/** Watches the releases of one window. */
export function createHeldNext({ call }: Pick<RpcClient, 'call'>, toasts: Toasts): HeldNext {
  /** The hold at publish of each released message. */
  const watched = new Map<string, string | undefined>();
  /** The message whose next hold was reported last. */
  let told: string | undefined;

  async function look(messageId: string): Promise<void> {
    const [message, { items }] = await Promise.all([
      call('messages.get', { messageId, payloadUpTo: 0 }),
      call('holds.list', {}),
    ]);
    if (!watched.has(messageId)) return;
    if (message.stage === 'held' && message.heldBy === watched.get(messageId)) return;
    const names = new Map(items.map(({ holdId, name, filter }) => [holdId, name ?? filter]));
    const hold = nextHold(message, names, watched.get(messageId) !== undefined);
    if (hold === undefined) return;
    watched.delete(messageId);
    told = messageId;
    // This report replaces "Released.", or comes in its place.
    toasts.done(hold === '' ? ACT_DONE.heldNextByAll : fill(ACT_DONE.heldNext, { hold }));
  }

  function isHeldNow(event: ConsoleEvent): string | undefined {
    if (event.type === 'delivery.changed' && event.delivery.state === 'held') return event.messageId;
    if (event.type !== 'message.added') return undefined;
    const { messageId, stage, deliveries } = event.row;
    return stage === 'held' || deliveries.some(({ state }) => state === 'held') ? messageId : undefined;
  }

  return {
    watch(messageId, heldBy) {
      if (told === messageId) told = undefined;
      watched.delete(messageId);
      watched.set(messageId, heldBy);
      const oldest = watched.keys().next();
      if (watched.size > MAX && oldest.done !== true) watched.delete(oldest.value);
    },
    forget: (messageId) => void watched.delete(messageId),
    released(messageId) {
      // The queue shows it without the host's answer, and the connection bar reports the error.
      if (watched.has(messageId)) look(messageId).catch(() => undefined);
    },
    isAnnounced: (messageId) => told === messageId,
    onEvents(events) {
      for (const event of events) {
        const messageId = isHeldNow(event);
        // The queue shows it without the host's answer, and the connection bar reports the error.
        if (messageId !== undefined && watched.has(messageId)) look(messageId).catch(() => undefined);
      }
    },
  };
}
