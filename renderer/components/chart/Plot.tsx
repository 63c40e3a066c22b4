/** The canvas of a chart, loaded at first use. */
import { useEffect, useRef, type ReactElement } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { clockSeconds } from '../../format/clock-time.ts';
import css from './Chart.module.css';
import { lookOf, stacked, type ChartSeries } from './series.ts';

export interface PlotProps {
  readonly label: string;
  /** Seconds since 1970. */
  readonly at: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly hidden: ReadonlySet<string>;
  /** Charts with equal names share the position of the cursor. */
  readonly cursorGroup: string;
  /** Key that changes with the colours. */
  readonly themeKey: string;
  /** True: stacked areas instead of lines. */
  readonly isStacked: boolean;
  readonly onPick?: ((at: number) => void) | undefined;
  /** Called with the index in `at` under the cursor; undefined: the cursor left. */
  readonly onCursor: (share: number | undefined) => void;
}

const HEIGHT = 160;
/** Height of the time axis: its ticks and one line of clock times. */
const TIME_AXIS_PX = 32;

/** Current value of a colour token, because a canvas does not read custom properties. */
function colourOf(token: string, within: Element): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  within.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Px between an axis and its ticks, and around its figures. */
const GUTTER_PX = 24;
const DIGIT_PX = 8;
const MIN_GUTTER_PX = 52;
/** Half of a clock time, which may stand under the right end of the time axis. */
const HALF_CLOCK_PX = 32;

/** Width for the longest figure of the left axis: "40,000" needs more than "5". */
function gutterOf(values: readonly string[] | null): number {
  const longest = Math.max(0, ...(values ?? []).map((text) => text.length));
  return Math.max(MIN_GUTTER_PX, GUTTER_PX + longest * DIGIT_PX);
}

const clock = (second: number): string => clockSeconds(new Date(second * 1000).toISOString());

type Drawn = Pick<PlotProps, 'at' | 'series' | 'hidden' | 'isStacked'>;

function dataOf({ at, series, hidden, isStacked }: Drawn): UPlot.AlignedData {
  const values = isStacked ? stacked(series, hidden) : series.map((line) => line.values);
  return [[...at], ...values.map((line) => [...line])];
}

/** Drawing options of each line, or of each area down to the one below. */
function looksOf(
  { series, hidden, isStacked }: Drawn,
  element: Element,
): Pick<UPlot.Options, 'series' | 'bands'> {
  const colours = series.map(({ colour }) => colourOf(colour, element));
  const shown = series.flatMap(({ id }, index) => (hidden.has(id) ? [] : index + 1));
  return {
    series: [
      {},
      ...series.map((line, index) => ({
        ...lookOf(line, colours[index] ?? '', isStacked),
        show: !hidden.has(line.id),
      })),
    ],
    bands: isStacked ? shown.slice(1).map((upper, below) => ({ series: [upper, shown[below] ?? 0] })) : [],
  };
}

/** Draws the lines or areas, and adapts to the available width. */
export function Plot(props: PlotProps): ReactElement {
  const { label, at, series, hidden, cursorGroup, themeKey, isStacked, onPick, onCursor } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const told = useRef({ onPick, onCursor });
  const latest = useRef<Drawn>({ at, series, hidden, isStacked });
  useEffect(() => {
    told.current = { onPick, onCursor };
    latest.current = { at, series, hidden, isStacked };
  });
  // Hiding a line of a stacked chart changes which areas touch, so the chart is drawn again.
  const names = series.map(({ id }) => (isStacked && hidden.has(id) ? '' : id)).join(' ');

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const drawn = latest.current;
    const grid = { stroke: colourOf('--border', element), width: 1 };
    const axis = { stroke: colourOf('--text-muted', element), grid, ticks: grid };
    const made = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        padding: [null, HALF_CLOCK_PX, null, null],
        legend: { show: false },
        cursor: { sync: { key: cursorGroup }, drag: { x: false, y: false }, points: { show: false } },
        scales: { y: { range: (_self, _low, high) => [0, Math.max(1, high * 1.1)] } },
        axes: [
          { ...axis, space: 76, size: TIME_AXIS_PX, values: (_self, splits) => splits.map(clock) },
          { ...axis, size: (_self, values) => gutterOf(values) },
        ],
        hooks: { setCursor: [({ cursor }) => told.current.onCursor(cursor.idx ?? undefined)] },
        ...looksOf(drawn, element),
      },
      dataOf(drawn),
      element,
    );
    plot.current = made;
    const onClick = (): void => {
      const index = made.cursor.idx;
      const second = typeof index === 'number' ? latest.current.at[index] : undefined;
      if (second !== undefined) told.current.onPick?.(second);
    };
    made.over.addEventListener('click', onClick);
    const width = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    width.observe(element);
    return () => {
      width.disconnect();
      made.destroy();
    };
  }, [names, cursorGroup, themeKey, isStacked]);

  useEffect(() => {
    plot.current?.setData(dataOf({ at, series, hidden, isStacked }));
  }, [at, series, hidden, isStacked]);
  useEffect(() => {
    latest.current.series.forEach(({ id }, index) =>
      plot.current?.setSeries(index + 1, { show: !hidden.has(id) }),
    );
  }, [hidden]);

  return <div ref={host} role="img" aria-label={label} className={css.plot} />;
}
