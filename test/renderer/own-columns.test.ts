/** Columns kept for each app, columns of one's own, and their values. */
import { expect, test } from 'vitest';
import { createRpcClient } from '../../renderer/client/rpc-client.ts';
import { createLink } from '../../renderer/client/link.ts';
import { DEFAULT_COLUMNS } from '../../renderer/format/columns.ts';
import {
  addOwnColumn,
  columnsOf,
  exportedColumns,
  moveColumn,
  resetColumns,
  setColumnWidth,
  showColumn,
  stepColumn,
} from '../../renderer/state/columns.ts';
import { OwnColumns } from '../../renderer/state/column-values.ts';
import { createUiStore } from '../../renderer/state/ui.ts';
import { FakeHost, settle } from './fake-pipe.ts';

test('each app has its own columns, or else those of all apps', () => {
  const ui = createUiStore(undefined);
  showColumn(ui, 'route', true);
  ui.setState({ appId: 'shop' });
  expect(columnsOf(ui.getState()).columns.at(-1)).toBe('route');
  showColumn(ui, 'route', false);
  setColumnWidth(ui, 'topic', 5);
  expect(columnsOf(ui.getState())).toEqual({ columns: DEFAULT_COLUMNS, columnWidths: { topic: 40 } });
  ui.setState({ appId: '' });
  expect(columnsOf(ui.getState()).columns.at(-1)).toBe('route');
  expect(columnsOf(ui.getState()).columnWidths).toEqual({});
  resetColumns(ui);
  expect(columnsOf(ui.getState()).columns).toEqual(DEFAULT_COLUMNS);
});

test('a file of the list has the columns of the chosen app', () => {
  const ui = createUiStore(undefined);
  ui.setState({
    appId: 'shop',
    columns: ['time', 'topic'],
    columnsByApp: { shop: { columns: ['topic'], columnWidths: {} } },
  });
  expect(exportedColumns(ui.getState())).toEqual(['topic']);
  ui.setState({ appId: '' });
  expect(exportedColumns(ui.getState())).toEqual(['at', 'topic']);
});

test('a column moves before another one or by one place, and stays at the edge', () => {
  const ui = createUiStore(undefined);
  ui.setState({ columns: ['time', 'topic', 'state'] });
  const now = (): readonly string[] => columnsOf(ui.getState()).columns;
  moveColumn(ui, 'state', 'time');
  expect(now()).toEqual(['state', 'time', 'topic']);
  moveColumn(ui, 'state', undefined);
  expect(now()).toEqual(['time', 'topic', 'state']);
  moveColumn(ui, 'time', 'time');
  stepColumn(ui, 'time', -1);
  stepColumn(ui, 'state', 1);
  expect(now()).toEqual(['time', 'topic', 'state']);
  stepColumn(ui, 'topic', 1);
  expect(now()).toEqual(['time', 'state', 'topic']);
});

test('a step of a column skips hidden columns', () => {
  const ui = createUiStore(undefined);
  ui.setState({ columns: ['time', 'app', 'topic', 'gone', 'state'] });
  const now = (): readonly string[] => columnsOf(ui.getState()).columns;
  const drawn = ['time', 'topic', 'state'];
  stepColumn(ui, 'topic', -1, drawn);
  expect(now()).toEqual(['topic', 'time', 'app', 'gone', 'state']);
  stepColumn(ui, 'time', 1, ['topic', 'time', 'state']);
  expect(now()).toEqual(['topic', 'app', 'gone', 'state', 'time']);
  stepColumn(ui, 'app', 1, drawn);
  expect(now()).toEqual(['topic', 'app', 'gone', 'state', 'time']);
});

test('a list has at most five columns of paths, each once', () => {
  const ui = createUiStore(undefined);
  expect(addOwnColumn(ui, 'order.id')).toBe('not-a-path');
  expect(addOwnColumn(ui, 'data.order.id')).toBe('added');
  expect(addOwnColumn(ui, 'data.order.id')).toBe('there');
  for (const n of [1, 2, 3, 4]) expect(addOwnColumn(ui, `data.a[${n}]`)).toBe('added');
  expect(addOwnColumn(ui, 'data.more')).toBe('full');
});

test('values of a column are requested once, for the visible rows', async () => {
  const host = new FakeHost({
    'messages.values': ({ numbers, paths }) => ({
      items: numbers
        .filter((number) => number !== 2)
        .map((number) => ({ number, values: paths.map((path) => `${path} ${number}`) })),
    }),
  });
  const link = createLink({ open: host.open, after: () => () => undefined });
  let told = 0;
  const own = new OwnColumns(createRpcClient(link, { lost: 'lost', away: 'away', noAnswer: 'none' }), () => {
    told += 1;
  });
  await settle();
  own.want([1, 2], ['data.a']);
  own.want([2, 3], ['data.a']);
  await settle();
  expect([own.of(1), own.of(2), own.of(3)]).toEqual([['data.a 1'], [null], ['data.a 3']]);
  own.want([1, 2, 3], ['data.a']);
  await settle();
  expect(host.called('messages.values')).toHaveLength(2);
  expect(told).toBe(2);
  own.want([1], ['data.b']);
  expect(own.of(1)).toBeUndefined();
  await settle();
  expect(own.of(1)).toEqual(['data.b 1']);
  own.want([1], []);
  expect(own.of(1)).toBeUndefined();
});

test('values that were asked for before the payload was edited are asked for again', async () => {
  let asked = 0;
  const host = new FakeHost({
    'messages.values': ({ numbers }) => {
      asked += 1;
      return { items: numbers.map((number) => ({ number, values: [`answer ${asked}`] })) };
    },
  });
  const link = createLink({ open: host.open, after: () => () => undefined });
  const rpc = createRpcClient(link, { lost: 'lost', away: 'away', noAnswer: 'none' });
  const own = new OwnColumns(rpc, () => undefined);
  await settle();
  own.want([1, 2], ['data.a']);
  own.forget(1);
  await settle();
  expect([own.of(1), own.of(2)]).toEqual([['answer 2'], ['answer 1']]);
});
