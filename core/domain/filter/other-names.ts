/** Names that people give to the keys of the filter language, and words for values, from other tools and from the specifications. */
import type { TermKey } from './ast.ts';

/** Names of each key, in lower case; a name may have dots. */
const NAMES: Readonly<Partial<Record<TermKey, readonly string[]>>> = {
  app: [
    'appid',
    'app_id',
    'app-id',
    'application',
    'service',
    'from',
    'to',
    'consumer',
    'subscriber',
    'publisher',
    'sender',
    'producer',
  ],
  pubsub: ['pubsubname', 'pubsub_name', 'pubsub-name', 'pub_sub', 'component', 'broker'],
  topic: ['topicname', 'topic_name', 'topic-name', 'topics', 'queue', 'channel', 'in'],
  type: [
    'eventtype',
    'event_type',
    'event-type',
    'event.type',
    'event',
    'eventname',
    'cetype',
    'ce-type',
    'ce_type',
    'ce.type',
    'workflowtype',
  ],
  id: [
    'eventid',
    'event_id',
    'event-id',
    'event.id',
    'messageid',
    'message_id',
    'message-id',
    'msgid',
    'ceid',
    'ce-id',
    'ce_id',
    'workflowid',
  ],
  source: ['ce-source', 'ce_source', 'cesource', 'event.source'],
  subject: ['ce-subject', 'ce_subject', 'cesubject', 'event.subject'],
  trace: ['traceid', 'trace_id', 'trace-id', 'trace.id'],
  status: [
    'statuscode',
    'status_code',
    'status-code',
    'http',
    'code',
    'response',
    'responsecode',
    'response_code',
    'httpstatus',
    'http_status',
    'http.status',
    'http.status_code',
    'http.response.status_code',
    'http.response.code',
    'grpc.status_code',
    'grpc-status',
    'answer',
  ],
  state: [
    'executionstatus',
    'execution_status',
    'deliverystate',
    'delivery_state',
    'delivery-state',
    'result',
    'outcome',
  ],
  attempts: [
    'attempt',
    'retries',
    'retry',
    'tries',
    'retrycount',
    'retry_count',
    'deliverycount',
    'delivery_count',
  ],
  size: ['bytes', 'length', 'sizebytes', 'frame.len'],
  protocol: ['scheme', 'transport', 'via'],
  replayof: ['replay-of', 'replay_of'],
  data: ['payload', 'body', 'record.value', 'value', 'event.data', 'message.data', 'json'],
  meta: ['metadata'],
};

/** Keys by their other names, in lower case. */
export const OTHER_NAMES: ReadonlyMap<string, TermKey> = new Map(
  Object.entries(NAMES).flatMap(([key, names]) => names.map((name) => [name, key as TermKey] as const)),
);

/** Names for the time of a message. Before a duration its age is meant. */
export const TIME_NAMES: ReadonlySet<string> = new Set([
  'created',
  'createdat',
  'created_at',
  'timestamp',
  'date',
  'ts',
  'published',
  'publishedat',
  'published_at',
  'starttime',
  'start_time',
]);

/** Names for the time of the last change. */
export const CHANGE_NAMES: ReadonlySet<string> = new Set([
  'updated',
  'updatedat',
  'updated_at',
  'modified',
  'closetime',
  'close_time',
]);

/** Names in front of a text that is searched everywhere. */
export const TEXT_NAMES: ReadonlySet<string> = new Set(['text', 'message', 'msg', 'query', 'q', 'search']);

/** Terms by words that are common in texts too: such words stand for a term only alone, or as the value of a key. */
export const LOOSE_WORDS: ReadonlyMap<string, string> = new Map([
  ...['open', 'active', 'unprocessed', 'incomplete', 'stuck', 'inflight', 'in-flight', 'in-progress'].map(
    (word) => [word, 'state:queued,held,attempting,retrying'] as const,
  ),
  ...[
    'closed',
    'finished',
    'completed',
    'complete',
    'handled',
    'consumed',
    'acked',
    'ack',
    'acknowledged',
  ].map((word) => [word, 'state:processed'] as const),
  ...['dead', 'dlt', 'poison'].map((word) => [word, 'state:dead-lettered'] as const),
  ...['undelivered', 'bad', 'broken'].map((word) => [word, 'state:parked,dead-lettered,dropped'] as const),
  ...['nack', 'nacked', 'redelivered'].map((word) => [word, '(state:retrying OR attempts>1)'] as const),
  ...['skipped', 'ignored', 'discarded', 'terminated'].map((word) => [word, 'state:dropped'] as const),
  ...['unsubscribed', 'unrouted', 'orphaned', 'nobody'].map((word) => [word, 'state:none'] as const),
  ...['paused', 'intercepted'].map((word) => [word, 'state:held'] as const),
  ...['scheduled', 'delayed'].map((word) => [word, 'state:retrying'] as const),
  ...['canceled', 'cancelled'].map((word) => [word, 'error:cancelled'] as const),
  ...['timedout', 'timed-out', 'timed_out', 'etimedout'].map((word) => [word, 'error:timeout'] as const),
  ...['econnrefused'].map((word) => [word, 'error:refused'] as const),
  ...['econnreset'].map((word) => [word, 'error:reset'] as const),
  ['new', 'is:unread'],
  ['read', '-is:unread'],
  ...['starred', 'bookmarked', 'flagged'].map((word) => [word, 'is:pinned'] as const),
  ['batch', 'is:bulk'],
  ['recent', 'age:<5m'],
  ['today', 'age:<1d'],
  ...['big', 'large'].map((word) => [word, 'size:>100kb'] as const),
]);
