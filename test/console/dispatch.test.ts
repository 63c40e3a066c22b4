/** Calls whose client has disconnected. */
import { expect, test } from 'vitest';
import type { Caller, MethodTable } from '../../core/console/caller.ts';
import { createDispatch } from '../../core/console/dispatch.ts';
import { errorText } from '../../core/contract/error-text.ts';
import { MAX_BATCH_ANSWER } from '../../core/contract/rpc.ts';

interface Called {
  readonly answer: string | undefined;
  readonly lines: readonly string[];
}

/** One call of a method that fails with `fail`, over a connection that may be gone. */
async function call(fail: (signal: AbortSignal) => unknown, isGone: boolean): Promise<Called> {
  const lines: string[] = [];
  const gone = new AbortController();
  if (isGone) gone.abort();
  const table = {
    'messages.list': async () => Promise.reject(fail(gone.signal)),
  } as unknown as MethodTable;
  const log = {
    write: (level: string, _source: string, text: string) => void lines.push(`${level} ${text}`),
  };
  const publishAnswer = (): never => {
    throw new Error('nothing is published here');
  };
  const ids = { hex: () => 'abc' };
  const dispatch = createDispatch(table, { log, ids, publishAnswer } as never, () => Promise.resolve());
  const caller = { signal: gone.signal, afterAnswer: () => undefined } as unknown as Caller;
  const answer = await dispatch('{"jsonrpc":"2.0","id":1,"method":"messages.list","params":{}}', caller);
  return { answer, lines };
}

test('a call that ends because its client disconnected is no bug, and gets no answer', async () => {
  const called = await call((signal) => signal.reason, true);
  expect(called).toEqual({ answer: undefined, lines: [] });
});

test('a bug is logged, even if its client has disconnected', async () => {
  for (const isGone of [true, false]) {
    const { answer, lines } = await call(() => new Error('a bug'), isGone);
    expect(answer).toContain('INTERNAL');
    expect(lines).toEqual([expect.stringContaining('messages.list failed: Error: a bug')]);
  }
});

test('an abort of something else is a bug', async () => {
  const other = new AbortController();
  other.abort();
  const { lines } = await call(() => other.signal.reason, false);
  expect(lines).toEqual([expect.stringContaining(errorText(other.signal.reason))]);
});

test('requests of a batch are not run once the answers before them are too long together', async () => {
  let runs = 0;
  const table = {
    'apps.list': () => {
      runs += 1;
      return { items: 'x'.repeat(MAX_BATCH_ANSWER / 2), nextCursor: null };
    },
  } as unknown as MethodTable;
  const dispatch = createDispatch(table, {} as never, () => Promise.resolve());
  const caller = { signal: new AbortController().signal } as Caller;
  const requests = [1, 2, 3, undefined, 4].map((id) => ({ jsonrpc: '2.0', id, method: 'apps.list' }));
  const text = (await dispatch(JSON.stringify(requests), caller)) ?? '';
  const answers: readonly { id: number; error?: { message: string; data: object } }[] = JSON.parse(text);
  expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  // The request without an id has no answer that could say that it was not run.
  expect(runs).toBe(3);
  expect(answers[3]?.error).toMatchObject({
    message: expect.stringContaining('This request was not run'),
    data: { code: 'TOO_LARGE', expected: 'at most 32 MiB of answers in a batch' },
  });
});
