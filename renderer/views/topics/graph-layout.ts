/** Where the parts of the graph stand, and which piece of it is shown first. */
import dagre from '@dagrejs/dagre';
import type { GraphEdge, GraphNode } from './graph-model.ts';

export const NODE_PX = 176;
export const HEAD_PX = 44;
const LINE_PX = 18;
const CHIP_PX = 26;
/** Room for a rate and a state between a topic and its subscription, whether there is one now or not. */
const WAY_PX = 120;
const EDGE_PX = 16;

/** The state of a subscription stands on the line that leads to it. */
export const chipOf = ({ kind, attention }: GraphNode): GraphNode['attention'] =>
  kind === 'subscription' ? undefined : attention;

export const heightOf = (part: GraphNode): number =>
  HEAD_PX + LINE_PX * part.facts.length + (chipOf(part) === undefined ? 0 : CHIP_PX);

/** Upper left corners of the nodes, in columns from left to right. */
export function layOut(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
): ReadonlyMap<string, [number, number]> {
  const plan = new dagre.graphlib.Graph();
  plan.setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 80 });
  plan.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) plan.setNode(node.id, { width: NODE_PX, height: heightOf(node) });
  for (const { from, to } of edges) {
    const hasState = from.startsWith('topic ') && to.startsWith('subscription ');
    plan.setEdge(from, to, hasState ? { width: WAY_PX, height: CHIP_PX, labelpos: 'c' } : {});
  }
  dagre.layout(plan);
  return new Map(
    nodes.map((node) => {
      const { x, y } = plan.node(node.id);
      return [node.id, [x - NODE_PX / 2, y - heightOf(node) / 2]] as const;
    }),
  );
}

/** Below it the words of a part are too small to be read at ease. */
export const READABLE = 0.7;
/** At which a graph begins that would be smaller than that as a whole. */
const BEGIN = 0.85;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * What is shown first in a frame: undefined for the whole graph, where it can be read so; else its first column, at a size that can,
 * with as much above as below the part that it begins with.
 */
export function beginning(
  whole: Box,
  first: Box,
  frame: { readonly width: number; readonly height: number },
): { readonly x: number; readonly y: number; readonly zoom: number } | undefined {
  if (Math.min(frame.width / whole.width, frame.height / whole.height) >= READABLE) return undefined;
  const zoom = BEGIN;
  const [top, bottom] = [EDGE_PX - whole.y * zoom, frame.height - EDGE_PX - (whole.y + whole.height) * zoom];
  const middle = frame.height / 2 - (first.y + first.height / 2) * zoom;
  // Where all of it has room from top to bottom it stands in the middle; else no more is left empty than the edge.
  const y = bottom >= top ? (top + bottom) / 2 : Math.min(top, Math.max(bottom, middle));
  return { x: EDGE_PX - whole.x * zoom, y, zoom };
}
