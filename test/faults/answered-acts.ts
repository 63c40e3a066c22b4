/** Every act of a person, done over RPC and followed by a kill right after its answer, with a check that it was kept. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Method } from '../../core/contract/console.ts';
import type { MessageDetail } from '../../core/contract/message.ts';
import type { SystemDescription } from '../../core/contract/reports.ts';
import { SAMPLE_PREFIX } from '../../core/mock-app/samples.ts';
import { ON_MESSAGES } from './answered-acts-messages.ts';
import {
  COMPONENT,
  none,
  as,
  says,
  made,
  request,
  rule,
  hold,
  RULES,
  SUBSCRIBED,
} from './answered-acts-parts.ts';
import type { Act, Given } from './answered-acts-parts.ts';
import { startProduct } from './kill-product.ts';
import type { Running } from './kill-product.ts';

/** Whether the hold of the sample traffic exists. */
async function hasSampleHold(product: Running): Promise<boolean> {
  const { items } = (await product.call('holds.list', {})) as { items: readonly { name?: string }[] };
  return items.some(({ name }) => name === `${SAMPLE_PREFIX}hold`);
}

/** A tap at whose addresses no program listens. */
const tapOf = (word: string): Given => ({
  appId: word,
  appUrl: 'http://127.0.0.1:9',
  sidecarUrl: 'http://127.0.0.1:9',
  appPort: 0,
  sidecarPort: 0,
});

/** A tap is kept too where its port went to another program meanwhile: then it is shut, and a banner says so. */
const hasTap: Act['isKept'] = async (product, word) => {
  const { banners } = (await product.call('system.describe', {})) as SystemDescription;
  const isShut = banners.some(({ id }) => id === `tap-${word}-shut`);
  return isShut || says('taps.list')(product, word);
};

/** Tokens of consoles whose pages are revoked, by the word of the act. */
const REVOKED = new Map<string, string>();

/** Acts on what a person sets up. */
export const ON_SETUP: readonly Act[] = [
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
    method: 'holds.restore',
    prepare: async (product, word) => {
      const { holdId } = (await made(product, 'holds.add', hold(word), 'holdId')) as Given;
      await product.call('holds.remove', { holdId });
      return { holdId };
    },
    isKept: says('holds.list'),
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
  { method: 'taps.add', prepare: as(tapOf), isKept: hasTap },
  {
    method: 'taps.remove',
    prepare: async (product, word) => {
      await product.call('taps.add', tapOf(word));
      return { appId: word };
    },
    isKept: says('taps.list', (word) => word, false),
  },
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
    method: 'system.revoke',
    prepare: async ({ token }, word) => {
      REVOKED.set(word, token);
      return {};
    },
    // The keys of pages follow from the token.
    isKept: async ({ token }, word) => token !== REVOKED.get(word),
  },
  {
    method: 'samples.add',
    prepare: none,
    isKept: hasSampleHold,
  },
  {
    method: 'samples.remove',
    prepare: async (product) => {
      await product.call('samples.add', {});
      return {};
    },
    isKept: async (product) => {
      const { items } = (await product.call('messages.list', { filter: 'topic:payments' })) as {
        items: unknown[];
      };
      return items.length === 0 && !(await hasSampleHold(product));
    },
  },
];

/** Acts that save something. */
export const ON_SAVED: readonly Act[] = [
  {
    method: 'schemas.set',
    prepare: as((word) => ({ name: word, topic: 't', schema: true })),
    isKept: says('schemas.list'),
  },
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
      const saved = (await made(
        product,
        'requests.save',
        { name: word, request: request('x') },
        'requestId',
      )) as Given;
      const { text } = (await product.call('requests.export', { requestIds: [saved['requestId']] })) as {
        text: string;
      };
      await product.call('requests.remove', saved);
      return { text };
    },
    isKept: says('requests.list'),
  },
  {
    method: 'requests.run',
    prepare: as((word) => ({ request: request(word) })),
    isKept: says('requests.list'),
  },
  {
    method: 'drafts.set',
    prepare: as((word) => ({ drafts: { single: word } })),
    isKept: says('drafts.get'),
  },
  {
    method: 'eventRouter.breakpoints',
    prepare: as((word) => ({ add: { subjectBeginsWith: word } })),
    // The embedded router opens when it is needed: one more breakpoint needs it.
    isKept: async (product, word) =>
      JSON.stringify(
        await product.call('eventRouter.breakpoints', { add: { subjectBeginsWith: 'other' } }),
      ).includes(word),
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

export const TRIED: readonly Act[] = [...ON_MESSAGES, ...ON_SETUP, ...ON_SAVED];

/** Acts that a table of kills does not try, and why not. */
export const NOT_TRIED: Readonly<Partial<Record<Method, string>>> = {
  'messages.replayMany': 'a job that goes on behind its answer',
  'messages.delete': 'counts when its ten seconds are over: until then the messages come back',
  undo: 'brings back what was not removed yet',
  'recordings.replay': 'a job that goes on behind its answer',
  'eventRouter.create': 'its components are written as components.save writes them',
  'eventRouter.emulate': 'keeps nothing: it sends one request and tells what came of it',
  'eventRouter.act':
    'written as eventRouter.breakpoints is: event-router/console/written-before-answer goes through all methods',
  'eventRouter.faults':
    'keeps nothing: faults and the scale of time end with the process (local-router/life)',
};

/** Acts that once were written behind their answer. The other acts are tried in the long suite. */
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

/**
 * Does the acts one after another in one process, kills it right after the last answer; names those that the next one knows nothing of.
 * @param more flags of the product
 */
export async function lostActs(
  acts: readonly Act[],
  round: number,
  more: readonly string[] = [],
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-acts-'));
  const data = join(folder, 'data');
  writeFileSync(join(folder, 'pubsub.yaml'), COMPONENT);
  const flags = ['--resources', folder, ...more];
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

/**
 * Does one act again and again, each time with a kill right after its answer and a look at what the next process knows; counts what was
 * lost.
 * @param more flags of the product
 */
export async function lostInRow(act: Act, rounds: number, more: readonly string[] = []): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-acts-'));
  const data = join(folder, 'data');
  writeFileSync(join(folder, 'pubsub.yaml'), COMPONENT);
  const start = async (): Promise<Running> => startProduct(data, undefined, ['--resources', folder, ...more]);
  let product = await start();
  let lost = 0;
  try {
    await setUp(product);
    for (let round = 0; round < rounds; round += 1) {
      const word = `w${round}x`;
      const params = (await act.prepare(product, word)) as Given;
      const answer = await product.call(act.method, params);
      await product.kill();
      product = await start();
      if (!(await act.isKept(product, word, params, answer))) lost += 1;
    }
    return lost;
  } finally {
    await product.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Acts that take the place of what another act did, so they are done in a process of their own. */
const LATER: ReadonlySet<Method> = new Set(['mockApp.usePreset', 'views.order', 'samples.remove']);

/** All acts, in the fewest processes in which none undoes what another one did. */
export const IN_PROCESSES: readonly (readonly Act[])[] = [false, true].map((isLater) =>
  TRIED.filter(({ method }) => LATER.has(method) === isLater),
);

export function nameOf({ method, how }: Act): string {
  return how === undefined ? method : `${method} ${how}`;
}

async function setUp(product: Running): Promise<void> {
  await product.call('settings.set', {
    key: 'delivery.retry',
    value: { firstDelayMs: 600_000, maxDelayMs: 600_000 },
  });
  await product.call('mockApp.setSubscriptions', { subscriptions: [SUBSCRIBED] });
  await product.call('mockApp.setRules', { rules: RULES });
  await product.call('holds.add', { at: 'publish', filter: 'topic:staged' });
  await product.call('holds.add', { at: 'delivery', filter: 'data.a:holds' });
}
