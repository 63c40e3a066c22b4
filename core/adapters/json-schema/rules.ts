/** JSON Schema with ajv: drafts 07, 2019-09 and 2020-12, chosen by `$schema`; nothing is fetched, patterns run in linear time. */
import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { shortened } from '../../contract/cut-place.ts';
import type { SchemaMistake } from '../../contract/saved.ts';
import { errorText } from '../../contract/error-text.ts';
import { isObject } from '../../domain/json.ts';
import { linearPattern, PatternRefused } from '../../domain/linear-pattern.ts';

const MAX_MISTAKES = 100;
/** Characters of a mistake's text, and of its place: they repeat the schema and names of the data. */
const MAX_TEXT_LENGTH = 1000;
/** Maximum number of compiled schemas that are kept; the least recently used one is removed. */
const MAX_COMPILED = 50;

export interface SchemaRules {
  /** Why the schema cannot be used; undefined: it can. Throws the error of a stack that is used up. */
  problemOf(schema: unknown): string | undefined;
  /** Mistakes in the data, at most 100. Throws Error if the schema cannot be used. */
  check(schema: unknown, data: unknown): readonly SchemaMistake[];
}

/**
 * Creates the checker. A schema names its draft in `$schema`; without it, it is read as 2020-12. A check may run without end for some
 * schemas and data, so run it in a worker thread.
 */
export function createSchemaRules(): SchemaRules {
  const compiled = new Map<string, ValidateFunction>();

  function compile(schema: unknown): ValidateFunction {
    const key = JSON.stringify(schema) ?? '';
    const known = compiled.get(key);
    compiled.delete(key);
    const made = known ?? fresh(schema);
    compiled.set(key, made);
    for (const oldest of compiled.keys()) {
      if (compiled.size <= MAX_COMPILED) break;
      compiled.delete(oldest);
    }
    return made;
  }

  return {
    problemOf(schema) {
      try {
        compile(schema);
        return undefined;
      } catch (error) {
        if (error instanceof PatternRefused) return `${pointerTo(error.pattern, schema)}: ${error.message}`;
        if (isOutOfStack(error)) throw error;
        return errorText(error);
      }
    },
    check(schema, data) {
      const validate = compile(schema);
      if (validate(data)) return [];
      return (validate.errors ?? []).slice(0, MAX_MISTAKES).map(mistakeOf);
    },
  };
}

/** Whether an error says that the stack is used up: by deep nesting, or by a schema that refers to itself without a step into the data. */
export function isOutOfStack(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

/** An instance of its own per schema: two schemas may have the same `$id`. */
function fresh(schema: unknown): ValidateFunction {
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema)))
    throw new Error('a schema is an object, true or false');
  const draft = typeof schema === 'object' && '$schema' in schema ? String(schema.$schema) : '';
  const options = {
    allErrors: true,
    strict: false,
    validateFormats: true,
    code: { regExp: ENGINE },
    // Ajv's own logger writes to stderr between the lines of the log, for example about an unknown format.
    logger: false,
  } as const;
  const ajv = /draft-0[4-7]/.test(draft)
    ? new Ajv(options)
    : draft.includes('2019-09')
      ? new Ajv2019(options)
      : new Ajv2020(options);
  formats.default(ajv);
  if (ajv.validateSchema(schema) === false) throw new Error(invalidSchema(ajv.errors ?? []));
  const validate = ajv.compile(schema);
  // The result of such a schema is a promise, which is no answer here.
  if ('$async' in validate) throw new Error('$async is an extension that Sidelight does not support');
  return validate;
}

/** Ajv needs `code` only for standalone code, which is not generated here. */
const ENGINE = Object.assign((pattern: string) => linearPattern(pattern), { code: 'linearPattern' });

/** Pointer of the first `pattern` or name of `patternProperties` that is this one. */
function pointerTo(pattern: string, schema: unknown, at = '#'): string {
  return findPointer(pattern, schema, at) ?? at;
}

function findPointer(pattern: string, schema: unknown, at: string): string | undefined {
  if (Array.isArray(schema)) {
    return firstOf(schema.map((each: unknown, index) => () => findPointer(pattern, each, `${at}/${index}`)));
  }
  if (!isObject(schema)) return undefined;
  if (schema['pattern'] === pattern) return `${at}/pattern`;
  const { patternProperties } = schema;
  if (isObject(patternProperties) && Object.hasOwn(patternProperties, pattern)) {
    return `${at}/patternProperties`;
  }
  return firstOf(
    Object.entries(schema).map(
      ([name, each]) =>
        () =>
          findPointer(pattern, each, `${at}/${name}`),
    ),
  );
}

function firstOf(tries: readonly (() => string | undefined)[]): string | undefined {
  for (const one of tries) {
    const found = one();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is wrong with a schema: its members with a list of allowed values name them, which ajv leaves out. */
function invalidSchema(errors: readonly ErrorObject[]): string {
  const named = errors.filter(({ keyword }) => keyword === 'enum');
  const told = (named.length === 0 ? errors : named).map(mistakeOf);
  const texts = new Set(told.map(({ path, message }) => `${path === '' ? 'the schema' : path} ${message}`));
  return shortened([...texts].join(', '), MAX_TEXT_LENGTH);
}

function mistakeOf({ instancePath, message, params, keyword }: ErrorObject): SchemaMistake {
  const extra =
    keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
      ? ` (${String(params['additionalProperty'] ?? params['unevaluatedProperty'])})`
      : keyword === 'enum'
        ? ` (${JSON.stringify(params['allowedValues'])})`
        : '';
  return {
    path: shortened(instancePath, MAX_TEXT_LENGTH),
    message: shortened(`${message ?? keyword}${extra}`, MAX_TEXT_LENGTH),
  };
}
