// Bytes that come in pieces.
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Writes each part in a turn of its own. */
export async function writeParts(socket: Socket, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    socket.write(part);
    await nextTurn();
  }
}
