/** What the console answers to bytes that are no readable request, and to an upgrade that is none. */
import type { Duplex } from 'node:stream';
import { closingAnswer, whyUnreadable } from '../../domain/http-edge.ts';
import type { ParserError, Unreadable } from '../../domain/http-edge.ts';
import { Refusal } from '../../domain/refusal.ts';
import { refusalText } from './http.ts';

/** A JSON-RPC error, then the connection ends. */
export function answerUnreadable(error: ParserError, socket: Duplex): void {
  const why = whyUnreadable(error);
  if (why === undefined || !socket.writable) socket.destroy();
  else end(socket, why);
}

/** A WebSocket handshake that is wrong. */
export function answerBadUpgrade(error: Error, socket: Duplex): void {
  end(socket, { status: 400, reason: error.message });
}

function end(socket: Duplex, { status, reason }: Unreadable): void {
  const body = refusalText(new Refusal('INVALID_REQUEST', { reason }));
  socket.end(closingAnswer(status, body, Buffer.byteLength(body)));
}
