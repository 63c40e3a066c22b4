/**
 * Publishes whose event gets its id from the sidecar. Of many, each waits a moment for its event, so that its message is made with the event,
 * which takes far less than making it first and changing it then.
 */
import type { Wrapped } from '../../domain/publish-input.ts';
import type { SharedServices } from '../common-services.ts';
import { wrappedFromWire } from '../publishing/from-wire.ts';
import type { Acceptance } from '../publishing/acceptance.ts';
import type { AcceptFacts } from '../publishing/new-message.ts';
import type { LiveMessage } from '../state/live.ts';
import type { PassingEvent } from './identity.ts';

/**
 * A publish that comes this long after the one before becomes a message at once: changing it with its event costs little then, and a tap that
 * is killed has recorded it.
 */
const ALONE_MS = 50;
/** Time after which the message is made without its event, from its publish or from the last event of another one. */
const MAX_MS = 500;
/** Longest wait from the publish, however many other events pass: a broker may hand over late what it has, one event after the other. */
const MAX_LATE_MS = 3_000;
/** Number of publishes that wait, and of bytes of their bodies; beyond it a message is made at once. */
const MAX_PUBLISHES = 5_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** Number of messages that are made in a turn of the event loop, as thousands may be due at the same moment. */
const AT_ONCE = 100;
const NEXT_MS = 1;

/** Flag of an observed publish until its event has passed. */
export const UNKNOWN_ID = 'The sidecar gave it an id, which the tap learns when the event passes.';

/** A publish that was noted. */
export interface NotedPublish {
  readonly messageId: string;
  /** The message of the publish. Makes it now if there is none yet. */
  message(): LiveMessage;
}

export interface UnmadePublish {
  readonly facts: Omit<AcceptFacts, 'wrapped'>;
  /** Bytes of its body. */
  readonly bytes: number;
  /** The envelope as the sidecar is expected to make it. */
  readonly wrapped: () => Wrapped;
}

interface Waiting extends UnmadePublish {
  readonly messageId: string;
  readonly sinceMs: number;
  made: LiveMessage | undefined;
}

export class UnmadePublishes {
  readonly #shared: SharedServices;
  readonly #acceptance: Acceptance;
  readonly #written: (message: LiveMessage) => void;
  /** Oldest first. */
  readonly #all = new Map<string, Waiting>();
  #bytes = 0;
  #isTimed = false;
  #lastEventMs = 0;
  #lastPublishMs = -ALONE_MS;

  /** @param written called when a message is in the history, see `Acceptance.observe` */
  constructor(shared: SharedServices, acceptance: Acceptance, written: (message: LiveMessage) => void) {
    this.#shared = shared;
    this.#acceptance = acceptance;
    this.#written = written;
  }

  add(publish: UnmadePublish): NotedPublish {
    const { ids, clock } = this.#shared;
    const messageId = ids.next('message');
    // Messages have the order of their publishes.
    const facts = { ...publish.facts, messageId, number: this.#acceptance.takeNumber() };
    const one: Waiting = { ...publish, facts, messageId, sinceMs: clock.now(), made: undefined };
    this.#all.set(messageId, one);
    this.#bytes += one.bytes;
    const isAlone = this.#isAlone(facts.atMs ?? one.sinceMs);
    if (isAlone || this.#all.size > MAX_PUBLISHES || this.#bytes > MAX_BYTES) this.#alone(one);
    else this.#look();
    return { messageId, message: () => one.made ?? this.#alone(one) };
  }

  /** Whether a publish comes some time after the one before. */
  #isAlone(atMs: number): boolean {
    const sinceMs = atMs - this.#lastPublishMs;
    this.#lastPublishMs = Math.max(this.#lastPublishMs, atMs);
    return sinceMs >= ALONE_MS;
  }

  /** The message of a publish, made with its event; undefined: it was made without it. */
  withEvent(messageId: string, event: PassingEvent): LiveMessage | undefined {
    this.#lastEventMs = this.#shared.clock.now();
    const one = this.#all.get(messageId);
    if (one === undefined) return undefined;
    return this.#made(one, this.#wrappedBy(one, event));
  }

  /** Makes the messages of all that wait. */
  makeAll(): void {
    for (const one of this.#all.values()) this.#alone(one);
  }

  #alone(one: Waiting): LiveMessage {
    return this.#made(one, one.wrapped());
  }

  #made(one: Waiting, wrapped: Wrapped): LiveMessage {
    this.#all.delete(one.messageId);
    this.#bytes -= one.bytes;
    one.made = this.#acceptance.observe({ ...one.facts, wrapped }, this.#written);
    return one.made;
  }

  /** The envelope is the event as delivered; what that does not say is as expected. */
  #wrappedBy(one: Waiting, { wire, read }: PassingEvent): Wrapped {
    const told = wrappedFromWire(wire, [], this.#shared.codec, read);
    const { eventType, traceId, contentType } = told;
    if (eventType !== undefined && traceId !== undefined && contentType !== '')
      return { ...told, kind: 'wrapped' };
    const expected = one.wrapped();
    const flags = expected.flags.filter((flag) => flag !== UNKNOWN_ID);
    return {
      ...expected,
      ...told,
      kind: 'wrapped',
      contentType: contentType || expected.contentType,
      flags,
    };
  }

  /** Time at which the message is made even if its event has not passed. */
  #dueMs({ sinceMs }: Waiting): number {
    return Math.min(Math.max(sinceMs, this.#lastEventMs) + MAX_MS, sinceMs + MAX_LATE_MS);
  }

  /** @param fromMs the next look comes no earlier */
  #look(fromMs = 0): void {
    const [oldest] = this.#all.values();
    if (this.#isTimed || oldest === undefined) return;
    this.#isTimed = true;
    this.#shared.timers.at(Math.max(fromMs, this.#dueMs(oldest)), () => {
      this.#isTimed = false;
      const now = this.#shared.clock.now();
      let left = AT_ONCE;
      for (const one of this.#all.values()) {
        if (left === 0 || this.#dueMs(one) > now) break;
        this.#alone(one);
        left -= 1;
      }
      this.#look(now + NEXT_MS);
    });
  }
}
