/** Reads the answers of one connection from its bytes, in whatever pieces they come. */
import { Buffer } from 'node:buffer';
import { fieldOf, NotHttp } from './answer-head.ts';
import type { AnswerHead, HeadReader } from './answer-head.ts';

/** Receives the parts of an answer. */
export interface AnswerTaker {
  head(status: number, headers: Readonly<Record<string, string>>): void;
  /** @param bytes a part of the body; they are overwritten after this call */
  data(bytes: Buffer): void;
}

/** Bytes of a head, of a chunk's line, or of all trailers. */
const MAX_BYTES = 16 * 1024;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const SWITCHED = 101;
const BEGINNING = 'HTTP/';
/** A line feed without a carriage return before it, or the other way round. */
const HALF_A_LINE_END = /(?:^|[^\r])\n|\r[^\n]/;
const LONE_RETURN = /\r[^\n]/g;
/** Bytes of the end of a head, from the line end of its last line on. */
const MAX_END = 4;
const CHUNK_LINE = /^([0-9a-f]{1,12})[\t ]*(?:;[\t\u0020-\u007e\u0080-\u00ff]*)?$/i;

/** The part that is read next. */
type Part = 'head' | 'length' | 'rest' | 'chunk line' | 'chunk' | 'chunk end' | 'trailers';

export class AnswerReader {
  readonly #heads: HeadReader;
  #part: Part = 'head';
  /** The bytes received of a head or a line that is not complete yet; one character for each byte. */
  #begun = '';
  /** Bytes of the body, or of the chunk, that are still to come. */
  #left = 0;
  #trailers = 0;
  #head: AnswerHead | undefined;
  #isOver = false;
  #at = 0;

  constructor(heads: HeadReader) {
    this.#heads = heads;
  }

  /**
   * Reads on. Throws NotHttp.
   * @returns the head of the answer that is whole now, and whether more came than belongs to it; undefined: more has to come
   */
  read(
    bytes: Buffer,
    taker: AnswerTaker,
  ): { readonly head: AnswerHead; readonly isFollowed: boolean } | undefined {
    this.#at = 0;
    while (this.#at < bytes.length && !this.#isOver) this.#step(bytes, taker);
    if (!this.#isOver || this.#head === undefined) return undefined;
    const whole = { head: this.#head, isFollowed: this.#at < bytes.length };
    this.#isOver = false;
    this.#part = 'head';
    this.#head = undefined;
    return whole;
  }

  /** The connection has ended. True: that is the end of the answer. */
  isEndedByEnd(): boolean {
    return this.#part === 'rest';
  }

  #step(bytes: Buffer, taker: AnswerTaker): void {
    switch (this.#part) {
      case 'head':
        return this.#readHead(bytes, taker);
      case 'length':
        if (this.#body(bytes, taker)) this.#isOver = true;
        return;
      case 'rest':
        taker.data(bytes.subarray(this.#at));
        this.#at = bytes.length;
        return;
      case 'chunk line':
        return this.#chunkLine(bytes);
      case 'chunk':
        if (this.#body(bytes, taker)) this.#part = 'chunk end';
        return;
      case 'chunk end':
        return this.#chunkEnd(bytes);
      case 'trailers':
        return this.#trailer(bytes);
    }
  }

  #readHead(bytes: Buffer, taker: AnswerTaker): void {
    const again = this.#begun === '' ? this.#heads.again(bytes, this.#at) : undefined;
    if (again === undefined) this.#readNewHead(bytes, taker);
    else {
      this.#at = again.next;
      this.#begin(again.head, taker);
    }
  }

  #readNewHead(bytes: Buffer, taker: AnswerTaker): void {
    const isWhole = this.#begun === '';
    const from = this.#at;
    const text = this.#headText(bytes);
    if (text === undefined) return;
    const head = this.#heads.read(text);
    if (isWhole) this.#heads.cameAs(bytes.toString('latin1', from, this.#at));
    this.#begin(head, taker);
  }

  #begin(head: AnswerHead, taker: AnswerTaker): void {
    if (head.status === SWITCHED) throw new NotHttp('it switches to a protocol that nobody asked for');
    // This is an interim answer (1xx): the final one follows.
    if (head.status < 200) return;
    this.#head = head;
    taker.head(head.status, head.headers);
    if (head.body === 'chunked') this.#part = 'chunk line';
    else if (head.body === 'rest') this.#part = 'rest';
    else {
      this.#part = 'length';
      this.#left = head.body;
      this.#isOver = head.body === 0;
    }
  }

  /** The head without the empty line at its end; undefined: it is not whole. */
  #headText(bytes: Buffer): string | undefined {
    if (this.#begun === '') this.#passEmptyLines(bytes);
    const [from, before] = [this.#at, this.#begun.length];
    const all =
      before === 0 ? bytes : Buffer.concat([Buffer.from(this.#begun, 'latin1'), bytes.subarray(from)]);
    const start = before === 0 ? from : 0;
    const end = headEnd(all, Math.max(start, start + before - MAX_END));
    if (end === undefined) {
      const text = all.toString('latin1', start);
      mustBegin(text);
      mustBeShort(text.length);
      this.#begun = text;
      this.#at = bytes.length;
      return undefined;
    }
    mustBeShort(end.at - start);
    this.#begun = '';
    this.#at = before === 0 ? end.next : from + end.next - before;
    return all.toString('latin1', start, end.at);
  }

  /** Some apps end a body with an empty line that its length does not count. */
  #passEmptyLines(bytes: Buffer): void {
    while (bytes[this.#at] === CARRIAGE_RETURN || bytes[this.#at] === LINE_FEED) this.#at += 1;
  }

  /** Passes on the bytes received of the body, or of the chunk. True: the body or chunk is complete. */
  #body(bytes: Buffer, taker: AnswerTaker): boolean {
    const from = this.#at;
    this.#at = Math.min(bytes.length, from + this.#left);
    this.#left -= this.#at - from;
    taker.data(bytes.subarray(from, this.#at));
    return this.#left === 0;
  }

  #chunkLine(bytes: Buffer): void {
    const line = this.#line(bytes);
    if (line === undefined) return;
    const digits = CHUNK_LINE.exec(line)?.[1];
    if (digits === undefined) throw new NotHttp('a chunk of the body has no size');
    this.#left = Number.parseInt(digits, 16);
    this.#part = this.#left === 0 ? 'trailers' : 'chunk';
    this.#trailers = 0;
  }

  #chunkEnd(bytes: Buffer): void {
    const line = this.#line(bytes);
    if (line === undefined) return;
    if (line !== '') throw new NotHttp('a chunk of the body is longer than its size');
    this.#part = 'chunk line';
  }

  #trailer(bytes: Buffer): void {
    const line = this.#line(bytes);
    if (line === undefined) return;
    this.#trailers += line.length;
    mustBeShort(this.#trailers);
    if (line === '') this.#isOver = true;
    else fieldOf(line);
  }

  /** The next line without its end; undefined: it is not whole. */
  #line(bytes: Buffer): string | undefined {
    const from = this.#at;
    const end = bytes.indexOf(LINE_FEED, from);
    this.#at = end === -1 ? bytes.length : end + 1;
    this.#begun += bytes.toString('latin1', from, this.#at);
    mustBeShort(this.#begun.length);
    if (HALF_A_LINE_END.test(this.#begun)) throw new NotHttp('a line does not end with CR LF');
    if (end === -1) return undefined;
    const line = this.#begun.slice(0, -2);
    this.#begun = '';
    return line;
  }
}

function mustBeShort(length: number): void {
  if (length > MAX_BYTES) throw new NotHttp(`a part of it is longer than ${MAX_BYTES} bytes`);
}

/** Throws as soon as the text cannot be HTTP, because other protocols may never send the end of a head. */
function mustBegin(text: string): void {
  if (!text.startsWith(BEGINNING.slice(0, text.length)))
    throw new NotHttp('it does not begin with a status line');
  // The status line may contain any characters, so the check begins behind it.
  LONE_RETURN.lastIndex = text.indexOf('\n');
  if (LONE_RETURN.lastIndex >= 0 && LONE_RETURN.test(text))
    throw new NotHttp('a line does not end with CR LF');
}

/** Where the last line of the head ends, and where the body begins: behind an empty line, which may end with LF alone. */
function headEnd(bytes: Buffer, from: number): { readonly at: number; readonly next: number } | undefined {
  for (let feed = bytes.indexOf(LINE_FEED, from); feed !== -1; feed = bytes.indexOf(LINE_FEED, feed + 1)) {
    const empty = bytes[feed + 1] === CARRIAGE_RETURN ? feed + 2 : feed + 1;
    if (bytes[empty] === LINE_FEED)
      return { at: bytes[feed - 1] === CARRIAGE_RETURN ? feed - 1 : feed, next: empty + 1 };
  }
  return undefined;
}
