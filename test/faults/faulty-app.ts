/** An app on a bare port that goes wrong in one way per topic at the first call of a message, and answers the second. */
import type { Socket } from 'node:net';
import { startRawApp } from '../support/raw-app.ts';
import type { RawApp, RawRequest } from '../support/raw-app.ts';

const OK =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{"status":"SUCCESS"}';
const MEGABYTE = Buffer.alloc(1024 * 1024, 0x20);
const SLOW_MS = 150;

/** Fault -> what the app does with the socket. */
export const FAULTS = {
  hung: () => undefined,
  slow: (socket) => {
    let at = 0;
    const drip = setInterval(() => {
      if (!socket.destroyed) socket.write(OK.slice(at, at + 20));
      at += 20;
      if (at >= OK.length || socket.destroyed) clearInterval(drip);
    }, SLOW_MS / 10);
  },
  'reset before an answer': (socket) => socket.resetAndDestroy(),
  'reset in the headers': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-ty', () => socket.resetAndDestroy()),
  'reset in the body': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"status":', () => socket.resetAndDestroy()),
  'no HTTP': (socket) => socket.write('BANANA\r\n\r\n'),
  'a status that is none': (socket) => socket.end('HTTP/1.1 99999 Ja\r\n\r\n'),
  'two lengths': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'),
  'a header without end': (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(300_000)}`),
  'a chunk that lies': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffff\r\n{}\r\n'),
  'an answer of 100 MB': (socket) => {
    socket.write(`HTTP/1.1 500 Oh\r\ncontent-length: ${100 * MEGABYTE.length}\r\n\r\n`);
    let left = 100;
    const more = (): void => {
      while (left > 0 && !socket.destroyed) {
        left -= 1;
        if (!socket.write(MEGABYTE)) {
          socket.once('drain', more);
          return;
        }
      }
    };
    more();
  },
} as const satisfies Readonly<Record<string, (socket: Socket) => unknown>>;

export type Fault = keyof typeof FAULTS;

export function isFault(name: string): name is Fault {
  return Object.hasOwn(FAULTS, name);
}

export interface FaultyApp extends RawApp {
  /** Calls by topic and event id. */
  readonly calls: ReadonlyMap<string, number>;
}

/** @param topics subscribed to, each at `/<topic>` */
export async function startFaultyApp(
  topics: readonly string[],
  faultOf: (topic: string) => Fault | undefined,
  port = 0,
): Promise<FaultyApp> {
  const calls = new Map<string, number>();
  const listed = JSON.stringify(
    topics.map((topic) => ({ pubsubname: 'pubsub', topic, routes: { default: `/${topic}` } })),
  );
  const app = await startRawApp((socket, request) => answer(socket, request), port);
  function answer(socket: Socket, { line, body }: RawRequest): void {
    if (!line.startsWith('POST')) {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${listed.length}\r\n\r\n${listed}`,
      );
      return;
    }
    const topic = /^POST \/([^ ]+)/.exec(line)?.[1] ?? '';
    const { data }: { data: { id: string } } = JSON.parse(body);
    const key = `${topic} ${data.id}`;
    const count = (calls.get(key) ?? 0) + 1;
    calls.set(key, count);
    const fault = faultOf(topic);
    if (count === 1 && fault !== undefined) FAULTS[fault](socket);
    else socket.write(OK);
  }
  return {
    ...app,
    calls,
    get requests() {
      return app.requests;
    },
    get sockets() {
      return app.sockets;
    },
  };
}
