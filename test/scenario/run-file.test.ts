/** A scenario file whose instance cannot be stopped when the run is interrupted. */
import { expect, test } from 'vitest';
import type { RunningInstance } from '../../core/testing/instance.ts';
import { runFile } from '../../core/testing/run-file.ts';

test('an instance that cannot be stopped at an interrupt is reported once, with the reason', async () => {
  const abort = new AbortController();
  const instance: Pick<RunningInstance, 'at' | 'rpc' | 'stop'> = {
    get at(): RunningInstance['at'] {
      // The file is interrupted while its first app is started.
      abort.abort();
      throw new Error('interrupted');
    },
    rpc: Object.create(null) as RunningInstance['rpc'],
    stop: () => Promise.reject(new Error('the port does not close')),
  };
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const result = await runFile(
    { file: 'a', path: '/a', scenario: { app: { url: 'http://127.0.0.1:9' }, steps: [] } },
    {
      keep: false,
      environmentOf: () => ({}),
      startProgram: () => {
        throw new Error('no program is started');
      },
      start: async () => instance as RunningInstance,
      signal: abort.signal,
    },
  );
  // A rejection without a handler is reported in a later turn.
  await new Promise((resolve) => setTimeout(resolve, 0));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  expect(result).toMatchObject({ status: 'failed', trouble: 'it could not be run: the port does not close' });
});
