/** Texts of a list that is grouped. */

export const GROUPS_OF_LIST = {
  label: 'Group',
  by: 'Group by',
  command: 'Group by: {what}',
  none: 'None',
  noGroups: 'No groups',
  topic: 'Topic',
  type: 'Type',
  state: 'State',
  route: 'Route',
  answer: 'Answer',
  trace: 'Trace',
  correlation: 'Correlation',
  batch: 'Batch',
  replay: 'Replay chain',
  repeats: 'Repeats within a second',
  /** Other words by which the palette finds it. */
  repeatsWords: 'twice duplicates',
  openAll: 'Expand all',
  closeAll: 'Collapse all',
  one: '1 message',
  many: '{n} {n:message|messages}',
  chain: 'Replays of {value}',
  worst: '{word}, {n} of {total}',
  counted: '{n} {word}',
  span: '{from} to {to}',
  foremost: 'A message with several deliveries counts once, under the one that needs attention most.',
} as const;

/** The order of groups, said below the list. */
export const GROUP_ORDER_WORDS = {
  name: 'Groups are sorted by name.',
  attention: 'Most urgent groups first.',
  time: 'Groups are sorted by the time of their first message, oldest first.',
} as const;

/** Names of the groups of messages without a value. */
export const WITHOUT = {
  topic: 'No topic',
  type: 'No type',
  state: 'No state',
  route: 'No route',
  answer: 'No finished call',
  trace: 'No trace',
  correlation: 'No correlation',
  batch: 'Not in a batch',
  replay: 'Never replayed',
  repeats: 'No repeats',
  data: 'No {path}',
} as const;
