/** Every topic with its counts. */
import { Filter, Pause, Send, Waypoints } from 'lucide-react';
import { Fragment, useMemo, useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { addressPart } from '../../../core/contract/address-part.ts';
import { theApp } from '../../../core/contract/app-text.ts';
import type { Result } from '../../../core/contract/console.ts';
import { allOf, firstOf } from '../../../core/contract/list-text.ts';
import type { TopicRow } from '../../../core/contract/subscription.ts';
import { IconButton } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { Ticking } from '../../components/clock.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { TextField } from '../../components/Fields.tsx';
import { Sparkline } from '../../components/Sparkline.tsx';
import { Empty, Loaded } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { TOPICS } from '../../copy/topics.ts';
import { clockSeconds, utcTime } from '../../format/clock-time.ts';
import { count, rate } from '../../format/quantity.ts';
import { ObservedMark } from '../../components/ObservedMark.tsx';
import { countsCell } from '../../components/StateCounts.tsx';
import { observedBy } from '../../format/observed.ts';
import {
  inOrder,
  nextOrder,
  TOPIC_SORTS,
  type TopicOrder,
  type TopicSort,
} from '../../format/topic-order.ts';
import { useConsole, useResource } from '../../state/context.ts';
import page from '../page.module.css';
import css from './Subscriptions.module.css';
import { topicLags } from '../../format/topic-lag.ts';
import { filterValue } from '../../components/row-menu.ts';
import { hasNotReported } from './graph-model.ts';

/** A table, which includes topics without a subscription. */
export function TopicsTab(): ReactElement {
  const { topology } = useConsole();
  const { value, failure } = useResource(topology.topics);
  return (
    <Loaded
      value={value}
      failure={failure}
      loading={TOPICS.loading}
      failed={TOPICS.failed}
      again={() => void topology.topics.refresh()}
    >
      {(known) => <Known value={known} />}
    </Loaded>
  );
}

function Known({ value }: { readonly value: Result<'topics.list'> }): ReactElement {
  const [text, setText] = useState('');
  const [order, setOrder] = useState<TopicOrder>();
  if (value.items.length === 0) return <Empty title={TOPICS.empty} />;
  const wanted = text.trim().toLowerCase();
  const shown = value.items.filter(({ topic }) => topic.toLowerCase().includes(wanted));
  return (
    <div className={page.body}>
      <div className={page.stack}>
        <div className={css.find}>
          <TextField
            hideLabel
            type="search"
            label={TOPICS.find}
            placeholder={TOPICS.find}
            value={text}
            onChange={setText}
          />
        </div>
        {shown.length === 0 ? (
          <Empty title={fill(TOPICS.noneFound, { text })} />
        ) : (
          <TopicTable rows={shown} order={order} onOrder={setOrder} />
        )}
      </div>
    </div>
  );
}

/** Address of the list with the messages of a topic. */
function messagesOf({ pubsubname, topic }: TopicRow): string {
  return `/messages?f=${addressPart(`topic:${filterValue(topic)} pubsub:${filterValue(pubsubname)}`)}`;
}

/** Column of each order, by its place in the table. */
const SORT_COLUMNS: Readonly<Record<TopicSort, number>> = {
  topic: 0,
  component: 1,
  published: 3,
  rate: 5,
  last: 7,
};

interface TopicTableProps {
  readonly rows: readonly TopicRow[];
  readonly order: TopicOrder | undefined;
  readonly onOrder: (order: TopicOrder | undefined) => void;
}

function TopicTable({ rows, order, onOrder }: TopicTableProps): ReactElement {
  const { columns } = TOPICS;
  const { value: subscribed } = useResource(useConsole().topology.subscriptions);
  const lagOf = useMemo(() => topicLags(subscribed?.items ?? []), [subscribed]);
  return (
    <DataTable
      label={TOPICS.table}
      numeric={[3]}
      whole={[0, 5, 7, 8]}
      folded={[1, 2, 4, 6]}
      sort={{
        columns: Object.values(SORT_COLUMNS),
        by: order && SORT_COLUMNS[order.by],
        isDown: order?.isDown ?? false,
        onSort: (column) => {
          const by = TOPIC_SORTS.find((each) => SORT_COLUMNS[each] === column);
          if (by !== undefined) onOrder(nextOrder(order, by));
        },
      }}
      columns={[
        columns.topic,
        columns.component,
        columns.subscriptions,
        columns.published,
        columns.states,
        columns.rate,
        columns.lag,
        columns.last,
        <span key="actions" className="visually-hidden">
          {columns.actions}
        </span>,
      ]}
      rows={inOrder(rows, order).map((row) => ({
        id: `${row.pubsubname} ${row.topic}`,
        cells: [
          <strong key="topic">
            <Link href={messagesOf(row)} className={css.topic}>
              <bdi title={row.topic}>{row.topic}</bdi>
            </Link>
          </strong>,
          row.pubsubname,
          <Subscribed key="apps" row={row} />,
          count(row.published),
          countsCell({
            counts: row.counts,
            replayed: row.replayed,
            within: `pubsub:${filterValue(row.pubsubname)} topic:${filterValue(row.topic)}`,
          }),
          <span key="rate">
            <Sparkline values={row.perSecond} /> {fill(TOPICS.perSecond, { n: rate(row.rate) })}
          </span>,
          <span key="lag" className={css.lag}>
            <Ticking text={lagOf(row)} />
          </span>,
          row.lastAt === undefined ? (
            ''
          ) : (
            <code key="last" title={utcTime(row.lastAt)}>
              {clockSeconds(row.lastAt)}
            </code>
          ),
          <TopicActions key="actions" row={row} />,
        ],
      }))}
    />
  );
}

function Subscribed({ row }: { readonly row: TopicRow }): ReactElement {
  const { topology } = useConsole();
  const { value: known } = useResource(topology.apps);
  const { value: taps } = useResource(topology.taps);
  const { apps, bulk, deadLetterTopic } = row;
  const observed = observedBy(row, taps?.items ?? []);
  const unknown = (known?.items ?? []).filter(hasNotReported).map(({ appId }) => appId);
  if (apps.length === 0 && observed.length === 0)
    return unknown.length > 0 ? <>{notKnownText(unknown)}</> : <Chip kind="none" />;
  const facts = [
    ...(apps.length === 0 ? [] : [appsText(apps)]),
    ...(bulk ? [TOPICS.bulk] : []),
    ...(deadLetterTopic === undefined ? [] : [fill(TOPICS.deadLetter, { topic: deadLetterTopic })]),
  ];
  const all = apps.length > NAMED ? apps.join(', ') : undefined;
  return <Subscribers facts={facts} all={all} observed={observed} />;
}

export interface SubscribersProps {
  /** What Sidelight knows of its own subscriptions; [] = it has none. */
  readonly facts: readonly string[];
  /** All own apps, where `facts` does not name each of them. */
  readonly all?: string | undefined;
  /** Observed apps. */
  readonly observed: readonly string[];
}

/** Own apps first, and apart from them each observed app: a mark beside an own app would seem to be its own. */
export function Subscribers({ facts, all, observed }: SubscribersProps): ReactElement {
  return (
    <>
      {facts.length > 0 && <span title={all}>{facts.join(' · ')}</span>}
      {observed.map((app, i) => (
        <Fragment key={app}>
          {(facts.length > 0 || i > 0) && ' · '}
          <span className={page.line}>
            {app} <ObservedMark tap={app} />
          </span>
        </Fragment>
      ))}
    </>
  );
}

/** Says on whose answer it depends whether anybody subscribes. */
export function notKnownText(unknown: readonly string[]): string {
  const names = unknown.map(theApp);
  const apps = names.length > NAMED ? firstOf(names, NAMED - 1) : allOf(names);
  return fill(TOPICS.notKnown, { apps, n: names.length });
}

/** Number of apps up to which all are named in the table. */
const NAMED = 3;

/** The apps that subscribe to a topic: "12 apps: a, b and 10 more". */
export function appsText(apps: readonly string[]): string {
  const n = apps.length;
  if (n <= NAMED) return fill(n === 1 ? TOPICS.app : TOPICS.apps, { n, apps: apps.join(', ') });
  const first = apps.slice(0, NAMED - 1);
  return fill(TOPICS.manyApps, { n, apps: first.join(', '), more: n - first.length });
}

function TopicActions({ row }: { readonly row: TopicRow }): ReactElement {
  const { commands, drafts, navigation } = useConsole();
  const { pubsubname, topic } = row;
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      <IconButton
        icon={Send}
        label={fill(TOPICS.publishTo, { topic })}
        onClick={() => {
          drafts.editSingle({ pubsubname, topic });
          navigation.go('/publish');
        }}
      />
      <IconButton
        icon={Pause}
        label={fill(TOPICS.hold, { topic })}
        onClick={() => commands.open({ kind: 'hold', filter: `topic:${filterValue(topic)}` })}
      />
      <IconButton
        icon={Filter}
        label={fill(TOPICS.filter, { topic })}
        onClick={() => navigation.go('/messages', { f: `topic:${filterValue(topic)}` })}
      />
      <IconButton
        icon={Waypoints}
        label={fill(TOPICS.inGraph, { topic })}
        onClick={() => navigation.change({ t: 'graph', n: `topic ${pubsubname} ${topic}` })}
      />
    </span>
  );
}
