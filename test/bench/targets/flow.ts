/** One measured load on one contender: how much was taken, handed over meanwhile, and in the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppTell, Loaded } from '../messages.ts';
import { cpuMs, memoryMb } from '../processes.ts';
import type { Peer } from '../processes.ts';
import { TOPIC } from './contenders.ts';
import type { Contender } from './contenders.ts';

const DRAIN_MS = 120_000;
const ASK_MS = 30_000;
/** A contender rests when it takes less than this part of a core for this long. */
const REST_MS = 1_500;
const RESTING_PART = 0.07;
const MAX_REST_MS = 20_000;
/** Bytes of padding: a JSON body of 200 bytes. */
const PADDING = 165;

export interface FlowAsk {
  readonly publishers: number;
  readonly seconds: number;
  readonly rate?: number;
  readonly mostMessages?: number;
  /** The app notes each event for `app.ask({ kind: 'arrivals' })`. */
  readonly notes?: boolean;
  /** False: the app does not answer everything in time, so what arrives is not waited for. Default true. */
  readonly isCounted?: boolean;
  /** True: what the contender still has to do afterwards is waited for, so that it does not take time from the next one, and counts in `cpuUs`. */
  readonly untilRest?: boolean;
}

export interface Flow {
  readonly accepted: number;
  readonly refused: number;
  readonly acceptedPerSecond: number;
  /** From the first publish to the last answer of the app. */
  readonly processedPerSecond: number;
  /** Messages that the app had by the end of the load, of those that were taken by then. */
  readonly during: number;
  /** Milliseconds from sending the publish to the app having the message. */
  readonly p50: number;
  readonly p99: number;
  readonly ackP99: number;
  /** Processor time of the contender for each message, in microseconds. */
  readonly cpuUs: number;
  readonly memoryMb: number;
}

/** Runs a load and waits until everything that was taken has arrived. Throws when something is missing. */
export async function flow(
  contender: Contender,
  { app, load }: { readonly app: Peer; readonly load: Peer },
  {
    publishers,
    seconds,
    rate,
    mostMessages = Number.MAX_SAFE_INTEGER,
    notes = false,
    isCounted = true,
    untilRest = false,
  }: FlowAsk,
): Promise<Flow> {
  await app.ask({ kind: 'reset', notes }, ASK_MS);
  const before = await cpuMs(contender.pid);
  const loaded = await load.ask<Loaded>(
    {
      kind: 'load',
      url: contender.url,
      paths: [`/v1.0/publish/pubsub/${TOPIC}`],
      publishers,
      seconds,
      mostMessages,
      padding: PADDING,
      entries: 0,
      ...(rate === undefined ? {} : { rate }),
    },
    seconds * 1_000 + DRAIN_MS,
  );
  const wanted = loaded.messages - loaded.refused;
  const counted = await app.ask<Extract<AppTell, { kind: 'counted' }>>(
    {
      kind: 'count',
      messages: isCounted ? wanted : 0,
      limitMs: DRAIN_MS,
      until: loaded.startedAt + seconds * 1_000,
    },
    DRAIN_MS + ASK_MS,
  );
  if (isCounted && counted.messages < wanted)
    throw new Error(`${contender.name}: ${wanted} messages were taken, ${counted.messages} arrived`);
  if (untilRest) await rested(contender.pid);
  return {
    accepted: wanted,
    refused: loaded.refused,
    acceptedPerSecond: loaded.acceptedByEnd / seconds,
    processedPerSecond: counted.messages / ((counted.lastAt - loaded.startedAt) / 1_000),
    during: counted.byThen / loaded.acceptedByEnd,
    p50: counted.p50,
    p99: counted.p99,
    ackP99: loaded.ackP99,
    cpuUs: (((await cpuMs(contender.pid)) - before) * 1_000) / counted.messages,
    memoryMb: await memoryMb(contender.pid),
  };
}

async function rested(pid: number): Promise<void> {
  const until = performance.now() + MAX_REST_MS;
  let before = await cpuMs(pid);
  while (performance.now() < until) {
    await sleep(REST_MS);
    const now = await cpuMs(pid);
    if (now - before <= REST_MS * RESTING_PART) return;
    before = now;
  }
}
