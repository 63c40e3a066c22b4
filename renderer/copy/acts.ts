/** Texts of acts on messages and deliveries, and of their results. */

export const ACTS = {
  replay: 'Replay',
  replayHere: 'Replay to this delivery only',
  editReplay: 'Edit and replay',
  retry: 'Retry now',
  reroute: 'Reroute',
  retryHint: 'Calls {path} of {app} again.',
  hold: 'Hold',
  release: 'Release',
  editRelease: 'Edit and release',
  subscribe: 'Subscribe the mock app',
  subscribed: 'The mock app subscribes to this topic now. Replay the message to deliver it.',
  cancel: 'Cancel call',
  drop: 'Drop',
  deadLetter: 'Dead-letter',
  open: 'Open',
  pin: 'Pin',
  unpin: 'Unpin',
  note: 'Add note',
  filterBy: 'Filter by',
  exclude: 'Exclude',
  filterThis: 'Filter by this',
  excludeThis: 'Exclude this',
  cell: '{term}',
  onlyNewer: 'Only since here',
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
  /** Text for a replay that a hold would have caught, had it not caught the original. */
  replayPast: 'Replayed to {topic}. {n:Hold|Holds} {holds} let it pass: {n:it|they} caught the original.',
  replayMany: '{n} {n:message|messages} replayed.',
  replayManyPast:
    '{n} {n:message|messages} replayed. {m:Hold|Holds} {holds} let those pass whose originals {m:it|they} caught.',
  replayHere: 'Delivered again to {route}.',
  /** Text for a delivery that has no path: it goes to a stream that the app opened, or it got no route. */
  replayHereOnly: 'Replayed to this delivery only.',
  retry: 'Queued for attempt {n}.',
  /** Text for a delivery that had ended: its attempts are counted anew. */
  retryRound: 'Queued for attempt {n}, the first of a new round.',
  retryMany: '{n} {n:delivery|deliveries} queued.',
  hold: 'Held.',
  holdMany: '{n} {n:delivery|deliveries} held.',
  release: 'Released.',
  releaseMany: '{n} released.',
  heldNext: 'Hold {hold} caught it next: it is held again.',
  heldNextByAll: 'Another hold caught it next: it is held again.',
  cancel: 'Call cancelled.',
  drop: 'Dropped.',
  dropMany: '{n} dropped.',
  /** Texts for messages that were held at publish: a replay is the way back. */
  dropAtPublish: 'Dropped. Replay it to publish it again.',
  dropManyAtPublish: '{n} dropped. Replay them to publish them again.',
  dropPartlyAtPublish:
    '{n} dropped. An undo does not give back the {of} that {of:was|were} held at publish: replay {of:it|them}.',
  deadLetter: 'Published to {topic}.',
  deadLetterMany: '{n} published to a dead-letter topic.',
  copied: 'Copied.',
  copiedWithToken: 'Copied. The sidecar asks for an API token: set {variable} where you run this.',
  notCopied: 'The browser did not allow copying.',
  pinned: 'Pinned.',
  unpinned: 'No longer pinned.',
  noteSaved: 'Note saved.',
  show: 'Show',
  undo: 'Undo',
  dropUndone: '{n} {n:delivery is|deliveries are} back.',
  rerouted: '{n} {n:delivery|deliveries} rerouted.',
  reroutedNone: 'There is nothing left to reroute.',
  refused: '{n} could not be changed: {reason}',
  notReplayed: '{n} could not be replayed: {reason}',
  notThere: 'no longer there',
  notSent: '{n} more {n:was|were} not sent.',
  missing:
    '{n} of the selected messages {n:is|are} not loaded, or no longer there. Sidelight left {n:it as it is|them as they are}.',
  selectionChanged: 'You changed the selection before Sidelight had read it, so nothing was done.',
  deadLetterTopic: 'the dead-letter topic',
} as const;

/** Why a cell is no filter. */
export const CELL_WHY = {
  empty: 'Nothing to filter by: the cell is empty.',
  noKey: 'There is no filter for the column {column}.',
  noValue: 'Nothing to filter by here: click a value or a word in the payload.',
} as const;

/** Why what ends a delivery is not possible during a call. */
const HAS_IT = 'The app already has it; wait for the answer or cancel the call.';

/** Reasons for which an act does not apply now. */
export const ACT_WHY = {
  noMessage: 'Select a message first: go to it with the arrow keys, or click it.',
  loading: 'The open message is still loading. Press the key again in a moment.',
  selecting: 'The selection is still loading.',
  noneLeft: 'None of these messages matches the filter any more.',
  /** Why a delivery in this state does not allow an act: who has it, and when the act is possible. */
  byState: {
    retry: {
      queued: '{title}: this delivery is in the queue already. Sidelight sends it in its turn.',
      held: '{title}: a hold keeps this delivery back. Release it instead.',
      attempting: '{title}: the app has not answered this call yet. You can retry after the answer.',
      processed: '{title}: the app has processed it. To send it again, use Replay.',
    },
    hold: {
      held: '{title}: a hold keeps this delivery back already.',
      attempting:
        '{title}: the app has not answered this call yet. You can hold the next attempt, if there is one.',
      parked:
        '{title}: Sidelight sends a parked delivery only when you retry it, so there is nothing to hold.',
    },
    release: {},
    drop: {
      attempting: HAS_IT,
      dropped: '{title}: this delivery is dropped already.',
    },
    deadLetter: {
      attempting: HAS_IT,
      'dead-lettered': '{title}: this delivery is on its dead-letter topic already.',
    },
    cancel: {},
  },
  /** As `byState`, in all other states: those in which a delivery has ended, of acts on one that goes on. */
  otherwise: {
    hold: '{title}: this delivery has ended, so there is nothing to hold.',
    release: '{title}: no hold keeps this delivery back.',
    drop: '{title}: this delivery has ended, so there is nothing to drop.',
    deadLetter: '{title}: this delivery has ended, so there is nothing to move to the dead-letter topic.',
    cancel: '{title}: no call is running for this delivery.',
  },
  /** Texts for a message without a delivery, by its chip. */
  withoutDelivery: {
    none: '{title}: no subscription matched this message, so it has no delivery.',
    unseen: '{title}: Sidelight has seen no delivery of this message.',
    waiting: '{title}: this message has no delivery until the app reports its subscriptions.',
    queued: '{title}: this message has no delivery until its pub/sub component is ready.',
    held: '{title}: a hold keeps this message back, and it has no delivery until you release it.',
    refused: '{title}: Sidelight did not publish this message, so it has no delivery.',
    dropped: '{title}: this message was dropped while it was held at publish, so it has no delivery.',
    expired: '{title}: this message expired before it had a delivery.',
  },
  /** Reason for a delivery in the queue that is not sent as long as its app has no subscription for it. */
  waitsFor: '{title}: this delivery waits until {app} subscribes to its topic again.',
  answerHeld: 'The app has answered, and a hold keeps the answer back: release it.',
  observed: '{title}: only the sidecar of {app} can do that, because it makes this delivery.',
  noneOfSelection: '{title}: none of the selected messages allows it now.',
  tooMany: '{title} takes at most {n} {n:message|messages} at a time.',
  away: 'There is no connection to Sidelight.',
} as const;

export const CONFIRM = {
  dropTitle: 'Drop {n} {n:delivery|deliveries}?',
  dropText:
    '{n:It|They} will not be delivered again, but can be retried later. Topics: {topics}. Apps: {apps}.',
  deadLetterTitle: 'Move {n} {n:delivery to its dead-letter topic|deliveries to their dead-letter topics}?',
  deadLetterText:
    'Sidelight publishes {n:it|each of them} to the dead-letter topic of its subscription. Topics: {topics}. Apps: {apps}.',
  manyTitle: '{title}: all {n} {n:message|messages} that match?',
  manyText: 'It applies to each delivery that allows it. Filter: {filter}. Topics: {topics}. Apps: {apps}.',
  manyTextNewest:
    'It applies to each delivery that allows it. Filter: {filter}. Of the newest {looked}: topics {topics}; apps {apps}.',
  andMore: '{names} and {n} more',
  noApp: 'none',
  everything: 'all messages',
  cancel: 'Cancel',
} as const;

export const SELECTION = {
  bar: 'Actions for selected messages',
  count: '{n} selected',
  countNotLoaded: '{n} selected, {more} not loaded',
  notLoaded: 'Not every selected message is loaded.',
  /** Text behind the count of a selection of everything. */
  later: ' · {n} newer {n:message is|messages are} not selected',
  button: '{title} ({n})',
  applies: '{title}: applies to {n} of the {of} selected {of:message|messages}',
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
  toDelivery: 'deliver to {to} only',
  contentType: 'Content type',
  metadata: 'Metadata',
  attributes: 'Attributes',
  pubsub: 'Pub/sub',
  folded: '{label} {n}',
  linesHint: 'One per line: name: value',
  titleOf: '{title} · {of}',
  edit: 'Edit',
  changes: 'Changes {n}',
  noChanges: 'No changes.',
  changesComing: 'Changes',
  comparing: 'Comparing…',
  notCompared: 'Too long to compare.',
  notJson: 'Not valid JSON: the app gets it as a JSON string, in quotes.',
  notJsonRaw: 'Not valid JSON: the app gets it as you typed it.',
  replay: 'Replay',
  release: 'Release',
  newEventId: 'New event id',
  saveRequest: 'Save as request',
  leadsTo: 'Leads to',
  answerStatus: 'Status of the answer',
  answerBody: 'Body of the answer',
  statusRange: 'Use a status code from 200 to 599.',
  notText: 'The answer is not text: it is shown as base64.',
  cut: 'The answer was cut when it was recorded. If you release it unchanged, the whole answer is used.',
} as const;

/** Lines of a comparison that are not shown. */
export const DIFF = {
  equal: '  … {n} equal {n:line|lines}',
  more: '  … and {n} more {n:line|lines}',
} as const;

export const COMPARE = {
  title: 'Compare messages',
  /** As `title`, where both are the same message. */
  titleOfOne: 'Compare versions of a message',
  withOriginal: 'Compare with original',
  /** What the signs in front of the lines stand for. */
  sides: {
    left: '− lines only in the message {topic} of {time}',
    right: '+ lines only in the message {topic} of {time}',
  },
  /** Names of the choices between the versions of a message that a person edited for a delivery. */
  versionOf: { left: '− version', right: '+ version' },
  versions: {
    published: 'as it was published',
    edited: 'as a person edited it for {app}',
    /** As `edited`, where an app has several edited deliveries. */
    editedAt: 'as a person edited it for {app} at {path}',
    /** As `editedAt`, where an app has several edited deliveries at this path; the time is that of the delivery. */
    editedAtTime: 'as a person edited it for {app} at {path}, delivery of {time}',
    /** Second and later version with the same text. */
    numbered: '{version} ({n})',
  },
  /** Text instead of differences, where both sides show the same version of one message. */
  sameVersion: 'Both sides show the same version. Choose another version for one side to see what differs.',
  /** Text where what a person edited is too long to be compared. */
  cut: 'An edited version is too long to compare here. The Data tab of its message shows it in full.',
  same: 'Topic, content type, metadata and payload are the same.',
  one: '1 changed line',
  many: '{n} changed {n:line|lines}',
} as const;

export const DEAD_LETTER = {
  title: 'Move to dead-letter topic',
  topic: 'Dead-letter topic',
  hint: 'The subscription names no dead-letter topic: enter one.',
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
