/** Recovers unfinished messages after a restart, so that at-least-once holds through a crash. */
import { wasCutByRemoval } from '../../contract/cause.ts';
import { CUT_BY_END, HELD_WHEN_CUT, RAN_WHEN_CUT } from '../../contract/cause-sentences.ts';
import type { Hold } from '../../contract/hold.ts';
import { hasEnded } from '../../domain/delivery-end.ts';
import type { BeforeAttempt } from '../delivering/before-attempt.ts';
import type { App } from '../state/app.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { Holds } from '../state/holds.ts';
import { liveFrom } from '../state/from-journal.ts';
import type { LiveDelivery, LiveMessage } from '../state/live.ts';
import { SIDECAR_DECIDES } from '../delivering/outcome.ts';
import type { Outcomes } from '../delivering/outcome.ts';
import type { Policies } from '../state/policies.ts';
import type { PublishAgain } from './publish-again.ts';
import type { Serving } from '../apps/serving.ts';
import type { SharedServices } from '../common-services.ts';
import type { HeldAtPublish } from '../publishing/held-at-publish.ts';
import { msOf } from '../time/time.ts';

/** Key of the sequence number of the newest cut that a start has reported: the next start reports only later ones as interrupted. */
const REPORTED_CUT = 'reported-cut';

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
export async function recover(shared: SharedServices, deps: RecoveryDependencies): Promise<Recovered> {
  const again: LiveMessage[] = [];
  const found = { wentOn: 0, requeued: 0, unfinished: 0, held: 0, parked: 0 };
  const reported = numberOf(await shared.journal.kept(REPORTED_CUT));
  let newestCut = reported;
  for await (const source of shared.journal.unfinished()) {
    const message = liveFrom(source, shared.codec);
    shared.live.add(message);
    found.unfinished += 1;
    for (const delivery of message.deliveries) {
      if (message.row.tap !== undefined) resumeObserved(deps, delivery);
      else if (resume(shared, deps, delivery, reported)) {
        found.requeued += 1;
        newestCut = Math.max(newestCut, delivery.lastTransition?.sequence ?? 0);
      } else if (delivery.state === 'held' || delivery.state === 'parked') found[delivery.state] += 1;
      else if (!hasEnded(delivery)) found.wentOn += 1;
    }
    if (message.row.stage === 'held') {
      found.held += 1;
      armHeldAtPublish(deps, message, shared.clock.now());
    } else if (!message.published) again.push(message);
    else if (message.row.waitingFor !== undefined) found.wentOn += 1;
  }
  if (newestCut > reported)
    shared.writer.later([{ kind: 'kept', key: REPORTED_CUT, value: newestCut }], () => undefined);
  let republished = 0;
  for (const message of again) {
    if (await deps.publishAgain.publish(message)) republished += 1;
    else found.wentOn += 1;
  }
  await deps.publishAgain.recovered();
  return { ...found, republished };
}

/** Resumes an observed delivery: a running or held call ended with its connection, and its own sidecar decides what comes next. */
function resumeObserved({ deliveries, outcomes }: RecoveryDependencies, delivery: LiveDelivery): void {
  if (hasEnded(delivery)) return;
  delivery.cut();
  if (delivery.state !== 'retrying')
    deliveries.move(
      delivery,
      { type: 'tap.lost' },
      { note: `${CUT_BY_END.crash}${RAN_WHEN_CUT} ${SIDECAR_DECIDES}` },
    );
  outcomes.awaitObserved(delivery);
}

/**
 * Resumes a delivery.
 * @param reported sequence number of the newest cut that an earlier start has reported
 * @returns true: its attempt was running when Sidelight ended
 */
function resume(
  shared: SharedServices,
  deps: RecoveryDependencies,
  delivery: LiveDelivery,
  reported: number,
): boolean {
  const app = deps.app(delivery.appId);
  if (app !== undefined) deps.serving.laneOf(app, delivery);
  const wasUnderWay = delivery.state === 'attempting';
  if (wasUnderWay) cutShort(deps.deliveries, delivery, noteOfCrash(delivery));
  if (delivery.state === 'queued') {
    shared.backpressure.changed(delivery);
    shared.signals.emit('ready', delivery);
  }
  // Without a due time its attempts are used up; the outcome is settled once the app is known.
  if (delivery.state === 'retrying' && delivery.dueMs !== undefined) {
    const { maxDelayMs, jitter } = deps.policies.retryFor(
      delivery.appId,
      delivery.subscription.pubsubname,
      delivery.message.row.topic,
    );
    // A due time that was written while the machine's clock was ahead would delay the retry too long, so it is limited.
    const latestMs = shared.clock.now() + Math.ceil(maxDelayMs * (1 + jitter));
    deps.outcomes.armRetry(delivery, Math.min(delivery.dueMs, latestMs));
  }
  if (delivery.state === 'held') armHold(deps, delivery, shared.clock.now());
  if (!hasEnded(delivery) && delivery.state !== 'parked') deps.outcomes.armTtl(delivery);
  return wasUnderWay || (delivery.state === 'queued' && wasCutByEnd(delivery, reported));
}

/** Whether the stop before this start has cut its call: the start repeats it, as it repeats one that was still running. */
function wasCutByEnd({ lastTransition }: LiveDelivery, reported: number): boolean {
  if (lastTransition?.rule !== 'restart.requeued') return false;
  return lastTransition.sequence > reported && !wasCutByRemoval(lastTransition.note);
}

function numberOf(kept: unknown): number {
  return typeof kept === 'number' ? kept : 0;
}

/** What a start knows of a call that an unplanned end cut off; undefined: nothing. */
function noteOfCrash({ heldAt }: LiveDelivery): string | undefined {
  return heldAt === 'response' ? CUT_BY_END.crash + HELD_WHEN_CUT : undefined;
}

/** M11: a cut call does not count as an attempt. The sender of a binding's event got no answer and decides what comes next. */
function cutShort(deliveries: Deliveries, delivery: LiveDelivery, note: string | undefined): void {
  delivery.cut();
  const more = note === undefined ? {} : { note };
  if (delivery.subscription.source === 'binding') {
    const verdict = { outcome: 'dropped', rule: 'binding.refused' } as const;
    deliveries.move(delivery, { type: 'verdict', verdict }, more);
    return;
  }
  delivery.uncountAttempt();
  deliveries.move(delivery, { type: 'restart' }, more);
}

/**
 * Cuts calls that can no longer be awaited. M11: they do not count as attempts.
 * @param what what happened, the beginning of the note: "Sidelight was stopped"
 * @param appId only calls to this app
 */
export function cutCalls(
  { shared, deliveries }: { readonly shared: SharedServices; readonly deliveries: Deliveries },
  what: string,
  appId?: string,
): void {
  for (const delivery of [...shared.live.deliveries()]) {
    if (
      delivery.state !== 'attempting' ||
      delivery.lock !== undefined ||
      delivery.message.row.tap !== undefined
    )
      continue;
    if (appId !== undefined && delivery.appId !== appId) continue;
    const { call } = delivery;
    const note = what + (delivery.heldAnswer === undefined ? RAN_WHEN_CUT : HELD_WHEN_CUT);
    cutShort(deliveries, delivery, note);
    call?.cancel(note);
  }
}

/**
 * When a hold that began at `since` releases; undefined: it has no release time. The time continues from its start. One that was written
 * while the machine's clock was ahead would delay the release too long, so it is limited.
 */
function releaseOf(hold: Hold | undefined, since: string, nowMs: number): number | undefined {
  if (hold?.releaseAfterMs === undefined) return undefined;
  return Math.min(msOf(since), nowMs) + hold.releaseAfterMs;
}

/** Sets the timer of a hold with a release time. */
function armHold(
  { holds, beforeAttempt }: RecoveryDependencies,
  delivery: LiveDelivery,
  nowMs: number,
): void {
  const { heldBy, lastTransition } = delivery;
  if (heldBy === undefined || lastTransition === undefined) return;
  const releaseMs = releaseOf(holds.find(heldBy), lastTransition.at, nowMs);
  if (releaseMs !== undefined) beforeAttempt.armRelease(delivery, releaseMs);
}

/** Sets the timer of a message that is held before it has deliveries. */
function armHeldAtPublish(
  { holds, heldAtPublish }: RecoveryDependencies,
  message: LiveMessage,
  nowMs: number,
): void {
  const { heldBy, at } = message.row;
  heldAtPublish.arm(message, heldBy === undefined ? undefined : releaseOf(holds.find(heldBy), at, nowMs));
}
