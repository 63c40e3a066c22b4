/** After a restart: reopens what was not finished, so that at-least-once holds through a crash. */
import type { App } from './app.ts';
import type { Deliveries } from './delivery.ts';
import { liveFrom } from './from-journal.ts';
import { isEnded } from './live-set.ts';
import type { LiveDelivery, LiveMessage } from './live.ts';
import type { Outcomes } from './outcome.ts';
import type { Publisher } from './publisher.ts';
import type { Components } from './components.ts';
import type { Serving } from './serving.ts';
import type { Shared } from './shared.ts';

export interface RecoveryParts {
  readonly deliveries: Deliveries;
  readonly outcomes: Outcomes;
  readonly publisher: Publisher;
  readonly components: Components;
  readonly serving: Serving;
  readonly app: (appId: string) => App | undefined;
}

export interface Recovered {
  readonly messages: number;
  /** Deliveries that were under way and go again. */
  readonly requeued: number;
  /** Messages whose component may not have had them. */
  readonly republished: number;
}

/** attempting -> queued (cause restart); queued and retrying go on; held and parked stay; unpublished ones are published again. */
export async function recover(shared: Shared, parts: RecoveryParts): Promise<Recovered> {
  const again: LiveMessage[] = [];
  let messages = 0;
  let requeued = 0;
  for await (const source of shared.journal.unfinished()) {
    const message = liveFrom(source);
    shared.live.add(message);
    messages += 1;
    for (const d of message.deliveries) {
      shared.metrics.known(
        message.row.pubsubname,
        message.row.topic,
        parts.deliveries.laneOf(d),
        d.state ?? 'queued',
      );
      if (resume(shared, parts, d)) requeued += 1;
    }
    if (!message.published && message.row.stage !== 'held') again.push(message);
  }
  for (const message of again) await republish(parts, message);
  if (messages > 0) {
    shared.log.write(
      'info',
      'recovery',
      `${messages} unfinished messages were taken up again; ${requeued} deliveries were under way and are made again.`,
    );
  }
  return { messages, requeued, republished: again.length };
}

/** True when the delivery was under way. */
function resume(shared: Shared, parts: RecoveryParts, d: LiveDelivery): boolean {
  const app = parts.app(d.appId);
  if (app !== undefined) parts.serving.laneOf(app, d);
  if (d.state === 'attempting') {
    // The call that was cut does not count.
    d.attemptCount = Math.max(0, d.attemptCount - 1);
    d.heldAt = undefined;
    void parts.deliveries.apply(d, { type: 'restart' });
    parts.outcomes.armTtl(d);
    return true;
  }
  if (d.state === 'queued') parts.deliveries.onReady(d);
  if (d.state === 'retrying') {
    if (d.dueMs === undefined) void parts.outcomes.exhausted(d);
    else parts.outcomes.armRetry(d, d.dueMs);
  }
  if (!isEnded(d)) parts.outcomes.armTtl(d);
  return false;
}

/** At least once: an app that had it already may get it twice, none misses it. */
async function republish(parts: RecoveryParts, message: LiveMessage): Promise<void> {
  const ready = parts.components.pubsub(message.row.appId, message.row.pubsubname);
  if (ready === undefined) {
    await parts.deliveries.patchMessage(message, {
      stage: 'refused',
      waitingFor: undefined,
      flags: [
        ...(message.row.flags ?? []),
        `Not published after the restart: there is no component ${message.row.pubsubname}.`,
      ],
    });
    parts.deliveries.published(message);
    return;
  }
  await parts.publisher.handOver(ready, message);
}
