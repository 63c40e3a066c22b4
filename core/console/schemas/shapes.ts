/** Building blocks of the schemas: what several methods take. */
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
  Tuple,
  Union,
  Unknown,
  Unsafe,
} from 'typebox';
import type { Static, TProperties, TSchema } from 'typebox';

/** Longest id that anybody gave. */
const ID = { maxLength: 200 } as const;

/** Named parameters; a member that is not listed is refused. */
export function params<const P extends TProperties>(members: P) {
  return Members(members, { additionalProperties: false });
}

/** Text to value, any names. */
export function dictionary<T extends TSchema>(value: T) {
  return Unsafe<Record<string, Static<T>>>({ type: 'object', additionalProperties: value });
}

/** No parameters at all. */
export const none = Unsafe<Record<string, never>>({
  type: 'object',
  properties: {},
  additionalProperties: false,
});
export const id = Text(ID);
export const name = Text({ maxLength: 1000 });
export const filter = Text({ maxLength: 10_000 });
export const order = Union([Literal('newest'), Literal('oldest')]);
export const limit = Integer({ minimum: 1, maximum: 500 });
export const texts = dictionary(Text());
/** Milliseconds; a day at most where somebody waits for it. */
export const waitMs = Integer({ minimum: 0, maximum: 86_400_000 });

/** What `messages.publish` takes. */
export const publish = params({
  pubsubname: Text(),
  topic: Text(),
  data: Optional(Unknown()),
  dataBase64: Optional(Text()),
  contentType: Optional(Text()),
  metadata: Optional(texts),
  appId: Optional(name),
});

const changeable = {
  topic: Optional(name),
  data: Optional(Unknown()),
  contentType: Optional(name),
  metadata: Optional(texts),
  attributes: Optional(dictionary(Unknown())),
};

export const changes = params(changeable);
export const replayChanges = params({ pubsubname: Optional(name), ...changeable });

const delay = Union([waitMs, Tuple([waitMs, waitMs])]);
const status = Integer({ minimum: 100, maximum: 599 });

const respond = params({
  kind: Literal('respond'),
  status,
  headers: Optional(texts),
  body: Optional(Unknown()),
  delayMs: Optional(delay),
});
const respondBulk = params({
  kind: Literal('respond-bulk'),
  status,
  statuses: Union([
    Literal('all-success'),
    Literal('all-retry'),
    Literal('all-drop'),
    dictionary(Union([Literal('SUCCESS'), Literal('RETRY'), Literal('DROP'), Null()])),
  ]),
  delayMs: Optional(delay),
});
const hang = params({ kind: Literal('hang') });
const reset = params({ kind: Literal('reset') });
const ask = params({ kind: Literal('ask') });

export const answer = Union([respond, respondBulk, hang, reset, ask]);

const sequence = params({
  kind: Literal('sequence'),
  steps: List(answer, { minItems: 1, maxItems: 1000 }),
  then: Union([Literal('repeat-last'), Literal('loop'), Literal('next-rule')]),
});
const random = params({
  kind: Literal('random'),
  of: List(params({ share: Num({ minimum: 0, maximum: 100 }), answer }), { minItems: 1, maxItems: 100 }),
});

export const responseRule = params({
  ruleId: Optional(id),
  name: Optional(name),
  enabled: Bool(),
  match: params({
    topic: Optional(name),
    route: Optional(name),
    eventType: Optional(name),
    filter: Optional(filter),
  }),
  times: Optional(Integer({ minimum: 1 })),
  per: Optional(Union([Literal('rule'), Literal('message')])),
  answer: Union([respond, respondBulk, hang, reset, ask, sequence, random]),
  hits: Optional(Integer({ minimum: 0 })),
  lastAt: Optional(Text()),
});

const routeRule = params({ match: Optional(Text()), path: Text() });

export const wireSubscription = params({
  pubsubname: name,
  topic: name,
  route: Optional(name),
  routes: Optional(
    Union([
      params({ rules: Optional(List(routeRule, { maxItems: 1000 })), default: Optional(name) }),
      Null(),
    ]),
  ),
  metadata: Optional(Union([texts, Null()])),
  bulkSubscribe: Optional(
    Union([
      params({
        enabled: Optional(Bool()),
        maxMessagesCount: Optional(Num()),
        maxAwaitDurationMs: Optional(Num()),
      }),
      Null(),
    ]),
  ),
  deadLetterTopic: Optional(Union([name, Null()])),
});
