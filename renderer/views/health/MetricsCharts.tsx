/** Traffic over a range of time: rates, states, durations, open deliveries. */
import { useEffect, useMemo, useState, type ReactElement } from 'react';
import type { MetricsHistory, MetricsPoint } from '../../../core/contract/console.ts';
import { DELIVERY_STATES } from '../../../core/contract/delivery.ts';
import { Chart } from '../../components/chart/Chart.tsx';
import type { ChartSeries } from '../../components/chart/series.ts';
import { Empty } from '../../components/States.tsx';
import { METRICS } from '../../copy/health.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { count, duration, rate } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './Health.module.css';

const DASHES: readonly (readonly number[])[] = [[], [8, 3], [2, 3], [8, 3, 2, 3], [4, 4], [12, 4], [1, 5]];
const FEWEST = 2;

const dashOf = (index: number): readonly number[] => DASHES[index % DASHES.length] ?? [];

/** A text that changes whenever colours may have changed. */
function useLook(): string {
  const { ui } = useConsole();
  const theme = useSelected(ui, (state) => state.theme);
  const [dark, setDark] = useState(() => window.matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = window.matchMedia('(prefers-color-scheme: dark)');
    const change = (): void => setDark(query.matches);
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  return `${theme} ${String(dark)}`;
}

function line(
  id: string,
  title: string,
  points: readonly MetricsPoint[],
  value: (point: MetricsPoint) => number | null,
  look: { readonly colour: string; readonly dash: number },
): ChartSeries {
  return { id, title, values: points.map(value), colour: look.colour, dash: dashOf(look.dash) };
}

/** Four charts with one cursor. */
export function MetricsCharts({ history }: { readonly history: MetricsHistory }): ReactElement {
  const { navigation } = useConsole();
  const look = useLook();
  const { points, stepMs } = history;
  const at = useMemo(() => points.map((point) => Date.parse(point.at) / 1000), [points]);
  const groups = useMemo(() => seriesOf(points), [points]);
  if (points.length < FEWEST) return <Empty title={METRICS.collecting} />;

  function show(second: number): void {
    const [from, to] = [second * 1000, second * 1000 + stepMs - 1].map((ms) => new Date(ms).toISOString());
    navigation.go('/messages', { f: `time:${from}..${to}` });
  }

  const shared = { at, cursorGroup: 'metrics', themeKey: look, onPick: show };
  return (
    <div className={css.charts}>
      <Chart
        {...shared}
        title={METRICS.chartRate}
        unit={METRICS.perSecond}
        series={groups.rates}
        formatValue={rate}
      />
      <Chart
        {...shared}
        isStacked
        title={METRICS.chartStates}
        unit={METRICS.perSecond}
        series={groups.states}
        formatValue={rate}
      />
      <Chart
        {...shared}
        title={METRICS.chartLatency}
        unit={METRICS.ms}
        series={groups.latency}
        formatValue={duration}
      />
      <Chart
        {...shared}
        title={METRICS.chartOpen}
        unit={METRICS.deliveries}
        series={groups.open}
        formatValue={(n) => count(Math.round(n))}
      />
    </div>
  );
}

function seriesOf(
  points: readonly MetricsPoint[],
): Record<'rates' | 'states' | 'latency' | 'open', ChartSeries[]> {
  const came = DELIVERY_STATES.filter((state) => points.some(({ entered }) => (entered[state] ?? 0) > 0));
  return {
    rates: [
      line('published', METRICS.published, points, ({ published }) => published, {
        colour: '--accent',
        dash: 0,
      }),
      line('attempts', METRICS.attempts, points, ({ entered }) => entered.attempting ?? 0, {
        colour: '--state-retrying',
        dash: 1,
      }),
    ],
    states: came.map((state, index) =>
      line(state, CHIP_WORDS[state], points, ({ entered }) => entered[state] ?? 0, {
        colour: `--state-${state}`,
        dash: index,
      }),
    ),
    latency: (['p50Ms', 'p95Ms', 'p99Ms'] as const).map((key, index) =>
      line(key, METRICS.percentiles[key], points, ({ latency }) => latency?.[key] ?? null, {
        colour: ['--state-processed', '--state-retrying', '--state-parked'][index] ?? '--accent',
        dash: index,
      }),
    ),
    open: [line('open', METRICS.openLine, points, ({ open }) => open, { colour: '--accent', dash: 0 })],
  };
}
