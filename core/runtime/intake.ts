/** From a message the component hands over to its delivery: joined, routed, or ended with the reason. */
import type { Subscription } from '../contract/subscription.ts';
import type { Wire } from '../domain/codec.ts';
import { readEvent } from '../domain/inbound.ts';
import { rawEvent } from '../domain/raw-wrapper.ts';
import { chooseRoute } from '../domain/routing.ts';
import type { RouteChoice } from '../domain/routing.ts';
import { expirationOf } from '../domain/ttl.ts';
import type { InboundMessage, Taken } from '../ports/pubsub.ts';
import type { App, Lane } from './app.ts';
import { Arrivals } from './arrivals.ts';
import { copyNote } from './dead-letters.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { Deliveries } from './delivery.ts';
import type { ActiveSubscription, LiveDelivery, LiveMessage } from './live.ts';
import { isEnded } from './live-set.ts';
import type { Outcomes } from './outcome.ts';
import type { Policies } from './policies.ts';
import type { Publisher } from './publisher.ts';
import type { Shared } from './shared.ts';
import { msOf } from './time.ts';

export interface IntakeParts {
  readonly deliveries: Deliveries;
  readonly outcomes: Outcomes;
  readonly deadLetters: DeadLetters;
  readonly policies: Policies;
  readonly publisher: Publisher;
}

type Placed =
  | { readonly kind: 'path'; readonly route: LiveDelivery['route'] }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'undeliverable';
      readonly rule: 'policy.route-error' | 'policy.unreadable';
      readonly note: string;
    };

export class Intake {
  readonly #shared: Shared;
  readonly #parts: IntakeParts;
  readonly #arrivals: Arrivals;

  constructor(shared: Shared, parts: IntakeParts) {
    this.#shared = shared;
    this.#parts = parts;
    this.#arrivals = new Arrivals(shared, parts);
  }

  /** What a component's subscription calls. Resolves when the delivery has ended or is parked (then `done`). */
  take(app: App, lane: Lane, inbound: InboundMessage): Promise<Taken> {
    const message = this.#arrivals.live(inbound);
    // Synchronous where it can be: the deliveries exist when the in-memory component's publish resolves.
    if (message !== undefined) return this.#takeLive(app, lane, message, inbound);
    return this.#takeArrival(app, lane, inbound);
  }

  /** Makes the delivery of a message for a lane; `headers` come from the component. */
  create(
    app: App,
    lane: Lane,
    message: LiveMessage,
    headers: InboundMessage['metadata'] | undefined,
    wire: Wire,
  ): LiveDelivery {
    const active = lane.active;
    const source = active?.subscription.source ?? 'programmatic';
    const { pubsubname, topic } = lane.key;
    const d = this.blank(app, { pubsubname, topic, source }, message, headers);
    this.#shared.live.addDelivery(d);
    this.#begin(d, active, wire);
    return d;
  }

  /** A delivery in which nothing has happened yet. */
  blank(
    app: App,
    subscription: LiveDelivery['subscription'],
    message: LiveMessage,
    headers: InboundMessage['metadata'] | undefined,
  ): LiveDelivery {
    const policy = this.#parts.policies.retryFor(subscription.pubsubname, message.row.topic);
    return {
      deliveryId: this.#shared.ids.next('delivery'),
      message,
      appId: app.appId,
      subscription,
      entryId: this.#shared.ids.uuid(),
      route: { path: '' },
      state: null,
      attemptCount: 0,
      roundStart: 0,
      maxAttempts: policy.maxAttempts,
      dueMs: undefined,
      expiresAtMs: undefined,
      heldBy: undefined,
      heldAt: undefined,
      deadLetter: undefined,
      releasedFrom: [],
      changedWire: undefined,
      lastAnswer: undefined,
      lastDurationMs: undefined,
      lastEndMs: undefined,
      headers,
      queued: false,
      busy: undefined,
      call: undefined,
      attemptId: undefined,
      heldAnswer: undefined,
      timer: 0,
      done: [],
      lastTransition: undefined,
    };
  }

  /** Where a subscription sends this message. Also used when a person retries a delivery that had no route. */
  place(subscription: Subscription, active: ActiveSubscription, message: LiveMessage, wire: Wire): Placed {
    const { codec, profile } = this.#shared;
    if (subscription.rawPayload === undefined) {
      return {
        kind: 'undeliverable',
        rule: 'policy.unreadable',
        note: 'its rawPayload value could not be read',
      };
    }
    let event: Readonly<Record<string, unknown>> | string;
    if (subscription.rawPayload) {
      if (!active.routes.needsEvent) return placed(chooseRoute(active.routes, {}));
      const facts = {
        id: this.#shared.ids.uuid(),
        topic: message.row.topic,
        pubsubname: subscription.pubsubname,
        profile,
        codec,
      };
      event =
        subscription.bulk === undefined
          ? rawEvent(wire, facts)
          : typeof wire === 'string'
            ? wire
            : codec.toText(wire);
    } else {
      // Our own envelopes are JSON objects by construction; without rules nothing of them is needed.
      if (!active.routes.needsEvent && !message.row.raw) {
        return placed(chooseRoute(active.routes, {}));
      }
      const read = readEvent(wire, codec);
      if (!read.ok) return { kind: 'undeliverable', rule: 'policy.unreadable', note: read.reason };
      event = read.event;
    }
    return placed(chooseRoute(active.routes, event));
  }

  #begin(d: LiveDelivery, active: ActiveSubscription | undefined, wire: Wire): void {
    const { deliveries, outcomes } = this.#parts;
    if (active === undefined) {
      void this.#end(d, { kind: 'none' });
      return;
    }
    const found = this.place(active.subscription, active, d.message, wire);
    if (found.kind !== 'path') {
      void this.#end(d, found);
      return;
    }
    d.route = found.route;
    if (active.subscription.rawPayload !== true) d.expiresAtMs = this.#expiry(d.message, wire);
    void deliveries.apply(d, { type: 'accept' });
    outcomes.armTtl(d);
  }

  #expiry(message: LiveMessage, wire: Wire): number | undefined {
    if (message.row.expiresAt !== undefined) return msOf(message.row.expiresAt);
    if (!message.row.raw) return undefined;
    // A raw JSON object that happens to carry `expiration` is checked for a normal subscription (reference 2.1).
    const read = readEvent(wire, this.#shared.codec);
    return read.ok ? expirationOf(read.event) : undefined;
  }

  /** M17 to M20: no attempt is made; the copy goes first where there is a dead-letter topic. */
  async #end(d: LiveDelivery, why: Exclude<Placed, { kind: 'path' }>): Promise<void> {
    const { deliveries, deadLetters, outcomes } = this.#parts;
    const topic = outcomes.deadLetterTopic(d);
    let deadLetter = false;
    const notes = why.kind === 'undeliverable' ? [why.note] : [];
    if (topic !== undefined) {
      let free: () => void = () => undefined;
      d.busy = new Promise<void>((go) => (free = go));
      const copy = await deadLetters.copy(d, topic);
      d.busy = undefined;
      free();
      deadLetter = copy.ok;
      notes.push(copyNote(copy));
    }
    const more = notes.length === 0 ? {} : { note: notes.join(' ') };
    const { messageId } = d.message;
    if (why.kind === 'none') {
      this.#shared.log.write(
        'warn',
        'routing',
        'No rule matched and the subscription has no default route.',
        { messageId, deliveryId: d.deliveryId, rule: 'policy.no-route' },
      );
      // A dead-letter publish that failed may not lose the message: then it is parked, not dropped.
      if (topic !== undefined && !deadLetter)
        void deliveries.apply(
          d,
          { type: 'undeliverable', deadLetter: false, rule: 'policy.unreadable' },
          more,
        );
      else void deliveries.apply(d, { type: 'unroutable', deadLetter }, more);
      return;
    }
    this.#shared.log.write('error', 'routing', `It was not sent: ${why.note}`, {
      messageId,
      deliveryId: d.deliveryId,
      rule: why.rule,
    });
    void deliveries.apply(d, { type: 'undeliverable', deadLetter, rule: why.rule }, more);
  }

  #takeLive(app: App, lane: Lane, message: LiveMessage, inbound: InboundMessage): Promise<Taken> {
    const { topic, pubsubname } = lane.key;
    const known = message.deliveries.find(
      (d) =>
        d.appId === app.appId && d.subscription.topic === topic && d.subscription.pubsubname === pubsubname,
    );
    const d = known ?? this.create(app, lane, message, inbound.metadata, inbound.wire);
    if (inbound.broker !== undefined && message.row.broker === undefined)
      void this.#parts.deliveries.patchMessage(message, { broker: inbound.broker });
    if (d.state !== null && (d.state === 'parked' || isEnded(d))) return Promise.resolve('done');
    return new Promise((done) => d.done.push(done));
  }

  async #takeArrival(app: App, lane: Lane, inbound: InboundMessage): Promise<Taken> {
    const message = await this.#arrivals.find(app, lane, inbound);
    const taken = this.#takeLive(app, lane, message, inbound);
    // Nothing of it may be open: it ended before the broker heard of that.
    this.#shared.live.removeIfFinished(message);
    return taken;
  }
}

function placed(choice: RouteChoice): Placed {
  switch (choice.kind) {
    case 'path':
      return {
        kind: 'path',
        route: { path: choice.path, ...(choice.rule === undefined ? {} : { rule: choice.rule }) },
      };
    case 'none':
      return { kind: 'none' };
    case 'error':
      return {
        kind: 'undeliverable',
        rule: 'policy.route-error',
        note: `Rule ${choice.index + 1} "${choice.match}" could not be evaluated: ${choice.error}`,
      };
  }
}
