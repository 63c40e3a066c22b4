/** Texts of the message detail. */

export const DETAIL = {
  empty: 'Select a message',
  emptyHints: [
    { keys: '↑ ↓', says: 'move in the list' },
    { keys: 'Enter', says: 'open a message' },
    { keys: 'r', says: 'replay it' },
  ],
  loading: 'Loading the message',
  failed: 'The message could not be loaded: {message}.',
  gone: 'This message is no longer kept (limit {limit}).',
  goneUnknown: 'This message is no longer kept.',
  title: '{topic} · {type}',
  titleRaw: '{topic} · raw',
  back: 'Back to list',
  close: 'Close detail',
  previous: 'Previous message',
  next: 'Next message',
  delivery: 'Delivery',
  deliveryOf: '{app}, {n} of {total}',
  attemptOf: 'attempt {n} of {max}',
  attempt: 'attempt {n}',
  nextIn: 'next in {t}',
  expiresIn: 'expires in {t}',
  heldBy: 'held by {hold}',
  answerHeld: 'Answer held',
  to: '{app} → POST {route}',
  toNowhere: '{app} → no route',
  tabs: 'Parts of the message',
  replayOf: 'Replay of an earlier message',
  deadLetterOf: 'Dead letter of {topic}',
  copyOn: 'copy on {topic}',
  copyAs: 'Copy',
  published: 'published {time}',
} as const;

export const TABS = {
  data: 'Data',
  envelope: 'Envelope',
  attempts: 'Attempts',
  route: 'Route',
  timeline: 'Timeline',
  notes: 'Notes',
} as const;

export const DATA_TAB = { label: 'Message data', bytes: 'Bytes as published' } as const;

/** Names of what a component tells of its broker. */
const BROKER: Readonly<Record<string, string>> = {
  id: 'Stream id',
  stream: 'Stream',
  group: 'Reading group',
  consumer: 'Consumer',
};

export const ENVELOPE = {
  table: 'Envelope attributes',
  attribute: 'Attribute',
  value: 'Value',
  note: 'Note',
  missing: 'missing',
  extension: 'extension',
  raw: 'Published with rawPayload: no envelope. Subscriptions with rawPayload receive it as is.',
  none: 'The message has no envelope.',
  metadata: 'Publish metadata',
  noMetadata: 'None.',
  expires: 'expires {time} (in {t})',
  expired: 'expired {time}',
  origin: 'Origin',
  originWords: {
    http: 'published over HTTP',
    bulk: 'published in a bulk request',
    console: 'published from this console',
    replay: 'replayed',
    binding: 'received by a binding',
    'dead-letter': 'copied to this dead-letter topic',
  },
  messageId: 'Message id',
  number: 'Number',
  appId: 'Taken by',
  batch: 'Batch',
  replayOf: 'Replay of',
  broker: BROKER,
  flags: 'How it was taken',
  waitingFor: 'Waiting for',
  size: 'Size',
} as const;

export const ATTEMPTS = {
  none: 'No attempt was made yet.',
  changed: 'Changed before it was released; the message keeps what was published',
  noDelivery: 'There is no delivery: no subscription matched the topic {topic}.',
  list: 'Attempts',
  name: 'Attempt {n}, {answer}, {state}',
  running: 'running',
  noAnswer: 'no answer',
  request: 'Request',
  response: 'Response',
  noResponse: 'No answer: {error}',
  stillRunning: 'The app has not answered yet.',
  headers: 'Headers',
  requestBody: 'Body of the request',
  responseBody: 'Body of the answer',
  waited: 'waited {t}',
  timing: 'connect {connect} · send {send} · wait {wait} · read {read}',
  answeredBy: 'Answered by: {name}',
  batch: 'Batch of {n}; this is entry {entryId}',
  copyCurl: 'Copy as curl',
  whatIf: 'What if the app had answered',
  whatIfPick: 'choose an answer',
  leadsTo: 'leads to',
} as const;

/** Answers that "What if…" can try, one per row of the outcome tables. */
export const WHAT_IF_SINGLE = [
  { id: 'success', title: '200 SUCCESS', status: 200, body: '{"status":"SUCCESS"}' },
  { id: 'retry', title: '200 RETRY', status: 200, body: '{"status":"RETRY"}' },
  { id: 'drop', title: '200 DROP', status: 200, body: '{"status":"DROP"}' },
  { id: 'other', title: '200 with another status', status: 200, body: '{"status":"MAYBE"}' },
  { id: 'empty', title: '200 without a body', status: 200, body: '' },
  { id: 'invalid', title: '200 with a body that is not JSON', status: 200, body: 'not json' },
  { id: '404', title: '404', status: 404, body: '' },
  { id: '503', title: '503', status: 503, body: '' },
] as const;

export const WHAT_IF_BULK = [
  { id: 'success', title: '200, SUCCESS for this entry', status: 200, word: 'SUCCESS' },
  { id: 'retry', title: '200, RETRY for this entry', status: 200, word: 'RETRY' },
  { id: 'drop', title: '200, DROP for this entry', status: 200, word: 'DROP' },
  { id: 'missing', title: '200 without a status for this entry', status: 200, word: undefined },
  { id: '404', title: '404', status: 404, word: undefined },
  { id: '503', title: '503', status: 503, word: undefined },
] as const;

export const ROUTE = {
  loading: 'Asking which route it takes',
  failed: 'The route could not be explained: {message}.',
  matched: 'Rule {n} `{match}` matched: POST {path}.',
  always: 'Rule {n} has no condition: POST {path}.',
  default: 'No rule matched: default route {path}.',
  none: 'No rule matched and the subscription has no default route.',
  error: 'Rule {n} could not be evaluated: {error}; the message was not sent.',
  noSubscription: 'No subscription for topic {topic} on this app.',
  about: '{pubsub} / {topic} · {source} · {form} · {bulk}',
  sources: { programmatic: 'programmatic', declarative: 'declarative' },
  cloudEvents: 'CloudEvents',
  rawForm: 'raw',
  bulkForm: 'bulk',
  singleForm: 'single',
  table: 'Rules for {topic}',
  number: '#',
  match: 'match',
  value: 'value',
  path: 'path',
  chosen: 'chosen',
  defaultRow: 'default',
  used: 'used',
  notUsed: 'not used',
  noMatch: '(always)',
  errorValue: 'error: {error}',
  tryType: 'Try another type',
  tryHint: 'Nothing is published.',
  filter: 'Filter by this route',
} as const;

export const TIMELINE = {
  table: 'Transitions',
  at: 'At',
  after: 'After',
  from: 'From',
  to: 'To',
  why: 'Why',
  by: 'By',
  causes: { app: 'the app', user: 'you', policy: 'policy', ttl: 'time to live', restart: 'restart' },
  none: 'Nothing has happened to it yet.',
  noDelivery: 'There is no delivery.',
  picture: 'From publishing to now: {t}',
  waiting: 'waiting',
} as const;

export const NOTES = {
  pinned: 'Pinned: retention does not remove it',
  save: 'Save note',
  label: 'Note',
  hint: 'Kept with the message; shown as text.',
  tags: 'Tags',
  tagsHint: 'Words, separated by commas',
} as const;
