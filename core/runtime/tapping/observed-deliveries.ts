/** Observed deliveries: found or created for each call, then attempted, held or cut. */
import type { Subscription } from '../../contract/subscription.ts';
import { hasEnded } from '../../domain/delivery-end.ts';
import { deliverySettings } from '../../domain/subscription.ts';
import { after } from '../../domain/maybe-promise.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Moment } from '../../ports/tap.ts';
import type { SharedServices } from '../common-services.ts';
import type { BeforeAttempt } from '../delivering/before-attempt.ts';
import type { Intake } from '../delivering/intake.ts';
import type { Outcomes } from '../delivering/outcome.ts';
import { SIDECAR_DECIDES } from '../delivering/outcome.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { LiveDelivery, LiveMessage } from '../state/live.ts';
import { keyOfId } from './identity.ts';
import type { PassingEvent } from './identity.ts';
import type { KeptBack, KeptPassage } from './kept-back.ts';
import type { KeyedQueue } from './keyed-queue.ts';
import { bulkOf, startedOf } from './observed-call.ts';
import type { RunningCall, Part } from './observed-call.ts';
import type { ObservedMessages } from './observed-messages.ts';
import type { OpenDeliveries } from './open-deliveries.ts';

export interface ObservedDeliveryDependencies {
  readonly messages: ObservedMessages;
  readonly intake: Intake;
  readonly deliveries: Deliveries;
  readonly outcomes: Outcomes;
  readonly beforeAttempt: BeforeAttempt;
  readonly queue: KeyedQueue;
  readonly kept: KeptBack;
  readonly open: OpenDeliveries;
  /**
   * Reports what has passed all taps but this one; false: there is no other.
   * @param until absent: now
   */
  readonly reportOthers: (tap: string, until: Moment | undefined) => MaybePromise<boolean>;
}

/** Members of a call that are used here. */
type CallFacts = Pick<RunningCall, 'seen' | 'started'>;

export class ObservedDeliveries {
  readonly #shared: SharedServices;
  readonly #deps: ObservedDeliveryDependencies;
  readonly #subscriptions = new WeakMap<Subscription, LiveDelivery['subscription']>();
  /** Id of the copy that passed before the end of the delivery's running call was known. */
  readonly #earlyCopies = new WeakMap<LiveDelivery, string>();

  constructor(shared: SharedServices, deps: ObservedDeliveryDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /**
   * Brings a delivery to its attempt.
   * @returns undefined: the attempt has begun; otherwise the hold that holds it
   */
  enter(call: CallFacts, part: Part): MaybePromise<KeptPassage | undefined> {
    const { appId: tap, subscription } = call.seen;
    const { passing } = part;
    const isMoved = passing.ownTopic !== undefined && passing.ownTopic !== passing.address.topic;
    return after(isMoved ? this.#givenUp(passing, tap) : undefined, (copyOf) => {
      const { atMs } = call.started;
      const reportOthers = (): MaybePromise<boolean> => this.#deps.reportOthers(tap, call.seen.at);
      const from = { tap, isRaw: subscription.rawPayload === true, atMs, copyOf, reportOthers };
      return after(this.#deps.messages.of(passing, from), (message) => {
        if (copyOf !== undefined) this.#deadLettered(copyOf, message, from.atMs);
        return this.#reach(call, part, message);
      });
    });
  }

  /**
   * Notes that the call has ended without an answer for the sidecar. A held answer of the app stays in the history.
   * @param atMs when; undefined: now
   */
  cut(delivery: LiveDelivery, note: string, atMs: number | undefined): void {
    if (delivery.state !== 'attempting' && delivery.state !== 'held' && delivery.state !== 'queued') return;
    const attempt = delivery.heldAnswer?.attempt;
    if (delivery.attemptId !== undefined) this.#shared.live.endAttempt(delivery.attemptId);
    delivery.cut();
    const more = { note: `${note} ${SIDECAR_DECIDES}`, atMs, ...(attempt === undefined ? {} : { attempt }) };
    const { deliveries, outcomes, kept } = this.#deps;
    deliveries.move(delivery, { type: 'tap.lost' }, more);
    outcomes.awaitObserved(delivery);
    kept.release(delivery);
    this.callEnded(delivery);
  }

  /** As `enter`, with the message. */
  #reach(call: CallFacts, part: Part, message: LiveMessage): KeptPassage | undefined {
    const { seen } = call;
    const delivery = this.#deliveryOf(call, message);
    part.d = delivery;
    delivery.noteObservedCall(seen.givesUpMs);
    if (seen.isBulk) delivery.nameEntry(part.event.entryId);
    const { atMs } = call.started;
    this.#makeReady(delivery, atMs);
    const { beforeAttempt, kept } = this.#deps;
    if (seen.mayStop && !beforeAttempt.admit(delivery, part.event.wire)) {
      const attempt = { protocol: seen.protocol, ...bulkOf(seen, part) };
      return kept.delivery(delivery, attempt, () => this.#start(call, part, delivery, undefined));
    }
    this.#start(call, part, delivery, atMs);
    return undefined;
  }

  /** The delivery whose dead-letter copy an event is; undefined: it was not seen here. */
  #givenUp({ address, ownTopic, id }: PassingEvent, appId: string): MaybePromise<LiveDelivery | undefined> {
    if (ownTopic === undefined || id === undefined) return undefined;
    const { queue, messages } = this.#deps;
    const first = { pubsubname: address.pubsubname, topic: ownTopic };
    // The last answer of the delivery passed before its copy did.
    return queue.run(keyOfId(first, id), async () => {
      const message = await messages.seen(first, id);
      const found = message?.deliveries.find(
        (delivery) =>
          delivery.appId === appId && delivery.subscription.settings?.deadLetterTopic === address.topic,
      );
      if (message !== undefined && found === undefined) this.#shared.live.removeIfFinished(message);
      return found;
    });
  }

  /** Marks the delivery as dead-lettered: its sidecar publishes a copy of a dropped message, or of one whose attempts are used up. */
  #deadLettered(delivery: LiveDelivery, { messageId, row: { topic } }: LiveMessage, atMs: number): void {
    const { deliveries } = this.#deps;
    if (delivery.deadLetter !== undefined) {
      // Looking for the original may have brought it back from the history.
      this.#shared.live.removeIfFinished(delivery.message);
      return;
    }
    delivery.noteDeadLetter(topic, messageId);
    // A sidecar that waits no longer ends its call and publishes the copy in the same moment.
    if (delivery.state === 'attempting') this.#earlyCopies.set(delivery, messageId);
    if (delivery.state === 'retrying') this.#giveUp(delivery, messageId, atMs);
    else void deliveries.changed(delivery).then(() => this.#shared.live.removeIfFinished(delivery.message));
  }

  /** Ends a delivery whose call has ended now, and whose copy has passed before. */
  callEnded(delivery: LiveDelivery): void {
    const copy = this.#earlyCopies.get(delivery);
    if (copy === undefined) return;
    this.#earlyCopies.delete(delivery);
    if (delivery.state === 'retrying') this.#giveUp(delivery, copy, undefined);
  }

  #giveUp(delivery: LiveDelivery, copy: string, atMs: number | undefined): void {
    const note = `The copy is message ${copy}.`;
    this.#deps.deliveries.move(delivery, { type: 'tap.dead-letter' }, { note, atMs });
  }

  #deliveryOf({ seen, started }: CallFacts, message: LiveMessage): LiveDelivery {
    const { subscription, route, appId } = seen;
    const { pubsubname, topic } = subscription;
    const known = message.deliveries.find(
      (delivery) =>
        delivery.appId === appId &&
        delivery.subscription.topic === topic &&
        delivery.subscription.pubsubname === pubsubname,
    );
    if (known !== undefined) {
      known.reroute(route);
      return known;
    }
    const delivery = this.#deps.intake.blank({ appId }, this.#storedOf(subscription), message, undefined);
    delivery.beginObserved(route);
    const { live } = this.#shared;
    // A message without deliveries ends once it is on disk, so it is added again: acts have to find this object, not another copy of it.
    if (live.message(message.messageId) === undefined) live.add(message);
    live.addDelivery(delivery);
    this.#deps.deliveries.move(delivery, { type: 'accept' }, { atMs: started.atMs });
    return delivery;
  }

  /** Subscription of deliveries: one object for all created under it. */
  #storedOf(subscription: Subscription): LiveDelivery['subscription'] {
    const known = this.#subscriptions.get(subscription);
    if (known !== undefined) return known;
    const { pubsubname, topic, source } = subscription;
    const stored = { pubsubname, topic, source, settings: deliverySettings(subscription) };
    this.#subscriptions.set(subscription, stored);
    return stored;
  }

  /** Prepares a delivery that is sent again for an attempt or a hold. */
  #makeReady(delivery: LiveDelivery, atMs: number): void {
    const { deliveries, open } = this.#deps;
    open.add(delivery);
    if (delivery.state === 'attempting' || delivery.state === 'held')
      this.cut(delivery, 'The sidecar sent it again before it had an answer.', atMs);
    else if (hasEnded(delivery) && !delivery.silent)
      deliveries.move(delivery, { type: 'tap.again' }, { note: 'The sidecar sent it again.', atMs });
  }

  /** @param atMs when the call passed; undefined: it was held, and goes on now */
  #start(call: CallFacts, part: Part, delivery: LiveDelivery, atMs: number | undefined): void {
    const { attemptId } = call.started;
    this.#earlyCopies.delete(delivery);
    const again = delivery.beginAttempt(attemptId);
    part.attemptId = attemptId;
    delivery.beginCall(startedOf(call, part, delivery), undefined);
    this.#shared.live.beginAttempt(attemptId, [delivery]);
    this.#deps.deliveries.move(delivery, { type: 'start', again }, { atMs });
  }
}
