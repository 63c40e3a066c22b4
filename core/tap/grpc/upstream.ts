/** Stream from the tap to the real side, with events for what the real side sends, in order. */
import { constants } from 'node:http2';
import type { ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import { errorText } from '../../contract/error-text.ts';
import type { NoReply } from '../exchange.ts';
import type { HeaderList } from './headers.ts';
import { headerList, outgoing } from './headers.ts';

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR } = constants;
const { NGHTTP2_FLAG_END_STREAM } = constants;

/** The connection to the real side. */
export interface OpenStream {
  /** Begins a stream. Throws if the connection is closed. */
  begin(headers: OutgoingHttpHeaders): ClientHttp2Stream;
  /** Why the connection failed; undefined: it is open. */
  why(): { readonly wasOpen: boolean; readonly message: string } | undefined;
  /**
   * Cuts the connection of the client, as that to the real side was cut. Absent: the client has other calls, so only this stream is
   * reset.
   */
  readonly cut?: () => void;
}

export interface UpstreamEvents {
  interim(headers: HeaderList): void;
  /** @param isBare nothing follows them */
  headers(headers: HeaderList, isBare: boolean): void;
  data(bytes: Buffer): void;
  /** The answer is complete. */
  end(trailers: HeaderList): void;
  /** More may be written. */
  drained(): void;
  /**
   * Reports that there is no complete answer.
   * @param code code of the stream's reset; undefined: the connection of the client is cut
   */
  lost(why: NoReply, code: number | undefined): void;
}

export class Upstream {
  readonly stream: ClientHttp2Stream;
  readonly #connection: OpenStream;
  readonly #events: UpstreamEvents;
  #requestTrailers: HeaderList = [];
  #trailers: HeaderList = [];
  #hasHeaders = false;
  #isAnswered = false;
  /** The request is complete. */
  isEnded = false;

  /** Opens the stream; undefined: the connection is closed, and `lost` was called. */
  static open(open: OpenStream, headers: HeaderList, events: UpstreamEvents): Upstream | undefined {
    try {
      return new Upstream(open.begin(outgoing(headers)), open, events);
    } catch (error) {
      const message = open.why()?.message ?? errorText(error);
      setImmediate(() => {
        lose(open, events, { by: 'before', code: 'refused', message });
      });
      return undefined;
    }
  }

  constructor(stream: ClientHttp2Stream, connection: OpenStream, events: UpstreamEvents) {
    this.stream = stream;
    this.#connection = connection;
    this.#events = events;
    stream.on('headers', (_: unknown, __: unknown, raw: string[]) => events.interim(headerList(raw)));
    stream.on('response', (_: unknown, flags: number, raw: string[]) => {
      this.#hasHeaders = true;
      events.headers(headerList(raw), (flags & NGHTTP2_FLAG_END_STREAM) !== 0);
    });
    stream.on('data', (bytes: Buffer) => events.data(bytes));
    stream.on('trailers', (_: unknown, __: unknown, raw: string[]) => (this.#trailers = headerList(raw)));
    stream.on('end', () => this.#end());
    stream.on('drain', () => events.drained());
    // A stream that was reset closes once it is read to its end, and it may be paused.
    stream.on('aborted', () => stream.resume());
    stream.on('wantTrailers', () => stream.sendTrailers(outgoing(this.#requestTrailers)));
    // Errors of a stream are handled when it closes.
    stream.on('error', () => undefined);
    stream.on('close', () => this.#closed());
  }

  /** @returns false: the writer should wait */
  write(bytes: Buffer): boolean {
    return this.stream.destroyed || this.stream.writableEnded ? true : this.stream.write(bytes);
  }

  /** The request is complete. */
  end(trailers: HeaderList): void {
    this.isEnded = true;
    this.#requestTrailers = trailers;
    if (!this.stream.destroyed) this.stream.end();
  }

  /**
   * Called when the client has ended its stream.
   * @param code code of the client's reset
   */
  close(code: number): void {
    if (this.stream.closed) return;
    const isReset = code !== NGHTTP2_NO_ERROR;
    this.stream.close(isReset ? code : this.#isAnswered ? NGHTTP2_NO_ERROR : NGHTTP2_CANCEL);
  }

  #end(): void {
    // A stream that was reset ends as well, but its end is not a complete answer.
    if (
      !this.#hasHeaders ||
      this.stream.aborted ||
      this.stream.rstCode !== NGHTTP2_NO_ERROR ||
      this.#isAnswered
    )
      return;
    this.#isAnswered = true;
    this.#events.end(this.#trailers);
  }

  #closed(): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    const broken = this.#connection.why();
    const code = this.stream.rstCode;
    const wasSent = this.isEnded && broken?.wasOpen !== false;
    const message = broken?.message ?? `the stream was reset with code ${code}`;
    const isRefused = broken?.wasOpen === false;
    const why = {
      by: wasSent ? 'server' : 'before',
      code: isRefused ? 'refused' : 'reset',
      message,
    } as const;
    if (broken === undefined) {
      this.#events.lost(why, code === NGHTTP2_NO_ERROR ? NGHTTP2_INTERNAL_ERROR : code);
      return;
    }
    lose(this.#connection, this.#events, why);
  }
}

/** Reports that the connection to the real side failed, and ends the stream of the client in its way. */
function lose({ cut }: OpenStream, events: UpstreamEvents, why: NoReply): void {
  events.lost(why, cut === undefined ? NGHTTP2_INTERNAL_ERROR : undefined);
  cut?.();
}
