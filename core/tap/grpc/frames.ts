/** gRPC messages in the body of a stream: a flag, a length in four bytes, and as many bytes. */
import { gunzipSync, inflateSync } from 'node:zlib';
import { MAX_BODY } from '../body-room.ts';

const PREFIX = 5;

export interface Message {
  readonly isCompressed: boolean;
  readonly bytes: Buffer;
}

/** Part of a body that goes on in one piece: a whole message with its prefix, or some bytes of a message that is too large to be read. */
export interface Piece {
  readonly raw: Buffer;
  readonly message: Message | undefined;
}

/** The only message of a body; undefined: there is none, or more, or it is cut off. */
export function onlyMessage(body: Buffer): Message | undefined {
  if (body.length < PREFIX || body.readUInt32BE(1) !== body.length - PREFIX) return undefined;
  return { isCompressed: body[0] !== 0, bytes: body.subarray(PREFIX) };
}

/** A message with its prefix. */
export function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/**
 * The bytes of a message as they were before they were compressed; undefined: they cannot be read.
 * @param encoding as the headers name it
 */
export function plainBytes(
  { isCompressed, bytes }: Message,
  encoding: string | undefined,
): Buffer | undefined {
  if (!isCompressed) return bytes;
  try {
    const bounded = { maxOutputLength: MAX_BODY };
    if (encoding === 'gzip') return gunzipSync(bytes, bounded);
    return encoding === 'deflate' ? inflateSync(bytes, bounded) : undefined;
  } catch {
    // Bytes that do not fit their encoding pass anyway: the caller reports that they were not read.
    return undefined;
  }
}

/** Cuts the incoming bytes into messages. */
export class Cutter {
  #partial: Buffer[] = [];
  #bytes = 0;
  /** Number of bytes still missing of a message that is too large to be read. */
  #unread = 0;

  push(bytes: Buffer): readonly Piece[] {
    const pieces: Piece[] = [];
    let rest = bytes;
    if (this.#unread > 0) {
      const raw = rest.subarray(0, this.#unread);
      this.#unread -= raw.length;
      pieces.push({ raw, message: undefined });
      rest = rest.subarray(raw.length);
    }
    this.#partial.push(rest);
    this.#bytes += rest.length;
    for (let piece = this.#next(); piece !== undefined; piece = this.#next()) pieces.push(piece);
    return pieces;
  }

  /** The bytes received of a message that is not complete. */
  rest(): Buffer {
    // Many messages may come in one piece: a copy of what follows for each of them would take far more than the messages.
    const [only, ...others] = this.#partial;
    const rest = only !== undefined && others.length === 0 ? only : Buffer.concat(this.#partial);
    this.#partial = [];
    this.#bytes = 0;
    return rest;
  }

  #next(): Piece | undefined {
    if (this.#bytes < PREFIX) return undefined;
    // The length is in the first bytes: only they are joined before the message is complete.
    const start = this.#partial[0]?.length ?? 0;
    if (start < PREFIX) this.#partial = [Buffer.concat(this.#partial)];
    const size = PREFIX + (this.#partial[0]?.readUInt32BE(1) ?? 0);
    if (this.#bytes < size && size <= MAX_BODY) return undefined;
    const all = this.rest();
    const raw = all.subarray(0, size);
    if (raw.length < all.length) {
      this.#partial = [all.subarray(size)];
      this.#bytes = all.length - size;
    }
    if (size > MAX_BODY) {
      this.#unread = size - raw.length;
      return { raw, message: undefined };
    }
    return { raw, message: { isCompressed: raw[0] !== 0, bytes: raw.subarray(PREFIX) } };
  }
}
