/** How a second signal ends a command and the product beside it. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { runChildCommand } from '../../core/host/run-child-command.ts';

/** A command that takes no notice of SIGINT, and the ways in which the product beside it was stopped. */
async function stoppedAfter(...atMs: readonly number[]): Promise<readonly unknown[]> {
  const stopped: unknown[] = [];
  const product = {
    started: () => undefined,
    onShutdown: () => undefined,
    stop: async (how: unknown) => void stopped.push(how),
  };
  const now = vi.spyOn(performance, 'now');
  onTestFinished(() => now.mockRestore());
  const ended = runChildCommand(product, {
    program: process.execPath,
    args: ['-e', 'setInterval(() => undefined, 1000)'],
    env: process.env,
    appId: 'app',
  });
  for (const ms of atMs) {
    now.mockReturnValue(ms);
    process.emit('SIGINT');
  }
  now.mockRestore();
  await ended;
  return stopped;
}

test('after one signal the product stops gracefully', async () => {
  expect(await stoppedAfter(0)).toEqual(['in-order']);
});

test('after a second signal the product waits for no call', async () => {
  expect(await stoppedAfter(0, 600)).toEqual(['at-once']);
});
