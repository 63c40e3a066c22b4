/** Messages that match a filter, read page by page while others come. */
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import type { Method, Params, Result } from '../../core/contract/console.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { InstanceGone } from '../../core/scenario/rpc.ts';
import type { Rpc } from '../../core/scenario/rpc.ts';
import { untilFound } from '../../core/scenario/until.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A list to which messages come after each page that is read. */
class GrowingList implements Rpc {
  readonly ended = new Promise<void>(() => undefined);
  #numbers: readonly number[];
  readonly #each: number;

  /** @param each how many come between two pages */
  constructor(total: number, each: number) {
    this.#numbers = numbersTo(total);
    this.#each = each;
  }

  async call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    // A double answers with the little that is looked at.
    return this.#answer(method, params as { readonly from?: number; readonly count?: number }) as Result<M>;
  }

  #answer(
    method: Method,
    { from = 0, count = 0 }: { readonly from?: number; readonly count?: number },
  ): unknown {
    if (method === 'view.open') return { viewId: 'view', total: this.#numbers.length, sequence: 0 };
    if (method !== 'view.rows') return null;
    const numbers = this.#numbers.slice(from, from + count);
    const total = this.#numbers.length;
    if (count > 0) this.#numbers = numbersTo(total + this.#each);
    return { rows: numbers.map((number) => ({ number })), total };
  }

  onViewChanged(): () => void {
    return () => undefined;
  }

  close(): void {
    // There is nothing to close.
  }
}

/** The newest first. */
function numbersTo(newest: number): readonly number[] {
  return Array.from({ length: newest }, (_, nth) => newest - nth);
}

test('a message that moves to the next page while others come counts once', async () => {
  const rpc = new GrowingList(900, 100);
  let found: readonly MessageRow[] = [];
  await untilFound({ rpc, clock: systemClock() }, 'topic:orders', 1000, async ({ rows }) => {
    found = await rows(0, 1000);
    return true;
  });
  expect(new Set(found.map(({ number }) => number)).size).toBe(found.length);
  expect(found).toHaveLength(900);
});

test('an abandoned wait closes its view at once', async () => {
  const rpc = new GrowingList(0, 0);
  const asked: Method[] = [];
  const call = rpc.call.bind(rpc);
  rpc.call = async (method, params) => {
    asked.push(method);
    return await call(method, params);
  };
  const ending = new AbortController();
  const never = async (): Promise<undefined> => {
    ending.abort();
  };
  const at = { rpc, clock: systemClock(), signal: ending.signal };
  expect(await untilFound(at, 'topic:orders', 3_600_000, never)).toBeUndefined();
  expect(asked.at(-1)).toBe('view.close');
  expect(await untilFound(at, 'topic:orders', 3_600_000, async () => undefined)).toBeUndefined();
});

test('an instance that answers nothing ends a wait ten seconds after its time', async () => {
  const clock = new ManualClock();
  const rpc = new GrowingList(0, 0);
  rpc.call = () => new Promise(() => undefined);
  let failed: unknown;
  const waiting = untilFound({ rpc, clock }, 'topic:orders', 3000, async () => undefined).catch(
    (error: unknown) => (failed = error),
  );
  clock.advance(12_999);
  await Promise.resolve();
  expect(failed).toBeUndefined();
  clock.advance(1);
  await waiting;
  expect(failed).toBeInstanceOf(InstanceGone);
  expect(clock.waiting).toBe(0);
});

test('an instance whose last look takes long is not said to be silent', async () => {
  const clock = new ManualClock();
  const rpc = new GrowingList(0, 0);
  let looks = 0;
  let end: (result: string) => void = () => undefined;
  const waiting = untilFound({ rpc, clock }, 'topic:orders', 3000, () => {
    looks += 1;
    return new Promise<string>((resolve) => (end = resolve));
  });
  await vi.waitFor(() => expect(looks).toBe(1));
  for (let seconds = 0; seconds < 60; seconds += 1) {
    clock.advance(1000);
    await Promise.resolve();
  }
  end('found');
  expect(await waiting).toBe('found');
  expect(clock.waiting).toBe(0);
});

test('an instance that stops answering during a long last look is gone', async () => {
  const clock = new ManualClock();
  const rpc = new GrowingList(0, 0);
  let looks = 0;
  const waiting = untilFound({ rpc, clock }, 'topic:orders', 3000, () => {
    looks += 1;
    return new Promise<undefined>(() => undefined);
  });
  await vi.waitFor(() => expect(looks).toBe(1));
  clock.advance(3000);
  await Promise.resolve();
  rpc.call = () => new Promise(() => undefined);
  const failed = waiting.catch((error: unknown) => error);
  clock.advance(20_000);
  expect(await failed).toBeInstanceOf(InstanceGone);
  expect(clock.waiting).toBe(0);
});
