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
    does: 'lists subscriptions with state and reason, how a rule without quotes was read, how often the component refused them and when the next try comes; problems of subscription files with line and column; in profile `dapr` also `onReference`: what would fail or differ on [the reference](reference-differences.md)',
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
    does: 'lists components with state and exact error, and `lost` while the server of one is away (since when, why, tries, next try); `files`: every file and document, whether it is used, and why not',
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
    does: 'shows such a file in the file manager; only in a desktop window',
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
    does: 'adds an app with a sidecar of its own and keeps it over a restart; without `url` a mock app answers, without a port the next free one is used. Where the app id or a port is already used, it is refused and nothing changes',
    params: newApp,
    result: appRow,
  }),
  'apps.remove': act({
    does: 'removes an app that was added here: its sidecar closes, its subscriptions end. `{ unfinished }` of its deliveries wait for a later app of that id',
    params: members({ appId: name }),
    result: members({
      unfinished: Num(),
    }),
  }),
  'apps.list': query({
    does: 'lists apps with addresses, reachability, discovery and their own health probe; one row for each instance',
    params: none,
    result: whole(appRow),
  }),
  'routes.explain': query({
    does: 'gives every subscription and rule on a topic, how it was read, and the path that an event would take; in profile `dapr` also `onReference`, as in `subscriptions.list`, and for the event. `unused` says why a subscription gets no event now, whatever its rules say. With `messageId` the event is that of the message, with the members of `event` in place of its own',
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
    does: 'says what an answer would lead to (`word`: the status word that was read); nothing is sent. With `protocol` grpc, `status` is a code and `body` the reply as JSON',
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
