/** Counters of this run, in total and per topic. */
import { useEffect, type ReactElement } from 'react';
import { Radios } from '../../components/Fields.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Sparkline } from '../../components/Sparkline.tsx';
import { Empty, Loaded } from '../../components/States.tsx';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { fill } from '../../copy/fill.ts';
import { METRICS } from '../../copy/health.ts';
import { TOPICS } from '../../copy/topics.ts';
import type { MetricsReport } from '../../../core/contract/reports.ts';
import type { Latency } from '../../../core/contract/subscription.ts';
import { count, duration, rate } from '../../format/quantity.ts';
import { countsCell, type StateCountsProps } from '../../components/StateCounts.tsx';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import { filterValue } from '../../components/row-menu.ts';
import page from '../page.module.css';
import css from './Health.module.css';
import { MetricsCharts } from './MetricsCharts.tsx';

/** Interval of requests, because the rates of the last 60 s change without events. */
const POLL_INTERVAL_MS = 1000;
const RANGES = ['60', '300', '900', '3600'] as const;

/** Figures and a table. */
export function MetricsTab(): ReactElement {
  const { health } = useConsole();
  const range = useRange();
  const metrics = health.over(Number(range));
  const { value, failure } = useResource(metrics);
  useEffect(() => {
    const clock = setInterval(() => metrics.invalidate(), POLL_INTERVAL_MS);
    return () => clearInterval(clock);
  }, [metrics]);
  return (
    <Loaded
      value={value}
      failure={failure}
      loading={METRICS.loading}
      failed={METRICS.failed}
      again={() => void metrics.refresh()}
    >
      {(known) => <Known value={known} />}
    </Loaded>
  );
}

function useRange(): (typeof RANGES)[number] {
  const asked = useParam('r');
  return RANGES.find((each) => each === asked) ?? '60';
}

function Known({ value }: { readonly value: MetricsReport }): ReactElement {
  const { navigation } = useConsole();
  const range = useRange();
  const states = countsCell({ ...inAll(value), within: '' });
  return (
    <div className={page.body}>
      <div className={page.stack}>
        <Figures metrics={value} />
        <section className={page.stack} aria-label={METRICS.states}>
          <h2>{METRICS.states}</h2>
          {states === '' ? <p className={page.muted}>{METRICS.noDeliveries}</p> : states}
        </section>
        <Radios
          label={METRICS.range}
          value={range}
          options={RANGES.map((each) => ({ value: each, title: METRICS.ranges[each] }))}
          onChange={(r) => navigation.change({ r: r === '60' ? undefined : r }, { replace: true })}
        />
        {value.history !== undefined && <MetricsCharts history={value.history} />}
        {value.topics.length === 0 ? <Empty title={METRICS.none} /> : <TopicTable topics={value.topics} />}
      </div>
    </div>
  );
}

interface Counted {
  readonly counts: MetricsReport['counts'];
  readonly topics: readonly Pick<MetricsReport['topics'][number], 'counts' | 'replayed'>[];
}

/** Deliveries in each state, and the messages without one: each is counted for its topic. */
export function inAll({ counts, topics }: Counted): Pick<StateCountsProps, 'counts' | 'replayed'> {
  const sum = (of: (topic: Counted['topics'][number]) => number | undefined): number =>
    topics.reduce((total, topic) => total + (of(topic) ?? 0), 0);
  return {
    counts: { ...counts, none: sum((topic) => topic.counts.none) },
    replayed: sum((topic) => topic.replayed),
  };
}

/** Counts and rates of the whole run. */
function Figures({ metrics }: { readonly metrics: MetricsReport }): ReactElement {
  const figures = [
    [METRICS.publishedHere, count(metrics.published)],
    [METRICS.attemptsHere, count(metrics.attempts)],
    [METRICS.rateIn, rate(metrics.rates.in)],
    [METRICS.rateOut, rate(metrics.rates.out)],
  ] as const;
  return (
    <dl className={css.figures} aria-label={METRICS.totals}>
      {figures.map(([name, figure]) => (
        <div key={name} className={css.figure}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One row per topic. */
function TopicTable({ topics }: Pick<MetricsReport, 'topics'>): ReactElement {
  const { columns } = METRICS;
  return (
    <DataTable
      label={METRICS.table}
      numeric={[2]}
      whole={[3, 4]}
      folded={[1, 5]}
      columns={[
        columns.topic,
        columns.component,
        columns.published,
        columns.rate,
        columns.latency,
        columns.states,
      ]}
      rows={topics.map((topic) => ({
        id: `${topic.pubsubname} ${topic.topic}`,
        cells: [
          <strong key="topic">
            <bdi>{topic.topic}</bdi>
          </strong>,
          topic.pubsubname,
          count(topic.published),
          <span key="rate">
            <Sparkline values={topic.perSecond} /> {fill(TOPICS.perSecond, { n: rate(topic.rate) })}
          </span>,
          latencyText(topic.latency),
          countsCell({
            counts: topic.counts,
            replayed: topic.replayed,
            within: `pubsub:${filterValue(topic.pubsubname)} topic:${filterValue(topic.topic)}`,
          }),
        ],
      }))}
    />
  );
}

function latencyText(latency: Latency | undefined): string {
  if (latency === undefined) return VIEWS_COMMON.dash;
  return [latency.p50Ms, latency.p95Ms, latency.p99Ms].map(duration).join(' · ');
}
