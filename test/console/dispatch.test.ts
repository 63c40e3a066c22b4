/** Calls whose client has disconnected. */
import { expect, test } from 'vitest';
import type { Caller, MethodTable } from '../../core/console/caller.ts';
import { createDispatch } from '../../core/console/dispatch.ts';
import { errorText } from '../../core/contract/error-text.ts';

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

test('a call that ends because its client is gone is no bug, and nobody is answered', async () => {
  const called = await call((signal) => signal.reason, true);
  expect(called).toEqual({ answer: undefined, lines: [] });
});

test('a bug is told, whether its client is still there or not', async () => {
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
