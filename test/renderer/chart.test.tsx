/** Charts: the legend stands above, the figures are folded, and parts of a whole lie on top of each other. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Chart } from '../../renderer/components/chart/Chart.tsx';
import { lookOf, stacked, type ChartSeries } from '../../renderer/components/chart/series.ts';

const line = (id: string, values: readonly (number | null)[]): ChartSeries => ({
  id,
  title: id,
  values,
  colour: '--accent',
  dash: [],
});

const SERIES = [line('processed', [1, 2, null]), line('retrying', [3, 0, 1]), line('parked', [1, 1, 1])];

test('areas are stacked, and a hidden one leaves no gap', () => {
  expect(stacked(SERIES, new Set())).toEqual([
    [1, 2, 0],
    [4, 2, 1],
    [5, 3, 2],
  ]);
  expect(stacked(SERIES, new Set(['retrying'])).at(-1)).toEqual([2, 3, 1]);
});

test.each([true, false])('no moment has a marker, stacked: %s', (isStacked) => {
  const looks = SERIES.map((each) => lookOf(each, 'rgb(1, 2, 3)', isStacked));
  expect(looks.map(({ points }) => points)).toEqual(SERIES.map(() => ({ show: false })));
  expect(looks.map(({ dash, fill }) => [dash, fill !== undefined])).toEqual(
    SERIES.map(() => [[], isStacked]),
  );
});

test('the legend is above the drawing, and the table is folded below it', () => {
  const html = renderToStaticMarkup(
    <Chart
      title="States"
      unit="per second"
      at={[1, 2, 3]}
      series={SERIES}
      cursorGroup="s"
      themeKey=""
      formatValue={String}
      isStacked
    />,
  );
  const [legend, drawing, fold, table] = ['Lines of States', 'aria-busy', '<details>', '<table'].map((text) =>
    html.indexOf(text),
  );
  expect(legend).toBeGreaterThan(0);
  expect(drawing).toBeGreaterThan(legend ?? 0);
  expect(fold).toBeGreaterThan(drawing ?? 0);
  expect(table).toBeGreaterThan(fold ?? 0);
});
