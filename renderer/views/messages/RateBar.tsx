/** The traffic of the last minutes over the list; a range that is dragged out of it narrows the list. */
import { useState, type PointerEvent, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { RATE_BAR } from '../../copy/messages.ts';
import {
  barAt,
  chosenSlots,
  hasRange,
  histogramOf,
  RANGE_S,
  rangeTerm,
  withRange,
  type Bar,
  type BarPart,
  type Histogram,
  type SlotRange,
} from '../../format/histogram.ts';
import { clockSeconds, count, rate } from '../../format/quantity.ts';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import css from './RateBar.module.css';

/** Nothing where little came, and in a recording. */
export function RateBar(): ReactElement | null {
  const { health, readOnly } = useConsole();
  const { value } = useResource(health.over(RANGE_S));
  const histogram = value?.history && histogramOf(value.history);
  if (histogram === undefined || readOnly !== undefined) return null;
  return <Bars histogram={histogram} />;
}

function Bars({ histogram }: { readonly histogram: Histogram }): ReactElement {
  const { navigation } = useConsole();
  const filter = useParam('f') ?? '';
  const [dragged, setDragged] = useState<SlotRange>();
  const { slots, published } = histogram;

  function slotAt(event: PointerEvent<SVGSVGElement>): number {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(slots - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * slots)));
  }

  function onPointerUp(): void {
    setDragged(undefined);
    const term = dragged && rangeTerm(histogram, dragged.from, dragged.to);
    if (term !== undefined) navigation.change({ f: withRange(filter, term), off: undefined });
  }

  return (
    <div className={css.line}>
      <svg
        role="img"
        aria-label={fill(RATE_BAR.label, { n: count(published) })}
        viewBox={`0 0 ${slots} 24`}
        preserveAspectRatio="none"
        className={css.bars}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const slot = slotAt(event);
          setDragged({ from: slot, to: slot });
        }}
        onPointerMove={(event) => dragged && setDragged({ ...dragged, to: slotAt(event) })}
        onPointerUp={onPointerUp}
        onPointerCancel={() => setDragged(undefined)}
      >
        <Range slots={dragged ?? chosenSlots(histogram, filter)} />
        {Array.from({ length: slots }, (_, slot) => {
          const bar = barAt(histogram, slot);
          return bar && <OneBar key={bar.atMs} bar={bar} slot={slot} highest={histogram.highest} />;
        })}
      </svg>
      {hasRange(filter) ? (
        <Button kind="quiet" onClick={() => navigation.change({ f: withRange(filter, undefined) })}>
          {RATE_BAR.all}
        </Button>
      ) : (
        <span className={css.hint}>{RATE_BAR.hint}</span>
      )}
    </div>
  );
}

/** What is being dragged, or the range of the filter. */
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

interface OneBarProps {
  readonly bar: Bar;
  readonly slot: number;
  /** Height of the highest bar, per second. */
  readonly highest: number;
}

function OneBar({ bar: { atMs, parts }, slot, highest }: OneBarProps): ReactElement {
  const total = parts.reduce((sum, { perSecond }) => sum + perSecond, 0);
  const tops = parts.map((_, index) =>
    parts.slice(0, index + 1).reduce((sum, { perSecond }) => sum + perSecond, 0),
  );
  const scale = highest === 0 ? 0 : 23 / highest;
  return (
    <g>
      <title>
        {fill(RATE_BAR.bar, { time: clockSeconds(new Date(atMs).toISOString()), rate: rate(total) })}
      </title>
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
    </g>
  );
}
