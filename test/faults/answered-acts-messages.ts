/** Acts on messages and deliveries. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Method } from '../../core/contract/console.ts';
import type { Delivery, MessageDetail } from '../../core/contract/message.ts';
import { as, says, publish, messageOf, isStaged, request, SUBSCRIBED } from './answered-acts-parts.ts';
import type { Act, Given } from './answered-acts-parts.ts';
import type { Running } from './kill-product.ts';

/** The delivery of a message of this kind, once it is in that state. */
async function deliveryIn(product: Running, kind: string, word: string, state: string): Promise<string> {
  const messageId = await publish(product, kind, word);
  return again(async () => {
    const [delivery] = (await messageOf(product, messageId)).deliveries;
    return delivery?.state === state ? delivery.deliveryId : undefined;
  });
}

async function again<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 500; tries += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(10);
  }
  throw new Error('it did not come to that');
}

async function deliveryOf(product: Running, deliveryId: unknown): Promise<Delivery | undefined> {
  const { items } = (await product.call('messages.list', { limit: 500 })) as { items: MessageDetail[] };
  const row = items.find(({ deliveries }) => deliveries.some((one) => one.deliveryId === deliveryId));
  return row && (await messageOf(product, row.messageId)).deliveries.find((d) => d.deliveryId === deliveryId);
}

/** Whether a rule stands in the history of the delivery that was acted on. */
function tookRule(rule: string) {
  return async (product: Running, _: string, { deliveryId }: Given): Promise<boolean> =>
    (await deliveryOf(product, deliveryId))?.transitions.some((one) => one.rule === rule) === true;
}

function onDelivery(method: Method, kind: string, state: string, rule: string, more: object = {}): Act {
  return {
    method,
    how: `of one that is ${state}`,
    prepare: async (product, word) => ({ deliveryId: await deliveryIn(product, kind, word, state), ...more }),
    isKept: tookRule(rule),
  };
}

/** Deliveries of an act on all that match a filter. */
const MANY = 60;

const withWord = (topic: string, word: string): string => `topic:${topic} data.word:${word}`;

async function listed(product: Running, filter: string): Promise<readonly MessageDetail[]> {
  const { items } = (await product.call('messages.list', { filter, limit: 500 })) as {
    items: MessageDetail[];
  };
  return items;
}

/** An act on many deliveries by a filter: after the kill each of them has the rule of the act in its history. */
function onMany(method: Method, kind: string, { state, rule, more = {} }: ManyActs): Act {
  return {
    method,
    how: `of ${MANY} that a filter finds`,
    prepare: async (product, word) => {
      await Promise.all(Array.from({ length: MANY }, () => publish(product, kind, word)));
      const filter = withWord('orders', word);
      await again(async () =>
        (await listed(product, `${filter} state:${state}`)).length === MANY ? true : undefined,
      );
      return { filter, ...more };
    },
    isKept: async (product, word) => {
      const found = await listed(product, withWord('orders', word));
      const messages = await Promise.all(found.map(({ messageId }) => messageOf(product, messageId)));
      const deliveries = messages.flatMap((message) => message.deliveries);
      const acted = deliveries.filter(({ transitions }) => transitions.some((one) => one.rule === rule));
      if (method !== 'deliveries.deadLetter') return acted.length === MANY;
      const ended = acted.filter((delivery) => delivery.state === 'dead-lettered');
      return ended.length === MANY && (await listed(product, withWord('dead', word))).length >= MANY;
    },
  };
}

interface ManyActs {
  readonly state: string;
  readonly rule: string;
  readonly more?: object;
}

/** Acts on messages and deliveries. */
export const ON_MESSAGES: readonly Act[] = [
  {
    method: 'messages.publish',
    prepare: as(request),
    isKept: async (product, _, __, answer) =>
      (await messageOf(product, (answer as Given)['messageId'])).topic === 'unheard',
  },
  {
    method: 'messages.publishBulk',
    prepare: as((word) => ({
      pubsubname: 'pubsub',
      topic: word,
      entries: [{ entryId: '1', contentType: 'text/plain', event: word }],
    })),
    isKept: says('messages.list'),
  },
  {
    method: 'messages.replay',
    prepare: async (product, word) => ({ messageId: await publish(product, 'none', word) }),
    isKept: async (product, _, { messageId }, answer) =>
      (await messageOf(product, (answer as Given)['messageId'])).replayOf === messageId,
  },
  {
    method: 'messages.update',
    prepare: async (product, word) => ({ messageId: await publish(product, 'none', word), note: word }),
    isKept: async (product, word, { messageId }) => (await messageOf(product, messageId)).note === word,
  },
  {
    method: 'messages.markRead',
    prepare: async (product, word) => {
      const messageId = await publish(product, 'none', word);
      await product.call('messages.update', { messageId, read: false });
      return { filter: `id:${messageId}` };
    },
    isKept: async (product, _, { filter }) =>
      (await messageOf(product, String(filter).slice(3))).unread !== true,
  },
  {
    method: 'deliveries.release',
    how: 'of a message that is held at publish',
    prepare: async (product, word) => ({ messageId: await publish(product, 'stage', word) }),
    isKept: async (product, _, { messageId }) => !(await isStaged(product, messageId)),
  },
  {
    method: 'deliveries.drop',
    how: 'of a message that is held at publish',
    prepare: async (product, word) => ({ messageId: await publish(product, 'stage', word) }),
    isKept: async (product, _, { messageId }) => (await messageOf(product, messageId)).stage === 'dropped',
  },
  onDelivery('deliveries.release', 'holds', 'held', 'user.release'),
  onDelivery('deliveries.drop', 'holds', 'held', 'user.drop'),
  {
    method: 'deliveries.undoDrop',
    prepare: async (product, word) => {
      const deliveryId = await deliveryIn(product, 'holds', word, 'held');
      await product.call('deliveries.drop', { deliveryId });
      return { deliveryId };
    },
    isKept: tookRule('user.undo-drop'),
  },
  onDelivery('deliveries.deadLetter', 'holds', 'held', 'user.dead-letter', { topic: 'dead' }),
  onDelivery('deliveries.hold', 'fails', 'retrying', 'user.hold'),
  onDelivery('deliveries.retry', 'fails', 'retrying', 'user.retry'),
  onDelivery('deliveries.reroute', 'fails', 'retrying', 'user.retry'),
  {
    method: 'deliveries.reroute',
    how: 'of all that keep an old route',
    prepare: async (product, word) => {
      const mine = { pubsubname: 'pubsub', topic: word, routes: { default: '/old' } };
      await product.call('mockApp.setSubscriptions', { subscriptions: [SUBSCRIBED, mine] });
      await product.call('holds.add', { at: 'delivery', filter: `topic:${word}` });
      await product.call('messages.publish', { pubsubname: 'pubsub', topic: word, data: word });
      await again(async () =>
        (await listed(product, `topic:${word} state:held`)).length === 1 ? true : undefined,
      );
      const now = { ...mine, routes: { default: '/new' } };
      await product.call('mockApp.setSubscriptions', { subscriptions: [SUBSCRIBED, now] });
      const at = { appId: 'app', pubsubname: 'pubsub', topic: word, path: '/old' };
      return { problem: { code: 'old-route', ...at } };
    },
    isKept: async (product, word) => (await listed(product, `topic:${word} route:/new`)).length === 1,
  },
  onDelivery('deliveries.cancelAttempt', 'hangs', 'attempting', 'user.cancel'),
  onDelivery('deliveries.answer', 'asks', 'attempting', 'single.2xx.drop', {
    answer: { kind: 'respond', status: 200, body: { status: 'DROP' } },
  }),
  onMany('deliveries.release', 'holds', { state: 'held', rule: 'user.release' }),
  onMany('deliveries.drop', 'holds', { state: 'held', rule: 'user.drop' }),
  onMany('deliveries.deadLetter', 'holds', {
    state: 'held',
    rule: 'user.dead-letter',
    more: { topic: 'dead' },
  }),
  onMany('deliveries.hold', 'fails', { state: 'retrying', rule: 'user.hold' }),
  onMany('deliveries.retry', 'fails', { state: 'retrying', rule: 'user.retry' }),
];
