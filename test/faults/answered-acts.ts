/** Every act of a person, and how one sees after a kill that it counted: each is done over RPC, killed right after its answer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Method } from '../../core/contract/console.ts';
import type { Delivery, MessageDetail } from '../../core/contract/message.ts';
import { startProduct } from './kill-product.ts';
import type { Running } from './kill-product.ts';

export interface Act {
  readonly method: Method;
  /** In words, where a method is there more than once. */
  readonly how?: string;
  /** What it needs; gives its parameters. `word` is another one each time. */
  prepare(product: Running, word: string): Promise<object>;
  /** True when the next process knows of it. @param given its parameters */
  isKept(product: Running, word: string, given: Given, answer: unknown): Promise<boolean>;
}

type Given = Readonly<Record<string, unknown>>;

const COMPONENT = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: pubsub
spec:
  type: pubsub.in-memory
  version: v1
`;

const none = async (): Promise<object> => ({});
const as =
  (params: (word: string) => object) =>
  async (_: Running, word: string): Promise<object> =>
    params(word);

/** Whether what a method answers has a text in it. */
function says(method: Method, text: (word: string) => string = (word) => word, isThere = true) {
  return async (product: Running, word: string): Promise<boolean> =>
    JSON.stringify(await product.call(method, {})).includes(text(word)) === isThere;
}

/** A message whose data is `{a: kind, word}`: the rules and holds of `setUp` know what to do with its kind. */
async function publish(product: Running, kind: string, word: string): Promise<string> {
  const data = { a: kind, word };
  const params = { pubsubname: 'pubsub', topic: kind === 'stage' ? 'staged' : 'orders', data };
  const { messageId } = (await product.call('messages.publish', params)) as { messageId: string };
  return messageId;
}

function messageOf(product: Running, messageId: unknown): Promise<MessageDetail> {
  return product.call('messages.get', { messageId }) as Promise<MessageDetail>;
}

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
    await new Promise((go) => setTimeout(go, 10));
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

async function made(product: Running, method: Method, params: object, id: string): Promise<object> {
  const answer = (await product.call(method, params)) as Given;
  return { [id]: answer[id] };
}

const isStaged = async (product: Running, messageId: unknown): Promise<boolean> =>
  (await messageOf(product, messageId)).stage === 'held';
const request = (word: string): object => ({ pubsubname: 'pubsub', topic: 'unheard', data: word });
const rule = (word: string): object => ({
  name: word,
  enabled: true,
  match: { topic: word },
  answer: { kind: 'respond', status: 200 },
});
const hold = (word: string): object => ({ at: 'delivery', filter: `topic:${word}`, name: word });

/** Rules that `mockApp.setRules` must leave as they are, for the deliveries of the other acts. */
const RULES = [
  { enabled: true, match: { filter: 'data.a:fails' }, answer: { kind: 'respond', status: 500 } },
  { enabled: true, match: { filter: 'data.a:hangs' }, answer: { kind: 'hang' } },
  { enabled: true, match: { filter: 'data.a:asks' }, answer: { kind: 'ask' } },
];
const SUBSCRIBED = { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } };

export const TRIED: readonly Act[] = [
  {
    method: 'messages.publish',
    prepare: as(request),
    isKept: async (product, _, __, answer) =>
      (await messageOf(product, (answer as Given)['messageId'])).topic === 'unheard',
  },
  {
    method: 'messages.publishBulk',
    prepare: as((word) => ({ pubsubname: 'pubsub', topic: word, entries: [{ entryId: '1', contentType: 'text/plain', event: word }] })),
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
  onDelivery('deliveries.deadLetter', 'holds', 'held', 'user.dead-letter', { topic: 'dead' }),
  onDelivery('deliveries.hold', 'fails', 'retrying', 'user.hold'),
  onDelivery('deliveries.retry', 'fails', 'retrying', 'user.retry'),
  onDelivery('deliveries.cancelAttempt', 'hangs', 'attempting', 'user.cancel'),
  onDelivery('deliveries.answer', 'asks', 'attempting', 'single.2xx.drop', {
    answer: { kind: 'respond', status: 200, body: { status: 'DROP' } },
  }),
  { method: 'holds.add', prepare: as(hold), isKept: says('holds.list') },
  {
    method: 'holds.update',
    prepare: async (product, word) => ({
      ...(await made(product, 'holds.add', hold('before'), 'holdId')),
      name: word,
    }),
    isKept: says('holds.list'),
  },
  {
    method: 'holds.remove',
    prepare: (product, word) => made(product, 'holds.add', hold(word), 'holdId'),
    isKept: says('holds.list', (word) => word, false),
  },
  {
    method: 'holds.remove',
    how: 'with release',
    prepare: async (product, word) => {
      const filter = `topic:${word}`;
      const { holdId } = (await made(product, 'holds.add', { at: 'publish', filter }, 'holdId')) as Given;
      await product.call('messages.publish', { pubsubname: 'pubsub', topic: word, data: word });
      return { holdId, release: true };
    },
    isKept: async (product, word) => {
      const { items } = (await product.call('messages.list', { filter: `topic:${word}` })) as {
        items: MessageDetail[];
      };
      return items.length === 1 && items[0]?.stage === undefined;
    },
  },
  {
    method: 'mockApp.setRules',
    prepare: as((word) => ({ rules: [...RULES, rule(word)] })),
    isKept: says('mockApp.get'),
  },
  {
    method: 'mockApp.setSubscriptions',
    prepare: as((word) => ({ subscriptions: [SUBSCRIBED, { ...SUBSCRIBED, topic: word }] })),
    isKept: says('mockApp.get'),
  },
  {
    method: 'mockApp.usePreset',
    prepare: (product, word) =>
      made(product, 'mockApp.savePreset', { title: word, rules: [...RULES, rule(`used-${word}`)] }, 'preset'),
    isKept: says('mockApp.get', (word) => `used-${word}`),
  },
  {
    method: 'mockApp.savePreset',
    prepare: as((word) => ({ title: word, rules: [] })),
    isKept: says('mockApp.presets'),
  },
  {
    method: 'mockApp.removePreset',
    prepare: (product, word) => made(product, 'mockApp.savePreset', { title: word, rules: [] }, 'preset'),
    isKept: says('mockApp.presets', (word) => word, false),
  },
  {
    method: 'components.save',
    prepare: as((word) => ({ file: 'more.yaml', text: COMPONENT.replace('pubsub\n', `${word}\n`) })),
    isKept: says('components.list'),
  },
  { method: 'apps.add', prepare: as((word) => ({ appId: word, sidecarPort: 0 })), isKept: says('apps.list') },
  {
    method: 'apps.remove',
    prepare: async (product, word) => {
      await product.call('apps.add', { appId: word, sidecarPort: 0 });
      return { appId: word };
    },
    isKept: says('apps.list', (word) => word, false),
  },
  {
    method: 'settings.set',
    prepare: as((word) => ({ key: 'app.health', value: { enabled: false, path: `/${word}` } })),
    isKept: says('settings.get'),
  },
  {
    method: 'samples.add',
    prepare: none,
    isKept: async (product) => JSON.stringify(await product.call('holds.list', {})).includes('xample'),
  },
  { method: 'schemas.set', prepare: as((word) => ({ name: word, topic: 't', schema: true })), isKept: says('schemas.list') },
  {
    method: 'schemas.remove',
    prepare: (product, word) =>
      made(product, 'schemas.set', { name: word, topic: 't', schema: true }, 'schemaId'),
    isKept: says('schemas.list', (word) => word, false),
  },
  {
    method: 'requests.save',
    prepare: as((word) => ({ name: word, request: request(word) })),
    isKept: says('requests.list'),
  },
  {
    method: 'requests.remove',
    prepare: (product, word) =>
      made(product, 'requests.save', { name: word, request: request('x') }, 'requestId'),
    isKept: says('requests.list', (word) => word, false),
  },
  {
    method: 'requests.variables',
    prepare: as((word) => ({ variables: { [word]: 'x' } })),
    isKept: says('requests.list', (word) => `"${word}":"x"`),
  },
  {
    method: 'requests.import',
    prepare: async (product, word) => {
      const saved = (await made(product, 'requests.save', { name: word, request: request('x') }, 'requestId')) as Given;
      const { text } = (await product.call('requests.export', { requestIds: [saved['requestId']] })) as {
        text: string;
      };
      await product.call('requests.remove', saved);
      return { text };
    },
    isKept: says('requests.list'),
  },
  { method: 'requests.run', prepare: as((word) => ({ request: request(word) })), isKept: says('requests.list') },
  {
    method: 'drafts.set',
    prepare: as((word) => ({ drafts: { single: word } })),
    isKept: says('drafts.get'),
  },
  { method: 'views.save', prepare: as((word) => ({ name: word, filter: '' })), isKept: says('views.list') },
  {
    method: 'views.remove',
    prepare: (product, word) => made(product, 'views.save', { name: word, filter: '' }, 'savedViewId'),
    isKept: says('views.list', (word) => word, false),
  },
  {
    method: 'views.order',
    prepare: async (product, word) => {
      for (const name of ['one', word]) await product.call('views.save', { name, filter: '' });
      const { items } = (await product.call('views.list', {})) as { items: { savedViewId: string }[] };
      return { savedViewIds: items.map(({ savedViewId }) => savedViewId).toReversed() };
    },
    isKept: async (product, word) => {
      const { items } = (await product.call('views.list', {})) as { items: { name: string }[] };
      return items[0]?.name === word;
    },
  },
];

/** Acts that a table of kills does not try, and why not. */
export const NOT_TRIED: Readonly<Partial<Record<Method, string>>> = {
  'messages.replayMany': 'a job that goes on behind its answer',
  'messages.delete': 'counts when its ten seconds are over: until then the messages come back',
  undo: 'brings back what was not removed yet',
  'recordings.replay': 'a job that goes on behind its answer',
  'samples.remove': 'removes messages: they come back until ten seconds are over',
  'eventRouter.create': 'its components are written as components.save writes them',
  'eventRouter.emulate': 'kept by the embedded event router, which writes at once',
  'eventRouter.act': 'kept by the embedded event router, which writes at once',
  'eventRouter.breakpoints': 'kept by the embedded event router, which writes at once',
  'eventRouter.faults': 'kept by the embedded event router, which writes at once',
};

/** Those that once were written behind their answer. The other acts are tried in the long suite. */
export const LATE: ReadonlySet<Method> = new Set([
  'settings.set',
  'drafts.set',
  'requests.run',
  'mockApp.setRules',
  'mockApp.setSubscriptions',
  'deliveries.cancelAttempt',
  'deliveries.answer',
  'deliveries.release',
  'holds.remove',
]);

/** Does the acts one after another in one process, kills it right after the last answer; names those that the next one knows nothing of. */
export async function lostActs(acts: readonly Act[], round: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-acts-'));
  const data = join(folder, 'data');
  writeFileSync(join(folder, 'pubsub.yaml'), COMPONENT);
  const flags = ['--resources', folder];
  const products: Running[] = [];
  try {
    const first = await startProduct(data, undefined, flags);
    products.push(first);
    await setUp(first);
    const given = [];
    for (const [i, act] of acts.entries()) {
      const word = `w${round}x${i}`;
      given.push({ act, word, params: (await act.prepare(first, word)) as Given });
    }
    const done = [];
    for (const one of given) done.push({ ...one, answer: await first.call(one.act.method, one.params) });
    await first.kill();
    const second = await startProduct(data, undefined, flags);
    products.push(second);
    const lost: string[] = [];
    for (const { act, word, params, answer } of done)
      if (!(await act.isKept(second, word, params, answer))) lost.push(nameOf(act));
    return lost;
  } finally {
    for (const product of products) await product.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function nameOf({ method, how }: Act): string {
  return how === undefined ? method : `${method} ${how}`;
}

async function setUp(product: Running): Promise<void> {
  await product.call('settings.set', { key: 'delivery.retry', value: { firstDelayMs: 600_000, maxDelayMs: 600_000 } });
  await product.call('mockApp.setSubscriptions', { subscriptions: [SUBSCRIBED] });
  await product.call('mockApp.setRules', { rules: RULES });
  await product.call('holds.add', { at: 'publish', filter: 'topic:staged' });
  await product.call('holds.add', { at: 'delivery', filter: 'data.a:holds' });
}
