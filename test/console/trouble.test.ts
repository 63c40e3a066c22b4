/** Errors during the handling of errors: the request is answered anyway. */
import { expect, test } from 'vitest';
import { Console } from '../../core/console/console.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { JournalError } from '../../core/ports/journal.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';

async function call(console: Console, method: string, params: unknown = {}): Promise<unknown> {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return JSON.parse((await console.answer(text, new AbortController().signal)) ?? '');
}

test('an error while a refusal is encoded is answered as an internal error', async () => {
  const bench = makeBench(new ManualClock());
  bench.runtime.failure = new Refusal('NOT_FOUND', {}, { data: { size: 5n } });
  const internal = { id: 1, error: { code: -32603, data: { code: 'INTERNAL' } } };
  expect(await call(new Console(bench.deps), 'holds.list')).toMatchObject(internal);
  const console = new Console({
    ...bench.deps,
    publishAnswer: () => {
      throw new Error('no body');
    },
  });
  expect(await call(console, 'messages.publish', { pubsubname: 'nope', topic: 't', data: 1 })).toMatchObject(
    internal,
  );
  expect(bench.log.map(({ level }) => level)).toEqual(['error', 'error']);
});

test('where the history cannot be used, the caller hears why', async () => {
  const bench = makeBench(new ManualClock());
  const cause = new Error('the disk of /data is gone');
  bench.runtime.failure = new JournalError('broken', 'the history in /data failed: disk I/O error', {
    cause,
  });
  expect(await call(new Console(bench.deps), 'holds.list')).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: {
      code: -32603,
      message: 'Sidelight cannot read or write its records now: the history in /data failed: disk I/O error.',
      data: { code: 'INTERNAL', logId: expect.stringMatching(/^log_/) },
    },
  });
  expect(bench.log.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^log_\S+: holds\.list failed: JournalError: the history in \/data failed: disk I\/O error\n.*trouble\.test/s,
    ),
  ]);
  expect(bench.log[0]?.text).toContain('caused by Error: the disk of /data is gone\n');
});

test('a bug in a thread of the history is answered as every other bug, and its stack is logged', async () => {
  const bench = makeBench(new ManualClock());
  const text = 'the history in /data failed: Cannot read properties of undefined';
  bench.runtime.failure = new JournalError('bug', text, { cause: 'TypeError: at Reader.get' });
  expect(await call(new Console(bench.deps), 'holds.list')).toMatchObject({
    error: { message: new Refusal('INTERNAL').message, data: { code: 'INTERNAL' } },
  });
  expect(bench.log[0]?.text).toContain(text);
  expect(bench.log[0]?.text).toContain('caused by TypeError: at Reader.get');
});
