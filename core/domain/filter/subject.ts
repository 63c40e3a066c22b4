/** What a filter looks at: one message with its deliveries, its payload and texts read only when a filter asks for them. */
import { filterStatus } from '../../contract/grpc.ts';
import type { Protocol } from '../../contract/grpc.ts';
import type { DeliveryRow, MessageRow } from '../../contract/message.ts';
import type { Codec, Wire } from '../codec.ts';
import { describe } from '../inbound.ts';
import type { Description } from '../inbound.ts';
import { isObject } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type { Steps } from '../steps.ts';
import { spendOnReading } from './live.ts';

export interface FilterSubject {
  /** What filters may spend on this message, all together; absent: nothing is counted. */
  readonly steps?: Steps | undefined;
  /** Members of the message itself; `deliveries` may be left out here. */
  readonly row: MessageRow;
  /** The rows of its deliveries as they are now. Lazy. */
  readonly deliveries: readonly DeliveryRow[];
  /** Publish metadata. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The parsed envelope; undefined for a raw message. */
  readonly event?: JsonObject | undefined;
  /** The payload as a value: JSON, or a string; undefined when it is bytes. Lazy. */
  data(): unknown;
  /** Payload, envelope values and ids in lower case. Lazy. */
  text(): string;
  /** Status of every attempt that got one; gRPC codes are below zero (`filterStatus`). */
  readonly statuses: readonly number[];
  /** Code and message of every attempt without an answer. */
  readonly errors: readonly string[];
  /** Id and name of each mock answer that answered an attempt. */
  readonly answeredBy: readonly string[];
  /** Rule ids of all transitions. */
  readonly rules: readonly string[];
  /** Causes of all transitions. */
  readonly causes: readonly string[];
  /** Moments of all transitions, as far as they are known. */
  readonly changedAt: readonly string[];
}

/** The message as it is kept, in plain members; a journal's stored message fits. */
export interface StoredFacts {
  /** With the present `deliveries`, unless they are given beside it. */
  readonly row: MessageRow;
  /** Read only when a filter asks for them. */
  readonly deliveries?: readonly DeliveryRow[];
  readonly metadata: Readonly<Record<string, string>>;
  /** What was handed to the component. */
  readonly wire: Wire;
}

/** What a filter reads of one delivery's history; a `Delivery` of the contract fits. */
export interface DeliveryFacts {
  readonly attempts: readonly {
    readonly protocol?: Protocol;
    readonly response?: { readonly status: number };
    readonly error?: { readonly code: string; readonly message: string };
    readonly answeredBy?: { readonly ruleId: string; readonly name?: string };
  }[];
  readonly transitions: readonly { readonly rule: string; readonly cause: string; readonly at?: string }[];
}

/**
 * Wraps a stored message for evaluation. Nothing is parsed or joined before a filter asks; what was read is kept for this subject.
 * @param deliveries with their attempts and transitions; [] before the fan-out; a function is called when a filter asks
 * @param steps where messages meet the filter on their way: reading and searching end with OutOfSteps when they are used up
 */
export function buildSubject(
  message: StoredFacts,
  deliveries: readonly DeliveryFacts[] | (() => readonly DeliveryFacts[]),
  codec: Codec,
  steps?: Steps,
): FilterSubject {
  return new StoredSubject(message, deliveries, codec, steps);
}

/** A class, not closures: a search makes one for each message of the history. */
class StoredSubject implements FilterSubject {
  readonly row: MessageRow;
  readonly steps: Steps | undefined;
  readonly #message: StoredFacts;
  readonly #given: readonly DeliveryFacts[] | (() => readonly DeliveryFacts[]);
  readonly #codec: Codec;
  #payload: Description | undefined;
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
    return this.#read().envelope;
  }

  data(): unknown {
    return this.#read().data;
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
    const payload = this.#read();
    if (this.steps !== undefined) spendOnReading(this.#message.wire.length, this.steps);
    return searchableText(this.row, this.deliveries, payload);
  }

  #read(): Description {
    if (this.#payload === undefined) {
      const { wire } = this.#message;
      if (this.steps !== undefined) spendOnReading(wire.length, this.steps);
      this.#payload = describe(wire, this.row.raw, this.#codec);
    }
    return this.#payload;
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

/** JSON as it is usually shown; where it has escapes, once more without them, so that what is read on screen is found. */
function plainText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value;
  const json = JSON.stringify(value);
  if (!json.includes('\\')) return json;
  const texts = [json];
  addLeafTexts(value, texts);
  return texts.join('\n');
}

/** Adds to one list: lists that are joined at every level take time with the square of the depth. */
function addLeafTexts(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const one of value as readonly unknown[]) addLeafTexts(one, texts);
  else if (isObject(value)) for (const name of Object.keys(value)) addLeafTexts(value[name], texts);
}
