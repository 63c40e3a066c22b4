/** HTTP/1 messages in a stream of bytes: where each begins and ends, and what its body says. No byte is changed. */
import { readHead } from './head.ts';
import type { Head } from './head.ts';
import type { HeadPart } from './head-part.ts';

/** Length of a body, as the head of its message says. */
export type BodyLength =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'to-end' }
  /** From here on the bytes are not HTTP/1 messages and cannot be followed. */
  | { readonly kind: 'opaque' };

/** Called in the order of the bytes; all `bytes` together are exactly what came in. */
export interface FrameEvents {
  /** Whether this may be in a head. If not, all bytes pass at once, as the other end may answer before the head is complete. */
  mayBeInHead(part: HeadPart): boolean;
  /**
   * A whole head.
   * @returns how the body goes on
   */
  head(head: Head, bytes: Buffer): BodyLength;
  /**
   * Bytes of the body as they came, chunk lines included.
   * @param content what of them is the body itself
   */
  body(bytes: Buffer, content: Buffer | undefined): void;
  /** The message is complete. */
  end(): void;
  /** From here on no message can be read, and the current one is not complete. */
  unreadable(): void;
  /** Bytes that belong to no message that can be read. */
  opaque(bytes: Buffer): void;
}

/** Maximum number of bytes of a head; a longer one is passed on unread. */
const MAX_HEAD_LENGTH = 256 * 1024;
const MAX_LINE_LENGTH = 16 * 1024;
/** Number of bytes of a line that are judged before its end has come. */
const MAX_JUDGED = 1024;
const [CR, LF] = [13, 10];
const NOTHING = Buffer.alloc(0);

type State =
  | { readonly kind: 'head' }
  | { readonly kind: 'fixed'; left: number }
  | { readonly kind: 'to-end' }
  | { readonly kind: 'chunk-size' }
  | { readonly kind: 'chunk'; left: number }
  | { readonly kind: 'chunk-end'; left: number }
  | { readonly kind: 'trailers' }
  | { readonly kind: 'opaque' };

export class Framing {
  readonly #events: FrameEvents;
  #state: State = { kind: 'head' };
  /** Begins with the part of a head that has come; the rest of it is room for more. */
  #partial: Buffer = NOTHING;
  #partialBytes = 0;
  /** Bytes of it whose lines were checked. */
  #checkedBytes = 0;
  /** Received part of a chunk line or a trailer line that is not complete. */
  #line = '';
  #isPaused = false;
  #later: Buffer[] = [];
  /** Bytes that came while it was paused. */
  waitingBytes = 0;

  constructor(events: FrameEvents) {
    this.#events = events;
  }

  /** Takes the next bytes; while it is paused they wait. */
  push(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0 && !this.#isPaused) rest = this.#step(rest);
    if (rest.length === 0) return;
    this.#later.push(rest);
    this.waitingBytes += rest.length;
  }

  /** Pauses: no further event is sent before `resume`. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    const later = this.#later;
    this.#later = [];
    this.waitingBytes = 0;
    for (const bytes of later) this.push(bytes);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** The stream is over: a body that goes to the end is complete, what is left of a head is given back. */
  finish(): void {
    if (this.#partialBytes > 0) {
      this.#state = { kind: 'opaque' };
      this.#passPartial(NOTHING);
    }
    if (this.#state.kind !== 'to-end') return;
    this.#state = { kind: 'opaque' };
    this.#events.end();
  }

  /** True between two messages, while nothing waits. */
  get isIdle(): boolean {
    return !this.#isPaused && this.#state.kind === 'head' && this.#partialBytes === 0;
  }

  /** Stops reading: all bytes are opaque from now on. */
  stop(): void {
    this.#state = { kind: 'opaque' };
  }

  /** Reads the next part of the bytes and returns the rest. */
  #step(bytes: Buffer): Buffer {
    const state = this.#state;
    switch (state.kind) {
      case 'head':
        return this.#head(bytes);
      case 'fixed':
      case 'chunk': {
        const part = bytes.subarray(0, state.left);
        state.left -= part.length;
        this.#events.body(part, part);
        if (state.left === 0) {
          if (state.kind === 'fixed') this.#end();
          else this.#state = { kind: 'chunk-end', left: 0 };
        }
        return bytes.subarray(part.length);
      }
      case 'to-end':
        this.#events.body(bytes, bytes);
        return NOTHING;
      case 'opaque':
        this.#events.opaque(bytes);
        return NOTHING;
      case 'chunk-size':
      case 'chunk-end':
      case 'trailers':
        return this.#lineOf(state.kind, bytes);
    }
  }

  #head(bytes: Buffer): Buffer {
    if (this.#partialBytes === 0 && (bytes[0] === CR || bytes[0] === LF)) {
      // Some clients send an empty line after a body; it belongs to no message.
      const at = bytes.findIndex((byte) => byte !== CR && byte !== LF);
      const blank = at < 0 ? bytes : bytes.subarray(0, at);
      this.#events.opaque(blank);
      return bytes.subarray(blank.length);
    }
    const joined = this.#withPartial(bytes);
    const from = Math.max(0, this.#partialBytes - 3);
    const end = endOfHead(joined, from);
    if (end < 0) {
      if (joined.length > MAX_HEAD_LENGTH || !this.#mayBeHead(joined)) {
        this.#stopReading();
        this.#passPartial(bytes);
        return NOTHING;
      }
      if (this.#partialBytes === 0) this.#partial = bytes;
      this.#partialBytes = joined.length;
      return NOTHING;
    }
    this.#partial = NOTHING;
    this.#partialBytes = 0;
    this.#checkedBytes = 0;
    const raw = joined.subarray(0, end);
    const head = readHead(raw);
    if (head === undefined) {
      this.#stopReading();
      this.#events.opaque(raw);
    } else this.#enter(this.#events.head(head, raw));
    return joined.subarray(end);
  }

  /** The part of the head that has come, with further bytes. Room for more is doubled: a head may come one byte at a time. */
  #withPartial(bytes: Buffer): Buffer {
    const before = this.#partialBytes;
    if (before === 0) return bytes;
    const length = before + bytes.length;
    if (length > this.#partial.length) {
      const larger = Buffer.allocUnsafeSlow(2 * length);
      this.#partial.copy(larger, 0, 0, before);
      this.#partial = larger;
    }
    bytes.copy(this.#partial, before);
    return this.#partial.subarray(0, length);
  }

  /** Judges the lines of an incomplete head that have come since the last look, and the beginning of the next one. */
  #mayBeHead(partial: Buffer): boolean {
    for (let end = partial.indexOf(LF, this.#partialBytes); end >= 0;) {
      if (!this.#mayBeLine(partial, end, true)) return false;
      this.#checkedBytes = end + 1;
      end = partial.indexOf(LF, this.#checkedBytes);
    }
    // All that is judged of this line had come before.
    if (this.#partialBytes - this.#checkedBytes >= MAX_JUDGED) return true;
    return this.#mayBeLine(partial, this.#checkedBytes + MAX_JUDGED, false);
  }

  #mayBeLine(partial: Buffer, end: number, isWhole: boolean): boolean {
    const text = partial.toString('latin1', this.#checkedBytes, end).replace(/\r$/, '');
    return this.#events.mayBeInHead({ text, isFirst: this.#checkedBytes === 0, isWhole });
  }

  #enter(extent: BodyLength): void {
    switch (extent.kind) {
      case 'none':
        this.#end();
        return;
      case 'length':
        if (extent.bytes === 0) this.#end();
        else this.#state = { kind: 'fixed', left: extent.bytes };
        return;
      case 'chunked':
        this.#state = { kind: 'chunk-size' };
        return;
      case 'to-end':
        this.#state = { kind: 'to-end' };
        return;
      case 'opaque':
        this.#stopReading();
    }
  }

  /** One line of the framing of chunks, or as much of it as there is. */
  #lineOf(kind: 'chunk-size' | 'chunk-end' | 'trailers', bytes: Buffer): Buffer {
    const at = bytes.indexOf(LF);
    const part = at < 0 ? bytes : bytes.subarray(0, at + 1);
    this.#line += part.toString('latin1');
    this.#events.body(part, undefined);
    if (at < 0) {
      if (this.#line.length > MAX_LINE_LENGTH) this.#stopReading();
      return NOTHING;
    }
    const line = this.#line.replace(/\r?\n$/, '');
    this.#line = '';
    const next = this.#after(kind, line);
    if (next === undefined) this.#stopReading();
    else if (next.kind === 'head') this.#end();
    else this.#state = next;
    return bytes.subarray(part.length);
  }

  /** What follows a line; undefined: the line is wrong. */
  #after(kind: 'chunk-size' | 'chunk-end' | 'trailers', line: string): State | undefined {
    if (kind === 'chunk-end') return line === '' ? { kind: 'chunk-size' } : undefined;
    if (kind === 'trailers') return line === '' ? { kind: 'head' } : { kind: 'trailers' };
    const size = /^0*([0-9a-f]{1,12})\s*(?:;|$)/i.exec(line)?.[1];
    if (size === undefined) return undefined;
    const left = Number.parseInt(size, 16);
    return left === 0 ? { kind: 'trailers' } : { kind: 'chunk', left };
  }

  #end(): void {
    this.#state = { kind: 'head' };
    this.#events.end();
  }

  #stopReading(): void {
    this.#state = { kind: 'opaque' };
    this.#events.unreadable();
  }

  /** Passes a head that is not complete, with the bytes behind it. */
  #passPartial(bytes: Buffer): void {
    const all = Buffer.concat([this.#partial.subarray(0, this.#partialBytes), bytes]);
    this.#partial = NOTHING;
    this.#partialBytes = 0;
    if (all.length > 0) this.#events.opaque(all);
  }
}

/** Index of the empty line after the headers; -1: it is not there. Lines may end with LF alone. */
function endOfHead(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return -1;
}
