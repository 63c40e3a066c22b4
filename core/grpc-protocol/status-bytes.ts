/**
 * Reads the bytes of a reply to an event or a batch as the parser of the reference does. The library's decoder takes some bytes that this
 * parser refuses, and refuses a field in another form, which this one passes over as a field that it does not know.
 */
import { Buffer, isUtf8 } from 'node:buffer';

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const GROUP = 3;
const GROUP_END = 4;
const FIXED_32 = 5;

/** Number of the status in a reply. */
const STATUS = 1;
/** Number of the entries in a reply to a batch, and of the members of an entry. */
const ENTRIES = 1;
const ENTRY = { id: 1, status: 2 } as const;
/** Tags beyond it have a field number that no message may have. */
const MAX_TAG = 2 ** 32 - 1;
const MAX_GROUPS = 10_000;

/**
 * The last field of a reply that is its status, as bytes: only this one counts, and a reply has room for millions. Empty where there is none.
 * Throws for bytes that are not a message.
 */
export function statusBytes(reply: Uint8Array): Uint8Array {
  let [from, to] = [0, 0];
  const reader = new FieldReader(reply);
  while (!reader.isOver) {
    const { at } = reader;
    const { field, form } = reader.next();
    if (field === STATUS && form === VARINT) [from, to] = [at, reader.at];
  }
  return reply.subarray(from, to);
}

/**
 * A reply to a batch that has the id and the status of each entry and nothing else. Throws for bytes that are not a message, and for more than
 * `most` entries.
 */
export function batchBytes(reply: Uint8Array, most: number): Buffer {
  const parts: Uint8Array[] = [];
  const reader = new FieldReader(reply);
  let entries = 0;
  while (!reader.isOver) {
    const { field, form } = reader.next();
    if (field !== ENTRIES || form !== BYTES) continue;
    entries += 1;
    if (entries > most) throw new Error(`it has more than ${most.toLocaleString('en-US')} entries`);
    const entry = entryBytes(reader.content);
    parts.push(Uint8Array.of((ENTRIES << 3) | BYTES, ...varint(entry.length)), entry);
  }
  return Buffer.concat(parts);
}

/** The last id and the last status of an entry, as bytes. */
function entryBytes(entry: Uint8Array): Uint8Array {
  let id = entry.subarray(0, 0);
  let status = id;
  const reader = new FieldReader(entry);
  while (!reader.isOver) {
    const { at } = reader;
    const { field, form } = reader.next();
    if (field === ENTRY.status && form === VARINT) status = entry.subarray(at, reader.at);
    if (field !== ENTRY.id || form !== BYTES) continue;
    if (!isUtf8(reader.content)) throw new Error('the id of an entry is not UTF-8');
    id = entry.subarray(at, reader.at);
  }
  return Buffer.concat([id, status]);
}

/** The bytes of a number below 2^31. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

interface Tag {
  readonly field: number;
  /** How its content is written. */
  readonly form: number;
}

const NOTHING = new Uint8Array(0);

class FieldReader {
  readonly #bytes: Uint8Array;
  at = 0;
  /** Content of the last field that had bytes. */
  content: Uint8Array = NOTHING;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isOver(): boolean {
    return this.at >= this.#bytes.length;
  }

  /** Passes over a field with its content. A group is one field with all that is in it. */
  next(): Tag {
    const first = this.#tag();
    const groups: number[] = [];
    let tag = first;
    for (;;) {
      if (tag.form === GROUP) groups.push(tag.field);
      else if (tag.form !== GROUP_END) this.#content(tag.form);
      else if (groups.pop() !== tag.field) throw new Error('a group ends that did not begin');
      if (groups.length === 0) return first;
      if (groups.length > MAX_GROUPS) throw new Error('too many groups are in each other');
      tag = this.#tag();
    }
  }

  #tag(): Tag {
    const tag = this.#varint();
    if (tag > MAX_TAG || tag < 8) throw new Error('the number of a field is not allowed');
    return { field: Math.floor(tag / 8), form: tag % 8 };
  }

  #content(form: number): void {
    switch (form) {
      case VARINT:
        this.#varint();
        return;
      case FIXED_64:
        this.#pass(8);
        return;
      case BYTES: {
        const length = this.#varint();
        this.#pass(length);
        this.content = this.#bytes.subarray(this.at - length, this.at);
        return;
      }
      case FIXED_32:
        this.#pass(4);
        return;
      default:
        throw new Error('the form of a field is unknown');
    }
  }

  #pass(bytes: number): void {
    this.at += bytes;
    if (this.at > this.#bytes.length) throw new Error('it is cut off');
  }

  /** A number of at most 64 bits; one beyond 53 is not exact. */
  #varint(): number {
    let value = 0;
    for (let nth = 0; nth < 10; nth += 1) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) throw new Error('it is cut off');
      this.at += 1;
      value += (byte & 0x7f) * 2 ** (7 * nth);
      if (byte < 0x80 && (nth < 9 || byte < 2)) return value;
    }
    throw new Error('a number has more than 64 bits');
  }
}
