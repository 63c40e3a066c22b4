/** A console that is loaded at first use: earlier texts are neither lost nor reordered. */
import { expect, test } from 'vitest';
import { LazyConsole } from '../../core/console/lazy-console.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import type { TextPipe } from '../../core/contract/rpc.ts';

class TestPipe implements TextPipe {
  readonly sent: { readonly id?: number }[] = [];
  readonly #takers = new Set<(text: string) => void>();
  readonly #closers = new Set<(reason: string) => void>();

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  onText(take: (text: string) => void): () => void {
    this.#takers.add(take);
    return () => this.#takers.delete(take);
  }

  onClose(done: (reason: string) => void): () => void {
    this.#closers.add(done);
    return () => this.#closers.delete(done);
  }

  ask(id: number): void {
    for (const take of this.#takers)
      take(JSON.stringify({ jsonrpc: '2.0', id, method: 'settings.get', params: {} }));
  }

  close(): void {
    for (const done of [...this.#closers]) done('gone');
  }

  /** Number of callbacks that the server of the pipe holds. */
  get held(): number {
    return this.#takers.size + this.#closers.size;
  }
}

/** Loading the console takes a second and more where many tests run at once. */
const SLOW = { timeout: 15_000 };

const idsOf = (pipe: TestPipe): unknown[] => pipe.sent.flatMap(({ id }) => (id === undefined ? [] : [id]));

test('texts sent before the console is loaded are answered in order', async () => {
  const late = new LazyConsole(makeBench(new ManualClock()).deps);
  const pipe = new TestPipe();
  late.attach(pipe);
  pipe.ask(1);
  pipe.ask(2);
  expect(pipe.sent).toEqual([]);
  await expect.poll(() => idsOf(pipe), SLOW).toEqual([1, 2]);
  pipe.ask(3);
  await expect.poll(() => idsOf(pipe), SLOW).toEqual([1, 2, 3]);
  await late.close();
  expect(pipe.held).toBe(0);
});

test('a client that disconnected before the console was loaded is not served', async () => {
  const { deps } = makeBench(new ManualClock());
  const late = new LazyConsole(deps);
  const pipe = new TestPipe();
  late.attach(pipe);
  pipe.ask(1);
  pipe.close();
  const text = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'settings.get', params: {} });
  const answer = await late.answer(text, new AbortController().signal);
  expect(JSON.parse(answer ?? '')).toMatchObject({ id: 9 });
  expect(pipe.sent).toEqual([]);
  await late.close();
});

test('an unused console is closed without being loaded, and serves no client afterwards', async () => {
  const { deps, log } = makeBench(new ManualClock());
  const late = new LazyConsole(deps);
  await late.close();
  late.attach(new TestPipe());
  await expect
    .poll(() => log.map(({ text }) => text))
    .toContainEqual(expect.stringContaining('A console could not be served: the console is closed'));
});
