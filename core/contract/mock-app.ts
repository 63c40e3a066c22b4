/** Response rules of the mock app, as data that can be shown, saved and sent. */
import { answerDelayMs, answerStatus, filter, name, texts } from './bounds.ts';
import { MAX_RULE_TIMES } from './rule-bounds.ts';
import {
  Bool,
  dictionary,
  extend,
  Integer,
  list,
  Literal,
  members,
  Num,
  oneOf,
  Optional,
  orNull,
  Text,
  Union,
  Unknown,
  Unsafe,
} from './schema.ts';
import type { Static } from './schema.ts';
import { STATUS_WORDS } from './status-words.ts';
import { wireSubscription } from './subscription.ts';

/** Shortest and longest wait, in ms. */
const span = list(answerDelayMs, { minItems: 2, maxItems: 2 });
const delay = Union([answerDelayMs, Unsafe<readonly [number, number]>(span)]);

const bulkStatuses = Union([
  Literal('all-success'),
  Literal('all-retry'),
  Literal('all-drop'),
  dictionary(orNull(oneOf(STATUS_WORDS))),
]);
export type BulkStatuses = Static<typeof bulkStatuses>;

const ANSWERS = [
  members({
    kind: Literal('respond'),
    status: answerStatus,
    headers: Optional(texts),
    /** A string is sent as it is, any other value as JSON; absent: no body. */
    body: Optional(Unknown()),
    delayMs: Optional(delay),
  }),
  members({
    kind: Literal('respond-bulk'),
    status: answerStatus,
    statuses: bulkStatuses,
    delayMs: Optional(delay),
  }),
  members({ kind: Literal('hang') }),
  members({ kind: Literal('reset') }),
  members({ kind: Literal('ask') }),
] as const;

export const answer = Union([...ANSWERS]);
export type Answer = Static<typeof answer>;

const steps = list(answer, { minItems: 1, maxItems: 1000 });
const then = oneOf(['repeat-last', 'loop', 'next-rule']);
const random = members({
  kind: Literal('random'),
  of: list(members({ share: Num({ minimum: 0, maximum: 100 }), answer }), { minItems: 1, maxItems: 100 }),
});

const ruleAnswer = Union([...ANSWERS, members({ kind: Literal('sequence'), steps, then }), random]);
export type RuleAnswer = Static<typeof ruleAnswer>;

/** What a call must have; it is left out where it does not matter. */
const matched = Text({ minLength: 1, maxLength: 1000 });

export const responseRule = members({
  ruleId: Optional(Text({ minLength: 1, maxLength: 200 })),
  name: Optional(name),
  enabled: Bool(),
  /** Conditions of a rule. All that are given must hold. */
  match: members({
    topic: Optional(matched),
    route: Optional(matched),
    eventType: Optional(matched),
    filter: Optional(filter),
  }),
  times: Optional(Integer({ minimum: 1, maximum: MAX_RULE_TIMES })),
  per: Optional(oneOf(['rule', 'message'])),
  answer: ruleAnswer,
  hits: Optional(Integer({ minimum: 0 })),
  lastAt: Optional(Text()),
});
export type ResponseRule = Static<typeof responseRule>;

/** A rule as a person or a file gives it. `enabled` defaults to true, `then` to repeat-last. */
export const givenRule = extend(responseRule, {
  enabled: Optional(Bool()),
  answer: Union([...ANSWERS, members({ kind: Literal('sequence'), steps, then: Optional(then) }), random]),
});
export type GivenRule = Static<typeof givenRule>;

/** One request that the mock app received. */
export const mockRequest = members({
  at: Text(),
  method: Text(),
  path: Text(),
  status: Optional(Num()),
  kind: oneOf(['discovery', 'delivery', 'bulk', 'health', 'binding', 'other']),
  topic: Optional(Text()),
  eventId: Optional(Text()),
  durationMs: Optional(Num()),
  answeredBy: Optional(
    members({
      ruleId: Text(),
      name: Optional(Text()),
    }),
  ),
  note: Optional(Text()),
});
export type MockRequest = Static<typeof mockRequest>;

export const mockAppState = members({
  appId: Text(),
  url: Text(),
  subscriptions: list(wireSubscription),
  rules: list(responseRule),
  /** Newest last; at most 1,000. */
  requests: list(mockRequest),
  /** Calls that a rule was chosen for and that have not ended, by the rule's id; rules without any are left out. */
  underWay: Optional(list(members({ ruleId: Text(), calls: Num() }))),
  /** Number of requests that got the default answer, because no rule matched. */
  defaultHits: Optional(Num()),
  /** Requests since the start or the last reset of the counters; `requests` holds the newest of them. */
  received: Num(),
  /** False: the port is closed, as that of an app that is down. */
  on: Bool(),
  /**
   * True: the rules answer in front of a tapped app, and a call without a matching rule reaches the app.
   * Absent: a mock app.
   */
  tap: Optional(Bool()),
});
export type MockAppState = Static<typeof mockAppState>;

export const preset = members({
  preset: Text(),
  title: Text(),
  /** Group of the preset. `own`: a person saved it. */
  group: oneOf(['single', 'bulk', 'set', 'extra', 'own']),
  /** State to which the answer leads, as the menu shows it. */
  leadsTo: Optional(Text()),
  rules: list(responseRule),
});
export type Preset = Static<typeof preset>;

/** A delivery that waits for a person's answer. */
export const waitingAnswer = members({
  deliveryId: Text(),
  messageId: Text(),
  /** Number of the message. */
  number: Num(),
  appId: Text(),
  topic: Text(),
  path: Text(),
  /** Number of the attempt, from 1. */
  attempt: Num(),
  since: Text(),
  /** Time at which the sidecar stops waiting; absent: no timeout. */
  givesUpAt: Optional(Text()),
  /** Entries of a batch; absent for a single delivery. */
  entries: Optional(
    list(
      members({
        entryId: Text(),
        deliveryId: Optional(Text()),
        /** Number of the message of the entry. */
        number: Num(),
      }),
    ),
  ),
});
export type WaitingAnswer = Static<typeof waitingAnswer>;
