/** Bytes sent to a port as they are, and everything that comes back. */
import { connect } from 'node:net';

/**
 * Sends `pieces` one after another and resolves with what came until the other side closed the connection.
 * Rejects with the error of the connection.
 */
export async function rawRequest(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.setNoDelay(true);
      for (const piece of pieces) socket.write(piece);
    });
    socket.on('data', (chunk) => (got += chunk.toString()));
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}

/** Status and body of an answer; the status 0: there was none. */
export function answerOf(text: string): { readonly status: number; readonly body: string } {
  const end = text.indexOf('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+) /.exec(text)?.[1] ?? 0), body: text.slice(end + 4) };
}

/** The answers to several requests on one connection; also to one that was answered before it could be read to its end. */
export function answersOf(text: string): readonly { readonly status: number; readonly body: string }[] {
  const answers: { readonly status: number; readonly body: string }[] = [];
  for (let rest = text; rest.startsWith('HTTP/1.1 ');) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(rest.slice(0, end))?.[1] ?? 0);
    const bytes = Buffer.from(rest.slice(end));
    answers.push({ ...answerOf(rest.slice(0, end)), body: bytes.toString('utf8', 0, length) });
    rest = bytes.toString('utf8', length);
  }
  return answers;
}
