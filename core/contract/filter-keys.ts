/** The keys of the filter language with what each compares, in one line: the completion offers them, and the filter help lists them. */

/** Words of the key `is`. */
export const IS_WORDS = ['unread', 'pinned', 'raw', 'bulk', 'replay', 'tapped', 'replayed'] as const;

/** Keys of messages, in the order in which they are offered. */
export const FILTER_KEYS = {
  topic: 'exact topic name',
  state: 'state of a delivery',
  type: 'event type',
  app: 'app that sent it or gets it',
  pubsub: 'exact pub/sub component name',
  route: 'path of a delivery',
  source: 'event source, or an origin',
  id: 'event id, start of a message or delivery id, or number such as #29',
  attempts: 'attempts of a delivery',
  took: 'how long the last attempt of a delivery took',
  status: 'HTTP status or gRPC code of any attempt',
  answer: 'words of the answer to any attempt, its status word (SUCCESS, RETRY, DROP), or its code',
  protocol: 'protocol of its publish or of an answer',
  size: 'size of the message',
  age: 'time since it was accepted',
  time: 'when it was accepted, such as >=2026-01-31T14:30:00Z',
  changed: 'when it was accepted or a delivery changed its state',
  data: 'value in the payload',
  meta: 'publish metadata',
  rule: 'rule of any transition, also an earlier one',
  lastrule: 'rule that explains the state now',
  cause: 'who caused a transition',
  is: IS_WORDS.join(', '),
  origin: 'how it came in',
  batch: 'id of a bulk publish',
  replayof: 'id of the message it repeats',
  trace: 'trace id',
  subject: 'event subject',
  contenttype: 'content type, such as application/json',
  error: 'why an attempt got no answer',
  answeredby: 'id or name of the mock answer that answered an attempt',
} as const;

/** Names of the keys of messages; a constant table has exactly the names of its type. */
export const FILTER_KEY_NAMES = Object.keys(FILTER_KEYS) as readonly (keyof typeof FILTER_KEYS)[];
