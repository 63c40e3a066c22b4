/** Shapes of a message, its deliveries, attempts and transitions for the console and scripts. */
import { count } from './bounds.ts';
import { CAUSES, DELIVERY_STATES, RULE_IDS } from './delivery.ts';
import type { RuleId } from './delivery.ts';
import { PROTOCOLS } from './grpc.ts';
import {
  Bool,
  dictionary,
  extend,
  Integer,
  list,
  Literal,
  members,
  Num,
  omit,
  oneOf,
  Optional,
  orNull,
  Text,
  Union,
  Unknown,
  Unsafe,
} from './schema.ts';
import type { Static } from './schema.ts';
import { deliverySettings } from './subscription.ts';
import { ATTEMPT_ERRORS, ORIGINS, STAGES } from './words.ts';

export type { Origin, Stage, RowState, AttemptErrorCode } from './words.ts';

/**
 * Short form of the app's last answer: HTTP status or gRPC code, its status word, or why there was no answer.
 */
export const lastAnswer = members({
  /** Absent: http. */
  protocol: Optional(oneOf(PROTOCOLS)),
  /** Name of a gRPC code. */
  statusText: Optional(Text()),
  status: Optional(Integer()),
  word: Optional(Text()),
  error: Optional(Text()),
});
export type LastAnswer = Static<typeof lastAnswer>;

/** A subscription that a delivery waits for. The next attempt is made once the app subscribes to it again. */
export const awaitedSubscription = members({
  pubsubname: Text(),
  topic: Text(),
});
export type AwaitedSubscription = Static<typeof awaitedSubscription>;

/** Id of the rule that explains a transition. */
export const ruleId = Unsafe<RuleId>(Union([oneOf(RULE_IDS), Text({ pattern: '^router[.]' })]));

/** Start and end of a delivery's attempts, in ms after its message was accepted. */
export const attemptSpan = members({
  /** Start of the first attempt. */
  firstMs: Num(),
  /** End of the last attempt that has ended. */
  endMs: Num(),
});
export type AttemptSpan = Static<typeof attemptSpan>;

/** One delivery as a list row shows it. */
export const deliveryRow = members({
  deliveryId: Text(),
  appId: Text(),
  state: oneOf(DELIVERY_STATES),
  attempts: Num(),
  route: Optional(Text()),
  nextAttemptAt: Optional(Text()),
  lastDurationMs: Optional(Num()),
  /** Absent before an attempt has ended, and in histories of older builds. */
  span: Optional(attemptSpan),
  /** Rule of the last transition, which explains the state; absent in histories of older builds. */
  rule: Optional(ruleId),
  lastAnswer: Optional(lastAnswer),
  waitsFor: Optional(awaitedSubscription),
  /** `response`: a hold keeps back the app's answer; the delivery is attempting and can be released. */
  heldAt: Optional(Literal('response')),
  /** How often a person edited what it sends; absent: never, or its history is older. */
  edits: Optional(count),
});
export type DeliveryRow = Static<typeof deliveryRow>;

/**
 * One message as a list row shows it; carries no body. `deliveries: []` without `stage`, `tap` and
 * `expectedBy`: no subscription matched the topic.
 */
export const messageRow = members({
  messageId: Text(),
  /** Number in the order of acceptance, from 1. It survives a restart. */
  number: Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  at: Text(),
  pubsubname: Text(),
  topic: Text(),
  /** App whose sidecar accepted the message. */
  appId: Text(),
  source: oneOf(ORIGINS),
  /**
   * Id of the tapped app that first showed the message, on its way to or from another sidecar. Absent:
   * Sidelight accepted it.
   */
  tap: Optional(Text()),
  eventId: Optional(Text()),
  eventType: Optional(Text()),
  contentType: Text(),
  sizeBytes: count,
  raw: Bool(),
  replayOf: Optional(Text()),
  /** App of a replay to one delivery. Only this app gets the message, which was never in a broker. */
  replayTo: Optional(Text()),
  /** Id of the last replay of this message, if no app got it when it was published. */
  replayedAs: Optional(Text()),
  batchId: Optional(Text()),
  /**
   * Set on a copy on a dead-letter topic: the message and delivery that it copies, and the topic of the first
   * publish.
   */
  deadLetterOf: Optional(
    members({
      messageId: Text(),
      deliveryId: Text(),
      topic: Text(),
    }),
  ),
  deliveries: list(deliveryRow),
  stage: Optional(oneOf(STAGES)),
  heldBy: Optional(Text()),
  /**
   * Apps that have not reported their subscriptions yet. Absent while the stage is `waiting`: the message waits for its component, to be
   * published again after a restart.
   */
  waitingFor: Optional(list(Text())),
  /**
   * Apps that subscribed to its topic here when it was published to a broker that may give it to another
   * program of the app's group. Absent: none did, or the component keeps its messages in this process.
   */
  expectedBy: Optional(list(Text())),
  subject: Optional(Text()),
  traceId: Optional(Text()),
  expiresAt: Optional(Text()),
  pinned: Optional(Bool()),
  note: Optional(Text()),
  tags: Optional(list(Text())),
  unread: Optional(Bool()),
  /**
   * Position in its broker: `id` names the message within its topic (a stream id); `group` and `consumer`
   * received it first.
   */
  broker: Optional(dictionary(Text())),
  /** Notes for a person on how the message was accepted, for example "Not valid JSON: kept as a string." */
  flags: Optional(list(Text())),
});
export type MessageRow = Static<typeof messageRow>;

export const transition = members({
  from: orNull(oneOf(DELIVERY_STATES)),
  to: oneOf(DELIVERY_STATES),
  at: Text(),
  sequence: count,
  cause: oneOf(CAUSES),
  rule: ruleId,
  note: Optional(Text()),
});
export type Transition = Static<typeof transition>;

/** A body as it was sent or received: text, or base64 with `bodyBase64: true`; cut at the cap with `bodyTruncated: true`. */
export const recordedBody = members({
  body: Text(),
  bodyBase64: Optional(Bool()),
  bodyTruncated: Optional(Bool()),
});
export type RecordedBody = Static<typeof recordedBody>;

/** Request to the app. */
export const sentRequest = extend(recordedBody, {
  method: Text(),
  url: Text(),
  headers: dictionary(Text()),
});

/** Answer of the app. */
export const receivedResponse = extend(recordedBody, {
  status: Integer(),
  /** Name of a gRPC code. */
  statusText: Optional(Text()),
  headers: dictionary(Text()),
  /**
   * Why the body could not be read: it was cut off, was too large, or did not have the encoding that its
   * header names.
   */
  bodyError: Optional(Text()),
});

/** Why there was no answer. */
const noResponse = members({
  code: oneOf(ATTEMPT_ERRORS),
  message: Text(),
});

/**
 * One call to the app. Over gRPC `request.method` is the method's full name, `headers` are the metadata, bodies the messages as JSON
 * (bytes as base64), and `response.status` is the code; the body of an error is its text.
 */
export const attempt = members({
  attemptId: Text(),
  /** Id of the tapped app to which another sidecar made this call. Absent: Sidelight made it. */
  tap: Optional(Text()),
  /** Absent: http. */
  protocol: Optional(oneOf(PROTOCOLS)),
  number: count,
  startedAt: Text(),
  endedAt: Optional(Text()),
  durationMs: Optional(Num()),
  bulk: Optional(
    members({
      entryId: Text(),
      batchSize: count,
    }),
  ),
  request: sentRequest,
  response: Optional(receivedResponse),
  /**
   * Answer that a person gave instead of the app's, which a hold at `response` kept back. This one was judged
   * and sent on; `response` and `error` stay those of the app.
   */
  instead: Optional(
    members({
      response: Optional(receivedResponse),
      error: Optional(noResponse),
    }),
  ),
  /**
   * The status word that the verdict read, cut at 100 characters; absent: the answer has none, or the history
   * is older.
   */
  word: Optional(Text()),
  error: Optional(noResponse),
  timing: Optional(
    members({
      connectMs: Num(),
      sendMs: Num(),
      waitMs: Num(),
      readMs: Num(),
    }),
  ),
  /** Time since the end of the previous attempt. */
  waitedMs: Optional(Num()),
  /** Wait that the retry policy set after this attempt; absent: no further attempt was planned. */
  nextWait: Optional(
    members({
      policy: oneOf(['constant', 'exponential']),
      ms: Num(),
    }),
  ),
  /** True: the retry policy names the statuses that it tries again, and this one is not among them. */
  notRetried: Optional(Bool()),
  answeredBy: Optional(
    members({
      ruleId: Text(),
      name: Optional(Text()),
    }),
  ),
});
export type Attempt = Static<typeof attempt>;

/** How a delivery is retried: `maxAttempts` 0 = no limit, `factor` 1 = the same wait each time. */
export const retryPolicyNow = members({
  maxAttempts: Num(),
  firstDelayMs: Num(),
  factor: Num(),
  maxDelayMs: Num(),
  /** Number of the last attempt that it allows to this delivery; absent: no limit. */
  lastAttempt: Optional(count),
  /** HTTP statuses of an answer to one message that it tries again, as ranges; absent: all failures. */
  statuses: Optional(list(members({ from: Num(), to: Num() }))),
  /**
   * Source of the policy. `resiliency`: a resiliency file. `topic`: the setting for this topic. Else the
   * origin of the general setting.
   */
  from: oneOf(['resiliency', 'topic', 'flag', 'here', 'file', 'default']),
  /** Resiliency file that has the policy; only with `resiliency`. */
  file: Optional(Text()),
  line: Optional(Num()),
});
export type RetryPolicyNow = Static<typeof retryPolicyNow>;

/**
 * Reason why a delivery that may be attempted waits, in the order in which they are checked. `rules`: match rules of other messages are
 * evaluated first, and its route is not known yet. `act`: an act locks it. `stopping`: its app is being removed, or Sidelight stops.
 * `opening`: its subscription is being opened at the component. `discovery`: the app has not reported its subscriptions. `asking`: the app
 * is asked for them again. `restarting`: the app's process is stopped or starts again. `health`: the app fails its health check. `history`:
 * much is still to be written to disk. `calls`: its subscription has reached its limit of running calls. `app-calls`: its app has. `batch`:
 * it waits for further messages of its batch. `earlier-call`: its batch is split into several calls, and an earlier one is running.
 * `bodies`: bodies of calls to its app fill the memory for them. `preparing`: its call is about to start. `turn`: other deliveries are
 * ahead of it.
 */
export const TURN_REASONS = [
  'rules',
  'act',
  'stopping',
  'opening',
  'discovery',
  'asking',
  'restarting',
  'health',
  'history',
  'calls',
  'app-calls',
  'batch',
  'earlier-call',
  'bodies',
  'preparing',
  'turn',
] as const;

/** Why a delivery has to wait now, as the queue of its subscription knows it. */
export const deliveryTurn = members({
  reason: oneOf(TURN_REASONS),
  /**
   * Deliveries of its subscription that go before it; with `bodies` those of its app, with `rules` those of
   * all apps. Absent where it has left the queue.
   */
  ahead: Optional(count),
  /** Number of running calls; for `batch` the messages in it; for `bodies` the used bytes. */
  now: Optional(count),
  /** The limit of `now`. */
  most: Optional(count),
  /** True: the limit is the app's own, not that of the setting. */
  own: Optional(Literal(true)),
  /** Time at which a batch goes that is not full by then. */
  latestAt: Optional(Text()),
});
export type DeliveryTurn = Static<typeof deliveryTurn>;

/** Reason why a message that a restart has to publish again waits. */
export const publishAgainWait = members({
  /** Why its component is not ready, or what it said when it refused a message. */
  reason: Text(),
  /** Time of the next try, or of the next try to reach the server; absent: as soon as the component is ready. */
  nextTryAt: Optional(Text()),
});
export type PublishAgainWait = Static<typeof publishAgainWait>;

export const delivery = members({
  deliveryId: Text(),
  messageId: Text(),
  appId: Text(),
  subscription: members({
    pubsubname: Text(),
    topic: Text(),
    source: oneOf(['programmatic', 'declarative', 'streaming', 'binding']),
    /**
     * Number of the stream of its topic that the delivery waits for, from 2; absent: the first, or no stream.
     */
    stream: Optional(count),
    /** Absent for a binding, and for a delivery of an older history without a newer attempt. */
    settings: Optional(deliverySettings),
  }),
  waitsFor: Optional(awaitedSubscription),
  /** Absent where nothing waits for an attempt, where `waitsFor` says it, and in a recording. */
  turn: Optional(deliveryTurn),
  /** `path` is "" when none was chosen. */
  route: members({
    path: Text(),
    rule: Optional(
      members({
        match: Text(),
        index: count,
      }),
    ),
  }),
  state: oneOf(DELIVERY_STATES),
  attempts: list(attempt),
  transitions: list(transition),
  nextAttemptAt: Optional(Text()),
  /** 0 = no limit. */
  maxAttempts: count,
  /** The retry policy that applies now, and its source; absent for a binding and in a recording. */
  policy: Optional(retryPolicyNow),
  expiresAt: Optional(Text()),
  heldBy: Optional(Text()),
  heldAt: Optional(oneOf(['delivery', 'response'])),
  /**
   * Deadline of the running or held call: the attempt's timeout, or for an observed call the deadline that its sidecar sent (gRPC). Absent:
   * none, or unknown.
   */
  givesUpAt: Optional(Text()),
  /** Body that is sent instead of the message's own bytes, because a person changed it before the release. */
  changed: Optional(recordedBody),
  /** The copy on the dead-letter topic. */
  deadLetter: Optional(
    members({
      topic: Text(),
      messageId: Text(),
    }),
  ),
});
export type Delivery = Static<typeof delivery>;

/** Publisher of a message over HTTP or gRPC; values of headers with keys are masked. */
export const caller = members({
  /** Address and port. */
  address: Text(),
  headers: dictionary(Text()),
  /** The entry's id in its bulk request. */
  entryId: Optional(Text()),
});
export type Caller = Static<typeof caller>;

export const messageDetail = extend(omit(messageRow, ['deliveries']), {
  envelope: Optional(dictionary(Unknown())),
  /** The payload as a value: JSON, or a string; `dataBase64` instead when it is bytes. Both are absent where an event has none. */
  data: Optional(Unknown()),
  dataBase64: Optional(Text()),
  /** True: the payload is longer than was asked for. It is left out of `data`, `dataBase64` and `envelope`. */
  payloadApart: Optional(Literal(true)),
  /** The bytes handed to the component, as text (base64 when not UTF-8). */
  wire: recordedBody,
  metadata: dictionary(Text()),
  /** Publisher; known for the last 2,000 publishes of this run. */
  caller: Optional(caller),
  /** Why it waits to be published again; only with the stage `waiting` and without `waitingFor`. */
  publishAgain: Optional(publishAgainWait),
  deliveries: list(delivery),
});
export type MessageDetail = Static<typeof messageDetail>;

/**
 * One part of a payload as text, exactly as it was sent. `text`: a payload that is no JSON, or the value of an event's text. `none`: an
 * event without data.
 */
export const payloadPart = members({
  kind: oneOf(['json', 'text', 'base64', 'none']),
  text: Text(),
  /** Characters of all parts. */
  size: count,
  /** Where the next part begins; absent: this is the last one. */
  next: Optional(count),
  /** Content type of what a person edited for the delivery; absent: that of the message, or nobody edited it. */
  contentType: Optional(Text()),
});
export type PayloadPart = Static<typeof payloadPart>;
