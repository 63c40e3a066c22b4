/** Shapes of scenario files: the app behind the sidecar, its answers, and the steps in order. */
import { filter, name, texts } from './bounds.ts';
import { DELIVERY_STATES } from './delivery.ts';
import { PROTOCOLS } from './grpc.ts';
import { holdParams } from './hold.ts';
import { answer, givenRule } from './mock-app.ts';
import { PROFILE_NAMES } from './profile.ts';
import { bulkEntry, messageChanges, publishBulkParams, publishParams } from './publish.ts';
import { MAX_RULES } from './rule-bounds.ts';
import {
  dictionary,
  extend,
  Integer,
  list,
  Literal,
  members,
  omit,
  oneOf,
  Optional,
  orNull,
  Text,
  Union,
  Unknown,
} from './schema.ts';
import type { Static } from './schema.ts';
import { wireSubscription } from './subscription.ts';
import { HOLD_POINTS, ROW_STATES } from './words.ts';

/** Maximum number of steps of one file. */
export const MAX_STEPS = 1000;
/** Maximum number of bytes of one file. */
export const MAX_SCENARIO_BYTES = 32 * 1024 * 1024;

/** A duration such as `500ms`, `5s` or `1m30s`. */
const duration = Text({ maxLength: 40, description: 'A duration such as 500ms, 5s or 1m30s.' });
/** Longest wait of a step. */
const within = Optional(duration);
const pubsubname = Optional(name);

const publish = extend(publishParams, { pubsubname });
const publishBulk = extend(omit(publishBulkParams, ['contentType']), {
  pubsubname,
  entries: list(extend(bulkEntry, { entryId: Optional(name), contentType: Optional(name) }), {
    minItems: 1,
    maxItems: 1000,
  }),
});
const publishGrpc = extend(omit(publish, ['dataBase64']), {});

const expectedDelivery = members({
  app: name,
  /** Path of the delivery; "" if no route was chosen. */
  route: Text({ maxLength: 10_000 }),
  state: oneOf(DELIVERY_STATES),
  attempts: Integer({ minimum: 0 }),
});
export type ExpectedDelivery = Static<typeof expectedDelivery>;

/** Answer rules of a mock app. */
export const rules = list(givenRule, { maxItems: MAX_RULES });
const subscriptions = list(wireSubscription, { maxItems: 1000 });

/** The steps, each by the member that names it. */
export const STEPS = {
  publish: members({ publish }),
  publishBulk: members({ publishBulk }),
  publishGrpc: members({ publishGrpc }),
  expect: members({
    expect: filter,
    state: Optional(oneOf(ROW_STATES)),
    /** Exactly this many attempts of a delivery. */
    attempts: Optional(Integer({ minimum: 0 })),
    /** Exactly these deliveries of a message, in any order. */
    deliveries: Optional(list(expectedDelivery, { maxItems: 1000 })),
    /** At least this many messages; absent: 1. */
    count: Optional(Integer({ minimum: 1 })),
    within,
  }),
  never: members({ never: filter, for: Optional(duration) }),
  hold: members({ hold: extend(holdParams, { at: Optional(oneOf(HOLD_POINTS)) }) }),
  release: members({ release: filter, answer: Optional(answer), within }),
  edit: members({ edit: filter, changes: messageChanges, within }),
  retry: members({ retry: filter, within }),
  drop: members({ drop: filter, within }),
  answer: members({ answer: filter, with: answer, within }),
  /** Changes what a mock app answers and subscribes to from this step on. Absent members stay as they are. */
  mock: members({
    mock: members({ appId: Optional(name), rules: Optional(rules), subscriptions: Optional(subscriptions) }),
  }),
  /** Waits until nothing is queued, attempting or retrying, up to the given time. */
  settle: members({ settle: orNull(duration) }),
  restart: members({ restart: oneOf(['graceful', 'kill']) }),
};
export type StepKind = keyof typeof STEPS;
export type StepOf<K extends StepKind> = Static<(typeof STEPS)[K]>;
export type Step = { [K in StepKind]: StepOf<K> }[StepKind];

const app = Union([
  Literal('mock'),
  members({ url: name }),
  members({
    /** Program and arguments; `{appPort}` stands for the port. */
    run: list(Text(), { minItems: 1 }),
    /** Port of the app, given to it as APP_PORT and {appPort}; absent: a free one. */
    port: Optional(Integer({ minimum: 1, maximum: 65_535 })),
    env: Optional(texts),
  }),
]);
export type ScenarioApp = Static<typeof app>;

export const scenario = members({
  name: Optional(Text({ minLength: 1, maxLength: 1000 })),
  /** Id of the first app; absent: app. */
  appId: Optional(name),
  app: Optional(app),
  /** Further apps by their ids, each with a sidecar of its own. */
  apps: Optional(dictionary(app)),
  appProtocol: Optional(oneOf(PROTOCOLS)),
  profile: Optional(oneOf(PROFILE_NAMES)),
  /** Folder of component, subscription and resiliency files, relative to the scenario file's folder. */
  resources: Optional(name),
  /** Names of in-memory components to use instead of the built-in `pubsub`. */
  pubsubs: Optional(list(name, { minItems: 1, maxItems: 100 })),
  /** Settings by their keys, as with --set. */
  settings: Optional(dictionary(Unknown())),
  /** Subscriptions of the first mock app; absent: each topic that the file publishes to or has a rule for. */
  subscriptions: Optional(subscriptions),
  /** Answer rules of the first mock app. */
  mock: Optional(rules),
  steps: list(Union([...Object.values(STEPS)]), { minItems: 1, maxItems: MAX_STEPS }),
});
export type Scenario = Omit<Static<typeof scenario>, 'steps'> & { readonly steps: readonly Step[] };
