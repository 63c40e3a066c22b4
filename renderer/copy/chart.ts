/** Texts of charts. */

export const CHART = {
  loading: 'Loading the chart',
  drawn: '{title} as a chart; the table below has the same figures',
  legend: 'Lines of {title}',
  table: '{title} in figures',
  figures: 'In figures',
  columns: { series: 'Line', now: 'Now', mean: 'Mean', highest: 'Highest' },
  nothing: '–',
  empty: 'No traffic in this range.',
} as const;
