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
/** Version 1 had groups in V8's format alone. Before version 3 heads had no sum, and the sums of frames were those of any database. */
const VERSION = 3;
const NAMED = 3;
/** Bytes before the first frame: magic text, version, name of the database, sum over these. Each later version keeps that. */
export const FIRST = 64;
const NAME_BYTES = 32;
const NAME_AT = MAGIC.length + 4;
const SUM_AT = NAME_AT + NAME_BYTES;
/**
 * Begins each frame: mark, length of its body, number, half a sum over that, sum over all of it and the body. Both sums begin with the name
 * of the database. By the half one a payload that looks like many frames is told from them without a sum over each of their bodies.
 */
export const HEAD = 20;
const HALF_SUM_AT = 14;
const FRAME_SUM_AT = 16;
/** In place of the name before version 3. */
const NOBODY = 0;
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
  /** Its group, as it is in the file. */
  readonly body: Buffer;
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
  content.write(name, NAME_AT, NAME_BYTES, 'latin1');
  content.writeUInt32LE(headSum(content), SUM_AT);
  return content;
}

/**
 * Where the sums of the frames of a database begin. The name is random: a payload that looks like a frame has another sum, so that it is
 * not taken for one where its own frame was overwritten in part.
 */
export function seedOf(name: string): number {
  return crc32(name);
}

function headSum(content: Buffer): number {
  return crc32(content.subarray(0, SUM_AT));
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

/**
 * A file of frames.
 * @param frames in any order; of those with the same number the first one
 * @param name of their database
 * @param toldAfter number of the frame after which the missing ones were told: empty ones stand for them, so that they are not told again
 */
export function fileOf(frames: readonly Frame[], name: string, toldAfter: number | undefined): Buffer {
  const seed = seedOf(name);
  const parts = [emptyFile(FIRST, name)];
  const add = (number: number, body: Buffer): void => {
    const frame = around(body);
    giveNumber(frame, number, seed);
    parts.push(frame.subarray(0, -HEAD));
  };
  let next = (toldAfter ?? Infinity) + 1;
  for (const { number, body } of onceInOrder(frames)) {
    while (next < number) add(next++, Buffer.from(textOfGroup([]) ?? ''));
    add(number, body);
    next = Math.max(next, number + 1);
  }
  return Buffer.concat(parts);
}

/** Frames in the order of their numbers, each once: see kept-newest.ts. */
function onceInOrder(frames: readonly Frame[]): Frame[] {
  const sorted = frames.toSorted((a, b) => a.number - b.number);
  return sorted.filter(({ number }, at) => number !== sorted[at - 1]?.number);
}

export interface PieceFrames {
  readonly frames: readonly Frame[];
  /** False: another program cut or changed the file, and some frames cannot be read. */
  readonly isWhole: boolean;
}

/**
 * The frames of a piece that was appended in order, in a file that is in use.
 * @param name of its database
 */
export function framesOf({ fd, from, to }: Piece, name: string): PieceFrames {
  const seeds = [seedOf(name)];
  const bytes = Buffer.allocUnsafe(to - from);
  bytes.fill(0, readAll(fd, bytes, from));
  const frames: Frame[] = [];
  let isWhole = true;
  for (let at = 0; at >= 0 && at < bytes.length;) {
    const frame = frameAt(bytes, at, seeds);
    if (frame === undefined) {
      isWhole = false;
      at = bytes.indexOf(MARK, at + 1);
      continue;
    }
    frames.push(new StoredFrame(frame.number, bytes.subarray(at + HEAD, frame.end)));
    at = frame.end;
  }
  return { frames, isWhole };
}

/** Frames in their order, a bounded part of them at a time. */
export function* slicesOf(frames: readonly Frame[]): Generator<readonly Frame[]> {
  let slice: Frame[] = [];
  let bytes = 0;
  for (const frame of frames) {
    if (slice.length > 0 && bytes + frame.body.length > SLICE_BYTES) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(frame);
    bytes += frame.body.length;
  }
  if (slice.length > 0) yield slice;
}

/**
 * Frames of a file in use beyond the one that the database has, in the order of their numbers.
 * @param name of that database
 */
export function framesAfter(fd: number, folded: number, name: string): readonly Frame[] {
  return framesIn(contentOf(fd), folded, [seedOf(name)]).frames;
}

/** State of the path of a file of the newest records. */
export type Left =
  /** No file is there. */
  | { readonly kind: 'none' }
  /** The file of the newest records belongs to another database, so nothing is read from it. */
  | { readonly kind: 'foreign' }
  | ({
      readonly kind: 'own';
      /** Name of its database; absent: it has none, or its head cannot be read. */
      readonly name?: string;
    } & Found);

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
    const head = headIn(content);
    if (head !== undefined && head.version > VERSION)
      throw new JournalError('broken', `${path} was written by a newer version of Sidelight; start that one`);
    if (head !== undefined && name !== undefined && head.name !== name) return { kind: 'foreign' };
    const found = framesIn(content, after, seedsFor(content, head, name));
    return { kind: 'own', ...(head === undefined || head.name === '' ? {} : { name: head.name }), ...found };
  } finally {
    closeSync(fd);
  }
}

interface Head {
  readonly version: number;
  readonly name: string;
}

/** Undefined: it is not there, or was changed on the disk. The frames behind it may be sound, and most likely belong to the database. */
function headIn(content: Buffer): Head | undefined {
  if (content.length < FIRST || content.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  const version = content.readUInt32LE(MAGIC.length);
  const sum = content.readUInt32LE(SUM_AT);
  const isSound = sum === headSum(content) || (version < NAMED && sum === 0);
  return isSound ? { version, name: nameIn(content) } : undefined;
}

/** Where the sums of its frames may begin. */
function seedsFor(content: Buffer, head: Head | undefined, name: string | undefined): readonly number[] {
  if (head !== undefined) return [head.version < NAMED ? NOBODY : seedOf(head.name)];
  const own = [seedOf(name ?? nameIn(content))];
  // Anybody can make a frame without a name, so that one counts only in the file of an older version, where no frame has a name.
  return framesIn(content, 0, own).frames.length > 0 ? own : [NOBODY];
}

function nameIn(content: Buffer): string {
  return content.toString('latin1', NAME_AT, SUM_AT).replace(/\0+$/, '');
}

/**
 * Gives a frame its number.
 * @param seed of its database
 */
export function giveNumber(frame: Buffer, number: number, seed: number): void {
  const length = frame.length - 2 * HEAD;
  MARK.copy(frame);
  frame.writeUInt32LE(length, 4);
  frame.writeUIntLE(number, 8, 6);
  const head = sumBegun(frame, 0, seed);
  frame.writeUInt16LE(halfOf(head, seed), HALF_SUM_AT);
  frame.writeUInt32LE(sumOf(frame, 0, length, head), FRAME_SUM_AT);
}

/** Checksum over mark, length and number. */
function sumBegun(bytes: Buffer, at: number, seed: number): number {
  return crc32(bytes.subarray(at, at + HALF_SUM_AT), seed);
}

function halfOf(sum: number, seed: number): number {
  return seed === NOBODY ? 0 : sum & 0xffff;
}

/**
 * Checksum over the head, without the sum itself, and the body.
 * @param begun what `sumBegun` gave
 */
function sumOf(bytes: Buffer, at: number, length: number, begun: number): number {
  const body = bytes.subarray(at + HEAD, at + HEAD + length);
  return crc32(body, crc32(bytes.subarray(at + HALF_SUM_AT, at + FRAME_SUM_AT), begun));
}

/**
 * A whole and sound frame at a place; `end` is the place behind it.
 * @param seeds its sum begins with one of these
 */
function frameAt(
  bytes: Buffer,
  at: number,
  seeds: readonly number[],
): { readonly number: number; readonly end: number } | undefined {
  if (at + HEAD > bytes.length || bytes.compare(MARK, 0, MARK.length, at, at + MARK.length) !== 0)
    return undefined;
  const length = bytes.readUInt32LE(at + 4);
  if (at + HEAD + length > bytes.length) return undefined;
  const [half, sum] = [bytes.readUInt16LE(at + HALF_SUM_AT), bytes.readUInt32LE(at + FRAME_SUM_AT)];
  const isSound = (seed: number): boolean => {
    const begun = sumBegun(bytes, at, seed);
    return halfOf(begun, seed) === half && sumOf(bytes, at, length, begun) === sum;
  };
  if (!seeds.some(isSound)) return undefined;
  return { number: bytes.readUIntLE(at + 8, 6), end: at + HEAD + length };
}

/** A frame that this program wrote and whose sum is right. */
class StoredFrame implements Frame {
  readonly number: number;
  readonly body: Buffer;

  constructor(number: number, body: Buffer) {
    this.number = number;
    this.body = body;
  }

  get group(): Group {
    if (this.body[0] === V8_FORMAT) return deserialize(this.body) as Group;
    return groupOfText(this.body.toString('utf8'));
  }
}

/** Finds all readable frames, also those behind unreadable bytes. */
function framesIn(bytes: Buffer, known: number | undefined, seeds: readonly number[]): Found {
  const after = known ?? 0;
  let frames: Frame[] = [];
  let newest = { number: after, end: FIRST };
  for (let at = FIRST; at >= 0 && at < bytes.length;) {
    const frame = frameAt(bytes, at, seeds);
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
  frames = onceInOrder(frames);
  if (known === undefined) frames = lastRunOf(frames);
  const before = known ?? (frames[0]?.number ?? 1) - 1;
  return {
    frames,
    missing: Math.max(0, newest.number - before) - frames.length,
    isTorn: isTornAt(bytes, newest.end, seeds),
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
function isTornAt(bytes: Buffer, at: number, seeds: readonly number[]): boolean {
  if (at + HEAD > bytes.length) return false;
  return !bytes.subarray(at, at + HEAD).equals(BLANK) && frameAt(bytes, at, seeds) === undefined;
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
