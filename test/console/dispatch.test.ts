/** Calls whose client has disconnected. */
import { expect, onTestFinished, test, vi } from 'vitest';
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

test('other work goes on between the requests of a batch, each of which takes long', async () => {
  const order: string[] = [];
  const table = {
    'apps.list': () => {
      order.push('request');
      setImmediate(() => order.push('other work'));
      const until = performance.now() + 10;
      while (performance.now() < until);
      return { items: [], nextCursor: null };
    },
  } as unknown as MethodTable;
  const dispatch = createDispatch(table, {} as never, () => Promise.resolve());
  const request = { jsonrpc: '2.0', id: 1, method: 'apps.list' };
  await dispatch(JSON.stringify([request, request, request]), callerWith(new AbortController().signal));
  expect(order.slice(0, 5)).toEqual(['request', 'other work', 'request', 'other work', 'request']);
});

test('of many reads of whole messages two run at a time, and a client without room waits', async () => {
  const ends: (() => void)[] = [];
  const table = {
    'messages.get': () => new Promise((end) => ends.push(() => end({ messageId: 'm' }))),
  } as unknown as MethodTable;
  const dispatch = createDispatch(table, {} as never, () => Promise.resolve());
  const signal = new AbortController().signal;
  const room = { isFull: true, wait: () => new Promise<void>((go) => void roomy.push(go)) };
  const roomy: (() => void)[] = [];
  const text = '{"jsonrpc":"2.0","id":1,"method":"messages.get","params":{"messageId":"m"}}';
  const late = dispatch(text, { signal, room } as unknown as Caller);
  const answers = [1, 2, 3, 4].map(() => dispatch(text, { signal } as Caller));
  await expect.poll(() => ends.length).toBe(2);
  for (let n = 2; n < 4; n += 1) {
    ends[n - 2]?.();
    await expect.poll(() => ends.length).toBe(n + 1);
  }
  for (const end of ends) end();
  expect(await Promise.all(answers)).toEqual(
    answers.map(() => '{"jsonrpc":"2.0","id":1,"result":{"messageId":"m"}}'),
  );
  expect(ends).toHaveLength(4);
  room.isFull = false;
  for (const go of roomy) go();
  await expect.poll(() => ends.length).toBe(5);
  ends[4]?.();
  expect(await late).toContain('"result"');
});

test('a client that disconnects while its read waits leaves its place to others', async () => {
  const gone = new AbortController();
  const table = { 'messages.get': () => ({ messageId: 'm' }) } as unknown as MethodTable;
  const dispatch = createDispatch(table, {} as never, () => Promise.resolve());
  const room = { isFull: true, wait: async () => gone.abort() };
  const text = '{"jsonrpc":"2.0","id":1,"method":"messages.get","params":{"messageId":"m"}}';
  for (let n = 0; n < 3; n += 1)
    expect(await dispatch(text, { signal: gone.signal, room } as unknown as Caller)).toBeUndefined();
  const { signal } = new AbortController();
  expect(await dispatch(text, { signal } as Caller)).toContain('"result"');
});

test('large requests are read one in a turn of the event loop', async () => {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  const turns: number[] = [];
  const whole = JSON.parse;
  const parse = vi.spyOn(JSON, 'parse').mockImplementation((text: string) => {
    turns.push(turn);
    return whole(text);
  });
  onTestFinished(() => parse.mockRestore());
  const table = { 'drafts.set': () => ({ savedAt: '' }) } as unknown as MethodTable;
  const dispatch = createDispatch(table, {} as never, () => Promise.resolve());
  const caller = { signal: new AbortController().signal, afterAnswer: () => undefined } as unknown as Caller;
  const params = { drafts: 'x'.repeat(300_000) };
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'drafts.set', params });
  await Promise.all(Array.from({ length: 10 }, () => dispatch(text, caller)));
  isOver = true;
  expect(new Set(turns).size).toBe(10);
});

test('other work goes on between the reading of a large request and its run', async () => {
  const order: string[] = [];
  const whole = JSON.parse;
  const parse = vi.spyOn(JSON, 'parse').mockImplementation((text: string) => {
    order.push('read');
    setImmediate(() => order.push('other work'));
    return whole(text);
  });
  onTestFinished(() => parse.mockRestore());
  const table = {
    'drafts.set': () => {
      order.push('run');
      return { savedAt: '' };
    },
  } as unknown as MethodTable;
  const dispatch = createDispatch(table, {} as never, () => Promise.resolve());
  const params = { drafts: 'x'.repeat(300_000) };
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'drafts.set', params });
  await dispatch(text, callerWith(new AbortController().signal));
  expect(order).toEqual(['read', 'other work', 'run']);
});

/** A console that notes how long the text of each call was, or the negative number of an acknowledgement; and a request of that length. */
function drafts(): {
  readonly run: number[];
  readonly dispatch: ReturnType<typeof createDispatch>;
  readonly textOf: (length: number) => string;
} {
  const run: number[] = [];
  const table = {
    'drafts.set': ({ drafts: text }: { readonly drafts: string }) => {
      run.push(text.length);
      return { savedAt: '' };
    },
    'stream.ack': ({ sequence }: { readonly sequence: number }) => void run.push(-sequence),
  } as unknown as MethodTable;
  return {
    run,
    dispatch: createDispatch(table, {} as never, () => Promise.resolve()),
    textOf: (length) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'drafts.set',
        params: { drafts: 'x'.repeat(length) },
      }),
  };
}

function callerWith(signal: AbortSignal): Caller {
  return { signal, afterAnswer: () => undefined } as unknown as Caller;
}

test('the requests of a client run in their order, whatever their length is', async () => {
  const { run, dispatch, textOf } = drafts();
  const { signal } = new AbortController();
  // A connection has one signal; each of its requests has a caller of its own.
  const lengths = [300_000, 1, 2, 400_000, 3];
  const own = lengths.map((length) => dispatch(textOf(length), callerWith(signal)));
  await Promise.all([...own, dispatch(textOf(4), callerWith(new AbortController().signal))]);
  // A small one of another client waits for nobody.
  expect(run).toEqual([4, ...lengths]);
});

test('an acknowledgement waits for no large request of its client', async () => {
  const { run, dispatch, textOf } = drafts();
  const { signal } = new AbortController();
  const large = dispatch(textOf(300_000), callerWith(signal));
  const text = '{"jsonrpc":"2.0","id":1,"method":"stream.ack","params":{"sequence":7}}';
  await Promise.all([large, dispatch(text, callerWith(signal))]);
  expect(run).toEqual([-7, 300_000]);
});
