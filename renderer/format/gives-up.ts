/** How long a call that is held or under way is still waited for, in words. */
import { GIVES_UP } from '../copy/detail.ts';
import { WAITING } from '../copy/mock-app.ts';
import { fill } from '../copy/fill.ts';
import { duration } from './quantity.ts';

/** @param isObserved another sidecar waits, behind a tap */
export function givesUpText(at: string, isObserved: boolean, nowMs: number): string {
  const texts = isObserved ? GIVES_UP.observed : GIVES_UP.own;
  const leftMs = Date.parse(at) - nowMs;
  return leftMs > 0 ? fill(texts.left, { t: inSeconds(leftMs) }) : texts.over;
}

/** How long the sidecar still waits for an answer that a person gives. */
export function waitsText(at: string, nowMs: number): string {
  const leftMs = Math.max(0, Date.parse(at) - nowMs);
  return fill(WAITING.givesUp, { t: inSeconds(leftMs) });
}

/** Rounded up: it says 0 s only when nothing is left. */
function inSeconds(leftMs: number): string {
  return duration(Math.ceil(leftMs / 1000) * 1000);
}
