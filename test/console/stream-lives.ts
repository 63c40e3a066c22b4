/** Random runs of the stream over a line that loses and repeats, with a client that follows the rules, or does not look for gaps. */
import { expect } from 'vitest';
import type { Batch, ConsoleEvent, StreamStart } from '../../core/contract/console.ts';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { Console } from '../../core/console/console.ts';
import { logEvent } from '../support/fake-events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { attachPipe, makeBench, settle } from './bench.ts';
import type { PipeEnd } from './bench.ts';

interface Frame {
  readonly id?: number;
  readonly result?: StreamStart;
  readonly method?: string;
  readonly params?: Batch;
}

/** A client that follows the rules: other epoch or `from > last + 1` is a gap; `to <= last` is skipped; else newer events are applied. */
class Client {
  readonly rows = new Map<string, MessageRow>();
  readonly #pipe: PipeEnd;
  readonly #isRuleKept: boolean;
  #epoch: string | undefined;
  #last = 0;
  #opens = 0;
  #isOpening = false;

  constructor(pipe: PipeEnd, isRuleKept = true) {
    this.#pipe = pipe;
    this.#isRuleKept = isRuleKept;
  }

  get last(): number {
    return this.#last;
  }

  get opens(): number {
    return this.#opens;
  }

  open(): void {
    this.#isOpening = true;
    this.#opens += 1;
    const since = this.#epoch === undefined ? {} : { epoch: this.#epoch, since: this.#last };
    this.#pipe.send({ jsonrpc: '2.0', id: this.#opens, method: 'stream.open', params: since });
  }

  acknowledge(): void {
    this.#pipe.send({ jsonrpc: '2.0', method: 'stream.ack', params: { sequence: this.#last } });
  }

  hear(text: string): void {
    const { id, result, method, params } = JSON.parse(text) as Frame;
    if (result !== undefined && id === this.#opens) this.#start(result);
    else if (method === 'stream.reset') this.open();
    else if (method === 'stream.batch' && params !== undefined) this.#take(params);
  }

  #start({ epoch, sequence, missed, snapshot }: StreamStart): void {
    this.#isOpening = false;
    this.#epoch = epoch;
    if (snapshot !== undefined) {
      this.rows.clear();
      for (const row of snapshot.rows) this.rows.set(row.messageId, row);
    }
    for (const event of missed ?? []) this.#apply(event);
    this.#last = sequence;
  }

  #take({ epoch, from, to, events }: Batch): void {
    if (this.#isOpening) return;
    if (epoch !== this.#epoch || (this.#isRuleKept && from > this.#last + 1)) this.open();
    else if (to > this.#last) {
      for (const event of events) if (event.sequence > this.#last) this.#apply(event);
      this.#last = to;
    }
  }

  #apply(event: ConsoleEvent): void {
    if (event.type === 'message.added') this.rows.set(event.row.messageId, event.row);
    if (event.type !== 'delivery.changed') return;
    const row = this.rows.get(event.messageId);
    if (row === undefined) return;
    const others = row.deliveries.filter(({ deliveryId }) => deliveryId !== event.deliveryId);
    this.rows.set(event.messageId, { ...row, deliveries: [...others, event.delivery] });
  }
}

/** A repeatable source of chance. */
export function chance(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Outcome {
  readonly shown: unknown;
  readonly truth: unknown;
  readonly opens: number;
  readonly lost: number;
}

export async function run(seed: number, isRuleKept = true): Promise<Outcome> {
  const random = chance(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  const clock = new ManualClock();
  const { deps, runtime } = makeBench(clock, 5 + pick(120));
  const console = new Console(deps);
  const line: string[] = [];
  const pipe = attachPipe(console, (text) => line.push(text));
  const client = new Client(pipe, isRuleKept);
  const lossRate = random() * 0.5;
  let messages = 0;
  let lost = 0;

  const happen = async (): Promise<void> => {
    const what = random();
    if (messages < 60 && (what < 0.4 || messages === 0)) {
      await runtime.accept();
      messages += 1;
    } else if (what < 0.9) {
      await runtime.move(
        `msg_${1 + pick(messages)}`,
        DELIVERY_STATES[pick(DELIVERY_STATES.length)] ?? 'queued',
      );
    } else runtime.events.add(logEvent('line'));
  };
  const arrive = (isLossy: boolean): void => {
    for (const text of line.splice(0)) {
      const isBatch = text.includes('"stream.batch"');
      if (isLossy && isBatch && random() < lossRate) lost += 1;
      else {
        client.hear(text);
        if (isLossy && isBatch && random() < 0.2) client.hear(text);
      }
    }
  };

  client.open();
  await settle(3);
  for (let step = 0; step < 40; step += 1) {
    for (let n = pick(12); n > 0; n -= 1) await happen();
    clock.advance(pick(80));
    if (random() < 0.7) arrive(true);
    if (random() < 0.6) client.acknowledge();
    if (random() < 0.2) await settle(3);
  }
  // The line is good again, and something happens, so that a gap can be noticed.
  for (let turn = 0; turn < 12 && (turn < 3 || client.last < runtime.events.sequence); turn += 1) {
    if (turn < 2) runtime.events.add(logEvent('last'));
    await settle(3);
    clock.advance(40);
    arrive(false);
    client.acknowledge();
    // Four lost batches in a row leave both sides waiting: silence makes a client connect again.
    if (turn === 5 && client.last < runtime.events.sequence) client.open();
  }
  const page = await runtime.journal.page({ order: 'oldest', limit: 100, nowMs: clock.now() });
  await console.close();
  const byId = [...client.rows.values()].toSorted((a, b) => a.number - b.number);
  return { shown: byId, truth: page.items, opens: client.opens, lost };
}

/** Each of the runs ends with the truth, and they did go through losses and gaps. */
export async function runsEndWithTheTruth(runs: number): Promise<void> {
  let opens = 0;
  let lost = 0;
  for (let seed = 1; seed <= runs; seed += 1) {
    const outcome = await run(seed);
    expect(outcome.shown, `run ${seed}`).toEqual(outcome.truth);
    opens += outcome.opens - 1;
    lost += outcome.lost;
  }
  expect(lost).toBeGreaterThan(runs);
  expect(opens).toBeGreaterThan(runs);
}
