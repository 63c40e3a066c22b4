/** Recovers unfinished messages after a restart, so that at-least-once holds through a crash. */
import type { BeforeAttempt } from '../delivering/before-attempt.ts';
import type { App } from '../state/app.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { Holds } from '../state/holds.ts';
import { liveFrom } from '../state/from-journal.ts';
import { isEnded } from '../state/live-set.ts';
import type { LiveDelivery, LiveMessage } from '../state/live.ts';
import { SIDECAR_DECIDES } from '../delivering/outcome.ts';
import type { Outcomes } from '../delivering/outcome.ts';
import type { Policies } from '../state/policies.ts';
import type { PublishAgain } from './publish-again.ts';
import type { Serving } from '../apps/serving.ts';
import type { Shared } from '../common.ts';
import type { HeldAtPublish } from '../publishing/held-at-publish.ts';
import { msOf } from '../time/time.ts';

export interface RecoveryDependencies {
  readonly deliveries: Deliveries;
  readonly outcomes: Outcomes;
  readonly publishAgain: PublishAgain;
  readonly serving: Serving;
  readonly holds: Holds;
  readonly beforeAttempt: BeforeAttempt;
  readonly heldAtPublish: HeldAtPublish;
  readonly policies: Policies;
  readonly app: (appId: string) => App | undefined;
}

export interface Recovered {
  /** Number of unfinished messages. */
  readonly unfinished: number;
  /** Number of deliveries and messages that continue in their old state. */
  readonly wentOn: number;
  /** Number of deliveries whose running attempt is repeated. */
  readonly requeued: number;
  /** Number of messages that their component may not have received. */
  readonly republished: number;
  readonly held: number;
  readonly parked: number;
}

/**
 * Recovers all messages: attempting -> queued (cause restart); queued and retrying continue; held and parked stay; unpublished messages are
 * published again, or wait for that.
 */
export async function recover(shared: Shared, deps: RecoveryDependencies): Promise<Recovered> {
  const again: LiveMessage[] = [];
  const found = { wentOn: 0, requeued: 0, unfinished: 0, held: 0, parked: 0 };
  for await (const source of shared.journal.unfinished()) {
    const message = liveFrom(source, shared.codec);
    shared.live.add(message);
    found.unfinished += 1;
    for (const d of message.deliveries) {
      if (message.row.tap !== undefined) resumeObserved(deps, d);
      else if (resume(shared, deps, d)) found.requeued += 1;
      else if (d.state === 'held' || d.state === 'parked') found[d.state] += 1;
      else if (!isEnded(d)) found.wentOn += 1;
    }
    if (message.row.stage === 'held') {
      found.held += 1;
      armHeldAtPublish(deps, message);
    } else if (!message.published) again.push(message);
    else if (message.row.waitingFor !== undefined) found.wentOn += 1;
  }
  let republished = 0;
  for (const message of again) {
    if (await deps.publishAgain.publish(message)) republished += 1;
    else found.wentOn += 1;
  }
  await deps.publishAgain.recovered();
  return { ...found, republished };
}

/** Resumes an observed delivery: a running or held call ended with its connection, and its own sidecar decides what comes next. */
function resumeObserved({ deliveries, outcomes }: RecoveryDependencies, d: LiveDelivery): void {
  if (isEnded(d)) return;
  d.heldAnswer = undefined;
  if (d.state !== 'retrying')
    deliveries.move(d, { type: 'tap.lost' }, { note: `Sidelight ended during the call. ${SIDECAR_DECIDES}` });
  outcomes.awaitObserved(d);
}

/**
 * Resumes a delivery.
 * @returns true: its attempt was running
 */
function resume(shared: Shared, deps: RecoveryDependencies, d: LiveDelivery): boolean {
  const app = deps.app(d.appId);
  if (app !== undefined) deps.serving.laneOf(app, d);
  const wasUnderWay = d.state === 'attempting';
  if (wasUnderWay) cutShort(deps.deliveries, d, undefined);
  if (d.state === 'queued') {
    shared.backpressure.changed(d);
    shared.signals.tell('ready', d);
  }
  // Without a due time its attempts are used up; the outcome is settled once the app is known.
  if (d.state === 'retrying' && d.dueMs !== undefined) {
    const { maxDelayMs, jitter } = deps.policies.retryFor(
      d.appId,
      d.subscription.pubsubname,
      d.message.row.topic,
    );
    // A due time that was written while the machine's clock was ahead would delay the retry too long, so it is limited.
    const latestMs = shared.clock.now() + Math.ceil(maxDelayMs * (1 + jitter));
    deps.outcomes.armRetry(d, Math.min(d.dueMs, latestMs));
  }
  if (d.state === 'held') armHold(deps, d);
  if (!isEnded(d) && d.state !== 'parked') deps.outcomes.armTtl(d);
  return wasUnderWay;
}

/** M11: a cut call does not count as an attempt. The sender of a binding's event got no answer and decides what comes next. */
export function cutShort(deliveries: Deliveries, d: LiveDelivery, note: string | undefined): void {
  d.call = undefined;
  d.attemptId = undefined;
  d.started = undefined;
  d.heldAnswer = undefined;
  const more = note === undefined ? {} : { note };
  if (d.subscription.source === 'binding') {
    const verdict = { outcome: 'dropped', rule: 'binding.refused' } as const;
    deliveries.move(d, { type: 'verdict', verdict }, more);
    return;
  }
  d.attemptCount = Math.max(0, d.attemptCount - 1);
  deliveries.move(d, { type: 'restart' }, more);
}

/**
 * Cuts calls that can no longer be awaited. M11: they do not count as attempts.
 * @param appId only calls to this app
 */
export function cutCalls(
  { shared, deliveries }: { readonly shared: Shared; readonly deliveries: Deliveries },
  note: string,
  appId?: string,
): void {
  for (const d of [...shared.live.deliveries()]) {
    if (d.state !== 'attempting' || d.busy !== undefined || d.message.row.tap !== undefined) continue;
    if (appId !== undefined && d.appId !== appId) continue;
    const { call } = d;
    cutShort(deliveries, d, note);
    call?.cancel(note);
  }
}

/** Sets the timer of a hold with a release time; the time continues from its start. */
function armHold({ holds, beforeAttempt }: RecoveryDependencies, d: LiveDelivery): void {
  const { heldBy, lastTransition } = d;
  const hold = heldBy === undefined ? undefined : holds.find(heldBy);
  if (hold?.releaseAfterMs === undefined || lastTransition === undefined) return;
  beforeAttempt.armRelease(d, msOf(lastTransition.at) + hold.releaseAfterMs);
}

/** Sets the timer of a message that is held before it has deliveries. */
function armHeldAtPublish({ holds, heldAtPublish }: RecoveryDependencies, message: LiveMessage): void {
  const { heldBy, at } = message.row;
  const hold = heldBy === undefined ? undefined : holds.find(heldBy);
  heldAtPublish.arm(message, hold?.releaseAfterMs === undefined ? undefined : msOf(at) + hold.releaseAfterMs);
}
