/** A chart, with its legend and the values under the cursor above it, and a folded table of figures below. */
import { useState, type ReactElement } from 'react';
import { CHART } from '../../copy/chart.ts';
import { fill } from '../../copy/fill.ts';
import { DataTable } from '../DataTable.tsx';
import { later } from '../later.tsx';
import { Loading } from '../States.tsx';
import css from './Chart.module.css';
import type { ChartSeries } from './series.ts';

const Plot = later(async () => (await import('./Plot.tsx')).Plot, <Loading text={CHART.loading} rows={4} />);

export interface ChartProps {
  readonly title: string;
  readonly unit: string;
  /** Seconds since 1970, one per value. */
  readonly at: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly cursorGroup: string;
  readonly themeKey: string;
  readonly formatValue: (value: number) => string;
  readonly onPick?: (at: number) => void;
  /** True: values are parts of a whole, drawn as stacked areas. */
  readonly isStacked?: boolean;
}

/** A figure: a button per line, the lines or areas, a folded table. */
export function Chart(props: ChartProps): ReactElement {
  const { title, unit, at, series, cursorGroup, themeKey, formatValue, onPick, isStacked = false } = props;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [cursor, setCursor] = useState<number>();
  const toggle = (id: string): void => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    setHidden(next);
  };
  const caption = (
    <figcaption className={css.caption}>
      <h2>{title}</h2>
      <span className={css.unit}>{unit}</span>
    </figcaption>
  );
  if (series.every(({ values }) => values.every((value) => value === null)))
    return (
      <figure className={css.figure} aria-label={title}>
        {caption}
        <p className={css.unit}>{CHART.empty}</p>
      </figure>
    );
  return (
    <figure className={css.figure} aria-label={title}>
      {caption}
      <Legend
        title={title}
        series={series}
        hidden={hidden}
        onToggle={toggle}
        isStacked={isStacked}
        valueOf={({ values }) => {
          const value = cursor === undefined ? undefined : values[cursor];
          return value === undefined || value === null ? undefined : formatValue(value);
        }}
      />
      <Plot
        label={fill(CHART.drawn, { title })}
        at={at}
        series={series}
        hidden={hidden}
        cursorGroup={cursorGroup}
        themeKey={themeKey}
        isStacked={isStacked}
        onPick={onPick}
        onCursor={setCursor}
      />
      <details>
        <summary className={css.fold}>{CHART.figures}</summary>
        <Figures title={title} series={series} formatValue={formatValue} />
      </details>
    </figure>
  );
}

interface LegendProps extends Pick<ChartProps, 'title' | 'series'> {
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
  readonly isStacked: boolean;
  /** Value under the cursor; undefined: the cursor is elsewhere. */
  readonly valueOf: (line: ChartSeries) => string | undefined;
}

/** A button per line, which hides or shows it. */
function Legend({ title, series, hidden, onToggle, isStacked, valueOf }: LegendProps): ReactElement {
  return (
    <div role="group" aria-label={fill(CHART.legend, { title })} className={css.legend}>
      {series.map((line) => (
        <button
          key={line.id}
          type="button"
          aria-pressed={!hidden.has(line.id)}
          className={css.key}
          onClick={() => onToggle(line.id)}
        >
          {isStacked ? (
            <span aria-hidden className={css.area} style={{ background: `var(${line.colour})` }} />
          ) : (
            <svg aria-hidden width="24" height="8" viewBox="0 0 24 8">
              <line
                x1="0"
                x2="24"
                y1="4"
                y2="4"
                strokeWidth="2"
                style={{ stroke: `var(${line.colour})` }}
                strokeDasharray={line.dash.join(' ')}
              />
            </svg>
          )}
          {line.title}
          <span aria-hidden className={css.value}>
            {valueOf(line)}
          </span>
        </button>
      ))}
    </div>
  );
}

/** The chart as a table of figures. */
function Figures({
  title,
  series,
  formatValue,
}: Pick<ChartProps, 'title' | 'series' | 'formatValue'>): ReactElement {
  const { columns } = CHART;
  return (
    <DataTable
      dense
      label={fill(CHART.table, { title })}
      numeric={[1, 2, 3]}
      columns={[columns.series, columns.now, columns.mean, columns.highest]}
      rows={series.map(({ id, title: name, values }) => {
        const known = values.filter((value) => value !== null);
        const sum = known.reduce((all, value) => all + value, 0);
        const last = known.at(-1);
        return {
          id,
          cells: [
            name,
            last === undefined ? CHART.nothing : formatValue(last),
            known.length === 0 ? CHART.nothing : formatValue(sum / known.length),
            known.length === 0 ? CHART.nothing : formatValue(known.reduce((a, b) => Math.max(a, b))),
          ],
        };
      })}
    />
  );
}
