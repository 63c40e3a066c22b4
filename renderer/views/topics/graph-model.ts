/**
 * The graph as plain data: publishers of each topic, subscriptions with their routes, and the apps that
 * receive the messages.
 */
import { ATTENTION_ORDER } from '../../../core/contract/attention.ts';
import type { DeliveryState } from '../../../core/contract/delivery.ts';
import type { AppRow, ComponentRow, SubscriptionRow, TopicRow } from '../../../core/contract/subscription.ts';
import type { TapRow } from '../../../core/contract/tap.ts';
import { topicMatches } from '../../../core/contract/topic-pattern.ts';
import { fill } from '../../copy/fill.ts';
import { GRAPH } from '../../copy/graph.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { observedBy } from '../../format/observed.ts';
import { count, rate } from '../../format/quantity.ts';

export type NodeKind = 'publisher' | 'topic' | 'subscription' | 'app' | 'binding';
/** States that need a person's attention. */
export type Attention = 'parked' | 'dead-lettered' | 'expired' | 'retrying' | 'none';

export interface GraphNode {
  readonly id: string;
  readonly kind: NodeKind;
  readonly title: string;
  readonly facts: readonly string[];
  readonly attention?: Attention | undefined;
  /** Topic for a link to its messages. */
  readonly topic?: string;
}

export interface GraphEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** States of the counts in the label, by their words: "1 parked". */
  readonly states?: Readonly<Record<string, DeliveryState>>;
  /** Messages per second. */
  readonly rate: number;
  readonly isDeadLetter?: boolean;
  /** Number of messages on a dead-letter topic: also copies of what an app dropped; absent on other lines. */
  readonly arrived?: number;
  readonly attention?: Attention | undefined;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** True if there are too many parts: routes are counted, not named. */
  readonly isFolded: boolean;
}

export interface GraphSource {
  readonly topics: readonly TopicRow[];
  readonly subscriptions: readonly SubscriptionRow[];
  readonly apps: readonly Pick<AppRow, 'appId' | 'app' | 'channel' | 'mock'>[];
  readonly components: readonly Pick<ComponentRow, 'name' | 'kind' | 'type' | 'state'>[];
  readonly taps?: readonly Observing[];
}

/** An app that a tap observes. */
type Observing = Pick<TapRow, 'appId' | 'appUrl' | 'appAnswers' | 'subscriptions' | 'publishes'>;

/** Number of nodes above which the routes of a subscription are counted, not named. */
export const MAX_NODES = 150;
export const PUBLISHERS = 'publishers';
/** Maximum number of states in the words of a line. */
const MAX_COUNTS = 3;
/** Rate below which the figure would be 0.0. */
const MIN_RATE = 0.05;
/** Text between the parts of a line's words. */
export const SEPARATOR = ' · ';

const topicId = (pubsubname: string, topic: string): string => `topic ${pubsubname} ${topic}`;
const appNode = (appId: string): string => `app ${appId}`;

function attentionOf(counts: SubscriptionRow['counts']): Attention | undefined {
  if ((counts.parked ?? 0) > 0) return 'parked';
  if ((counts['dead-lettered'] ?? 0) > 0) return 'dead-lettered';
  if ((counts.expired ?? 0) > 0) return 'expired';
  return (counts.retrying ?? 0) > 0 ? 'retrying' : undefined;
}

/** Whether an app has not listed its subscriptions yet. */
export function hasNotReported({ channel }: Pick<AppRow, 'channel'>): boolean {
  return channel === 'unknown';
}

/** Whether a topic may have subscriptions that are not known yet. */
function isUnknown(apps: readonly Pick<AppRow, 'channel'>[] = []): boolean {
  return apps.some(hasNotReported);
}

function subscribes(
  { pubsubname, topic }: Pick<SubscriptionRow, 'pubsubname' | 'topic'>,
  row: TopicRow,
): boolean {
  return pubsubname === row.pubsubname && topicMatches(topic, row.topic);
}

/** Nodes and edges, left to right: publishers, topics, subscriptions with their routes, apps. */
export function graphOf(deps: GraphSource): Graph {
  const whole = build(deps, true);
  return whole.nodes.length <= MAX_NODES ? whole : build(deps, false);
}

/** Words of a publisher's line: "2.0/s · 34 published" */
function publishedLabel({ rate: perSecond, published }: TopicRow): string {
  return joined(rateLabel(perSecond), fill(GRAPH.published, { n: count(published) }));
}

/** Words of a subscription's line with their states: "3 retrying", "1 parked", "12 processed", by the order of attention. */
function countWords(counts: SubscriptionRow['counts']): readonly (readonly [words: string, DeliveryState])[] {
  return ATTENTION_ORDER.flatMap((state) => {
    const n = counts[state] ?? 0;
    const words = fill(GRAPH.counted, { n: count(n), word: CHIP_WORDS[state].toLowerCase() });
    return n === 0 ? [] : [[words, state] as const];
  }).slice(0, MAX_COUNTS);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(SEPARATOR);
}

function build(
  { topics, subscriptions, apps, components, taps = [] }: GraphSource,
  withRoutes: boolean,
): Graph {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  if (topics.some(({ published }) => published > 0)) {
    const facts = [
      ...(topics.some(isPublishedHere) ? [GRAPH.publishersOf] : []),
      ...observedPublishers(taps),
    ];
    nodes.push({ id: PUBLISHERS, kind: 'publisher', title: GRAPH.publishers, facts });
  }
  addBindings(components, apps, nodes, edges);
  const deadLetters = new Set(
    subscriptions.flatMap(({ pubsubname, deadLetterTopic: topic }) =>
      topic === undefined ? [] : [topicId(pubsubname, topic)],
    ),
  );
  for (const row of topics) {
    const seenBy = observedBy(row, taps);
    // The subscribers of an observed topic are known to the other sidecar only.
    const isAlone = row.subscriptions === 0 && seenBy.length === 0 && !isUnknown(apps);
    const id = topicId(row.pubsubname, row.topic);
    nodes.push({
      id,
      kind: 'topic',
      title: row.topic,
      topic: row.topic,
      facts: [
        row.pubsubname,
        ...(seenBy.length === 0 ? [] : [fill(GRAPH.observed, { apps: seenBy.join(', ') })]),
      ],
      attention: isAlone && row.published > 0 ? 'none' : undefined,
    });
    // Messages on a dead-letter topic come from the subscription, not from a publisher.
    if (row.published === 0 || deadLetters.has(id)) continue;
    edges.push({ id: `to ${id}`, from: PUBLISHERS, to: id, label: publishedLabel(row), rate: row.rate });
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
      facts: [...factsOf(each), ...routesOf(each, withRoutes)],
      attention,
    });
    for (const row of fed) {
      const from = topicId(row.pubsubname, row.topic);
      edges.push({ id: `${from} ${id}`, from, to: id, label: rateLabel(row.rate), rate: row.rate });
    }
    const end = appNode(each.appId);
    const counts = countWords(each.counts);
    edges.push({
      id: `${id} ${end}`,
      from: id,
      to: end,
      label: joined(rateLabel(each.lag?.outPerSecond ?? 0), ...counts.map(([words]) => words)),
      states: Object.fromEntries(counts),
      rate: each.lag?.outPerSecond ?? 0,
      attention,
    });
    addDeadLetters(each, topics, id, nodes, edges);
  });

  for (const { appId, app, channel } of uniqueApps(apps)) {
    const facts = [app ?? GRAPH.noAddress, ...(channel === 'not-reachable' ? [GRAPH.notReachable] : [])];
    nodes.push({ id: appNode(appId), kind: 'app', title: appId, facts });
  }
  for (const tap of taps) addObserved(tap, topics, withRoutes, nodes, edges);
  const ids = new Set(nodes.map(({ id }) => id));
  return {
    nodes,
    edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)),
    isFolded: !withRoutes,
  };
}

/**
 * Whether a topic was published to here. Topics that only taps showed were published by the apps behind them,
 * or elsewhere.
 */
function isPublishedHere({ published, taps, isOurs = taps === undefined }: TopicRow): boolean {
  return published > 0 && isOurs;
}

/** Names of the apps whose own publishes taps saw. */
function observedPublishers(taps: readonly Observing[]): readonly string[] {
  const apps = taps.filter(({ publishes }) => publishes > 0).map(({ appId }) => appId);
  return apps.length === 0 ? [] : [fill(GRAPH.observed, { apps: apps.join(', ') })];
}

/** Adds a tapped app with its subscriptions, to which its own sidecar delivers. */
function addObserved(
  { appId, appUrl, appAnswers, subscriptions }: Observing,
  topics: GraphSource['topics'],
  withRoutes: boolean,
  nodes: GraphNode[],
  edges: GraphEdge[],
): void {
  const end = `tapped ${appId}`;
  const away = appAnswers ? [] : [GRAPH.notReachable];
  nodes.push({ id: end, kind: 'app', title: appId, facts: [appUrl, GRAPH.isObserved, ...away] });
  subscriptions.forEach((each, index) => {
    const id = `observed ${appId} ${index}`;
    const routes = each.routes.map((path) => fill(GRAPH.post, { path }));
    nodes.push({
      id,
      kind: 'subscription',
      title: each.topic,
      topic: each.topic,
      facts: [
        joined(appId, GRAPH.isObserved),
        ...(withRoutes ? routes : [fill(GRAPH.routes, { n: routes.length })]),
      ],
    });
    for (const row of topics.filter((one) => subscribes(each, one))) {
      const from = topicId(row.pubsubname, row.topic);
      edges.push({ id: `${from} ${id}`, from, to: id, label: rateLabel(row.rate), rate: row.rate });
    }
    edges.push({ id: `${id} ${end}`, from: id, to: end, label: '', rate: 0 });
  });
}

/** Adds the line of a subscription's dead letters, to a topic that is drawn even before the first one. */
function addDeadLetters(
  each: SubscriptionRow,
  topics: GraphSource['topics'],
  id: string,
  nodes: GraphNode[],
  edges: GraphEdge[],
): void {
  if (each.deadLetterTopic === undefined) return;
  const to = topicId(each.pubsubname, each.deadLetterTopic);
  if (nodes.every((node) => node.id !== to)) {
    const { deadLetterTopic: title, pubsubname } = each;
    nodes.push({ id: to, kind: 'topic', title, topic: title, facts: [pubsubname] });
  }
  const dead = each.counts['dead-lettered'] ?? 0;
  edges.push({
    id: `${id} dead`,
    from: id,
    to,
    label: dead === 0 ? GRAPH.deadLetter : fill(GRAPH.deadLettered, { n: count(dead) }),
    rate: 0,
    isDeadLetter: true,
    arrived: topics.find(({ pubsubname, topic }) => topicId(pubsubname, topic) === to)?.published ?? 0,
    ...(dead === 0 ? {} : { attention: 'dead-lettered' }),
  });
}

/**
 * The lines with the words that are drawn beside them. Words about dead letters stand below their topic, where several lines end: the first
 * of these has what arrived there, and the others have none.
 */
export function withDrawnWords(edges: readonly GraphEdge[]): readonly GraphEdge[] {
  const dead = edges.filter(({ arrived }) => arrived !== undefined);
  return edges.map((edge) => {
    const { arrived } = edge;
    if (arrived === undefined) return edge;
    if (dead.find(({ to }) => to === edge.to) !== edge) return { ...edge, label: '' };
    if (arrived === 0) return { ...edge, label: GRAPH.deadLetter };
    const label = fill(GRAPH.published, { n: count(arrived) });
    return { ...edge, label, states: { [label]: 'dead-lettered' as const } };
  });
}

/** Adds event-router bindings, with a line to every app. */
function addBindings(
  components: GraphSource['components'],
  apps: GraphSource['apps'],
  nodes: GraphNode[],
  edges: GraphEdge[],
): void {
  for (const { name, kind, type, state } of components) {
    if (kind !== 'binding' || !type.includes('eventrouter')) continue;
    const isReady = state === 'ready';
    const facts = [type, ...(isReady ? [] : [GRAPH.notReady])];
    nodes.push({ id: `binding ${name}`, kind: 'binding', title: name, facts });
    // A binding that could not start delivers nothing.
    if (!isReady) continue;
    for (const { appId } of apps) {
      edges.push({ id: `${name} ${appId}`, from: `binding ${name}`, to: appNode(appId), label: '', rate: 0 });
    }
  }
}

function uniqueApps(apps: GraphSource['apps']): GraphSource['apps'] {
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

/** Routes of a subscription: a line for each rule, in the order in which they are tried. */
function routesOf({ rules, defaultPath, source }: SubscriptionRow, isNamed: boolean): readonly string[] {
  // Events go down the stream that the app opened, so no path is posted to.
  if (source === 'streaming') return [];
  const routes = [
    ...rules.map(({ match, path }) => fill(GRAPH.ruleTo, { match, path })),
    ...(defaultPath === undefined ? [] : [fill(GRAPH.post, { path: defaultPath })]),
  ];
  return isNamed ? routes : [fill(GRAPH.routes, { n: routes.length })];
}

function rateLabel(perSecond: number): string {
  return perSecond < MIN_RATE ? '' : fill(GRAPH.perSecond, { n: rate(perSecond) });
}

/** A name for assistive technology. */
export function nodeName({ kind, title, facts, attention }: GraphNode): string {
  const said = attention === undefined ? facts : [...facts, CHIP_WORDS[attention]];
  const words = { kind: GRAPH.kinds[kind], title, facts: said.join(', ') };
  return fill(facts.length === 0 ? GRAPH.nodeName : GRAPH.nodeNameWith, words);
}

/** Name of a line for assistive technology: its ends, and its words. */
export function lineName({ from, to, label }: GraphEdge, titles: ReadonlyMap<string, string>): string {
  const ends = { from: titles.get(from) ?? from, to: titles.get(to) ?? to };
  return fill(label === '' ? GRAPH.lineName : GRAPH.lineNameWith, {
    ...ends,
    words: label.split(SEPARATOR).join(', '),
  });
}

/** Look of a line: the colour of its worst state, dashed if messages did not arrive. */
export function lineLook({ attention, isDeadLetter }: Pick<GraphEdge, 'attention' | 'isDeadLetter'>): {
  readonly colour: string;
  readonly isDashed: boolean;
} {
  const isCalm = attention === undefined || attention === 'none';
  return {
    colour: isCalm ? 'var(--border-strong)' : `var(--state-${attention})`,
    isDashed: isDeadLetter === true || attention === 'parked' || attention === 'dead-lettered',
  };
}
