/**
 * Implements ports/event-check.ts with the cloudevents library. It checks what a person typed, never messages in transit, so the library is
 * loaded at the first check.
 */
import { isObject } from '../domain/json.ts';
import type { JsonObject } from '../domain/json.ts';
import type { EventCheck, EventProblem } from '../ports/event-check.ts';

type Library = Pick<typeof import('cloudevents'), 'CloudEvent' | 'ValidationError'>;

const REQUIRED = ['id', 'source', 'specversion', 'type'] as const;
const DEFINED = new Set<string>([
  ...REQUIRED,
  'datacontenttype',
  'dataschema',
  'subject',
  'time',
  'data',
  'data_base64',
]);
const ATTRIBUTE_NAME = /^[a-z0-9]+$/;

/** Attributes of earlier versions, which the library throws a plain error for, with that of 1.0. */
const EARLIER: ReadonlyMap<string, string> = new Map([['schemaurl', 'dataschema']]);

/**
 * Checks structured CloudEvents 1.0. The library alone would put values of its own in the place of empty ones, accept `specversion` 0.3 and
 * any extension value, and take an extension named `validate` for its own method. These are checked here first; then the library checks
 * the attributes that 1.0 defines.
 */
export function createEventCheck(): EventCheck {
  return {
    async problems(event) {
      if (!isObject(event)) return [{ message: 'The event is not a JSON object.' }];
      const own = [...missingOnes(event), ...wrongOnes(event)];
      const known = new Set(own.map(({ field }) => field));
      return [...own, ...libraryProblems(event, known, await import('cloudevents'))];
    },
  };
}

function missingOnes(event: JsonObject): EventProblem[] {
  return REQUIRED.filter((name) => isAbsent(event[name]) || event[name] === '').map((field) => ({
    field,
    message: `${field} is missing.`,
  }));
}

function wrongOnes(event: JsonObject): EventProblem[] {
  const problems: EventProblem[] = [];
  for (const [field, value] of Object.entries(event)) {
    if (isAbsent(value)) continue;
    const instead = EARLIER.get(field);
    if (instead !== undefined) {
      problems.push({ field, message: `${field} is of an earlier version; 1.0 has ${instead}.` });
    } else if (field === 'specversion' && value !== '1.0' && value !== '') {
      problems.push({ field, message: 'specversion must be "1.0".' });
    } else if (field === 'data_base64') {
      if (typeof value !== 'string' || !isBase64(value)) {
        problems.push({ field, message: 'data_base64 must be base64 text.' });
      } else if (!isAbsent(event['data'])) {
        problems.push({ field, message: 'The event has both data and data_base64; only one is allowed.' });
      }
    } else if (DEFINED.has(field)) {
      if (field !== 'data' && !isRequired(field) && value === '') {
        problems.push({ field, message: `${field} must not be empty.` });
      } else if (field !== 'data' && typeof value !== 'string') {
        problems.push({ field, message: `${field} must be a string.` });
      }
    } else if (!ATTRIBUTE_NAME.test(field)) {
      problems.push({ field, message: `The name "${field}" may only have a to z and 0 to 9.` });
    } else if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isInteger(value)) {
      problems.push({ field, message: `${field} must be a string, a boolean or an integer.` });
    }
  }
  return problems;
}

/** Calls the library again without the attribute it named, because it stops at its first problem. */
function libraryProblems(
  event: JsonObject,
  known: ReadonlySet<string | undefined>,
  library: Library,
): EventProblem[] {
  const rest: Record<string, unknown> = { id: 'x', source: 'x', type: 'x', specversion: '1.0' };
  for (const [name, value] of Object.entries(event)) {
    const isPayload = name === 'data' || name === 'data_base64';
    if (DEFINED.has(name) && !isPayload && !known.has(name) && !isAbsent(value)) rest[name] = value;
  }
  const problems: EventProblem[] = [];
  for (let round = 0; round <= DEFINED.size; round++) {
    const problem = firstProblem(rest, library);
    if (problem === undefined) return problems;
    problems.push(problem);
    if (problem.field === undefined) return problems;
    if (isRequired(problem.field)) rest[problem.field] = problem.field === 'specversion' ? '1.0' : 'x';
    else delete rest[problem.field];
  }
  return problems;
}

function firstProblem(
  attributes: JsonObject,
  { CloudEvent, ValidationError }: Library,
): EventProblem | undefined {
  try {
    new CloudEvent(attributes, true).validate();
    return undefined;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return problemOf(error);
  }
}

function problemOf(error: InstanceType<Library['ValidationError']>): EventProblem {
  const first: unknown = Array.isArray(error.errors) ? error.errors[0] : undefined;
  if (!isObject(first) || typeof first['message'] !== 'string') {
    return { message: error.message.split('\n', 1)[0] ?? error.message };
  }
  const path = typeof first['instancePath'] === 'string' ? first['instancePath'].slice(1) : '';
  return path === ''
    ? { message: first['message'] }
    : { field: path, message: `${path} ${first['message']}.` };
}

function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isRequired(name: string): boolean {
  return REQUIRED.some((required) => required === name);
}
