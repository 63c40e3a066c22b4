/** Connects to the console of a running instance over its WebSocket. */
import { WebSocket } from 'ws';
import { ACTOR_HEADER } from '../contract/rpc.ts';
import type { Actor } from '../contract/rpc.ts';
import { PipeRpc } from '../scenario/pipe-rpc.ts';
import type { OwnPipe } from '../scenario/pipe-rpc.ts';
import { InstanceGone } from '../scenario/rpc.ts';
import type { Rpc } from '../scenario/rpc.ts';

/** Address of an instance: members of its ready line. */
export interface Address {
  readonly rpc: string;
  readonly token: string;
}

/** Error of a token that the instance refuses. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

const CONNECT_MS = 10_000;
/** Longest time for the other end to agree to the end of the connection. */
const CLOSE_MS = 1_000;
/** WebSocket close codes of the console: a bad token; a foreign Host or Origin. */
const TURNED_AWAY: ReadonlySet<number> = new Set([4401, 4403]);

/**
 * Connects. Throws InstanceGone if nothing answers at the address, TokenRefused if the token is wrong.
 * @param by actor of this connection, for the log of the instance; absent: a person
 * @param limitMs longest time for each of the two first answers
 */
export async function connect({ rpc, token }: Address, by?: Actor, limitMs = CONNECT_MS): Promise<Rpc> {
  const url = new URL('stream', rpc);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}`, ...(by === undefined ? {} : { [ACTOR_HEADER]: by }) },
    handshakeTimeout: limitMs,
    // An answer is as large as the message that it has.
    maxPayload: 0,
    perMessageDeflate: false,
  });
  const connection = new PipeRpc(pipeOf(socket, rpc), (reason) => overBy(rpc, reason));
  const hasOpened = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.once('close', () => resolve(false));
  });
  if (!hasOpened) await connection.ended;
  let isSilent = false;
  const late = setTimeout(() => {
    isSilent = true;
    socket.terminate();
  }, limitMs);
  try {
    // Only the first answer shows that the token is right: with a wrong one the socket opens and is closed.
    await connection.call('filter.check', { filter: '' });
    return connection;
  } catch (error) {
    if (!isSilent) throw error;
    throw new InstanceGone(`nothing answers at ${rpc}, which took the connection`, { cause: error });
  } finally {
    clearTimeout(late);
  }
}

/** A pipe over the socket. The reason of its close is "CODE text", or why nothing answers. */
function pipeOf(socket: WebSocket, rpc: string): OwnPipe {
  let failed: string | undefined;
  // The close that follows ends everything; this error is its reason.
  socket.on('error', (error) => (failed = `nothing answers at ${rpc}: ${whyOf(error)}`));
  return {
    send: (text) => socket.send(text),
    onText: (take) => {
      const hear = (data: Buffer): void => take(data.toString('utf8'));
      socket.on('message', hear);
      return () => socket.off('message', hear);
    },
    onClose: (done) => {
      const hear = (code: number, reason: Buffer): void =>
        done(failed ?? `${code} ${reason.toString('utf8')}`);
      socket.on('close', hear);
      return () => socket.off('close', hear);
    },
    close: () => {
      socket.close(1000);
      setTimeout(() => socket.terminate(), CLOSE_MS).unref();
    },
  };
}

function overBy(rpc: string, reason: string): Error {
  const [, code = '', text = ''] = /^(\d+) (.*)$/s.exec(reason) ?? [];
  if (code === '') return new InstanceGone(reason);
  if (TURNED_AWAY.has(Number(code))) return new TokenRefused(`${rpc} does not accept this token: ${text}`);
  return new InstanceGone(`the instance at ${rpc} went away`);
}

function whyOf(error: Error): string {
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
