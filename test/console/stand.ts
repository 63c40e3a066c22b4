/** A console on a clock that stands still, with one pipe, and what its tests do again and again. */
import type { Notifications, StreamStart } from '../../core/contract/console.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import type { GroupRow } from '../../core/contract/view.ts';
import { Console } from '../../core/console/console.ts';
import type { FakeRuntime } from '../support/fake-runtime.ts';
import { logEvent } from '../support/fake-events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { attachPipe, makeBench, settle } from './bench.ts';
import type { Bench, PipeEnd } from './bench.ts';
import { answerIn, batchesIn, notificationsIn } from './read-frames.ts';

export interface Answer {
  readonly id?: unknown;
  readonly result?: {
    viewId: string;
    total: number;
    sequence: number;
    progress?: { done: number; of: number };
    rows: MessageRow[];
    groups?: { index: number; group: GroupRow }[];
    /** Position at which the rows go on. */
    next?: number;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data: object };
}

/** Longest wait for an answer while the journal is not being read, in ms of the machine. */
const PATIENCE_MS = 15_000;
/** Turns of the event loop without a read of the journal after which nothing runs that is not waiting for time. */
const QUIET_TURNS = 10;

export class Stand {
  readonly clock = new ManualClock();
  readonly bench: Bench;
  readonly console: Console;
  readonly pipe: PipeEnd;
  #asked = 0;

  constructor(ringSize?: number) {
    this.bench = makeBench(this.clock, ringSize);
    this.console = new Console(this.bench.deps);
    this.pipe = attachPipe(this.console);
  }

  get runtime(): FakeRuntime {
    return this.bench.runtime;
  }

  attach(): PipeEnd {
    return attachPipe(this.console);
  }

  log(count: number, text = 'line'): void {
    for (let n = 0; n < count; n += 1) this.runtime.events.add(logEvent(text));
  }

  async accept(count: number, row: (n: number) => Partial<MessageRow> = () => ({})): Promise<void> {
    for (let n = 0; n < count; n += 1) await this.runtime.accept(row(n));
  }

  async ask(method: string, params: object = {}, end = this.pipe): Promise<Answer> {
    this.#asked += 1;
    const id = `ask-${this.#asked}`;
    end.send({ jsonrpc: '2.0', id, method, params });
    for (
      const untilMs = performance.now() + PATIENCE_MS;
      performance.now() < untilMs || this.runtime.isReading;
    ) {
      await settle(1);
      const found = end.texts.find((text) => text.includes(`"id":"${id}"`));
      if (found !== undefined) return JSON.parse(found);
    }
    throw new Error(`${method} was not answered`);
  }

  /** Starts the stream; forgets what the pipe had heard before. */
  async start(params: object = {}, end = this.pipe): Promise<StreamStart> {
    end.texts.length = 0;
    end.send({ jsonrpc: '2.0', id: 'start', method: 'stream.open', params });
    await settle();
    return answerIn(end.texts, 'start') as StreamStart;
  }

  ack(sequence: number, end = this.pipe): void {
    end.send({ jsonrpc: '2.0', method: 'stream.ack', params: { sequence } });
  }

  /** `from` and `to` of every batch heard. */
  spans(end = this.pipe): readonly (readonly [number, number])[] {
    return batchesIn(end.texts).map(({ from, to }) => [from, to] as const);
  }

  told<N extends keyof Notifications>(method: N, end = this.pipe): readonly Notifications[N][] {
    return notificationsIn(end.texts, method);
  }

  async view(params: object = {}, end = this.pipe): Promise<NonNullable<Answer['result']>> {
    const { result, error } = await this.ask('view.open', params, end);
    if (result === undefined) throw new Error(error?.message);
    return result;
  }

  async numbers(viewId: string, from: number, count: number): Promise<readonly number[]> {
    const { result } = await this.ask('view.rows', { viewId, from, count });
    return result?.rows.map(({ number }) => number) ?? [];
  }

  news(viewId: string): readonly Notifications['view.changed'][] {
    return this.told('view.changed').filter((told) => told.viewId === viewId);
  }

  /** Lets batches, searches and notifications run. */
  async rhythm(turns = 3): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) {
      this.clock.advance(34);
      await this.#quiet();
    }
  }

  /** Lets everything run until the journal has not been read for some turns: a number of turns alone says nothing on a busy machine. */
  async #quiet(): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS;) {
      await settle(1);
      turns = this.runtime.isReading ? 0 : turns + 1;
    }
  }

  /** Lets time pass until it is so: on a busy machine a slice of a search is followed by a rest of its own length. */
  async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    do await this.rhythm();
    while (!(await isSo()));
  }

  /** Lets time pass until the view says that it has looked at every message. */
  found(viewId: string): Promise<void> {
    return this.until(() => {
      const last = this.news(viewId).at(-1);
      return last !== undefined && last.progress === undefined;
    });
  }
}
