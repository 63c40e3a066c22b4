/** A publish from request to component: checks in the reference's order, journal, component (behaviour 1.2). */
import { errorText } from '../../contract/error-text.ts';
import { mayPublish } from '../../domain/access.ts';
import type { Wire } from '../../domain/codec.ts';
import { Refusal } from '../../domain/refusal.ts';
import { TOO_LARGE } from '../../domain/json-body.ts';
import { tooLongName } from '../../domain/name-length.ts';
import type { Wrapped } from '../../domain/publish-input.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { Caught } from '../../domain/hold.ts';
import type { JournalRecord } from '../../ports/journal.ts';
import { PublishFailure } from '../../ports/pubsub.ts';
import type { PublishRequest } from '../api.ts';
import type { App } from '../state/app.ts';
import type { Apps } from '../state/apps.ts';
import type { PubsubTopic } from '../state/backlog.ts';
import { ByteBudget } from '../state/byte-budget.ts';
import type { Components, ReadyPubSub } from '../components/components.ts';
import { pubsubNotFound } from '../components/not-found.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { Hold } from '../../contract/hold.ts';
import type { Holds } from '../state/holds.ts';
import { laneName } from '../state/live.ts';
import type { LiveMessage } from '../state/live.ts';
import { newMessage } from './new-message.ts';
import type { AcceptFacts } from './new-message.ts';
import type { Shared } from '../common.ts';
import type { Policies } from '../state/policies.ts';
import { publishTo } from './outbound.ts';
import { Waits } from '../time/waits.ts';
import { OBSERVED_TOPICS } from '../telemetry/observed-topics.ts';
import { wrapRequest } from './wrap-request.ts';

export interface Accepted {
  readonly messageId: string;
  /** Why the component refused a message that was accepted and stored; absent: it did not. */
  readonly failed?: string;
  /** Set if a retry cannot succeed. */
  readonly isForGood?: true;
}

interface HandOver {
  readonly releasedFrom?: readonly string[];
  /** The component has, or may have, received it before a restart: a refusal now changes nothing. */
  readonly isAgain?: boolean;
  readonly wire?: Wire | undefined;
}

/** State of a message before its publish to the component. */
interface BeforeHandOver {
  readonly isHeld: boolean;
  readonly heldBy: string | undefined;
  /** Holds that have released it now. */
  readonly releasedFrom: readonly string[] | undefined;
  readonly isAgain: boolean;
}

/** Flag of a message that its broker had accepted before the disk failed. */
const NOT_SYNCED =
  'Its publisher got an error because the disk failed. The component already had the message.';

/** Maximum size of the bodies of all running publish requests. */
const REQUESTS_BYTES = 32 * 1024 * 1024;

/** Time that a refusal stays visible: a full backlog still accepts single publishes, many times a second. */
const SHOWN_MS = 5000;

export interface PublisherDependencies {
  readonly apps: Apps;
  readonly components: Components;
  readonly deliveries: Deliveries;
  readonly holds: Holds;
  readonly policies: Policies;
}

export class Publisher {
  readonly #shared: Shared;
  readonly #apps: Apps;
  readonly #components: Components;
  readonly #deliveries: Deliveries;
  readonly #holds: Holds;
  readonly #policies: Policies;
  /** Memory for the bodies of all publish requests; one that finds no room waits. */
  readonly bodies = new ByteBudget(REQUESTS_BYTES);
  #lastNumber = 0;
  /** Last refusal for a full backlog. */
  #refused = { reason: '', atMs: -Infinity };
  readonly #waits: Waits;

  constructor(shared: Shared, { apps, components, deliveries, holds, policies }: PublisherDependencies) {
    this.#shared = shared;
    this.#waits = new Waits(shared.clock);
    this.#apps = apps;
    this.#components = components;
    this.#deliveries = deliveries;
    this.#holds = holds;
    this.#policies = policies;
  }

  get stopping(): boolean {
    return this.#waits.ended;
  }

  /** Refuses further publishes. A publish that waits for another attempt ends with the error of the last one. */
  stop(): void {
    this.#waits.end();
  }

  /** Apps whose first discovery has not ended and that may use this component. */
  #undiscovered(pubsubname: string): readonly App[] {
    return this.#apps.all.filter(
      (app) =>
        (!app.discovered || app.suspended.has(pubsubname)) &&
        this.#components.pubsub(app.appId, pubsubname) !== undefined,
    );
  }

  /** Apps to whose group the broker will deliver a message of this topic; undefined: none, or the component is in this process. */
  #takers({ name, pubsub }: ReadyPubSub, topic: string): readonly string[] | undefined {
    if (!pubsub.features.redelivers) return undefined;
    const takers = this.#apps.all.filter(
      ({ appId, lanes }) =>
        lanes.get(laneName({ appId, pubsubname: name, topic }))?.active !== undefined &&
        this.#components.pubsub(appId, name)?.pubsub === pubsub,
    );
    return takers.length === 0 ? undefined : takers.map(({ appId }) => appId);
  }

  continueFrom(lastNumber: number): void {
    this.#lastNumber = lastNumber;
  }

  /** Number of the newest message. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  /**
   * Publishes a request. Returns no promise if nothing has to be awaited: each message in memory passes here, and a promise costs more than
   * the checks.
   * @throws Refusal, also as rejection: the rows of "Publish" in the interface, codes of behaviour 1.6
   */
  publish(request: PublishRequest): Accepted | Promise<Accepted> {
    const { bodies } = this;
    const bytes = request.body.length;
    if (!bodies.enterNow(bytes))
      return bodies
        .run(bytes, async () => this.#accepted(request))
        .then((accepted) => this.#answered(request, accepted));
    let accepted: Accepted | Promise<Accepted>;
    try {
      accepted = this.#accepted(request);
    } catch (error) {
      bodies.leave(bytes);
      throw error;
    }
    if (accepted instanceof Promise)
      return accepted.finally(() => bodies.leave(bytes)).then((one) => this.#answered(request, one));
    bodies.leave(bytes);
    return this.#answered(request, accepted);
  }

  /** Answer to the publisher, once the apps are not far behind. Throws Refusal if the component refused the message. */
  #answered(request: PublishRequest, accepted: Accepted): Accepted | Promise<Accepted> {
    if (accepted.failed !== undefined) throw this.failure(request.pubsubname, request.topic, accepted.failed);
    // A publish from the console does not wait for an app that is behind.
    const wait = request.source === 'console' ? undefined : this.waitForApps(request, accepted.messageId);
    return wait === undefined ? accepted : wait.then(() => accepted);
  }

  /**
   * Resolves when the apps that get the message are not far behind, after 250 ms at most.
   * @param messageId id of an accepted message
   */
  waitForApps(of: PubsubTopic, messageId: string | undefined): Promise<void> | undefined {
    const { backpressure, live } = this.#shared;
    return backpressure.room(of, messageId === undefined ? undefined : live.message(messageId));
  }

  #accepted(request: PublishRequest): Accepted | Promise<Accepted> {
    const ready = this.component(request.appId, request.pubsubname, request.topic);
    if (request.isBeginning === true) throw this.failure(request.pubsubname, request.topic, TOO_LARGE);
    const wrapped = this.wrap(request);
    this.authorise(ready, request.appId, request.topic);
    return this.accept(ready, {
      appId: request.appId,
      pubsubname: request.pubsubname,
      topic: request.topic,
      source: request.source,
      wrapped,
      givenContentType: request.contentType ?? '',
      metadata: request.metadata,
      ...(request.replayOf === undefined ? {} : { replayOf: request.replayOf }),
      ...(request.releasedFrom === undefined ? {} : { releasedFrom: request.releasedFrom }),
      ...(request.flags === undefined ? {} : { flags: request.flags }),
      ...(request.caller === undefined ? {} : { caller: request.caller }),
    });
  }

  /** Whether a component of this name is ready for the app. */
  has(appId: string, pubsubname: string): boolean {
    return this.#components.pubsub(appId, pubsubname) !== undefined;
  }

  /** The component of a publish. Throws Refusal if the component or the topic cannot be used. */
  component(appId: string, pubsubname: string, topic: string): ReadyPubSub {
    if (pubsubname === '')
      throw new Refusal(
        'ERR_PUBSUB_EMPTY',
        {},
        { field: 'pubsubname', expected: 'the name of a pub/sub component' },
      );
    const ready = this.#components.pubsub(appId, pubsubname);
    if (ready === undefined) throw pubsubNotFound(this.#components, { appId, pubsubname, topic });
    if (topic === '')
      throw new Refusal('ERR_TOPIC_EMPTY', { pubsubname }, { field: 'topic', expected: 'a topic' });
    const tooLong = tooLongName('a topic', topic);
    // The answer has the reason after the topic and is cut to a maximum length, so the topic is shortened.
    if (tooLong !== undefined) throw this.failure(pubsubname, `${topic.slice(0, 100)}…`, tooLong);
    return ready;
  }

  /** Throws Refusal ERR_PUBSUB_REQUEST_METADATA, ERR_PUBSUB_CLOUD_EVENTS_SER or ERR_PUBSUB_PUBLISH_MESSAGE. */
  wrap(request: Omit<PublishRequest, 'source'>): Wrapped {
    this.checkContentType(request, request.contentType);
    return wrapRequest(this.#shared, request);
  }

  /** Throws Refusal ERR_PUBSUB_PUBLISH_MESSAGE for one that is too long. */
  checkContentType({ pubsubname, topic }: PubsubTopic, contentType = ''): void {
    const tooLong = tooLongName('a content type', contentType);
    if (tooLong !== undefined) throw this.failure(pubsubname, topic, tooLong);
  }

  authorise(ready: ReadyPubSub, appId: string, topic: string): void {
    if (mayPublish(ready.scopes, appId, topic)) return;
    throw new Refusal('ERR_PUBSUB_FORBIDDEN', { topic, appId, pubsubname: ready.name }, { field: 'topic' });
  }

  failure(pubsubname: string, topic: string, reason: string): Refusal {
    return new Refusal('ERR_PUBSUB_PUBLISH_MESSAGE', { topic, pubsubname, reason });
  }

  /** Why publishes to this topic are refused now; undefined: they are accepted. */
  closedReason(of: PubsubTopic): string | undefined {
    return this.stopping ? 'the sidecar is stopping' : this.#shared.live.backlog.full(of);
  }

  /**
   * Why publishes are refused because the backlog is full; undefined: they are accepted. The last reason stays for some seconds, because a
   * full backlog accepts single publishes in between.
   */
  get refuses(): string | undefined {
    const { reason, atMs } = this.#refused;
    const { live, clock } = this.#shared;
    return live.backlog.fullForAll ?? (clock.now() < atMs + SHOWN_MS ? reason : undefined);
  }

  /** Journals the message, then publishes it to the component. Throws Refusal, or rejects with it, only if nothing was stored. */
  accept(
    ready: ReadyPubSub,
    facts: AcceptFacts,
    how: { isDeadLetter?: boolean; comesBack?: boolean; taken?: () => void } = {},
  ): Accepted | Promise<Accepted> {
    const isDeadLetter = how.isDeadLetter === true;
    const closed = isDeadLetter
      ? this.#noCopyReason(facts, how.comesBack === true)
      : this.closedReason(facts);
    if (closed !== undefined) {
      if (!isDeadLetter && !this.stopping) this.#refused = { reason: closed, atMs: this.#shared.clock.now() };
      throw this.failure(facts.pubsubname, facts.topic, closed);
    }
    how.taken?.();
    const message = this.#message(facts);
    const { live } = this.#shared;
    const expectedBy = this.#takers(ready, facts.topic);
    if (expectedBy !== undefined) message.changeRow({ ...message.row, expectedBy });
    const hold = this.#holdAtPublish(message);
    if (hold === undefined && ready.pubsub.features.redelivers)
      return this.#keepBeside(ready, message, facts, live.backlog.begin(facts, live.bodyBytes(message)));
    const kept = this.#keep(message);
    if (kept !== undefined) return this.#acceptedOnceKept(ready, message, facts, { hold, kept });
    return this.#accept(ready, message, facts, hold);
  }

  /** Continues with a message that the journal has. */
  #accept(
    ready: ReadyPubSub,
    message: LiveMessage,
    facts: AcceptFacts,
    hold: Hold | undefined,
  ): Accepted | Promise<Accepted> {
    const { wire } = message;
    this.#show(message, facts);
    if (hold === undefined) return this.handOver(ready, message, { wire });
    this.#tellHeld(message, hold);
    return { messageId: message.messageId };
  }

  /** Does what `#accept` does, for a journal that answers later; until then the message counts as being accepted. */
  async #acceptedOnceKept(
    ready: ReadyPubSub,
    message: LiveMessage,
    facts: AcceptFacts,
    { hold, kept }: { readonly hold: Hold | undefined; readonly kept: Promise<void> },
  ): Promise<Accepted> {
    const { live } = this.#shared;
    const accepted = live.backlog.begin(facts, live.bodyBytes(message));
    try {
      await kept;
    } catch (error) {
      throw this.failure(facts.pubsubname, facts.topic, errorText(error));
    } finally {
      accepted();
    }
    return this.#accept(ready, message, facts, hold);
  }

  /** Why a copy is refused. A copy that comes back to its topic needs room like a publish, or this topic could fill all the room. */
  #noCopyReason({ pubsubname, topic, deadLetterOf }: AcceptFacts, comesBack: boolean): string | undefined {
    const { backlog } = this.#shared.live;
    return comesBack
      ? backlog.fullForReturn({ pubsubname, topic: deadLetterOf?.topic ?? topic })
      : backlog.fullForCopies;
  }

  /**
   * Writes the message to the journal and publishes it to a broker at the same time; the publisher waits for both. After a kill the journal
   * has every message that the broker has. A loss of power may break that, but then the publisher has no answer yet.
   * @param accepted called once the message is counted as waiting, or is refused
   */
  async #keepBeside(
    ready: ReadyPubSub,
    message: LiveMessage,
    facts: AcceptFacts,
    accepted: () => void,
  ): Promise<Accepted> {
    const { wire } = message;
    let handedOver: Accepted | Promise<Accepted> | undefined;
    const handOver = (): Accepted | Promise<Accepted> => {
      accepted();
      this.#show(message, facts);
      handedOver = this.handOver(ready, message, { wire });
      return handedOver;
    };
    try {
      const kept = this.#keep(message, [], () => void handOver());
      if (kept !== undefined) await kept;
    } catch (error) {
      accepted();
      await handedOver;
      if (handedOver !== undefined) this.#deliveries.flag(message, NOT_SYNCED);
      throw this.failure(facts.pubsubname, facts.topic, errorText(error));
    }
    return await (handedOver ?? handOver());
  }

  /** The hold that catches a message before it is stored. */
  #holdAtPublish(message: LiveMessage): Hold | undefined {
    const caught = this.#holds.any('publish') ? this.#holds.atPublish(message) : undefined;
    if (caught !== undefined) message.changeRow(heldRow(message.row, caught));
    return caught?.hold;
  }

  /** Counts and shows a stored message. */
  #show(message: LiveMessage, { pubsubname, topic, caller }: AcceptFacts): void {
    const { callers, live, events, metrics } = this.#shared;
    if (caller !== undefined) callers.note(message.messageId, caller);
    live.add(message);
    metrics.accepted(pubsubname, topic);
    events.addRow(() => message.row);
  }

  #tellHeld(message: LiveMessage, { releaseAfterMs }: Hold): void {
    const { clock, signals } = this.#shared;
    const releaseAtMs = releaseAfterMs === undefined ? undefined : clock.now() + releaseAfterMs;
    signals.tell('heldAtPublish', { message, releaseAtMs });
  }

  /**
   * Whether another hold catches a message that one has released; it then stays held by that one.
   * @param releasedFrom holds that have released it now
   */
  async isCaughtNext(message: LiveMessage, releasedFrom: readonly string[]): Promise<boolean> {
    if (!this.#holds.any('publish')) return false;
    const mustRead = this.#holds.mustRead('publish', message);
    const wire = mustRead ? await this.#shared.live.wire(message) : undefined;
    const caught = this.#holds.atPublish(message, releasedFrom, wire);
    if (caught === undefined) return false;
    const { hold } = caught;
    const { flags } = heldRow(message.row, caught);
    const written = this.#deliveries.patchMessage(message, {
      heldBy: hold.holdId,
      releasedFrom,
      ...(flags === undefined ? {} : { flags }),
    });
    this.#tellHeld(message, hold);
    await written;
    return true;
  }

  /**
   * Publishes a stored message to its component. A refused message gets stage `refused`, or stays held. Never rejects.
   * @param more `isAgain`; `releasedFrom`: holds that have released a held message now; `wire`: its body, if it is in memory
   */
  handOver(
    ready: ReadyPubSub,
    message: LiveMessage,
    { releasedFrom, isAgain = false, wire: atHand }: HandOver = {},
  ): Accepted | Promise<Accepted> {
    const waiting = ready.pubsub.features.keepsHistory ? [] : this.#undiscovered(message.row.pubsubname);
    const before: BeforeHandOver = {
      isHeld: message.row.stage === 'held',
      heldBy: message.row.heldBy,
      releasedFrom,
      isAgain,
    };
    if (before.isHeld) this.#expectAgain(ready, message);
    // Noted before the publish, so that an app that is discovered meanwhile finds the message.
    if (waiting.length > 0) {
      void this.#deliveries.patchMessage(message, {
        ...(before.isHeld ? {} : { stage: 'waiting' }),
        waitingFor: waiting.map((app) => app.appId),
      });
    }
    const wire = atHand ?? message.wire;
    if (wire === undefined) return this.#handOverRead(ready, message, before);
    const handed = this.#give(ready, message, wire);
    return handed === undefined
      ? this.#handedOver(ready, message, before)
      : this.#handedOverOnceTaken(ready, message, before, handed);
  }

  /**
   * Updates which apps the broker will deliver to: a held message may have a new topic, or its topic new subscriptions. Without takers the
   * old list stays while some app has not had its first discovery.
   */
  #expectAgain(ready: ReadyPubSub, message: LiveMessage): void {
    const { pubsubname, topic, expectedBy: before } = message.row;
    const takers = this.#takers(ready, topic);
    if (takers === undefined && (before === undefined || this.#undiscovered(pubsubname).length > 0)) return;
    void this.#deliveries.patchMessage(message, { expectedBy: takers });
  }

  /** Publishes a message whose body only the journal has. */
  async #handOverRead(ready: ReadyPubSub, message: LiveMessage, before: BeforeHandOver): Promise<Accepted> {
    const read = async (): Promise<void> => this.#give(ready, message, await this.#shared.live.wire(message));
    return this.#handedOverOnceTaken(ready, message, before, read());
  }

  async #handedOverOnceTaken(
    ready: ReadyPubSub,
    message: LiveMessage,
    before: BeforeHandOver,
    handed: Promise<void>,
  ): Promise<Accepted> {
    try {
      await handed;
    } catch (error) {
      const isForGood = error instanceof PublishFailure && error.isForGood;
      return this.#componentRefused(message, before, { failed: errorText(error), isForGood });
    }
    return this.#handedOver(ready, message, before);
  }

  /** Publishes the bytes to the component; undefined: done. An error thrown by the component becomes a rejection. */
  #give(ready: ReadyPubSub, message: LiveMessage, wire: Wire): Promise<void> | undefined {
    const { row, messageId, metadata } = message;
    const outbound = { messageId, topic: row.topic, wire, contentType: row.contentType, metadata };
    const policy = this.#policies.outboundFor(row.appId, ready.name);
    try {
      return publishTo(ready.pubsub, outbound, this.#shared, { policy, waits: this.#waits });
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #componentRefused(
    message: LiveMessage,
    { isHeld, heldBy, isAgain }: BeforeHandOver,
    { failed, isForGood }: { readonly failed: string; readonly isForGood: boolean },
  ): Accepted {
    if (isAgain) return { messageId: message.messageId, failed, ...(isForGood ? { isForGood } : {}) };
    void this.#deliveries.patchMessage(message, {
      stage: isHeld ? 'held' : 'refused',
      heldBy: isHeld ? heldBy : undefined,
      waitingFor: undefined,
      flags: [...(message.row.flags ?? []), `The component refused it: ${failed}`],
    });
    if (!isHeld) this.#deliveries.published(message);
    return { messageId: message.messageId, failed };
  }

  /** Called when the component has the message. */
  #handedOver(ready: ReadyPubSub, message: LiveMessage, { isHeld, releasedFrom }: BeforeHandOver): Accepted {
    if (isHeld) {
      void this.#deliveries.patchMessage(message, {
        stage: message.row.waitingFor === undefined ? undefined : 'waiting',
        heldBy: undefined,
        ...(releasedFrom === undefined ? {} : { releasedFrom }),
      });
    }
    if (
      message.deliveries.length === 0 &&
      message.row.waitingFor === undefined &&
      message.row.expectedBy === undefined &&
      !ready.pubsub.features.keepsHistory
    ) {
      this.#shared.metrics.withoutSubscription(message.row.pubsubname, message.row.topic);
    }
    if (ready.pubsub.features.redelivers) this.#shared.expected.add(message);
    this.#noteExpected(message.row);
    this.#deliveries.published(message);
    return { messageId: message.messageId };
  }

  /** Stores that the broker delivers messages of the topic to a group: the next start counts such messages one by one. */
  #noteExpected({ pubsubname, topic, expectedBy }: MessageRow): void {
    const { metrics, writer } = this.#shared;
    if (expectedBy === undefined || !metrics.expected(pubsubname, topic)) return;
    void writer.keep(OBSERVED_TOPICS, metrics.observedTopics());
  }

  /** Takes in a message that another sidecar or tool has published to the broker: stored like the others, never published here. */
  async adopt(facts: AcceptFacts): Promise<LiveMessage> {
    const message = this.#message(facts);
    message.notePublished();
    try {
      await this.#keep(message, [{ kind: 'message.published', messageId: message.messageId }]);
    } catch (error) {
      throw this.failure(facts.pubsubname, facts.topic, errorText(error));
    }
    this.#show(message, facts);
    return message;
  }

  /** Records a message that passed a tap. It is written in the background. */
  observe(facts: AcceptFacts): LiveMessage {
    const message = this.#message(facts);
    message.notePublished();
    const { row, wire, metadata, givenContentType, messageId } = message;
    const { writer, live, metrics, events, callers } = this.#shared;
    writer.later(
      [
        { kind: 'message.accepted', message: { row, wire: wire ?? '', metadata, givenContentType } },
        { kind: 'message.published', messageId },
      ],
      () => undefined,
    );
    if (facts.caller !== undefined) callers.note(messageId, facts.caller);
    live.add(message);
    const isNew = metrics.observed(facts.pubsubname, facts.topic, facts.tap ?? facts.appId);
    if (isNew) void writer.keep(OBSERVED_TOPICS, metrics.observedTopics());
    events.addRow(() => row);
    return message;
  }

  /**
   * Stores the message; undefined: done.
   * @param ahead as in `Writer.accept`
   */
  #keep(
    message: LiveMessage,
    more: readonly JournalRecord[] = [],
    ahead?: () => void,
  ): Promise<void> | undefined {
    const { row, wire, metadata, givenContentType, releasedFrom } = message;
    const kept = { row, wire: wire ?? '', metadata, givenContentType };
    const stored = releasedFrom.length === 0 ? kept : { ...kept, releasedFrom };
    return this.#shared.writer.accept([{ kind: 'message.accepted', message: stored }, ...more], ahead);
  }

  #message(facts: AcceptFacts): LiveMessage {
    this.#lastNumber += 1;
    const { ids, clock, codec } = this.#shared;
    return newMessage(facts, {
      messageId: facts.messageId ?? ids.next('message'),
      number: this.#lastNumber,
      nowMs: facts.atMs ?? clock.now(),
      codec,
    });
  }
}

function heldRow(row: MessageRow, { hold, undecided }: Caught): MessageRow {
  const flags = undecided === undefined ? row.flags : [...(row.flags ?? []), undecided];
  return { ...row, stage: 'held', heldBy: hold.holdId, ...(flags === undefined ? {} : { flags }) };
}
