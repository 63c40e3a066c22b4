/**
 * The drawn graph: laid out from left to right, walked by Tab, moved and resized by keys. It is loaded at
 * first use.
 */
import {
  BaseEdge,
  EdgeLabelRenderer,
  getBezierPath,
  Handle,
  MarkerType,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  useViewport,
  type ReactFlowInstance,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Maximize, Minus, Plus } from 'lucide-react';
import {
  Fragment,
  useEffect,
  useMemo,
  useRef,
  type FocusEvent,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
} from 'react';
import { Button, IconButton } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { fill } from '../../copy/fill.ts';
import { GRAPH } from '../../copy/graph.ts';
import { withKeptEnd } from '../../format/columns.ts';
import css from './Graph.module.css';
import {
  around,
  beginning,
  beyond,
  chipOf,
  HEAD_PX,
  heightOf,
  layOut,
  NODE_PX,
  paddingIn,
  READABLE,
  roomsAfter,
  type Box,
  type GraphSide,
} from './graph-layout.ts';
import {
  nodeName,
  PUBLISHERS,
  SEPARATOR,
  type Graph,
  type GraphEdge,
  type GraphNode,
  lineLook,
  lineName,
  withDrawnWords,
} from './graph-model.ts';

const PAN_PX = 60;
const MAX_WIDE_PX = 6;
/** Px between a part and the words of a line that ends at it. */
const END_PX = 14;
/** Px between a part and the words below it. */
const BELOW_PX = 2;

type PartNode = Node<{ part: GraphNode; chosen: boolean; onChoose: (id: string) => void }, 'part'>;

export interface GraphCanvasProps {
  readonly graph: Graph;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

/** Letters at the end of a text that stay: names of one program mostly begin alike, and the path of a route stands at its end. */
const KEPT_LETTERS = 10;

/** A text in one line, cut before its last letters where it does not fit. */
function Words({
  text,
  className,
}: {
  readonly text: string;
  readonly className: string | undefined;
}): ReactElement {
  const [start, end] = withKeptEnd(text, KEPT_LETTERS);
  return (
    // One direction for both parts: the first letter decides it.
    <bdi className={className} title={text}>
      <span>{start}</span>
      {end !== '' && <span>{end}</span>}
    </bdi>
  );
}

function Part({ data: { part, chosen, onChoose } }: NodeProps<PartNode>): ReactElement {
  const chip = chipOf(part);
  return (
    <>
      <Handle type="target" position={Position.Left} className={css.handle} />
      <button
        type="button"
        className={css.node}
        data-kind={part.kind}
        aria-label={nodeName(part)}
        aria-pressed={chosen}
        onClick={() => onChoose(part.id)}
      >
        {/* The spaces keep the lines apart for who says what the part shows. */}
        <span className={css.kind}>{GRAPH.kinds[part.kind]}</span>{' '}
        <Words className={css.title} text={part.title} />
        {part.facts.map((fact) => (
          <Fragment key={fact}>
            {' '}
            <Words className={css.fact} text={fact} />
          </Fragment>
        ))}{' '}
        {chip !== undefined && <Chip kind={chip} />}
      </button>
      <Handle type="source" position={Position.Right} className={css.handle} />
    </>
  );
}

const TYPES = { part: Part };

/** An edge. `below`: px from the middle of its target to the target's lower edge. */
type WayEdge = Edge<{ way: GraphEdge; below: number }, 'way'>;

/** A line with its rate or its counts; one that leads to trouble has the colour of that state. */
function Way(props: EdgeProps<WayEdge>): ReactElement {
  const { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, markerEnd, style, data } =
    props;
  const [path, x, y] = getBezierPath({ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition });
  const way = data?.way;
  // Each line has an end at a height of its own. Its words are there, so that they cover none.
  const isAtSource = way?.from.startsWith('subscription ') === true && way.isDeadLetter !== true;
  const isAtTarget = way?.from === PUBLISHERS;
  // Lines of dead letters cross the counts of other lines, so their words are below their topic.
  const at = isAtSource
    ? `translate(0, -50%) translate(${sourceX + END_PX}px, ${sourceY}px)`
    : way?.isDeadLetter === true
      ? `translate(0, 0) translate(${targetX}px, ${targetY + (data?.below ?? 0) + BELOW_PX}px)`
      : isAtTarget
        ? `translate(-100%, -50%) translate(${targetX - END_PX}px, ${targetY}px)`
        : `translate(-50%, -50%) translate(${x}px, ${y}px)`;
  const isBare = way === undefined || way.label === '';
  return (
    <>
      <BaseEdge path={path} {...(markerEnd === undefined ? {} : { markerEnd })} {...(style && { style })} />
      {!isBare && (
        <EdgeLabelRenderer>
          <span aria-hidden className={css.way} style={{ transform: at }}>
            {way.label.split(SEPARATOR).map((part) => (
              <span key={part} data-state={way.states?.[part]}>
                {part}
              </span>
            ))}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

const WAYS = { way: Way };

function edgeOf(edge: GraphEdge, below: number, name: string): WayEdge {
  const { colour, isDashed } = lineLook(edge);
  return {
    id: edge.id,
    type: 'way',
    ariaLabel: name,
    data: { way: edge, below },
    source: edge.from,
    target: edge.to,
    focusable: false,
    markerEnd: { type: MarkerType.ArrowClosed, color: colour },
    style: {
      stroke: colour,
      strokeWidth: Math.min(MAX_WIDE_PX, 1 + Math.log10(1 + edge.rate)),
      ...(isDashed ? { strokeDasharray: '6 4' } : {}),
    },
  };
}

type Flow = ReactFlowInstance<PartNode, WayEdge>;

/** Shows the whole graph. */
function fit(flow: Flow, frame: HTMLElement | null): void {
  if (frame === null) return;
  const room = { width: frame.clientWidth, height: frame.clientHeight };
  void flow.fitView({ padding: paddingIn(flow.getNodesBounds(flow.getNodes()), room), maxZoom: 1 });
}

const boxOf = ({ position, width = NODE_PX, height = HEAD_PX }: PartNode): Box => ({
  ...position,
  width,
  height,
});

function begin(flow: Flow, first: PartNode | undefined, frame: HTMLDivElement | null): void {
  if (first === undefined || frame === null) return;
  const room = { width: frame.clientWidth, height: frame.clientHeight };
  const nodes = flow.getNodes();
  const viewport = beginning(flow.getNodesBounds(nodes), boxOf(first), room, nodes.map(boxOf));
  if (viewport === undefined) fit(flow, frame);
  else void flow.setViewport(viewport);
}

function centre(flow: Flow, part: PartNode): void {
  const { x, y, width, height } = boxOf(part);
  void flow.setCenter(x + width / 2, y + height / 2, { zoom: Math.max(READABLE, flow.getZoom()) });
}

/**
 * Moves or resizes the view by a key.
 * @returns false: the graph does not use the key
 */
function moveView(flow: Flow, key: string, frame: HTMLElement | null): boolean {
  const { x, y, zoom } = flow.getViewport();
  const moves: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [PAN_PX, 0],
    ArrowRight: [-PAN_PX, 0],
    ArrowUp: [0, PAN_PX],
    ArrowDown: [0, -PAN_PX],
  };
  const move = moves[key];
  if (move !== undefined) void flow.setViewport({ x: x + move[0], y: y + move[1], zoom });
  else if (key === '+' || key === '=') void flow.zoomIn();
  else if (key === '-') void flow.zoomOut();
  else if (key === '0') fit(flow, frame);
  else return false;
  return true;
}

function isInside(box: DOMRect, around: DOMRect): boolean {
  return (
    box.left >= around.left &&
    box.right <= around.right &&
    box.top >= around.top &&
    box.bottom <= around.bottom
  );
}

/**
 * Resets the view when the frame changes its size, as for a banner, until the user moves the view.
 * @returns function to call at a move
 */
function useRefit(frame: RefObject<HTMLElement | null>, refit: () => void): () => void {
  const isMoved = useRef(false);
  const latest = useRef(refit);
  useEffect(() => {
    latest.current = refit;
  });
  useEffect(() => {
    if (frame.current === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (!isMoved.current) latest.current();
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [frame]);
  return () => {
    isMoved.current = true;
  };
}

interface Nodes {
  readonly nodes: PartNode[];
  /** Position of each node by its id; the same object while no node is added or removed. */
  readonly positions: ReturnType<typeof layOut>;
}

/** The parts of the graph at their positions. */
function useNodes({ graph, chosen, onChoose }: GraphCanvasProps): Nodes {
  const last = useRef<ReadonlyMap<string, number>>(new Map());
  const rooms = roomsAfter(last.current, graph.edges);
  useEffect(() => {
    last.current = rooms;
  }, [rooms]);
  const shape = [...graph.nodes, ...graph.edges].map(({ id }) => id).join('\n');
  // Facts of a node, and figures that fit into their room, change without a place changing.
  // oxlint-disable-next-line react/exhaustive-deps
  const positions = useMemo(() => layOut(graph.nodes, graph.edges, rooms), [shape, rooms]);
  const nodes = useMemo(
    () =>
      graph.nodes
        .map((part): PartNode => {
          const [x = 0, y = 0] = positions.get(part.id) ?? [];
          return {
            id: part.id,
            type: 'part',
            position: { x, y },
            width: NODE_PX,
            height: heightOf(part),
            focusable: false,
            data: { part, chosen: part.id === chosen, onChoose },
          };
        })
        // Tab goes column by column, as people read.
        .toSorted((a, b) => a.position.x - b.position.x || a.position.y - b.position.y),
    [graph.nodes, positions, chosen, onChoose],
  );
  return { nodes, positions };
}

function Drawing({ graph: known, chosen, onChoose }: GraphCanvasProps): ReactElement {
  const graph = useMemo(() => ({ ...known, edges: withDrawnWords(known.edges) }), [known]);
  const flow = useReactFlow<PartNode, WayEdge>();
  const frame = useRef<HTMLDivElement>(null);
  const begun = useRef(false);
  const { nodes, positions } = useNodes({ graph, chosen, onChoose });
  const edges = useMemo(() => {
    const heights = new Map(graph.nodes.map((part) => [part.id, heightOf(part)]));
    const titles = new Map(
      graph.nodes.map(({ id, kind, title }) => [
        id,
        fill(GRAPH.nodeName, { kind: GRAPH.kinds[kind], title }),
      ]),
    );
    return graph.edges.map((edge) => edgeOf(edge, (heights.get(edge.to) ?? 0) / 2, lineName(edge, titles)));
  }, [graph.edges, graph.nodes]);

  const moved = useRefit(frame, () => begin(flow, nodes[0], frame.current));

  useEffect(() => {
    // The library declares its frame as an application, which would disable the keys of a screen reader.
    frame.current?.querySelector('.react-flow')?.setAttribute('role', 'presentation');
    const first = begun.current ? undefined : nodes.find(({ id }) => id === chosen);
    begun.current = true;
    if (first === undefined) begin(flow, nodes[0], frame.current);
    else {
      moved();
      centre(flow, first);
    }
    // A part that is chosen later is in sight already.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [flow, positions]);

  /** Scrolls a part that Tab reaches into view, however large the graph is. */
  function onFocus(event: FocusEvent): void {
    const [own, part] = [frame.current, event.target.closest('.react-flow__node')];
    const node = nodes.find(({ id }) => id === part?.getAttribute('data-id'));
    if (own === null || part === null || node === undefined) return;
    const [around, box] = [own.getBoundingClientRect(), part.getBoundingClientRect()];
    if (isInside(box, around)) return;
    moved();
    centre(flow, node);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !moveView(flow, event.key, frame.current)) return;
    moved();
    event.preventDefault();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys move the view; parts are buttons of their own
    <div role="group" aria-label={GRAPH.label} className={css.canvas} onKeyDown={onKeyDown} onFocus={onFocus}>
      <div ref={frame} className={css.frame}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={TYPES}
          edgeTypes={WAYS}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          minZoom={0.1}
          maxZoom={2}
          proOptions={{ hideAttribution: true }}
          onlyRenderVisibleElements={false}
          // A move by the graph itself has no event.
          onMoveStart={(event) => {
            if (event !== null) moved();
          }}
        />
      </div>
      {/* Below the frame: over it they would cover parts. */}
      <div className={css.tools}>
        <Sizes flow={flow} moved={moved} frame={frame} />
        <Beyond flow={flow} nodes={nodes} moved={moved} />
      </div>
    </div>
  );
}

const SIDE_ICONS = { up: ArrowUp, down: ArrowDown, left: ArrowLeft, right: ArrowRight } as const;
/** Share of the frame by which a press moves the view. */
const PRESS = 0.7;

/**
 * Shows on which sides more parts are, with buttons that lead there, because a larger graph must not look
 * complete.
 */
function Beyond({
  flow,
  nodes,
  moved,
}: {
  readonly flow: Flow;
  readonly nodes: readonly PartNode[];
  readonly moved: () => void;
}): ReactElement {
  const view = useViewport();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const sides =
    width === 0 || nodes.length === 0 ? [] : beyond(around(nodes.map(boxOf)), view, { width, height });
  const steps: Readonly<Record<GraphSide, readonly [number, number]>> = {
    up: [0, PRESS * height],
    down: [0, -PRESS * height],
    left: [PRESS * width, 0],
    right: [-PRESS * width, 0],
  };
  return (
    <>
      {sides.map((side) => (
        <Button
          key={side}
          icon={SIDE_ICONS[side]}
          kind="quiet"
          onClick={() => {
            moved();
            const { x, y, zoom } = flow.getViewport();
            void flow.setViewport({ x: x + steps[side][0], y: y + steps[side][1], zoom });
          }}
        >
          {GRAPH.more[side]}
        </Button>
      ))}
    </>
  );
}

interface SizesProps {
  readonly flow: Flow;
  readonly moved: () => void;
  readonly frame: RefObject<HTMLElement | null>;
}

/** The buttons that resize the view. */
function Sizes({ flow, moved, frame }: SizesProps): ReactElement {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- hears its buttons
    <div className={css.sizes} onClick={moved}>
      <IconButton icon={Minus} label={GRAPH.zoomOut} keys={['-']} onClick={() => void flow.zoomOut()} />
      <IconButton icon={Plus} label={GRAPH.zoomIn} keys={['+']} onClick={() => void flow.zoomIn()} />
      <IconButton icon={Maximize} label={GRAPH.fit} keys={['0']} onClick={() => fit(flow, frame.current)} />
    </div>
  );
}

/** The graph with its own view. */
export function GraphCanvas(props: GraphCanvasProps): ReactElement {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}
