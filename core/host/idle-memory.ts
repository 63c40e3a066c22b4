/**
 * Returns memory to the system when the product is idle. V8 collects garbage only while a program makes
 * objects, so the memory of a flood would stay taken during the rest. One collection takes some tens of
 * milliseconds, in which a message may have to wait.
 */
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { collectGarbage } from '../adapters/collect-garbage.ts';

/** Interval between two checks. */
const POLL_INTERVAL_MS = 1000;
/**
 * Number of events between two checks that still counts as idle; otherwise an occasional message would keep a
 * flood's garbage for hours.
 */
const FEW_EVENTS = 10;
/** Share of the time between two checks in which other work still counts as idle: an import or an export makes few events. */
const LITTLE_WORK = 0.25;
/** Idle checks in a row before memory is returned. */
const QUIET_LOOKS = 2;
/**
 * Growth below which no collection is made. A collection also shrinks the young generation and drops what V8
 * learnt about removed objects, so the next thousands of messages take longer.
 */
const WORTH_BYTES = 128 * 1024 * 1024;

export interface HeapPorts {
  /** Bytes that the heap has taken from the system. */
  readonly taken: () => number;
  readonly collect: () => void;
}

export class IdleMemory {
  readonly #ports: HeapPorts;
  readonly #events: () => number;
  readonly #busy: () => number;
  #last: number;
  #quiet = 0;
  /** Smallest number of bytes that was taken since the last collection. */
  #least = Infinity;

  /**
   * Makes the check.
   * @param events returns the number of events so far
   * @param busy returns the share of the time since its last call in which the event loop was busy, from 0 to 1
   */
  constructor(events: () => number, ports: HeapPorts = HEAP, busy: () => number = () => 0) {
    this.#events = events;
    this.#busy = busy;
    this.#ports = ports;
    this.#last = events();
  }

  /** Checks; to be called regularly. Collects once after each phase of work that made the heap grow much. */
  look(): void {
    const events = this.#events();
    const isQuiet = this.#busy() < LITTLE_WORK && events - this.#last < FEW_EVENTS;
    this.#quiet = isQuiet ? this.#quiet + 1 : 0;
    this.#last = events;
    const taken = this.#ports.taken();
    this.#least = Math.min(this.#least, taken);
    if (this.#quiet < QUIET_LOOKS || taken - this.#least < WORTH_BYTES) return;
    this.#ports.collect();
    this.#least = this.#ports.taken();
  }
}

/**
 * Starts regular checks.
 * @param events returns the number of events so far
 * @param others called after a collection, for the threads of the program
 * @returns ends the checks
 */
export function watchIdleMemory(events: () => number, others: () => void): () => void {
  const collect = (): void => {
    collectGarbage();
    others();
  };
  const rest = new IdleMemory(events, { ...HEAP, collect }, busySince());
  const timer = setInterval(() => rest.look(), POLL_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/** Measures the share of the time in which the event loop was busy, from call to call. */
function busySince(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

const HEAP: HeapPorts = {
  // Memory outside the heap does not count: it is mostly the packed history, which a collection does not
  // free.
  taken: () => getHeapStatistics().total_heap_size,
  collect: collectGarbage,
};
