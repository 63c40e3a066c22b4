/** Texts of the message detail. */

export const DETAIL = {
  previous: 'Previous message',
  next: 'Next message',
  delivery: 'Delivery',
  deliveryOf: '{n} of {total}: {to}',
  allDeliveries: 'All {total}',
  allFacts: 'All facts',
  /** Beside a reason that is longer than its lines. The menu of further acts is called "More". */
  wholeReason: 'Whole text',
  lessReason: 'Less',
  openApart: 'Open in its own window',
  nextIn: 'in {t},',
  /** Texts in front of the time: an attempt or an expiry may wait for long after it. */
  nextNow: 'due',
  expiryNow: 'passed',
  expiresIn: 'expires in {t},',
  expiresAt: 'expires at {time}',
  expiresNow: 'due to expire',
  atTime: 'at {time}',
  answerHeld: 'Answer held',
  to: '{app} → POST {route}',
  toGrpc: '{app} → gRPC {route}',
  /** Text for a route of a gRPC app that has no path. */
  toGrpcOnly: '{app} → gRPC',
  toNowhere: '{app} → no route',
  toUnknown: '{app} → route not known yet',
  toStream: '{app} → its stream',
  tabs: 'Parts of the message',
  replayOf: 'Replay of an earlier message',
  deadLetterOf: 'Dead letter from {topic}',
  copyOn: 'Copy on {topic}',
  copyAs: 'Copy',
  published: 'published {time}',
} as const;

/** Texts about the remaining time of a held or running call. */
export const GIVES_UP = {
  observed: { left: 'the sidecar gives up in {t}', over: 'the sidecar has stopped waiting' },
  own: { left: 'times out in {t}', over: 'timed out' },
} as const;

/** Names of the facts in the head of a message, and texts for missing values. */
export const FACTS = {
  app: 'App',
  published: 'Published',
  attempts: 'Attempts',
  next: 'Next',
  expires: 'Expires',
  id: 'Event id',
  trace: 'Trace',
  took: 'Took',
  none: '–',
  /** Button beside a value that is cut. */
  whole: '{title} in full',
  less: '{title} in one line',
  attemptsOf: '{n} (max {max})',
  /** As `attemptsOf`, after a person retried what had ended: the policy counts from there. */
  attemptsSince: '{n}: {before} before the retry, {since} of {max} since',
  leftSince: '{n}: {before} before the retry; {left} of {max} left since',
  ago: '({t} ago)',
} as const;

export const TABS = {
  data: 'Data',
  envelope: 'Envelope',
  attempts: 'Attempts',
  route: 'Route',
  timeline: 'Timeline',
  notes: 'Notes',
} as const;

export const DATA_TAB = {
  label: 'Message data',
  bytes: 'Bytes as published',
  noData: 'This event has no data field. The Envelope tab shows all its fields.',
  labelEdited: 'Edited message data',
  isText: 'The app gets this as text, not as a JSON value.',
} as const;

/** Names of facts that a component reports about its broker. */
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
  raw: 'Published with rawPayload: the message has no envelope. Subscriptions with rawPayload receive it as is.',
  none: 'The message has no envelope.',
  metadata: 'Publish metadata',
  noMetadata: 'None.',
  expires: 'expires {time} (in {t})',
  expired: 'expired {time}',
  /** Text for a message that is still open though its time is over: it expires once its app has reported its subscriptions. */
  expiryDue: 'time to live ended {time}',
  /** Text for a message that ended before it could expire. */
  validUntil: 'valid until {time}',
  origin: 'Origin',
  originWords: {
    http: 'published over HTTP',
    bulk: 'published in a bulk request',
    grpc: 'published over gRPC',
    'grpc-bulk': 'published in a bulk request over gRPC',
    console: 'published from this console',
    replay: 'replayed',
    binding: 'received by a binding',
    'dead-letter': 'copied to this dead-letter topic',
    elsewhere: 'published elsewhere',
  },
  messageId: 'Message id',
  number: 'Number',
  appId: 'Accepted by',
  caller: 'Caller',
  callerNotRecorded: 'not in the recording',
  callerGone: 'no longer known: Sidelight keeps the callers of the last 2,000 publishes of this run',
  callerHeaders: 'Headers of the publish: {n}',
  entryId: 'Entry id in the bulk request',
  batch: 'Batch',
  replayOf: 'Replay of',
  broker: BROKER,
  flags: 'How it was accepted',
  waitingFor: 'Waiting for',
  size: 'Size',
} as const;

export const ATTEMPTS = {
  changed: 'Changed before it was released; the message keeps what was published',
  /** Text where only the start of one of the two is known. */
  changedPart:
    'Only the first {n} {n:character|characters} of both are compared. The Data tab shows both in full.',
  /** Texts for a message without deliveries; the line above the tabs shows why. */
  noDeliveryYet: 'There is no delivery yet.',
  noDeliveryEver: 'There is no delivery.',
  list: 'Attempts',
  name: 'Attempt {n}, {answer}, {state}',
  running: 'running',
  noAnswer: 'no answer',
  request: 'Request',
  response: 'Response',
  givenInstead: 'Answer that a person gave instead',
  ownResponse: "The app's own answer, held back",
  insteadBody: 'Body of the answer given instead',
  unreadBody: 'The body could not be read. {error}',
  stillRunning: 'The app has not answered yet.',
  headers: 'Headers',
  headerOne: 'header',
  headerMany: 'headers',
  requestBody: 'Body of the request',
  responseBody: 'Body of the answer',
  waited: 'waited {t}',
  older: 'Show older attempts: {n} more',
  waitedBy: 'waited {t} (policy {policy} {planned})',
  policies: { constant: 'constant', exponential: 'exponential' },
  showBatch: 'Show whole batch',
  showEntry: 'Show this entry only',
  timing: { connect: 'connect {t}', send: 'send {t}', wait: 'wait {t}', read: 'read {t}' },
  answeredBy: 'Answered by: {name}',
  answeredByUnnamed: 'Answered by an unnamed answer',
  batch: 'Batch of {n}; this is entry {entryId}',
  copyCurl: 'Copy as curl',
  copyGrpcurl: 'Copy as grpcurl',
  whatIf: 'What if the app had answered',
  whatIfPick: 'choose an answer',
  leadsTo: 'leads to',
} as const;

/** The retry policy of a delivery in one line, with its source. */
export const POLICY = {
  line: 'Retry policy now: {attempts}{waits}{statuses}. From {from}.',
  onlyStatuses: '; only HTTP statuses {ranges} are retried',
  noStatus: '; no HTTP status is retried',
  attempts: '{n} {n:attempt|attempts}',
  noLimit: 'no limit of attempts',
  constant: ', {wait} between them',
  growing: ', first wait {wait}, each wait {factor} times the one before, at most {longest}',
  inFile: '{file}',
  atLine: '{file}, line {line}',
  from: {
    resiliency: 'a resiliency file',
    topic: 'the setting "Retry policy per topic"',
    flag: 'a flag of this run',
    here: 'Settings',
    file: 'the settings file',
    default: 'the defaults',
  },
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
  { id: 'other', title: '200, another status for this entry', status: 200, word: 'MAYBE' },
  { id: 'missing', title: '200 without a status for this entry', status: 200, word: undefined },
  { id: 'invalid', title: '200 with a body that cannot be read', status: 200, body: 'not json' },
  { id: '404', title: '404', status: 404, word: undefined },
  { id: '503', title: '503', status: 503, word: undefined },
] as const;

/** Answers over gRPC: a code, with a status for OK. */
export const WHAT_IF_GRPC = [
  { id: 'success', title: 'OK, SUCCESS', status: 0, body: '{"status":"SUCCESS"}' },
  { id: 'retry', title: 'OK, RETRY', status: 0, body: '{"status":"RETRY"}' },
  { id: 'drop', title: 'OK, DROP', status: 0, body: '{"status":"DROP"}' },
  { id: 'other', title: 'OK with another status', status: 0, body: '{"status":7}' },
  { id: 'empty', title: 'OK with an empty reply', status: 0, body: '' },
  { id: 'unimplemented', title: 'UNIMPLEMENTED', status: 12, body: '' },
  { id: 'unavailable', title: 'UNAVAILABLE', status: 14, body: '' },
] as const;

export const WHAT_IF_GRPC_BULK = [
  { id: 'success', title: 'OK, SUCCESS for this entry', status: 0, word: 'SUCCESS' },
  { id: 'retry', title: 'OK, RETRY for this entry', status: 0, word: 'RETRY' },
  { id: 'drop', title: 'OK, DROP for this entry', status: 0, word: 'DROP' },
  { id: 'other', title: 'OK, another status for this entry', status: 0, word: '7' },
  { id: 'missing', title: 'OK without a status for this entry', status: 0, word: undefined },
  { id: 'unimplemented', title: 'UNIMPLEMENTED', status: 12, word: undefined },
  { id: 'unavailable', title: 'UNAVAILABLE', status: 14, word: undefined },
] as const;

export const ROUTE = {
  loading: 'Loading the route',
  failed: 'The route could not be explained: {message}.',
  matched: 'Rule {n} `{match}` matched: route {path}.',
  always: 'Rule {n} has no condition: route {path}.',
  default: 'No rule matched: default route {path}.',
  onlyDefault: 'There are no rules: every event takes the default route {path}.',
  unused: 'This subscription is not used: {reason} If it were used: {sentence}',
  none: 'No rule matched and the subscription has no default route.',
  /** The current rules are explained, so nothing is said about what happened to the message. */
  error: 'Rule {n} could not be evaluated: {error}. Such a message is not sent.',
  errorAt: 'Rule {n} could not be evaluated: {error} at {col}. Such a message is not sent.',
  unreadable: 'The message cannot be delivered to this subscription: {reason}.',
  /** Note before an explanation by the current rules that does not fit the delivery of the message. */
  wasOther: 'This message went to {path}. The current rules choose differently:',
  wasOtherByRule: 'This message went to {path} by rule {n} `{match}`. The current rules choose differently:',
  wasNone: 'This message got no route. The current rules choose one:',
  ofThisSession: 'The recording has the route {path}. These are the current rules of this session:',
  ofThisSessionOnly: 'The recording has no rules. These are the current rules of this session:',
  ofReplay: 'No app here got this message. This is the route that a replay would take now:',
  noSubscription: 'No subscription for topic {topic}.',
  notKnownYet: 'The route is not known yet.',
  /** Texts of a delivery whose subscription is not there now: what was chosen then, and the present apart. */
  then: 'Route that was chosen for {app}',
  defaultThen: 'The default route {path} was taken.',
  noneThen: 'No rule matched and the subscription had no default route.',
  noneChosen: 'No route was chosen.',
  notSubscribedNow:
    'No known subscription of {app} matches topic {topic} on {pubsub} now, so there are no current rules to compare with.',
  rulesNotRecorded: 'The recording has only the matching rule, and no current subscription is like it.',
  waitsForApp: 'Waiting for {app} to subscribe to {topic} again. The route is chosen then.',
  waitsWithRoute: 'Waiting for {app} to subscribe to {topic} again. The delivery keeps its route {path}.',
  ofItsSidecar: 'The sidecar behind the tap chooses the route.',
  about: '{pubsub} / {topic} · {source} · {form} · {bulk}',
  sources: { programmatic: 'programmatic', declarative: 'declarative', streaming: 'stream' },
  cloudEvents: 'CloudEvents',
  rawForm: 'raw',
  bulkForm: 'bulk',
  singleForm: 'single',
  table: 'Rules for {topic}',
  number: '#',
  match: 'Match',
  value: 'Value',
  path: 'Path',
  chosen: 'chosen',
  defaultRow: 'default',
  used: 'used',
  notUsed: 'not used',
  /** Words of a subscription that is not used. */
  wouldBeChosen: 'would be chosen',
  wouldBeUsed: 'would be used',
  noMatch: '(always)',
  errorValue: 'error: {error}',
  tryType: 'Try another type',
  tryHint: 'Nothing is published.',
  filter: 'Filter by this route',
} as const;

export const TIMELINE = {
  table: 'Transitions',
  tableOf: 'Transitions of {of}',
  older: 'Show earlier transitions: {n} more',
  at: 'At',
  after: 'After',
  from: 'From',
  to: 'To',
  why: 'Why',
  by: 'Caused by',
  causes: { app: 'the app', user: 'you', policy: 'policy', ttl: 'time to live', restart: 'a restart' },
  /** Cause of a call that was cut off because its app was removed. */
  causeRemoval: 'removal of the app',
  none: 'Nothing has happened to it yet.',
  noDelivery: 'There is no delivery.',
  picture: 'Waterfall',
  lanes: 'Lanes of the waterfall',
  whole: '{t} from publishing to the end.',
  wholeYet: '{t} from publishing until now.',
  wholeRecorded: '{t} from publishing until it was recorded.',
  folded: 'Long idle gaps are folded.',
  fold: 'No call was running for {t}; the gap is folded.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  zoom: '×{n}',
  zoomedIn: 'This is the largest size.',
  zoomedOut: 'The whole timeline is shown.',
  published: 'Published',
  attempt: 'Attempt {n}',
  attempts: '{n} {n:attempt|attempts}',
  running: 'running',
  waits: 'Waits',
  end: 'End',
  sameTrace: 'Same trace',
  layOver: 'Overlay the same trace: {n} {n:message|messages}',
  layOverMost: 'The oldest {n} of them are drawn.',
  parts: { call: 'call', connect: 'connect', send: 'send', wait: 'wait for the answer', read: 'read' },
  legend: [
    { kind: 'queued', word: 'queued' },
    { kind: 'call', word: 'call' },
    { kind: 'connect', word: 'connect' },
    { kind: 'send', word: 'send' },
    { kind: 'wait', word: 'wait for the answer' },
    { kind: 'read', word: 'read' },
    { kind: 'retrying', word: 'waiting to retry' },
    { kind: 'held', word: 'held' },
    { kind: 'parked', word: 'parked' },
  ],
} as const;

export const NOTES = {
  pinned: 'Pinned: retention does not remove it',
  save: 'Save note',
  discard: 'Undo changes',
  notSaved: 'Changed, not saved yet.',
  label: 'Note',
  hint: 'Kept with the message; shown as text.',
  tags: 'Tags',
  tagsHint: 'Words, separated by commas',
} as const;
