/**
 * Reads the requests of one gRPC call instead of the library, which counts nothing: a thousand calls that stop just before the end of
 * their request would fill the memory, so would requests in pieces of one byte, and compressed ones that become a thousand times as long.
 */
import { createGunzip, createInflate } from 'node:zlib';
import type { Transform } from 'node:stream';
import { errorText } from '../contract/error-text.ts';
import { grpcCode } from '../contract/grpc.ts';
import type { GrpcCodeName } from '../contract/grpc.ts';
import { Pieces } from '../domain/pieces.ts';
import type { BodyCount } from '../domain/request-bodies.ts';

/** Bytes before each message: whether it is compressed, and its length. */
const HEAD_BYTES = 5;
/** Bytes of memory of a call, without what its client sends. */
const CALL_MEMORY = 8 * 1024;
/** Bytes of memory of a key of its metadata and its value, without their characters. */
const KEY_MEMORY = 200;
/** Bytes of memory that each message takes beside its own. */
const MESSAGE_MEMORY = 256;
/** Messages that are decompressed at the same time, of all calls. */
const AT_ONCE = 4;

const DECOMPRESSORS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
]);

/** Why a request cannot be read, as the library takes it. */
class UnreadRequest extends Error {
  readonly code: number;
  readonly details: string;

  constructor(code: GrpcCodeName, details: string) {
    super(details);
    this.code = grpcCode(code);
    this.details = details;
  }
}

/** Bounds that all calls of a server share. */
export class RequestRoom {
  readonly bodies: BodyCount;
  /** Largest message in bytes, also once it is decompressed; -1: no limit. */
  readonly most: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(bodies: BodyCount, most: number) {
    this.bodies = bodies;
    this.most = most;
  }

  /** Runs work of which only a few may go on at the same time. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

/** Metadata as the library has them. */
interface CallMetadata {
  getMap(): object;
  get(key: string): readonly (string | Uint8Array)[];
}

/** A message that has come or is coming, and what is counted for it. */
interface Counted {
  bytes: number;
}

export interface CountedCallOptions {
  readonly room: RequestRoom;
  /** Called with the limit for a request without room. */
  readonly onNoRoom: (reason: string) => void;
  /** Called with the reason for a message above the limit of one message. */
  readonly onTooLarge?: (reason: string) => void;
  /** Bytes of memory that a request takes beside its own once it is decoded, or why it must not be decoded; absent: none. */
  readonly decodedMemory?: (content: Buffer) => number | string;
  /** Largest message of this call in bytes, read once a message begins; absent: that of the room. */
  readonly mostBytes?: () => number;
}

/** The requests of one call. */
export class CountedRequests {
  readonly #room: RequestRoom;
  readonly #onNoRoom: (reason: string) => void;
  readonly #onTooLarge: (reason: string) => void;
  readonly #decodedMemory: (content: Buffer) => number | string;
  readonly #mostBytes: () => number;
  readonly #pieces = new Pieces<Buffer>((all) => Buffer.concat(all));
  readonly #head = Buffer.alloc(HEAD_BYTES);
  #headBytes = 0;
  /** Messages that have come and were not handed over, in their order, with the one that is coming at the end. */
  readonly #open: Counted[] = [];
  #coming: Counted | undefined;
  /** Messages that have come and whose content was not asked for. */
  readonly #unread: Counted[] = [];
  /** Bytes of the call, and of messages that were handed over and count until its end. */
  #kept = 0;
  #hasEnded = false;

  constructor(options: CountedCallOptions) {
    const { room } = options;
    this.#room = room;
    this.#mostBytes = options.mostBytes ?? (() => room.most);
    this.#onNoRoom = options.onNoRoom;
    this.#onTooLarge = options.onTooLarge ?? (() => undefined);
    this.#decodedMemory = options.decodedMemory ?? (() => 0);
  }

  /** Counts the call itself with its metadata, until it ends; a text says why there is no room for it. */
  begin(metadata: CallMetadata): string | undefined {
    let bytes = CALL_MEMORY;
    for (const key of Object.keys(metadata.getMap()))
      for (const value of metadata.get(key)) bytes += KEY_MEMORY + key.length + value.length;
    const noRoom = this.#room.bodies.take(bytes);
    if (noRoom === undefined) this.#kept += bytes;
    else this.#onNoRoom(noRoom);
    return noRoom;
  }

  /** Takes bytes of the connection. Gives the messages that are complete with them; throws if they are refused. */
  write(data: Buffer): Buffer[] {
    const whole: Buffer[] = [];
    for (let at = 0; at < data.length && !this.#hasEnded;) {
      at += this.#headBytes < HEAD_BYTES ? this.#readHead(data, at) : this.#readContent(data, at);
      const message = this.#complete();
      if (message !== undefined) whole.push(message);
    }
    return whole;
  }

  /** The content of a message; a promise of it if it is compressed. */
  content(message: Buffer, encoding: string): Buffer | Promise<Buffer> {
    const given = message.subarray(HEAD_BYTES);
    const counted = this.#unread.shift();
    if (counted === undefined) return given;
    const isCompressed = message[0] === 1 && encoding !== 'identity';
    if (!isCompressed) return this.#decodable(given, counted);
    return this.#room
      .inTurn(() => this.#decompressed(given, encoding, counted))
      .then((content) => this.#decodable(content, counted));
  }

  /** The content, for which there is room also once it is decoded; a promise that rejects: there is none. */
  #decodable(content: Buffer, counted: Counted): Buffer | Promise<Buffer> {
    const bytes = this.#decodedMemory(content);
    if (typeof bytes === 'string') return Promise.reject(new UnreadRequest('RESOURCE_EXHAUSTED', bytes));
    const refused = bytes === 0 ? undefined : this.#refusalOf(bytes, counted);
    return refused === undefined ? content : Promise.reject(refused);
  }

  /**
   * Called when the oldest message is handed over.
   * @param isKept whether it is in memory until the call ends
   */
  handedOver(isKept: boolean): void {
    const counted = this.#open.shift();
    if (counted === undefined) return;
    if (isKept) this.#kept += counted.bytes;
    else this.#room.bodies.free(counted.bytes);
  }

  /** Ends the call: nothing of it is in memory any longer. */
  end(): void {
    this.#hasEnded = true;
    for (const { bytes } of this.#open) this.#room.bodies.free(bytes);
    this.#room.bodies.free(this.#kept);
    this.#open.length = 0;
    this.#unread.length = 0;
    this.#coming = undefined;
    this.#kept = 0;
    this.#pieces.clear();
  }

  get #length(): number {
    return this.#head.readUInt32BE(1);
  }

  #readHead(data: Buffer, at: number): number {
    const bytes = Math.min(HEAD_BYTES - this.#headBytes, data.length - at);
    data.copy(this.#head, this.#headBytes, at, at + bytes);
    this.#headBytes += bytes;
    if (this.#headBytes < HEAD_BYTES) return bytes;
    const most = this.#mostBytes();
    if (most !== -1 && this.#length > most) {
      // A stream has no status before its client reads, and its further pieces come here until then.
      this.end();
      const reason = `Received message larger than max (${this.#length} vs ${most})`;
      this.#onTooLarge(reason);
      throw new Error(reason);
    }
    this.#coming = { bytes: 0 };
    this.#open.push(this.#coming);
    this.#take(MESSAGE_MEMORY, this.#coming);
    return bytes;
  }

  #readContent(data: Buffer, at: number): number {
    const bytes = Math.min(this.#length - this.#pieces.length, data.length - at);
    if (this.#coming !== undefined) this.#take(bytes, this.#coming);
    // A copy, because a piece would keep the whole buffer in memory that it was read into.
    this.#pieces.add(Buffer.from(data.subarray(at, at + bytes)));
    return bytes;
  }

  /** The message that is coming, if it is complete, with its head. */
  #complete(): Buffer | undefined {
    if (this.#headBytes < HEAD_BYTES || this.#pieces.length < this.#length) return undefined;
    const message = Buffer.concat([this.#head, ...this.#pieces.all]);
    this.#pieces.clear();
    this.#headBytes = 0;
    if (this.#coming !== undefined) this.#unread.push(this.#coming);
    this.#coming = undefined;
    return message;
  }

  #decompressed(given: Buffer, encoding: string, counted: Counted): Promise<Buffer> {
    const decompressor = DECOMPRESSORS.get(encoding)?.();
    if (decompressor === undefined) {
      const text = `Received message compressed with unsupported encoding "${encoding}"`;
      return Promise.reject(new UnreadRequest('UNIMPLEMENTED', text));
    }
    return new Promise((resolve, reject) => {
      const pieces = new Pieces<Buffer>((all) => Buffer.concat(all));
      const fail = (error: UnreadRequest): void => {
        decompressor.destroy();
        reject(error);
      };
      decompressor.on('error', () => fail(new UnreadRequest('INTERNAL', 'Failed to decompress message')));
      decompressor.on('data', (chunk: Buffer) => {
        const refused = this.#addDecompressed(chunk.length, pieces.length, counted);
        if (refused === undefined) pieces.add(chunk);
        else fail(refused);
      });
      decompressor.on('end', () => resolve(pieces.whole()));
      decompressor.end(given);
    });
  }

  /** Counts bytes of a message that is being decompressed; gives why they are refused. */
  #addDecompressed(bytes: number, before: number, counted: Counted): UnreadRequest | undefined {
    const most = this.#mostBytes();
    if (this.#hasEnded) return new UnreadRequest('CANCELLED', 'The call has ended');
    if (most !== -1 && before + bytes > most) {
      const reason = `Received message that decompresses to a size larger than ${most}`;
      this.#onTooLarge(reason);
      return new UnreadRequest('RESOURCE_EXHAUSTED', reason);
    }
    return this.#refusalOf(bytes, counted);
  }

  /** Counts bytes; gives the refusal if there is no room for them. */
  #refusalOf(bytes: number, counted: Counted): UnreadRequest | undefined {
    try {
      this.#take(bytes, counted);
      return undefined;
    } catch (error) {
      return new UnreadRequest('RESOURCE_EXHAUSTED', errorText(error));
    }
  }

  /** Counts bytes. Throws if there is no room for them. */
  #take(bytes: number, counted: Counted): void {
    const noRoom = this.#room.bodies.take(bytes);
    if (noRoom !== undefined) {
      this.end();
      this.#onNoRoom(noRoom);
      throw new Error(noRoom);
    }
    counted.bytes += bytes;
  }
}

/** Makes a call of the library read its requests this way. The library has no option for it, only two members of a call. */
export function readCounted(call: object, requests: CountedRequests): void {
  if (!('decoder' in call) || !('decompressMessage' in call))
    throw new Error('the gRPC library reads the requests of a call in another way than before');
  const decompressMessage = (message: Buffer, encoding: string): Buffer | Promise<Buffer> =>
    requests.content(message, encoding);
  Object.assign(call, { decoder: requests, decompressMessage });
}
