/** The traffic of the last minutes as bars, and a range of them as a term of the filter language. */
import type { MetricsHistory } from '../../core/contract/console.ts';

/** Seconds that the bars reach back. */
export const RANGE_S = 300;
/** Fewer messages than this in the range are read one by one: five a minute. */
const FEWEST = 25;

/** What a bar is made of, from its foot up; `rest`: published, and nothing more of it has happened. */
const PARTS = ['processed', 'dropped', 'expired', 'retrying', 'dead-lettered', 'parked'] as const;
export type BarPart = (typeof PARTS)[number] | 'rest';

export interface Bar {
  /** Start of its step, in ms since 1970. */
  readonly atMs: number;
  readonly parts: readonly { readonly part: BarPart; readonly perSecond: number }[];
}

export interface Histogram {
  readonly stepMs: number;
  /** Oldest first; steps before the first event are left out. */
  readonly bars: readonly Bar[];
  /** Steps of the whole range. */
  readonly slots: number;
  /** Height of the highest bar, per second. */
  readonly highest: number;
  readonly published: number;
}

/** The bars of a history; undefined: there is too little to draw. */
export function histogramOf({ stepMs, points }: MetricsHistory): Histogram | undefined {
  const published = points.reduce((sum, point) => sum + (point.published * stepMs) / 1000, 0);
  if (published < FEWEST) return undefined;
  const bars = points.map(({ at, entered, published: perSecond }): Bar => {
    const parts = PARTS.map((part) => ({ part, perSecond: entered[part] ?? 0 }));
    const ended = parts.reduce((sum, each) => sum + (each.part === 'retrying' ? 0 : each.perSecond), 0);
    return {
      atMs: Date.parse(at),
      parts: [...parts, { part: 'rest' as const, perSecond: Math.max(0, perSecond - ended) }].filter(
        (each) => each.perSecond > 0,
      ),
    };
  });
  const highest = Math.max(...bars.map(({ parts }) => parts.reduce((sum, each) => sum + each.perSecond, 0)));
  return {
    stepMs,
    bars,
    slots: Math.ceil((RANGE_S * 1000) / stepMs),
    highest,
    published: Math.round(published),
  };
}

/** The bar in a slot of the whole range, which ends with the newest one; undefined: nothing was there yet. */
export function barAt({ bars, slots }: Histogram, slot: number): Bar | undefined {
  return bars[slot - (slots - bars.length)];
}

/** `time:2026-01-31T14:30:00.000Z..2026-01-31T14:30:59.999Z` for two slots and what lies between them; undefined: before the first bar. */
export function rangeTerm(histogram: Histogram, one: number, other: number): string | undefined {
  const first = barAt(histogram, Math.max(Math.min(one, other), histogram.slots - histogram.bars.length));
  const last = barAt(histogram, Math.max(one, other));
  if (first === undefined || last === undefined) return undefined;
  const [from, to] = [first.atMs, last.atMs + histogram.stepMs - 1].map((ms) => new Date(ms).toISOString());
  return `time:${from}..${to}`;
}

/** A range that the whole list has: not one of several possibilities. */
const AT_TERM = /(?<!\bOR\s*)(?:^|\s)(?:time|changed):\S+(?!\S|\s+OR\b)/;

/** A filter with another range of time; undefined takes the one that it has away. */
export function withRange(filter: string, term: string | undefined): string {
  const rest = filter.replace(AT_TERM, '').trim();
  if (term === undefined) return rest;
  const kept = rest.includes(' OR ') && !isEnclosed(rest) ? `(${rest})` : rest;
  return kept === '' ? term : `${kept} ${term}`;
}

/** Whether one pair of parentheses stands around all of it. */
function isEnclosed(filter: string): boolean {
  let depth = 0;
  for (let at = 0; at < filter.length; at += 1) {
    if (filter[at] === '(') depth += 1;
    if (filter[at] === ')') depth -= 1;
    if (depth === 0) return at > 0 && at === filter.length - 1;
  }
  return false;
}

/** Whether a filter has a range of time. */
export function hasRange(filter: string): boolean {
  return AT_TERM.test(filter);
}
