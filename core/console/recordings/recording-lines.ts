/** What the lines of a recording must be: files come from anywhere. Members that are not known are let through. */
import {
  Array as List,
  Boolean as Bool,
  Integer,
  Literal,
  Null,
  Number as Num,
  Object as Members,
  Optional,
  String as Text,
  Union,
} from 'typebox';
import { CAUSES, DELIVERY_STATES } from '../../contract/delivery.ts';
import { ATTEMPT_ERRORS, ORIGINS, STAGES } from '../../contract/words.ts';
import { texts } from '../../contract/bounds.ts';
import { responseRule } from '../../contract/mock-app.ts';
import { propertiesOf } from '../../contract/schema.ts';
import { wireSubscription } from '../../contract/subscription.ts';

const oneOf = (words: readonly string[]) => Union(words.map((word) => Literal(word)));
const count = Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const id = Text({ minLength: 1, maxLength: 1000 });
const state = oneOf(DELIVERY_STATES);
const body = { body: Text(), bodyBase64: Optional(Bool()), bodyTruncated: Optional(Bool()) };
const wire = { wire: Optional(Text()), wireBase64: Optional(Text()) };
const protocol = Optional(oneOf(['http', 'grpc']));
const lastAnswer = Members({
  protocol,
  statusText: Optional(Text()),
  status: Optional(Integer()),
  word: Optional(Text()),
  error: Optional(Text()),
});

const row = Members({
  messageId: id,
  number: Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  at: Text(),
  pubsubname: Text(),
  topic: Text(),
  appId: Text(),
  source: oneOf(ORIGINS),
  eventId: Optional(Text()),
  eventType: Optional(Text()),
  contentType: Text(),
  sizeBytes: count,
  raw: Bool(),
  replayOf: Optional(Text()),
  replayTo: Optional(Text()),
  batchId: Optional(Text()),
  deadLetterOf: Optional(Members({ messageId: Text(), deliveryId: Text(), topic: Text() })),
  stage: Optional(oneOf(STAGES)),
  heldBy: Optional(Text()),
  waitingFor: Optional(List(Text())),
  subject: Optional(Text()),
  traceId: Optional(Text()),
  expiresAt: Optional(Text()),
  pinned: Optional(Bool()),
  note: Optional(Text()),
  tags: Optional(List(Text())),
  unread: Optional(Bool()),
  broker: Optional(texts),
  flags: Optional(List(Text())),
});

const transition = Members({
  from: Union([state, Null()]),
  to: state,
  at: Text(),
  sequence: count,
  cause: oneOf(CAUSES),
  rule: Text(),
  note: Optional(Text()),
});

const delivery = Members({
  deliveryId: id,
  messageId: id,
  appId: Text(),
  subscription: Members({
    pubsubname: Text(),
    topic: Text(),
    source: oneOf(['programmatic', 'declarative', 'streaming', 'binding']),
    stream: Optional(count),
    settings: Optional(
      Members({
        bulk: Optional(Members({ maxMessagesCount: count, maxAwaitDurationMs: count })),
        rawPayload: Optional(Literal(true)),
        deadLetterTopic: Optional(Text()),
      }),
    ),
  }),
  route: Members({ path: Text(), rule: Optional(Members({ match: Text(), index: count })) }),
  state,
  maxAttempts: count,
  nextAttemptAt: Optional(Text()),
  expiresAt: Optional(Text()),
  heldBy: Optional(Text()),
  heldAt: Optional(oneOf(['delivery', 'response'])),
  deadLetter: Optional(Members({ topic: Text(), messageId: Text() })),
  attemptCount: count,
  roundStart: count,
  releasedFrom: Optional(List(Text())),
  lastAnswer: Optional(lastAnswer),
  waitsFor: Optional(Members({ pubsubname: Text(), topic: Text() })),
  lastDurationMs: Optional(Num()),
  span: Optional(Members({ firstMs: Num(), endMs: Num() })),
  rule: Optional(Text()),
});

const attempt = Members({
  attemptId: Text(),
  protocol,
  number: count,
  startedAt: Text(),
  endedAt: Optional(Text()),
  durationMs: Optional(Num()),
  bulk: Optional(Members({ entryId: Text(), batchSize: count })),
  request: Optional(Members({ method: Text(), url: Text(), headers: texts, ...body })),
  response: Optional(
    Members({
      status: Integer(),
      statusText: Optional(Text()),
      headers: texts,
      bodyError: Optional(Text()),
      ...body,
    }),
  ),
  word: Optional(Text()),
  error: Optional(Members({ code: oneOf(ATTEMPT_ERRORS), message: Text() })),
  timing: Optional(Members({ connectMs: Num(), sendMs: Num(), waitMs: Num(), readMs: Num() })),
  waitedMs: Optional(Num()),
  nextWait: Optional(Members({ policy: oneOf(['constant', 'exponential']), ms: Num() })),
  answeredBy: Optional(Members({ ruleId: Text(), name: Optional(Text()) })),
});

export const HEADER_LINE = Members({
  kind: Literal('recording'),
  version: Integer({ minimum: 1 }),
  product: Text(),
  exportedAt: Text(),
  count,
  isMasked: Bool(),
  filter: Optional(Text()),
});

/** By `kind`. */
export const BODY_LINES = {
  message: Members({
    kind: Literal('message'),
    row,
    ...wire,
    metadata: texts,
    contentType: Text(),
    releasedFrom: Optional(List(Text())),
    deliveries: List(Members({ delivery, transitions: List(transition), ...wire })),
  }),
  attempt: Members({ kind: Literal('attempt'), deliveryId: id, attempt }),
  subscription: Members({
    kind: Literal('subscription'),
    subscription: Members({ ...propertiesOf(wireSubscription), appId: Text() }),
  }),
  rule: Members({
    kind: Literal('rule'),
    rule: Members({ ...propertiesOf(responseRule), appId: Text() }),
  }),
  end: Members({ kind: Literal('end'), messages: count }),
} as const;
