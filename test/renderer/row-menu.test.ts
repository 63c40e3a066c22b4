/** The menu of a row, as far as it filters the list. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filterByCell, rowMenu } from '../../renderer/components/row-menu.ts';
import { shownColumns } from '../../renderer/format/columns.ts';
import { rowOfDetail } from '../../renderer/keys/subjects.ts';
import type { Console } from '../../renderer/state/console.ts';
import { sharedReason, type MenuEntry } from '../../renderer/components/ChoiceMenu.tsx';
import { known } from './drawn.tsx';
import { deliveryIn, rowNamed, transitionBy, wholeDelivery, wholeMessage } from './samples.ts';

// The menu offers a link to the page that it is on.
beforeAll(() => void Object.assign(globalThis, { window: { location: { href: 'http://127.0.0.1/' } } }));
afterAll(() => void Reflect.deleteProperty(globalThis, 'window'));

const row = rowNamed('m1', { topic: 'orders' });

const AT_ORDERS = { appId: 'app', pubsubname: 'pubsub', topic: 'ord*', path: '/orders' };
const PROBLEMS = [
  { code: 'missing-route', message: '', deliveries: AT_ORDERS },
  { code: 'old-route', message: '', deliveries: { ...AT_ORDERS, topic: 'orders', path: '/old' } },
  { code: 'old-subscription', message: '', deliveries: { ...AT_ORDERS, path: '/gone' } },
];

const TAKES = {
  ...{ appId: 'app', pubsubname: 'pubsub', topic: 'orders' },
  ...{ source: 'programmatic', state: 'active', rules: [], defaultPath: '/orders' },
};

/** The parts of a console that filter its list, with a filter that was switched off. */
function stand(filter: string, status = 'open') {
  const params: Record<string, string | undefined> = { f: filter, off: '1' };
  const console = {
    navigation: {
      param: (name: string) => params[name],
      change: (changes: Readonly<Record<string, string | undefined>>) => void Object.assign(params, changes),
    },
    connection: { getState: () => ({ system: undefined, link: { status } }) },
    topology: { apps: known({ items: [{ problems: PROBLEMS }] }), subscriptions: known({ items: [TAKES] }) },
    messages: {
      own: { of: () => undefined },
      store: { getState: () => ({ selected: new Set(), current: undefined }) },
      rows: { rowOf: () => undefined },
    },
  } as unknown as Console;
  return { console, params };
}

function runIn(entries: readonly MenuEntry[], id: string): void {
  for (const entry of entries) {
    if (entry.id === id) entry.run?.();
    runIn(entry.entries ?? [], id);
  }
}

test.each([
  ['filter.topic', 'topic:orders'],
  ['filter.state', 'state:none'],
  ['exclude.topic', '-topic:orders'],
  ['newer', `time:>=${row.at}`],
])('%s filters what is shown while the filter is switched off', (id, filter) => {
  const { console, params } = stand('a OR b');
  for (const { entries } of rowMenu(console, row)) runIn(entries, id);
  expect(params).toEqual({ f: filter, off: undefined });
});

test('without a connection the entries that need the host say so, and the others work', () => {
  const { console } = stand('', 'away');
  const entries = rowMenu(console, row).flatMap((group) => group.entries);
  const off = (id: string): string | undefined => entries.find((entry) => entry.id === id)?.off;
  for (const id of ['replay', 'editReplay', 'retry', 'drop', 'mockLike', 'holdLike', 'pin', 'note', 'delete'])
    expect([id, off(id)]).toEqual([id, 'There is no connection to Sidelight.']);
  for (const id of ['open', 'newer', 'copy']) expect([id, off(id)]).toEqual([id, undefined]);
});

test('in a recording the entries that would change it say so, and the others work', () => {
  const { console } = stand('');
  const recorded = { ...console, readOnly: 'Recordings are read-only.', recordingId: 'rec_1' };
  const delivered = rowNamed('m2', { deliveries: [deliveryIn('processed')] });
  const entries = rowMenu(recorded, delivered).flatMap((group) => group.entries);
  const off = (id: string): string | undefined => entries.find((entry) => entry.id === id)?.off;
  for (const id of ['replay', 'retry', 'drop', 'pin', 'note', 'delete'])
    expect([id, off(id)]).toEqual([id, 'Recordings are read-only.']);
  for (const id of ['whatIf', 'mockLike', 'holdLike', 'toTest'])
    expect([id, off(id)]).toEqual([id, undefined]);
});

test('a reason of several entries is said once', () => {
  const entries = [
    { id: 'a', title: 'A', off: 'Away.' },
    { id: 'b', title: 'B' },
  ];
  expect(sharedReason([{ entries }])).toBeUndefined();
  expect(sharedReason([{ entries }, { entries: [{ id: 'c', title: 'C', off: 'Away.' }] }])).toBe('Away.');
});

test('what the app would answer is no question about a message without a delivery', () => {
  const { console } = stand('');
  const entries = rowMenu(console, row).flatMap((group) => group.entries);
  expect(entries.find(({ id }) => id === 'whatIf')?.off).toMatch(/it has no delivery\.$/);
  const delivered = rowNamed('m2', { deliveries: [deliveryIn('processed')] });
  const others = rowMenu(console, delivered).flatMap((group) => group.entries);
  expect(others.find(({ id }) => id === 'whatIf')?.off).toBeUndefined();
});

test('a cell that is clicked with a key does so too', () => {
  const { console, params } = stand('late');
  const [topic] = shownColumns({ chosen: ['topic'], listPx: 1000, severalApps: false });
  if (topic === undefined) throw new Error('the column is not shown');
  filterByCell(console, { row, column: topic, isElse: false });
  expect(params).toEqual({ f: 'topic:orders', off: undefined });
  filterByCell(console, { row, column: topic, isElse: true });
  expect(params).toEqual({ f: 'topic:orders -topic:orders', off: undefined });
});

test('a clicked value of a payload becomes a filter, and a cell without one says why', () => {
  const { console, params } = stand('');
  const said: string[] = [];
  const withToasts = {
    ...console,
    toasts: { done: (text: string) => void said.push(text) },
  } as unknown as Console;
  const chosen = ['preview', 'next', 'subject'];
  const [preview, next, subject] = shownColumns({ chosen, listPx: 2000, severalApps: false });
  if (preview === undefined || next === undefined || subject === undefined) throw new Error('no columns');
  for (const column of [preview, next, subject]) filterByCell(withToasts, { row, column, isElse: false });
  expect(said.map((text) => text.split(':', 1)[0])).toEqual([
    'Nothing to filter by here',
    'There is no filter for the column Next attempt.',
    'Nothing to filter by',
  ]);
  const spot = { line: '{"total":310}', at: 10 };
  filterByCell(withToasts, { row, column: preview, spot, isElse: false });
  expect(params).toEqual({ f: 'data.total:310', off: undefined });
  filterByCell(withToasts, { row: rowNamed('m2', { raw: false }), column: preview, spot, isElse: true });
  expect(params).toEqual({ f: 'data.total:310 -data.total:310', off: undefined });
});

test('a message that waits for its component is found by the state in its menu', () => {
  const { console } = stand('');
  const waiting = rowNamed('m2', { stage: 'waiting' });
  const texts = JSON.stringify(rowMenu(console, waiting));
  expect(texts).not.toContain('filter.state');
});

test.each([
  ['dropped', '/orders', 'single.404', true],
  ['dropped', '/orders', 'user.drop', false],
  ['dropped', '/order', 'single.404', true],
  ['dropped', '/order', 'user.drop', true],
  ['parked', '/order', 'policy.exhausted', false],
  ['processed', '/orders', 'single.2xx.success', false],
  ['parked', '/orders', 'policy.exhausted', false],
  ['parked', '/old', 'policy.exhausted', true],
  ['queued', '/old', 'policy.accepted', true],
  ['attempting', '/old', 'policy.attempt', false],
  ['queued', '/gone', 'policy.accepted', false],
] as const)('a delivery that is %s at %s by %s can be rerouted: %s', (state, route, rule, isOffered) => {
  const rerouted: unknown[] = [];
  const { console } = stand('');
  const acting = { reroute: (...targets: readonly unknown[]) => void rerouted.push(...targets) };
  const one = rowNamed('m2', { deliveries: [deliveryIn(state, { route, rule })] });
  for (const { entries } of rowMenu({ ...console, acting } as unknown as Console, one))
    runIn(entries, 'reroute');
  expect(rerouted).toEqual(isOffered ? [{ deliveryId: `dlv_${state}` }] : []);
});

test('one of several deliveries is rerouted alone', () => {
  const { console } = stand('');
  const rerouted: unknown[] = [];
  const acting = { reroute: (...targets: readonly unknown[]) => void rerouted.push(...targets) };
  const deliveries = ['a', 'b'].map((deliveryId) => deliveryIn('queued', { deliveryId, route: '/old' }));
  const both = rowNamed('m2', { deliveries });
  const run = (more: object): void => {
    for (const { entries } of rowMenu({ ...console, acting } as unknown as Console, both, more))
      runIn(entries, 'reroute');
  };
  run({ deliveryId: 'b' });
  expect(rerouted).toEqual([{ deliveryId: 'b' }]);
  run({});
  expect(rerouted.slice(1)).toEqual([{ deliveryId: 'a' }, { deliveryId: 'b' }]);
});

test('a delivery of an open message can be rerouted that the list does not have', () => {
  const { console } = stand('');
  const rerouted: unknown[] = [];
  const acting = { reroute: (...targets: readonly unknown[]) => void rerouted.push(...targets) };
  const dropped = wholeDelivery({ state: 'dropped', transitions: [transitionBy('single.404', 'dropped')] });
  const opened = rowOfDetail(wholeMessage({ deliveries: [dropped] }));
  for (const { entries } of rowMenu({ ...console, acting } as unknown as Console, opened))
    runIn(entries, 'reroute');
  expect(rerouted).toEqual([{ deliveryId: 'dlv_1' }]);
});

test('a delivery that is being attempted has to wait before it is rerouted, and the entry says so', () => {
  const { console } = stand('');
  const one = rowNamed('m2', { deliveries: [deliveryIn('attempting', { route: '/old' })] });
  const entries = rowMenu(console, one).flatMap((group) => group.entries);
  expect(entries.find(({ id }) => id === 'reroute')?.off).toBe(
    'The app already has it; wait for the answer or cancel the call.',
  );
});
