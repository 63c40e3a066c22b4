/**
 * The index that SQLite keeps beside the log (`sidelight.db-shm`): which pages the log has. SQLite makes one from the log where nobody has it
 * open, and believes it otherwise. One that another program made after the name of ours was removed says less than the log has.
 */
import { closeSync, fstatSync, readFileSync, readSync, rmSync } from 'node:fs';
import { endianness } from 'node:os';

import { openRegular } from './open-regular.ts';

/** Length of a log's head, which is another one each time that the log begins again (https://sqlite.org/walformat.html). */
export const HEAD_BYTES = 32;
/** Bytes before each page in the log. */
export const FRAME_HEAD_BYTES = 24;
/** Places in the head of a log of the size of a page, of its two random numbers, and of its sum. */
const PAGE_SIZE_AT = 8;
const SALT_AT = 16;
const SALT_BYTES = 8;
const SUM_AT = 24;
/** Places in the index of the number of its frames, their sum, the log's two random numbers, and the count of frames in the database. */
const INDEX_FRAMES_AT = 16;
const INDEX_SUM_AT = 24;
const INDEX_SALT_AT = 32;
const INDEX_MOVED_AT = 96;
/** Places in the head of a frame of the size of the database, which only the last frame of a commit has, of the random numbers, and of the sum. */
const COMMIT_AT = 4;
const FRAME_SALT_AT = 8;
const FRAME_SUM_AT = 16;

const IS_BIG_ENDIAN = endianness() === 'BE';

/** The two halves of a sum of SQLite's log, which goes on from that of the frames before. */
export type Sum = readonly [number, number];

export interface LogIndex {
  /** As hexadecimal digits, as `saltOf` gives them. */
  readonly salt: string;
  readonly frames: number;
  readonly sum: Sum;
  /** Frames that are in the database. */
  readonly moved: number;
}

/** Undefined: the index cannot be read. SQLite writes its numbers as this machine has them, and copies those of the log's head. */
export function indexIn(file: string): LogIndex | undefined {
  return reading(file, (fd) => {
    const index = readFileSync(fd);
    if (index.length < INDEX_MOVED_AT + 4) return undefined;
    const numbers = new Uint32Array(
      index.buffer.slice(index.byteOffset, index.byteOffset + INDEX_MOVED_AT + 4),
    );
    const at = (place: number): number => numbers[place / 4] ?? 0;
    return {
      salt: index.toString('hex', INDEX_SALT_AT, INDEX_SALT_AT + SALT_BYTES),
      frames: at(INDEX_FRAMES_AT),
      sum: [at(INDEX_SUM_AT), at(INDEX_SUM_AT + 4)],
      moved: at(INDEX_MOVED_AT),
    };
  });
}

/** The random numbers of a log, of which the head is given as hexadecimal digits. */
export function saltOf(head: string): string {
  return head.slice(2 * SALT_AT, 2 * (SALT_AT + SALT_BYTES));
}

/** 0 where the head is not whole. SQLite writes 1 for the largest size. */
export function pageSizeOf(head: string): number {
  if (head.length < 2 * HEAD_BYTES) return 0;
  const size = Number.parseInt(head.slice(2 * PAGE_SIZE_AT, 2 * PAGE_SIZE_AT + 8), 16);
  return size === 1 ? 65_536 : size;
}

/**
 * Takes the index away where the log has something else than it says, so that SQLite makes another one from the log. No process may be writing
 * the database, and this one may not have it open: closing a file gives up all locks that a process has on it.
 */
export function dropOldIndex(database: string): void {
  const index = indexIn(`${database}-shm`);
  if (index === undefined) return;
  // Where it cannot be removed nothing can be written either.
  reading(`${database}-wal`, (fd) => {
    if (isOld(index, fd)) rmSync(`${database}-shm`, { force: true });
  });
}

function isOld(index: LogIndex, log: number): boolean {
  const bytes = Buffer.alloc(HEAD_BYTES);
  const head = bytes.toString('hex', 0, readSync(log, bytes, 0, HEAD_BYTES, 0));
  const begin = beginOf(head);
  if (begin === undefined) return index.frames > 0;
  return index.salt !== saltOf(head) || hasCommitAfter(index, log, begin, pageSizeOf(head));
}

/** What the head of a log says of its frames. */
export interface Begin {
  readonly salt: Buffer;
  readonly sum: Sum;
  readonly isBigEndian: boolean;
}

/**
 * Undefined: the head is not whole.
 * @param head as hexadecimal digits
 */
export function beginOf(head: string): Begin | undefined {
  if (pageSizeOf(head) === 0) return undefined;
  const bytes = Buffer.from(head, 'hex');
  return {
    salt: bytes.subarray(SALT_AT, SALT_AT + SALT_BYTES),
    sum: [bytes.readUInt32BE(SUM_AT), bytes.readUInt32BE(SUM_AT + 4)],
    // The last bit of a head's first number says in which order the words of a sum are read.
    isBigEndian: ((bytes[3] ?? 0) & 1) === 1,
  };
}

/**
 * Sum up to the end of a frame; undefined: it does not stand there as it was written.
 * @param before sum up to its beginning
 */
export function sumThrough(frame: Buffer, begin: Begin, before: Sum): Sum | undefined {
  if (!isOfLog(frame, begin)) return undefined;
  const begun = sumOf(frame.subarray(0, FRAME_SALT_AT), begin.isBigEndian, before);
  const sum = sumOf(frame.subarray(FRAME_HEAD_BYTES), begin.isBigEndian, begun);
  const [one, other] = sumIn(frame);
  return sum[0] === one && sum[1] === other ? sum : undefined;
}

/** Whether a frame has the random numbers of its log: one that was written before the log began again has others, and a hole has none. */
export function isOfLog(frame: Buffer, { salt }: Begin): boolean {
  return salt.compare(frame, FRAME_SALT_AT, FRAME_SALT_AT + SALT_BYTES) === 0;
}

/** Whether a frame is the last one of a commit. */
export function endsCommit(frame: Buffer): boolean {
  return frame.readUInt32BE(COMMIT_AT) > 0;
}

/** The sum that stands in the head of a frame. */
export function sumIn(frame: Buffer): Sum {
  return [frame.readUInt32BE(FRAME_SUM_AT), frame.readUInt32BE(FRAME_SUM_AT + 4)];
}

/** Whether a commit stands in the log behind the frames of the index. */
function hasCommitAfter(index: LogIndex, log: number, begin: Begin, page: number): boolean {
  const frame = Buffer.alloc(FRAME_HEAD_BYTES + page);
  const { size } = fstatSync(log);
  let sum = index.frames > 0 ? index.sum : begin.sum;
  for (let at = HEAD_BYTES + index.frames * frame.length; at + frame.length <= size; at += frame.length) {
    readSync(log, frame, 0, frame.length, at);
    const after = sumThrough(frame, begin, sum);
    if (after === undefined) return false;
    sum = after;
    if (endsCommit(frame)) return true;
  }
  return false;
}

function sumOf(bytes: Buffer, isBigEndian: boolean, [one, other]: Sum): Sum {
  let [first, second] = [one, other];
  if (isBigEndian === IS_BIG_ENDIAN && bytes.byteOffset % 4 === 0) {
    // The words as this machine has them are read many times faster, and a checkpoint waits for it.
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    for (let at = 0; at < words.length; at += 2) {
      first = (first + (words[at] ?? 0) + second) | 0;
      second = (second + (words[at + 1] ?? 0) + first) | 0;
    }
    return [first >>> 0, second >>> 0];
  }
  const word = (at: number): number => (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + word(at) + second) >>> 0;
    second = (second + word(at + 4) + first) >>> 0;
  }
  return [first, second];
}

/** Undefined: no file is there, or the system does not let us look. */
function reading<T>(file: string, read: (fd: number) => T): T | undefined {
  let fd: number | undefined;
  try {
    fd = openRegular(file);
    return fd === undefined ? undefined : read(fd);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
