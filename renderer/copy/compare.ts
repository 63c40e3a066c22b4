/** Texts of comparing two messages of the list. */

export const COMPARE_TWO = {
  withSelected: 'Compare with selected',
  command: 'Compare two messages',
  needsTwo: 'Select two messages, or open one and select another.',
} as const;

export const TRACE = {
  title: 'Same trace: {n} {n:message|messages}',
  table: 'Messages of the same trace',
  at: 'At',
  after: 'After the first',
  topic: 'Topic',
  type: 'Type',
  state: 'State',
  this: 'this message',
  none: 'No other message has its trace id.',
  noTrace: 'It has no trace id.',
  loading: 'Looking for messages of the same trace',
  failed: 'The trace could not be read: {message}.',
  more: 'The oldest {n} of {total} are shown.',
  filter: 'Show them in the list',
} as const;
