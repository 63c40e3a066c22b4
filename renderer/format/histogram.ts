/** The traffic of the last minutes as bars, and a range of them as a term of the filter language. */
import type { MetricsHistory } from '../../core/contract/console.ts';
import { fill } from '../copy/fill.ts';
import { RATE_BAR } from '../copy/messages.ts';
import { CHIP_WORDS } from '../copy/states.ts';
import { clockSeconds } from './clock-time.ts';
import { rate } from './quantity.ts';

/** Seconds that the bars cover. */
export const RANGE_S = 300;
/** Number of messages in the range below which no bars are drawn: five a minute can be read one by one. */
const FEWEST = 25;

/** Parts of a bar from bottom to top; `rest`: published, without any later state. */
const PARTS = ['processed', 'dropped', 'expired', 'retrying', 'dead-lettered', 'parked'] as const;
export type BarPart = (typeof PARTS)[number] | 'rest';

export interface Bar {
  /** Start of its step, in ms since 1970. */
  readonly atMs: number;
  /** Messages that were published in its step, per second. A message may have several deliveries. */
  readonly published: number;
  /** Published messages that came in bulk publishes, per second. */
  readonly bulk: number;
  readonly parts: readonly { readonly part: BarPart; readonly perSecond: number }[];
}

export interface Histogram {
  readonly stepMs: number;
  /** Bars, oldest first; steps before the first event are left out. */
  readonly bars: readonly Bar[];
  /** Number of steps of the whole range. */
  readonly slots: number;
  /** Height of the highest bar, per second. */
  readonly highest: number;
  readonly published: number;
}

/** The bars of a history; undefined: there are too few messages. */
export function histogramOf({ stepMs, points }: MetricsHistory): Histogram | undefined {
  const published = points.reduce((sum, point) => sum + (point.published * stepMs) / 1000, 0);
  if (published < FEWEST) return undefined;
  const bars = points.map(({ at, entered, published: perSecond, bulk = 0 }): Bar => {
    const parts = PARTS.map((part) => ({ part, perSecond: entered[part] ?? 0 }));
    const ended = parts.reduce((sum, each) => sum + (each.part === 'retrying' ? 0 : each.perSecond), 0);
    return {
      atMs: Date.parse(at),
      published: perSecond,
      bulk,
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

/** What a bar stands for, in the order of its colours from top to bottom: "14:30:00 · 20 msg/s in", "Parked 0.4/s". */
export function barText({ atMs, published, bulk, parts }: Bar): string {
  const time = clockSeconds(new Date(atMs).toISOString());
  const lines = parts.map(({ part, perSecond }) =>
    fill(RATE_BAR.part, {
      word: part === 'rest' ? RATE_BAR.rest : CHIP_WORDS[part],
      rate: rate(perSecond),
    }),
  );
  const inBulk = bulk > 0 ? [fill(RATE_BAR.bulk, { rate: rate(bulk) })] : [];
  return [fill(RATE_BAR.bar, { time, rate: rate(published) }), ...inBulk, ...lines.toReversed()].join('\n');
}

/**
 * The bar in a slot of the whole range, which ends with the newest one; undefined: before the first event.
 */
export function barAt({ bars, slots }: Histogram, slot: number): Bar | undefined {
  return bars[slot - (slots - bars.length)];
}

/**
 * Term for two slots and all between them, such as `time:2026-01-31T14:30:00.000Z..2026-01-31T14:30:59.999Z`;
 * undefined: before the first bar.
 */
export function rangeTerm(histogram: Histogram, one: number, other: number): string | undefined {
  const first = barAt(histogram, Math.max(Math.min(one, other), histogram.slots - histogram.bars.length));
  const last = barAt(histogram, Math.max(one, other));
  if (first === undefined || last === undefined) return undefined;
  const [from, to] = [first.atMs, last.atMs + histogram.stepMs - 1].map((ms) => new Date(ms).toISOString());
  return `time:${from}..${to}`;
}

export interface SlotRange {
  readonly from: number;
  readonly to: number;
}

/** A range that is being selected, by keys or by dragging, in ms since 1970, because the bars move to the left meanwhile. */
export interface TimeRange {
  /** Start of the step where the selection began. */
  readonly anchorMs: number;
  /** Start of the step that the keys reached. */
  readonly atMs: number;
}

/** Steps by which a key moves; Infinity: to the end. */
const KEY_STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowLeft', -1],
  ['ArrowRight', 1],
  ['PageUp', -10],
  ['PageDown', 10],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/** The range after a key; undefined: the key does not move. The first key starts at the newest bar. */
export function afterKey(
  { bars, stepMs }: Histogram,
  range: TimeRange | undefined,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
): TimeRange | undefined {
  const by = KEY_STEPS.get(key);
  const [oldest, newest] = [bars[0], bars.at(-1)];
  if (by === undefined || oldest === undefined || newest === undefined) return undefined;
  const within = (ms: number): number => Math.min(newest.atMs, Math.max(oldest.atMs, ms));
  const start = within(range?.atMs ?? newest.atMs);
  const atMs = range === undefined && by === 1 ? start : within(start + by * stepMs);
  return { anchorMs: shiftKey ? within(range?.anchorMs ?? start) : atMs, atMs };
}

/** The range for Enter without a selection: the newest bar. */
export function newestRange({ bars }: Histogram): TimeRange | undefined {
  const newest = bars.at(-1);
  return newest && { anchorMs: newest.atMs, atMs: newest.atMs };
}

/** The slots of a range that is being selected; parts that moved out of the picture are cut off. */
export function slotsOf(histogram: Histogram, { anchorMs, atMs }: TimeRange): SlotRange {
  const slot = (ms: number): number => Math.max(0, slotOf(histogram, ms));
  return { from: slot(anchorMs), to: slot(atMs) };
}

/** Start of the step in a slot, also before the first bar. */
export function momentOf({ bars, slots, stepMs }: Histogram, slot: number): number {
  return (bars.at(-1)?.atMs ?? 0) - (slots - 1 - slot) * stepMs;
}

/** Index of a moment among all slots; negative: before them. */
function slotOf({ bars, slots, stepMs }: Histogram, ms: number): number {
  return slots - 1 + Math.floor((ms - (bars.at(-1)?.atMs ?? ms)) / stepMs);
}

/**
 * The slots of the filter's time range, both ends included; undefined: it has none, or none of it is visible.
 */
export function chosenSlots(histogram: Histogram, filter: string): SlotRange | undefined {
  const words = wordsOf(filter);
  const [from, to] = (/^time:(.+?)\.\.(.+)$/.exec(words[rangeIn(words)] ?? '') ?? [])
    .slice(1)
    .map(Date.parse);
  if (from === undefined || to === undefined || Number.isNaN(from + to)) return undefined;
  const last = histogram.slots - 1;
  const range = { from: Math.max(0, slotOf(histogram, from)), to: Math.min(last, slotOf(histogram, to)) };
  return range.from > range.to ? undefined : range;
}

/** The filter with another time range; undefined removes it. */
export function withRange(filter: string, term: string | undefined): string {
  const rest = withoutRanges(wordsOf(filter));
  const kept = rest.join(' ');
  if (term === undefined) return kept;
  if (rest.includes('OR')) return `(${kept}) ${term}`;
  return kept === '' ? term : `${kept} ${term}`;
}

/** Whether a filter has a range of time. */
export function hasRange(filter: string): boolean {
  return rangeIn(wordsOf(filter)) >= 0;
}

/** Words of a filter; a part in quotes or parentheses is one word. */
function wordsOf(filter: string): readonly string[] {
  const words: string[] = [];
  let [word, depth, isQuoted] = ['', 0, false];
  for (const sign of filter.match(/\\["\\]|[\s\S]/g) ?? []) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === '(' && !isQuoted) depth += 1;
    else if (sign === ')' && !isQuoted) depth -= 1;
    if (!/^\s$/.test(sign) || isQuoted || depth > 0) word += sign;
    else {
      words.push(word);
      word = '';
    }
  }
  return [...words, word].filter((each) => each !== '');
}

/**
 * Index of a time range that applies to every message of the list; -1: there is none, or it is one of several
 * alternatives.
 */
function rangeIn(words: readonly string[]): number {
  if (words.includes('OR')) return -1;
  return words.findIndex((word, at) => /^(?:time|changed):./.test(word) && words[at - 1] !== 'NOT');
}

function withoutRanges(words: readonly string[]): readonly string[] {
  const at = rangeIn(words);
  if (at < 0) return words;
  // The `AND` beside the range is removed with it: "a AND time:…" becomes "a".
  const from = words[at - 1] === 'AND' ? at - 1 : at;
  const to = from === at && words[at + 1] === 'AND' ? at + 1 : at;
  return withoutRanges([...words.slice(0, from), ...words.slice(to + 1)]);
}
