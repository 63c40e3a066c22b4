/** Callers that send a large body and go while it waits for its turn: the body is in memory until then, so it counts until then. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FairTurns } from '../../core/domain/fair-turns.ts';
import { openMockApp } from '../support/mock-app-parts.ts';

/** Sockets that servers of this process accept, while the test runs. */
function accepted(): readonly Socket[] {
  const sockets: Socket[] = [];
  const note = (message: unknown): void => void sockets.push((message as { readonly socket: Socket }).socket);
  subscribe('net.server.socket', note);
  onTestFinished(() => void unsubscribe('net.server.socket', note));
  return sockets;
}

test('bodies count while they wait for their turn, and give their room back once they are passed over', async () => {
  let go: () => void = () => undefined;
  const turn = new Promise<void>((resolve) => (go = resolve));
  vi.spyOn(FairTurns.prototype, 'room').mockReturnValue(turn);
  let held = 0;
  const bodies = {
    take: (bytes: number): undefined => void (held += bytes),
    free: (bytes: number): void => void (held -= bytes),
  };
  const sockets = accepted();
  const app = await openMockApp({ bodies });
  const body = JSON.stringify({ specversion: '1.0', data: 'x'.repeat(100_000) });
  const callers = Array.from({ length: 3 }, () => connect(Number(new URL(app.url).port), '127.0.0.1'));
  for (const caller of callers)
    caller
      .on('error', () => undefined)
      .write(`POST /orders HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  await vi.waitFor(() => expect(held).toBeGreaterThan(3 * body.length));
  const whole = held;
  expect(sockets).toHaveLength(3);
  const closed = Promise.all(
    sockets.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))),
  );
  for (const caller of callers) caller.resetAndDestroy();
  await closed;
  expect(held).toBe(whole);
  go();
  await vi.waitFor(() => expect(app.state().requests).toHaveLength(3));
  for (const { note } of app.state().requests) expect(note).toBe('the caller closed the connection');
  expect(held).toBe(0);
});
