/** Finds the message of an event that passes a tap: its observed publish, or a new message from elsewhere. */
import type { MessageRow } from '../../contract/message.ts';
import { bytesIn } from '../../domain/codec.ts';
import { rowText } from '../../domain/name-length.ts';
import { NewestMap } from '../../domain/newest-map.ts';
import { parseFilter } from '../../domain/filter/parse.ts';
import type { ScanSlice } from '../../ports/journal.ts';
import type { PublishEnd } from '../../ports/tap.ts';
import type { LiveDelivery, LiveMessage } from '../state/live.ts';
import { after } from '../../domain/maybe-promise.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Wrapped } from '../../domain/publish-input.ts';
import type { SharedServices } from '../common-services.ts';
import type { Targets } from '../commands/targets.ts';
import { wrappedFromWire } from '../publishing/from-wire.ts';
import type { AcceptFacts } from '../publishing/new-message.ts';
import type { Acceptance } from '../publishing/acceptance.ts';
import type { Deliveries } from '../state/delivery.ts';
import { iso } from '../time/time.ts';
import { keyOfData, keyOfId, PassingEvent } from './identity.ts';
import type { EventAddress } from './identity.ts';
import { UNKNOWN_ID, UnmadePublishes } from './unmade-publishes.ts';
import type { NotedPublish, UnmadePublish } from './unmade-publishes.ts';
import { firstTopic } from '../delivering/dead-letters.ts';

/** Maximum number of events remembered by id. */
const MAX_KNOWN = 20_000;
/** Number of newest messages of the history that are searched for them at the start. */
const MAX_LOOKED_AT = 100_000;
const SLICE = 500;
/** Maximum number of publishes whose event was not seen yet. */
const MAX_UNCLAIMED = 5_000;

/** Flags of a publish that was not accepted. */
const FAILED = {
  refused: 'The sidecar refused it',
  unreached: 'It did not reach the sidecar, and the app got no answer',
  unanswered: 'The sidecar gave the app no answer, and may still have accepted it',
} as const;

export interface ObservedMessageDependencies {
  readonly acceptance: Acceptance;
  readonly deliveries: Deliveries;
  readonly targets: Targets;
}

/**
 * Record of a publish.
 * @param id id of the event, if the publisher gave it
 */
export interface PublishFacts {
  readonly facts: AcceptFacts;
  readonly id: string | undefined;
}

/** Tap that saw an event, and the time. */
interface Passed {
  readonly tap: string;
  readonly isRaw: boolean;
  readonly atMs: number;
  /** The delivery that its sidecar gave up, if this event is its dead-letter copy. */
  readonly copyOf?: LiveDelivery | undefined;
  /** Reports what has passed all other taps; false: there is none. */
  readonly reportOthers: () => MaybePromise<boolean>;
}

export class ObservedMessages {
  readonly #shared: SharedServices;
  readonly #deps: ObservedMessageDependencies;
  /** Message ids by the key of the event, oldest first. */
  readonly #known = new NewestMap<string>(MAX_KNOWN);
  /** Messages that wait for an event with their payload, oldest first. */
  readonly #unclaimed = new Map<string, string[]>();
  /** Keys of `#unclaimed` by message, in the order of publishing. */
  readonly #waiting = new NewestMap<string>(MAX_UNCLAIMED);
  /** Ids of the newest messages whose event has a known id; older ones are read from the history when it comes. */
  readonly #waitingById = new NewestMap<true>(MAX_UNCLAIMED);
  readonly #unmade: UnmadePublishes;
  #restoring: Promise<void> | undefined;
  #isRestored = false;

  constructor(shared: SharedServices, deps: ObservedMessageDependencies) {
    this.#shared = shared;
    this.#deps = deps;
    this.#unmade = new UnmadePublishes(shared, deps.acceptance, this.#written);
  }

  published({ facts, id }: PublishFacts): LiveMessage {
    const message = this.#deps.acceptance.observe(facts, this.#written);
    if (id === undefined) {
      const isRaw = facts.wrapped.kind === 'raw';
      const event = new PassingEvent(facts, facts.wrapped, isRaw, this.#shared.codec);
      this.#await(event.payloadKey(isRaw), message);
    } else {
      this.#known.add(keyOfId(facts, id), message.messageId);
      this.#awaitById(message);
    }
    return message;
  }

  /**
   * Notes a publish whose event gets its id from the sidecar.
   * @param data of the event
   */
  expected(publish: UnmadePublish, data: unknown): NotedPublish {
    const noted = this.#unmade.add(publish);
    this.#await(keyOfData(publish.facts, data), noted);
    return noted;
  }

  /** Makes the messages of publishes that still wait for their events. */
  makeAll(): void {
    this.#unmade.makeAll();
  }

  /** A written message without deliveries stays in memory as long as its event is likely to come. */
  readonly #written = (message: LiveMessage): void => {
    const { messageId, deliveries } = message;
    const isAwaited = this.#waiting.has(messageId) || this.#waitingById.has(messageId);
    if (deliveries.length > 0 || !isAwaited) this.#shared.live.removeIfFinished(message);
  };

  /** Notes that the sidecar did not take the publish, so that no event follows, or that it gave no answer. */
  failed(message: LiveMessage, { kind, reason }: Exclude<PublishEnd, { kind: 'accepted' }>): void {
    const before = message.row.flags ?? [];
    const why = `${FAILED[kind]}: ${reason}`;
    if (kind === 'unanswered') {
      void this.#deps.deliveries.patchMessage(message, { flags: [...before, why] });
      return;
    }
    this.#forgetWaiting(message.messageId);
    // Nobody gives an id to what is not taken.
    const flags = [...before.filter((flag) => flag !== UNKNOWN_ID), why];
    void this.#deps.deliveries.patchMessage(message, { stage: 'refused', flags });
  }

  /** The message of an event that is being delivered; it is in memory from now on. */
  of(event: PassingEvent, from: Passed): MaybePromise<LiveMessage> {
    if (!this.#isRestored) return this.#knowsEarlier().then(() => this.of(event, from));
    return after(this.#reported(event), (message) => {
      if (message !== undefined) return message;
      // The publish may have passed another tap, which reports by its own pauses.
      return after(from.reportOthers(), (hasOthers) => {
        const late = hasOthers ? this.#reported(event) : undefined;
        return after(late, (found) => found ?? this.#seenFirst(event, from));
      });
    });
  }

  #seenFirst(event: PassingEvent, from: Passed): LiveMessage {
    const message = this.#fromElsewhere(event, from);
    this.#known.add(event.key, message.messageId);
    return message;
  }

  /** The message of an event, as far as taps have reported; undefined: unknown. */
  #reported(event: PassingEvent): MaybePromise<LiveMessage | undefined> {
    return after(this.#message(this.#known.get(event.key)), (known) => {
      if (known !== undefined || this.#waiting.size === 0) return known;
      return after(this.#claimed(event), (claimed) => {
        if (claimed !== undefined) this.#known.add(event.key, claimed.messageId);
        return claimed;
      });
    });
  }

  /** The message of an earlier event, by its id; undefined: unknown. It is in memory from now on. */
  async seen(address: EventAddress, id: string): Promise<LiveMessage | undefined> {
    if (!this.#isRestored) await this.#knowsEarlier();
    return this.#message(this.#known.get(keyOfId(address, id)));
  }

  /** Finds an unmatched publish by its payload: the data of the event or, for a raw delivery, all bytes. */
  #claimed(event: PassingEvent): MaybePromise<LiveMessage | undefined> {
    return after(
      this.#claim(event.payloadKey(false), event),
      (message) => message ?? this.#claim(event.payloadKey(true), event),
    );
  }

  /** Waits for the earlier messages. Rejects if the history cannot be read; the next call reads it again. */
  async #knowsEarlier(): Promise<void> {
    this.#restoring ??= this.#restore();
    try {
      await this.#restoring;
      this.#isRestored = true;
    } catch (error) {
      this.#restoring = undefined;
      throw error;
    }
  }

  /** Loads the observed messages of earlier runs, finished or not, because their sidecar may send them again. */
  async #restore(): Promise<void> {
    const earlier: [key: string, messageId: string][] = [];
    for await (const row of this.#seenBefore()) {
      if (row.eventId !== undefined) earlier.push([keyOfId(row, row.eventId), row.messageId]);
      if (earlier.length + this.#known.size >= MAX_KNOWN) break;
    }
    const since = [...this.#known];
    this.#known.clear();
    for (const [key, messageId] of [...earlier.toReversed(), ...since]) this.#known.add(key, messageId);
  }

  /** Observed messages of the history, newest first. */
  async *#seenBefore(): AsyncGenerator<MessageRow> {
    const { journal, clock } = this.#shared;
    const filter = parseFilter('is:tapped');
    if (!filter.ok) throw new Error('the filter of observed messages cannot be read');
    const { lastNumber } = await journal.stats();
    const query = { filter: filter.filter, order: 'newest', limit: SLICE, nowMs: clock.now() } as const;
    for (let after: number | undefined = lastNumber + 1; after !== undefined;) {
      const slice: ScanSlice = await journal.scan({ ...query, after });
      for (const row of await journal.rows(slice.numbers)) if (row !== undefined) yield row;
      after = slice.next === undefined || slice.next < lastNumber - MAX_LOOKED_AT ? undefined : slice.next;
    }
  }

  #message(messageId: string | undefined): MaybePromise<LiveMessage | undefined> {
    if (messageId === undefined) return undefined;
    const { targets } = this.#deps;
    const known = this.#shared.live.message(messageId);
    return known === undefined ? targets.load(messageId) : targets.stillKept(known);
  }

  /** The oldest publish with this payload whose event was not seen yet; it gets the event as delivered. */
  #claim(key: string, event: PassingEvent): MaybePromise<LiveMessage | undefined> {
    const [messageId] = this.#unclaimed.get(key) ?? [];
    if (messageId === undefined) return undefined;
    this.#forgetWaiting(messageId);
    const made = this.#unmade.withEvent(messageId, event);
    if (made !== undefined) return made;
    return after(this.#message(messageId), (message) => message && this.#carrying(message, event));
  }

  #carrying(message: LiveMessage, { wire, read }: PassingEvent): LiveMessage {
    if (message.deliveries.length > 0 || message.row.raw) return message;
    const { codec } = this.#shared;
    const { metadata, givenContentType } = message;
    const content = { wire, metadata, givenContentType };
    const others = (message.row.flags ?? []).filter((flag) => flag !== UNKNOWN_ID);
    this.#deps.deliveries.rewriteObserved(message, {
      patch: {
        ...membersOf(wrappedFromWire(wire, [], codec, read)),
        sizeBytes: bytesIn(wire, codec),
        flags: others.length === 0 ? undefined : others,
      },
      content,
    });
    return message;
  }

  /** Creates a message for an event whose publish was not seen. A raw delivery may still contain an event. */
  #fromElsewhere({ address, wire, read }: PassingEvent, { tap, isRaw, atMs, copyOf }: Passed): LiveMessage {
    const told = wrappedFromWire(wire, [], this.#shared.codec, read);
    const isEvent = !isRaw || told.eventType !== undefined;
    const wrapped: Wrapped = isEvent ? told : { kind: 'raw', wire, contentType: '', flags: [] };
    const facts: AcceptFacts = {
      appId: tap,
      tap,
      ...address,
      atMs,
      source: copyOf === undefined ? 'elsewhere' : 'dead-letter',
      ...(copyOf === undefined ? {} : { deadLetterOf: originOf(copyOf) }),
      wrapped,
      givenContentType: '',
      metadata: {},
    };
    return this.#deps.acceptance.observe(facts, this.#written);
  }

  #await(key: string, { messageId }: Pick<LiveMessage, 'messageId'>): void {
    const equal = this.#unclaimed.get(key);
    if (equal === undefined) this.#unclaimed.set(key, [messageId]);
    else equal.push(messageId);
    const [oldest, itsKey] = this.#waiting.add(messageId, key) ?? [];
    if (oldest === undefined || itsKey === undefined) return;
    this.#forgetUnclaimed(oldest, itsKey);
    this.#removeIfFinished(oldest);
  }

  #awaitById({ messageId }: LiveMessage): void {
    const [oldest] = this.#waitingById.add(messageId, true) ?? [];
    if (oldest !== undefined) this.#removeIfFinished(oldest);
  }

  #removeIfFinished(messageId: string): void {
    const message = this.#shared.live.message(messageId);
    if (message !== undefined) this.#shared.live.removeIfFinished(message);
  }

  #forgetWaiting(messageId: string): void {
    const key = this.#waiting.get(messageId);
    if (key === undefined) return;
    this.#waiting.delete(messageId);
    this.#forgetUnclaimed(messageId, key);
  }

  #forgetUnclaimed(messageId: string, key: string): void {
    const equal = this.#unclaimed.get(key) ?? [];
    // Mostly it is the oldest one, which goes without a search; one that was refused is among the newest.
    if (equal[0] === messageId) equal.shift();
    else equal.splice(equal.lastIndexOf(messageId), 1);
    if (equal.length === 0) this.#unclaimed.delete(key);
  }
}

function originOf({ deliveryId, message }: LiveDelivery): NonNullable<AcceptFacts['deadLetterOf']> {
  return { messageId: message.messageId, deliveryId, topic: firstTopic(message.row) };
}

/** Members of a row that follow from the envelope. */
function membersOf({ eventId, eventType, subject, traceId, expiresAtMs, contentType }: Wrapped) {
  return {
    ...(eventId === undefined ? {} : { eventId: rowText(eventId) }),
    ...(eventType === undefined ? {} : { eventType: rowText(eventType) }),
    ...(subject === undefined ? {} : { subject: rowText(subject) }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(expiresAtMs === undefined ? {} : { expiresAt: iso(expiresAtMs) }),
    ...(contentType === '' ? {} : { contentType: rowText(contentType) }),
  };
}
