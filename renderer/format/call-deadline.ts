/** The remaining time of a held or running call, in words. */
import type { WaitingAnswer } from '../../core/contract/mock-app.ts';
import { GIVES_UP } from '../copy/detail.ts';
import { WAITING } from '../copy/mock-app.ts';
import { fill } from '../copy/fill.ts';
import { clockSpan } from './clock-time.ts';
import { duration } from './quantity.ts';

/**
 * Text about the remaining time of a call.
 * @param isObserved true: another sidecar waits, behind a tap
 */
export function givesUpText(at: string, isObserved: boolean, nowMs: number): string {
  const texts = isObserved ? GIVES_UP.observed : GIVES_UP.own;
  const leftMs = Date.parse(at) - nowMs;
  return leftMs > 0 ? fill(texts.left, { t: inSeconds(leftMs) }) : texts.over;
}

/** As `givesUpText`, as a sentence that stands before others. */
export function deadlineSentence(at: string, isObserved: boolean, nowMs: number): string {
  return `${upperFirst(givesUpText(at, isObserved, nowMs))}.`;
}

function upperFirst(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Text about the time that the sidecar still waits for a person's answer. */
export function waitsText(at: string, nowMs: number): string {
  const leftMs = Math.max(0, Date.parse(at) - nowMs);
  return fill(WAITING.givesUp, { t: inSeconds(leftMs) });
}

/** How long a call has waited for a person, and how long it still does, as a sentence that stands before others. */
export function waitSentence(
  { since, givesUpAt }: Pick<WaitingAnswer, 'since' | 'givesUpAt'>,
  nowMs: number,
): string {
  const waited = fill(WAITING.waited, { t: clockSpan(nowMs - Date.parse(since)) });
  const left = givesUpAt === undefined ? '' : ` · ${waitsText(givesUpAt, nowMs)}`;
  return `${upperFirst(waited)}${left}.`;
}

/** Whole seconds, rounded up, so that 0 s means that no time is left. */
function inSeconds(leftMs: number): string {
  return duration(Math.ceil(leftMs / 1000) * 1000);
}
