/**
 * A group of records as one text: its shape, then all of its texts behind each other. One text is written into memory that is used again, so
 * a group costs the program no buffer of its own.
 */
import { fitsUtf8 } from '../../domain/utf8.ts';
import type { Group } from './records.ts';

/** A text of so many characters, a number, nothing, a list. */
const TEXT = '"';
const NUMBER = '#';
const NULL = 'z';
const OPEN = '[';
const CLOSE = ']';
/** Between the number of characters of the shape and the shape. */
const COMMA = ',';

type Value = string | number | null | Uint8Array | readonly Value[];

/** Undefined: the group has bytes, or a text that UTF-8 cannot hold. */
export function textOfGroup(group: Group): string | undefined {
  const writer = new ShapeWriter();
  if (!writer.add(group)) return undefined;
  const text = `${writer.shape.length}${COMMA}${writer.shape}${writer.texts}`;
  return fitsUtf8(text) ? text : undefined;
}

class ShapeWriter {
  shape = '';
  texts = '';

  /** False: there is something in it that a text cannot hold. */
  add(value: Value): boolean {
    if (typeof value === 'string') {
      this.shape += value.length + TEXT;
      this.texts += value;
    } else if (typeof value === 'number') this.shape += value + NUMBER;
    else if (value === null) this.shape += NULL;
    else if (value instanceof Uint8Array) return false;
    else {
      this.shape += OPEN;
      for (const each of value) if (!this.add(each)) return false;
      this.shape += CLOSE;
    }
    return true;
  }
}

/** The group of a text that `textOfGroup` made. */
export function groupOfText(text: string): Group {
  const comma = text.indexOf(COMMA);
  const end = comma + 1 + Number(text.slice(0, comma));
  const outer: Value[][] = [];
  let list: Value[] = [];
  /** Where the next text begins, and where the number that is being read does. */
  let next = end;
  let from = comma + 1;
  for (let at = from; at < end; at++) {
    const mark = text[at] ?? '';
    if (isOfNumber(mark)) continue;
    if (mark === TEXT) {
      const to = next + Number(text.slice(from, at));
      list.push(text.slice(next, to));
      next = to;
    } else if (mark === NUMBER) list.push(Number(text.slice(from, at)));
    else if (mark === NULL) list.push(null);
    else if (mark === OPEN) {
      const inner: Value[] = [];
      list.push(inner);
      outer.push(list);
      list = inner;
    } else list = outer.pop() ?? [];
    from = at + 1;
  }
  // The text was made of a group, and its sum is right.
  return list[0] as unknown as Group;
}

/** Whether it is part of a number. */
function isOfNumber(mark: string): boolean {
  return mark !== TEXT && mark !== NUMBER && mark !== NULL && mark !== OPEN && mark !== CLOSE;
}
