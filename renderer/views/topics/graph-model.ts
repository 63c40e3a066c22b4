/** The graph as plain data: what publishes to which topic, who subscribes, which route leads to which app. */
import type { AppRow, ComponentRow, SubscriptionRow, TopicRow } from '../../../core/contract/subscription.ts';
import { fill } from '../../copy/fill.ts';
import { GRAPH } from '../../copy/graph.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { rate } from '../../format/quantity.ts';

export type NodeKind = 'publisher' | 'topic' | 'subscription' | 'route' | 'app' | 'binding';
/** A state that somebody should look at. */
export type Attention = 'parked' | 'dead-lettered' | 'retrying' | 'none';

export interface GraphNode {
  readonly id: string;
  readonly kind: NodeKind;
  readonly title: string;
  readonly facts: readonly string[];
  readonly attention?: Attention | undefined;
  /** For a link to its messages. */
  readonly topic?: string;
}

export interface GraphEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** Messages per second. */
  readonly rate: number;
  readonly isDeadLetter?: boolean;
  readonly attention?: Attention | undefined;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** There were too many parts: routes are left out. */
  readonly isFolded: boolean;
}

export interface GraphParts {
  readonly topics: readonly TopicRow[];
  readonly subscriptions: readonly SubscriptionRow[];
  readonly apps: readonly Pick<AppRow, 'appId' | 'app' | 'channel' | 'mock'>[];
  readonly components: readonly Pick<ComponentRow, 'name' | 'kind' | 'type' | 'state'>[];
}

/** Above so many nodes routes are folded into their apps. */
export const MOST_NODES = 150;
const PUBLISHERS = 'publishers';
/** Below it the figure would read 0.0. */
const LEAST_RATE = 0.05;

const topicId = (pubsubname: string, topic: string): string => `topic ${pubsubname} ${topic}`;
const appNode = (appId: string): string => `app ${appId}`;

function attentionOf(counts: SubscriptionRow['counts']): Attention | undefined {
  if ((counts.parked ?? 0) > 0) return 'parked';
  if ((counts['dead-lettered'] ?? 0) > 0) return 'dead-lettered';
  return (counts.retrying ?? 0) > 0 ? 'retrying' : undefined;
}

/** Whether an app has not said yet what it subscribes to: until then nobody can say that a topic has no subscription. */
export function isUnknown(apps: readonly Pick<AppRow, 'channel'>[] = []): boolean {
  return apps.some(({ channel }) => channel === 'unknown');
}

function subscribes({ pubsubname, topic }: SubscriptionRow, row: TopicRow): boolean {
  if (pubsubname !== row.pubsubname) return false;
  return topic.endsWith('*') ? row.topic.startsWith(topic.slice(0, -1)) : topic === row.topic;
}

/** Nodes and edges, left to right: publishers, topics, subscriptions, routes, apps. */
export function graphOf(deps: GraphParts): Graph {
  const whole = build(deps, true);
  return whole.nodes.length <= MOST_NODES ? whole : build(deps, false);
}

function build({ topics, subscriptions, apps, components }: GraphParts, withRoutes: boolean): Graph {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const known = new Map<string, TopicRow>(
    topics.map((row) => [topicId(row.pubsubname, row.topic), row] as const),
  );

  if (topics.some(({ published }) => published > 0))
    nodes.push({ id: PUBLISHERS, kind: 'publisher', title: GRAPH.publishers, facts: [GRAPH.publishersOf] });
  addBindings(components, apps, nodes, edges);
  const deadLetters = new Set(
    subscriptions.flatMap(({ pubsubname, deadLetterTopic: topic }) =>
      topic === undefined ? [] : [topicId(pubsubname, topic)],
    ),
  );
  for (const row of topics) {
    const isAlone = row.subscriptions === 0 && !isUnknown(apps);
    const id = topicId(row.pubsubname, row.topic);
    nodes.push({
      id,
      kind: 'topic',
      title: row.topic,
      topic: row.topic,
      facts: [row.pubsubname],
      attention: isAlone && row.published > 0 ? 'none' : undefined,
    });
    // What is on a dead-letter topic came from the subscription, not from a publisher.
    if (row.published === 0 || deadLetters.has(id)) continue;
    edges.push({ id: `to ${id}`, from: PUBLISHERS, to: id, label: rateLabel(row.rate), rate: row.rate });
  }

  subscriptions.forEach((each, index) => {
    const id = `subscription ${index}`;
    const attention = attentionOf(each.counts);
    const fed = topics.filter((row) => subscribes(each, row));
    nodes.push({
      id,
      kind: 'subscription',
      title: each.topic,
      topic: each.topic,
      facts: factsOf(each),
      attention,
    });
    for (const row of fed) {
      const from = topicId(row.pubsubname, row.topic);
      edges.push({
        id: `${from} ${id}`,
        from,
        to: id,
        label: rateLabel(row.rate),
        rate: row.rate,
        attention,
      });
    }
    const end = appNode(each.appId);
    if (withRoutes) addRoutes(each, id, end, nodes, edges);
    else edges.push({ id: `${id} ${end}`, from: id, to: end, label: '', rate: 0, attention });
    if (each.deadLetterTopic === undefined) return;
    const to = topicId(each.pubsubname, each.deadLetterTopic);
    if (!known.has(to) && nodes.every((node) => node.id !== to)) {
      const { deadLetterTopic: title, pubsubname } = each;
      nodes.push({ id: to, kind: 'topic', title, topic: title, facts: [pubsubname] });
    }
    edges.push({ id: `${id} dead`, from: id, to, label: GRAPH.deadLetter, rate: 0, isDeadLetter: true });
  });

  for (const { appId, app, channel } of uniqueApps(apps)) {
    const facts = [app ?? GRAPH.noAddress, ...(channel === 'not-reachable' ? [GRAPH.notReachable] : [])];
    nodes.push({ id: appNode(appId), kind: 'app', title: appId, facts });
  }
  const ids = new Set(nodes.map(({ id }) => id));
  return {
    nodes,
    edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)),
    isFolded: !withRoutes,
  };
}

/** Event-router bindings, with a way to every app. */
function addBindings(
  components: GraphParts['components'],
  apps: GraphParts['apps'],
  nodes: GraphNode[],
  edges: GraphEdge[],
): void {
  for (const { name, kind, type, state } of components) {
    if (kind !== 'binding' || !type.includes('eventrouter')) continue;
    const isReady = state === 'ready';
    const facts = [type, ...(isReady ? [] : [GRAPH.notReady])];
    nodes.push({ id: `binding ${name}`, kind: 'binding', title: name, facts });
    // Nothing comes from one that could not be started.
    if (!isReady) continue;
    for (const { appId } of apps) {
      edges.push({ id: `${name} ${appId}`, from: `binding ${name}`, to: appNode(appId), label: '', rate: 0 });
    }
  }
}

function uniqueApps(apps: GraphParts['apps']): GraphParts['apps'] {
  return apps.filter((app, index) => apps.findIndex(({ appId }) => appId === app.appId) === index);
}

function factsOf(each: SubscriptionRow): readonly string[] {
  return [
    `${each.appId} · ${each.source}`,
    ...(each.rawPayload === true ? [GRAPH.raw] : []),
    ...(each.bulk === undefined ? [] : [GRAPH.bulk]),
    ...(each.state === 'active' ? [] : [fill(GRAPH.inactive, { reason: each.reason ?? each.state })]),
  ];
}

function addRoutes(
  each: SubscriptionRow,
  id: string,
  end: string,
  nodes: GraphNode[],
  edges: GraphEdge[],
): void {
  const routes = [
    ...each.rules.map(({ match, path }) => ({ match, path })),
    ...(each.defaultPath === undefined ? [] : [{ match: GRAPH.default, path: each.defaultPath }]),
  ];
  routes.forEach(({ match, path }, index) => {
    const route = `${id} route ${index}`;
    nodes.push({ id: route, kind: 'route', title: fill(GRAPH.post, { path }), facts: [match] });
    edges.push({ id: `${id} ${route}`, from: id, to: route, label: '', rate: 0 });
    edges.push({ id: `${route} ${end}`, from: route, to: end, label: '', rate: 0 });
  });
}

function rateLabel(perSecond: number): string {
  return perSecond < LEAST_RATE ? '' : fill(GRAPH.perSecond, { n: rate(perSecond) });
}

/** A name for assistive technology. */
export function nodeName({ kind, title, facts, attention }: GraphNode): string {
  const said = attention === undefined ? facts : [...facts, CHIP_WORDS[attention]];
  const words = { kind: GRAPH.kinds[kind], title, facts: said.join(', ') };
  return fill(facts.length === 0 ? GRAPH.nodeName : GRAPH.nodeNameWith, words);
}
