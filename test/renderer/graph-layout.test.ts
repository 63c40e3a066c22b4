/** Which piece of the graph is shown first, and at what size. */
import { describe, expect, test } from 'vitest';
import { PUBLISHERS, type GraphEdge, type GraphNode } from '../../renderer/views/topics/graph-model.ts';
import {
  around,
  beginning,
  beyond,
  layOut,
  NODE_PX,
  paddingIn,
  READABLE,
  roomOf,
  roomsAfter,
} from '../../renderer/views/topics/graph-layout.ts';

const FIRST = { x: 0, y: 300, width: 176, height: 60 };

describe('the graph begins', () => {
  test('as a whole if its words can be read', () => {
    const whole = { x: 0, y: 0, width: 1240, height: 680 };
    expect(beginning(whole, FIRST, { width: 1100, height: 610 })).toBeUndefined();
  });

  test('as a whole only where its words can be read with the space around it', () => {
    const whole = { x: 0, y: 0, width: 1240, height: 680 };
    for (let width = 800; width <= 1500; width += 10) {
      const frame = { width, height: 900 };
      const isWhole = beginning(whole, FIRST, frame) === undefined;
      const padding = paddingIn(whole, frame);
      // The library makes the frame smaller by the space.
      const isReadable = width / (1 + padding) / whole.width >= READABLE - 1e-9;
      const isMeant = width >= 1090;
      expect([width, isWhole, isReadable, padding > 0 && padding <= 0.08]).toEqual([
        width,
        isMeant,
        isMeant,
        true,
      ]);
    }
  });

  test('at its first column in a narrow window, and in the middle of a wide one', () => {
    const whole = { x: 0, y: 0, width: 1300, height: 600 };
    const place = beginning(whole, FIRST, { width: 626, height: 650 });
    expect(place?.zoom).toBeGreaterThan(READABLE);
    expect(place?.x).toBe(16);
    expect(place?.y).toBeCloseTo((650 - 600 * (place?.zoom ?? 1)) / 2);
  });

  test('with no part cut by the right edge, in windows from 560 to 1,280 px', () => {
    // Columns as they are laid out for publishers, topics, subscriptions and apps.
    const boxes = [0, 372, 692, 1060].map((x) => ({ x, y: 0, width: NODE_PX, height: 60 }));
    const whole = around(boxes);
    for (let width = 560; width <= 1280; width += 10) {
      const place = beginning(whole, FIRST, { width, height: 650 }, boxes);
      // A wide window has the whole graph.
      if (place === undefined) continue;
      const { x, zoom } = place;
      const cut = boxes.filter(
        (box) => box.x * zoom + x < width - 1 && (box.x + box.width) * zoom + x > width + 1,
      );
      expect([width, cut, zoom >= READABLE && zoom <= 1.2]).toEqual([width, [], true]);
    }
  });

  test('in the middle of a window that is wider than the graph, at full size', () => {
    const whole = { x: 0, y: 0, width: 1100, height: 6000 };
    const place = beginning(whole, FIRST, { width: 1700, height: 650 });
    expect(place).toMatchObject({ x: 300, zoom: 1 });
  });

  test('around its first part if it is higher than the window, and never past its ends', () => {
    const whole = { x: 0, y: 0, width: 1300, height: 6000 };
    const frame = { width: 626, height: 650 };
    const middle = beginning(whole, { ...FIRST, y: 3000 }, frame);
    expect(middle?.y).toBeCloseTo(325 - 3030 * (middle?.zoom ?? 1));
    expect(beginning(whole, { ...FIRST, y: 0 }, frame)?.y).toBe(16);
    const last = beginning(whole, { ...FIRST, y: 5940 }, frame);
    expect((last?.y ?? 0) + 6000 * (last?.zoom ?? 1)).toBeCloseTo(650 - 16);
  });
});

test('parts out of sight are indicated at their side', () => {
  const whole = around([
    { x: 0, y: 0, width: 100, height: 50 },
    { x: 900, y: 550, width: 100, height: 50 },
  ]);
  expect(whole).toEqual({ x: 0, y: 0, width: 1000, height: 600 });
  const frame = { width: 1000, height: 600 };
  expect(beyond(whole, { x: 0, y: 0, zoom: 1 }, frame)).toEqual([]);
  expect(beyond(whole, { x: 0, y: 0, zoom: 1.1 }, frame)).toEqual(['down', 'right']);
  expect(beyond(whole, { x: -50, y: -50, zoom: 1 }, frame)).toEqual(['up', 'left']);
});

test('an app without a subscription stands in the column of the apps', () => {
  const node = (id: string, kind: GraphNode['kind']): GraphNode => ({ id, kind, title: id, facts: [] });
  const edge = (from: string, to: string): GraphEdge => ({
    id: `${from} ${to}`,
    from,
    to,
    label: '',
    rate: 0,
  });
  const nodes = [
    node('publishers', 'publisher'),
    node('topic', 'topic'),
    node('subscription 0', 'subscription'),
    node('busy', 'app'),
    node('idle', 'app'),
  ];
  const lines = [
    edge('publishers', 'topic'),
    edge('topic', 'subscription 0'),
    edge('subscription 0', 'busy'),
  ];
  const places = layOut(nodes, lines);
  expect(places.get('idle')?.[0]).toBe(places.get('busy')?.[0]);
  const unsubscribed = layOut(
    nodes.filter(({ id }) => id !== 'busy' && id !== 'subscription 0'),
    lines.slice(0, 1),
  );
  expect(unsubscribed.get('idle')?.[0]).toBeGreaterThan(unsubscribed.get('topic')?.[0] ?? Infinity);
});

test('a topic that nobody has published to stands in the column of the topics', () => {
  const node = (id: string, kind: GraphNode['kind']): GraphNode => ({ id, kind, title: id, facts: [] });
  const edge = (from: string, to: string): GraphEdge => ({
    id: `${from} ${to}`,
    from,
    to,
    label: '',
    rate: 0,
  });
  const places = layOut(
    [
      node(PUBLISHERS, 'publisher'),
      node('busy', 'topic'),
      node('unused', 'topic'),
      node('subscription 0', 'subscription'),
      node('app', 'app'),
    ],
    [edge(PUBLISHERS, 'busy'), edge('unused', 'subscription 0'), edge('subscription 0', 'app')],
  );
  expect(places.get('unused')?.[0]).toBe(places.get('busy')?.[0]);
});

test('words of a line have room beside their part, however long they are', () => {
  const label = (words: string): GraphEdge => ({
    id: 'line',
    from: 'subscription 0',
    to: 'app',
    label: words,
    rate: 0,
  });
  expect(roomOf(label('1 processed'))).toBe(roomOf(label('9,999 processed')));
  const words = '2.0/s · 1,234,567 dead-lettered';
  const nodes: GraphNode[] = [
    { id: 'subscription 0', kind: 'subscription', title: 'a', facts: [] },
    { id: 'app', kind: 'app', title: 'b', facts: [] },
  ];
  const places = layOut(nodes, [label(words)]);
  const free = (places.get('app')?.[0] ?? 0) - (places.get('subscription 0')?.[0] ?? 0) - NODE_PX;
  expect(free).toBeGreaterThan('1,234,567 dead-lettered'.length * 7.5);
});

test('the room of a line grows and never shrinks, so that no part moves while a figure goes up and down', () => {
  const line = (label: string, id = 'line'): Pick<GraphEdge, 'id' | 'from' | 'label'> => ({
    id,
    from: 'topic',
    label,
  });
  const small = roomsAfter(new Map(), [line('999/s')]);
  const large = roomsAfter(small, [line('1,000/s · and more')]);
  expect(large.get('line')).toBeGreaterThan(small.get('line') ?? Infinity);
  expect(roomsAfter(large, [line('999/s')])).toBe(large);
  expect([...roomsAfter(large, [line('1/s', 'other')]).keys()]).toEqual(['other']);
});
