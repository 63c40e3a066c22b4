/** Texts of what a person can do with messages and deliveries, and of what came of it. */

export const ACTS = {
  replay: 'Replay',
  replayHere: 'Replay to this delivery only',
  editReplay: 'Edit and replay',
  retry: 'Retry now',
  hold: 'Hold',
  release: 'Release',
  editRelease: 'Edit & release',
  cancel: 'Cancel call',
  drop: 'Drop',
  deadLetter: 'Dead-letter',
  moveToDeadLetter: 'Move to dead letter',
  open: 'Open',
  pin: 'Pin',
  unpin: 'Unpin',
  note: 'Add note',
  filterBy: 'Filter by',
  exclude: 'Exclude',
  onlyNewer: 'Only newer than this',
  filterTopic: 'Topic {value}',
  filterType: 'Type {value}',
  filterApp: 'App {value}',
  filterState: 'State {value}',
  mockLike: 'Make a mock answer for this…',
  holdLike: 'Hold messages like this…',
  copy: 'Copy',
  copyCurl: 'Copy as curl',
  copyCall: 'Copy as automation call',
  copyReceived: 'Copy what the app received',
  copyEvent: 'Copy the event',
  copyId: 'Copy id',
  copyIds: 'Copy ids',
  copyLink: 'Copy link',
  more: 'More',
  rowMenu: 'Actions for this message',
} as const;

export const ACT_DONE = {
  replay: 'Replayed to {topic}.',
  replayMany: '{n} messages replayed.',
  replayHere: 'Delivered again to {route}.',
  retry: 'Queued for attempt {n}.',
  retryMany: '{n} deliveries queued.',
  hold: 'Held.',
  holdMany: '{n} deliveries held.',
  release: 'Released.',
  releaseMany: '{n} released.',
  cancel: 'Call cancelled.',
  drop: 'Dropped.',
  dropMany: '{n} dropped.',
  deadLetter: 'Published to {topic}.',
  deadLetterMany: '{n} published to a dead-letter topic.',
  copied: 'Copied.',
  notCopied: 'The browser did not allow copying.',
  pinned: 'Pinned.',
  unpinned: 'No longer pinned.',
  noteSaved: 'Note saved.',
  show: 'Show',
  undoDrop: 'Retry',
  refused: '{n} could not be changed: {reason}',
  deadLetterTopic: 'the dead-letter topic',
} as const;

/** Why an action does not apply now. */
export const ACT_WHY = {
  noMessage: 'Select a message first.',
  state: '{title}: it is {state}.',
  processed: '{title}: it is processed; use Replay.',
  appHasIt: 'The app already has it; wait for the answer or cancel the call.',
  noDelivery: '{title}: no delivery of it is in a state that allows it.',
  noneOfSelection: '{title}: it applies to none of the selected messages.',
  tooMany: '{title} takes at most 500 messages at a time.',
  notBuilt: 'This host does not offer it.',
  away: 'There is no connection to Sidelight.',
} as const;

export const CONFIRM = {
  dropTitle: 'Drop {n} deliveries?',
  dropText: 'They will not be delivered again. Each can be retried later. Topics: {topics}. Apps: {apps}.',
  dropFilterText: 'Everything that matches "{filter}" and may be dropped is dropped.',
  deadLetterTitle: 'Move {n} deliveries to the dead letter?',
  deadLetterText:
    'Each is published to the dead-letter topic of its subscription. Topics: {topics}. Apps: {apps}.',
  deadLetterFilterText: 'Everything that matches "{filter}" and may be moved is moved.',
  manyTitle: '{title}: everything that matches?',
  manyText: 'It applies to all deliveries that match "{filter}" and allow it.',
  everything: 'all messages',
  cancel: 'Cancel',
} as const;

export const SELECTION = {
  bar: 'Actions for selected messages',
  count: '{n} selected',
  countNotLoaded: '{n} selected, {more} not loaded',
  button: '{title} ({n})',
  clear: 'Clear selection',
} as const;

export const EDIT = {
  title: 'Edit and replay',
  releaseTitle: 'Edit and release',
  original: 'Original event',
  originalHead: 'Original (read-only)',
  next: 'New event',
  nextHead: 'New',
  to: 'To',
  topic: 'Topic',
  toTopic: 'publish to topic',
  toDelivery: 'deliver to {route} only',
  contentType: 'Content type',
  metadata: 'Metadata',
  attributes: 'Attributes',
  edit: 'Edit',
  changes: 'Changes {n}',
  noChanges: 'Nothing is changed.',
  notJson: 'Not valid JSON; it will be sent as is',
  replay: 'Replay',
  release: 'Release',
  newEventId: 'New event id',
  saveRequest: 'Save as request',
  lineAdded: 'added',
  lineRemoved: 'removed',
  leadsTo: 'Leads to',
  answerStatus: 'Status of the answer',
  answerBody: 'Body of the answer',
  statusRange: 'Use a status code from 100 to 599.',
} as const;

export const COMPARE = {
  title: 'Compare messages',
  withOriginal: 'Compare with original',
  same: 'Nothing differs.',
  one: '1 changed line',
  many: '{n} changed lines',
} as const;

export const DEAD_LETTER = {
  title: 'Move to dead letter',
  topic: 'Dead-letter topic',
  hint: 'The subscription names none; say where to publish it.',
  run: 'Dead-letter',
} as const;

export const NOTE = {
  title: 'Note',
  label: 'Note',
  hint: 'Kept with the message; shown as text.',
  save: 'Save note',
  tags: 'Tags',
  tagsHint: 'Words, separated by commas',
} as const;
