/** Turns what taps see of another sidecar into deliveries and attempts here, with our states and tables. */
import { BY_HAND_ID } from '../../contract/answerer.ts';
import { errorText } from '../../contract/error-text.ts';
import type { Attempt } from '../../contract/message.ts';
import type { Subscription } from '../../contract/subscription.ts';
import { bytesOf } from '../../domain/codec.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import { readEvent } from '../../domain/inbound.ts';
import { after } from '../../domain/maybe-promise.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { deliverySettings } from '../../domain/subscription.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type {
  ConnectedTap,
  Moment,
  ObservedCall,
  ObservedPublish,
  Passage,
  RuledAnswer,
  RuledCall,
  SeenDelivery,
  SeenEvent,
  SeenPublish,
  Stops,
  TapObserver,
  TapSender,
} from '../../ports/tap.ts';
import type { Shared } from '../common.ts';
import type { BeforeAttempt } from '../delivering/before-attempt.ts';
import type { Attempts } from '../delivering/attempts.ts';
import { withoutSecret } from '../delivering/call.ts';
import type { Intake } from '../delivering/intake.ts';
import { judgeAnswer, judgeEntries } from '../delivering/judging.ts';
import type { Outcomes } from '../delivering/outcome.ts';
import { SIDECAR_DECIDES } from '../delivering/outcome.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { Holds } from '../state/holds.ts';
import { isEnded } from '../state/live-set.ts';
import type { LiveDelivery, LiveMessage } from '../state/live.ts';
import { recordRequest, recordResponse, waitedSince } from '../state/attempt-record.ts';
import type { EndedCall, StartedAttempt } from '../state/attempt-record.ts';
import { keyOfId, PassingEvent } from './identity.ts';
import type { ObservedMessages } from './observed-messages.ts';
import { ObservedPublishes } from './observed-publishes.ts';
import { KeyedQueue } from './keyed-queue.ts';

/** Observed deliveries that may be unfinished at the same time: each takes memory, and only its sidecar can end it. */
const MOST_OPEN = 20_000;
const PASS: Passage = { kind: 'pass' };
const BY_HAND = { ruleId: BY_HAND_ID, name: 'answered by hand', byPerson: true } as const;

export interface ObserverDependencies {
  readonly messages: ObservedMessages;
  readonly intake: Intake;
  readonly deliveries: Deliveries;
  readonly outcomes: Outcomes;
  readonly attempts: Attempts;
  readonly beforeAttempt: BeforeAttempt;
  readonly holds: Holds;
}

/** Who gave an answer, where the app did not. */
type AnsweredBy = Parameters<Attempts['received']>[2];

/** An answer that a hold keeps from the sidecar. */
interface KeptAnswer {
  readonly changed: Promise<ReceivedAnswer | undefined>;
}

/** What an answer means for one delivery of its call. */
interface ToldAnswer {
  readonly ended: EndedCall;
  readonly verdict: Verdict;
  readonly by: AnsweredBy;
}

/** An answer to a call. */
interface GivenAnswer {
  readonly answer: ReceivedAnswer;
  readonly by?: AnsweredBy;
  /** Absent: now. */
  readonly at?: Moment | undefined;
}

/** A delivery of a call that is under way. */
interface Part {
  readonly event: SeenEvent;
  readonly passing: PassingEvent;
  d: LiveDelivery | undefined;
  attemptId: string | undefined;
}

/** A delivery that a hold keeps from the app. */
interface KeptBack {
  readonly attempt: Pick<Attempt, 'protocol' | 'bulk'>;
  /** Lets it go. */
  readonly go: (passage: Passage) => void;
}

/** What becomes of a delivery that a hold keeps. */
interface KeptPassage {
  readonly passage: Promise<Passage>;
}

interface Started {
  readonly attemptId: string;
  readonly atMs: number;
  readonly atMono: number;
  /** The call with all its entries. */
  readonly request: StartedAttempt['request'];
}

export class Observer implements TapObserver {
  readonly #shared: Shared;
  readonly #parts: ObserverDependencies;
  readonly #publishes: ObservedPublishes;
  readonly #queue = new KeyedQueue();
  /** Deliveries that a hold keeps from the app, and what lets them go. */
  readonly #held = new Map<LiveDelivery, KeptBack>();
  /** Answers that a hold keeps back. */
  readonly #heldAnswers = new Map<LiveDelivery, (changed: ReceivedAnswer | undefined) => void>();
  /** What a person answers in the app's place, until the call ends with it. */
  readonly #replies = new Map<LiveDelivery, ReceivedAnswer>();
  /** Unfinished ones, oldest first. */
  readonly #open = new Set<LiveDelivery>();
  readonly #taps = new Map<string, ConnectedTap>();
  readonly #subscriptions = new WeakMap<Subscription, LiveDelivery['subscription']>();
  missed = 0;
  missedWhy = '';

  constructor(shared: Shared, parts: ObserverDependencies) {
    this.#shared = shared;
    this.#parts = parts;
    this.#publishes = new ObservedPublishes(shared, parts.messages);
    shared.signals.on('ready', (d) => this.#ready(d));
    shared.signals.on('replied', ({ d, answerTo }) => {
      const held = this.#held.get(d);
      if (held !== undefined) this.#replies.set(d, answerTo(held.attempt));
    });
    shared.signals.on('answerReleased', ({ d, changed }) => {
      this.#heldAnswers.get(d)?.(changed);
      this.#heldAnswers.delete(d);
    });
  }

  stopsOf(appId: string): Stops {
    const { holds } = this.#parts;
    const isRuled = this.#taps.get(appId)?.rules.any === true;
    return { delivery: holds.any('delivery') || isRuled, response: holds.any('response') };
  }

  published(seen: SeenPublish): ObservedPublish {
    const noted = this.#isBehind() ? [] : this.#publishes.note(seen);
    return {
      messageIds: noted.map(({ messageId }) => messageId),
      answered: (refused) => {
        if (refused === undefined) return;
        for (const message of noted) this.#parts.messages.refused(message, refused);
      },
    };
  }

  delivering(seen: SeenDelivery): ObservedCall {
    const { clock, ids, codec } = this.#shared;
    if (this.#isBehind()) return PASSING;
    const { request, profile } = seen;
    const started: Started = {
      attemptId: ids.next('attempt'),
      atMs: seen.at?.ms ?? clock.now(),
      atMono: seen.at?.mono ?? clock.monotonic(),
      request: recordRequest(
        { ...request, headers: withoutSecret(request.headers, profile.tokenHeader) },
        codec,
      ),
    };
    const address = { pubsubname: seen.subscription.pubsubname, topic: topicOf(seen) };
    const isRaw = seen.subscription.rawPayload === true;
    const parts = seen.events.map((event): Part => {
      const passing = new PassingEvent(address, event.wire, isRaw, codec);
      return { event, passing, d: undefined, attemptId: undefined };
    });
    const passages = parts.map((part) =>
      after(this.#begin(seen, part, started), (how) => {
        if (how.kind === 'answered') this.#replyFor(parts, how.answer);
        return how;
      }),
    );
    const answered = (answer: ReceivedAnswer, at: Moment | undefined) =>
      this.#answered(seen, parts, started, { answer, at });
    if (!seen.mayStop && passages.every((how) => how === PASS))
      return { passage: PASSING.passage, answered, lost: (reason) => this.#lost(parts, reason) };
    let ruled: RuledAnswer | undefined;
    let isLost = false;
    const decided = Promise.all(passages.map(async (how) => how)).then(async (all) => {
      const how = together(parts, all);
      if (how.kind === 'answered') return this.#answerInstead(seen, parts, started, how.answer, BY_HAND);
      // A rule that answers only so often does not spend an answer on a sidecar that waits no longer.
      ruled = seen.mayStop && !isLost ? this.#ruled(seen, parts, how) : undefined;
      if (ruled === undefined) return how;
      return this.#answerInstead(seen, parts, started, await ruled.answer, ruled.by);
    });
    return {
      // A failure here must not stop the delivery.
      passage: decided.catch((error: unknown) => {
        this.#notRecorded(errorText(error));
        return PASS;
      }),
      answered,
      lost: (reason) => {
        isLost = true;
        ruled?.gone();
        this.#lost(parts, reason);
      },
    };
  }

  senderOf(tap: string): TapSender | undefined {
    return this.#taps.get(tap)?.send;
  }

  connect(appId: string, tap: ConnectedTap | undefined): void {
    if (tap === undefined) this.#taps.delete(appId);
    else this.#taps.set(appId, tap);
  }

  unfinished(appId: string): number {
    return [...this.#open].filter((d) => d.appId === appId && !isEnded(d) && !d.message.gone).length;
  }

  /** The rule that answers; undefined: none concerns it. What a person changed is what rules see. */
  #ruled(seen: SeenDelivery, parts: readonly Part[], how: Passage): RuledAnswer | undefined {
    const rules = this.#taps.get(seen.appId)?.rules;
    if (rules?.any !== true) return undefined;
    const wires = how.kind === 'changed' ? how.wires : undefined;
    const { codec } = this.#shared;
    return rules.answerTo({
      kind: seen.isBulk ? 'bulk' : 'delivery',
      protocol: seen.protocol,
      path: seen.route.path,
      pubsubname: seen.subscription.pubsubname,
      topic: topicOf(seen),
      events: parts.map(({ event: { entryId, wire } }) =>
        ruledEvent(entryId, wires?.get(entryId) ?? wire, codec),
      ),
      body: bytesOf(seen.request.body, codec),
      headers: seen.request.headers,
    });
  }

  /** An answer that the app did not give counts as its own, and may be held as one. */
  async #answerInstead(
    seen: SeenDelivery,
    parts: readonly Part[],
    started: Started,
    answer: ReceivedAnswer,
    by: AnsweredBy,
  ): Promise<Passage> {
    const changed = await this.#answered(seen, parts, started, { answer, by });
    return { kind: 'answered', answer: changed ?? answer };
  }

  /** Records the attempt, or has a hold keep the delivery. Never rejects. */
  #begin(seen: SeenDelivery, part: Part, started: Started): MaybePromise<Passage> {
    const unread = (error: unknown): Passage => {
      this.#notRecorded(errorText(error));
      return PASS;
    };
    try {
      const kept = this.#queue.run(part.passing.key, () => this.#enter(seen, part, started));
      const how = after(kept, (by): MaybePromise<Passage> => (by === undefined ? PASS : by.passage));
      return how instanceof Promise ? how.catch(unread) : how;
    } catch (error) {
      return unread(error);
    }
  }

  /** Undefined: the attempt has begun. Else the hold that keeps it. */
  #enter(seen: SeenDelivery, part: Part, started: Started): MaybePromise<KeptPassage | undefined> {
    const { appId: tap, subscription } = seen;
    const { passing } = part;
    const isMoved = passing.ownTopic !== undefined && passing.ownTopic !== passing.address.topic;
    return after(isMoved ? this.#givenUp(passing, tap) : undefined, (copyOf) => {
      const from = { tap, isRaw: subscription.rawPayload === true, atMs: started.atMs, copyOf };
      return after(this.#parts.messages.of(passing, from), (message) => {
        if (copyOf !== undefined) this.#deadLettered(copyOf, message);
        return this.#reach(seen, part, started, message);
      });
    });
  }

  /** As `#enter`, with the message. */
  #reach(seen: SeenDelivery, part: Part, started: Started, message: LiveMessage): KeptPassage | undefined {
    const d = this.#deliveryOf(seen, message);
    part.d = d;
    d.givesUpMs = seen.givesUpMs;
    if (seen.isBulk) d.entryId = part.event.entryId;
    this.#makeReady(d);
    if (seen.mayStop && !this.#parts.beforeAttempt.admit(d, part.event.wire)) {
      return { passage: this.#keptBack(seen, part, d, started) };
    }
    this.#start(seen, part, d, started);
    return undefined;
  }

  /** The delivery of which an event is the copy on a dead-letter topic; undefined: nobody here saw one. */
  #givenUp({ address, ownTopic, id }: PassingEvent, appId: string): MaybePromise<LiveDelivery | undefined> {
    if (ownTopic === undefined || id === undefined) return undefined;
    const first = { pubsubname: address.pubsubname, topic: ownTopic };
    // Its last answer passed before the copy did.
    return this.#queue.run(keyOfId(first, id), async () => {
      const message = await this.#parts.messages.seen(first, id);
      return message?.deliveries.find(
        (d) => d.appId === appId && d.subscription.settings?.deadLetterTopic === address.topic,
      );
    });
  }

  /** Its sidecar publishes a copy of what was dropped, or tried as often as it may be. */
  #deadLettered(d: LiveDelivery, { messageId, row: { topic } }: LiveMessage): void {
    if (d.deadLetter !== undefined) return;
    const { deliveries } = this.#parts;
    d.deadLetter = { topic, messageId };
    if (d.state === 'retrying')
      deliveries.move(d, { type: 'tap.dead-letter' }, { note: `The copy is message ${messageId}.` });
    else void deliveries.changed(d).then(() => this.#shared.live.removeIfFinished(d.message));
  }

  #deliveryOf(seen: SeenDelivery, message: LiveMessage): LiveDelivery {
    const { subscription, route, appId } = seen;
    const { pubsubname, topic } = subscription;
    const known = message.deliveries.find(
      (d) => d.appId === appId && d.subscription.topic === topic && d.subscription.pubsubname === pubsubname,
    );
    if (known !== undefined) {
      known.route = route;
      return known;
    }
    const d = this.#parts.intake.blank({ appId }, this.#storedOf(subscription), message, undefined);
    d.maxAttempts = 0;
    d.route = route;
    const { live } = this.#shared;
    // Once it was written, a message without deliveries was over: acts have to find this one, not another copy of it.
    if (live.message(message.messageId) === undefined) live.add(message);
    live.addDelivery(d);
    this.#parts.deliveries.move(d, { type: 'accept' });
    return d;
  }

  /** What deliveries say of their subscription: one object for all that are made under it. */
  #storedOf(subscription: Subscription): LiveDelivery['subscription'] {
    const known = this.#subscriptions.get(subscription);
    if (known !== undefined) return known;
    const { pubsubname, topic, source } = subscription;
    const stored = { pubsubname, topic, source, settings: deliverySettings(subscription) };
    this.#subscriptions.set(subscription, stored);
    return stored;
  }

  /** Brings a delivery that is sent once more to where an attempt, or a hold, can begin. */
  #makeReady(d: LiveDelivery): void {
    const { deliveries } = this.#parts;
    this.#keepOpen(d);
    if (d.state === 'attempting' || d.state === 'held')
      this.#cut(d, 'The sidecar sent it again before it had an answer.');
    else if (isEnded(d) && !d.silent)
      deliveries.move(d, { type: 'tap.again' }, { note: 'The sidecar sent it again.' });
  }

  #start(seen: SeenDelivery, part: Part, d: LiveDelivery, started: Started): void {
    const again = d.attemptCount > 0;
    d.attemptCount += 1;
    d.attemptId = started.attemptId;
    part.attemptId = started.attemptId;
    d.started = this.#startedOf(seen, part, d, started);
    this.#shared.live.beginAttempt(started.attemptId, [d]);
    this.#parts.deliveries.move(d, { type: 'start', again });
  }

  #startedOf(seen: SeenDelivery, part: Part, d: LiveDelivery, started: Started): StartedAttempt {
    return {
      attemptId: started.attemptId,
      tap: seen.appId,
      number: d.attemptCount,
      startedMs: started.atMs,
      startedMono: started.atMono,
      protocol: seen.protocol,
      request: started.request,
      ...waitedSince(d.lastEndMs, started.atMs),
      ...bulkOf(seen, part),
    };
  }

  /** Holds a delivery; resolves when a person or the hold releases it, or when its sidecar no longer waits. */
  #keptBack(seen: SeenDelivery, part: Part, d: LiveDelivery, started: Started): Promise<Passage> {
    return new Promise((go) => {
      const goOn = (passage: Passage): void => {
        this.#held.delete(d);
        if (d.state === 'queued') this.#start(seen, part, d, started);
        go(passage);
      };
      this.#held.set(d, { attempt: { protocol: seen.protocol, ...bulkOf(seen, part) }, go: goOn });
      // A message that is removed from the history goes on to the app all the same.
      d.done = [() => this.#held.get(d)?.go(PASS)];
    });
  }

  #ready(d: LiveDelivery): void {
    const held = this.#held.get(d);
    if (held === undefined) return;
    const { go } = held;
    const reply = this.#replies.get(d);
    this.#replies.delete(d);
    if (reply !== undefined) {
      go({ kind: 'answered', answer: reply });
      return;
    }
    const wire = d.changed?.wire;
    go(wire === undefined ? PASS : { kind: 'changed', wires: new Map([[d.deliveryId, wire]]) });
  }

  /** The answer to a batch is one: entries that are still held are answered with it. */
  #replyFor(parts: readonly Part[], answer: ReceivedAnswer): void {
    for (const { d } of parts) {
      if (d === undefined || !this.#held.has(d)) continue;
      this.#replies.set(d, answer);
      this.#parts.deliveries.move(d, { type: 'user.release' });
    }
  }

  /** @returns undefined: the answer has had its effect, and goes on as it came */
  #answered(
    seen: SeenDelivery,
    parts: readonly Part[],
    started: Started,
    { answer, by, at }: GivenAnswer,
  ): Promise<ReceivedAnswer | undefined> | undefined {
    const { clock, codec, live } = this.#shared;
    const verdicts = this.#verdicts(seen, answer);
    const ended: EndedCall = {
      answer,
      response: recordResponse(answer, codec),
      durationMs: (at?.mono ?? clock.monotonic()) - started.atMono,
    };
    live.endAttempt(started.attemptId);
    const kept = parts.map((part) => {
      const verdict = verdicts.get(part.event.entryId);
      return verdict === undefined ? undefined : this.#settle(seen, part, started, { ended, verdict, by });
    });
    if (kept.every((one) => one === undefined)) return undefined;
    return Promise.all(kept.map(async (one) => (await one)?.changed)).then((changes) =>
      changes.find((changed) => changed !== undefined),
    );
  }

  /** Gives the answer to one of the deliveries of a call. Never throws or rejects. */
  #settle(
    seen: SeenDelivery,
    part: Part,
    started: Started,
    told: ToldAnswer,
  ): MaybePromise<KeptAnswer | undefined> {
    const unread = (error: unknown): undefined => this.#notRecorded(errorText(error));
    try {
      const settled = this.#queue.run(part.passing.key, () => this.#take(seen, part, started, told));
      return settled instanceof Promise ? settled.catch(unread) : settled;
    } catch (error) {
      return unread(error);
    }
  }

  #take(
    seen: SeenDelivery,
    part: Part,
    started: Started,
    { ended, verdict, by }: ToldAnswer,
  ): MaybePromise<KeptAnswer | undefined> {
    const { d, attemptId } = part;
    if (d === undefined || attemptId === undefined || d.attemptId !== attemptId) return undefined;
    const { holds, attempts } = this.#parts;
    this.#shared.metrics.called(d.counted, ended.durationMs);
    const own = this.#startedOf(seen, part, d, started);
    return after(holds.payloadAtResponse(d), (payload) =>
      after(attempts.received(d, { started: own, ...ended, verdict, payload }, by), () => {
        if (isEnded(d)) this.#open.delete(d);
        return d.heldAnswer === undefined ? undefined : this.#answerKept(d);
      }),
    );
  }

  #answerKept(d: LiveDelivery): KeptAnswer {
    return { changed: new Promise((go) => void this.#heldAnswers.set(d, go)) };
  }

  #verdicts(seen: SeenDelivery, answer: ReceivedAnswer): ReadonlyMap<string, Verdict> {
    const { profile } = seen;
    const { codec } = this.#shared;
    if (!seen.isBulk) return new Map([['', judgeAnswer(answer, false, seen.protocol, { codec, profile })]]);
    const entryIds = seen.events.map(({ entryId }) => entryId);
    return judgeEntries(answer, entryIds, seen.protocol, codec).verdicts;
  }

  #lost(parts: readonly Part[], reason: string): void {
    for (const part of parts) {
      void this.#queue.run(part.passing.key, () => {
        const { d, attemptId } = part;
        if (d === undefined) return;
        const isIts = attemptId === undefined || d.attemptId === attemptId;
        if (isIts || d.heldAnswer?.attempt.attemptId === attemptId) this.#cut(d, reason);
      });
    }
  }

  /** The call is over, and the sidecar has no answer. One of the app that was held stays in the history. */
  #cut(d: LiveDelivery, note: string): void {
    if (d.state !== 'attempting' && d.state !== 'held' && d.state !== 'queued') return;
    const attempt = d.heldAnswer?.attempt;
    if (d.attemptId !== undefined) this.#shared.live.endAttempt(d.attemptId);
    d.attemptId = undefined;
    d.started = undefined;
    d.heldAnswer = undefined;
    const more = { note: `${note} ${SIDECAR_DECIDES}`, ...(attempt === undefined ? {} : { attempt }) };
    this.#parts.deliveries.move(d, { type: 'tap.lost' }, more);
    this.#parts.outcomes.awaitObserved(d);
    this.#held.get(d)?.go(PASS);
    this.#heldAnswers.get(d)?.(undefined);
    this.#heldAnswers.delete(d);
  }

  /** Keeps at most `MOST_OPEN` deliveries unfinished: the oldest retrying ones count as finished. */
  #keepOpen(d: LiveDelivery): void {
    this.#open.delete(d);
    this.#open.add(d);
    for (const oldest of this.#open) {
      const isOver = isEnded(oldest) || oldest.message.gone;
      if (!isOver && (this.#open.size <= MOST_OPEN || oldest.state !== 'retrying')) return;
      this.#open.delete(oldest);
      if (!isOver) this.#parts.outcomes.endObserved(oldest);
    }
  }

  /** True while the journal is behind: calls that pass are then not recorded, only counted. */
  #isBehind(): boolean {
    const { behind, trouble } = this.#shared.writer;
    if (!behind && trouble === undefined) return false;
    this.#notRecorded(trouble ?? 'the history cannot keep up');
    return true;
  }

  #notRecorded(reason: string): undefined {
    this.missed += 1;
    this.missedWhy = reason;
    // The line is logged once for each power of ten, because there may be thousands of calls a second.
    if (/^10*$/.test(String(this.missed)))
      this.#shared.log.write('error', 'tap', `${this.missed} calls passed and are not recorded: ${reason}`);
    return undefined;
  }
}

function ruledEvent(entryId: string, wire: Wire, codec: Codec): RuledCall['events'][number] {
  const read = readEvent(wire, codec);
  const text = (name: string): string | undefined =>
    read.ok && typeof read.event[name] === 'string' ? read.event[name] : undefined;
  const [id, type] = [text('id'), text('type')];
  return {
    ...(entryId === '' ? {} : { entryId }),
    ...(id === undefined ? {} : { id }),
    ...(type === undefined ? {} : { type }),
    ...(read.ok ? { event: read.event } : {}),
  };
}

function bulkOf({ isBulk, events }: SeenDelivery, { event }: Part): Pick<Attempt, 'bulk'> {
  return isBulk ? { bulk: { entryId: event.entryId, batchSize: events.length } } : {};
}

/** A call that passes without being recorded. */
const PASSING: ObservedCall = {
  passage: Promise.resolve(PASS),
  answered: () => Promise.resolve(undefined),
  lost: () => undefined,
};

/** Characters that stand for several topics with one broker or another. */
const WILDCARD = /[*#+>]/;

/** The topic of the message: of a subscription with a pattern it is the one that its events name. */
function topicOf({ subscription, topic = subscription.topic }: SeenDelivery): string {
  return WILDCARD.test(subscription.topic) ? topic : subscription.topic;
}

/** Joins the decisions about the entries of a call into one, since the call goes on as a whole. */
function together(parts: readonly Part[], all: readonly Passage[]): Passage {
  const answered = all.find((one) => one.kind === 'answered');
  if (answered !== undefined) return answered;
  const wires = new Map(
    parts.flatMap(({ event, d }, i) => {
      const one = all[i];
      const wire = one?.kind === 'changed' && d !== undefined ? one.wires.get(d.deliveryId) : undefined;
      return wire === undefined ? [] : [[event.entryId, wire] as const];
    }),
  );
  return wires.size === 0 ? PASS : { kind: 'changed', wires };
}
