/** Values in the forms of other tools: a range with a hyphen, an open range, a pattern of SQL, a regular expression, `1k`, `5*`. */
import type { TermKey } from './ast.ts';
import type { KeySpec } from './keys.ts';

/** A term without the name of its key. */
interface Value {
  readonly path: string;
  readonly op: string;
  readonly value: string;
}

/** Kinds of values that have ranges, and lists. */
const RANGED: ReadonlySet<KeySpec['reads']> = new Set([
  'number',
  'status',
  'size',
  'duration',
  'moment',
  'data',
]);
const LISTED: ReadonlySet<KeySpec['reads']> = new Set([
  'text',
  'word',
  'status',
  'answer',
  'number',
  'data',
  'meta',
]);
const DIGITS = String.raw`\d+(?:\.\d+)?[a-z]*`;
const HYPHEN_RANGE = new RegExp(`^(${DIGITS})-(${DIGITS})$`, 'i');
/** The values of a payload are numbers without a unit. */
const DIGITS_RANGE = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/;
const OPEN_END = new RegExp(`^(${DIGITS}|\\d{4}-[^.]+)(?:\\.\\.\\*?|\\+)$`, 'i');
const OPEN_START = new RegExp(`^\\*?\\.\\.(${DIGITS}|\\d{4}-[^.]+)$`, 'i');
/** A moment without its time zone. */
const NO_ZONE = /(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?=$|\.\.)/g;
const SIZE = /(\d+(?:\.\d+)?)(kb?|mb?|ki?b|mi?b|gi?b?)(?=$|\.\.)/gi;

/** The term with this value in the form of the language; undefined: it has that form. */
export function likeOther(reads: KeySpec['reads'], key: TermKey, written: Value): string | undefined {
  const { path, op, value } = written;
  if (value.startsWith('"')) return undefined;
  const whole = key + path;
  const isEqual = op === ':' || op === '=';
  const other = otherOf(reads, key, isEqual, value) ?? value;
  // A list stands behind a colon alone.
  const isList = LISTED.has(reads) && /[^,],[^,]/.test(other);
  if (isList && op === '=') return `${whole}:${other}`;
  if (isList && op === '!=') return `-${whole}:${other}`;
  if (other !== value) return whole + op + other;
  const range = isEqual && RANGED.has(reads) ? rangeOf(reads, value) : undefined;
  return range === undefined ? undefined : whole + range;
}

/** The operator and the range that a value stands for. */
function rangeOf(reads: KeySpec['reads'], value: string): string | undefined {
  const [, from, to] =
    (reads === 'data' ? DIGITS_RANGE : HYPHEN_RANGE).exec(reads === 'moment' ? '' : value) ?? [];
  if (from !== undefined) return `:${from}..${to}`;
  const [, least] = OPEN_END.exec(value) ?? [];
  if (least !== undefined) return `>=${least}`;
  const [, most] = OPEN_START.exec(value) ?? [];
  return most === undefined ? undefined : `<=${most}`;
}

function otherOf(reads: KeySpec['reads'], key: TermKey, isEqual: boolean, value: string): string | undefined {
  switch (reads) {
    case 'size':
      return value.replaceAll(SIZE, (_all, digits: string, unit: string) => sizeOf(digits, unit));
    case 'moment':
      return value.replaceAll(NO_ZONE, '$1Z');
    case 'status':
    case 'answer':
      return value
        .replaceAll(/(?<=^|,)([1-5])(?:\*+|\.\.)?(?=$|,)/g, '$1xx')
        .replaceAll(/(?<=^|,)([1-5]\d)[*x](?=$|,)/gi, '$10..$19');
    case 'text':
      return isEqual
        ? listOf(
            expressionOf(key, value)
              .replaceAll('%', '*')
              .replaceAll(mayHaveQuery(key) ? /(?<=\w)\?$/g : /(?<=\w)\?/g, '*'),
          )
        : undefined;
    case 'data':
      return isEqual ? listOf(expressionOf(key, value)) : undefined;
    default:
      return undefined;
  }
}

const WORD_OF_TYPE = /^[\w.+-]+$/;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]*$/;

/**
 * Content types in a form that finds them with parameters too: `application/json*` for a type, `*json*` for a part of one.
 * Anything else stays as it is.
 */
export function contentTypes(value: string): string {
  return value
    .split(',')
    .map((each) => {
      const type = /^"([\w.+/-]+)"$/.exec(each)?.[1] ?? each;
      if (MEDIA_TYPE.test(type)) return `${type}*`;
      return WORD_OF_TYPE.test(type) ? `*${type}*` : each;
    })
    .join(',');
}

/** A part of a content type, such as `json`, in a form that finds it: no content type is that part alone. */
export function partsOfTypes(value: string): string {
  return value.split(',').every((each) => WORD_OF_TYPE.test(each)) ? contentTypes(value) : value;
}

/** Whether the values are addresses, in which a question mark begins the query. */
function mayHaveQuery(key: TermKey): boolean {
  return key === 'route' || key === 'source' || key === 'subject';
}

function sizeOf(digits: string, unit: string): string {
  const first = unit.charAt(0).toLowerCase();
  return first === 'g' ? `${Number(digits) * 1024}mb` : `${digits}${unit.length === 2 ? unit : `${first}b`}`;
}

/** The body of a regular expression between slashes; undefined: it is none, but may be a path such as `/api/orders`. */
export function inSlashesOf(value: string): string | undefined {
  return /^\/([^/]+)\/[gimsu]*$/.exec(value)?.[1];
}

/** The body of a regular expression with `*` on each side that it leaves open; any other value as it is. */
function expressionOf(key: TermKey, value: string): string {
  const inSlashes = key === 'route' || key === 'source' ? undefined : inSlashesOf(value);
  const body = inSlashes ?? value;
  const begins = body.startsWith('^');
  const ends = body.endsWith('$');
  if (inSlashes === undefined && !begins && !ends) return value;
  const glob = body.slice(begins ? 1 : 0, ends ? -1 : undefined).replaceAll('.*', '*');
  return `${begins ? '' : '*'}${glob}${ends ? '' : '*'}`.replaceAll(/\*{2,}/g, '*');
}

/** A list in place of alternatives. */
function listOf(value: string): string {
  return /^[^|]+(?:\|+[^|]+)+$/.test(value) ? value.replaceAll(/\|+/g, ',') : value;
}
