/** Turns a message from the component into a delivery: joined, routed, or ended with the reason. */
import { theApp } from '../../contract/app-text.ts';
import { counted } from '../../contract/count-text.ts';
import { clause, errorText } from '../../contract/error-text.ts';
import type { Protocol } from '../../contract/grpc.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { Subscription } from '../../contract/subscription.ts';
import type { Wire } from '../../domain/codec.ts';
import { binaryEvent } from '../../domain/binary-event.ts';
import { isTaken } from '../../domain/delivery-end.ts';
import { readEvent } from '../../domain/inbound.ts';
import type { Input } from '../../domain/machine.ts';
import { MATCH_STEPS } from '../../domain/match.ts';
import { Steps } from '../../domain/steps.ts';
import { expirationOf } from '../../domain/ttl.ts';
import { DONE_AT_ONCE } from '../../ports/pubsub.ts';
import type { InboundMessage, Taken } from '../../ports/pubsub.ts';
import type { HidingJournal } from '../persistence/hiding-journal.ts';
import type { App, Lane } from '../state/app.ts';
import { Arrivals } from './arrivals.ts';
import { copyNote } from './dead-letters.ts';
import type { DeadLetters } from './dead-letters.ts';
import { liveDelivery } from '../state/live-state.ts';
import type { DeliveryOf } from '../state/live-state.ts';
import type { Deliveries } from '../state/delivery.ts';
import { countedAs, laneKey, laneName, rowOf } from '../state/live.ts';
import type { ActiveSubscription, LiveDelivery, LiveMessage } from '../state/live.ts';
import type { Outcomes } from './outcome.ts';
import { destinationOf } from './destination.ts';
import type { Destination, NoDestination } from './destination.ts';
import { isOf, KnownDeliveries } from './known-deliveries.ts';
import { handedOn } from './request.ts';
import { RuleTurns } from './rule-turns.ts';
import type { Policies } from '../state/policies.ts';
import type { Acceptance } from '../publishing/acceptance.ts';
import type { SharedServices } from '../common-services.ts';
import { iso, msOf } from '../time/time.ts';

export interface IntakeDependencies {
  readonly journal: HidingJournal;
  readonly deliveries: Deliveries;
  readonly outcomes: Outcomes;
  readonly deadLetters: DeadLetters;
  readonly policies: Policies;
  readonly acceptance: Acceptance;
}

/** A subscription of the last run, and how its app was called. */
export interface EarlierSubscription {
  readonly active: ActiveSubscription;
  readonly protocol: Protocol;
}

export class Intake {
  readonly #shared: SharedServices;
  readonly #deps: IntakeDependencies;
  readonly #arrivals: Arrivals;
  readonly #known = new KnownDeliveries();
  readonly #turns: RuleTurns;
  /** For each lane the newest of the messages that are being looked up, until its delivery exists. */
  readonly #arriving = new Map<Lane, Promise<void>>();
  readonly #made = new WeakMap<ActiveSubscription, LiveDelivery['subscription']>();
  #lastOf: DeliveryOf | undefined;

  constructor(shared: SharedServices, deps: IntakeDependencies) {
    this.#shared = shared;
    this.#deps = deps;
    this.#arrivals = new Arrivals(shared, deps);
    this.#turns = new RuleTurns(shared);
  }

  /**
   * Callback of a component's subscription. Resolves when the delivery has ended or is parked (then `done`).
   * @param redelivers false: the component keeps nothing that it could deliver again, so it is answered at once and nothing stays in memory
   * as long as the delivery is open
   */
  take(app: App, lane: Lane, inbound: InboundMessage, redelivers = true): Promise<Taken> {
    const message = this.#arrivals.live(inbound);
    // Synchronous where possible: the deliveries exist when the in-memory component's publish resolves.
    if (message !== undefined) {
      const known = this.#known.of(lane, message);
      if (known !== undefined) return this.#join(known, inbound);
      // A component that keeps nothing is answered at once, so its delivery cannot wait for an earlier one.
      if (inbound.wire !== undefined && !(redelivers && this.#arriving.has(lane))) {
        const d = this.create(app, lane, message, inbound.metadata, inbound.wire);
        return redelivers ? this.#join(d, inbound) : DONE_AT_ONCE;
      }
    }
    return this.#takeArrival(app, lane, inbound);
  }

  /** Delivers messages that the broker lost, from the journal; deleted ones, and those with a delivery already, are skipped. */
  async takeLost(app: App, lane: Lane, messageIds: readonly string[]): Promise<void> {
    const { journal, log } = this.#shared;
    const { pubsubname, topic } = lane.key;
    let goOn = 0;
    let trouble = '';
    try {
      for (const messageId of messageIds) {
        const source = await journal.get(messageId);
        if (source === undefined || source.deliveries.some(({ delivery }) => isOf(lane, delivery))) continue;
        const { wire, metadata } = source.message;
        goOn += 1;
        // This is not awaited, because the delivery may be held for hours.
        this.#takeArrival(app, lane, { messageId, topic: source.row.topic, wire, metadata }).catch(
          (error: unknown) =>
            log.write(
              'error',
              'components',
              `The message stays in the history and is not delivered: ${String(error)}`,
              { messageId },
            ),
        );
      }
    } catch (error) {
      trouble = ` The history could not be read to its end: ${errorText(error)}`;
    }
    if (goOn === 0 && trouble === '') return;
    const [were, them] = goOn === 1 ? ['was', 'it'] : ['were', 'them'];
    const text =
      goOn === 0
        ? `Messages of ${topic} that ${pubsubname} lost are not delivered to ${theApp(app.appId)}.`
        : `${counted(goOn, 'message')} of ${topic} ${were} lost by ${pubsubname} before ${theApp(app.appId)} had ${them}. Sidelight delivers ${them} from the history.`;
    log.write(trouble === '' ? 'warn' : 'error', 'components', text + trouble);
  }

  /** Creates the delivery of a message for a lane; `headers` come from the component. */
  create(
    app: App,
    lane: Lane,
    message: LiveMessage,
    headers: InboundMessage['metadata'] | undefined,
    wire: Wire,
  ): LiveDelivery {
    const { active } = lane;
    const d = this.blank(app, this.#subscriptionOf(lane), message, headers);
    const { protocol = 'http' } = lane.channel ?? app.channel;
    this.#start(d, active, wire, protocol);
    return d;
  }

  /**
   * Creates the delivery that a message of the last run had in memory only, as it was made then; not if it is there. Whether its app has that
   * subscription still does not matter: the delivery waits for it.
   */
  restore(message: LiveMessage, { active, protocol }: EarlierSubscription, wire: Wire): void {
    const { subscription } = active;
    const key = laneKey({ appId: subscription.appId, subscription });
    if (message.deliveries.some((d) => isOfSame(d, subscription))) return;
    const { memoryHeaders } = this.#shared.profile.differences;
    const headers = memoryHeaders === 'message' ? message.metadata : subscription.metadata;
    const d = this.blank(subscription, this.#subscriptionOf({ key, active }), message, headers);
    this.#start(d, active, wire, protocol);
  }

  /** Adds a new delivery to its message and gives it its route, or ends it. */
  #start(d: LiveDelivery, active: ActiveSubscription | undefined, wire: Wire, protocol: Protocol): void {
    this.#shared.live.addDelivery(d);
    if (active?.routes.needsEvent === true && this.#waits(d.message))
      void this.#beginLater(d, active, protocol);
    else {
      const why = this.#begin(d, active, wire, protocol);
      if (why !== undefined) void this.#end(d, why);
    }
  }

  /** Whether the rules of a message wait for a later turn of the event loop. */
  #waits({ row }: LiveMessage): boolean {
    return this.#turns.isOver || this.#shared.bodyTurns.isOver(row.sizeBytes);
  }

  /** Creates a delivery with the route of another one, whatever the rules say now. */
  repeat(app: App, like: LiveDelivery, message: LiveMessage, wire: Wire): LiveDelivery {
    const delivery = this.blank(app, like.subscription, message, like.headers);
    this.#shared.live.addDelivery(delivery);
    const { active } = app.lanes.get(laneName(laneKey(delivery))) ?? {};
    const isBinding = like.subscription.source === 'binding';
    delivery.begin(like.route, isBinding ? undefined : this.#expiry(delivery, wire, active));
    this.#deps.deliveries.move(delivery, { type: 'accept' });
    this.#deps.outcomes.armTtl(delivery);
    return delivery;
  }

  /** Subscription of the deliveries of a lane: one object for all deliveries created under it. */
  #subscriptionOf({ key, active }: Pick<Lane, 'key' | 'active'>): LiveDelivery['subscription'] {
    const { pubsubname, topic, stream } = key;
    const further = stream === undefined || stream === 1 ? {} : { stream };
    const known = active === undefined ? undefined : this.#made.get(active);
    if (known !== undefined && known.stream === further.stream) return known;
    const source = active?.subscription.source ?? 'programmatic';
    const settings = active === undefined ? {} : { settings: active.settings };
    const made = { pubsubname, topic, source, ...further, ...settings };
    if (active !== undefined) this.#made.set(active, made);
    return made;
  }

  /** App, subscription and counters of a delivery: the object of the previous delivery, if equal. */
  #of(topic: string, appId: string, subscription: LiveDelivery['subscription']): DeliveryOf {
    const last = this.#lastOf;
    const isSame =
      last?.appId === appId && last.subscription === subscription && last.counted.topic === topic;
    if (isSame) return last;
    const of = { appId, subscription, counted: countedAs(topic, { appId, subscription }) };
    this.#lastOf = of;
    return of;
  }

  /** A delivery in which nothing has happened yet. */
  blank(
    app: Pick<App, 'appId'>,
    subscription: LiveDelivery['subscription'],
    message: LiveMessage,
    headers: InboundMessage['metadata'] | undefined,
  ): LiveDelivery {
    const policy = this.#deps.policies.retryFor(app.appId, subscription.pubsubname, message.row.topic);
    const of = this.#of(message.row.topic, app.appId, subscription);
    const { ids } = this.#shared;
    const delivery = liveDelivery(ids.next('delivery'), message, of, policy.maxAttempts, headers);
    if (subscription.settings?.bulk !== undefined) delivery.nameEntry(ids.uuid());
    return delivery;
  }

  /**
   * Gives a delivery its route and queues it.
   * @returns why it has no route; then nothing has happened to it
   */
  #begin(
    delivery: LiveDelivery,
    active: ActiveSubscription | undefined,
    wire: Wire,
    protocol: Protocol,
  ): NoDestination | undefined {
    const { deliveries, outcomes } = this.#deps;
    if (active === undefined) return { kind: 'none' };
    const found = this.#destination(delivery, active, wire, protocol);
    if (found.kind !== 'path') return found;
    const isRaw = active.subscription.rawPayload === true;
    delivery.begin(found.route, isRaw ? undefined : this.#expiry(delivery, wire, active));
    deliveries.move(delivery, { type: 'accept' });
    outcomes.armTtl(delivery);
    return undefined;
  }

  /** Destination of a delivery by the present rules, for its present body. Rejects if the journal cannot read the body. */
  async destination(d: LiveDelivery, active: ActiveSubscription, protocol: Protocol): Promise<Destination> {
    const wire = await this.#shared.live.wireOf(d);
    const find = (): Destination => this.#destination(d, active, wire, protocol);
    return this.#turns.isOver ? this.#turns.later(d, find) : find();
  }

  /** Lets deliveries wait for their match rules until the returned function is called. */
  pauseRules(): () => void {
    this.#turns.pause();
    return () => this.#turns.goOn();
  }

  /** Number of deliveries whose match rules are evaluated before those of this one; undefined: it does not wait for that. */
  rulesAhead(d: LiveDelivery): number | undefined {
    return this.#turns.ahead(d);
  }

  #destination(d: LiveDelivery, active: ActiveSubscription, wire: Wire, protocol: Protocol): Destination {
    const steps = new Steps(MATCH_STEPS);
    const found = destinationOf(this.#shared, active, d, wire, protocol, steps);
    this.#turns.spent(steps.work);
    return found;
  }

  /**
   * Begins a delivery later, because rules of others have taken long. It is in the journal: until it has begun, a restart publishes its
   * message again.
   */
  async #beginLater(d: LiveDelivery, active: ActiveSubscription, protocol: Protocol): Promise<void> {
    const { live, events, backpressure, bodyTurns } = this.#shared;
    // Without a state it would count nowhere, however many of them wait.
    const begun = live.backlog.waits(d);
    backpressure.waits(d);
    const begin = async (): Promise<NoDestination | undefined> => {
      if (d.message.isRemoved) return undefined;
      try {
        const wire = await live.wire(d.message);
        bodyTurns.begin(d.message.row.sizeBytes);
        const why = this.#begin(d, active, wire, protocol);
        if (why === undefined) begun();
        return why;
      } catch (error) {
        return { kind: 'undeliverable', rule: 'policy.unreadable', note: errorText(error) };
      }
    };
    await this.#deps.deliveries.alone(d, async () => {
      // Shows the delivery in its row now; otherwise the message would seem to have no subscription.
      const row = (): MessageRow => rowOf(d.message, iso);
      const { number } = d.message.row;
      events.addRow(number, row);
      const isThere = this.#deps.journal.late.add(number, row);
      try {
        const why = await this.#turns.later(d, begin);
        if (why !== undefined) await this.#ended(d, why);
      } finally {
        isThere();
        begun();
        backpressure.changed(d);
      }
    });
  }

  #expiry(d: LiveDelivery, wire: Wire, active: ActiveSubscription | undefined): number | undefined {
    const { message } = d;
    if (message.row.expiresAt !== undefined) return msOf(message.row.expiresAt);
    if (!message.row.raw) return undefined;
    const { codec, profile } = this.#shared;
    const binary = binaryEvent(wire, handedOn(d, { active }, profile), codec);
    if (binary !== undefined) return expirationOf(binary);
    // A raw JSON object that happens to carry `expiration` is checked for a normal subscription (behaviour 2.1).
    const read = readEvent(wire, codec);
    return read.ok ? expirationOf(read.event) : undefined;
  }

  /** Ends a delivery without an attempt (M17 to M20); if there is a dead-letter topic, the copy is published first. */
  async #end(d: LiveDelivery, why: NoDestination): Promise<void> {
    const { deliveries, outcomes } = this.#deps;
    if (outcomes.deadLetterTopic(d) === undefined) await this.#ended(d, why);
    else await deliveries.alone(d, () => this.#ended(d, why));
  }

  /** Ends the delivery; it is locked while its copy is published. */
  async #ended(d: LiveDelivery, why: NoDestination): Promise<void> {
    const { deliveries, deadLetters, outcomes } = this.#deps;
    this.#logEnd(d, why);
    const own = why.kind === 'undeliverable' ? why.note : undefined;
    const topic = outcomes.deadLetterTopic(d);
    if (topic === undefined) {
      deliveries.move(d, endInput(why, false), own === undefined ? {} : { note: own });
      return;
    }
    const copy = await deadLetters.copy(d, topic);
    const note = own === undefined ? copyNote(copy) : `${clause(own)}. ${copyNote(copy)}`;
    // If the copy was refused, the delivery is parked, not dropped, so that the message is not lost.
    const input: Input = copy.ok
      ? endInput(why, true)
      : {
          type: 'undeliverable',
          deadLetter: false,
          rule: why.kind === 'none' ? 'policy.no-route' : why.rule,
        };
    deliveries.move(d, input, { note });
  }

  #logEnd(d: LiveDelivery, why: NoDestination): void {
    const rule = why.kind === 'none' ? 'policy.no-route' : why.rule;
    this.#shared.log.write(
      why.kind === 'none' ? 'warn' : 'error',
      'routing',
      why.kind === 'none'
        ? 'No rule matched and the subscription has no default route.'
        : `Not sent to the app: ${why.note}`,
      { messageId: d.message.messageId, deliveryId: d.deliveryId, rule },
    );
  }

  /** Resolves when the delivery has ended. The component waits for this, so `inbound` must not be kept in memory. */
  #join(delivery: LiveDelivery, { broker }: InboundMessage): Promise<Taken> {
    const { message } = delivery;
    this.#shared.expected.came(message);
    if (broker !== undefined && message.row.broker === undefined)
      this.#deps.deliveries.placed(message, broker);
    // The component also has to wait until the end of the delivery is on disk.
    if (isTaken(delivery) && message.unwrittenRecords === 0) return Promise.resolve('done');
    return new Promise((done) => delivery.whenEnded(done));
  }

  async #deliveryOf(
    app: App,
    lane: Lane,
    message: LiveMessage,
    { wire, metadata }: InboundMessage,
  ): Promise<LiveDelivery> {
    const known = this.#known.of(lane, message);
    if (known !== undefined) return known;
    const body = wire ?? (await this.#shared.live.wire(message));
    return this.#known.of(lane, message) ?? this.create(app, lane, message, metadata, body);
  }

  /**
   * Takes a message that may have to be read from the journal. Its delivery is created behind those of earlier messages of its lane, so
   * that the broker's order holds.
   */
  async #takeArrival(app: App, lane: Lane, inbound: InboundMessage): Promise<Taken> {
    const arrived = this.#arrive(app, lane, inbound, this.#arriving.get(lane));
    const settled = (): void => {
      if (this.#arriving.get(lane) === created) this.#arriving.delete(lane);
    };
    const created: Promise<void> = arrived.then(settled, settled);
    this.#arriving.set(lane, created);
    const found = await arrived;
    return found === undefined ? 'done' : found.taken;
  }

  /**
   * Creates the delivery of an arrival.
   * @param before resolves when the deliveries of earlier arrivals exist
   * @returns the end of the delivery; undefined: the message was removed
   */
  async #arrive(
    app: App,
    lane: Lane,
    inbound: InboundMessage,
    before: Promise<void> | undefined,
  ): Promise<{ readonly taken: Promise<Taken> } | undefined> {
    const message = await this.#arrivals.find(app, lane, inbound);
    if (message === undefined) return undefined;
    try {
      await before;
      if (message.isRemoved) return undefined;
      return { taken: this.#join(await this.#deliveryOf(app, lane, message, inbound), inbound) };
    } finally {
      // The message may have ended before the broker knew, and then nothing of it is open.
      this.#shared.live.release(message);
    }
  }
}

/** Whether a delivery is of this subscription; the streams of a topic count as one. */
function isOfSame({ appId, subscription: of }: LiveDelivery, subscription: Subscription): boolean {
  const isSameTopic = of.pubsubname === subscription.pubsubname && of.topic === subscription.topic;
  const areStreams = [of, subscription].filter(({ source }) => source === 'streaming').length;
  return appId === subscription.appId && isSameTopic && areStreams !== 1;
}

function endInput(why: NoDestination, deadLetter: boolean): Input {
  return why.kind === 'none'
    ? { type: 'unroutable', deadLetter }
    : { type: 'undeliverable', deadLetter, rule: why.rule };
}
