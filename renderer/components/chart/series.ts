/** One line of a chart. */
export interface ChartSeries {
  readonly id: string;
  readonly title: string;
  /** One per moment; null: nothing was measured. */
  readonly values: readonly (number | null)[];
  /** Name of a token, `--state-parked`. */
  readonly colour: string;
  /** Lengths of strokes and gaps; none: a whole line. */
  readonly dash: readonly number[];
}
