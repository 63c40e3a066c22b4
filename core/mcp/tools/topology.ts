/** Tools that explain the setup: apps, topics and routes, and what an answer would lead to. */
import { Integer, members, Optional } from '../../contract/schema.ts';
import type { AppRow, ComponentRow, SubscriptionRow, TopicRow } from '../../contract/subscription.ts';
import { counted } from '../../contract/count-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { MAX_ROWS, USUAL_ROWS } from '../rows.ts';
import { paramsOf, tool } from '../tool.ts';

export const topology = tool({
  name: 'topology',
  title: 'What is connected',
  does: 'Apps with their sidecar addresses and health, subscriptions with routes and state, topics with counts by state, components, holds that are on, and calls of the mock app that wait for `answer`.',
  params: members({
    limit: Optional(Integer({ minimum: 1, maximum: MAX_ROWS, description: 'Rows of each list (20).' })),
  }),
  hints: { reads: true },
  run: async ({ limit = USUAL_ROWS }, context) => {
    const rpc = await context.rpc();
    const [about, apps, subscriptions, topics, components, holds] = await Promise.all([
      rpc.call('system.describe', {}),
      rpc.call('apps.list', {}),
      rpc.call('subscriptions.list', {}),
      rpc.call('topics.list', {}),
      rpc.call('components.list', {}),
      rpc.call('holds.list', {}),
    ]);
    const mocks = apps.items.filter(({ mock }) => mock);
    const waiting = (
      await Promise.all(mocks.map(({ appId }) => rpc.call('mockApp.waiting', { appId })))
    ).flatMap(({ items }) => items);
    const lists = {
      apps: apps.items.map(appOf),
      subscriptions: subscriptions.items.map(subscriptionOf),
      topics: topics.items.map(topicOf),
      components: components.items.map(componentOf),
      holds: holds.items,
      waitingForAnswer: waiting.map(({ deliveryId, messageId, appId, topic, attempt }) => ({
        deliveryId,
        messageId,
        appId,
        topic,
        attempt,
      })),
    };
    const cut = Object.entries(lists).filter(([, rows]) => rows.length > limit);
    return {
      text: `Sidelight ${about.version}, profile ${about.profile}: ${counted(apps.items.length, 'app')}, ${counted(subscriptions.items.length, 'subscription')}, ${counted(topics.items.length, 'topic')}.`,
      outside: {
        ...Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, rows.slice(0, limit)])),
        problems: [...subscriptions.problems, ...components.problems].slice(0, limit),
        banners: about.banners.map(({ text }) => text),
      },
      more:
        cut.length === 0
          ? undefined
          : `limit up to ${MAX_ROWS}; there are ${cut.map(([name, rows]) => `${rows.length} ${name}`).join(', ')}.`,
    };
  },
});

function appOf({ appId, sidecar, grpc, app, protocol, mock, channel, healthy, discovery }: AppRow): object {
  const { state, error } = discovery;
  return {
    appId,
    sidecar,
    ...withoutUndefined({ grpc, app }),
    protocol,
    mock,
    channel,
    healthy,
    discovery: { state, ...withoutUndefined({ error }) },
  };
}

function subscriptionOf(row: SubscriptionRow): object {
  const {
    appId,
    pubsubname,
    topic,
    source,
    state,
    reason,
    rules,
    defaultPath,
    deadLetterTopic,
    bulk,
    counts,
  } = row;
  return {
    ...{ appId, pubsubname, topic, source, state },
    ...withoutUndefined({ reason, defaultPath, deadLetterTopic }),
    bulk: bulk !== undefined,
    rules: rules.slice(0, USUAL_ROWS).map(({ match, path }) => ({ match, path })),
    counts,
  };
}

function topicOf({ pubsubname, topic, apps, published, counts, deadLetterTopic }: TopicRow): object {
  return { pubsubname, topic, apps, published, counts, ...withoutUndefined({ deadLetterTopic }) };
}

function componentOf({ name, type, insteadOf, state, reason, scopes, lost }: ComponentRow): object {
  return { name, type, state, scopes, ...withoutUndefined({ insteadOf, reason, lost }) };
}

export const explainRoute = tool({
  name: 'explain_route',
  title: 'Explain a route',
  does: 'Where an event would go: every subscription of the topic, each rule with its value, and the path that is chosen. Nothing is sent. `event` is a CloudEvent or its data.',
  params: paramsOf('routes.explain'),
  hints: { reads: true },
  run: async (params, context) => {
    const { subscriptions } = await (await context.rpc()).call('routes.explain', params);
    const shown = subscriptions.slice(0, USUAL_ROWS);
    return {
      text: `${counted(subscriptions.length, 'subscription')} on this topic; ${subscriptions.filter(({ path, unused }) => path !== undefined && unused === undefined).length} would get it.`,
      outside: { subscriptions: shown },
      more: shown.length < subscriptions.length ? 'appId shows the subscriptions of one app.' : undefined,
    };
  },
});

export const explainVerdict = tool({
  name: 'explain_verdict',
  title: 'Explain a verdict',
  does: 'What an answer of the app would lead to, and by which rule: kind single or bulk, status, body as text. Nothing is sent.',
  params: paramsOf('verdict.explain'),
  hints: { reads: true },
  run: async (params, context) => {
    const { state, rule, word } = await (await context.rpc()).call('verdict.explain', params);
    return { text: `${state} by rule ${rule}.`, ...(word === undefined ? {} : { outside: { word } }) };
  },
});
