/** Acts of a person on deliveries: retry, reroute, drop and undo, hold, release, dead-letter. */
import { BEFORE_DROP, isOnTheWay, statesLeftBy, statesToSearch } from '../../contract/acts.ts';
import type { Act, BeforeDrop } from '../../contract/acts.ts';
import type { Changed, DeliveryTarget, RerouteTarget } from '../../contract/console.ts';
import type { Hold } from '../../contract/hold.ts';
import { theApp } from '../../contract/app-text.ts';
import { counted } from '../../contract/count-text.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import type { Attempt } from '../../contract/message.ts';
import type { Answer } from '../../contract/mock-app.ts';
import { MAX_ACT_IDS } from '../../contract/page-bounds.ts';
import type { MessageChanges } from '../../contract/publish.ts';
import type { DeliverySettings } from '../../contract/subscription.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { editMessage } from '../../domain/edit-message.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { App } from '../state/app.ts';
import type { Attempts } from '../delivering/attempts.ts';
import type { BeforeAttempt } from '../delivering/before-attempt.ts';
import { copyNote } from '../delivering/dead-letters.ts';
import type { DeadLetters } from '../delivering/dead-letters.ts';
import { mustBeOurs, notAllowed, whyNotOurs } from '../state/delivery.ts';
import type { Deliveries } from '../state/delivery.ts';
import { heldAnswerFrom } from './held-answer.ts';
import type { Holds } from '../state/holds.ts';
import { awaitsAttempt } from '../state/live.ts';
import type { LiveDelivery, LiveMessage } from '../state/live.ts';
import { noApp, noDelivery } from '../state/not-found.ts';
import type { Intake } from '../delivering/intake.ts';
import type { Outcomes } from '../delivering/outcome.ts';
import type { Policies } from '../state/policies.ts';
import { ByteBudget } from '../state/byte-budget.ts';
import type { OldRoutes } from '../apps/old-routes.ts';
import { isDroppedAt, missingRouteFilter } from '../apps/route-mistakes.ts';
import type { Serving } from '../apps/serving.ts';
import type { SharedServices } from '../common-services.ts';
import { isHeld } from '../publishing/held-at-publish.ts';
import type { HeldAtPublish } from '../publishing/held-at-publish.ts';
import { publishFailure } from '../publishing/publish-checks.ts';
import type { Found, Targets } from './targets.ts';

export interface ManualDependencies {
  readonly targets: Targets;
  readonly deliveries: Deliveries;
  readonly outcomes: Outcomes;
  readonly intake: Pick<Intake, 'destination'>;
  readonly attempts: Attempts;
  readonly beforeAttempt: Pick<BeforeAttempt, 'heldAgain'>;
  readonly deadLetters: DeadLetters;
  readonly heldAtPublish: HeldAtPublish;
  readonly holds: Holds;
  readonly policies: Policies;
  readonly serving: Serving;
  readonly oldRoutes: Pick<OldRoutes, 'deliveriesAt'>;
  readonly app: (appId: string) => App | undefined;
}

/** Memory for edited bodies, from reading the old body until the journal has the new one. */
const EDITED_BYTES = 32 * 1024 * 1024;
/** Deliveries that the removal of a hold releases at the same time. */
const RELEASED_TOGETHER = 500;
/** Maximum number of refused deliveries that a result lists; the rest are only counted. */
const MAX_REFUSED = 500;

type Refused = { deliveryId: string; code: string; state: string; reason?: string };

/**
 * One act with its implementation.
 * @param onMessage for messages that are held before they have deliveries
 */
interface Doing {
  readonly act: Act | 'undoDrop' | 'reroute';
  readonly onDelivery: (d: LiveDelivery) => Promise<void>;
  readonly onMessage?: (message: LiveMessage) => Promise<void>;
  /** Chooses among the deliveries of a filter's messages; absent: each one whose state allows the act. */
  readonly isMeant?: (d: LiveDelivery) => boolean;
}

export class DeliveryActions {
  readonly #shared: SharedServices;
  readonly #deps: ManualDependencies;
  readonly #edited = new ByteBudget(EDITED_BYTES);

  constructor(shared: SharedServices, deps: ManualDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  retry(target: DeliveryTarget): Promise<Changed> {
    return this.#each(target, { act: 'retry', onDelivery: (d) => this.#retry(d) });
  }

  /** Sends deliveries to the present routes of their app. Throws Refusal NOT_FOUND. */
  async reroute({ deliveryId, problem }: RerouteTarget): Promise<Changed> {
    const doing: Doing = { act: 'reroute', onDelivery: (d) => this.#reroute(d) };
    if (problem === undefined) return this.#each({ ...withoutUndefined({ deliveryId }) }, doing);
    const app = this.#deps.app(problem.appId);
    if (app === undefined) throw noApp(problem.appId);
    const changed =
      problem.code !== 'old-route'
        ? await this.#each(
            { filter: missingRouteFilter(problem) },
            { ...doing, isMeant: (d) => isDroppedAt(d, problem) },
          )
        : await this.#eachOf(this.#deps.oldRoutes.deliveriesAt(app, problem), doing);
    if (changed.changed > 0) {
      const { path, topic } = problem;
      const text = `Rerouted by the current subscription of ${theApp(app.appId)}: ${counted(changed.changed, 'delivery', 'deliveries')} of topic ${topic} with the route ${path}.`;
      this.#shared.log.write('info', 'routing', text);
    }
    return changed;
  }

  drop(target: DeliveryTarget): Promise<Changed> {
    return this.#each(target, {
      act: 'drop',
      onDelivery: (d) => this.#deps.deliveries.apply(d, { type: 'user.drop' }),
      onMessage: (message) => this.#deps.heldAtPublish.drop(message),
    });
  }

  undoDrop(target: DeliveryTarget): Promise<Changed> {
    return this.#each(target, { act: 'undoDrop', onDelivery: (d) => this.#undoDrop(d) });
  }

  hold(target: DeliveryTarget): Promise<Changed> {
    return this.#each(target, {
      act: 'hold',
      onDelivery: (d) => this.#deps.deliveries.apply(d, { type: 'user.hold' }),
    });
  }

  /**
   * Releases a target. `changes` apply to one delivery and its later attempts, or to a message held at publish; `answer` replaces a held
   * response.
   */
  release(target: DeliveryTarget, changes?: MessageChanges, answer?: Answer): Promise<Changed> {
    const more = changes === undefined ? 0 : JSON.stringify(changes).length;
    const inTurn = (message: LiveMessage, act: () => Promise<void>): Promise<void> =>
      more === 0 ? act() : this.#inTurn(message.row.sizeBytes + more, act);
    return this.#each(target, {
      act: 'release',
      onDelivery: (d) => inTurn(d.message, () => this.#release(d, changes, answer)),
      onMessage: (message) =>
        inTurn(message, async () => {
          if (answer !== undefined) throw unusable('answer', 'a delivery held at response');
          await this.#deps.heldAtPublish.release(message, changes);
        }),
    });
  }

  deadLetter(target: DeliveryTarget, topic?: string): Promise<Changed> {
    return this.#each(target, { act: 'deadLetter', onDelivery: (d) => this.#deadLetter(d, topic) });
  }

  /** Removes a hold. With `release` the messages it caught are released; otherwise they stay held. Throws Refusal NOT_FOUND. */
  async removeHold(holdId: string, release: boolean): Promise<Hold> {
    const hold = await this.#deps.holds.remove(holdId);
    if (release) await this.#releaseHeldBy(holdId);
    return hold;
  }

  /** Limits the bodies that are edited at the same time: further edits wait. */
  async #inTurn(bytes: number, act: () => Promise<void>): Promise<void> {
    const entered = this.#edited.enter(bytes);
    const leave = entered instanceof Promise ? await entered : entered;
    try {
      await act();
    } finally {
      leave();
    }
  }

  /** Releases everything that this hold caught; what cannot be released stays held, and the log has the reason. */
  async #releaseHeldBy(holdId: string): Promise<void> {
    const { live } = this.#shared;
    const isCaught = (d: LiveDelivery): boolean =>
      !d.message.isRemoved && d.heldBy === holdId && (d.state === 'held' || d.heldAnswer !== undefined);
    const deliveries = [...live.deliveries()].filter(isCaught);
    // One after another: each is published after the one before it.
    for (const message of live.staged()) {
      const isMeant = (): boolean => isHeld(message) && message.row.heldBy === holdId;
      if (!isMeant()) continue;
      await this.#shared.turns.room();
      await this.#releaseOne(holdId, isMeant, () => this.#deps.heldAtPublish.release(message));
    }
    const [tapped, own] = [deliveries.filter(isTapped), deliveries.filter((d) => !isTapped(d))];
    // A tap sends each on as soon as it may, and the app of a stream expects them in their order.
    for (const d of tapped) await this.#releaseInOrder(holdId, [d], isCaught);
    // Each waits until it is on disk, so that those that are released at the same time are written together.
    for (let from = 0; from < own.length; from += RELEASED_TOGETHER)
      await this.#releaseInOrder(holdId, own.slice(from, from + RELEASED_TOGETHER), isCaught);
  }

  /** Begins with each delivery after it began with the one before, and waits for all of them. */
  async #releaseInOrder(
    holdId: string,
    deliveries: readonly LiveDelivery[],
    isCaught: (d: LiveDelivery) => boolean,
  ): Promise<void> {
    const begun: Promise<void>[] = [];
    for (const d of deliveries) {
      const room = this.#shared.turns.room();
      if (room !== undefined) await room;
      const one = this.#releaseOne(
        holdId,
        () => isCaught(d),
        () => this.#release(d, undefined, undefined),
      );
      // This release may fail while another one waits for room; `all` below throws the failure.
      one.catch(() => undefined);
      begun.push(one);
    }
    await Promise.all(begun);
  }

  /** @param isCaught asked once there is time for it: what waits may be dropped, expired, released or removed meanwhile */
  async #releaseOne(holdId: string, isCaught: () => boolean, go: () => Promise<void>): Promise<void> {
    if (!isCaught()) return;
    try {
      await go();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // It was removed while its body was read.
      if (error.code === 'NOT_FOUND') return;
      const text = `Messages caught by hold ${holdId} could not be released: ${error.message}`;
      this.#shared.log.write('error', 'holds', text);
    }
  }

  async #retry(delivery: LiveDelivery): Promise<void> {
    mustAllow('retry', delivery);
    // A gRPC app may have a route without a path; one that was attempted has a route.
    if (delivery.route.path === '' && delivery.attemptCount === 0) {
      const { route } = await this.#presentRoute(delivery);
      mustAllow('retry', delivery);
      delivery.reroute(route);
    }
    this.#mustHaveRoom(delivery);
    await this.#startRound(delivery);
  }

  /** Queues a delivery for its next round of attempts. Resolves when that is on disk. */
  #startRound(delivery: LiveDelivery, note?: string): Promise<void> {
    const { appId, subscription, message } = delivery;
    const policy = this.#deps.policies.retryFor(appId, subscription.pubsubname, message.row.topic);
    delivery.retryByHand(policy.maxAttempts, this.#shared.clock.now());
    const written = this.#deps.deliveries.apply(delivery, { type: 'user.retry' }, { note });
    this.#deps.outcomes.armTtl(delivery);
    return written;
  }

  /** Gives a delivery its present route. One that waits for an attempt or is held stays so, any other one starts a new round. */
  async #reroute(d: LiveDelivery): Promise<void> {
    const { deliveries } = this.#deps;
    const { signals } = this.#shared;
    let written: Promise<void> | undefined;
    try {
      await deliveries.alone(d, async () => {
        mustAllowReroute(d);
        const { route, settings } = await this.#presentRoute(d);
        // Finding the route may take long, and a person may have acted meanwhile.
        mustAllowReroute(d);
        written = this.#onRoute(d, route, settings);
      });
      signals.emit('rerouted', d);
    } finally {
      // An attempt that was about to start while the delivery was locked has not started.
      const isDue = d.state !== 'retrying' || (d.dueMs ?? Infinity) <= this.#shared.clock.now();
      if (awaitsAttempt(d) && isDue) signals.emit('ready', d);
    }
    await written;
  }

  #onRoute(d: LiveDelivery, route: LiveDelivery['route'], settings: DeliverySettings): Promise<void> {
    const stays = d.state === 'queued' || d.state === 'held';
    if (!stays) this.#mustHaveRoom(d);
    const { path } = d.route;
    d.reroute(route);
    d.changeSettings(settings);
    if (stays) return this.#deps.deliveries.changed(d);
    return this.#startRound(d, path === route.path ? undefined : `Rerouted from ${path} to ${route.path}.`);
  }

  async #undoDrop(delivery: LiveDelivery): Promise<void> {
    const { deliveries, outcomes } = this.#deps;
    const to = beforeDrop(delivery);
    this.#mustHaveRoom(delivery);
    const dueMs = to === 'retrying' ? outcomes.nextDueMs(delivery) : undefined;
    const heldBy = to === 'held' ? delivery.heldBeforeDrop : undefined;
    const written = deliveries.apply(delivery, { type: 'user.undo-drop', to }, { dueMs, heldBy });
    if (dueMs !== undefined) outcomes.armRetry(delivery, dueMs);
    if (to !== 'parked') outcomes.armTtl(delivery);
    this.#deps.beforeAttempt.heldAgain(delivery);
    await written;
  }

  /** Throws the refusal of a publish if a delivery that has ended has no room in the backlog. Nothing may wait between this and the act. */
  #mustHaveRoom(d: LiveDelivery): void {
    const { live } = this.#shared;
    const reason = live.backlog.fullToGoOn(d, live.bodyBytes(d.message));
    if (reason === undefined) return;
    const { pubsubname, topic } = d.message.row;
    throw publishFailure(pubsubname, topic, reason);
  }

  /** Route and settings of a delivery by the current subscription of its app. Throws a refusal with the reason if there is no route. */
  async #presentRoute(
    d: LiveDelivery,
  ): Promise<{ readonly route: LiveDelivery['route']; readonly settings: DeliverySettings }> {
    const app = this.#deps.app(d.appId);
    const active = app && this.#deps.serving.laneOf(app, d).active;
    if (active === undefined) throw notRouted(d, 'the app no longer subscribes to the topic');
    const found = await this.#deps.intake.destination(d, active, app?.channel.protocol ?? 'http');
    if (found.kind === 'none')
      throw notRouted(d, 'no rule matches and the subscription has no default route');
    if (found.kind === 'undeliverable') throw notRouted(d, found.note);
    return { route: found.route, settings: active.settings };
  }

  async #release(
    d: LiveDelivery,
    changes: MessageChanges | undefined,
    answer: Answer | undefined,
  ): Promise<void> {
    checkRelease(d, changes, answer);
    if (d.heldAnswer !== undefined) {
      const { attempt } = d.heldAnswer;
      const { entryId } = d;
      const changed =
        answer === undefined ? undefined : heldAnswerFrom(answer, { attempt, entryId }, this.#shared.codec);
      await this.#deps.attempts.releaseAnswer(d, changed);
      return;
    }
    mustAllow('release', d);
    if (answer !== undefined) {
      const answerTo = (attempt: Pick<Attempt, 'protocol' | 'bulk'>): ReceivedAnswer =>
        heldAnswerFrom(answer, { attempt, entryId: d.entryId }, this.#shared.codec);
      this.#shared.signals.emit('replied', { d, answerTo });
    }
    if (changes !== undefined) {
      const { live, codec } = this.#shared;
      const wire = await live.wireOf(d);
      const { raw, contentType } = d.message.row;
      const changed = editMessage({ wire, raw, contentType }, withoutTopic(changes), codec);
      mustAllow('release', d);
      const reason = live.roomToChange(d, changed.wire);
      const { pubsubname, topic } = d.message.row;
      if (reason !== undefined) throw publishFailure(pubsubname, topic, reason);
      live.change(d, changed.wire);
    }
    d.noteRelease();
    await this.#deps.deliveries.apply(
      d,
      { type: 'user.release' },
      changes === undefined ? {} : { note: 'Released with changes.' },
    );
  }

  async #deadLetter(d: LiveDelivery, topic: string | undefined): Promise<void> {
    mustAllow('deadLetter', d);
    const to = this.#deps.outcomes.deadLetterTopic(d) ?? topic;
    if (to === undefined) {
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: 'the subscription has no dead-letter topic: topic must be given' },
        { field: 'topic', expected: 'a topic' },
      );
    }
    await this.#deps.deliveries.alone(d, async () => {
      mustAllow('deadLetter', d);
      const copy = await this.#deps.deadLetters.copy(d, to, true);
      if (!copy.ok) {
        const { pubsubname } = d.subscription;
        throw publishFailure(pubsubname, to, copy.reason);
      }
      await this.#deps.deliveries.apply(d, { type: 'user.dead-letter' }, { note: copyNote(copy) });
    });
  }

  /** Acts on deliveries with these ids, however many they are. */
  async #eachOf(ids: readonly string[], doing: Doing): Promise<Changed> {
    let changed = 0;
    const refused: Refused[] = [];
    for (let from = 0; from < ids.length; from += MAX_ACT_IDS) {
      const slice = await this.#each({ deliveryIds: ids.slice(from, from + MAX_ACT_IDS) }, doing);
      changed += slice.changed;
      refused.push(...(slice.refused ?? []).slice(0, roomIn(refused)));
    }
    return refused.length === 0 ? { changed } : { changed, refused };
  }

  async #each(target: DeliveryTarget, doing: Doing): Promise<Changed> {
    let changed = 0;
    const refused: Refused[] = [];
    for await (const all of this.#deps.targets.find(target, new Set(statesOf(doing.act)))) {
      const found = meantOf(all, doing);
      for (const deliveryId of found.unknown) refused.push({ deliveryId, code: 'NOT_FOUND', state: '' });
      const others = found.others.slice(0, roomIn(refused)).map(({ deliveryId, state, tap }) => ({
        deliveryId,
        code: 'TRANSITION_NOT_ALLOWED',
        state,
        ...reasonOf(tap),
      }));
      refused.push(...others);
      if (doing.act === 'undoDrop') refused.push(...refusedUndo(found).slice(0, roomIn(refused)));
      const slice = await this.#onSlice(found, doing);
      refused.push(...slice.refused.slice(0, roomIn(refused)));
      changed += slice.changed;
    }
    return refused.length === 0 ? { changed } : { changed, refused };
  }

  /** Acts on all deliveries of a slice at the same time, so that the journal can write them in few groups. */
  async #onSlice(
    found: Found,
    doing: Doing,
  ): Promise<{ readonly changed: number; readonly refused: readonly Refused[] }> {
    const { act, onMessage, onDelivery } = doing;
    const needsOurs = act === 'undoDrop' || act === 'reroute' || !isOnTheWay(act);
    const doings = [
      ...found.deliveries.map((d) => ({
        run: async () => {
          if (needsOurs) mustBeOurs(d);
          while (d.lock !== undefined) await d.lock;
          await onDelivery(d);
        },
        refusal: (refused: Refusal) => ({
          deliveryId: d.deliveryId,
          code: refused.code,
          state: d.state ?? 'queued',
          ...withoutUndefined({ reason: whyRefused(act, d, refused) }),
        }),
      })),
      ...(onMessage === undefined ? [] : found.messages).map((message) => ({
        run: async () => onMessage?.(message),
        refusal: ({ code }: Refusal) => ({ deliveryId: '', code, state: message.row.stage ?? '' }),
      })),
    ];
    try {
      const done = await Promise.all(
        doings.map(async ({ run, refusal }): Promise<Refused | undefined> => {
          try {
            // A slice may have hundreds of thousands of deliveries, where messages went to hundreds of subscriptions.
            const room = this.#shared.turns.room();
            if (room !== undefined) await room;
            await run();
            return undefined;
          } catch (error) {
            if (!(error instanceof Refusal) || found.single) throw error;
            return refusal(error);
          }
        }),
      );
      const refused = done.filter((each) => each !== undefined);
      return { changed: done.length - refused.length, refused };
    } finally {
      for (const message of found.touched) this.#deps.targets.release(message);
    }
  }
}

/** Whether a tap holds the call of another sidecar. */
function isTapped({ message }: LiveDelivery): boolean {
  return message.row.tap !== undefined;
}

/** Number of refusals that may still be listed. */
function roomIn(refused: readonly Refused[]): number {
  return Math.max(0, MAX_REFUSED - refused.length);
}

/** Why an act was refused, where the state that is reported with it does not explain that; undefined: it does. */
function whyRefused(act: Doing['act'], d: LiveDelivery, { code, params }: Refusal): string | undefined {
  // The backlog or the component refused, or something else about the delivery: its state allows the act.
  const isAllowed = d.state !== null && statesAllowing(act).includes(d.state);
  if (isAllowed || code === 'ERR_PUBSUB_PUBLISH_MESSAGE') return params['reason'];
  return whyNotOurs(d.message.row.tap);
}

function statesAllowing(act: Doing['act']): readonly (DeliveryState | null)[] {
  if (act === 'reroute') return REROUTED;
  return act === 'undoDrop' ? ['dropped'] : statesLeftBy(act);
}

/** Reason why an observed delivery is not changed; its state alone does not explain it. */
function reasonOf(tap: string | undefined): Pick<Refused, 'reason'> {
  return withoutUndefined({ reason: whyNotOurs(tap) });
}

function statesOf(act: Doing['act']): readonly DeliveryState[] {
  // A filter finds deliveries to reroute only where they were dropped.
  return act === 'undoDrop' || act === 'reroute' ? ['dropped'] : statesToSearch(act);
}

/** What an act is about in a slice of a target. */
function meantOf(found: Found, { isMeant }: Doing): Found {
  if (isMeant === undefined) return found;
  return { ...found, deliveries: found.deliveries.filter(isMeant), others: [] };
}

const REROUTED: readonly (DeliveryState | null)[] = ['queued', 'held', ...statesLeftBy('retry')];

/** Throws Refusal NOT_FOUND if the message was removed: reading its body may have taken long. */
function mustBeThere({ message, deliveryId }: LiveDelivery): void {
  if (message.isRemoved) throw noDelivery(deliveryId);
}

/** Throws Refusal TRANSITION_NOT_ALLOWED if the delivery cannot get another route, NOT_FOUND if it is gone. */
function mustAllowReroute(d: LiveDelivery): void {
  mustBeThere(d);
  const { source } = d.subscription;
  if (source === 'binding' || source === 'streaming')
    throw notRouted(d, source === 'binding' ? 'it is an event of a binding' : 'it goes to a stream');
  if (!REROUTED.includes(d.state)) throw notAllowed(d, 'user.reroute');
}

/** State of a delivery before a person dropped it. Throws Refusal TRANSITION_NOT_ALLOWED if it ended otherwise. */
function beforeDrop({ state, lastTransition, deliveryId }: LiveDelivery): BeforeDrop {
  const isByHand = state === 'dropped' && lastTransition?.rule === 'user.drop';
  const before = isByHand ? BEFORE_DROP.find((each) => each === lastTransition.from) : undefined;
  if (before !== undefined) return before;
  const reason = 'only a drop by hand can be undone, as long as nothing has followed it';
  throw new Refusal('TRANSITION_NOT_ALLOWED', { reason }, { data: { state: state ?? 'queued', deliveryId } });
}

const DROPPED_AT_PUBLISH =
  'the message was dropped while it was held at publish, which cannot be undone; replay it to publish it';

/** Refusals for messages that were dropped before they had deliveries. Throws Refusal TRANSITION_NOT_ALLOWED for a single one. */
function refusedUndo({ droppedBefore, single }: Found): readonly Refused[] {
  const code = 'TRANSITION_NOT_ALLOWED';
  const [message] = droppedBefore;
  if (message !== undefined && single)
    throw new Refusal(
      code,
      { reason: DROPPED_AT_PUBLISH },
      { data: { state: 'dropped', messageId: message.messageId } },
    );
  return droppedBefore.map(() => ({ deliveryId: '', code, state: 'dropped', reason: DROPPED_AT_PUBLISH }));
}

/** Throws Refusal TRANSITION_NOT_ALLOWED if the delivery's state does not allow the act, NOT_FOUND if it is gone. */
function mustAllow(act: 'retry' | 'release' | 'deadLetter', d: LiveDelivery): void {
  mustBeThere(d);
  const input = act === 'deadLetter' ? 'user.dead-letter' : (`user.${act}` as const);
  if (d.state === null || !statesLeftBy(act).includes(d.state)) throw notAllowed(d, input);
}

/** A delivery cannot change its topic: that would be another message. */
function withoutTopic({ topic: _topic, ...changes }: MessageChanges): MessageChanges {
  return changes;
}

function notRouted(d: LiveDelivery, why: string): Refusal {
  return new Refusal(
    'TRANSITION_NOT_ALLOWED',
    { reason: `it has no route: ${why}` },
    { data: { state: d.state ?? 'queued', deliveryId: d.deliveryId } },
  );
}

/** Throws a refusal for parameters that the release cannot use, instead of ignoring them. */
function checkRelease(
  d: LiveDelivery,
  changes: MessageChanges | undefined,
  answer: Answer | undefined,
): void {
  const isAnswer = d.heldAnswer !== undefined;
  const isObserved = d.message.row.tap !== undefined && d.state === 'held';
  if (answer !== undefined && !isAnswer && !isObserved)
    throw unusable('answer', 'a delivery held at response, or one that a tap observes');
  if (answer !== undefined && changes !== undefined) throw unusable('changes', 'changes or an answer');
  if (changes !== undefined && isAnswer) throw unusable('changes', 'a delivery held before its attempt');
  for (const member of ['topic', 'metadata'] as const) {
    if (changes?.[member] !== undefined)
      throw unusable(`changes.${member}`, 'data, contentType or attributes');
  }
}

function unusable(field: string, expected: string): Refusal {
  return new Refusal(
    'INVALID_PARAMS',
    { reason: `${field} cannot be used here; expected ${expected}` },
    { field, expected },
  );
}
