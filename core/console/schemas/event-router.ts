/** What `eventRouter.*` takes. */
import {
  Array as List,
  Boolean as Bool,
  Integer,
  Literal,
  Null,
  Number as Num,
  Optional,
  String as Text,
  Union,
  Unknown,
} from 'typebox';
import { dictionary, id, limit, name, params, waitMs } from './shapes.ts';

const component = Optional(name);
const keyName = Optional(Union([Literal('key1'), Literal('key2')]));
const tokenFault = Union([
  Literal('valid'),
  Literal('none'),
  Literal('expired'),
  Literal('not-yet-valid'),
  Literal('wrong-audience'),
  Literal('wrong-issuer'),
  Literal('wrong-caller'),
  Literal('unknown-kid'),
  Literal('bad-signature'),
]);
const state = Union([
  Literal('queued'),
  Literal('held'),
  Literal('attempting'),
  Literal('retrying'),
  Literal('processed'),
  Literal('dropped'),
  Literal('expired'),
  Literal('dead-lettered'),
  Literal('parked'),
]);

const operator = Union([
  Literal('NumberIn'),
  Literal('NumberNotIn'),
  Literal('NumberLessThan'),
  Literal('NumberLessThanOrEquals'),
  Literal('NumberGreaterThan'),
  Literal('NumberGreaterThanOrEquals'),
  Literal('NumberInRange'),
  Literal('NumberNotInRange'),
  Literal('BoolEquals'),
  Literal('StringIn'),
  Literal('StringNotIn'),
  Literal('StringBeginsWith'),
  Literal('StringNotBeginsWith'),
  Literal('StringEndsWith'),
  Literal('StringNotEndsWith'),
  Literal('StringContains'),
  Literal('StringNotContains'),
  Literal('IsNullOrUndefined'),
  Literal('IsNotNull'),
]);

const advancedFilter = params({
  operatorType: operator,
  key: name,
  value: Optional(Union([Num(), Bool()])),
  values: Optional(
    Union([
      List(Text(), { maxItems: 100 }),
      List(Num(), { maxItems: 100 }),
      List(List(Num(), { maxItems: 2 }), { maxItems: 100 }),
    ]),
  ),
});

const filter = params({
  subjectBeginsWith: Optional(name),
  subjectEndsWith: Optional(name),
  includedEventTypes: Optional(List(name, { maxItems: 1000 })),
  isSubjectCaseSensitive: Optional(Bool()),
  enableAdvancedFilteringOnArrays: Optional(Bool()),
  advancedFilters: Optional(List(advancedFilter, { maxItems: 100 })),
});

const properties = params({
  filter: Optional(filter),
  retryPolicy: Optional(
    params({
      maxDeliveryAttempts: Optional(Num()),
      eventTimeToLiveInMinutes: Optional(Num()),
    }),
  ),
  labels: Optional(List(name, { maxItems: 100 })),
  deadLetterDestination: Optional(
    Union([
      params({
        endpointType: name,
        properties: Optional(
          params({
            resourceId: Optional(name),
            blobContainerName: Optional(name),
            topic: Optional(name),
          }),
        ),
      }),
      Null(),
    ]),
  ),
  expirationTimeUtc: Optional(Union([Text(), Null()])),
});

const fault = Union([
  params({
    target: Union([Literal('ingress'), Literal('topic'), Literal('identity'), Literal('management')]),
    times: Integer({ minimum: 1, maximum: 100_000 }),
    status: Optional(Integer({ minimum: 100, maximum: 599 })),
    delayMs: Optional(waitMs),
    drop: Optional(Bool()),
    slowBodyMs: Optional(waitMs),
  }),
  params({
    target: Literal('identity'),
    clockSkewMinutes: Num({ minimum: -100_000, maximum: 100_000 }),
  }),
]);

export const EVENT_ROUTER = {
  'eventRouter.status': params({ component }),
  'eventRouter.handshake': params({
    component: name,
    act: Optional(
      Union([Literal('probe'), Literal('router'), Literal('retry'), Literal('validate'), Literal('revoke')]),
    ),
  }),
  'eventRouter.emulate': params({
    component: name,
    send: Union([Literal('handshake'), Literal('events')]),
    token: Optional(tokenFault),
    events: Optional(List(dictionary(Unknown()), { minItems: 1, maxItems: 1000 })),
    batch: Optional(Bool()),
  }),
  'eventRouter.create': params({
    component,
    data: Optional(Unknown()),
    type: Optional(name),
    subject: Optional(name),
    source: Optional(name),
    raw: Optional(Bool()),
    remove: Optional(Bool()),
  }),
  'eventRouter.subscriptions': params({
    component,
    act: Optional(
      Union([Literal('list'), Literal('put'), Literal('change'), Literal('delete'), Literal('test')]),
    ),
    scope: Optional(name),
    name: Optional(name),
    properties: Optional(properties),
    event: Optional(Unknown()),
  }),
  'eventRouter.deliveries': params({
    component,
    deliveryId: Optional(id),
    of: Optional(Union([Literal('deliveries'), Literal('dead-letters')])),
    deadLetterFile: Optional(name),
    states: Optional(List(state, { maxItems: 9 })),
    subscriptionId: Optional(name),
    topic: Optional(name),
    text: Optional(name),
    cursor: Optional(Text()),
    limit: Optional(limit),
  }),
  'eventRouter.act': params({
    act: Union([
      Literal('retry'),
      Literal('hold'),
      Literal('release'),
      Literal('drop'),
      Literal('dead-letter'),
      Literal('park'),
      Literal('replay'),
      Literal('delete'),
    ]),
    deliveryId: Optional(id),
    deliveryIds: Optional(List(id, { minItems: 1, maxItems: 500 })),
    component,
    matching: Optional(params({ states: Optional(List(state, { maxItems: 9 })), text: Optional(name) })),
    deadLetterFile: Optional(name),
    event: Optional(Text()),
    subscriptionId: Optional(name),
  }),
  'eventRouter.breakpoints': params({ add: Optional(filter), remove: Optional(id) }),
  'eventRouter.topics': params({
    component,
    topic: Optional(name),
    act: Optional(Union([Literal('list'), Literal('regenerate-key'), Literal('disable'), Literal('enable')])),
    keyName,
  }),
  'eventRouter.token': params({
    component,
    act: Optional(
      Union([
        Literal('refresh'),
        Literal('rotate-key'),
        Literal('rotate-secret'),
        Literal('fault'),
        Literal('grant'),
        Literal('revoke'),
        Literal('setup-identity'),
        Literal('add-app'),
      ]),
    ),
    fault: Optional(tokenFault),
    times: Optional(Integer({ minimum: 0, maximum: 100_000 })),
    role: Optional(name),
    scope: Optional(name),
    tenantId: Optional(name),
    clientId: Optional(name),
    clientSecret: Optional(name),
  }),
  'eventRouter.certificate': params({
    act: Optional(Union([Literal('show'), Literal('renew-leaf'), Literal('rotate-ca')])),
  }),
  'eventRouter.faults': params({
    ingress: Optional(
      Union([
        Literal('none'),
        Literal('503'),
        Literal('wrong-host'),
        Literal('self-signed'),
        Literal('expired'),
        Literal('pause'),
      ]),
    ),
    add: Optional(fault),
    remove: Optional(id),
    timeScale: Optional(Num({ minimum: 0, maximum: 1000 })),
  }),
  'eventRouter.simulate': params({
    maxDeliveryAttempts: Optional(Integer({ minimum: 1, maximum: 30 })),
    eventTimeToLiveInMinutes: Optional(Num({ minimum: 1, maximum: 1440 })),
    timeScale: Optional(Num({ exclusiveMinimum: 0, maximum: 10 })),
    probation: Optional(Bool()),
    answers: Optional(
      List(
        Union([
          Integer({ minimum: 100, maximum: 599 }),
          Literal('timeout'),
          Literal('refused'),
          Literal('no-name'),
          Literal('tls'),
        ]),
        { maxItems: 30 },
      ),
    ),
  }),
  'eventRouter.reveal': params({
    sas: Optional(Bool()),
    component,
    field: Optional(name),
    topic: Optional(name),
    keyName,
  }),
};
