/**
 * Frames of a message with a long text. The message is written as JSON part by part, and each part is a frame: writing and sending megabytes
 * at once holds the page for longer than a frame of the screen.
 */
import { PART_MARKS } from '../../core/contract/rpc.ts';
import { isObject } from '../../core/contract/is-object.ts';
import { randomId } from './random-id.ts';

/** Characters of a text from which its message is long. */
const LONG = 256 * 1024;
/** Characters that are written at once. */
const PART = 256 * 1024;

/** Whether a text in the value is long. */
export function hasLongText(value: unknown, long = LONG): boolean {
  if (typeof value === 'string') return value.length > long;
  if (Array.isArray(value)) return value.some((each) => hasLongText(each, long));
  return isObject(value) && Object.values(value).some((each) => hasLongText(each, long));
}

/** The frames, which together are the message as JSON. */
export function* longFrames(message: object): Generator<string> {
  let waiting: string | undefined;
  let mark: string = PART_MARKS.first;
  for (const part of partsOf(message)) {
    if (waiting !== undefined) {
      yield mark + waiting;
      mark = PART_MARKS.more;
    }
    waiting = part;
  }
  if (mark === PART_MARKS.first) yield mark;
  yield PART_MARKS.last + (waiting ?? '');
}

/** The message as JSON, cut. */
function* partsOf(message: object): Generator<string> {
  const long: string[] = [];
  // No other text of the message has this in it.
  const placeholder = `long text ${randomId()} `;
  const pieces = JSON.stringify(without(message, long, placeholder)).split(
    new RegExp(`"${placeholder}(\\d+)"`),
  );
  for (const [at, piece] of pieces.entries()) {
    if (at % 2 === 0) yield* cut(piece);
    else yield* written(long[Number(piece)] ?? '');
  }
}

/** The value with a short text in the place of each long one. */
function without(value: unknown, long: string[], placeholder: string): unknown {
  if (typeof value === 'string') return value.length > LONG ? `${placeholder}${long.push(value) - 1}` : value;
  if (!hasLongText(value)) return value;
  if (Array.isArray(value)) return value.map((each) => without(each, long, placeholder));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, without(each, long, placeholder)]),
  );
}

/** A text as JSON. Half a pair of surrogates at the end of a part is written as an escape, and the two halves are a pair again when they are read. */
function* written(text: string): Generator<string> {
  yield '"';
  for (let from = 0; from < text.length; from += PART) {
    yield JSON.stringify(text.slice(from, from + PART)).slice(1, -1);
  }
  yield '"';
}

/** JSON in parts of which none ends within a pair of surrogates. */
function* cut(json: string): Generator<string> {
  for (let from = 0; from < json.length;) {
    const end = Math.min(from + PART, json.length);
    const to = end < json.length && isHigh(json.charCodeAt(end - 1)) ? end - 1 : end;
    yield json.slice(from, to);
    from = to;
  }
}

function isHigh(code: number): boolean {
  return code >= 0xd8_00 && code < 0xdc_00;
}
