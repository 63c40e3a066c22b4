/** The backlog of a subscription in words. */
import type { SubscriptionLag, SubscriptionRow } from '../../core/contract/subscription.ts';
import { fill } from '../copy/fill.ts';
import { LAG } from '../copy/topics.ts';
import { count, duration, elapsed, rate } from './quantity.ts';

/**
 * Backlog in words: "3 unfinished, oldest 12 s, done in about 30 s"; "up to date" without any. What is held or waits for an
 * answer waits for a person, so no end is told of it. Where all of it does, "growing" would blame the app for the wait.
 * @param parked deliveries that wait for a person: they are told apart, as they have left the backlog
 */
export function lagWords(lag: SubscriptionLag | undefined, nowMs: number, parked = 0): string {
  return lag === undefined ? '' : withParked(backlogWords(lag, nowMs), parked);
}

function withParked(backlog: string, parked: number): string {
  return parked === 0 ? backlog : `${backlog} · ${fill(LAG.parked, { n: count(parked) })}`;
}

function backlogWords(
  { unfinished, held = 0, asked = 0, oldestAt, inPerSecond, outPerSecond }: SubscriptionLag,
  nowMs: number,
): string {
  if (unfinished === 0) return LAG.none;
  const parts = [fill(LAG.unfinished, { n: count(unfinished) })];
  if (oldestAt !== undefined) parts.push(fill(LAG.oldest, { t: elapsed(nowMs - Date.parse(oldestAt)) }));
  if (held > 0) parts.push(fill(LAG.held, { n: count(held) }));
  if (asked > 0) parts.push(fill(LAG.asked, { n: count(asked) }));
  const gain = outPerSecond - inPerSecond;
  const going = unfinished - held - asked;
  if (gain > 0 && going > 0) {
    const end = { t: duration(Math.ceil(going / gain) * 1000) };
    parts.push(fill(going < unfinished ? LAG.othersEnd : LAG.end, end));
  } else if (going > 0 && inPerSecond > outPerSecond) parts.push(LAG.grows);
  return parts.join(', ');
}

/** How far behind a subscription is, and its rates if messages pass. */
export function lagText(lag: SubscriptionLag | undefined, nowMs: number, parked = 0): string {
  const words = lagWords(lag, nowMs, parked);
  const moves = lag !== undefined && rate(lag.inPerSecond) + rate(lag.outPerSecond) !== '00';
  return moves ? `${words} · ${lagRates(lag)}` : words;
}

/** The lag as a cell of a table, in which no line ends between a figure and its unit. */
export function lagCell(
  { lag, counts, missingRoutes }: Pick<SubscriptionRow, 'lag' | 'counts' | 'missingRoutes'>,
  nowMs: number,
): string {
  // What is dropped leaves no backlog, and yet nothing is up to date.
  if (missingRoutes !== undefined && (lag?.unfinished ?? 0) === 0)
    return withParked(LAG.unserved, counts.parked ?? 0);
  const text = lagText(lag, nowMs, counts.parked).replaceAll(/(\d) (?=(?:ms|s|min|h|d)\b)/g, '$1\u00A0');
  return text === '' ? LAG.noDeliveries : text;
}

/** Rates in words: "2.0/s in, 1.5/s out" */
export function lagRates(lag: SubscriptionLag | undefined): string {
  if (lag === undefined) return '';
  return fill(LAG.rates, { in: rate(lag.inPerSecond), out: rate(lag.outPerSecond) });
}
