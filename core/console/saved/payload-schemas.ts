/** Payload schemas for the data of a topic, or of one of its event types. */
import type { Params } from '../../contract/console.ts';
import type { PayloadSchema, SchemaVerdict } from '../../contract/saved.ts';
import { isObject, tryParse } from '../../domain/json.ts';
import { Refusal } from '../../domain/refusal.ts';
import { SchemaTooMuch } from '../../ports/schema-check.ts';
import type { SchemaCheck } from '../../ports/schema-check.ts';
import { KeptValue } from './kept-value.ts';
import type { KeptValueDependencies } from './kept-value.ts';
import { mustBeFew } from './room.ts';

const MAX_SCHEMAS = 200;
const MAX_SCHEMA_CHARACTERS = 256 * 1024;

export interface PayloadSchemasDependencies extends KeptValueDependencies {
  readonly schemaCheck: SchemaCheck;
  readonly nextId: () => string;
}

export class PayloadSchemas {
  readonly #deps: PayloadSchemasDependencies;
  readonly #kept: KeptValue<readonly PayloadSchema[]>;

  constructor(deps: PayloadSchemasDependencies) {
    this.#deps = deps;
    this.#kept = new KeptValue(deps, 'schemas', readSchemas);
  }

  list(): Promise<readonly PayloadSchema[]> {
    return this.#kept.get();
  }

  /** Stores a new schema, or replaces one. Throws Refusal INVALID_PARAMS, NOT_FOUND, TOO_LARGE. */
  async set(params: Params<'schemas.set'>): Promise<PayloadSchema> {
    const { schemaId, name, topic, eventType, schema } = params;
    if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS) {
      const reason = `A schema has at most ${MAX_SCHEMA_CHARACTERS} characters.`;
      const expected = `at most ${MAX_SCHEMA_CHARACTERS} characters`;
      throw new Refusal('TOO_LARGE', { reason }, { field: 'schema', expected });
    }
    try {
      await this.#mustBeUsable(schema);
    } catch (error) {
      if (!(error instanceof SchemaTooMuch)) throw error;
      const reason = `Sidelight could not read the schema: ${error.message}.`;
      throw new Refusal('TOO_LARGE', { reason }, { field: 'schema', expected: 'a smaller schema' });
    }
    const made: PayloadSchema = {
      schemaId: schemaId ?? this.#deps.nextId(),
      name,
      topic,
      ...(eventType === undefined || eventType === '' ? {} : { eventType }),
      schema,
    };
    await this.#kept.store((all) => {
      if (schemaId !== undefined) inList(all, schemaId);
      const next = [...all.filter((one) => one.schemaId !== made.schemaId), made];
      mustBeFew(all, next, { most: MAX_SCHEMAS, words: 'schemas' });
      return next;
    });
    return made;
  }

  /** Throws Refusal NOT_FOUND. */
  async remove(schemaId: string): Promise<readonly PayloadSchema[]> {
    await this.#one(schemaId);
    return this.#kept.store((all) => all.filter((one) => one.schemaId !== schemaId));
  }

  /**
   * Checks data. Without an applicable schema everything is valid. Throws Refusal INVALID_PARAMS, NOT_FOUND. Data that cannot be checked in
   * time is not valid.
   */
  async validate(params: Params<'schemas.validate'>): Promise<SchemaVerdict> {
    const { data, schemaId, topic, eventType, schema } = params;
    const bound =
      schema === undefined
        ? schemaId === undefined
          ? await this.#boundTo(topic ?? '', eventType)
          : await this.#one(schemaId)
        : undefined;
    const used = schema ?? bound?.schema;
    const of = bound === undefined ? {} : { schemaId: bound.schemaId, name: bound.name };
    if (used === undefined) return { valid: true, errors: [] };
    try {
      // A stored schema may come from a build that accepted more.
      await this.#mustBeUsable(used);
      const value = typeof data === 'string' ? tryParse(data) : { value: data };
      if (value === undefined) {
        return { valid: false, ...of, errors: [{ path: '', message: 'must be JSON' }] };
      }
      const errors = await this.#deps.schemaCheck.check(used, value.value);
      return { valid: errors.length === 0, ...of, errors };
    } catch (error) {
      if (!(error instanceof SchemaTooMuch)) throw error;
      return {
        valid: false,
        ...of,
        errors: [{ path: '', message: `could not be checked: ${error.message}` }],
      };
    }
  }

  async #mustBeUsable(schema: unknown): Promise<void> {
    const problem = await this.#deps.schemaCheck.problemOf(schema);
    if (problem === undefined) return;
    const reason = `The schema cannot be used: ${problem}`;
    throw new Refusal('INVALID_PARAMS', { reason }, { field: 'schema', expected: 'a JSON Schema' });
  }

  /** The schema of the event type, otherwise that of the whole topic. */
  async #boundTo(topic: string, eventType: string | undefined): Promise<PayloadSchema | undefined> {
    const ofTopic = (await this.#kept.get()).filter((one) => one.topic === topic);
    return (
      ofTopic.findLast((one) => one.eventType !== undefined && one.eventType === eventType) ??
      ofTopic.findLast((one) => one.eventType === undefined)
    );
  }

  async #one(schemaId: string): Promise<PayloadSchema> {
    return inList(await this.#kept.get(), schemaId);
  }
}

/** Throws Refusal NOT_FOUND. */
function inList(all: readonly PayloadSchema[], schemaId: string): PayloadSchema {
  const found = all.find((one) => one.schemaId === schemaId);
  if (found !== undefined) return found;
  throw new Refusal('NOT_FOUND', { reason: `There is no schema ${schemaId}.` }, { field: 'schemaId' });
}

function readSchemas(kept: unknown): readonly PayloadSchema[] {
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one: unknown) => {
    if (!isObject(one)) return [];
    const { schemaId, name, topic, eventType, schema } = one;
    if (typeof schemaId !== 'string' || typeof name !== 'string' || typeof topic !== 'string') return [];
    return [{ schemaId, name, topic, schema, ...(typeof eventType === 'string' ? { eventType } : {}) }];
  });
}
