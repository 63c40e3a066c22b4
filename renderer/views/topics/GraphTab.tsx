/** The graph of topics, subscriptions and apps: drawn, or as a table; with a panel about the chosen part. */
import { X } from 'lucide-react';
import { useMemo, type ReactElement } from 'react';
import { Link } from 'wouter';
import { whyNotRead } from '../../format/why-not-read.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { later } from '../../components/later.tsx';
import { Empty, Failed, Loading } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { GRAPH } from '../../copy/graph.ts';
import { filterValue } from '../../components/row-menu.ts';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import page from '../page.module.css';
import css from './Graph.module.css';
import { graphOf, MAX_NODES, type Graph, type GraphNode } from './graph-model.ts';
import { addressPart } from '../../../core/contract/address-part.ts';

const GraphCanvas = later(
  async () => (await import('./GraphCanvas.tsx')).GraphCanvas,
  <Loading text={GRAPH.loading} />,
);

/** The graph or the table. */
export function GraphTab(): ReactElement {
  const { navigation, topology } = useConsole();
  const topics = useResource(topology.topics);
  const subscriptions = useResource(topology.subscriptions);
  const apps = useResource(topology.apps);
  const components = useResource(topology.components);
  const { value: taps } = useResource(topology.taps);
  const isTable = useParam('v') === 'table';
  const chosen = useParam('n');
  const failure = topics.failure ?? subscriptions.failure ?? apps.failure ?? components.failure;
  const graph = useMemo(
    () =>
      graphOf({
        topics: topics.value?.items ?? [],
        subscriptions: subscriptions.value?.items ?? [],
        apps: apps.value?.items ?? [],
        components: components.value?.items ?? [],
        taps: taps?.items ?? [],
      }),
    [topics.value, subscriptions.value, apps.value, components.value, taps],
  );
  const isThere = [topics, subscriptions, apps, components].every(({ value }) => value !== undefined);
  if (!isThere && failure !== undefined) {
    const again = (): void => topology.onChange();
    return <Failed text={fill(GRAPH.failed, { message: whyNotRead(failure) })} again={again} />;
  }
  if (!isThere) return <Loading text={GRAPH.loading} />;
  const part = graph.nodes.find(({ id }) => id === chosen);
  return (
    <div className={css.tab}>
      <div className={page.bar}>
        <Button onClick={() => navigation.change({ v: isTable ? undefined : 'table' }, { replace: true })}>
          {isTable ? GRAPH.asGraph : GRAPH.asTable}
        </Button>
        {!isTable && <span className={page.muted}>{GRAPH.hint}</span>}
        {graph.isFolded && <span>{fill(GRAPH.collapsed, { n: MAX_NODES })}</span>}
      </div>
      {(subscriptions.value?.items.length ?? 0) === 0 && graph.edges.length === 0 ? (
        <Empty title={GRAPH.empty} />
      ) : isTable ? (
        <GraphTable graph={graph} />
      ) : (
        <div className={css.parts}>
          <GraphCanvas
            graph={graph}
            chosen={chosen}
            onChoose={(n) => navigation.change({ n: n === chosen ? undefined : n }, { replace: true })}
          />
          {part !== undefined && <About graph={graph} part={part} />}
        </div>
      )}
    </div>
  );
}

function titleOf(graph: Graph, id: string): string {
  const node = graph.nodes.find((each) => each.id === id);
  return node === undefined ? id : fill(GRAPH.ends, { kind: GRAPH.kinds[node.kind], title: node.title });
}

function GraphTable({ graph }: { readonly graph: Graph }): ReactElement {
  const { columns } = GRAPH;
  return (
    <div className={css.table}>
      <DataTable
        label={GRAPH.table}
        columns={[columns.from, columns.what, columns.to, columns.problem]}
        rows={graph.edges.map((edge) => ({
          id: edge.id,
          cells: [
            <bdi key="from">{titleOf(graph, edge.from)}</bdi>,
            <bdi key="what">{edge.label}</bdi>,
            <bdi key="to">{titleOf(graph, edge.to)}</bdi>,
            edge.attention === undefined ? '' : <Chip key="chip" kind={edge.attention} />,
          ],
        }))}
      />
    </div>
  );
}

/** The part in the graph that a person looked at has the keyboard again. */
function focusPart(id: string): void {
  document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"] button`)?.focus();
}

function About({ graph, part }: { readonly graph: Graph; readonly part: GraphNode }): ReactElement {
  const { navigation } = useConsole();
  const ends = (own: 'from' | 'to', other: 'from' | 'to'): readonly string[] =>
    graph.edges.filter((edge) => edge[own] === part.id).map((edge) => titleOf(graph, edge[other]));
  const lists = [
    [GRAPH.comesFrom, ends('to', 'from')],
    [GRAPH.leads, ends('from', 'to')],
  ] as const;
  return (
    <section aria-label={fill(GRAPH.about, { title: part.title })} className={css.about}>
      <div className={page.bar}>
        <h2 className={css.aboutTitle}>
          <bdi>{titleOf(graph, part.id)}</bdi>
        </h2>
        <span className={page.space} />
        <IconButton
          icon={X}
          label={GRAPH.close}
          onClick={() => {
            focusPart(part.id);
            navigation.change({ n: undefined }, { replace: true });
          }}
        />
      </div>
      {part.attention !== undefined && <Chip kind={part.attention} />}
      <ul>
        {part.facts.map((fact) => (
          <li key={fact}>
            <bdi>{fact}</bdi>
          </li>
        ))}
      </ul>
      {lists.map(([title, names]) =>
        names.length === 0 ? null : (
          <div key={title}>
            <h3>{title}</h3>
            <ul>
              {[...new Set(names)].map((name) => (
                <li key={name}>
                  <bdi>{name}</bdi>
                </li>
              ))}
            </ul>
          </div>
        ),
      )}
      {part.topic !== undefined && (
        <Link href={`/messages?f=${addressPart(`topic:${filterValue(part.topic)}`)}`}>
          {fill(GRAPH.openMessages, { topic: part.topic })}
        </Link>
      )}
    </section>
  );
}
