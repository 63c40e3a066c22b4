/** Texts of the columns of the list: choosing, ordering, widths, your own columns, sorting. */

export const COLUMN_CHOICE = {
  button: 'Columns',
  title: 'Columns of the list',
  width: 'Width of {column} in px',
  /** Heads of the panel. */
  head: 'Column',
  widthHead: 'Width (px)',
  up: 'Move {column} up',
  down: 'Move {column} down',
  reset: 'Reset columns',
  resize: 'Drag to resize',
  forApp: 'Kept for {app}.',
  appHint: 'while the list has several apps',
  own: 'Own column',
  ownHint: 'A path into the payload, such as data.order.id',
  add: 'Add column',
  menu: 'Column {column}',
  menuWidth: 'Width…',
  left: 'Move left',
  right: 'Move right',
  isFirst: 'This is the first column.',
  isLast: 'This is the last column.',
  hide: 'Hide',
  usualWidth: 'Reset width',
  widthLabel: 'Width in px',
  widthRange: 'From {least} to {most}.',
  sortUp: 'Sort ascending',
  sortDown: 'Sort descending',
  sortOff: 'Back to live',
  sortHint: '{column}: click to sort. For more, right-click it or press the down arrow key.',
  menuHint: '{column}: click for more.',
  whyUnsorted: 'The list cannot be sorted by this column.',
  whyGrouped: 'A list in groups has an order of its own. Switch the groups off to sort it.',
} as const;

/** Reasons for which a path did not become a column. */
export const NOT_ADDED = {
  there: 'The list has this column already.',
  full: 'A list has at most 5 own columns.',
  'not-a-path': 'Use a path into the payload, such as data.order.id.',
} as const;
