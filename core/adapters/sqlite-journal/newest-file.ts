/**
 * The file of the newest records, beside the database: a group of records is appended and synced here before it counts. The tables
 * of the database have it a little later; then its place is used again, from the beginning of the file while the end is still needed.
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { atTurnEnd } from '../turn-end.ts';
import { syncFolder } from '../whole-file.ts';
import { fileId, isAt, openId } from './file-id.ts';
import { BLANK, emptyFile, FIRST, giveNumber, HEAD, seedOf } from './newest-frames.ts';
import type { Piece, SyncLevel } from './requests.ts';
import { setAside, timeInName } from './set-aside.ts';

/** Ending of the file's name, after the name of the database. */
export const NEWEST = '-newest';

/** Size of the file while it holds little. */
const BYTES = 2 * 1024 * 1024;
/** Size up to which it grows, which is also the most that a start reads again after a crash. */
const MAX_BYTES = 80 * 1024 * 1024;
/** Each growth makes the file so many times as large. */
const GROWTH = 4;
/**
 * The file must fit this many times into the ballast, or into the free room of the disk if it is larger than that: its records always
 * find room in the tables.
 */
const IN_ROOM = 8;
/** Bytes that are prepared and synced at a time: an append must not wait for the sync of more. */
const PREPARED_AT_ONCE = 1024 * 1024;
/** Time of a sync, in ms, above which syncs run in another thread, so that this one can do other work. */
const QUICK_SYNC_MS = 1;
/** Weight of the last sync in the average sync time. */
const NEWEST_SHARE = 0.2;

export interface NewestCounts {
  writes: number;
  syncs: number;
  bytes: number;
}

export class NewestFile {
  readonly path: string;
  readonly #name: string;
  readonly #seed: number;
  readonly #smallest: number;
  #bytes: number;
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
  /** Which file it is, once it was made. */
  #id = '';
  /** Which file was closed and stayed in its place, with nothing in it that is needed; undefined: none. */
  #left: string | undefined;
  readonly #quickMs: number;
  readonly #onSetAside: (name: string) => void;

  /**
   * Touches nothing yet.
   * @param name of the database that it belongs to, at most 32 bytes
   * @param bytes of the file until it grows
   * @param quickMs a disk that takes longer for a sync is waited for beside other work
   * @param onSetAside called with the new name of what somebody else put in its place
   */
  constructor(
    path: string,
    name: string,
    counts: NewestCounts,
    bytes = BYTES,
    quickMs = QUICK_SYNC_MS,
    onSetAside: (name: string) => void = () => undefined,
  ) {
    this.path = path;
    this.#name = name;
    this.#seed = seedOf(name);
    this.#counts = counts;
    this.#smallest = bytes;
    this.#bytes = bytes;
    this.#limit = bytes;
    this.#quickMs = quickMs;
    this.#onSetAside = onSetAside;
  }

  /** Size that suits a ballast of this many bytes; 0 = there is none. */
  static bytesBeside(ballast: number): number {
    return ballast === 0 ? BYTES : Math.min(BYTES, Math.floor(ballast / IN_ROOM));
  }

  /** Size that suits the free room of a disk. */
  static bytesIn(free: number): number {
    return Math.min(MAX_BYTES, Math.floor(free / IN_ROOM));
  }

  /** False: frames that the tables may not have are in the way, or the group is too large for the whole file. */
  hasRoomFor(frame: Buffer): boolean {
    return this.#at + frame.length <= this.#limit;
  }

  /** Bytes from the oldest frame that the tables may not have up to the newest one, since writing has started again at the beginning. */
  get used(): number {
    return this.#at - this.#free;
  }

  /** Next larger size; undefined: the file cannot grow while writing has started again before older frames. */
  get nextBytes(): number | undefined {
    return this.#limit === this.#bytes ? this.#bytes * GROWTH : undefined;
  }

  /** The file may have so many bytes from now on. */
  grow(bytes: number): void {
    if (this.#limit === this.#bytes) this.#limit = bytes;
    this.#bytes = bytes;
  }

  /** Gives back what the file has grown by. Only while it holds no frame that is needed. */
  shrink(): void {
    if (this.#bytes === this.#smallest || this.#at > FIRST || this.#isSyncing) return;
    try {
      if (this.fd !== undefined) {
        // A start would take an older frame that is cut off here for the last write.
        writeAll(this.fd, BLANK, FIRST);
        ftruncateSync(this.fd, this.#smallest);
      }
    } catch (error) {
      // The disk refuses it: the file stays as large as it is, and the next rest tries again.
      if (!(error instanceof Error && 'code' in error)) throw error;
      return;
    }
    this.#bytes = this.#smallest;
    this.#limit = this.#smallest;
  }

  /** Place behind the last frame that counts. */
  get end(): number {
    return this.#at;
  }

  /** How often writing has started again at the beginning of the file. */
  get lap(): number {
    return this.#lap;
  }

  /** Frames from a place to another one; undefined: there are none. */
  piece(from: number, to: number): Piece | undefined {
    return this.#fd === undefined || from >= to ? undefined : { fd: this.#fd, from, to };
  }

  /**
   * Appends a group, one at a time, and makes the file if needed. Throws, or rejects with, the system's error if the group is not in it.
   * @param onWritten called before a sync, when the group is in the file: what it sends to others leaves while the disk works
   * @returns undefined: the group is as safe as `sync` demands; else it is once this resolves
   */
  append(number: number, frame: Buffer, sync: SyncLevel, onWritten?: () => void): Promise<void> | undefined {
    const fd = (this.#fd ??= this.#make(sync));
    giveNumber(frame, number, this.#seed);
    try {
      writeAll(fd, frame, this.#at);
      if (sync === 'full') {
        if (onWritten !== undefined || this.#isSlow) return this.#syncedBeside(fd, frame.length, onWritten);
        this.#syncNow(fd);
      }
    } catch (error) {
      this.#blank(fd);
      throw error;
    }
    this.#advance(frame.length);
    return undefined;
  }

  /** Continues at the beginning of the file, where the tables have everything. False: there is not enough room for this group. */
  wrapFor(frame: Buffer): boolean {
    if (FIRST + frame.length > this.#free) return false;
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

  /** Size of the file. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Undefined: the file is not made yet. */
  get fd(): number | undefined {
    return this.#fd;
  }

  /** Where frames begin. */
  get first(): number {
    return FIRST;
  }

  /** True while the file is where it belongs, before it was made, and where the system does not let us look. */
  isInPlace(): boolean {
    if (this.#fd === undefined) return true;
    try {
      return isAt(this.#fd, this.path);
    } catch (error) {
      // The system cannot look, as in a folder that may not be entered (EACCES) or is a link to itself (ELOOP): the open file goes on to
      // count, a write to it that fails is reported, and a start reads it once that is mended.
      if (error instanceof Error && 'code' in error) return true;
      throw error;
    }
  }

  /** True when another program has cut off a part of what was written. */
  isCut(): boolean {
    if (this.#fd === undefined) return false;
    try {
      return fstatSync(this.#fd).size < this.#at;
    } catch (error) {
      // The system cannot look, as for `isInPlace`.
      if (error instanceof Error && 'code' in error) return false;
      throw error;
    }
  }

  /** The open file where it is no longer at its place; undefined: it is there, or was never made. */
  get removed(): number | undefined {
    return this.isInPlace() ? undefined : this.#fd;
  }

  close(): void {
    if (this.#fd !== undefined) {
      this.#left = this.isInPlace() ? this.#id : undefined;
      closeSync(this.#fd);
    }
    this.#fd = undefined;
    this.#bytes = this.#smallest;
    this.rewind();
  }

  /** Closes and removes the file, because the database has everything in it. */
  remove(): void {
    const isOwn = this.#fd !== undefined && this.isInPlace();
    this.close();
    if (!isOwn) return;
    rmSync(this.path, { force: true });
    this.#left = undefined;
  }

  /** True when a sync is worth waiting for in this thread. */
  get isQuick(): boolean {
    return !this.#isSlow;
  }

  /** Makes the file. With `full` its bytes are really written and its name is synced, so that an append has to sync data only. */
  #make(sync: SyncLevel): number {
    this.#makePlace();
    const fd = openSync(this.path, 'wx+', 0o600);
    try {
      this.#id = openId(fd);
      writeAll(fd, emptyFile(sync === 'full' ? this.#bytes : FIRST, this.#name), 0);
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

  /** Removes its own file. Nothing else is left there by Sidelight: an opening of the database takes in what it finds. */
  #makePlace(): void {
    if (this.#left !== undefined && fileId(this.path) === this.#left)
      return rmSync(this.path, { force: true });
    const aside = setAside(this.path, timeInName(Date.now()));
    if (aside !== undefined) this.#onSetAside(aside);
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
      this.#blank(fd);
      throw error;
    } finally {
      this.#isSyncing = false;
    }
    this.#advance(bytes);
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

  #advance(bytes: number): void {
    this.#counts.writes++;
    this.#counts.bytes += bytes;
    this.#at += bytes - HEAD;
  }

  /** Blanks the head of a frame that may be written in part. */
  #blank(fd: number): void {
    try {
      writeAll(fd, BLANK, this.#at);
    } catch (error) {
      // The disk refuses this as well; the next frame overwrites the same place with the same number.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }
}

/**
 * Writes zeros, so that an append has to sync data only. Another thread may append before them meanwhile.
 * @returns number of syncs
 */
export function prepare({ fd, from, to }: Piece): number {
  let syncs = 0;
  const zeros = Buffer.alloc(Math.min(PREPARED_AT_ONCE, to - from));
  for (let at = from; at < to; at += zeros.length) {
    writeAll(fd, zeros.subarray(0, to - at), at);
    fdatasyncSync(fd);
    syncs++;
  }
  return syncs;
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  let at = 0;
  while (at < bytes.length) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
}
