/** Checks the mapping of a topic with its own schema. */
import type { InputSchemaMapping } from '../../contract/event-router/wire.ts';
import { isObject } from '../../domain/json.ts';
import { no, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

const PLAIN = ['id', 'topic', 'eventTime'] as const;
const DEFAULTED = ['eventType', 'subject', 'dataVersion'] as const;

interface Source {
  readonly sourceField?: string;
  readonly defaultValue?: string;
}

export function readInputMapping(given: unknown): Result<InputSchemaMapping, string> {
  const field = 'properties.inputSchemaMapping';
  if (!isObject(given) || !isObject(given['properties'])) return no(`${field}.properties is missing.`);
  if (given['inputSchemaMappingType'] !== 'Json') return no(`${field}.inputSchemaMappingType must be Json.`);
  const read: Record<string, Source> = {};
  for (const name of [...PLAIN, ...DEFAULTED]) {
    const source = readSource(
      given['properties'][name],
      DEFAULTED.some((other) => other === name),
    );
    if (source === 'wrong')
      return no(`${field}.properties.${name} must have sourceField or defaultValue as text.`);
    if (source !== undefined) read[name] = source;
  }
  return ok({ inputSchemaMappingType: 'Json', properties: read });
}

function readSource(given: unknown, defaulted: boolean): Source | undefined | 'wrong' {
  if (given === undefined || given === null) return undefined;
  if (!isObject(given)) return 'wrong';
  const { sourceField, defaultValue } = given;
  if (sourceField !== undefined && sourceField !== null && typeof sourceField !== 'string') return 'wrong';
  if (defaultValue !== undefined && defaultValue !== null && typeof defaultValue !== 'string') return 'wrong';
  return {
    ...(typeof sourceField === 'string' ? { sourceField } : {}),
    ...(defaulted && typeof defaultValue === 'string' ? { defaultValue } : {}),
  };
}
