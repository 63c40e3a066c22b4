/** Counters and rates per topic and state, updated by events and never recomputed from the history. */
import { endedEarly, type CountedWithout } from '../../contract/attention.ts';
import { isEndedState, isUnfinishedState, UNFINISHED_STATES } from '../../contract/delivery.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import type { Counts } from '../../contract/console.ts';
import type { MetricsHistory } from '../../contract/reports.ts';
import type { Stage } from '../../contract/words.ts';
import type { StateCounts, SubscriptionLag } from '../../contract/subscription.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TopicName, TopicTotals } from '../../ports/journal.ts';
import { laneName } from '../state/live.ts';
import { Durations, History } from './history.ts';
import type { ObservedTopic } from './observed-topics.ts';
import { PerSecond } from './per-second.ts';
import { placeOf, StateTally } from '../state/state-tally.ts';
import type { Counted } from '../state/state-tally.ts';
import { msOf } from '../time/time.ts';

/**
 * Maximum number of topics with counters, and of characters of their names. Above it the least recently used ones are forgotten, except
 * those with open deliveries.
 */
const MAX_TOPICS = 10_000;
const MAX_CHARACTERS = 1024 * 1024;
/** Share of the topics that is forgotten at a time. */
const FORGOTTEN = 0.1;
/** Maximum number of topics stored for the next start, of which other consumers may have received messages. */
const MAX_OBSERVED = 1000;

export interface TopicMetrics {
  readonly pubsubname: string;
  readonly topic: string;
  published: number;
  readonly states: StateTally;
  /** Number of messages without a subscription that were not replayed. */
  none: number;
  /** Number of messages without a subscription that were replayed since. */
  replayed: number;
  readonly perSecond: PerSecond;
  readonly durations: Durations;
  lastMs: number | undefined;
  /** Ids of tapped apps with messages of the topic. */
  readonly taps: Set<string>;
  /** True if a broker delivers messages of it to a group: other consumers of the group may have received some. */
  isExpected: boolean;
  /** True if messages were published to it here since the start. */
  isOurs: boolean;
}

/** Counters of one subscription. */
interface LaneMetrics {
  readonly states: StateTally;
  readonly in: PerSecond;
  readonly out: PerSecond;
}

/** Counters of the deliveries of one subscription and topic. */
interface Place {
  readonly of: Counted;
  readonly lane: LaneMetrics;
  readonly topic: TopicMetrics;
}

/** Counters of a topic without messages. */
export function unusedTopic(pubsubname: string, topic: string): TopicMetrics {
  return {
    pubsubname,
    topic,
    published: 0,
    states: new StateTally(),
    none: 0,
    replayed: 0,
    perSecond: new PerSecond(),
    durations: new Durations(),
    lastMs: undefined,
    taps: new Set(),
    isExpected: false,
    isOurs: false,
  };
}

export class Metrics {
  readonly #clock: Clock;
  /** By component, then by topic. */
  readonly #topics = new Map<string, Map<string, TopicMetrics>>();
  #topicCount = 0;
  #characters = 0;
  /** Limits beyond which some topics are forgotten. */
  #room = { topics: MAX_TOPICS, characters: MAX_CHARACTERS };
  readonly #all = new StateTally();
  readonly #lanes = new Map<string, LaneMetrics>();
  #lastPlace: Place | undefined;
  readonly #in = new PerSecond();
  readonly #out = new PerSecond();
  readonly #history = new History();
  published = 0;
  attempts = 0;
  /** Messages in the history that were refused or expired before any delivery. */
  unpublished = 0;
  /** Messages in the history that a person dropped before any delivery. */
  droppedEarly = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  accepted(pubsubname: string, topic: string, isBulk = false): void {
    this.#add(pubsubname, topic, isBulk).isOurs = true;
  }

  #add(pubsubname: string, topic: string, isBulk = false): TopicMetrics {
    const now = this.#clock.now();
    const of = this.topic(pubsubname, topic);
    of.published += 1;
    of.perSecond.add(now);
    of.lastMs = now;
    this.published += 1;
    this.#in.add(now);
    this.#history.published(now, isBulk);
    return of;
  }

  /**
   * Counts a message that passed a tap and was accepted elsewhere.
   * @returns whether the tap is new for the topic
   */
  observed({ pubsubname, topic }: TopicName, tap: string, isBulk: boolean): boolean {
    const { taps } = this.#add(pubsubname, topic, isBulk);
    const isNew = !taps.has(tap);
    taps.add(tap);
    return isNew;
  }

  /**
   * Notes that a broker will deliver a message of the topic to a group.
   * @returns whether that is new for the topic
   */
  expected(pubsubname: string, topic: string): boolean {
    const of = this.topic(pubsubname, topic);
    const isNew = !of.isExpected;
    of.isExpected = true;
    return isNew;
  }

  /** The newest topics of which other consumers may have received messages. */
  observedTopics(): readonly ObservedTopic[] {
    return this.topics()
      .filter(({ taps, isExpected }) => isExpected || taps.size > 0)
      .slice(-MAX_OBSERVED)
      .map(({ pubsubname, topic, taps }) => ({ pubsubname, topic, taps: [...taps] }));
  }

  /** Sets the counts of the history at the start, and the topics of which other consumers may have received messages. */
  restored(totals: readonly TopicTotals[], observed: readonly ObservedTopic[]): void {
    this.#addAll(totals, 1);
    for (const { pubsubname, topic, taps } of observed) {
      // A topic without messages in the history is no longer observed.
      const known = this.#topics.get(pubsubname)?.get(topic);
      if (known === undefined) continue;
      for (const tap of taps) known.taps.add(tap);
      known.isExpected ||= taps.length === 0;
    }
    for (const { pubsubname, topic, lastAt } of totals) {
      if (lastAt !== undefined) this.topic(pubsubname, topic).lastMs = msOf(lastAt);
    }
  }

  /** Subtracts removed messages. */
  pruned(totals: readonly TopicTotals[]): void {
    this.#addAll(totals, -1);
  }

  /** Counts a message that has entered or left a stage; undefined: none. */
  staged(from: Stage | undefined, to: Stage | undefined): void {
    if (from === to) return;
    const [before, now] = [endedEarly(from), endedEarly(to)];
    if (before !== undefined) this[before] = Math.max(0, this[before] - 1);
    if (now !== undefined) this[now] += 1;
  }

  /** Forgets a topic of which the history has no message, so that it is not listed any more. */
  forgetUnused(pubsubname: string, topic: string): void {
    const of = this.#topics.get(pubsubname)?.get(topic);
    if (of?.published === 0 && of.none === 0 && of.replayed === 0 && of.states.isEmpty)
      this.#delete(pubsubname, topic);
  }

  /** Moves a message without deliveries to another topic, given by hand. */
  toOtherTopic(pubsubname: string, from: string, to: string): void {
    if (from === to) return;
    const before = this.topic(pubsubname, from);
    before.published = Math.max(0, before.published - 1);
    const of = this.topic(pubsubname, to);
    of.published += 1;
    of.lastMs = this.#clock.now();
  }

  /** @param now time of the change */
  moved(of: Counted, from: DeliveryState | null, to: DeliveryState, now = this.#clock.now()): void {
    if (from !== null) this.#count(of, from, -1);
    const lane = this.#count(of, to, 1);
    const wasOpen = from !== null && isUnfinishedState(from);
    const isOpen = isUnfinishedState(to);
    // A parked delivery has left the backlog, although it has not ended.
    if (isOpen && !wasOpen) lane.in.add(now);
    else if (wasOpen && !isOpen) lane.out.add(now);
    if (to === 'attempting') this.attempts += 1;
    if (isEndedState(to)) this.#out.add(now);
    this.#history.entered(now, to, this.open);
  }

  /** Counts a call to the app that has ended, with or without an answer. */
  called(of: Counted, durationMs: number): void {
    this.#placeOf(of).topic.durations.add(durationMs);
    this.#history.called(this.#clock.now(), durationMs);
  }

  history(seconds: number): MetricsHistory {
    return this.#history.read(this.#clock.now(), seconds);
  }

  /** Counts a message of a topic that counts otherwise now among those without a subscription; undefined: not there. */
  countWithout(
    { pubsubname, topic }: TopicName,
    before: CountedWithout | undefined,
    now: CountedWithout | undefined,
  ): void {
    if (before === now) return;
    const of = this.topic(pubsubname, topic);
    if (before !== undefined) of[before] = Math.max(0, of[before] - 1);
    if (now !== undefined) of[now] += 1;
  }

  topic(pubsubname: string, topic: string): TopicMetrics {
    let topics = this.#topics.get(pubsubname);
    if (topics === undefined) this.#topics.set(pubsubname, (topics = new Map<string, TopicMetrics>()));
    let of = topics.get(topic);
    if (of === undefined) {
      if (this.#topicCount >= this.#room.topics || this.#characters >= this.#room.characters) this.#forget();
      of = unusedTopic(pubsubname, topic);
      topics.set(topic, of);
      this.#topicCount += 1;
      this.#characters += topic.length;
    }
    return of;
  }

  topics(): readonly TopicMetrics[] {
    return [...this.#topics.values()].flatMap((topics) => [...topics.values()]);
  }

  counts(): Counts {
    return this.#all.all();
  }

  /** Deliveries that have not ended. */
  get open(): number {
    return this.#all.open;
  }

  /** Deliveries of one subscription by state, only where there are any. */
  ofLane(lane: string): StateCounts {
    return this.#lanes.get(lane)?.states.shown() ?? {};
  }

  /** Lag of a subscription, without its oldest delivery; undefined: it had no deliveries. */
  lagOf(lane: string): Omit<SubscriptionLag, 'oldestAt'> | undefined {
    const of = this.#lanes.get(lane);
    if (of === undefined) return undefined;
    const now = this.#clock.now();
    const unfinished = UNFINISHED_STATES.reduce((sum, state) => sum + of.states.get(state), 0);
    return { unfinished, inPerSecond: of.in.rate(now), outPerSecond: of.out.rate(now) };
  }

  rates(): { in: number; out: number } {
    const now = this.#clock.now();
    return { in: this.#in.rate(now), out: this.#out.rate(now) };
  }

  #addAll(totals: readonly TopicTotals[], sign: 1 | -1): void {
    for (const { pubsubname, topic, messages, none, replayed, deliveries, ...early } of totals) {
      this.unpublished = Math.max(0, this.unpublished + sign * early.unpublished);
      this.droppedEarly = Math.max(0, this.droppedEarly + sign * early.droppedEarly);
      // Removed messages must not bring a forgotten topic back, without any message and in the place of another one.
      const of = sign > 0 ? this.topic(pubsubname, topic) : this.#topics.get(pubsubname)?.get(topic);
      if (of !== undefined) {
        of.published = Math.max(0, of.published + sign * messages);
        of.none = Math.max(0, of.none + sign * none);
        of.replayed = Math.max(0, of.replayed + sign * replayed);
      }
      for (const { appId, subscription, state, count } of deliveries) {
        const lane = laneName({ appId, pubsubname, topic: subscription });
        const place = placeOf(state);
        this.#laneOf(lane).states.addAt(place, sign * count);
        of?.states.addAt(place, sign * count);
        this.#all.addAt(place, sign * count);
        if (sign < 0) this.#forgetLane(lane);
      }
    }
  }

  #count(of: Counted, state: DeliveryState, by: number): LaneMetrics {
    const { lane, topic } = this.#placeOf(of);
    const place = placeOf(state);
    lane.states.addAt(place, by);
    topic.states.addAt(place, by);
    this.#all.addAt(place, by);
    return lane;
  }

  /** Counters of a delivery; the last ones are cached, because most consecutive deliveries share them. */
  #placeOf(of: Counted): Place {
    if (this.#lastPlace?.of === of) return this.#lastPlace;
    this.#lastPlace = { of, lane: this.#laneOf(of.lane), topic: this.topic(of.pubsubname, of.topic) };
    return this.#lastPlace;
  }

  #laneOf(name: string): LaneMetrics {
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = { states: new StateTally(), in: new PerSecond(), out: new PerSecond() };
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  /** Forgets a subscription without deliveries in the history. */
  #forgetLane(lane: string): void {
    if (this.#lanes.get(lane)?.states.isEmpty !== true) return;
    this.#lanes.delete(lane);
    this.#lastPlace = undefined;
  }

  #delete(pubsubname: string, topic: string): void {
    if (this.#topics.get(pubsubname)?.delete(topic) !== true) return;
    this.#lastPlace = undefined;
    this.#topicCount -= 1;
    this.#characters -= topic.length;
  }

  #forget(): void {
    const closed = this.topics().filter(({ states }) => states.open === 0);
    for (const { pubsubname, topic } of closed.toSorted((a, b) => (a.lastMs ?? 0) - (b.lastMs ?? 0))) {
      const isEnough =
        this.#topicCount <= MAX_TOPICS * (1 - FORGOTTEN) &&
        this.#characters <= MAX_CHARACTERS * (1 - FORGOTTEN);
      if (isEnough) break;
      this.#delete(pubsubname, topic);
    }
    // Topics with open deliveries stay, even above the limit: a higher limit avoids a search through all of them for each new topic.
    this.#room = {
      topics: Math.max(MAX_TOPICS, this.#topicCount + MAX_TOPICS * FORGOTTEN),
      characters: Math.max(MAX_CHARACTERS, this.#characters + MAX_CHARACTERS * FORGOTTEN),
    };
  }
}
