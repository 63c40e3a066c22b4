/** `/stream`: the console over a WebSocket on the server's own port. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RawData, WebSocket } from 'ws';
import { PAGE_PROTOCOL } from '../../contract/page-auth.ts';
import { ACTOR_HEADER, ACTORS, MAX_FRAME_BYTES } from '../../contract/rpc.ts';
import type { Peer, TextPipe } from '../../contract/rpc.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { TurnedAway } from '../guard.ts';
import type { IncompleteTexts } from '../incomplete-texts.ts';
import type { UnreadAnswers } from './unread-answers.ts';
import { ignoreUpgrade, isForWebSocket } from './ignored-upgrade.ts';
import { MessageTurns } from './message-turns.ts';
import { answerBadUpgrade, answerNoUpgrade } from './unreadable.ts';

const PING_EVERY_MS = 20_000;
/** A client that does not read is cut when this much waits for it. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
const MAX_CONNECTIONS = 100;
/**
 * Pieces of a message, and of a frame, that the library keeps one by one; a message of the largest size in pieces as small as a network
 * makes them has fewer.
 */
const MAX_PIECES = 8192;
/** Largest frame of a client that is turned away: nothing but its goodbye is awaited, behind what it has sent already. */
const MAX_REFUSED_BYTES = 4096;
/** How long a client may take to say goodbye when the console closes. */
const GOODBYE_MS = 500;

export interface SocketDependencies {
  readonly attach: (pipe: TextPipe, by?: Peer) => void;
  /** Host, Origin, and the token of a script or the proof of a page. */
  readonly check: (request: IncomingMessage) => TurnedAway | 'script' | 'page';
  readonly clock: Clock;
  readonly log: Log;
  readonly unread: UnreadAnswers;
  readonly incomplete: IncompleteTexts;
  /** How long a client that was refused may take to hang up, in ms. */
  readonly partingMs: number;
}

export interface Stream {
  /** Closes the connection of every page, as if its key were wrong; gives how many there were. */
  closePages(): number;
  /** Closes every connection. */
  close(): Promise<void>;
}

/** Takes upgrades of `server` at /stream. */
export function addStream(server: Server, deps: SocketDependencies): Stream {
  const pages = new Map<WebSocket, MessageTurns>();
  const options = {
    noServer: true,
    perMessageDeflate: false,
    // The library cuts a peer that has 60 pings without an answer.
    autoPong: false,
    maxFragments: MAX_PIECES,
    maxBufferedChunks: MAX_PIECES,
    // A browser closes a connection when none of its protocols is answered. The answer names our protocol and leaves out the proof.
    handleProtocols: (protocols: Set<string>) => (protocols.has(PAGE_PROTOCOL) ? PAGE_PROTOCOL : false),
  } as const;
  const sockets = new WebSocketServer({ ...options, maxPayload: MAX_FRAME_BYTES });
  // Clients that are turned away are counted apart: they must neither fill the memory nor take the places of others.
  const refused = new WebSocketServer({ ...options, maxPayload: MAX_REFUSED_BYTES });
  for (const each of [sockets, refused])
    each.on('wsClientError', (error, socket) => answerBadUpgrade(error, socket, deps.partingMs));
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (request.url?.split('?', 1)[0] !== '/stream') {
      if (isForWebSocket(request)) answerNoUpgrade(socket, deps.partingMs);
      else ignoreUpgrade(server, request, socket, head);
      return;
    }
    const who = entryOf(request, sockets.clients.size, deps);
    const taking = typeof who === 'string' ? sockets : refused;
    taking.handleUpgrade(request, socket, head, (peer) => {
      const turns = new MessageTurns();
      if (typeof who === 'string') {
        countIncomplete(peer, socket, deps);
        readInTurns(peer, socket, turns);
      }
      greet(peer, request, who, { ...deps, turns });
      if (who !== 'page') return;
      pages.set(peer, turns);
      peer.on('close', () => pages.delete(peer));
    });
  };
  server.on('upgrade', upgrade);
  return {
    closePages() {
      const closed = [...pages];
      pages.clear();
      for (const [peer, turns] of closed) {
        turns.drop();
        // Its goodbye is read all the same.
        peer.resume();
        turnOut(peer, deps.clock);
      }
      return closed.length;
    },
    async close() {
      server.off('upgrade', upgrade);
      await Promise.all([...sockets.clients, ...refused.clients].map(closeHandshake));
      sockets.close();
      refused.close();
    },
  };
}

/** Least number of bytes that a frame of a client has beside its content. */
const FRAME_BYTES = 6;

/**
 * Counts what has come of a message that is not complete. The library keeps it until then, and does not say how much it has, so the bytes of the
 * connection are counted. If all connections have too much, this one is closed once it has the most.
 */
function countIncomplete(peer: WebSocket, socket: Duplex, { incomplete, log }: SocketDependencies): void {
  const counted = incomplete.begin((refusal) => {
    log.write('warn', 'console', `A console connection was closed: ${refusal.message}`);
    peer.terminate();
  });
  // The bytes are counted before the library reads them, because it may report a complete message at once.
  socket.prependListener('data', (bytes: Buffer) => counted.add(bytes.length));
  const controlled = (data: Buffer): void => counted.add(-data.length - FRAME_BYTES);
  peer.on('ping', controlled).on('pong', controlled);
  peer.on('message', () => counted.end());
  socket.once('close', () => counted.end());
}

/**
 * Reads one piece of the connection at a time, once what was in the one before is handed on: the system may have megabytes of small requests
 * ready, which would all be run before anything else.
 */
function readInTurns(peer: WebSocket, socket: Duplex, turns: MessageTurns): void {
  socket.on('data', () => {
    peer.pause();
    turns.add(() => peer.resume());
  });
}

/** Closes the connection of a peer whose key was revoked, by force if the peer does not close it too. */
function turnOut(peer: WebSocket, clock: Clock): void {
  const cancel = clock.at(clock.now() + GOODBYE_MS, () => peer.terminate());
  peer.once('close', () => cancel());
  peer.removeAllListeners('message');
  peer.close(4401, 'The key was revoked.');
}

interface PeerDependencies extends SocketDependencies {
  readonly turns: MessageTurns;
}

/** Close code and reason for a client that is turned away, or who is let in. */
type Entry = readonly [code: number, reason: string] | 'script' | 'page';

function entryOf(request: IncomingMessage, connections: number, deps: SocketDependencies): Entry {
  const who = deps.check(request);
  if (typeof who !== 'string') return [who.close, who.refusal.message.slice(0, 100)];
  return connections < MAX_CONNECTIONS ? who : [1013, `At most ${MAX_CONNECTIONS} connections.`];
}

/** A browser hears why it is turned away only through the close code of an open socket. */
function greet(peer: WebSocket, request: IncomingMessage, who: Entry, deps: PeerDependencies): void {
  peer.on('error', (error) => {
    deps.log.write('debug', 'console', `A console connection failed: ${error.message}`);
  });
  if (typeof who !== 'string') peer.close(...who);
  else {
    answerPings(peer);
    keepAlive(peer, deps);
    deps.attach(pipeOf(peer, deps), peerOf(request, who));
  }
}

/** Actor that the connection's header names, or a script by its token; undefined: a person at a page. */
function peerOf({ headers }: IncomingMessage, who: 'script' | 'page'): Peer | undefined {
  const actor = ACTORS.find((each) => each === headers[ACTOR_HEADER]);
  return actor ?? (who === 'script' ? who : undefined);
}

function pipeOf(peer: WebSocket, { unread, log, turns }: PeerDependencies): TextPipe {
  const waiting = { bytes: () => peer.bufferedAmount, end: () => peer.terminate() };
  peer.on('close', unread.watch(waiting));
  const isGone = (): boolean => peer.readyState !== peer.OPEN;
  return {
    room: unread.roomOf({ ...waiting, isGone }),
    send(text) {
      if (peer.readyState !== peer.OPEN) return;
      if (peer.bufferedAmount <= MAX_WAITING_BYTES) {
        peer.send(text, () => unread.wake());
        unread.sent(waiting);
        return;
      }
      log.write(
        'warn',
        'console',
        'A console connection was closed because it no longer read what it was sent.',
      );
      peer.terminate();
    },
    onText(take) {
      let isTaken = true;
      const hear = (data: RawData, isBinary: boolean): void =>
        turns.add(() => {
          if (!isTaken) return;
          if (isBinary) peer.close(1003, 'Text frames only.');
          else take(textOf(data));
        });
      peer.on('message', hear);
      return () => {
        isTaken = false;
        peer.off('message', hear);
      };
    },
    onClose(done) {
      // What came before is taken first.
      const hear = (code: number, reason: Buffer): void =>
        turns.add(() => done(`${code} ${reason.toString('utf8')}`.trim()));
      peer.on('close', hear);
      return () => peer.off('close', hear);
    },
  };
}

/**
 * Answers pings, one at a time: of those that come while an answer is on its way only the newest gets one (RFC 6455, 5.5.3). So a
 * flood of them takes no memory, also where the peer reads nothing.
 */
function answerPings(peer: WebSocket): void {
  let isAnswering = false;
  let newest: Buffer | undefined;
  const answer = (data: Buffer): void => {
    if (peer.readyState !== peer.OPEN) return;
    isAnswering = true;
    peer.pong(data, false, () => {
      isAnswering = false;
      const next = newest;
      newest = undefined;
      if (next !== undefined) answer(next);
    });
  };
  peer.on('ping', (data) => {
    if (isAnswering) newest = data;
    else answer(data);
  });
}

/**
 * Pings every 20 s; closes the connection of a peer of which nothing was read since the last one. While what it sent waits to be handed on,
 * nothing more is read, so its silence says nothing.
 */
function keepAlive(peer: WebSocket, { clock, turns }: Pick<PeerDependencies, 'clock' | 'turns'>): void {
  let isAlive = true;
  let timer: Cancel = () => undefined;
  const ping = (): void => {
    if (!isAlive && !turns.isBusy) {
      peer.terminate();
      return;
    }
    isAlive = turns.isBusy;
    peer.ping();
    timer = clock.at(clock.now() + PING_EVERY_MS, ping);
  };
  timer = clock.at(clock.now() + PING_EVERY_MS, ping);
  // A pong may stand behind thousands of requests, which are handed on before more is read.
  const lives = (): void => {
    isAlive = true;
  };
  peer.on('pong', lives).on('ping', lives).on('message', lives);
  peer.on('close', () => timer());
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : data.toString('utf8');
}

function closeHandshake(peer: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => peer.terminate(), GOODBYE_MS);
    peer.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    if (peer.readyState === peer.CLOSED) {
      clearTimeout(timer);
      resolve();
    }
    peer.close(1001, 'Sidelight stops.');
  });
}
