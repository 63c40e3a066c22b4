/** Texts of the message list, its filter field and its first run. */

export const LIST = {
  title: 'Messages',
  grid: 'Messages',
  loading: 'Loading messages',
  failed: 'The list could not be loaded: {message}.',
  noneByFilter: 'No message matches this filter.',
  clearFilter: 'Clear filter',
  searchAllApps: 'Search all apps',
  chipOfMany: '{word}, {n} of {total} deliveries',
  more: '+{n}',
  noAnswer: 'no answer',
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
  followShort: 'Follow',
  pause: 'Pause view',
  resume: 'Resume',
  paused: 'Paused — {n} newer messages are waiting',
  newMessages: '{n} new messages',
  newMessage: '{n} new message',
  newSince: '{n} new since you looked',
  markAllRead: 'Mark all read',
  newAndParked: '{n} new messages, {parked} parked',
  countOf: '{n} of {kept}',
  counted: '{n} messages',
  views: 'Views',
  selectRow: 'Select',
  listAndDetail: 'List and detail',
  resizePanels: 'Resize list and detail',
  flag: 'Note about how it was taken',
  noDetail: 'Select a message',
  theApp: 'the app',
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
  eventId: 'Event id',
  subject: 'Subject',
  state: 'State',
  attempts: 'Attempts',
  attemptsShort: 'Att',
  answer: 'Last answer',
  duration: 'Duration',
  next: 'Next attempt',
  expires: 'Expires',
  size: 'Size',
  contentType: 'Content type',
  route: 'Route',
  origin: 'Origin',
  batch: 'Batch',
  trace: 'Trace',
  streamId: 'Stream id',
  consumer: 'Consumer',
} as const;

/** Of the mark of a message that came through a server. */
export const THROUGH_SERVER = 'Stream id {id}, consumer {consumer}';

export const COLUMN_CHOICE = {
  button: 'Columns',
  title: 'Columns of the list',
  width: 'Width of {column} in px',
  show: 'Show {column}',
  up: 'Move {column} to the left',
  down: 'Move {column} to the right',
  reset: 'Use the usual columns',
  resize: 'Drag to resize',
} as const;

/** Saved views that are always there, with the filter of each. */
export const VIEWS = [
  { id: 'all', title: 'All', filter: '' },
  { id: 'attention', title: 'Needs attention', filter: 'state:parked,dead-lettered OR state:expired' },
  { id: 'held', title: 'Held', filter: 'state:held' },
  { id: 'retrying', title: 'Retrying', filter: 'state:retrying' },
  { id: 'dead-lettered', title: 'Dead-lettered', filter: 'state:dead-lettered' },
  { id: 'none', title: 'No subscription', filter: 'state:none' },
] as const;

export const FILTER = {
  label: 'Filter messages',
  placeholder: 'Filter: topic:orders state:retrying data.total>100 "late fee"',
  on: 'Filter on',
  searching: 'Searching… {done} of {of}',
  cancel: 'Cancel',
  clear: 'Clear filter',
  help: 'Filter help',
  helpTitle: 'Filter language',
  suggestions: 'Suggestions',
  last: 'Last filters',
  failed: 'The filter could not be checked: {message}.',
  option: '{label} — {detail}',
  useSuggestion: 'Use "{word}"',
} as const;

/** The help sheet of the filter field (F1). */
export const FILTER_HELP = {
  intro:
    'Terms are joined by a space (and). OR, AND and NOT in capitals; a leading - negates; quotes search text literally; * in a word is any run of characters.',
  examples: [
    { text: 'topic:orders state:retrying type:com.acme.* data.total>100 "late fee"', says: 'several terms' },
    { text: 'state:parked,dead-lettered -app:mock', says: 'any of several values; not' },
    { text: '(status:5xx OR error:*) age:<10m', says: 'parentheses, a class of codes, an age' },
    { text: 'NOT is:replay data.items[0].sku:"A 1"', says: 'a path into the payload' },
    { text: 'attempts:>=3 size:>10kb', says: 'comparisons' },
    { text: 'rule:single.404 cause:app', says: 'why it ended so' },
  ],
  keys: 'topic, pubsub, app, route, state, type, source, id, attempts, status, size, age, data.<path>, meta.<key>, rule, cause, is, origin, batch, replayof, trace, subject, error',
} as const;

export const FIRST_RUN = {
  title: 'Nothing has been published yet',
  where: 'Sidecar listens on {sidecar} — mock app answers on {app}',
  whereReal: 'Sidecar listens on {sidecar} — deliveries go to {app}',
  send: 'Send sample traffic',
  remove: 'Remove sample data',
  sent: 'Sample traffic sent. Added: {what}.',
  removed: 'Sample data removed: {what}.',
  nothing: 'nothing',
  open: 'Open the publish form',
  shell: 'or publish from your shell',
  own: 'connect your own app',
  step1: 'Start it on any port',
  settings: 'Settings ▸ Apps ▸ App address',
  step3: 'It serves {method} {path}',
  copy: 'Copy',
  hide: 'Do not show this again',
  curlLabel: 'Command that publishes a message',
  sampleNote: 'Sample traffic is in the list.',
} as const;
