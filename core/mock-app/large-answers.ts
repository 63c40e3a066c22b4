/**
 * Large answers of mock apps, which a rule gives to hundreds of requests at once: each is written in its turn, and a text that is the same for
 * all of them becomes bytes once.
 */
import { FairTurns } from '../domain/fair-turns.ts';

/** Turns that the large answers of all mock apps share. */
const turns = new FairTurns(
  (run) => void setImmediate(run),
  () => performance.now(),
);

/** Resolves when a large answer may be written; undefined: this turn of the event loop still has time for it. */
export function roomInTurn(): Promise<void> | undefined {
  return turns.room();
}

let last = { text: '', bytes: Buffer.alloc(0) };

/** Bytes of a large text. The last one is kept: a rule gives the same text to each request. */
export function bytesOf(text: string): Buffer {
  if (text !== last.text) last = { text, bytes: Buffer.from(text) };
  return last.bytes;
}
