/** Methods for topics, subscriptions, components and apps, and for trying out an event or an answer. */
import { app, id, name } from '../bounds.ts';
import { DELIVERY_STATES } from '../delivery.ts';
import { PROTOCOLS } from '../grpc.ts';
import { ruleId } from '../message.ts';
import { act, actAtOnce, query } from '../method.ts';
import { routeExplanation } from '../reports.ts';
import {
  extend,
  Integer,
  list,
  members,
  none,
  Null,
  Num,
  oneOf,
  Optional,
  Text,
  Unknown,
  whole,
} from '../schema.ts';
import {
  appDiscovery,
  appRow,
  componentRow,
  newApp,
  problem,
  resourceFile,
  subscriptionRow,
  topicRow,
} from '../subscription.ts';

/** A file name; the component source refuses one that leads out of its folder. */
const file = Text({ minLength: 1, maxLength: 1000 });
const document = members({ file, text: Text() });

export const TOPOLOGY = {
  'topics.list': query({
    does: 'lists topics with counts and rates',
    params: none,
    result: whole(topicRow),
  }),
  'subscriptions.list': query({
    does: 'lists subscriptions with state and reason, how a rule without quotes was read, how often the component refused them, and when Sidelight tries next. `problems` are those of subscription files, with line and column. In profile `dapr`, `onReference` says what would fail or differ on [the reference](reference-differences.md)',
    params: none,
    result: extend(whole(subscriptionRow), {
      discovery: list(appDiscovery),
      /** Problems of subscription files, each at its line and column. */
      problems: list(problem),
    }),
  }),
  'subscriptions.discover': actAtOnce({
    does: 'asks the app for its subscriptions again; `discovery` says how each app that was asked answered',
    params: app,
    result: members({
      subscriptions: list(subscriptionRow),
      problems: list(problem),
      /** How each app that was asked answered. */
      discovery: list(appDiscovery),
      /** Number of subscriptions that cannot be used; absent: none. */
      unused: Optional(Num()),
    }),
  }),
  'components.list': query({
    does: 'lists components with state and exact error. While the server of a component is down, `lost` says since when, why, how often Sidelight tried, and when it tries next. `files` lists every file and document, whether it is used, and why not',
    params: none,
    result: extend(whole(componentRow), {
      problems: list(problem),
      files: list(resourceFile),
      folder: Optional(Text()),
      /** Files that another program changed on disk since they were loaded, and when they were loaded. */
      changed: Optional(
        members({
          at: Text(),
          files: list(Text()),
        }),
      ),
    }),
  }),
  'components.validate': query({
    does: 'lists the problems of a file that is not saved yet',
    params: document,
    result: members({
      problems: list(problem),
    }),
  }),
  'components.save': act({
    does: 'writes a file of the resources folder',
    params: document,
    result: members({
      problems: list(problem),
    }),
  }),
  'components.read': query({
    does: 'reads a file of the resources folder',
    params: members({ file }),
    result: members({
      file: Text(),
      text: Text(),
    }),
  }),
  'components.reveal': actAtOnce({
    does: 'shows a file of the resources folder in the file manager; only in a desktop window',
    params: members({ file }),
    result: Null(),
  }),
  'components.reload': actAtOnce({
    does: 'loads the resources folder again',
    params: none,
    result: extend(whole(componentRow), {
      problems: list(problem),
      files: list(resourceFile),
    }),
  }),
  'apps.add': act({
    does: 'adds an app with its own sidecar; the next start adds it again. Without `url` a mock app answers; without a port Sidelight uses the next free one. If the app id or a port is already in use, the app is refused and nothing changes',
    params: newApp,
    result: appRow,
  }),
  'apps.remove': act({
    does: 'removes an app that was added here: its sidecar closes and its subscriptions end. `unfinished` says how many of its deliveries wait for a later app with that id',
    params: members({ appId: name }),
    result: members({
      unfinished: Num(),
    }),
  }),
  'apps.list': query({
    does: 'lists apps with addresses, whether they answer, discovery and their own health probe; one row for each instance',
    params: none,
    result: whole(appRow),
  }),
  'routes.explain': query({
    does: 'gives every subscription and rule of a topic, how Sidelight reads it, and the route that an event would take. In profile `dapr`, `onReference` says what would fail or differ on the reference, also for the event. `unused` says why a subscription gets no event now, whatever its rules say. With `messageId` the event is that of the message, and the members of `event` replace its own',
    params: members({
      appId: Optional(name),
      pubsubname: Text(),
      topic: Text(),
      event: Unknown(),
      messageId: Optional(id),
      recordingId: Optional(id),
    }),
    result: members({
      subscriptions: list(routeExplanation),
    }),
  }),
  'verdict.explain': query({
    does: 'says what an answer of an app would lead to; it sends nothing. `word` is the status word in the answer. With `protocol` grpc, `status` is a gRPC code and `body` the reply as JSON',
    params: members({
      kind: oneOf(['single', 'bulk']),
      protocol: Optional(oneOf(PROTOCOLS)),
      status: Integer({ minimum: 0, maximum: 599 }),
      body: Optional(Text()),
      entryId: Optional(Text()),
    }),
    /** `word`: the status word that the verdict read. */
    result: members({
      state: oneOf(DELIVERY_STATES),
      rule: ruleId,
      word: Optional(Text()),
    }),
  }),
};
