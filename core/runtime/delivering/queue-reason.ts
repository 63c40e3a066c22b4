/** Why a delivery that may be attempted still waits: the state of its queue, its app and the history. */
import type { DeliveryTurn } from '../../contract/message.ts';
import { iso } from '../time/time.ts';
import type { App, Lane } from '../state/app.ts';
import type { LiveDelivery } from '../state/live.ts';

/** A batch that is not sent yet. */
export interface OpenBatch {
  /** Number of messages in it. */
  readonly together: number;
  readonly most: number;
  readonly latestMs: number;
}

/** State of one queue at the moment of the question. */
export interface QueueState {
  readonly app: App;
  readonly lane: Pick<Lane, 'channel' | 'mayAttempt' | 'standing'>;
  /** Number of deliveries ahead of this one. */
  readonly ahead: number;
  /** Number of running calls of this subscription, and their limit. */
  readonly inFlight: number;
  readonly concurrency: number;
  /** Limit of parallel calls to the app; 0: no limit. */
  readonly appConcurrency: number;
  /** Whether the history has too much to write, so that no call starts. */
  readonly isBehind: boolean;
  /** Set for a delivery that waits for further messages of its batch. */
  readonly batch: OpenBatch | undefined;
}

/** First reason that blocks the delivery, in the order in which the queue checks them. */
export function turnIn(state: QueueState): DeliveryTurn {
  const { ahead, inFlight, concurrency, appConcurrency, isBehind, batch, app } = state;
  const reason = reasonOf(state);
  if (reason !== undefined) return { reason, ahead };
  if (isBehind) return { reason: 'history', ahead };
  if (inFlight >= concurrency) return { reason: 'calls', ahead, now: inFlight, most: concurrency };
  if (state.lane.channel === undefined && appConcurrency > 0 && app.inFlight >= appConcurrency) {
    const own = app.own.maxConcurrency === undefined ? {} : { own: true as const };
    return { reason: 'app-calls', ahead, now: app.inFlight, most: appConcurrency, ...own };
  }
  if (batch !== undefined && batch.together < batch.most)
    return { reason: 'batch', ahead, now: batch.together, most: batch.most, latestAt: iso(batch.latestMs) };
  return { reason: 'turn', ahead };
}

/** Reason why a delivery that has left its queue waits for its call to begin. */
export function turnAfterQueue(
  { bodies, waitingForRoom, waitingForEarlierCall }: App,
  d: LiveDelivery,
): DeliveryTurn {
  const own = waitingForRoom.get(d);
  if (own !== undefined) {
    const calls = [...waitingForRoom.values()];
    return { reason: 'bodies', ahead: calls.indexOf(own), now: bodies.used, most: bodies.most };
  }
  return { reason: waitingForEarlierCall.has(d) ? 'earlier-call' : 'preparing' };
}

/** Why app or subscription are not ready; undefined: both are. */
function reasonOf({ app, lane }: QueueState): DeliveryTurn['reason'] | undefined {
  if (app.stopping) return 'stopping';
  // A stream is open whatever the app's port says.
  const isStream = lane.channel !== undefined;
  if (!isStream && !app.discovered) return 'discovery';
  if (!isStream && app.asking) return 'asking';
  if (!lane.mayAttempt) return 'opening';
  if (isStream) return undefined;
  if (app.isRestarting) return 'restarting';
  return app.appHealthy === false ? 'health' : undefined;
}
