/** Words of an error for what a schema expects and for what was found. */
import { shortened } from '../contract/cut-place.ts';
import { eitherOf } from '../contract/list-text.ts';

/** The part of JSON Schema that the contract's schemas use. */
export interface Shape {
  readonly type?: string | undefined;
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[] | undefined;
  readonly properties?: Readonly<Record<string, Shape>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | Shape | undefined;
  readonly items?: Shape | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

/** Longest piece of a given text that an error repeats. */
const SHOWN = 40;

/** Expected value for people: "an integer 1 to 500", as in "limit must be …". */
export function expectedText(shape: Shape): string {
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.anyOf !== undefined) return anyOf(shape.anyOf);
  switch (shape.type) {
    case 'integer':
      return `an integer${rangeText(shape)}`;
    case 'number':
      return `a number${rangeText(shape)}`;
    case 'string':
      return `a string${lengthText(shape.minLength, shape.maxLength, 'characters')}`;
    case 'array':
      return `a list${lengthText(shape.minItems, shape.maxItems, 'items')}`;
    case 'object':
      return 'an object';
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    default:
      return 'a value';
  }
}

/** Expected value for programs: "integer 1..500". */
export function expectedCode(shape: Shape): string {
  if (shape.anyOf !== undefined) return shape.anyOf.map(expectedCode).join(' | ');
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  const { type = 'any', minimum, maximum } = shape;
  if (minimum === undefined && maximum === undefined) return type;
  return `${type} ${minimum ?? ''}..${isHuge(maximum) ? '' : maximum}`;
}

/** Expected length for programs, where only the length is wrong: "string 0..10000"; undefined: the value is not of that type. */
export function lengthCode(
  { type, minLength, maxLength, minItems, maxItems }: Shape,
  value: unknown,
): string | undefined {
  const isText = type === 'string' && typeof value === 'string';
  if (!isText && !(type === 'array' && Array.isArray(value))) return undefined;
  const [min = 0, max] = isText ? [minLength, maxLength] : [minItems, maxItems];
  return min === max ? `${type} ${min}` : `${type} ${min}..${max ?? ''}`;
}

/** The given value in short: a scalar as JSON, never a whole body. */
export function foundText(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(shortened(value, SHOWN));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}

function anyOf(shapes: readonly Shape[]): string {
  return shapes.length === 0 ? 'a value' : eitherOf([...new Set(shapes.map(expectedText))]);
}

function rangeText({ minimum, maximum }: Shape): string {
  if (minimum !== undefined && maximum !== undefined && !isHuge(maximum)) return ` ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

function lengthText(min: number | undefined, max: number | undefined, unit: string): string {
  if (min !== undefined && min === max) return ` of ${min} ${unit}`;
  if (min !== undefined && max !== undefined) return ` of ${min} to ${max} ${unit}`;
  if (min !== undefined) return ` of at least ${min} ${unit}`;
  return max === undefined ? '' : ` of at most ${max} ${unit}`;
}

/** Whether a limit is so high that naming it does not help: it only excludes numbers that are not exact. */
function isHuge(maximum: number | undefined): boolean {
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER;
}
