/**
 * The traffic of the last minutes above the list. A range that is dragged, or selected by keys, filters the
 * list.
 */
import { useId, useState, type KeyboardEvent, type PointerEvent, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { RATE_BAR } from '../../copy/messages.ts';
import {
  afterKey,
  barAt,
  barText,
  chosenSlots,
  hasRange,
  histogramOf,
  momentOf,
  newestRange,
  RANGE_S,
  rangeTerm,
  slotsOf,
  withRange,
  type Bar,
  type BarPart,
  type Histogram,
  type TimeRange,
  type SlotRange,
} from '../../format/histogram.ts';
import { clockSeconds } from '../../format/clock-time.ts';
import { count } from '../../format/quantity.ts';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import css from './RateBar.module.css';

/** The bars; nothing if there are few messages, and in a recording. */
export function RateBar(): ReactElement | null {
  const { health, readOnly } = useConsole();
  const { value } = useResource(health.over(RANGE_S));
  const histogram = value?.history && histogramOf(value.history);
  if (histogram === undefined || readOnly !== undefined) return null;
  return <Bars histogram={histogram} />;
}

/** Start of the step under the pointer. */
function momentUnder(event: PointerEvent<SVGSVGElement>, histogram: Histogram): number {
  const { slots } = histogram;
  const { left, width } = event.currentTarget.getBoundingClientRect();
  const slot = Math.floor(((event.clientX - left) / width) * slots);
  return momentOf(histogram, Math.min(slots - 1, Math.max(0, slot)));
}

function Bars({ histogram }: { readonly histogram: Histogram }): ReactElement {
  const { navigation } = useConsole();
  const filter = useParam('f') ?? '';
  const [dragged, setDragged] = useState<TimeRange>();
  const keysId = useId();
  const [byKeys, setByKeys] = useState<TimeRange>();
  const { slots, published } = histogram;
  const chosen = byKeys && slotsOf(histogram, byKeys);
  const pulled = dragged && slotsOf(histogram, dragged);
  const shown = pulled ?? chosen ?? chosenSlots(histogram, filter);

  function apply(range: SlotRange | undefined): void {
    setDragged(undefined);
    setByKeys(undefined);
    const term = range && rangeTerm(histogram, range.from, range.to);
    if (term !== undefined) navigation.change({ f: withRange(filter, term), off: undefined });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = afterKey(histogram, byKeys, event);
    if (next !== undefined) setByKeys(next);
    else if (event.key === 'Enter' && chosen === undefined) setByKeys(newestRange(histogram));
    else if (event.key === 'Enter') apply(chosen);
    else if (event.key === 'Escape' && dragged !== undefined) setDragged(undefined);
    else if (event.key === 'Escape' && byKeys !== undefined) setByKeys(undefined);
    else if (event.key === 'Escape' && hasRange(filter)) clear();
    else return;
    event.preventDefault();
  }

  function clear(): void {
    navigation.change({ f: withRange(filter, undefined) });
  }

  return (
    <div className={css.line}>
      <span id={keysId} className="visually-hidden">
        {RATE_BAR.keys}
      </span>
      <svg
        role="slider"
        tabIndex={0}
        aria-label={fill(RATE_BAR.label, { n: count(published) })}
        aria-valuemin={0}
        aria-valuemax={slots - 1}
        aria-valuenow={shown?.to ?? slots - 1}
        aria-valuetext={rangeText(histogram, shown)}
        aria-describedby={keysId}
        viewBox={`0 0 ${slots} 24`}
        preserveAspectRatio="none"
        className={css.bars}
        onKeyDown={onKeyDown}
        onBlur={() => setByKeys(undefined)}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const atMs = momentUnder(event, histogram);
          setByKeys(undefined);
          setDragged({ anchorMs: atMs, atMs });
        }}
        onPointerMove={(event) => dragged && setDragged({ ...dragged, atMs: momentUnder(event, histogram) })}
        onPointerUp={() => apply(pulled)}
        onPointerCancel={() => setDragged(undefined)}
      >
        <Range slots={shown} />
        <AllBars histogram={histogram} />
      </svg>
      <span className={css.end}>
        {hasRange(filter) ? (
          <Button kind="quiet" onClick={clear}>
            {RATE_BAR.all}
          </Button>
        ) : (
          <span className={css.hint}>{chosen === undefined ? RATE_BAR.hint : RATE_BAR.apply}</span>
        )}
      </span>
    </div>
  );
}

/** A range in words for screen readers: "14:30:00 to 14:30:06". */
function rangeText(histogram: Histogram, range: SlotRange | undefined): string {
  if (range === undefined) return RATE_BAR.none;
  const { bars, slots, stepMs } = histogram;
  const [from, to] = [Math.min(range.from, range.to), Math.max(range.from, range.to)];
  const first = barAt(histogram, Math.max(from, slots - bars.length));
  const last = barAt(histogram, to);
  if (first === undefined || last === undefined) return RATE_BAR.none;
  const clock = (ms: number): string => clockSeconds(new Date(ms).toISOString());
  return fill(RATE_BAR.range, { from: clock(first.atMs), to: clock(last.atMs + stepMs) });
}

/** The range that is being dragged, or that of the filter. */
function Range({ slots }: { readonly slots: SlotRange | undefined }): ReactElement | null {
  if (slots === undefined) return null;
  const { from, to } = slots;
  return (
    <rect
      data-chosen
      x={Math.min(from, to)}
      width={Math.abs(to - from) + 1}
      y={0}
      height={24}
      className={css.range}
    />
  );
}

function colourOf(part: BarPart): string {
  return part === 'rest' ? 'var(--border-strong)' : `var(--state-${part})`;
}

/** Height of the line on a bar with messages of bulk publishes. */
const BULK_PX = 3;

interface OneBarProps {
  readonly bar: Bar;
  readonly slot: number;
  /** Height of the highest bar, per second. */
  readonly highest: number;
}

function OneBar({ bar, slot, highest }: OneBarProps): ReactElement {
  const { parts, bulk } = bar;
  const tops = parts.map((_, index) =>
    parts.slice(0, index + 1).reduce((sum, { perSecond }) => sum + perSecond, 0),
  );
  const scale = highest === 0 ? 0 : 23 / highest;
  return (
    <g>
      <title>{barText(bar)}</title>
      <rect x={slot} width={1} y={0} height={24} className={css.room} />
      {parts.map(({ part, perSecond }, index) => (
        <rect
          key={part}
          x={slot + 0.1}
          width={0.8}
          y={24 - (tops[index] ?? 0) * scale}
          height={perSecond * scale}
          style={{ fill: colourOf(part) }}
        />
      ))}
      {bulk > 0 && (
        <rect
          data-bulk
          x={slot + 0.1}
          width={0.8}
          y={Math.max(0, 24 - (tops.at(-1) ?? 0) * scale - BULK_PX)}
          height={BULK_PX}
          className={css.bulk}
        />
      )}
    </g>
  );
}

function AllBars({ histogram }: { readonly histogram: Histogram }): ReactElement {
  return (
    <>
      {Array.from({ length: histogram.slots }, (_, slot) => {
        const bar = barAt(histogram, slot);
        return bar && <OneBar key={bar.atMs} bar={bar} slot={slot} highest={histogram.highest} />;
      })}
    </>
  );
}
