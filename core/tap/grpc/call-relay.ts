/** One stream through the tap that is a call with one answer: headers, data and trailers go on as they come. */
import { constants } from 'node:http2';
import type { ServerHttp2Stream } from 'node:http2';
import { Gathered } from '../body-room.ts';
import type { BodyRoom } from '../body-room.ts';
import type { NoReply } from '../exchange.ts';
import type { HeaderList } from './headers.ts';
import { headerList, outgoing } from './headers.ts';
import type { Call, OwnReply } from './side.ts';
import { Upstream } from './upstream.ts';
import type { OpenStream } from './upstream.ts';

const { NGHTTP2_INTERNAL_ERROR } = constants;
/** Maximum number of raw bytes of a request or an answer that is held back whole. */
const MAX_GATHERED = 32 * 1024 * 1024;

export interface OpenedCall {
  readonly headers: HeaderList;
  readonly open: OpenStream;
  /** For a call that was held: another connection, if the first one has ended meanwhile. */
  readonly later: () => OpenStream;
  readonly room: BodyRoom;
}

export class CallRelay {
  readonly #client: ServerHttp2Stream;
  readonly #call: Call;
  readonly #options: OpenedCall;
  readonly #request: Gathered;
  readonly #response: Gathered;
  #upstream: Upstream | undefined;
  /** Bytes of the request while it is held back. */
  #held: Buffer[] | undefined;
  #heldBytes = 0;
  /** The answer while it is held back. */
  #heldAnswer: Buffer[] | undefined;
  /** True if the answer is complete and held until it is released. */
  #isKept = false;
  #requestTrailers: HeaderList = [];
  #headers: HeaderList = [];
  #isBare = false;
  #isReported = false;

  constructor(client: ServerHttp2Stream, call: Call, options: OpenedCall) {
    this.#client = client;
    this.#call = call;
    this.#options = options;
    this.#request = new Gathered(options.room);
    this.#response = new Gathered(options.room);
    if (call.stopsRequest) this.#held = [];
    else this.#connect(options.open);
    client.on('data', (bytes: Buffer) => this.#fromClient(bytes));
    client.on(
      'trailers',
      (_: unknown, __: unknown, raw: string[]) => (this.#requestTrailers = headerList(raw)),
    );
    client.on('end', () => this.#requested());
    client.on('drain', () => this.#upstream?.stream.resume());
    // A stream that was reset closes once it is read to its end, and it may be paused.
    client.on('aborted', () => client.resume());
    // Errors of a stream are handled when it closes.
    client.on('error', () => undefined);
    client.on('close', () => this.#clientClosed());
  }

  #fromClient(bytes: Buffer): void {
    if (this.#call.readsRequest && !this.#isReported) this.#request.add(bytes);
    if (this.#held === undefined) {
      if (this.#upstream?.write(bytes) === false) this.#client.pause();
      return;
    }
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes <= MAX_GATHERED && !this.#request.isOver) return;
    // The request is too large to be held back, so it passes.
    this.#sendHeld();
  }

  #sendHeld(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#connect(this.#options.later());
    for (const part of held) this.#upstream?.write(part);
  }

  #requested(): void {
    const body = this.#call.readsRequest ? this.#request.whole() : undefined;
    this.#request.close();
    // The answer came before the request was complete, and is reported already.
    if (this.#isReported) {
      this.#upstream?.end(this.#requestTrailers);
      return;
    }
    const going = this.#call.requested(body);
    if (this.#held === undefined) {
      this.#upstream?.end(this.#requestTrailers);
      return;
    }
    void (going ?? Promise.resolve({ kind: 'pass' as const })).then((how) => {
      if (isOver(this.#client)) return;
      switch (how.kind) {
        case 'pass':
          this.#sendHeld();
          break;
        case 'send':
          this.#held = [how.body];
          this.#sendHeld();
          break;
        case 'answer':
          this.#isReported = true;
          sendReply(this.#client, how.reply);
          return;
        case 'cut':
          this.#isReported = true;
          this.#client.close(NGHTTP2_INTERNAL_ERROR);
          return;
      }
      this.#upstream?.end(this.#requestTrailers);
    });
  }

  #connect(open: OpenStream): void {
    this.#upstream = Upstream.open(open, this.#options.headers, {
      interim: (headers) => sendInterim(this.#client, headers),
      headers: (headers, isBare) => this.#answerBegins(headers, isBare),
      data: (bytes) => this.#answerData(bytes),
      end: (trailers) => this.#answered(trailers),
      drained: () => this.#client.resume(),
      lost: (why, code) => {
        this.#report(why);
        if (code !== undefined && !this.#client.destroyed) this.#client.close(code);
      },
    });
  }

  #answerBegins(headers: HeaderList, isBare: boolean): void {
    this.#headers = headers;
    this.#isBare = isBare;
    if (this.#call.stopsResponse) this.#heldAnswer = [];
    else this.#respond();
  }

  #respond(): void {
    begin(this.#client, this.#headers, this.#isBare);
  }

  #answerData(bytes: Buffer): void {
    if (this.#call.readsResponse) this.#response.add(bytes);
    if (this.#heldAnswer === undefined) {
      if (!isOver(this.#client) && !this.#client.write(bytes)) this.#upstream?.stream.pause();
      return;
    }
    this.#heldAnswer.push(bytes);
    if (!this.#response.isOver) return;
    const held = this.#heldAnswer;
    this.#heldAnswer = undefined;
    if (isOver(this.#client)) return;
    this.#respond();
    for (const part of held) this.#client.write(part);
  }

  #answered(trailers: HeaderList): void {
    const body = this.#call.readsResponse ? this.#response.whole() : undefined;
    this.#response.close();
    this.#isReported = true;
    const changed = this.#call.responded({ headers: this.#headers, trailers, body });
    const held = this.#heldAnswer;
    if (held === undefined || changed === undefined) {
      if (held !== undefined) this.#respond();
      this.#finish(held ?? [], trailers);
      return;
    }
    this.#isKept = true;
    void changed.then((reply) => {
      this.#isKept = false;
      if (isOver(this.#client)) return;
      if (reply !== undefined) {
        sendReply(this.#client, reply);
        return;
      }
      this.#respond();
      this.#finish(held, trailers);
    });
  }

  #finish(parts: readonly Buffer[], trailers: HeaderList): void {
    if (this.#isBare || isOver(this.#client)) return;
    for (const part of parts) this.#client.write(part);
    endWith(this.#client, trailers);
  }

  #clientClosed(): void {
    this.#request.close();
    this.#response.close();
    if (this.#isKept) {
      const held = 'the sidecar ended the call while the answer was held';
      this.#call.lost({ by: 'after', code: 'reset', message: held });
      return;
    }
    const wasSent = this.#upstream?.isEnded === true;
    const message = 'the caller closed its connection before it got an answer';
    this.#report({ by: wasSent ? 'client' : 'before', code: 'reset', message });
    this.#upstream?.close(this.#client.rstCode);
  }

  /** Reports, once, that there will be no answer. */
  #report(why: NoReply): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#call.lost(why);
  }
}

/** Sends interim headers (1xx), which come before the answer. */
export function sendInterim(client: ServerHttp2Stream, headers: HeaderList): void {
  if (!isOver(client) && !client.headersSent) client.additionalHeaders(outgoing(headers));
}

/**
 * Begins an answer, unless the client has reset its stream.
 * @param isBare nothing follows its headers
 */
export function begin(client: ServerHttp2Stream, headers: HeaderList, isBare: boolean): void {
  if (isOver(client)) return;
  // The library would add a date to an answer that has none.
  const asItIs = { endStream: isBare, waitForTrailers: !isBare, sendDate: false };
  client.respond(outgoing(headers), asItIs);
}

/** A stream that was reset is closed at once, and destroyed only when it was read to its end: in between the library throws. */
function isOver(client: ServerHttp2Stream): boolean {
  return client.closed || client.destroyed;
}

/** Ends a stream whose headers were sent. */
export function endWith(client: ServerHttp2Stream, trailers: HeaderList): void {
  client.once('wantTrailers', () => client.sendTrailers(outgoing(trailers)));
  client.end();
}

/** Sends the tap's own answer. */
function sendReply(client: ServerHttp2Stream, { headers, body, trailers }: OwnReply): void {
  if (trailers.length === 0) {
    begin(client, headers, true);
    return;
  }
  begin(client, headers, false);
  client.write(body);
  endWith(client, trailers);
}
