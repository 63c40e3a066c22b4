/**
 * Publishes of the single form, once or many times, with their results; they go on while another screen is
 * shown.
 */
import { createStore } from 'zustand/vanilla';
import type { PublishParams } from '../../core/contract/publish.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import type { RpcClient, RpcFailure } from '../client/rpc-client.ts';
import { PUBLISH } from '../copy/publish.ts';
import { showPublished, type ArrivalDependencies } from './show-published.ts';
import { asFailure } from './resource.ts';
import type { Saved } from './saved.ts';
import type { ReadableStore } from './store.ts';

/** Result: for one publish its answer, for many the number of each status. */
export interface PublishAnswerState {
  readonly status: number | undefined;
  readonly failure: RpcFailure | undefined;
  readonly messageId: string | undefined;
  readonly tookMs: number;
  readonly counts: Readonly<Record<string, number>>;
}

export interface RunState {
  readonly answer?: PublishAnswerState;
  readonly running?: { readonly done: number; readonly of: number };
}

export interface Repeat {
  readonly times: number;
  readonly everyMs: number;
}

export interface PublishRuns {
  /** Runs by the id of the draft's tab. */
  readonly store: ReadableStore<{ readonly runs: Readonly<Record<number, RunState>> }>;
  send(tab: number, request: PublishParams, how: Repeat): Promise<void>;
  stop(tab: number): void;
  dispose(): void;
}

export interface PublishRunsDependencies extends ArrivalDependencies {
  readonly call: RpcClient['call'];
  readonly saved: Saved;
}

/** Status that the HTTP route would have answered; undefined: there was no answer. */
function statusOf(failure: RpcFailure): number | undefined {
  const { status } = failure.data;
  return typeof status === 'number' ? status : undefined;
}

/** Makes the runs of one window. */
export function createPublishRuns(deps: PublishRunsDependencies): PublishRuns {
  const { call, saved } = deps;
  const store = createStore<{ readonly runs: Readonly<Record<number, RunState>> }>(() => ({ runs: {} }));
  const stops = new Map<number, AbortController>();

  function put(tab: number, run: RunState): void {
    store.setState(({ runs }) => ({ runs: { ...runs, [tab]: run } }));
  }

  async function once(request: PublishParams): Promise<Omit<PublishAnswerState, 'counts'>> {
    const began = performance.now();
    const took = (): number => performance.now() - began;
    try {
      const { messageId } = await call('requests.run', { request });
      return { status: 204, failure: undefined, messageId, tookMs: took() };
    } catch (reason) {
      const failure = asFailure(reason);
      return { status: statusOf(failure), failure, messageId: undefined, tookMs: took() };
    }
  }

  async function send(tab: number, request: PublishParams, { times, everyMs }: Repeat): Promise<void> {
    if (stops.has(tab)) return;
    const stop = new AbortController();
    stops.set(tab, stop);
    const counts: Record<string, number> = {};
    let answer: PublishAnswerState | undefined;
    for (let done = 0; done < times && !stop.signal.aborted; done += 1) {
      put(tab, { ...withoutUndefined({ answer }), running: { done, of: times } });
      const last = await once(request);
      const name = String(last.status ?? last.failure?.code);
      counts[name] = (counts[name] ?? 0) + 1;
      answer = { ...last, counts: { ...counts } };
      if (everyMs > 0 && done + 1 < times) await rest(everyMs, stop.signal);
    }
    stops.delete(tab);
    put(tab, answer === undefined ? {} : { answer });
    // A person looks for what they have just sent: the list does not wait for its next turn.
    void saved.requests.refresh();
    const messageId = answer?.messageId;
    if (times === 1 && messageId !== undefined) showPublished(deps, messageId, PUBLISH.accepted, '/publish');
  }

  return {
    store,
    send,
    stop: (tab) => stops.get(tab)?.abort(),
    dispose() {
      for (const stop of stops.values()) stop.abort();
    },
  };
}

/** Waits; ends at once when it is stopped. */
function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
