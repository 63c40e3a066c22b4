/** Texts of the body viewers. */
export const VIEWER = {
  mode: 'Show as',
  modes: { json: 'JSON', xml: 'XML', text: 'Text', hex: 'Hex' },
  wrap: 'wrap',
  copy: 'Copy',
  save: 'Save…',
  empty: 'No body.',
  truncated: 'cut when it was recorded',
  cut: 'The first {shown} are shown.',
  showAll: 'Show all {size}',
  tooLarge: 'The body has {size}; it is too large to be shown.',
  offset: 'Offset',
  bytes: 'Bytes',
  ascii: 'ASCII',
} as const;
