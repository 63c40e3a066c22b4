/** The columns of the list: which are drawn in a list of some width, and how wide. */
import { expect, test } from 'vitest';
import { SORTABLE } from '../../core/contract/words.ts';
import { ALL_COLUMNS, DEFAULT_COLUMNS, gridTemplate, shownColumns } from '../../renderer/format/columns.ts';
import { deliveryIn, rowNamed } from './samples.ts';

const ids = (listPx: number, chosen: readonly string[] = DEFAULT_COLUMNS, severalApps = false): string[] =>
  shownColumns({ chosen, listPx, severalApps }).map(({ id }) => id);

test('a narrow list has fewer of them', () => {
  expect(ids(1200)).toEqual(['time', 'topic', 'type', 'state', 'attempts', 'answer', 'size']);
  expect(ids(700)).toEqual(['time', 'topic', 'type', 'state', 'attempts']);
  expect(ids(500)).toEqual(['time', 'topic', 'state', 'attempts']);
  expect(ids(0)).toEqual(ids(1200));
});

test('App is there while several are shown; ids of another build are passed over', () => {
  expect(ids(1200, ['app', 'gone', 'topic'], true)).toEqual(['app', 'topic']);
  expect(ids(1200, ['app', 'topic'])).toEqual(['topic']);
});

test('widths that were set win, within bounds; something always fills the rest', () => {
  const columns = shownColumns({ chosen: ['time', 'topic', 'type'], listPx: 1200, severalApps: false });
  expect(gridTemplate(columns, {}, false)).toBe('16px 24px 104px minmax(64px, 140px) minmax(60px, 1fr)');
  expect(gridTemplate(columns, { time: 5, type: 9000 }, false)).toBe(
    '16px 24px 40px minmax(64px, 140px) 800px minmax(0, 1fr)',
  );
  expect(gridTemplate(columns.slice(0, 2), {}, true)).toBe('12px 104px minmax(60px, 1fr)');
});

test('every column says something of a row, or nothing', () => {
  const row = rowNamed('m1', { number: 1204, deliveries: [deliveryIn('retrying')], subject: 'a\u0000' });
  const text = (id: string): string | undefined => ALL_COLUMNS.find((column) => column.id === id)?.text(row);
  expect([text('number'), text('subject'), text('batch')]).toEqual(['1,204', 'a⟨U+0000⟩', '']);
  for (const column of ALL_COLUMNS) expect(typeof column.text(row)).toBe('string');
});

test('a paused list can be sorted by every column', () => {
  expect(ALL_COLUMNS.map(({ id }) => id).toSorted()).toEqual([...SORTABLE].toSorted());
});

test('a path into the payload is a column, with its place among those of its kind', () => {
  const chosen = ['data.order.id', 'time', 'data.items[0].sku', 'data.', 'data', 'nothing'];
  const columns = shownColumns({ chosen, listPx: 1200, severalApps: false });
  expect(columns.map(({ title, own }) => [title, own])).toEqual([
    ['order.id', 0],
    ['Time', undefined],
    ['items[0].sku', 1],
  ]);
});
