/** Answers of the console to bytes that are no readable request, and to an invalid upgrade. */
import type { Duplex } from 'node:stream';
import { closingAnswer, dropIfLate, endWith, whyUnreadable } from '../../domain/http-edge.ts';
import type { EarlyAnswers, ParserError, Unreadable } from '../../domain/http-edge.ts';
import { Partings } from '../../domain/partings.ts';
import { Refusal } from '../../domain/refusal.ts';
import { refusalText } from './http.ts';

const partings = new Partings((run) => setImmediate(run), setTimeout);

/**
 * A JSON-RPC error, then the connection ends.
 * @param partingMs until it ends whatever the client does
 */
export function answerUnreadable(
  partingMs: number,
  early: Pick<EarlyAnswers, 'has'>,
): (error: ParserError, socket: Duplex) => void {
  return (error, socket) => {
    dropIfLate(error, socket);
    const why = whyUnreadable(error);
    if (why === undefined || !socket.writable) socket.destroy();
    else if (early.has(socket)) partings.end(socket, '', partingMs);
    else end(socket, why, partingMs);
  };
}

/** Refuses an upgrade on a path that has none. */
export function answerNoUpgrade(socket: Duplex, partingMs: number): void {
  endWith(
    socket,
    'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    partingMs,
    setTimeout,
  );
}

/** Refuses an invalid WebSocket handshake. */
export function answerBadUpgrade(error: Error, socket: Duplex, partingMs: number): void {
  end(socket, { status: 400, reason: error.message }, partingMs);
}

function end(socket: Duplex, { status, reason }: Unreadable, partingMs: number): void {
  const body = refusalText(new Refusal('INVALID_REQUEST', { reason }));
  partings.end(socket, closingAnswer(status, body, Buffer.byteLength(body)), partingMs);
}
