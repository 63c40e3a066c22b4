/** One stream through the tap in which both sides send messages: each message goes on when `MessageStream` says so. */
import type { ServerHttp2Stream } from 'node:http2';
import type { NoReply } from '../exchange.ts';
import { begin, endWith, sendInterim } from './call-relay.ts';
import { Cutter } from './frames.ts';
import type { Piece } from './frames.ts';
import type { HeaderList } from './headers.ts';
import { headerList } from './headers.ts';
import type { OpenMessageStream, SeenReply, MessageStream } from './side.ts';
import { Upstream } from './upstream.ts';
import type { OpenStream } from './upstream.ts';

/** Maximum number of bytes of messages held back from the client; beyond it the tap stops reading from the server. */
const MAX_HELD = 32 * 1024 * 1024;
/** Estimated memory of a message that is held back, without its own bytes. */
const MESSAGE_BYTES = 1024;

export interface OpenedStream {
  readonly headers: HeaderList;
  readonly open: OpenStream;
}

export class StreamRelay {
  readonly #client: ServerHttp2Stream;
  readonly #upstream: Upstream | undefined;
  readonly #stream: OpenMessageStream;
  readonly #fromClient = new Cutter();
  readonly #fromServer = new Cutter();
  /** Messages that have not gone on to the server yet. */
  readonly #waiting = new Set<Promise<void>>();
  #heldBytes = 0;
  #requestTrailers: HeaderList = [];
  #headers: HeaderList = [];
  #isBare = false;
  #isOver = false;

  constructor(client: ServerHttp2Stream, messages: MessageStream, { headers, open }: OpenedStream) {
    this.#client = client;
    this.#stream = messages.open({
      toServer: (raw) => {
        if (this.#upstream?.write(raw) === false) client.pause();
      },
      toClient: (raw) => this.#toClient(raw),
    });
    this.#upstream = Upstream.open(open, headers, {
      interim: (list) => sendInterim(client, list),
      headers: (list, isBare) => this.#answerBegins(list, isBare),
      data: (bytes) => this.#read(this.#fromServer, bytes, (piece) => this.#fromTheServer(piece)),
      end: (trailers) => this.#ended(trailers),
      drained: () => client.resume(),
      lost: (why, code) => {
        this.#close(undefined, why);
        if (code !== undefined && !client.destroyed) client.close(code);
      },
    });
    client.on('data', (bytes: Buffer) =>
      this.#read(this.#fromClient, bytes, (piece) => {
        const waits = this.#stream.fromClient(piece);
        if (waits !== undefined) this.#await(waits);
      }),
    );
    client.on(
      'trailers',
      (_: unknown, __: unknown, raw: string[]) => (this.#requestTrailers = headerList(raw)),
    );
    client.on('end', () => void this.#clientEnded());
    client.on('drain', () => this.#goOn());
    // A stream that was reset closes once it is read to its end, and it may be paused.
    client.on('aborted', () => client.resume());
    // Errors of a stream are handled when it closes.
    client.on('error', () => undefined);
    client.on('close', () => {
      this.#close(undefined, { by: 'client', code: 'reset', message: 'the stream was closed by the app' });
      this.#upstream?.close(client.rstCode);
    });
  }

  #read(cutter: Cutter, bytes: Buffer, take: (piece: Piece) => void): void {
    for (const piece of cutter.push(bytes)) take(piece);
  }

  #fromTheServer(piece: Piece): void {
    const waits = this.#stream.fromServer(piece);
    if (waits === undefined) return;
    const bytes = piece.raw.length + MESSAGE_BYTES;
    this.#heldBytes += bytes;
    if (this.#heldBytes > MAX_HELD) this.#upstream?.stream.pause();
    void waits.then(() => {
      this.#heldBytes -= bytes;
      this.#goOn();
    });
  }

  /** The server may go on, unless too much is kept back or the client does not read. */
  #goOn(): void {
    if (this.#heldBytes <= MAX_HELD && !this.#client.writableNeedDrain) this.#upstream?.stream.resume();
  }

  #await(waits: Promise<void>): void {
    this.#waiting.add(waits);
    void waits.then(() => this.#waiting.delete(waits));
  }

  /** Passes the end of the client's messages on, after all messages before it. */
  async #clientEnded(): Promise<void> {
    await Promise.all(this.#waiting);
    const rest = this.#fromClient.rest();
    if (rest.length > 0) this.#upstream?.write(rest);
    this.#upstream?.end(this.#requestTrailers);
  }

  #answerBegins(headers: HeaderList, isBare: boolean): void {
    this.#headers = headers;
    this.#isBare = isBare;
    begin(this.#client, headers, isBare);
  }

  #toClient(raw: Buffer): void {
    if (this.#client.destroyed || this.#client.writableEnded) return;
    if (!this.#client.write(raw)) this.#upstream?.stream.pause();
  }

  #ended(trailers: HeaderList): void {
    const rest = this.#fromServer.rest();
    if (rest.length > 0) this.#toClient(rest);
    const message = 'the sidecar ended the stream before the app answered';
    this.#close(
      { headers: this.#headers, trailers, body: undefined },
      { by: 'server', code: 'reset', message },
    );
    if (!this.#isBare && !this.#client.destroyed) endWith(this.#client, trailers);
  }

  #close(reply: SeenReply | undefined, why: NoReply): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stream.closed(reply, why);
  }
}
