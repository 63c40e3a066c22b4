/** What the filter field knows of recent messages, also where they cannot be read or have names without an end. */
import { expect, test, vi } from 'vitest';
import { Console } from '../../core/console/console.ts';
import { JournalError } from '../../core/ports/journal.ts';
import { delivered } from '../adapters/journal-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';

interface Answer {
  readonly result: {
    readonly ok?: boolean;
    readonly items: readonly { readonly label: string }[];
  };
}

function makeStand() {
  const clock = new ManualClock();
  const bench = makeBench(clock);
  const console = new Console(bench.deps);
  return {
    ...bench,
    clock,
    call: async (method: string, params: unknown): Promise<Answer> => {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      return JSON.parse((await console.answer(text, new AbortController().signal)) ?? '');
    },
  };
}

test('a filter is checked, and its words are offered, while the history cannot be read', async () => {
  const { runtime, log, call, clock } = makeStand();
  await runtime.accept({}, { order: { total: 2950 } });
  const page = vi.spyOn(runtime.journal, 'page');
  page.mockRejectedValue(new JournalError('broken', 'the log is mended'));
  expect(await call('filter.check', { filter: 'topic:orders' })).toMatchObject({ result: { ok: true } });
  expect(await call('filter.check', { filter: 'topic:' })).toMatchObject({ result: { ok: false } });
  const late = { filter: 'topic:orders attempts:>2' };
  expect(await call('filter.check', { ...late, at: 'publish' })).toMatchObject({
    result: { ok: true, never: ['attempts>2'] },
  });
  expect(await call('filter.check', { ...late, at: 'delivery' })).not.toHaveProperty('result.never');
  const { result } = await call('filter.complete', { filter: 'top', cursor: 3 });
  expect(result.items).toContainEqual(expect.objectContaining({ label: 'topic' }));
  expect(log.map(({ text }) => text).join('\n')).toContain('the log is mended');
  page.mockRestore();
  clock.advance(2000);
  expect(await call('filter.check', { filter: 'total>2900' })).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { ok: true, meant: 'data.order.total>2900' },
  });
});

test('names of hundreds of characters are not offered, nor is anything in them', async () => {
  const { runtime, call } = makeStand();
  await runtime.accept({ eventType: 't'.repeat(2000) }, { ['x'.repeat(300)]: { inner: 1 }, xshort: 1 });
  const { result } = await call('filter.complete', { filter: 'data.x', cursor: 6 });
  expect(result.items.map(({ label }) => label)).toEqual(['data.xshort']);
  const types = await call('filter.complete', { filter: 'type:t', cursor: 6 });
  expect(types.result.items).toEqual([]);
});

test('a member has one kind only if all payloads have it, however many others come before it', async () => {
  const { runtime, call } = makeStand();
  const others = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`other${n}`, n]));
  await runtime.accept({}, { ...others, code: 'A-7' });
  // The newest message is read first.
  await runtime.accept({}, { code: 1001 });
  const { result } = await call('filter.check', { filter: 'data.code:"1001"' });
  expect(result).toEqual({ ok: true });
});

test('a text that only an answer has is meant as words of answers', async () => {
  const { runtime, call } = makeStand();
  await runtime.accept({}, { total: 1 });
  const response = { status: 500, headers: {}, body: '{"error":"Cannot read"}' };
  await runtime.journal.append([delivered(1, 'retrying', { attempt: { response } })]);
  const { result } = await call('filter.check', { filter: '"Cannot read"' });
  expect(result).toEqual({ ok: true, meant: 'answer:"Cannot read"' });
});
