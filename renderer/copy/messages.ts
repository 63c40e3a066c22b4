/** Texts of the message list, its filter field and its first run. */
import { LEFT_OVER } from '../../core/contract/attention.ts';

export const LIST = {
  title: 'Messages',
  grid: 'Messages',
  loading: 'Loading messages',
  searching: 'Searching messages',
  failed: 'The list could not be loaded: {message}.',
  noneByFilter: 'No message matches this filter.',
  /** Marks on a row of which the payload does not show why it was found: the id that has the text. */
  foundInId: {
    event: 'in event id',
    message: 'in message id',
    delivery: 'in delivery id',
    batch: 'in batch id',
    replayed: "in original's id",
    trace: 'in trace id',
  },
  foundInIdHint: 'Free text is searched in ids too. It was found in {id}.',
  noExpressions:
    'Regular expressions are not supported: the filter searches for the text as written. In the value of a key, * stands for any characters.',
  /** Text under a filter that cannot be read: the list still has the matches of the one before. */
  noneUnread: 'Sidelight cannot read the filter above, so it has not searched for it.',
  /** Text of the view "Held" where no message has this state. */
  heldAnswers: 'No message is held, but {n} {n:answer from an app is|answers from apps are}.',
  openHolds: 'Open Holds',
  didYouMean: 'Did you mean',
  nothingLeftOut: 'This filter matches every message.',
  foundAsText: 'These messages contain the text "{text}".',
  answeredBy: 'Messages that the mock app answered with "{name}".',
  clearFilter: 'Clear filter',
  searchAllApps: 'Search all apps',
  chipOfMany: '{word}, {n} of {total} deliveries',
  more: '+{n}',
  tries: '×{n}',
  noAnswer: 'no answer',
  noAnswerShort: 'none',
  rawType: '—  raw',
  rawWord: 'raw',
  noType: '—',
  attempt: 'attempt',
  attempts: 'attempts',
  lastAnswerName: 'last answer {answer}',
  unread: 'Unread',
  pinned: 'Pinned',
  loadingRow: 'Loading this row',
  follow: 'Follow newest',
  pause: 'Pause view',
  resume: 'Resume',
  paused: 'Paused',
  sorted: 'Sorted as of {time}',
  sortedBy: 'Sorted by {column} as of {time}',
  newer: '{n} newer {n:message|messages}',
  backToLive: 'Back to live',
  newMessages: '{n} new {n:message|messages}',
  newSince: '{n} new since you looked',
  markAllRead: 'Mark all read',
  newAndParked: '{n} new {n:message|messages}, {parked} parked',
  countOf: '{n} of {kept} {kept:message|messages}',
  counted: '{n} {n:message|messages}',
  groups: '{n} {n:group|groups}',
  /** Lines of a grouped list with open groups, while not all of them are loaded. */
  groupsAndMessages: 'groups and messages: {n}',
  deliveries: '{n} {n:delivery|deliveries}',
  held: '{n} held',
  /** As `deliveries`, where the number has messages that ended before any delivery too. */
  partlyWithout: '{n} {n:delivery|deliveries} and {m} {m:message|messages} without one',
  onlyWithout: '{m} {m:message|messages} without a delivery',
  countsDeliveries: '{what}. A message has a delivery for each subscription.',
  /** What the numbers of messages without a delivery count. */
  countsNone: '{n} {n:message|messages} without a subscription, not replayed since',
  replayedSince: 'Replayed since',
  countsReplayed:
    '{n} {n:message|messages} that had no subscription, and {n:was|were} replayed since. The replay is another message.',
  views: 'Views',
  /** Button of the views that have no room, and its name. */
  moreViews: '{n} more',
  moreViewsLabel: '{n} more {n:view|views}',
  resizePanels: 'Resize list and detail',
  flag: 'Note about how it was accepted',
  noDetail: 'Select a message',
  theApp: 'the app',
  export: 'Export',
  due: 'now',
  fromHere: 'Show only what changes from here on',
  /** The flag of the list while a recording is running that the list is not narrowed to. */
  onlyRecorded: 'Show only what changed since {time}',
  sinceHere: 'Recording since {time}: the list shows only what changed since then.',
  /** As `sinceHere`, where the list has another filter. */
  sinceBeside: 'Recording since {time}. The list shows other messages, too.',
  showRecorded: 'Show only these',
  /** As `sinceHere`, in an opened recording. */
  changedSince: 'The list shows only what changed since {time}.',
  noneSince: 'No message that matches this filter has changed since {time}.',
  noneStill: 'The list is not live. “Back to live” below shows what has changed since {time}.',
  showAll: 'Show everything again',
  sampled:
    'About 1 row in {n} is shown; all are kept. To see every row, pause, filter, or drag a range over the list.',
  collapseRepeats: 'Collapse repeats',
  collapsed: 'Above {n} msg/s, repeats within a second share one line. Open the line to see them.',
  showEach: 'Show each message',
} as const;

export const COLUMNS = {
  unread: 'Unread',
  select: 'Select',
  number: '#',
  time: 'Time',
  app: 'App',
  pubsub: 'Pub/sub',
  topic: 'Topic',
  type: 'Type',
  preview: 'Preview',
  eventId: 'Event id',
  subject: 'Subject',
  state: 'State',
  attempts: 'Attempts',
  attemptsShort: 'Att',
  answer: 'Last answer',
  answerShort: 'Answer',
  duration: 'Last call',
  cause: 'Cause',
  next: 'Next attempt',
  expires: 'TTL left',
  size: 'Size',
  contentType: 'Content type',
  route: 'Route',
  origin: 'Origin',
  batch: 'Batch',
  trace: 'Trace',
  streamId: 'Stream id',
  consumer: 'Consumer',
} as const;

/** Texts of the bars above the list. */
export const RATE_BAR = {
  label: 'Traffic of the last 5 minutes: {n} {n:message|messages}',
  bar: '{time} · {rate} msg/s in',
  /** Line for a bar with a line on its top. */
  bulk: 'In bulk publishes {rate}/s',
  /** Line for each colour of a bar: deliveries that entered this state. */
  part: '{word} {rate}/s',
  /** Word for published messages of which no delivery has ended. */
  rest: 'Without a result',
  hint: 'last 5 min, drag to choose a range',
  apply: 'Enter shows this range',
  keys: 'Arrow keys move, with Shift they extend the range. Enter begins with the newest bar, then shows the messages of the range. Escape clears it.',
  range: '{from} to {to}',
  none: 'No range chosen',
  all: 'Any time',
} as const;

/** Words for the column Last call and its bar. */
export const TOOK = {
  head: 'How long the last call to the app took. The list sorts by this number. The bar also has what came before: the wait for the first attempt, and earlier attempts. "All facts" of an open message has these times in words.',
  waited: 'Waited {t} for its first attempt',
  attempts: '{n} {n:attempt|attempts} within {t}',
  call: 'Last call took {t}',
} as const;

/** Text of the mark on a message that came through a server. */
export const THROUGH_SERVER = 'Stream id {id}, consumer {consumer}';

/** Filter for messages without a subscription. Those that another consumer may have received are "unseen" instead. */
export const NO_SUBSCRIPTION = `${LEFT_OVER} -is:tapped`;

/** Filter for messages that stand still until a person acts, or that nobody got. */
export const NEEDS_ATTENTION = 'state:parked,dead-lettered,refused OR state:expired';

/** Tooltip of the view of those: what it has, and where every other problem of a message is. */
export const ATTENTION_HINT =
  'Parked, dead-lettered, expired and not published messages. What continues by itself is not here. A banner names each route that the app does not serve. Dropped, Held, Retrying, No subscription and Waiting for you have their own places.';

/** Tooltip of the view of dropped messages: which of them nobody may have wanted to drop. */
export const DROPPED_HINT =
  'Messages that an app or a person dropped: nothing sends them again by itself. With the cause "app: 404" it is most likely a setup mistake: the app does not serve the route, or means something else by 404, which always drops a message.';

/** Built-in saved views, with the filter of each. */
export const VIEWS = [
  { id: 'all', title: 'All', filter: '' },
  { id: 'attention', title: 'Needs attention', filter: NEEDS_ATTENTION },
  { id: 'held', title: 'Held', filter: 'state:held' },
  { id: 'retrying', title: 'Retrying', filter: 'state:retrying' },
  { id: 'dead-lettered', title: 'Dead-lettered', filter: 'state:dead-lettered' },
  { id: 'dropped', title: 'Dropped', filter: 'state:dropped' },
  { id: 'none', title: 'No subscription', filter: NO_SUBSCRIPTION },
] as const;

export const FILTER = {
  label: 'Filter messages',
  placeholder: 'Filter: topic:orders state:retrying data.total>100 "late fee"',
  /** As `placeholder`, where the field is short. */
  placeholderShort: 'Filter: topic:orders data.n>1',
  on: 'Filter on',
  search: 'Searching…',
  searching: 'Searching… {done} of {of}',
  found: 'Found: {n}',
  sorting: 'Sorting… {done} of {of}',
  grouping: 'Grouping… {done} of {of}',
  cancel: 'Cancel',
  clear: 'Clear filter',
  /** Text of the empty field after it was cleared. */
  cleared: '{keys} brings back {filter}',
  help: 'Filter help',
  helpTitle: 'Filter language',
  suggestions: 'Suggestions',
  last: 'Last filters',
  failed: 'The filter could not be checked: {message}.',
  option: '{label} — {detail}',
  use: 'Use',
  /** Mistake: a time of day. The button beside it has the last such moment. */
  noDay: 'A time in a filter needs a date: {term} has none.',
} as const;

export const FIRST_RUN = {
  what: 'Sidelight is a local pub/sub sidecar that shows what happens to every message.',
  title: 'Nothing has been published yet',
  sampleHead: 'Try it',
  sampleText: 'Messages in every state, sent through the mock app.',
  /** Text without a mock app. */
  tryText: 'Publish a message and see what your app answers.',
  connectHead: 'Connect your app',
  connectText: 'Start it on any port. It answers {method} {path} with its subscriptions.',
  connectStock: {
    before: 'For an app on a stock SDK, start Sidelight with ',
    flag: '--profile dapr',
    after: '.',
  },
  /** Texts by the state of the app. */
  connected: {
    answering: '{App} at {address} answers and subscribes to {topics}.',
    unknown: '{App} at {address} does not answer yet. Sidelight keeps trying.',
    'not-reachable': '{App} at {address} does not answer now. Sidelight keeps trying.',
    none: '{App} has no address: it only publishes, or opens a stream.',
  },
  connectedFailed: '{App} at {address} answers, but its subscriptions could not be read: {error}',
  connectedAsking: 'Sidelight is asking {app} at {address} for its subscriptions.',
  connectedToNothing: '{App} at {address} answers and subscribes to nothing.',
  connectedUnasked: 'Sidelight does not ask {app} at {address} for its subscriptions: {error}.',
  watchHead: 'Watch a sidecar you already run',
  watchText: 'Sidelight sits between your app and its sidecar and shows the traffic.',
  watchShell: 'Or from your shell:',
  watchCommand: 'npm start -- tap --app-url http://127.0.0.1:8080',
  where: 'Sidecar listens on {sidecar} — mock app answers on {app}',
  whereReal: 'Sidecar listens on {sidecar} — deliveries go to {app}',
  whereNone:
    'Sidecar listens on {sidecar} — the app has no address, so it gets messages only through a stream that it opens',
  send: 'Send sample traffic',
  remove: 'Remove sample data',
  sent: 'Sample traffic sent. Added: {what}.',
  removed: 'Sample data removed: {what}.',
  nothing: 'nothing',
  open: 'Open the publish form',
  shell: 'Publish from your shell',
  token: 'This sidecar asks for an API token: set {variable} in that shell to the value that Sidelight has.',
  own: 'A small app to connect',
  settings: 'All apps and their addresses',
  copy: 'Copy',
  hide: 'Do not show this again',
  curlLabel: 'Command that publishes a message',
  removeHint: 'Remove sample data: its messages, answers, subscriptions and policies',
  /** Kinds of samples by the host's names: "subscription payments". */
  kinds: {
    subscription: { one: 'subscription', many: 'subscriptions' },
    answer: { one: 'mock answer', many: 'mock answers' },
    'retry policy': { one: 'retry policy', many: 'retry policies' },
    hold: { one: 'hold', many: 'holds' },
  },
  kindCounted: '{n} {kind}',
} as const;
