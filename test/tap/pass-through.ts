// Random requests and answers through a tap's port, byte by byte, between a client and a server on bare TCP.
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { DeferredReports } from '../../core/tap/deferred-reports.ts';
import { BodyRoom } from '../../core/tap/body-room.ts';
import type { Exchange, Side } from '../../core/tap/exchange.ts';
import { Listener } from '../../core/tap/listener.ts';
import { unexpected } from './unexpected.ts';

/** A sequence of numbers from 0 to 1 that a seed decides. */
export type Chance = () => number;

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One connection: what each end sends, in the pieces in which it is written. */
interface Conversation {
  readonly requests: readonly Buffer[];
  readonly answers: readonly Buffer[];
  /** The client waits for `100 Continue` after so many bytes; 0: it does not. */
  readonly expectAfter: number;
  readonly halfCloses: boolean;
  /** The end of the connection is the end of the answer. */
  readonly toEnd: boolean;
}

const CONTINUE = Buffer.from('HTTP/1.1 100 Continue\r\nX-Mark: own\r\n\r\n');
const NAMES = ['Content-Type', 'x-UPPER-lower', 'Accept', 'traceparent', 'X-Empty', 'Cookie', 'x-Odd_Name'];
const VALUES = ['application/json', '', 'a; b="c"', 'caf\u00e9', '  spaced  ', 'x'.repeat(300), '1,2, 3'];

const among = <T>(chance: Chance, list: readonly [T, ...T[]]): T =>
  list[Math.floor(chance() * list.length)] ?? list[0];

function headers(chance: Chance): string {
  const lines: string[] = [];
  for (let n = Math.floor(chance() * 6); n > 0; n -= 1) {
    const name = among(chance, ['Host', ...NAMES]);
    lines.push(
      `${chance() < 0.3 ? name.toLowerCase() : name}:${chance() < 0.8 ? ' ' : ''}${among(chance, ['x', ...VALUES])}\r\n`,
    );
  }
  return lines.join('');
}

function bytes(chance: Chance): Buffer {
  const size = chance() < 0.02 ? 700_000 : Math.floor(chance() * chance() * 5_000);
  const all = Buffer.alloc(size);
  for (let i = 0; i < size; i += 1) all[i] = Math.floor(chance() * 256);
  return all;
}

/** A body with the headers that say how long it is. */
function body(chance: Chance): { readonly head: string; readonly bytes: Buffer } {
  const content = bytes(chance);
  if (chance() < 0.5)
    return {
      head: `${among(chance, ['Content-Length', 'content-length'])}: ${content.length}\r\n`,
      bytes: content,
    };
  const parts: Buffer[] = [];
  for (let at = 0; at < content.length;) {
    const size = 1 + Math.floor(chance() * 3_000);
    const part = content.subarray(at, at + size);
    const extension = chance() < 0.1 ? ';note="a;b"' : '';
    const digits = part.length.toString(16);
    parts.push(
      Buffer.from(`${chance() < 0.5 ? digits.toUpperCase() : digits}${extension}\r\n`),
      part,
      Buffer.from('\r\n'),
    );
    at += size;
  }
  const trailers = chance() < 0.3 ? 'X-Sum: 12\r\nx-other: y\r\n' : '';
  parts.push(Buffer.from(`0\r\n${trailers}\r\n`));
  return { head: 'Transfer-Encoding: chunked\r\n', bytes: Buffer.concat(parts) };
}

/** Cut anywhere, into pieces that are written one by one. */
function pieces(chance: Chance, all: Buffer): Buffer[] {
  const cuts: Buffer[] = [];
  for (let at = 0; at < all.length;) {
    const size = chance() < 0.3 ? 1 + Math.floor(chance() * 40) : 1 + Math.floor(chance() * 60_000);
    cuts.push(all.subarray(at, at + size));
    at += size;
  }
  return cuts;
}

function request(chance: Chance, expects: boolean): { readonly head: Buffer; readonly body: Buffer } {
  const method = among(chance, ['POST', 'GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']);
  const target = among(chance, [
    '/orders',
    '/v1.0/publish/pubsub/orders?metadata.ttlInSeconds=5',
    '/a%2Fb?x=%zz',
    '/',
  ]);
  const sent = method === 'GET' && !expects ? { head: '', bytes: Buffer.alloc(0) } : body(chance);
  const expect = expects ? 'Expect: 100-continue\r\n' : '';
  const head = Buffer.from(
    `${method} ${target} HTTP/1.1\r\n${headers(chance)}${expect}${sent.head}\r\n`,
    'latin1',
  );
  return { head, body: sent.bytes };
}

function answer(chance: Chance, toEnd: boolean): Buffer {
  const interim = chance() < 0.1 ? 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n' : '';
  if (toEnd)
    return Buffer.concat([
      Buffer.from(`${interim}HTTP/1.0 200 OK\r\n${headers(chance)}\r\n`, 'latin1'),
      bytes(chance),
    ]);
  const status = among(chance, [
    '200 OK',
    '204 No Content',
    '404 Not Found',
    '503 ',
    '304 Not Modified',
    '299',
  ]);
  const isBare = /^(?:204|304)/.test(status);
  const sent = isBare ? { head: '', bytes: Buffer.alloc(0) } : body(chance);
  return Buffer.concat([
    Buffer.from(`${interim}HTTP/1.1 ${status}\r\n${headers(chance)}${sent.head}\r\n`, 'latin1'),
    sent.bytes,
  ]);
}

function randomConversation(chance: Chance): Conversation {
  const expects = chance() < 0.15;
  const count = expects || chance() < 0.7 ? 1 : 2 + Math.floor(chance() * 3);
  const toEnd = chance() < 0.15;
  const sent = Array.from({ length: count }, () => request(chance, expects));
  const first = sent[0]?.head ?? Buffer.alloc(0);
  const all = Buffer.concat(sent.flatMap(({ head, body: rest }) => [head, rest]));
  const answers = Array.from({ length: count }, (_, i) => answer(chance, toEnd && i === count - 1));
  return {
    requests: expects ? [first, ...pieces(chance, all.subarray(first.length))] : pieces(chance, all),
    answers: pieces(chance, Buffer.concat(answers)),
    expectAfter: expects ? first.length : 0,
    halfCloses: chance() < 0.2,
    toEnd,
  };
}

/**
 * Handling of requests by the tap: passes all unread; reads all, afterwards where it may; changes between reading first and afterwards;
 * holds each whole and releases it.
 */
export type Manner = 'passes' | 'reads' | 'changes' | 'stops';

export function sideThat(manner: Manner): Side {
  const reads = manner !== 'passes';
  const exchange: Exchange = {
    stopsRequest: manner === 'stops',
    stopsResponse: manner === 'stops',
    readsRequest: reads,
    readsResponse: reads,
    requested: () => (manner === 'stops' ? Promise.resolve({ kind: 'pass' }) : undefined),
    responded: () => (manner === 'stops' ? Promise.resolve(undefined) : undefined),
    lost: () => undefined,
  };
  let turn = 0;
  const letsPass = {
    passes: () => false,
    reads: () => true,
    changes: () => (turn += 1) % 2 === 0,
    stops: () => false,
  };
  return {
    begin: () => exchange,
    letsPass: letsPass[manner],
    refused: () => undefined,
    unreachable: () => undefined,
  };
}

/** Bytes that arrived at each end. */
interface Arrived {
  readonly atServer: Buffer;
  readonly atClient: Buffer;
}

export class Stand {
  readonly #server: Server;
  readonly #listeners = new Map<Manner, Listener>();
  #serve: (socket: Socket) => void = () => undefined;

  constructor() {
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#serve(socket));
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    for (const manner of ['passes', 'reads', 'changes', 'stops'] as const) {
      const to = { host: '127.0.0.1', port };
      const listener = new Listener(0, {
        side: sideThat(manner),
        to,
        room: new BodyRoom(),
        reports: new DeferredReports(systemClock(), unexpected),
      });
      await listener.open();
      this.#listeners.set(manner, listener);
    }
    return this;
  }

  async close(): Promise<void> {
    for (const listener of this.#listeners.values()) await listener.close();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /**
   * Has one random conversation.
   * @returns what differs; undefined: every byte arrived as it was sent
   */
  async try(seed: number): Promise<string | undefined> {
    const chance = chanceOf(seed);
    const one = randomConversation(chance);
    // A request that is kept back gets its `100 Continue` from the tap.
    const manner = among<Manner>(
      chance,
      one.expectAfter > 0 ? ['passes', 'reads', 'changes'] : ['passes', 'reads', 'changes', 'stops'],
    );
    const sent = Buffer.concat([...one.requests]);
    const answered = Buffer.concat([...(one.expectAfter > 0 ? [CONTINUE] : []), ...one.answers]);
    // A client that has gone is nobody a held request waits for.
    const arrived = await this.#have(
      manner === 'stops' ? { ...one, halfCloses: false } : one,
      manner,
      sent.length,
      answered.length,
    );
    if (!arrived.atServer.equals(sent)) return `${manner}: ${differs('server', sent, arrived.atServer)}`;
    if (!arrived.atClient.equals(answered))
      return `${manner}: ${differs('client', answered, arrived.atClient)}`;
    return undefined;
  }

  #have(one: Conversation, manner: Manner, sentBytes: number, answeredBytes: number): Promise<Arrived> {
    const [atServer, atClient]: [Buffer[], Buffer[]] = [[], []];
    const arrived = (): Arrived => ({ atServer: Buffer.concat(atServer), atClient: Buffer.concat(atClient) });
    return new Promise((resolve, reject) => {
      this.#serve = (socket) => serve(socket, one, sentBytes, atServer);
      const client = connect({
        host: '127.0.0.1',
        port: this.#listeners.get(manner)?.port ?? 0,
        allowHalfOpen: true,
      });
      let [got, from] = [0, 0];
      const send = (to: number): void => {
        for (; from < to; from += 1) client.write(one.requests[from] ?? '');
        if (from === one.requests.length && one.halfCloses) client.end();
      };
      client.on('connect', () => send(one.expectAfter > 0 ? 1 : one.requests.length));
      client.on('data', (part) => {
        atClient.push(part);
        got += part.length;
        if (from === 1 && one.expectAfter > 0 && got >= CONTINUE.length) send(one.requests.length);
        if (got >= answeredBytes && !one.toEnd) client.end();
      });
      client.on('end', () => client.end());
      client.on('close', () => resolve(arrived()));
      client.on('error', reject);
    });
  }
}

function serve(socket: Socket, one: Conversation, sentBytes: number, atServer: Buffer[]): void {
  let [got, hasAnswered, hasContinued, hasEnded] = [0, false, false, false];
  const answerIfDue = (): void => {
    if (hasAnswered || got < sentBytes || (one.halfCloses && !hasEnded)) return;
    hasAnswered = true;
    for (const piece of one.answers) socket.write(piece);
    if (one.toEnd) socket.end();
  };
  socket.on('data', (part: Buffer) => {
    atServer.push(part);
    got += part.length;
    if (one.expectAfter > 0 && !hasContinued && got >= one.expectAfter) {
      hasContinued = true;
      socket.write(CONTINUE);
    }
    answerIfDue();
  });
  socket.on('end', () => {
    hasEnded = true;
    answerIfDue();
    if (hasAnswered) socket.end();
  });
  socket.on('error', () => undefined);
}

function differs(at: string, expected: Buffer, found: Buffer): string {
  const length = Math.min(expected.length, found.length);
  let from = 0;
  while (from < length && expected[from] === found[from]) from += 1;
  const part = (all: Buffer): string =>
    JSON.stringify(all.subarray(Math.max(0, from - 40), from + 40).toString('latin1'));
  return `at the ${at} byte ${from} of ${expected.length} differs (${found.length} arrived): expected ${part(expected)}, found ${part(found)}`;
}
