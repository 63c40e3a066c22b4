/**
 * The form of the file of the newest records: a head, then frames, each with a group of records and a sum by which one that was cut off
 * or changed is known.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';

import { JournalError } from '../../ports/journal.ts';
import { groupOfText, textOfGroup } from './group-text.ts';
import type { Group } from './records.ts';
import type { Piece } from './requests.ts';

const MAGIC = 'sidelight newest';
/** Version 1 had groups in V8's format alone. */
const VERSION = 2;
/** Bytes before the first frame: magic text, version, name of the database. */
export const FIRST = 64;
const NAME_BYTES = 32;
/** Begins each frame: mark, length of its body, number, sum over all of that and the body. */
export const HEAD = 20;
const MARK = Buffer.from('SLnf', 'latin1');
/** Bytes of frames that are objects in memory together, unless a single one has more. */
const SLICE_BYTES = 1024 * 1024;
/** Mark after the last frame; the next frame overwrites it. */
export const BLANK = Buffer.alloc(HEAD);

export interface Frame {
  /** Frames of one database are numbered from 1; no number is used twice. */
  readonly number: number;
  /** Read each time that it is asked for: a frame that waits is bytes alone. */
  readonly group: Group;
  /** Bytes of its group. */
  readonly bytes: number;
}

/** Content of a file of the newest records. */
export interface Found {
  /** In the order of their numbers. */
  readonly frames: readonly Frame[];
  /** Groups between them that cannot be read. */
  readonly missing: number;
  /** True when the last write was cut off or damaged. */
  readonly isTorn: boolean;
}

/**
 * A file without frames.
 * @param bytes of the file, at least as many as its head has
 * @param name of its database
 */
export function emptyFile(bytes: number, name: string): Buffer {
  const content = Buffer.alloc(bytes);
  content.write(MAGIC, 0, 'latin1');
  content.writeUInt32LE(VERSION, MAGIC.length);
  content.write(name, MAGIC.length + 4, NAME_BYTES, 'latin1');
  return content;
}

/** Frames are made in memory of this size that is used again, larger ones in memory of their own. */
const BUFFER_BYTES = 64 * 1024;
/** A character takes at most so many bytes. */
const BYTES_A_CHARACTER = 3;
/** First byte of a group in V8's format, which no text begins with. */
const V8_FORMAT = 0xff;

/** Makes frames. Each holds until the next one is made. */
export class FrameBuffer {
  readonly #bytes = Buffer.alloc(BUFFER_BYTES);

  /** The frame of a group, without its number, and the mark behind it. */
  frameOf(group: Group): Buffer {
    const text = textOfGroup(group);
    if (text === undefined) return around(serialize(group));
    const isSmall = 2 * HEAD + text.length * BYTES_A_CHARACTER <= this.#bytes.length;
    const bytes = isSmall ? this.#bytes : Buffer.alloc(2 * HEAD + Buffer.byteLength(text));
    const end = HEAD + bytes.write(text, HEAD, 'utf8');
    bytes.fill(0, end, end + HEAD);
    return bytes.subarray(0, end + HEAD);
  }
}

function around(body: Buffer): Buffer {
  return Buffer.concat([BLANK, body, BLANK]);
}

/** The frames of a piece that was appended in order, in a file that is in use. Throws JournalError broken where one cannot be read. */
export function framesOf({ fd, from, to }: Piece): readonly Frame[] {
  const bytes = Buffer.allocUnsafe(to - from);
  readAll(fd, bytes, from);
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length;) {
    const frame = frameAt(bytes, at);
    if (frame === undefined)
      throw new JournalError('broken', 'the file of the newest records was changed by somebody else');
    frames.push(new StoredFrame(frame.number, bytes.subarray(at + HEAD, frame.end)));
    at = frame.end;
  }
  return frames;
}

/** Frames in their order, a bounded part of them at a time. */
export function* slicesOf(frames: readonly Frame[]): Generator<readonly Frame[]> {
  let slice: Frame[] = [];
  let bytes = 0;
  for (const frame of frames) {
    if (slice.length > 0 && bytes + frame.bytes > SLICE_BYTES) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(frame);
    bytes += frame.bytes;
  }
  if (slice.length > 0) yield slice;
}

/** Frames of a file in use beyond the one that the database has, in the order of their numbers. */
export function framesAfter(fd: number, folded: number): readonly Frame[] {
  return framesIn(contentOf(fd), folded).frames;
}

/** State of the path of a file of the newest records. */
export type Left =
  /** No file is there. */
  | { readonly kind: 'none' }
  /** The file of the newest records belongs to another database, so nothing is read from it. */
  | { readonly kind: 'foreign' }
  | ({ readonly kind: 'own' } & Found);

/**
 * Reads the file of the previous process.
 * @param name name of the database; undefined: unknown
 * @param after number of the last frame in the database; undefined: unknown, and every frame is used
 * @throws JournalError broken for the file of a newer version
 */
export function readLeft(path: string, name: string | undefined, after: number | undefined): Left {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return { kind: 'none' };
  const fd = openSync(path, 'r');
  try {
    const content = contentOf(fd);
    if (content.toString('latin1', 0, MAGIC.length) === MAGIC) {
      const version = content.length < FIRST ? VERSION : content.readUInt32LE(MAGIC.length);
      if (version > VERSION)
        throw new JournalError(
          'broken',
          `${path} was written by a newer version of Sidelight; start that one`,
        );
      if (name !== undefined && nameIn(content) !== name) return { kind: 'foreign' };
    }
    return { kind: 'own', ...framesIn(content, after) };
  } finally {
    closeSync(fd);
  }
}

function nameIn(content: Buffer): string {
  const start = MAGIC.length + 4;
  return content.toString('latin1', start, start + NAME_BYTES).replace(/\0+$/, '');
}

/** Gives a frame its number. */
export function giveNumber(frame: Buffer, number: number): void {
  const length = frame.length - 2 * HEAD;
  MARK.copy(frame);
  frame.writeUInt32LE(length, 4);
  frame.writeUIntLE(number, 8, 6);
  frame.writeUInt16LE(0, 14);
  frame.writeUInt32LE(sumOf(frame, 0, length), 16);
}

/** Checksum over the head, without the sum itself, and the body. */
function sumOf(bytes: Buffer, at: number, length: number): number {
  const body = bytes.subarray(at + HEAD, at + HEAD + length);
  return crc32(body, crc32(bytes.subarray(at, at + HEAD - 4)));
}

/** A whole and sound frame at a place; `end` is the place behind it. */
function frameAt(bytes: Buffer, at: number): { readonly number: number; readonly end: number } | undefined {
  if (at + HEAD > bytes.length || bytes.compare(MARK, 0, MARK.length, at, at + MARK.length) !== 0)
    return undefined;
  const length = bytes.readUInt32LE(at + 4);
  if (at + HEAD + length > bytes.length) return undefined;
  if (sumOf(bytes, at, length) !== bytes.readUInt32LE(at + 16)) return undefined;
  return { number: bytes.readUIntLE(at + 8, 6), end: at + HEAD + length };
}

/** A frame that this program wrote and whose sum is right. */
class StoredFrame implements Frame {
  readonly number: number;
  readonly #body: Buffer;

  constructor(number: number, body: Buffer) {
    this.number = number;
    this.#body = body;
  }

  get group(): Group {
    if (this.#body[0] === V8_FORMAT) return deserialize(this.#body) as Group;
    return groupOfText(this.#body.toString('utf8'));
  }

  get bytes(): number {
    return this.#body.length;
  }
}

/** Finds all readable frames, also those behind unreadable bytes. */
function framesIn(bytes: Buffer, known: number | undefined): Found {
  const after = known ?? 0;
  let frames: Frame[] = [];
  let newest = { number: after, end: FIRST };
  for (let at = FIRST; at >= 0 && at < bytes.length;) {
    const frame = frameAt(bytes, at);
    if (frame === undefined) {
      at = bytes.indexOf(MARK, at + 1);
      continue;
    }
    if (frame.number > after) {
      frames.push(new StoredFrame(frame.number, bytes.subarray(at + HEAD, frame.end)));
      if (frame.number > newest.number) newest = frame;
    }
    at = frame.end;
  }
  frames.sort((a, b) => a.number - b.number);
  if (known === undefined) frames = lastRunOf(frames);
  const before = known ?? (frames[0]?.number ?? 1) - 1;
  return {
    frames,
    missing: Math.max(0, newest.number - before) - frames.length,
    isTorn: isTornAt(bytes, newest.end),
  };
}

/**
 * Frames that follow each other up to the last one: they hold the outcomes of their messages too, of which older frames may have only half.
 */
function lastRunOf(frames: readonly Frame[]): Frame[] {
  const first = frames.findLastIndex(({ number }, at) => at === 0 || frames[at - 1]?.number !== number - 1);
  return frames.slice(Math.max(0, first));
}

/** True where something other than an older frame follows the last one. */
function isTornAt(bytes: Buffer, at: number): boolean {
  if (at + HEAD > bytes.length) return false;
  return !bytes.subarray(at, at + HEAD).equals(BLANK) && frameAt(bytes, at) === undefined;
}

function contentOf(fd: number): Buffer {
  const content = Buffer.alloc(fstatSync(fd).size);
  return content.subarray(0, readAll(fd, content, 0));
}

/** Reads until the buffer is full or the file ends; gives the bytes that were read. */
function readAll(fd: number, bytes: Buffer, position: number): number {
  let at = 0;
  while (at < bytes.length) {
    const read = readSync(fd, bytes, at, bytes.length - at, position + at);
    if (read === 0) break;
    at += read;
  }
  return at;
}
