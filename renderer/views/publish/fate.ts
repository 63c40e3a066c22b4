/** Tells what became of a message that was just published. */
import { useEffect, useState } from 'react';
import { foremost, nobodyGot } from '../../../core/contract/attention.ts';
import { isUnfinishedState } from '../../../core/contract/delivery.ts';
import type { Hold } from '../../../core/contract/hold.ts';
import type { Delivery, MessageDetail } from '../../../core/contract/message.ts';
import { fill } from '../../copy/fill.ts';
import { PUBLISH } from '../../copy/publish.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { holdersOf } from '../../format/holders.ts';
import { waitsForComponent, waitText } from '../../format/row.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { useConsole, useOpenings, useResource } from '../../state/context.ts';

type Published = Pick<
  MessageDetail,
  'stage' | 'heldBy' | 'waitingFor' | 'topic' | 'pubsubname' | 'tap' | 'expectedBy'
> & {
  readonly deliveries: readonly Pick<Delivery, 'appId' | 'state' | 'heldBy' | 'waitsFor' | 'turn'>[];
};

export interface Fate {
  readonly text: string;
  /** `good`: every app has taken it; `open`: it is on its way; `warning`: nobody gets it as things stand. */
  readonly tone: 'good' | 'open' | 'warning';
}

/** What became of the message so far. An answer of the publish says only that it was accepted. */
export function fateOf(message: Published, holds: readonly Pick<Hold, 'holdId' | 'name' | 'filter'>[]): Fate {
  const { stage, deliveries, waitingFor, pubsubname: pubsub } = message;
  const topic = visibleShort(message.topic);
  const kept = stage === 'held' ? [message] : deliveries.filter(({ state }) => state === 'held');
  if (kept.length > 0) return { tone: 'open', text: fill(PUBLISH.held, { by: holdersOf(kept, holds) }) };
  if (waitsForComponent(message))
    return { tone: 'warning', text: fill(PUBLISH.waitsForComponent, { pubsub }) };
  if (stage === 'waiting')
    return {
      tone: 'warning',
      text: fill(PUBLISH.waitsForApp, { app: waitingFor?.join(', '), n: waitingFor?.length ?? 1 }),
    };
  const first = foremost(deliveries);
  if (first !== undefined) return fateOfDelivery(first);
  if (nobodyGot(message)) return { tone: 'warning', text: fill(PUBLISH.nobody, { topic, pubsub }) };
  return { tone: 'open', text: PUBLISH.accepted };
}

/** The fate of the delivery that needs attention most. */
function fateOfDelivery(delivery: Published['deliveries'][number]): Fate {
  const { appId: app, state, turn } = delivery;
  const waits = waitText(delivery);
  if (waits !== undefined) return { tone: 'warning', text: fill(PUBLISH.waits, { waits }) };
  if (state === 'processed') return { tone: 'good', text: PUBLISH.delivered };
  if (state === 'queued' && turn?.reason === 'discovery')
    return { tone: 'warning', text: fill(PUBLISH.waitsForAppToAnswer, { app }) };
  const text = fill(PUBLISH.notTaken, { app, state: CHIP_WORDS[state] });
  return { tone: state === 'queued' || state === 'attempting' ? 'open' : 'warning', text };
}

/** The fate of a published message, which is asked for again while it may change; undefined: it is not known. */
export function useFate(messageId: string | undefined): Fate | undefined {
  const { call, holds, topology } = useConsole();
  const { value: list } = useResource(holds.list);
  const { value: queue } = useResource(holds.queue);
  const { value: subscriptions } = useResource(topology.subscriptions);
  const openings = useOpenings();
  const [found, setFound] = useState<MessageDetail>();
  const isSettled = found !== undefined && found.messageId === messageId && hasEnded(found);
  // The counts of its subscriptions change when one of its deliveries does.
  const news = isSettled ? undefined : subscriptions;
  useEffect(() => {
    if (messageId === undefined) return undefined;
    let isCurrent = true;
    call('messages.get', { messageId, payloadUpTo: 0 }).then(
      (message) => isCurrent && setFound(message),
      // Nothing is said about its fate if the host does not answer; the connection bar reports a lost connection.
      () => isCurrent && setFound(undefined),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, messageId, openings, queue, news]);
  return found?.messageId === messageId && found !== undefined ? fateOf(found, list?.items ?? []) : undefined;
}

function hasEnded({ deliveries }: MessageDetail): boolean {
  return deliveries.length > 0 && deliveries.every(({ state }) => !isUnfinishedState(state));
}
