/** A console without carriers: methods are called and answered as JSON-RPC, in memory. */
import { expect } from 'vitest';
import type { Method, Params, Result } from '../../core/contract/console.ts';
import { Console } from '../../core/console/console.ts';
import { mustBeDeclared } from '../support/declared-result.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import type { Bench } from './bench.ts';

export interface InMemoryConsole extends Bench {
  readonly console: Console;
  readonly clock: ManualClock;
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
  refused<M extends Method>(method: M, params: Params<M>): Promise<unknown>;
}

export function inMemoryConsole(clock = new ManualClock(), bench = makeBench(clock)): InMemoryConsole {
  const console = new Console(bench.deps);
  async function ask(method: string, params: unknown): Promise<{ result?: unknown; error?: unknown }> {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await console.answer(text, new AbortController().signal);
    return JSON.parse(answer ?? '{}');
  }
  return {
    ...bench,
    console,
    clock,
    async call(method, params) {
      const { result, error } = await ask(method, params);
      expect(error).toBeUndefined();
      mustBeDeclared(method, result);
      return result as Result<typeof method>;
    },
    async refused(method, params) {
      return (await ask(method, params)).error;
    },
  };
}
