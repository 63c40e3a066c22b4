/** Lines of a chart, also as stacked areas. */

/** One line of a chart. */
export interface ChartSeries {
  readonly id: string;
  readonly title: string;
  /** Values, one per moment; null: nothing was measured. */
  readonly values: readonly (number | null)[];
  /** Name of a colour token, `--state-parked`. */
  readonly colour: string;
  /** Lengths of dashes and gaps; []: a solid line. */
  readonly dash: readonly number[];
}

/** How a line or an area is drawn; the moments have no markers, which would hide the line where they are close. */
export function lookOf({ title, dash }: ChartSeries, colour: string, isStacked: boolean) {
  return {
    label: title,
    stroke: colour,
    width: isStacked ? 1 : 1.5,
    dash: isStacked ? [] : [...dash],
    points: { show: false },
    ...(isStacked ? { fill: `color-mix(in srgb, ${colour} 45%, transparent)` } : {}),
  };
}

/** Upper edge of the area of each line, the first one lowest; a hidden line has no height. */
export function stacked(
  series: readonly ChartSeries[],
  hidden: ReadonlySet<string>,
): readonly (readonly number[])[] {
  let below: readonly number[] = [];
  return series.map(({ id, values }) => {
    const isHidden = hidden.has(id);
    below = values.map((value, place) => (below[place] ?? 0) + (isHidden ? 0 : (value ?? 0)));
    return below;
  });
}
