/**
 * One connection of a client that publishes. A plain publish that is there as a whole is read and answered on the socket itself;
 * with the first other bytes the connection goes to the HTTP server, and stays there.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Silence } from '../domain/http-edge.ts';
import { failureOf } from './errors.ts';
import { HEAD_END, LONGEST_HEAD, PlainHeadReader } from './plain-head.ts';
import type { PlainHead } from './plain-head.ts';
import { fits, isPlainTarget, isSeenByRule } from './plain-publish.ts';
import type { PlainPublishDependencies } from './plain-publish.ts';
import { publishOf } from './publish.ts';

export interface PlainConnectionDependencies extends Omit<PlainPublishDependencies, 'turns'> {
  readonly silence: Silence;
  /** What answers promise: how long a connection is kept that asks for nothing more. */
  readonly keptMs: number;
}

/** Who has the connection. */
export interface PlainConnectionOwner {
  /** The HTTP server shall have it: its first unread bytes are in the socket again. */
  handOver(connection: PlainConnection): void;
  /** Has said nothing at all for too long. */
  silent(connection: PlainConnection): void;
  /** Is no more. */
  gone(connection: PlainConnection): void;
}

/** Node as well keeps a connection longer than it promises: a request may be on its way. */
const BEYOND_MS = 1_000;

export class PlainConnection {
  readonly socket: Socket;
  readonly #parts: PlainConnectionDependencies;
  readonly #owner: PlainConnectionOwner;
  readonly #heads = new PlainHeadReader();
  readonly #from: { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined };
  #isPublishing = false;
  /** Answers wait that the client does not read: nothing more is read from it. */
  #isUnread = false;
  #isEnding = false;
  /** The sidecar stops: the answer to what is under way is the last one. */
  #isStopping = false;
  #hasAsked = false;
  #movedAt = performance.now();

  constructor(socket: Socket, parts: PlainConnectionDependencies, owner: PlainConnectionOwner) {
    this.socket = socket;
    this.#parts = parts;
    this.#owner = owner;
    const { remoteAddress, remotePort } = socket;
    this.#from = { remoteAddress, remotePort };
    socket.on('data', this.#take).on('drain', this.#drained).on('end', this.#ended);
    socket.on('error', this.#broken).on('close', this.#closed);
  }

  /** Closes it where it was silent for too long. */
  look(nowMs: number): void {
    if (this.#isPublishing) return;
    const { silence, keptMs } = this.#parts;
    const quietMs = nowMs - this.#movedAt;
    if (!this.#hasAsked) {
      if (quietMs < silence.headersMs) return;
      this.#leave();
      this.socket.on('error', this.#broken);
      this.#owner.silent(this);
    } else if (quietMs >= (this.socket.writableLength > 0 ? silence.unreadMs : keptMs + BEYOND_MS))
      this.socket.destroy();
  }

  /** Ends it, at once or with the answer to the publish that is under way. Further publishes that were sent behind it are not read. */
  end(): void {
    this.#isStopping = true;
    if (!this.#isPublishing) this.socket.destroy();
  }

  readonly #take = (bytes: Buffer): void => {
    this.#movedAt = performance.now();
    this.#hasAsked = true;
    if (this.#isPublishing || this.#isUnread) this.#giveBack(bytes);
    else this.#read(bytes);
  };

  readonly #drained = (): void => {
    this.#movedAt = performance.now();
    this.#isUnread = false;
    this.#goOn();
  };

  readonly #ended = (): void => {
    this.#isEnding = true;
    if (!this.#isPublishing) this.socket.end();
  };

  readonly #broken = (): void => {
    // The client is gone and hears nothing any more. What it published goes on without it.
    this.socket.destroy();
  };

  readonly #closed = (): void => this.#owner.gone(this);

  /** Bytes are read again once what came before them has its answer; the end of the connection is not heard before them. */
  #giveBack(bytes: Buffer): void {
    this.socket.pause();
    this.socket.unshift(bytes);
  }

  #read(bytes: Buffer): void {
    const end = bytes.subarray(0, LONGEST_HEAD).indexOf(HEAD_END);
    const head = end < 0 ? undefined : this.#heads.read(bytes.toString('latin1', 0, end));
    if (head === undefined || !this.#isPlain(head)) return this.#handOver(bytes);
    const [from, to] = [end + HEAD_END.length, end + HEAD_END.length + head.bodyBytes];
    if (to > bytes.length || this.#parts.bodies.take(head.bodyBytes) !== undefined)
      return this.#handOver(bytes);
    if (to < bytes.length) this.#giveBack(bytes.subarray(to));
    this.#isPublishing = true;
    // Copied: bytes that are kept must not keep the head, nor what was sent behind them.
    void this.#publish(head, Buffer.from(bytes.subarray(from, to)));
  }

  #isPlain({ url, headers, bodyBytes }: PlainHead): boolean {
    return isPlainTarget(url) && !isSeenByRule(headers) && fits(bodyBytes, this.#parts.maxBodyBytes());
  }

  async #publish(head: PlainHead, body: Buffer): Promise<void> {
    const { sidecar, errors, bodies } = this.#parts;
    let answer: string | Buffer;
    try {
      const given = { body, contentType: head.headers['content-type'], isBeginning: false };
      const raw = { url: head.url, headers: head.headers, socket: this.#from };
      await sidecar.publish(publishOf(raw, given, errors.profile.differences));
      answer = this.#accepted();
    } catch (error) {
      answer = this.#refused(error instanceof Error ? error : new Error(String(error)), head);
    }
    bodies.free(body.length);
    this.#isPublishing = false;
    this.#answer(answer);
  }

  #answer(answer: string | Buffer): void {
    if (this.socket.destroyed) return;
    this.#movedAt = performance.now();
    this.#isUnread = !(typeof answer === 'string'
      ? this.socket.write(answer, 'latin1')
      : this.socket.write(answer));
    if (this.#isStopping) this.#part();
    else this.#goOn();
  }

  /** Ends it once the answer is sent. What was sent behind that publish is dropped: left unread, it could take the answer with it. */
  #part(): void {
    this.socket.off('data', this.#take).off('drain', this.#drained).resume();
    this.socket.destroySoon();
  }

  #goOn(): void {
    if (this.#isPublishing || this.#isUnread) return;
    if (this.socket.isPaused()) this.socket.resume();
    else if (this.#isEnding) this.socket.end();
  }

  #accepted(): string {
    return `HTTP/1.1 204 No Content\r\n${this.#lastFields()}`;
  }

  #refused(error: Error, { url: target }: PlainHead): Buffer {
    const { status, type, body } = failureOf(
      error,
      { edge: 'publish', method: 'POST', target },
      this.#parts.errors,
    );
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n`;
    return Buffer.concat([Buffer.from(head + this.#lastFields(), 'latin1'), body]);
  }

  /** What the HTTP server adds to each head. */
  #lastFields(): string {
    if (this.#isStopping) return `Date: ${httpDate()}\r\nConnection: close\r\n\r\n`;
    const seconds = Math.floor(this.#parts.keptMs / 1000);
    return `Date: ${httpDate()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`;
  }

  #handOver(bytes: Buffer): void {
    this.#leave();
    this.#giveBack(bytes);
    this.#owner.handOver(this);
    this.socket.resume();
  }

  #leave(): void {
    this.socket.off('data', this.#take).off('drain', this.#drained).off('end', this.#ended);
    this.socket.off('error', this.#broken).off('close', this.#closed);
  }
}

const date = { second: 0, text: '' };

/** The time of an answer, made once in a second. */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== date.second) Object.assign(date, { second, text: new Date(second * 1000).toUTCString() });
  return date.text;
}
