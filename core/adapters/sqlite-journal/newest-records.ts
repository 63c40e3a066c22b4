/**
 * The file of the newest records, beside the database: a group of records is appended and synced here before it counts. The tables
 * of the database have it a little later; then its place is used again, from the beginning of the file while the end is still needed.
 * A frame that was cut off or changed is known by its sum.
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';

import { JournalError } from '../../ports/journal.ts';
import { atTurnEnd } from '../turn-end.ts';
import { syncFolder } from '../whole-file.ts';
import type { Op } from './records.ts';
import type { Piece, SyncLevel } from './requests.ts';

/** Ending of the file's name, after the name of the database. */
export const NEWEST = '-newest';

/** Size of the file, which is also the most that a start reads again after a crash. */
const BYTES = 2 * 1024 * 1024;
/** The file must fit into the ballast this many times: on a full disk, its records are written to the tables in the ballast's room. */
const IN_BALLAST = 8;
const MAGIC = 'sidelight newest';
const VERSION = 1;
/** Bytes before the first frame: magic text, version, name of the database. */
const FIRST = 64;
const NAME_BYTES = 32;
/** Begins each frame: mark, length of its body, number, sum over all of that and the body. */
const HEAD = 20;
const MARK = Buffer.from('SLnf', 'latin1');
/** Mark after the last frame; the next frame overwrites it. */
const BLANK = Buffer.alloc(HEAD);
/** Time of a sync, in ms, above which syncs run in another thread, so that this one can do other work. */
const QUICK_SYNC_MS = 1;
/** Weight of the last sync in the average sync time. */
const NEWEST_SHARE = 0.2;

/** Calls of one group, in their order. */
export type Group = readonly (readonly Op[])[];

export interface Frame {
  /** Frames of one database are numbered from 1; no number is used twice. */
  readonly number: number;
  readonly group: Group;
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

export interface NewestCounts {
  writes: number;
  syncs: number;
  bytes: number;
}

export class NewestFile {
  readonly path: string;
  readonly #name: string;
  readonly #bytes: number;
  readonly #counts: NewestCounts;
  #fd: number | undefined;
  /** Where the next frame goes. */
  #at = FIRST;
  /** Place that writing must not pass: the end of the file, or the oldest frame that the tables may not have. */
  #limit: number;
  /** The tables have everything before this place. */
  #free = FIRST;
  /** How often writing has started again at the beginning of the file. */
  #lap = 0;
  /** Time that the last syncs took, an average. */
  #syncMs = 0;
  /** True while a frame at `#at` is being synced and does not count yet. */
  #isSyncing = false;
  readonly #quickMs: number;

  /**
   * Touches nothing yet.
   * @param name of the database that it belongs to, at most 32 bytes
   * @param bytes of the file
   * @param quickMs a disk that takes longer for a sync is waited for beside other work
   */
  constructor(path: string, name: string, counts: NewestCounts, bytes = BYTES, quickMs = QUICK_SYNC_MS) {
    this.path = path;
    this.#name = name;
    this.#counts = counts;
    this.#bytes = bytes;
    this.#limit = bytes;
    this.#quickMs = quickMs;
  }

  /** Size that suits a ballast of this many bytes; 0 = there is none. */
  static bytesBeside(ballast: number): number {
    return ballast === 0 ? BYTES : Math.min(BYTES, Math.floor(ballast / IN_BALLAST));
  }

  /** Bytes of a group as they are appended. */
  static bodyOf(group: Group): Buffer {
    return serialize(group);
  }

  /** False: frames that the tables may not have are in the way, or the group is too large for the whole file. */
  hasRoomFor(body: Buffer): boolean {
    return this.#at + HEAD + body.length + HEAD <= this.#limit;
  }

  /** True when half of the file is used: the tables should take its records in. */
  get isHalfUsed(): boolean {
    return this.#at - this.#free > (this.#bytes - FIRST) / 2;
  }

  /** Place behind the last frame that counts. */
  get end(): number {
    return this.#at;
  }

  /** How often writing has started again at the beginning of the file. */
  get lap(): number {
    return this.#lap;
  }

  /** Frames from a place on; undefined: there are none. */
  piece(from: number): Piece | undefined {
    return this.#fd === undefined || from >= this.#at ? undefined : { fd: this.#fd, from, to: this.#at };
  }

  /**
   * Appends a group, one at a time, and makes the file if needed. Throws, or rejects with, the system's error if the group is not in it.
   * @param onWritten called before a sync, when the group is in the file: what it sends to others leaves while the disk works
   * @returns undefined: the group is as safe as `sync` demands; else it is once this resolves
   */
  append(number: number, body: Buffer, sync: SyncLevel, onWritten?: () => void): Promise<void> | undefined {
    const fd = (this.#fd ??= this.#make(sync));
    const bytes = framed(number, body);
    try {
      writeAll(fd, bytes, this.#at);
      if (sync === 'full') {
        if (onWritten !== undefined || this.#isSlow) return this.#syncedBeside(fd, bytes.length, onWritten);
        this.#syncNow(fd);
      }
    } catch (error) {
      this.#cut(fd);
      throw error;
    }
    this.#took(bytes.length);
    return undefined;
  }

  /** Continues at the beginning of the file, where the tables have everything. False: there is not enough room for this group. */
  wrapFor(body: Buffer): boolean {
    if (FIRST + HEAD + body.length + HEAD > this.#free) return false;
    this.#at = FIRST;
    this.#limit = this.#free;
    this.#free = FIRST;
    this.#lap++;
    return true;
  }

  /**
   * Frees the file up to a place: the database has everything before it, safely.
   * @param lap in which that was the end
   */
  free(end: number, lap: number): void {
    if (lap !== this.#lap) this.#limit = Math.max(this.#limit, end);
    else if (end === this.#at && !this.#isSyncing) this.rewind();
    else {
      this.#limit = this.#bytes;
      this.#free = end;
    }
  }

  /** Starts again at the beginning, because the database has everything in the file, safely. */
  rewind(): void {
    this.#at = FIRST;
    this.#limit = this.#bytes;
    this.#free = FIRST;
    this.#lap++;
  }

  /** Largest size of the file. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Where frames begin. */
  get first(): number {
    return FIRST;
  }

  /** True while the file is where it belongs, or before it was made. */
  isInPlace(): boolean {
    if (this.#fd === undefined) return true;
    const there = statSync(this.path, { bigint: true, throwIfNoEntry: false });
    const own = fstatSync(this.#fd, { bigint: true });
    return there?.ino === own.ino && there.dev === own.dev;
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.rewind();
  }

  /** Closes and removes the file, because the database has everything in it. */
  remove(): void {
    const isOwn = this.#fd !== undefined && this.isInPlace();
    this.close();
    if (isOwn) rmSync(this.path, { force: true });
  }

  /** Makes the file. With `full` its bytes are really written and its name is synced, so that an append has to sync data only. */
  #make(sync: SyncLevel): number {
    // An old file was read when the database was opened, so it can be removed.
    rmSync(this.path, { recursive: true, force: true });
    const fd = openSync(this.path, 'wx+', 0o600);
    try {
      const content = Buffer.alloc(sync === 'full' ? this.#bytes : FIRST);
      content.write(MAGIC, 0, 'latin1');
      content.writeUInt32LE(VERSION, MAGIC.length);
      content.write(this.#name, MAGIC.length + 4, NAME_BYTES, 'latin1');
      writeAll(fd, content, 0);
      if (sync === 'full') {
        fsyncSync(fd);
        syncFolder(dirname(this.path));
        this.#counts.syncs += 2;
      }
      return fd;
    } catch (error) {
      closeSync(fd);
      rmSync(this.path, { force: true });
      throw error;
    }
  }

  get #isSlow(): boolean {
    return this.#syncMs > this.#quickMs;
  }

  #syncNow(fd: number): void {
    const from = performance.now();
    fdatasyncSync(fd);
    this.#synced(performance.now() - from);
  }

  /** Syncs a frame while others work: the program, or those to whom `onWritten` sends something. */
  async #syncedBeside(fd: number, bytes: number, onWritten: (() => void) | undefined): Promise<void> {
    this.#isSyncing = true;
    try {
      onWritten?.();
      if (this.#isSlow) await this.#syncElsewhere(fd);
      else {
        // Data that `onWritten` sends leaves at the end of this turn. This sync blocks the thread, so it runs after that.
        await new Promise<void>((go) => atTurnEnd(go));
        this.#syncNow(fd);
      }
    } catch (error) {
      this.#cut(fd);
      throw error;
    } finally {
      this.#isSyncing = false;
    }
    this.#took(bytes);
  }

  /** Syncs in a thread of the system's pool, so that this one can go on. */
  #syncElsewhere(fd: number): Promise<void> {
    const from = performance.now();
    return new Promise((resolve, reject) => {
      fdatasync(fd, (error) => {
        if (error !== null) return reject(error);
        this.#synced(performance.now() - from);
        resolve();
      });
    });
  }

  #synced(ms: number): void {
    this.#syncMs += (ms - this.#syncMs) * NEWEST_SHARE;
    this.#counts.syncs++;
  }

  #took(bytes: number): void {
    this.#counts.writes++;
    this.#counts.bytes += bytes;
    this.#at += bytes - HEAD;
  }

  /** Blanks the head of a frame that may be written in part. */
  #cut(fd: number): void {
    try {
      writeAll(fd, BLANK, this.#at);
    } catch (error) {
      // The disk refuses this as well; the next frame overwrites the same place with the same number.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }
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
    frames.push({ number: frame.number, group: groupIn(bytes, at, frame.end) });
    at = frame.end;
  }
  return frames;
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

function framed(number: number, body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD + body.length + HEAD);
  MARK.copy(bytes);
  bytes.writeUInt32LE(body.length, 4);
  bytes.writeUIntLE(number, 8, 6);
  bytes.writeUInt16LE(0, 14);
  body.copy(bytes, HEAD);
  bytes.writeUInt32LE(sumOf(bytes, 0, body.length), 16);
  bytes.fill(0, HEAD + body.length);
  return bytes;
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

/** Reads a group that this program wrote and whose sum is right. */
function groupIn(bytes: Buffer, at: number, end: number): Group {
  return deserialize(bytes.subarray(at + HEAD, end)) as Group;
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
      frames.push({ number: frame.number, group: groupIn(bytes, at, frame.end) });
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

function writeAll(fd: number, bytes: Buffer, position: number): void {
  let at = 0;
  while (at < bytes.length) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
}
