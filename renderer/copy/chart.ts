/** Texts of charts. */

export const CHART = {
  loading: 'Loading the chart',
  drawn: '{title}, drawn; the table below says the same',
  legend: 'Lines of {title}',
  table: '{title} in figures',
  figures: 'In figures',
  columns: { series: 'Line', now: 'Now', mean: 'Mean', highest: 'Highest' },
  nothing: '–',
  empty: 'No traffic in this range.',
} as const;
