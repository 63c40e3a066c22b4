/** Undoes the content encodings of an answer: gzip, deflate and br, one or several. */
import { Readable, Writable } from 'node:stream';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** `bytes`: decoded. `tooLarge`: more than the limit came out, `start` is what fits. `unreadable`: the bytes are not in that encoding. */
export type Decoded =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'tooLarge'; readonly start: Uint8Array }
  | { readonly kind: 'unreadable'; readonly why: string };

/** More layers than anyone uses; beyond it the body counts as unreadable. */
const MAX_LAYERS = 4;

const NO_ENCODING: readonly string[] = [];

/** The encodings of a `content-encoding` header in the order in which they were applied; [] = none. */
export function encodingsOf(header: string | undefined): readonly string[] {
  if (header === undefined) return NO_ENCODING;
  return header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
}

/**
 * Decodes a body. An unknown encoding changes nothing, because servers put other words there by mistake.
 * @param limitBytes maximum size of the decoded body
 */
export async function decode(
  bytes: Uint8Array,
  encodings: readonly string[],
  limitBytes: number,
): Promise<Decoded> {
  if (encodings.length > MAX_LAYERS)
    return {
      kind: 'unreadable',
      why: `The body has ${encodings.length} content encodings, more than ${MAX_LAYERS}.`,
    };
  const layers: Transform[] = [];
  for (const encoding of encodings.toReversed()) {
    const layer = decoderOf(encoding, layers.length === 0 ? bytes : undefined);
    if (layer === undefined) return { kind: 'bytes', bytes };
    layers.push(layer);
  }
  const sink = new BoundedSink(limitBytes);
  try {
    await pipeline([Readable.from([bytes]), ...layers, sink]);
  } catch (error) {
    if (sink.isOver) return { kind: 'tooLarge', start: sink.bytes() };
    if (!(error instanceof Error)) throw error;
    // Whatever a decoder throws means that the bytes are not what the header says, and that is the answer.
    return {
      kind: 'unreadable',
      why: `The body is not ${encodings.join(', ')} as its header says: ${error.message}`,
    };
  }
  return { kind: 'bytes', bytes: sink.bytes() };
}

function decoderOf(encoding: string, first: Uint8Array | undefined): Transform | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding !== 'deflate') return undefined;
  // Some servers leave out the zlib header that "deflate" should have; its first byte tells.
  const hasHeader = first === undefined || ((first[0] ?? 0) & 0x0f) === 8;
  return hasHeader ? createInflate() : createInflateRaw();
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
