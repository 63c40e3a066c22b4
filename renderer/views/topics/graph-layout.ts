/** Positions of the graph's parts, and the part that is shown first. */
import dagre from '@dagrejs/dagre';
import { PUBLISHERS, SEPARATOR, type GraphEdge, type GraphNode } from './graph-model.ts';

export const NODE_PX = 196;
export const HEAD_PX = 48;
const LINE_PX = 20;
const CHIP_PX = 26;
/** Room for a rate on each line, and for counts below each other, even if there are none now. */
const RATE_PX = 48;
const COUNTS_PX = 112;
const COUNT_LINE_PX = 18;
/** Width of a letter of these words, rounded up; the space between two columns has room for what is on both sides of them. */
const LETTER_PX = 7.4;
/** Steps in which the room for long words grows, so that parts stay where they are while a figure counts up. */
const STEP_PX = 32;
const EDGE_PX = 16;

/** State of a node's chip. That of a subscription is on the line that leads to it. */
export const chipOf = ({ kind, attention }: GraphNode): GraphNode['attention'] =>
  kind === 'subscription' ? undefined : attention;

export const heightOf = (part: GraphNode): number =>
  HEAD_PX + LINE_PX * part.facts.length + (chipOf(part) === undefined ? 0 : CHIP_PX);

/** Width of the room for the words of a line. */
export function roomOf({ from, label }: Pick<GraphEdge, 'from' | 'label'>): number {
  const least = from.startsWith('subscription ') || from === PUBLISHERS ? COUNTS_PX : RATE_PX;
  const letters = Math.max(...label.split(SEPARATOR).map(({ length }) => length));
  const more = Math.ceil((letters * LETTER_PX - least) / STEP_PX);
  return least + Math.max(0, more) * STEP_PX;
}

/**
 * Rooms of the lines by their ids. The room of a line only grows: a figure that goes up and down about the end of its room would move all
 * parts each time.
 * @returns `before` itself where nothing has changed
 */
export function roomsAfter(
  before: ReadonlyMap<string, number>,
  edges: readonly Pick<GraphEdge, 'id' | 'from' | 'label'>[],
): ReadonlyMap<string, number> {
  const after = new Map(edges.map((edge) => [edge.id, Math.max(before.get(edge.id) ?? 0, roomOf(edge))]));
  const isSame = after.size === before.size && [...after].every(([id, room]) => before.get(id) === room);
  return isSame ? before : after;
}

/**
 * Upper left corners of the nodes, in columns from left to right.
 * @param rooms of the lines, by `roomsAfter`
 */
export function layOut(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  rooms: ReadonlyMap<string, number> = roomsAfter(new Map(), edges),
): ReadonlyMap<string, [number, number]> {
  const plan = new dagre.graphlib.Graph();
  plan.setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 32 });
  plan.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) plan.setNode(node.id, { width: NODE_PX, height: heightOf(node) });
  for (const edge of edges) {
    const height = COUNT_LINE_PX * edge.label.split(SEPARATOR).length;
    plan.setEdge(edge.from, edge.to, { width: rooms.get(edge.id) ?? roomOf(edge), height, labelpos: 'c' });
  }
  // A topic without a publish belongs to the column of the topics, though no line leads to it.
  if (nodes.some(({ id }) => id === PUBLISHERS))
    for (const node of nodes.filter((each) => isAlone(each, 'topic', edges)))
      plan.setEdge(PUBLISHERS, node.id, { weight: 0, width: COUNTS_PX, height: 0, labelpos: 'c' });
  // An app without a subscription belongs to the column of the apps, though no line leads to it.
  const [anchor, steps] = beforeApps(nodes, edges);
  if (anchor !== undefined) {
    const line = { minlen: steps, weight: 0, width: COUNTS_PX, height: 0, labelpos: 'c' };
    for (const node of nodes.filter((each) => isAlone(each, 'app', edges)))
      plan.setEdge(anchor, node.id, line);
  }
  dagre.layout(plan);
  return new Map(
    nodes.map((node) => {
      const { x, y } = plan.node(node.id);
      return [node.id, [x - NODE_PX / 2, y - heightOf(node) / 2]] as const;
    }),
  );
}

/** Whether a node of a kind has no line that leads to it. */
function isAlone(node: GraphNode, kind: GraphNode['kind'], edges: readonly GraphEdge[]): boolean {
  return node.kind === kind && edges.every(({ to }) => to !== node.id);
}

/** A node to the left of the apps, and the number of columns from it to them; no node: nothing else is drawn. */
function beforeApps(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
): readonly [id: string | undefined, steps: number] {
  const kinds = new Map(nodes.map(({ id, kind }) => [id, kind]));
  const led = edges.find(({ from, to }) => kinds.get(to) === 'app' && kinds.get(from) === 'subscription');
  return led === undefined ? [nodes.find(({ kind }) => kind === 'topic')?.id, 2] : [led.from, 1];
}

/** Scale at which the words of a part, 14 px high, are 12 px high, which is the least readable size. */
export const READABLE = 0.86;
/** Empty space around a whole graph, as a share of it; the least one is for a graph that is readable only without more. */
const PADDING = 0.08;
const MIN_PADDING = 0.02;
/** First scale of a graph that would be smaller than that as a whole. */
const BEGIN = 0.9;
/** Largest first scale, and the step between two that are tried. */
const MOST = 1.2;
const SCALE_STEP = 0.02;

/** Sides on which parts can be out of sight. */
const SIDES = ['up', 'down', 'left', 'right'] as const;
export type GraphSide = (typeof SIDES)[number];

/** Px that count as the edge of a part. */
const SLACK_PX = 4;

/** Sides on which parts are out of sight. */
export function beyond(
  whole: Box,
  view: { readonly x: number; readonly y: number; readonly zoom: number },
  frame: { readonly width: number; readonly height: number },
): readonly GraphSide[] {
  const { x, y, zoom } = view;
  const isBeyond: Readonly<Record<GraphSide, boolean>> = {
    up: whole.y * zoom + y < -SLACK_PX,
    down: (whole.y + whole.height) * zoom + y > frame.height + SLACK_PX,
    left: whole.x * zoom + x < -SLACK_PX,
    right: (whole.x + whole.width) * zoom + x > frame.width + SLACK_PX,
  };
  return SIDES.filter((side) => isBeyond[side]);
}

/** The box around all boxes. */
export function around(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Share of the graph that may be empty space around it before its words get too small to be read. */
function sparePadding(whole: Size, frame: Size): number {
  return Math.min(frame.width / whole.width, frame.height / whole.height) / READABLE - 1;
}

/** Empty space around the whole graph in a frame: less of it, where the words can be read for that. */
export function paddingIn(whole: Size, frame: Size): number {
  const spare = sparePadding(whole, frame);
  return spare < MIN_PADDING ? PADDING : Math.min(PADDING, spare);
}

/**
 * A scale at which the right edge of the frame cuts no part, as near to the given one as there is; that one if each cuts some. A part of
 * which half is in sight looks broken, and the buttons below the frame say that there is more.
 * @param from of the graph, at the left edge of the space in the frame
 */
function uncutScale(scale: number, from: number, room: number, boxes: readonly Box[]): number {
  const isCut = (tried: number): boolean => {
    const edge = from + room / tried;
    return boxes.some(({ x, width }) => x < edge && x + width > edge);
  };
  const steps = Math.round((MOST - READABLE) / SCALE_STEP);
  const scales = Array.from({ length: steps + 1 }, (_, step) => READABLE + step * SCALE_STEP);
  const nearest = [scale, ...scales.toSorted((a, b) => Math.abs(a - scale) - Math.abs(b - scale))];
  return nearest.find((tried) => !isCut(tried)) ?? scale;
}

/**
 * The part that is shown first in a frame; undefined: the whole graph, if it is readable. Otherwise it is the
 * first column at a readable scale, with equal space above and below its first part.
 * @param boxes of all parts
 */
export function beginning(
  whole: Box,
  first: Box,
  frame: Size,
  boxes: readonly Box[] = [],
): { readonly x: number; readonly y: number; readonly zoom: number } | undefined {
  if (sparePadding(whole, frame) >= MIN_PADDING) return undefined;
  // The columns of a wide frame are as large as they can be, and in its middle.
  const wide = Math.max(BEGIN, Math.min(1, (frame.width - 2 * EDGE_PX) / whole.width));
  const zoom = uncutScale(wide, whole.x, frame.width - EDGE_PX, boxes);
  const left = Math.max(EDGE_PX, (frame.width - whole.width * zoom) / 2);
  const [top, bottom] = [EDGE_PX - whole.y * zoom, frame.height - EDGE_PX - (whole.y + whole.height) * zoom];
  const middle = frame.height / 2 - (first.y + first.height / 2) * zoom;
  // A graph that fits vertically is centred; otherwise only the margin is left empty.
  const y = bottom >= top ? (top + bottom) / 2 : Math.min(top, Math.max(bottom, middle));
  return { x: left - whole.x * zoom, y, zoom };
}
