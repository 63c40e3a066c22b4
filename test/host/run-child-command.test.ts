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
    announce: () => undefined,
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

test('a signal is heard as soon as the command runs: on a busy machine it runs before its start returns', async () => {
  const before = process.listenerCount('SIGTERM');
  const heard: number[] = [];
  const note = (): void => void heard.push(process.listenerCount('SIGTERM') - before);
  const product = {
    started: note,
    onShutdown: () => undefined,
    stop: () => Promise.resolve(),
  };
  const common = { env: process.env, appId: 'app', announce: note };
  await runChildCommand(product, { ...common, program: process.execPath, args: ['-e', ''] });
  expect(heard).toEqual([1, 1]);
  const missing = runChildCommand(product, { ...common, program: '', args: [] });
  await expect(missing).rejects.toThrow('the command could not be started');
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

test.skipIf(process.platform === 'win32')(
  'a first signal while what the command has left is ended leaves no timer behind, a second one kills it',
  async () => {
    const set = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => void [set, cleared].map((spy) => spy.mockRestore()));
    const stopped: unknown[] = [];
    const pids: number[] = [];
    const ended = runChildCommand(
      {
        started: (all) => void pids.push(...all.map(({ pid }) => pid)),
        onShutdown: () => undefined,
        stop: async (how) => void stopped.push(how),
      },
      // What a shell ignores, its children ignore too.
      {
        program: 'sh',
        args: ['-c', "trap '' TERM INT; sleep 60 & exit 3"],
        env: process.env,
        appId: 'app',
        announce: () => undefined,
      },
    );
    await vi.waitFor(() => expect(() => process.kill(pids[0] ?? 0, 0)).toThrow());
    const now = vi.spyOn(performance, 'now');
    onTestFinished(() => now.mockRestore());
    for (const ms of [0, 600]) {
      now.mockReturnValue(ms);
      process.emit('SIGINT');
    }
    now.mockRestore();
    expect([await ended, stopped]).toEqual([130, ['at-once']]);
    const killers = set.mock.results.filter((_, i) => set.mock.calls[i]?.[1] === 5_000);
    expect(killers).toHaveLength(1);
    for (const { value } of killers) expect(cleared).toHaveBeenCalledWith(value);
  },
);
