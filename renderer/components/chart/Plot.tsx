/** The canvas of a chart. Loaded when it is first shown. */
import { useEffect, useRef, type ReactElement } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { clockSeconds } from '../../format/quantity.ts';
import css from './Chart.module.css';
import type { ChartSeries } from './series.ts';

export interface PlotProps {
  readonly label: string;
  /** Seconds since 1970. */
  readonly at: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly hidden: ReadonlySet<string>;
  /** Charts with the same name share the place of the cursor. */
  readonly sync: string;
  /** Changes when the colours do. */
  readonly look: string;
  readonly onPick?: ((at: number) => void) | undefined;
}

const HEIGHT = 160;

/** What a colour token is now: a canvas knows no custom properties. */
function colourOf(token: string, within: Element): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  within.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const clock = (second: number): string => clockSeconds(new Date(second * 1000).toISOString());

function dataOf(at: readonly number[], series: readonly ChartSeries[]): UPlot.AlignedData {
  return [[...at], ...series.map(({ values }) => [...values])];
}

/** Draws the lines and follows the width of its place. */
export function Plot({ label, at, series, hidden, sync, look, onPick }: PlotProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const pick = useRef(onPick);
  const latest = useRef({ at, series, hidden });
  useEffect(() => {
    pick.current = onPick;
    latest.current = { at, series, hidden };
  });
  const names = series.map(({ id }) => id).join(' ');

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const { at: times, series: lines } = latest.current;
    const grid = { stroke: colourOf('--border', element), width: 1 };
    const axis = { stroke: colourOf('--text-muted', element), grid, ticks: grid };
    const made = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { sync: { key: sync }, drag: { x: false, y: false } },
        scales: { y: { range: (_self, _low, high) => [0, Math.max(1, high * 1.1)] } },
        axes: [
          { ...axis, space: 76, values: (_self, splits) => splits.map(clock) },
          { ...axis, size: 52 },
        ],
        series: [
          {},
          ...lines.map((line, index) => ({
            label: line.title,
            stroke: colourOf(line.colour, element),
            width: 1.5,
            dash: [...line.dash],
            show: !latest.current.hidden.has(line.id),
            points: { show: true, size: 3 + (index % 3) * 2, space: 40 + index * 10 },
          })),
        ],
      },
      dataOf(times, lines),
      element,
    );
    plot.current = made;
    const onClick = (): void => {
      const index = made.cursor.idx;
      const second = typeof index === 'number' ? latest.current.at[index] : undefined;
      if (second !== undefined) pick.current?.(second);
    };
    made.over.addEventListener('click', onClick);
    const width = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    width.observe(element);
    return () => {
      width.disconnect();
      made.destroy();
    };
  }, [names, sync, look]);

  useEffect(() => {
    plot.current?.setData(dataOf(at, series));
  }, [at, series]);
  useEffect(() => {
    latest.current.series.forEach(({ id }, index) =>
      plot.current?.setSeries(index + 1, { show: !hidden.has(id) }),
    );
  }, [hidden]);

  return <div ref={host} role="img" aria-label={label} className={css.plot} />;
}
