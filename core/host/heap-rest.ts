/**
 * Memory is given back when nothing happens any more. V8 collects garbage only while a program makes objects, so what a flood left
 * behind would stay for as long as the rest lasts. One collection then takes some tens of milliseconds, in which a message may have to wait.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often it is looked at how much has happened. */
const LOOK_MS = 1000;
/** Fewer events between two looks are quiet: a message now and then would else keep a flood's garbage for hours. */
const FEW_EVENTS = 10;
/** Quiet looks in a row before memory is given back. */
const QUIET_LOOKS = 2;
/**
 * Less growth than this is left alone: such a collection also makes the young generation small and drops what V8 learnt about objects
 * that are gone, so the first thousands of messages after it take longer.
 */
const WORTH_BYTES = 128 * 1024 * 1024;

export interface HeapPorts {
  /** Bytes that the heap has taken from the system. */
  readonly taken: () => number;
  readonly collect: () => void;
}

export class HeapRest {
  readonly #ports: HeapPorts;
  readonly #events: () => number;
  #last: number;
  #quiet = 0;
  /** Least that was taken since the last collection. */
  #least = Infinity;

  /** @param events how many there were so far */
  constructor(events: () => number, ports: HeapPorts = HEAP) {
    this.#events = events;
    this.#ports = ports;
    this.#last = events();
  }

  /** To be called from time to time: collects once after each time of work that made the heap grow much. */
  look(): void {
    const events = this.#events();
    this.#quiet = events - this.#last < FEW_EVENTS ? this.#quiet + 1 : 0;
    this.#last = events;
    const taken = this.#ports.taken();
    this.#least = Math.min(this.#least, taken);
    if (this.#quiet < QUIET_LOOKS || taken - this.#least < WORTH_BYTES) return;
    this.#ports.collect();
    this.#least = this.#ports.taken();
  }
}

/** Looks from now on. @param events how many there were so far @returns what ends that */
export function watchHeap(events: () => number): () => void {
  const rest = new HeapRest(events);
  const timer = setInterval(() => rest.look(), LOOK_MS).unref();
  return () => clearInterval(timer);
}

const HEAP: HeapPorts = {
  // Not what stands outside of the heap: that is mostly the packed history, of which a collection gives nothing back.
  taken: () => getHeapStatistics().total_heap_size,
  collect: () => {
    // A context that is made with this flag has the function, and is garbage itself afterwards: the program's own one never has it.
    setFlagsFromString('--expose-gc');
    try {
      // "Last resort" also gives the emptied pages back to the system; a plain collection keeps them for what comes next.
      runInNewContext("gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })");
    } finally {
      setFlagsFromString('--no-expose-gc');
    }
  },
};
