/** Tells whether a hold, or a person, keeps a message that was just published. */
import { useEffect, useState } from 'react';
import type { Hold } from '../../../core/contract/hold.ts';
import type { Delivery, MessageDetail } from '../../../core/contract/message.ts';
import { fill } from '../../copy/fill.ts';
import { PUBLISH } from '../../copy/publish.ts';
import { holdersOf } from '../../format/holders.ts';
import { useConsole, useOpenings, useResource } from '../../state/context.ts';

type Published = Pick<MessageDetail, 'stage' | 'heldBy'> & {
  readonly deliveries: readonly Pick<Delivery, 'state' | 'heldBy'>[];
};

/** Name of the hold or person that keeps the message; undefined: nobody does. */
export function heldSentence(
  message: Published,
  holds: readonly Pick<Hold, 'holdId' | 'name' | 'filter'>[],
): string | undefined {
  const kept =
    message.stage === 'held' ? [message] : message.deliveries.filter(({ state }) => state === 'held');
  return kept.length === 0 ? undefined : fill(PUBLISH.held, { by: holdersOf(kept, holds) });
}

/** The sentence about a published message, from its answer on; it is asked again whenever the queue of held ones changes. */
export function useHeldSentence(messageId: string | undefined): string | undefined {
  const { call, holds } = useConsole();
  const { value: list } = useResource(holds.list);
  const { value: queue } = useResource(holds.queue);
  const openings = useOpenings();
  const [found, setFound] = useState<MessageDetail>();
  useEffect(() => {
    if (messageId === undefined) return undefined;
    let isCurrent = true;
    call('messages.get', { messageId, payloadUpTo: 0 }).then(
      (message) => isCurrent && setFound(message),
      // Nothing is said about holds if the host does not answer; the connection bar reports a lost connection.
      () => isCurrent && setFound(undefined),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, messageId, openings, queue]);
  return found?.messageId === messageId && found !== undefined
    ? heldSentence(found, list?.items ?? [])
    : undefined;
}
