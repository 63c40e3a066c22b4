/**
 * Values as bytes: what JSON can hold, undefined, and bytes themselves. A message takes about thirty objects, and a hundred thousand
 * of them are what the garbage collector walks through again and again; as bytes they are one piece of memory that it never looks into.
 * Texts, sets of member names and objects that come back are written once in each slab and named by their place from then on.
 */

import { Buffer } from 'node:buffer';

/** Bytes of a slab: some hundred messages. It is given back once none of them is kept. */
const SLAB_BYTES = 256 * 1024;
/** A slab with less room than this takes no further message. */
const MIN_ROOM = 8 * 1024;
/** Maximum number of characters of a text that is stored once; longer texts rarely repeat. */
const MAX_WORD_LENGTH = 64;
/** Maximum number of members of a shared shape; larger objects rarely repeat, so their names are stored beside their values. */
const MAX_MEMBERS = 40;
/** When new texts outnumber known ones by this many, as with ids, no further one is looked up. */
const MAX_NEW = 4;

/** Byte before each value that tells its kind. */
const KIND = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  whole: 4,
  thousandths: 5,
  number: 6,
  word: 7,
  narrow: 8,
  wide: 9,
  bytes: 10,
  moment: 11,
  list: 12,
  members: 13,
  shared: 14,
  given: 15,
  named: 16,
} as const;

/** Members of an object in their order, and what was seen of each. */
class Shape {
  readonly next = new Map<string, Shape>();
  readonly names: readonly string[];
  readonly seen: readonly Seen[];
  /** Place among the shapes of the slab; undefined: no object ended here yet. */
  at: number | undefined;

  constructor(names: readonly string[], seen: readonly Seen[]) {
    this.names = names;
    this.seen = seen;
  }

  with(name: string): Shape {
    let shape = this.next.get(name);
    if (shape === undefined) {
      shape = new Shape([...this.names, name], [...this.seen, new Seen()]);
      this.next.set(name, shape);
    }
    return shape;
  }
}

/** Statistics of the values that one member of a shape held so far. */
class Seen {
  /** New texts seen, minus known ones: tells whether looking texts up pays. */
  news = 0;
  /** The last two objects: one that comes back is shared by many messages. */
  last: object | undefined;
  before: object | undefined;
  /** Members of the last object: most objects have those of the one before. */
  shape: Shape | undefined;
  /** Facts seen of the items, if the value is a list. */
  items: Seen | undefined;
}

/**
 * Whether the members are those of the shape, in its order. Asked without a list of their names, for most objects are of the shape before.
 */
function isOf({ names }: Shape, members: Readonly<Record<string, unknown>>): boolean {
  let at = 0;
  for (const name in members) {
    if (names[at] !== name) return false;
    at += 1;
  }
  return at === names.length;
}

/** The tables that only writing needs; a full slab drops them. */
class Index {
  readonly words = new Map<string, number>();
  readonly shared = new Map<object, number>();
  readonly #root = new Shape([], []);
  /** Statistics of whole values, by the part of a message. */
  readonly tops: Seen[] = [];
  /** Names and values of objects without a shared shape. */
  readonly names = new Seen();
  readonly values = new Seen();

  shapeOf(names: readonly string[]): Shape {
    let shape = this.#root;
    for (const name of names) shape = shape.with(name);
    return shape;
  }
}

/** Position of a value in a slab, with the type of the value. */
export type Place<T> = number & { readonly [WRITTEN]?: T };

declare const WRITTEN: unique symbol;

export class Slab {
  /** Tables for writing; undefined: the slab is full. */
  #index: Index | undefined = new Index();
  #bytes = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #used = 0;
  /** Texts that the reader of the value will pass. */
  #given: readonly string[] = [];
  readonly #words: string[] = [];
  readonly #shapes: (readonly string[])[] = [];
  readonly #shared: object[] = [];

  get isFull(): boolean {
    return this.#index === undefined;
  }

  /**
   * Writes a value. Throws TypeError for values that JSON cannot hold.
   * @param given texts, by position, that the reader of the value passes
   * @param part number of the message part that the value is: facts seen of one part say nothing of another
   * @returns position of the value
   */
  write<T>(value: T, given: readonly string[], part = 0): Place<T> {
    const index = this.#index;
    if (index === undefined) throw new Error('a full slab takes nothing more');
    const at = this.#used;
    this.#given = given;
    this.#value(value, (index.tops[part] ??= new Seen()), index);
    return at;
  }

  /** After each message: closes a slab without room for the next one. */
  wrote(): void {
    if (SLAB_BYTES - this.#used >= MIN_ROOM) return;
    this.#index = undefined;
    this.#given = [];
    // A buffer that grew for a long message has unused room.
    if (this.#bytes.length > SLAB_BYTES) this.#resize(this.#used);
  }

  /** Reads the value at a position. An object that was returned before is the same object again. */
  read<T>(at: Place<T>, given: readonly string[]): T {
    const known = { words: this.#words, shapes: this.#shapes, shared: this.#shared, given };
    // `write` gave this place for a value of that type.
    return new Reader(this.#bytes, at, known).value() as T;
  }

  /** Bytes that were written. */
  get length(): number {
    return this.#used;
  }

  #value(value: unknown, seen: Seen, index: Index): void {
    switch (typeof value) {
      case 'string':
        return this.#text(value, seen, index);
      case 'number':
        return this.#number(value);
      case 'boolean':
        return this.#byte(value ? KIND.true : KIND.false);
      case 'undefined':
        return this.#byte(KIND.undefined);
      case 'object':
        if (value === null) return this.#byte(KIND.null);
        if (Array.isArray(value)) return this.#list(value, seen, index);
        if (value instanceof Uint8Array) return this.#raw(value);
        return this.#object(value, seen, index);
      default:
        throw new TypeError(`a ${typeof value} cannot be kept`);
    }
  }

  #list(list: readonly unknown[], seen: Seen, index: Index): void {
    this.#byte(KIND.list);
    this.#whole(list.length);
    const items = (seen.items ??= new Seen());
    for (const item of list) this.#value(item, items, index);
  }

  #object(value: object, seen: Seen, index: Index): void {
    const known = index.shared.get(value);
    if (known !== undefined || seen.last === value || seen.before === value) {
      const at = known ?? this.#shared.push(value) - 1;
      if (known === undefined) index.shared.set(value, at);
      this.#byte(KIND.shared);
      return this.#whole(at);
    }
    seen.before = seen.last;
    seen.last = value;
    const members = value as Readonly<Record<string, unknown>>;
    const last = seen.shape;
    if (last !== undefined && isOf(last, members)) return this.#members(last, members, index);
    const names = Object.keys(value);
    if (names.length > MAX_MEMBERS) return this.#named(names, members, index);
    const shape = index.shapeOf(names);
    seen.shape = shape;
    this.#members(shape, members, index);
  }

  #members(shape: Shape, members: Readonly<Record<string, unknown>>, index: Index): void {
    shape.at ??= this.#shapes.push(shape.names) - 1;
    this.#byte(KIND.members);
    this.#whole(shape.at);
    for (let at = 0; at < shape.names.length; at += 1)
      this.#value(members[shape.names[at] ?? ''], shape.seen[at] ?? index.values, index);
  }

  #named(names: readonly string[], members: Readonly<Record<string, unknown>>, index: Index): void {
    this.#byte(KIND.named);
    this.#whole(names.length);
    for (const name of names) {
      this.#text(name, index.names, index);
      this.#value(members[name], index.values, index);
    }
  }

  #text(text: string, seen: Seen, index: Index): void {
    const given = this.#given.indexOf(text);
    if (given !== -1) {
      this.#byte(KIND.given);
      return this.#whole(given);
    }
    if (text.length === MOMENT_LENGTH && this.#moment(text)) return;
    if (text.length <= MAX_WORD_LENGTH && seen.news < MAX_NEW) {
      let at = index.words.get(text);
      if (at === undefined) {
        at = this.#words.push(text) - 1;
        index.words.set(text, at);
        seen.news += 1;
      } else if (seen.news > 0) seen.news -= 1;
      this.#byte(KIND.word);
      return this.#whole(at);
    }
    const isWide = WIDE.test(text);
    const length = isWide ? 2 * text.length : text.length;
    this.#byte(isWide ? KIND.wide : KIND.narrow);
    this.#whole(length);
    this.#need(length);
    if (isWide) this.#bytes.write(text, this.#used, 'utf16le');
    else this.#bytes.write(text, this.#used, 'latin1');
    this.#used += length;
  }

  /** Whether the text is a time as this program writes it: then its seventeen digits are stored. */
  #moment(text: string): boolean {
    let day = 0;
    let time = 0;
    for (let at = 0; at < MOMENT_LENGTH; at += 1) {
      const code = text.charCodeAt(at);
      const sign = MOMENT.charCodeAt(at);
      if (sign !== ZERO) {
        if (code !== sign) return false;
      } else if (code < ZERO || code > NINE) return false;
      else if (at < DAY_LENGTH) day = day * 10 + code - ZERO;
      else time = time * 10 + code - ZERO;
    }
    this.#byte(KIND.moment);
    this.#need(8);
    this.#bytes.writeUInt32LE(day, this.#used);
    this.#bytes.writeUInt32LE(time, this.#used + 4);
    this.#used += 8;
    return true;
  }

  #number(value: number): void {
    if (isSmall(value)) {
      this.#byte(KIND.whole);
      return this.#whole(value);
    }
    const thousandths = Math.round(value * 1000);
    if (isSmall(thousandths) && thousandths / 1000 === value) {
      this.#byte(KIND.thousandths);
      return this.#whole(thousandths);
    }
    this.#byte(KIND.number);
    this.#need(8);
    this.#used = this.#bytes.writeDoubleLE(value, this.#used);
  }

  #raw(value: Uint8Array): void {
    this.#byte(KIND.bytes);
    this.#whole(value.length);
    this.#need(value.length);
    this.#bytes.set(value, this.#used);
    this.#used += value.length;
  }

  #byte(value: number): void {
    this.#need(1);
    this.#bytes[this.#used++] = value;
  }

  /** Seven bits a byte, the lowest first; the eighth says that more follow. */
  #whole(value: number): void {
    this.#need(5);
    let left = value;
    while (left >= 0x80) {
      this.#bytes[this.#used++] = (left & 0x7f) | 0x80;
      left >>>= 7;
    }
    this.#bytes[this.#used++] = left;
  }

  #need(length: number): void {
    const least = this.#used + length;
    if (least > this.#bytes.length) this.#resize(Math.max(least, 2 * this.#bytes.length));
  }

  #resize(length: number): void {
    const bytes = Buffer.allocUnsafeSlow(length);
    this.#bytes.copy(bytes, 0, 0, this.#used);
    this.#bytes = bytes;
  }
}

/** A whole number that takes at most 31 bits. */
function isSmall(value: number): boolean {
  return (value | 0) === value && value >= 0 && !Object.is(value, -0);
}

const WIDE = /[^\u0000-\u00ff]/;
/** Form of a time: each 0 means any digit. */
const MOMENT = '0000-00-00T00:00:00.000Z';
const MOMENT_LENGTH = MOMENT.length;
const DAY_LENGTH = 10;
const ZERO = 0x30;
const NINE = 0x39;

function momentOf(day: number, time: number): string {
  const [d, t] = [String(day).padStart(8, '0'), String(time).padStart(9, '0')];
  const date = `${d.slice(0, 4)}-${d.slice(4, 6)}-${d.slice(6)}`;
  return `${date}T${t.slice(0, 2)}:${t.slice(2, 4)}:${t.slice(4, 6)}.${t.slice(6)}Z`;
}

/** An assignment would set the prototype where that is the name: metadata may have a key of any name. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  else object[name] = value;
}

interface Known {
  readonly words: readonly string[];
  readonly shapes: readonly (readonly string[])[];
  readonly shared: readonly object[];
  readonly given: readonly string[];
}

class Reader {
  readonly #bytes: Buffer;
  readonly #known: Known;
  #at: number;

  constructor(bytes: Buffer, at: number, known: Known) {
    this.#bytes = bytes;
    this.#at = at;
    this.#known = known;
  }

  value(): unknown {
    const kind = this.#bytes[this.#at++];
    switch (kind) {
      case KIND.undefined:
        return undefined;
      case KIND.null:
        return null;
      case KIND.false:
        return false;
      case KIND.true:
        return true;
      case KIND.whole:
        return this.#whole();
      case KIND.thousandths:
        return this.#whole() / 1000;
      case KIND.number:
        return this.#bytes.readDoubleLE(this.#skip(8));
      case KIND.word:
        return this.#known.words[this.#whole()];
      case KIND.narrow:
        return this.#text('latin1');
      case KIND.wide:
        return this.#text('utf16le');
      case KIND.bytes:
        return this.#raw();
      case KIND.moment:
        return momentOf(this.#bytes.readUInt32LE(this.#skip(4)), this.#bytes.readUInt32LE(this.#skip(4)));
      case KIND.list:
        return Array.from({ length: this.#whole() }, () => this.value());
      case KIND.members:
        return this.#members();
      case KIND.named:
        return this.#named();
      case KIND.shared:
        return this.#known.shared[this.#whole()];
      case KIND.given:
        return this.#known.given[this.#whole()];
      default:
        throw new Error(`a slab has no value of kind ${kind}`);
    }
  }

  #members(): object {
    const value: Record<string, unknown> = {};
    for (const name of this.#known.shapes[this.#whole()] ?? []) setMember(value, name, this.value());
    return value;
  }

  #named(): object {
    const value: Record<string, unknown> = {};
    for (let left = this.#whole(); left > 0; left -= 1) {
      const name = this.value();
      setMember(value, String(name), this.value());
    }
    return value;
  }

  #text(encoding: 'latin1' | 'utf16le'): string {
    const length = this.#whole();
    const from = this.#skip(length);
    return this.#bytes.toString(encoding, from, from + length);
  }

  /** A copy: a view would keep the whole slab. */
  #raw(): Uint8Array {
    const length = this.#whole();
    const from = this.#skip(length);
    return new Uint8Array(this.#bytes.subarray(from, from + length));
  }

  #whole(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  #skip(length: number): number {
    const from = this.#at;
    this.#at += length;
    return from;
  }
}
