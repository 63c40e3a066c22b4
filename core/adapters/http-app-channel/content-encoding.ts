/** Undoes the content encoding of an answer: gzip, the only one that calls ask for, and that the reference undoes. */
import { isUtf8 } from 'node:buffer';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip } from 'node:zlib';

/** The encoding that calls ask for. */
export const ASKED_FOR = 'gzip';
/** Code of the decoder's error where the bytes end before their content does, or before its checksum. */
const ENDED_EARLY = 'Z_BUF_ERROR';
/** Words that say that there is none. */
const NONE: ReadonlySet<string> = new Set(['', 'identity']);

/**
 * `bytes`: decoded. `cutOff`: the encoded bytes end too early, or are wrong from some place on; `start` is what could be decoded of them.
 * `tooLarge`: more than the limit came out, `start` is what fits. `unreadable`: the bytes are not in that encoding, or in one that is not
 * undone.
 */
export type Decoded =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'cutOff'; readonly start: Uint8Array; readonly why: string }
  | { readonly kind: 'tooLarge'; readonly start: Uint8Array }
  | { readonly kind: 'unreadable'; readonly why: string };

/**
 * Decodes a body. Under any other word than `gzip` a text counts as it is, because servers put other words there by mistake, and the
 * reference reads it.
 * @param header the whole `content-encoding`
 * @param limitBytes maximum size of the decoded body
 * @param isCut only the beginning of the body has come: what that begins with is the result
 */
export async function decode(
  bytes: Uint8Array,
  header: string,
  limitBytes: number,
  isCut = false,
): Promise<Decoded> {
  const encoding = header.trim().toLowerCase();
  if (encoding === ASKED_FOR) return unzipped(bytes, limitBytes, isCut);
  if (NONE.has(encoding) || isUtf8(bytes)) return { kind: 'bytes', bytes };
  const why = `The body is ${encoding}, which nobody asked for: only ${ASKED_FOR} is undone.`;
  return { kind: 'unreadable', why };
}

async function unzipped(bytes: Uint8Array, limitBytes: number, isCut: boolean): Promise<Decoded> {
  const sink = new BoundedSink(limitBytes);
  // With this flush an end in the middle is no mistake.
  const unzip = createGunzip(isCut ? { finishFlush: constants.Z_SYNC_FLUSH } : {});
  try {
    await pipeline([Readable.from([bytes]), unzip, sink]);
  } catch (error) {
    if (sink.isOver) return { kind: 'tooLarge', start: sink.bytes() };
    if (!(error instanceof Error)) throw error;
    // Whatever the decoder throws means that the bytes are not what the header says, and that is the answer.
    const why = `The body is not ${ASKED_FOR} as its header says: ${error.message}`;
    if (isCut) return { kind: 'unreadable', why };
    const endedEarly = 'code' in error && error.code === ENDED_EARLY;
    const start = endedEarly ? await unzipped(bytes, limitBytes, true) : await startOf(bytes, limitBytes);
    if (start.kind !== 'bytes') return start;
    // Bytes of which nothing can be decoded are no gzip at all, unless they end too early.
    const isGzip = endedEarly || start.bytes.byteLength > 0;
    return isGzip ? { kind: 'cutOff', start: start.bytes, why } : { kind: 'unreadable', why };
  }
  return { kind: 'bytes', bytes: sink.bytes() };
}

/**
 * What can be decoded before the place where the bytes are wrong, such as a checksum: the reference decodes as they come, and has read that
 * much before it meets the place. The decoder keeps back what it has when it finds it, so the longest part without it is looked for.
 */
async function startOf(bytes: Uint8Array, limitBytes: number): Promise<Decoded> {
  let start: Decoded = { kind: 'bytes', bytes: new Uint8Array() };
  let [from, to] = [0, bytes.byteLength];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    const part = await unzipped(bytes.subarray(0, middle), limitBytes, true);
    if (part.kind === 'tooLarge') return part;
    if (part.kind === 'bytes') [from, start] = [middle, part];
    else to = middle;
  }
  return start;
}

class BoundedSink extends Writable {
  isOver = false;
  readonly #limitBytes: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(limitBytes: number) {
    super();
    this.#limitBytes = limitBytes;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
    this.isOver = this.#size > this.#limitBytes;
    done(this.isOver ? new Error('over the limit') : undefined);
  }
}
