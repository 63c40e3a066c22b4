/**
 * Schemas of the lines of a recording, whose file may come from anywhere. They are built from the shapes that the console shows; only
 * differences are written here. Unknown members are accepted, because a later version may have written them.
 */
import { Object as Members } from 'typebox';
import type { TSchema } from 'typebox';
import { count, texts } from '../../contract/bounds.ts';
import {
  attempt,
  delivery,
  lastAnswer,
  messageRow,
  sentRequest,
  transition,
} from '../../contract/message.ts';
import { responseRule } from '../../contract/mock-app.ts';
import {
  Bool,
  extend,
  Integer,
  list,
  Literal,
  Num,
  omit,
  Optional,
  propertiesOf,
  Text,
} from '../../contract/schema.ts';
import { wireSubscription } from '../../contract/subscription.ts';

const id = Text({ minLength: 1, maxLength: 1000 });
/** Bytes of a message or of a changed delivery: a text, or base64 under the other name. */
const wire = { wire: Optional(Text()), wireBase64: Optional(Text()) };

const row = extend(omit(messageRow, ['deliveries']), { messageId: id });

/** Most transitions of a delivery: as many as a history keeps. */
const MAX_TRANSITIONS = 1000;

/** A transition of a recording: its rule may be one that only a later version knows. */
const recordedTransition = extend(transition, { rule: Text() });

const recordedDelivery = extend(omit(delivery, ['attempts', 'transitions', 'policy', 'changed']), {
  deliveryId: id,
  messageId: id,
  attemptCount: count,
  roundStart: count,
  releasedFrom: Optional(list(Text())),
  heldBeforeDrop: Optional(Text()),
  lastAnswer: Optional(lastAnswer),
  lastDurationMs: Optional(Num()),
  span: Optional(Members({ firstMs: Num(), endMs: Num() })),
  rule: Optional(Text()),
  edits: Optional(count),
});

/** The line of another entry of the batch may contain the call. */
const recordedAttempt = extend(attempt, { request: Optional(sentRequest) });

/** The shape with unknown members let through, at every depth. */
function open(shape: TSchema): TSchema {
  return JSON.parse(JSON.stringify(shape), (name, value: unknown) =>
    name === 'additionalProperties' && value === false ? undefined : value,
  );
}

export const HEADER_LINE = Members({
  kind: Literal('recording'),
  version: Integer({ minimum: 1 }),
  product: Text(),
  exportedAt: Text(),
  count,
  isMasked: Bool(),
  filter: Optional(Text()),
});

/** Shapes of the lines after the first one, by their `kind`. */
export const BODY_LINES = {
  message: Members({
    kind: Literal('message'),
    row: open(row),
    ...wire,
    metadata: texts,
    contentType: Text(),
    releasedFrom: Optional(list(Text())),
    deliveries: list(
      Members({
        delivery: open(recordedDelivery),
        transitions: list(open(recordedTransition), { maxItems: MAX_TRANSITIONS }),
        ...wire,
      }),
    ),
  }),
  attempt: Members({ kind: Literal('attempt'), deliveryId: id, attempt: open(recordedAttempt) }),
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
