/** What a filter looks at: one message with its deliveries, its payload and texts read only when a filter asks for them. */
import type { MessageRow } from '../../contract/message.ts';
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
  readonly row: MessageRow;
  /** Publish metadata. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The parsed envelope; undefined for a raw message. */
  readonly event?: JsonObject | undefined;
  /** The payload as a value: JSON, or a string; undefined when it is bytes. Lazy. */
  data(): unknown;
  /** Payload, envelope values and ids in lower case. Lazy. */
  text(): string;
  /** HTTP status of every attempt that got one. */
  readonly statuses: readonly number[];
  /** Code and message of every attempt without an answer. */
  readonly errors: readonly string[];
  /** Id and name of each mock answer that answered an attempt. */
  readonly answeredBy: readonly string[];
  /** Rule ids of all transitions. */
  readonly rules: readonly string[];
  /** Causes of all transitions. */
  readonly causes: readonly string[];
}

/** The message as it is kept, in plain members; a journal's stored message fits. */
export interface StoredFacts {
  /** With the present `deliveries`. */
  readonly row: MessageRow;
  readonly metadata: Readonly<Record<string, string>>;
  /** What was handed to the component. */
  readonly wire: Wire;
}

/** What a filter reads of one delivery's history; a `Delivery` of the contract fits. */
export interface DeliveryFacts {
  readonly attempts: readonly {
    readonly response?: { readonly status: number };
    readonly error?: { readonly code: string; readonly message: string };
    readonly answeredBy?: { readonly ruleId: string; readonly name?: string };
  }[];
  readonly transitions: readonly { readonly rule: string; readonly cause: string }[];
}

/**
 * Wraps a stored message for evaluation. Nothing is parsed or joined before a filter asks; what was read is kept for this subject.
 * @param deliveries with their attempts and transitions; [] before the fan-out
 * @param steps where messages meet the filter on their way: reading and searching end with OutOfSteps when they are used up
 */
export function buildSubject(
  message: StoredFacts,
  deliveries: readonly DeliveryFacts[],
  codec: Codec,
  steps?: Steps,
): FilterSubject {
  return new StoredSubject(message, deliveries, codec, steps);
}

/** A class, not closures: a search makes one for each message of the history. */
class StoredSubject implements FilterSubject {
  readonly row: MessageRow;
  readonly metadata: Readonly<Record<string, string>>;
  readonly steps: Steps | undefined;
  readonly #message: StoredFacts;
  readonly #deliveries: readonly DeliveryFacts[];
  readonly #codec: Codec;
  #payload: Description | undefined;
  #text: string | undefined;

  constructor(
    message: StoredFacts,
    deliveries: readonly DeliveryFacts[],
    codec: Codec,
    steps: Steps | undefined,
  ) {
    this.row = message.row;
    this.metadata = message.metadata;
    this.steps = steps;
    this.#message = message;
    this.#deliveries = deliveries;
    this.#codec = codec;
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
    return this.#deliveries.flatMap(({ attempts }) =>
      attempts.flatMap(({ response }) => (response === undefined ? [] : [response.status])),
    );
  }

  get errors(): readonly string[] {
    return this.#deliveries.flatMap(({ attempts }) =>
      attempts.flatMap(({ error }) => (error === undefined ? [] : [error.code, error.message])),
    );
  }

  get answeredBy(): readonly string[] {
    return this.#deliveries.flatMap(({ attempts }) =>
      attempts.flatMap(({ answeredBy }) =>
        answeredBy === undefined
          ? []
          : [answeredBy.ruleId, ...(answeredBy.name === undefined ? [] : [answeredBy.name])],
      ),
    );
  }

  get rules(): readonly string[] {
    return this.#deliveries.flatMap(({ transitions }) => transitions.map(({ rule }) => rule));
  }

  get causes(): readonly string[] {
    return this.#deliveries.flatMap(({ transitions }) => transitions.map(({ cause }) => cause));
  }

  #searchable(): string {
    const payload = this.#read();
    if (this.steps !== undefined) spendOnReading(this.#message.wire.length, this.steps);
    return searchableText(this.row, payload);
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

function searchableText(row: MessageRow, payload: Description): string {
  const parts = [row.messageId, row.eventId, row.batchId, row.replayOf];
  for (const { deliveryId } of row.deliveries) parts.push(deliveryId);
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
