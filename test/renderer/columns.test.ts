/** The columns of the list: which are drawn in a list of some width, and how wide. */
import { expect, test } from 'vitest';
import type { LastAnswer } from '../../core/contract/message.ts';
import { SORTABLE } from '../../core/contract/words.ts';
import {
  ALL_COLUMNS,
  DEFAULT_COLUMNS,
  gapPx,
  gridTemplate,
  leastWidthPx,
  longestTexts,
  shownColumns,
  withKeptEnd,
} from '../../renderer/format/columns.ts';
import { deliveryIn, rowNamed } from './samples.ts';

const ids = (listPx: number, chosen: readonly string[] = DEFAULT_COLUMNS, severalApps = false): string[] =>
  shownColumns({ chosen, listPx, severalApps }).map(({ id }) => id);

test('a narrow list has fewer of them', () => {
  expect(ids(1200)).toEqual(['time', 'topic', 'type', 'preview', 'state', 'answer', 'duration']);
  expect(ids(1000)).toEqual(['time', 'topic', 'preview', 'state', 'answer', 'duration']);
  expect(ids(800)).toEqual(ids(1000));
  expect(ids(700)).toEqual(['time', 'topic', 'preview', 'state', 'answer']);
  expect(ids(500)).toEqual(ids(700));
  expect(ids(0)).toEqual(ids(1200));
});

test('App is there while several are shown; ids of another build are passed over', () => {
  expect(ids(1200, ['app', 'gone', 'topic'], true)).toEqual(['app', 'topic']);
  expect(ids(1200, ['app', 'topic'])).toEqual(['topic']);
  // Beside an open message the payload of a row needs the room.
  expect(ids(548, ['app', 'topic'], true)).toEqual(['topic']);
  expect(ids(640, ['app', 'topic'], true)).toEqual(['app', 'topic']);
});

test('widths that were set win, within bounds; the preview fills the rest, or nothing does', () => {
  const columns = shownColumns({ chosen: ['time', 'topic', 'preview'], listPx: 1200, severalApps: false });
  const longest = {};
  expect(gridTemplate(columns, { set: {}, longest }, 1200)).toBe('16px 24px 104px 56px minmax(72px, 1fr)');
  expect(gridTemplate(columns, { set: { time: 5, preview: 9000 }, longest }, 1200)).toBe(
    '16px 24px 40px 56px 800px minmax(0, 1fr)',
  );
  expect(gridTemplate(columns, { set: {}, longest }, 500)).toBe('12px 104px 56px minmax(40px, 1fr)');
});

test('topic, type and answer are as wide as the longest text in sight, up to a bound', () => {
  const columns = shownColumns({ chosen: ['topic', 'type', 'state'], listPx: 1200, severalApps: false });
  const rows = [
    rowNamed('m1', { topic: 'orders', eventType: 'com.example.order.created' }),
    rowNamed('m2', { topic: 'refunds-of-last-year', eventType: 'x'.repeat(200) }),
  ];
  const longest = longestTexts(columns, rows);
  expect(longest).toEqual({ topic: 20, type: 200, state: 15 });
  expect(gridTemplate(columns, { set: {}, longest: longestTexts(columns, rows.slice(0, 1)) }, 500)).toBe(
    '12px 56px minmax(56px, 204px) minmax(132px, 140px) minmax(0, 1fr)',
  );
  expect(gridTemplate(columns, { set: {}, longest }, 500)).toBe(
    '12px 140px minmax(56px, 220px) minmax(132px, 140px) minmax(0, 1fr)',
  );
});

test('a state is as wide as its word and its numbers, and gives way where there is no room', () => {
  const columns = shownColumns({ chosen: ['state', 'preview'], listPx: 640, severalApps: false });
  const rows = [rowNamed('m1', { deliveries: [deliveryIn('dead-lettered', { attempts: 10 })] })];
  const longest = longestTexts(columns, rows);
  expect(longest).toEqual({ state: 'Dead-lettered ×10'.length });
  expect(gridTemplate(columns, { set: {}, longest }, 640)).toBe(
    '8px 24px minmax(132px, 156px) minmax(72px, 1fr)',
  );
  expect(gridTemplate(columns, { set: {}, longest: {} }, 640)).toBe('8px 24px 132px minmax(72px, 1fr)');
});

test('a list is as wide as the least of its columns, their gaps and its edges', () => {
  expect(leastWidthPx('16px 24px minmax(56px, 204px) 140px minmax(0, 1fr)', 1200)).toBe(236 + 4 * 8 + 20);
  expect(leastWidthPx('8px 24px 62px minmax(72px, 1fr)', 700)).toBe(166 + 3 * 6 + 20);
});

test('the payload keeps its room beside a long type', () => {
  const columns = shownColumns({ chosen: ['type', 'preview'], listPx: 1200, severalApps: false });
  expect(gridTemplate(columns, { set: {}, longest: { type: 200 } }, 1200)).toBe(
    '16px 24px minmax(56px, 220px) minmax(200px, 1fr)',
  );
});

test('an answer whose words would be cut is its code alone', () => {
  const answer = (lastAnswer: LastAnswer, listPx: number): string | undefined =>
    shownColumns({ chosen: ['answer'], listPx, severalApps: false })[0]?.text(
      rowNamed('msg_1', { deliveries: [deliveryIn('parked', { lastAnswer })] }),
    );
  expect(answer({ status: 503 }, 1000)).toBe('503');
  expect(answer({ status: 503 }, 1200)).toBe('503 Service Unavailable');
  expect(answer({ status: 404 }, 1000)).toBe('404 Not Found');
  expect(answer({ status: 200, word: 'RETRY' }, 1000)).toBe('200 RETRY');
});

test('the whole text of an answer is in sight where there is room for it', () => {
  const widthIn = (listPx: number): string => {
    const columns = shownColumns({ chosen: ['answer', 'preview'], listPx, severalApps: false });
    return gridTemplate(columns, { set: {}, longest: { answer: '503 Service Unavailable'.length } }, listPx);
  };
  expect(widthIn(1100)).toBe('16px 24px 188px minmax(72px, 1fr)');
  expect(widthIn(1000)).toBe('16px 24px 160px minmax(72px, 1fr)');
});

test('with little room the time is to the second', () => {
  const short = (listPx: number): string | undefined =>
    shownColumns({ chosen: ['time'], listPx, severalApps: false })[0]?.text(rowNamed('m1'));
  expect(short(960)).toMatch(/:08\.412$/);
  expect(short(600)).toMatch(/:08$/);
});

test('with little room a topic is cut before its end, so that shipments and shipments-dead differ', () => {
  const keepsEnd = (listPx: number): boolean | undefined =>
    shownColumns({ chosen: ['topic'], listPx, severalApps: false })[0]?.keepsEnd;
  expect([keepsEnd(1200), keepsEnd(600)]).toEqual([undefined, true]);
  expect(withKeptEnd('shipments-dead')).toEqual(['shipments-', 'dead']);
  expect(withKeptEnd('payments')).toEqual(['payments', '']);
  expect(withKeptEnd('orders-\u{1F4E6}box')).toEqual(['orders-', '\u{1F4E6}box']);
});

test.each<[LastAnswer, string, string]>([
  [{ status: 503 }, '503 Service Unavailable', '503'],
  [{ status: 200, word: 'RETRY' }, '200 RETRY', 'RETRY'],
  [{ status: 200, word: 'SUCCESS' }, '200 SUCCESS', '200'],
  [{ error: 'refused' }, 'no answer', 'none'],
])('with little room an answer is the part that decides: %o', (lastAnswer, whole, short) => {
  const answer = (listPx: number): string | undefined =>
    shownColumns({ chosen: ['answer'], listPx, severalApps: false })[0]?.text(
      rowNamed('m1', { deliveries: [deliveryIn('retrying', { lastAnswer })] }),
    );
  expect([answer(1200), answer(500)]).toEqual([whole, short]);
});

/** Widths of lists with and without a column for the app, which takes room of its own. */
const LISTS = [false, true].flatMap((severalApps) =>
  [630, 652, 720, 823, 900, 959, 960, 1039, 1040, 1048, 1063, 1064, 1152, 1168]
    .filter((listPx) => !severalApps || listPx > 700)
    .map((listPx) => ({ listPx, severalApps })),
);

test.each(LISTS)(
  'a payload has 220 px in a list of $listPx px beside any other columns (several apps: $severalApps)',
  ({ listPx, severalApps }) => {
    const columns = shownColumns({ chosen: DEFAULT_COLUMNS, listPx, severalApps });
    const longest = { app: 40, topic: 40, type: 40, answer: 40, state: 40 };
    const tracks = gridTemplate(columns, { set: {}, longest }, listPx)
      .replace(/minmax\(\d+px, 1fr\)/, '')
      // Columns that give way to the payload have their minimum width.
      .replaceAll(/minmax\((\d+px), \d+px\)/g, '$1');
    const others = [...tracks.matchAll(/\d+(?=px)/g)].reduce((sum, [px]) => sum + Number(px), 0);
    // The paddings of a row and the gaps between its columns.
    expect(listPx - others - 20 - gapPx(listPx) * (columns.length + 1)).toBeGreaterThanOrEqual(220);
  },
);

test('every column says something of a row, or nothing', () => {
  const row = rowNamed('m1', { number: 1204, deliveries: [deliveryIn('retrying')], subject: 'a\u0000' });
  const text = (id: string): string | undefined => ALL_COLUMNS.find((column) => column.id === id)?.text(row);
  expect([text('number'), text('subject'), text('batch')]).toEqual(['1,204', 'a⟨U+0000⟩', '']);
  for (const column of ALL_COLUMNS) expect(typeof column.text(row)).toBe('string');
});

test('a list can be sorted by every column but the preview', () => {
  const sortable = ALL_COLUMNS.filter(({ isUnsorted }) => isUnsorted !== true);
  expect(sortable.map(({ id }) => id).toSorted()).toEqual([...SORTABLE].toSorted());
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
