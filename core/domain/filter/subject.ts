/**
 * A message as filters see it, with its deliveries. Payload and texts are read only when a filter asks for
 * them.
 */
import { filterStatus } from '../../contract/grpc.ts';
import type { Protocol } from '../../contract/grpc.ts';
import type { DeliveryRow, MessageRow } from '../../contract/message.ts';
import type { Codec, Wire } from '../codec.ts';
import { describe } from '../inbound.ts';
import type { Description } from '../inbound.ts';
import { isObject } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type { Steps } from '../steps.ts';
import { spendOnReading } from './live-bounds.ts';

export interface FilterSubject {
  /** Steps that all filters together may spend on this message; absent: they are not counted. */
  readonly steps?: Steps | undefined;
  /** Members of the message itself; `deliveries` may be left out here. */
  readonly row: MessageRow;
  /** The rows of its deliveries as they are now; read on demand. */
  readonly deliveries: readonly DeliveryRow[];
  /** Publish metadata. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The parsed envelope as it was published; undefined for a raw message. */
  readonly event?: JsonObject | undefined;
  /** The payload that lists show, as a value: JSON, or a string; undefined for bytes. Read on demand. */
  data(): unknown;
  /** That payload with the values of its envelope, and ids, in lower case. Made on demand. */
  text(): string;
  /** Status of every attempt that got one; gRPC codes are negative (`filterStatus`). */
  readonly statuses: readonly number[];
  /** Status word of every attempt that got one. */
  readonly words: readonly string[];
  /** Bodies of the answers that are kept as text, in lower case; each is read when it is asked for. */
  answers(): Iterable<string>;
  /** Code and message of every attempt without an answer. */
  readonly errors: readonly string[];
  /** Id and name of each mock answer that answered an attempt. */
  readonly answeredBy: readonly string[];
  /** Rule ids of all transitions. */
  readonly rules: readonly string[];
  /** Causes of all transitions. */
  readonly causes: readonly string[];
  /** Times of all transitions, as far as they are known. */
  readonly changedAt: readonly string[];
}

/** A kept message as plain members; a journal's stored message fits. */
export interface StoredFacts {
  /** Row with the present `deliveries`, unless these are passed separately. */
  readonly row: MessageRow;
  /** Deliveries, read only when a filter asks for them. */
  readonly deliveries?: readonly DeliveryRow[];
  readonly metadata: Readonly<Record<string, string>>;
  /** Bytes that were handed to the component. */
  readonly wire: Wire;
  /**
   * Bytes that lists show instead (`editedWire`): payload and texts are read from these. Absent: nobody edited them, or the filter decides
   * before there is a delivery.
   */
  readonly edited?: Wire | undefined;
}

/** Part of a delivery's history that filters read; a `Delivery` of the contract fits. */
export interface DeliveryFacts {
  readonly attempts: readonly {
    readonly protocol?: Protocol;
    readonly response?: { readonly status: number; readonly body?: string; readonly bodyBase64?: boolean };
    readonly word?: string;
    readonly error?: { readonly code: string; readonly message: string };
    readonly answeredBy?: { readonly ruleId: string; readonly name?: string };
  }[];
  readonly transitions: readonly { readonly rule: string; readonly cause: string; readonly at?: string }[];
}

/**
 * Wraps a stored message for evaluation. Nothing is parsed or joined before a filter asks for it; results are kept for this subject.
 * @param deliveries with their attempts and transitions; [] before the fan-out; a function is called when a filter asks
 * @param steps for filters that messages pass through on their way: reading and searching throw OutOfSteps when they are used up
 */
export function buildSubject(
  message: StoredFacts,
  deliveries: readonly DeliveryFacts[] | (() => readonly DeliveryFacts[]),
  codec: Codec,
  steps?: Steps,
): FilterSubject {
  return new StoredSubject(message, deliveries, codec, steps);
}

/**
 * Subject of a stored message. It is a class, not closures, because a search makes one for each message of
 * the history.
 */
class StoredSubject implements FilterSubject {
  readonly row: MessageRow;
  readonly steps: Steps | undefined;
  readonly #message: StoredFacts;
  readonly #given: readonly DeliveryFacts[] | (() => readonly DeliveryFacts[]);
  readonly #codec: Codec;
  #published: Description | undefined;
  #shown: Description | undefined;
  #text: string | undefined;

  constructor(
    message: StoredFacts,
    deliveries: readonly DeliveryFacts[] | (() => readonly DeliveryFacts[]),
    codec: Codec,
    steps: Steps | undefined,
  ) {
    this.row = message.row;
    this.steps = steps;
    this.#message = message;
    this.#given = deliveries;
    this.#codec = codec;
  }

  get deliveries(): readonly DeliveryRow[] {
    return this.#message.deliveries ?? this.row.deliveries;
  }

  get metadata(): Readonly<Record<string, string>> {
    return this.#message.metadata;
  }

  get #stories(): readonly DeliveryFacts[] {
    return typeof this.#given === 'function' ? this.#given() : this.#given;
  }

  get event(): JsonObject | undefined {
    return (this.#published ??= this.#read(this.#message.wire)).envelope;
  }

  data(): unknown {
    return this.#payload().data;
  }

  text(): string {
    this.#text ??= this.#searchable();
    return this.#text;
  }

  get statuses(): readonly number[] {
    return this.#stories.flatMap(({ attempts }) =>
      attempts.flatMap(({ response, protocol }) =>
        response === undefined ? [] : [filterStatus(response.status, protocol)],
      ),
    );
  }

  get words(): readonly string[] {
    return this.#stories.flatMap(({ attempts }) => attempts.flatMap(({ word }) => word ?? []));
  }

  *answers(): Iterable<string> {
    let last: string | undefined;
    for (const { attempts } of this.#stories) {
      for (const { response } of attempts) {
        const body = response?.bodyBase64 === true ? undefined : response?.body;
        // An app that fails mostly says the same each time.
        if (body === undefined || body === '' || body === last) continue;
        last = body;
        if (this.steps !== undefined) spendOnReading(body.length, this.steps);
        yield body.toLowerCase();
      }
    }
  }

  get errors(): readonly string[] {
    return this.#stories.flatMap(({ attempts }) =>
      attempts.flatMap(({ error }) => (error === undefined ? [] : [error.code, error.message])),
    );
  }

  get answeredBy(): readonly string[] {
    return this.#stories.flatMap(({ attempts }) =>
      attempts.flatMap(({ answeredBy }) =>
        answeredBy === undefined
          ? []
          : [answeredBy.ruleId, ...(answeredBy.name === undefined ? [] : [answeredBy.name])],
      ),
    );
  }

  get rules(): readonly string[] {
    return this.#stories.flatMap(({ transitions }) => transitions.map(({ rule }) => rule));
  }

  get causes(): readonly string[] {
    return this.#stories.flatMap(({ transitions }) => transitions.map(({ cause }) => cause));
  }

  get changedAt(): readonly string[] {
    return this.#stories.flatMap(({ transitions }) => transitions.flatMap(({ at }) => at ?? []));
  }

  #searchable(): string {
    const payload = this.#payload();
    if (this.steps !== undefined) spendOnReading(this.#message.wire.length, this.steps);
    return searchableText(this.row, this.deliveries, payload);
  }

  /** The message as lists show it. */
  #payload(): Description {
    const { edited, wire } = this.#message;
    if (edited !== undefined) return (this.#shown ??= this.#read(edited));
    return (this.#published ??= this.#read(wire));
  }

  #read(wire: Wire): Description {
    if (this.steps !== undefined) spendOnReading(wire.length, this.steps);
    return describe(wire, this.row.raw, this.#codec);
  }
}

function searchableText(row: MessageRow, deliveries: readonly DeliveryRow[], payload: Description): string {
  const parts = [row.messageId, row.eventId, row.batchId, row.replayOf];
  for (const { deliveryId } of deliveries) parts.push(deliveryId);
  for (const [name, value] of Object.entries(payload.envelope ?? {})) {
    if (name !== 'data' && name !== 'data_base64') parts.push(plainText(value));
  }
  parts.push(plainText(payload.data));
  return parts
    .filter((part) => part !== undefined)
    .join('\n')
    .toLowerCase();
}

/**
 * JSON as it is usually shown. If it has escapes, it follows once more without them, so that a search finds
 * what a person reads on screen.
 */
function plainText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value;
  const json = JSON.stringify(value);
  if (!json.includes('\\')) return json;
  const texts = [json];
  addLeafTexts(value, texts);
  return texts.join('\n');
}

/** Adds texts to one list: joining lists at every level takes time with the square of the depth. */
function addLeafTexts(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const one of value as readonly unknown[]) addLeafTexts(one, texts);
  else if (isObject(value)) for (const name of Object.keys(value)) addLeafTexts(value[name], texts);
}
