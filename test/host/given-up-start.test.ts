/** A start that nobody wants any more ends at the next app, and leaves nothing open. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startProduct } from '../../core/host/compose.ts';
import { readOptions } from '../../core/host/options.ts';

/** Name of the channel on which Node reports each server that listens. */
const LISTENING = 'tracing:net.server.listen:asyncEnd';

/** Servers that listen from now on; `act` is called with their number. */
function listening(act: (count: number) => void): readonly Server[] {
  const servers: Server[] = [];
  const hear = (message: unknown): void => {
    servers.push((message as { readonly server: Server }).server);
    act(servers.length);
  };
  subscribe(LISTENING, hear);
  onTestFinished(() => void unsubscribe(LISTENING, hear));
  return servers;
}

const APPS = Array.from({ length: 30 }, (_, n) => ['--app', `app-${n}=mock`]).flat();

test.each([
  ['mock apps', 3, 10],
  ['sidecars', 35, 40],
])('while %s are opened', async (_what, at, most) => {
  const givenUp = new AbortController();
  const servers = listening((count) => count === at && givenUp.abort());
  const flags = [
    '--headless',
    '--ephemeral',
    '--console-port',
    '0',
    '--sidecar-port',
    '0',
    '--app-port',
    '0',
  ];
  const options = readOptions([...flags, '--log-level', 'error', ...APPS], {});
  const failed: unknown = await startProduct(options, undefined, givenUp.signal).catch(
    (error: unknown) => error,
  );
  expect(givenUp.signal.aborted).toBe(true);
  expect(failed).toBe(givenUp.signal.reason);
  expect(servers.length).toBeGreaterThanOrEqual(at);
  expect(servers.length).toBeLessThan(most);
  expect(servers.filter((server) => server.listening)).toEqual([]);
});
