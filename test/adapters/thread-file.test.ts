/** Where the code of a thread lies. This file imports the module itself; in `npm test` the others get threads as they were built. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { threadFile } from '../../core/adapters/thread-file.ts';

test('the file of a thread is beside the module that starts it, with the same ending', () => {
  expect(threadFile('thread', 'file:///a/core/check.ts').href).toBe('file:///a/core/thread.ts');
  expect(threadFile('thread', 'file:///a/host/compose.js').href).toBe('file:///a/host/thread.js');
});

test.each(['reader-thread', 'writer-thread'])('the %s of the journal starts from source', async (code) => {
  const module = new URL('../../core/adapters/sqlite-journal/thread.ts', import.meta.url);
  const worker = new Worker(threadFile(code, module.href));
  onTestFinished(async () => void (await worker.terminate()));
  worker.postMessage({ kind: 'end' });
  expect(await once(worker, 'exit')).toEqual([0]);
});
