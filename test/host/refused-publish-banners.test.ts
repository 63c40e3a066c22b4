/** Banners of refused publishes: what they say, how they gather, and when they end. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { OnlyForOthers } from '../../core/contract/component-scopes.ts';
import type { ConsoleEvent } from '../../core/contract/event.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { publishableFor, RefusedPublishBanners } from '../../core/host/refused-publish-banners.ts';
import type { KnownRefusal } from '../../core/host/refused-publish-banners.ts';
import type { NotedEvent } from '../../core/runtime/api.ts';
import type { SharedServices } from '../../core/runtime/common-services.ts';
import type { Components } from '../../core/runtime/components/components.ts';
import { PublishChecks } from '../../core/runtime/publishing/publish-checks.ts';
import { startProduct } from '../e2e/product.ts';
import { componentRow } from '../support/component-row.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { SOURCE } from '../support/program.ts';

const UNKNOWN: KnownRefusal = {
  method: 'POST',
  path: '/v1.0/publish/pubsu/orders',
  status: 404,
  reason: 'pubsub pubsu is not found',
  refusal: new Refusal('ERR_PUBSUB_NOT_FOUND', { pubsubname: 'pubsu' }),
};

let clock: ManualClock;
let lines: string[];
let listeners: Set<(event: NotedEvent) => void>;
let book: RefusedPublishBanners;
/** Reasons that other banners give. */
let said: readonly (string | undefined)[];
/** What leaves the app out of the component. */
let onlyFor: readonly OnlyForOthers[] | undefined;

beforeEach(() => {
  onlyFor = undefined;
  [clock, lines, listeners, said] = [new ManualClock(), [], new Set(), []];
  book = new RefusedPublishBanners({
    clock,
    log: { write: (level, part, text) => void lines.push(`${level} ${part}: ${text}`) },
    events: {
      onEvent: (take) => {
        listeners.add(take);
        return () => void listeners.delete(take);
      },
    },
    said: () => said,
    components: () => ['pubsub'],
    onlyForOthers: (appId, name) => (appId === 'shop' && name === 'pubsu' ? onlyFor : undefined),
  });
});

function accept(
  place: Pick<MessageRow, 'appId' | 'pubsubname' | 'topic'> & Partial<Pick<MessageRow, 'at' | 'source'>>,
): void {
  const row: MessageRow = {
    messageId: 'm',
    number: 1,
    at: new Date(clock.now()).toISOString(),
    source: 'http',
    contentType: 'application/json',
    sizeBytes: 2,
    raw: false,
    deliveries: [],
    ...place,
  };
  const event: ConsoleEvent = { sequence: 1, type: 'message.added', row };
  const noted = { ...event, number: 1, messageId: 'm', size: 1, isGivenUp: false, read: () => event };
  for (const take of listeners) take(noted);
}

const texts = (): string[] => book.banners().map(({ text }) => text);

describe('what a banner of a refused publish says', () => {
  test('names only components to which the app can publish now', () => {
    const rows = [
      componentRow('kaf', { state: 'failed' }),
      componentRow('pubsub'),
      componentRow('gone', { lost: { since: '', reason: '', tries: 1 } }),
      componentRow('theirs', { scopes: ['billing'] }),
      componentRow('queue', { kind: 'binding' }),
    ];
    expect(publishableFor('shop', rows)).toEqual(['pubsub']);
  });

  test('what to do is said to the log too', () => {
    const remedy = 'Name one that is loaded (pubsub), or add its file to the resources folder.';
    expect(book.remedy('shop', UNKNOWN)).toBe(remedy);
    book.report('shop', UNKNOWN);
    expect(texts()[0]).toContain(remedy);
  });

  test.each([
    ['/v1.0/publish/ok', '/v1.0/publish'],
    ['/v1.0/publish/ok/', '/v1.0/publish'],
    ['/v1.0-alpha1/publish/bulk/ok', '/v1.0-alpha1/publish/bulk'],
  ])('where %s names no component or no topic, it gives the whole path', (path, publish) => {
    const refused = { ...UNKNOWN, path, refusal: new Refusal('ERR_PUBSUB_NOT_FOUND', { pubsubname: 'ok' }) };
    const remedy = `The path of a publish is ${publish}/COMPONENT/TOPIC, such as ${publish}/pubsub/ok.`;
    expect(book.remedy('shop', refused)).toBe(remedy);
    book.report('shop', refused);
    expect(texts()).toEqual([expect.stringContaining(remedy)]);
  });

  test('where the one name of the path is a component, it gives no example with that as a topic', () => {
    const path = '/v1.0/publish/pubsu';
    const plain = 'The path of a publish is /v1.0/publish/COMPONENT/TOPIC.';
    const params = { pubsubname: 'pubsu' };
    const notReady = new Refusal(
      'ERR_PUBSUB_NOT_FOUND',
      { ...params, reason: 'x' },
      { variant: 'not-ready' },
    );
    expect(book.remedy('shop', { ...UNKNOWN, path, refusal: notReady })).toBe(plain);
    onlyFor = [{ scopes: ['orders'] }];
    const refusal = new Refusal('ERR_PUBSUB_NOT_FOUND', params);
    expect(book.remedy('shop', { ...UNKNOWN, path, refusal })).toBe(plain);
    const isThereNow = new Refusal('ERR_PUBSUB_NOT_FOUND', { pubsubname: 'pubsub' });
    const known = { ...UNKNOWN, path: '/v1.0/publish/pubsub', refusal: isThereNow };
    expect(book.remedy('shop', known)).toBe(plain);
  });

  test('of refusals of one kind with different reasons it gives that of the last one', () => {
    const bulk = (reason: string): KnownRefusal => ({
      path: '/v1.0-alpha1/publish/bulk/pubsub/orders',
      status: 400,
      reason,
      refusal: new Refusal('ERR_PUBSUB_EVENTS_SER', {}),
    });
    book.report('shop', bulk('the first reason'));
    expect(texts()).toEqual([expect.stringContaining('EVENTS_SER): the first reason.')]);
    book.report('shop', bulk('another reason'));
    expect(texts()).toEqual([
      expect.stringContaining(
        'was refused (400 ERR_PUBSUB_EVENTS_SER, 2 times). The last one: another reason.',
      ),
    ]);
  });

  test('app, call, answer, code, cause and what to do are in one banner', () => {
    book.report('shop', UNKNOWN);
    expect(book.banners()).toEqual([
      {
        id: 'refused-publish-1',
        level: 'warn',
        text: 'A caller, as app shop: POST /v1.0/publish/pubsu/orders was refused (404 ERR_PUBSUB_NOT_FOUND): pubsub pubsu is not found. Name one that is loaded (pubsub), or add its file to the resources folder.',
      },
    ]);
  });

  test('a component of other apps is named with its scopes, and nobody is told to add its file', () => {
    onlyFor = [{ scopes: ['billing'], file: 'pubsu.yaml', line: 1 }];
    book.report('shop', UNKNOWN);
    expect(texts()[0]).toMatch(
      /: pubsub pubsu is not found\. It is only for billing, by its scopes \(pubsu\.yaml, line 1\)\. Name a component that the app may use \(pubsub\), or change who may use this one\.$/,
    );
  });

  test('a call over gRPC has its own name', () => {
    book.report('shop', { ...UNKNOWN, path: 'PublishEvent pubsu/orders', status: 'INVALID_ARGUMENT' });
    expect(texts()[0]).toContain(
      ' PublishEvent pubsu/orders was refused (INVALID_ARGUMENT ERR_PUBSUB_NOT_FOUND): ',
    );
  });

  test('a component that is not ready is no spelling mistake', () => {
    const refusal = new Refusal(
      'ERR_PUBSUB_NOT_FOUND',
      { pubsubname: 'pubsub', reason: 'gone' },
      { variant: 'not-ready' },
    );
    book.report('shop', { ...UNKNOWN, refusal });
    expect(texts()[0]).toMatch(/The Components screen shows its state\.$/);
  });

  test('a reason that another banner gives is not said twice, also when that banner is gone', () => {
    said = [undefined, 'the disk is full'];
    book.report('shop', { ...UNKNOWN, status: 500, reason: 'error: the disk is full' });
    said = [undefined, undefined];
    expect(book.banners()).toEqual([]);
  });

  test('a reason that another banner gives later is said there alone', () => {
    book.report('shop', { ...UNKNOWN, status: 500, reason: 'error: the disk is full' });
    expect(book.banners()).toHaveLength(1);
    said = ['the disk is full'];
    expect(book.banners()).toEqual([]);
  });
});

/** How the checks of a publish refuse this topic or content type. */
function refusalOf(topic: string, contentType: string): Refusal {
  const ready = { pubsub: () => ({ name: 'pubsub' }) };
  const checks = new PublishChecks({} as SharedServices, ready as unknown as Components);
  try {
    checks.component('shop', 'pubsub', topic);
    checks.checkContentType({ pubsubname: 'pubsub', topic }, contentType);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('how bad a refused publish is', () => {
  const levelOf = (more: Partial<KnownRefusal>): string | undefined => {
    book.report('shop', { path: '/v1.0/publish/pubsub/orders', status: 400, reason: 'no', ...more });
    return book.banners()[0]?.level;
  };

  test.each([
    ['a component that is not loaded', { status: 404, refusal: new Refusal('ERR_PUBSUB_NOT_FOUND') }],
    ['a forbidden topic', { status: 'PERMISSION_DENIED', refusal: new Refusal('ERR_PUBSUB_FORBIDDEN') }],
    // The interface wants 500 here, though the body is the mistake.
    ['an event that is not JSON', { status: 500, refusal: new Refusal('ERR_PUBSUB_CLOUD_EVENTS_SER') }],
    ['a wrong token', { status: 401 }],
    ['a wrong token over gRPC', { status: 'UNAUTHENTICATED' }],
    ['a block that Sidelight does not serve', { status: 404 }],
    // The interface has no other code for these.
    ['a topic that is too long', { status: 'INTERNAL', refusal: refusalOf('t'.repeat(16_385), '') }],
    ['a content type that is too long', { status: 'INTERNAL', refusal: refusalOf('t', 'x'.repeat(16_385)) }],
  ])('%s is the mistake of the caller: a warning', (_, more) => {
    expect(levelOf(more)).toBe('warn');
  });

  test.each([
    ['a failed publish', { status: 500, refusal: new Refusal('ERR_PUBSUB_PUBLISH_MESSAGE') }],
    [
      'a component that is not ready',
      { status: 404, refusal: new Refusal('ERR_PUBSUB_NOT_FOUND', {}, { variant: 'not-ready' }) },
    ],
    ['a call that has no room in memory', { status: 'RESOURCE_EXHAUSTED' }],
    ['a failure without a code', { status: 500 }],
    ['a failure without a code over gRPC', { status: 'INTERNAL' }],
  ])('%s is no mistake of the caller: an error', (_, more) => {
    expect(levelOf(more)).toBe('error');
  });
});

test('a request over gRPC that is too large says what to do for ten minutes, whatever smaller ones come', () => {
  const refused = { path: 'PublishEvent', status: 'RESOURCE_EXHAUSTED' };
  const reason = 'Received message larger than max (200018 vs 100000)';
  book.report('shop', { ...refused, reason: 'no room' });
  book.report('shop', { ...refused, reason, isTooLarge: true });
  expect(book.banners()).toMatchObject([
    {
      level: 'warn',
      text: `A caller, as app shop: PublishEvent was refused (RESOURCE_EXHAUSTED): ${reason}. Send less in one message, or raise "http.maxBodyBytes" in the settings.`,
    },
    { level: 'error' },
  ]);
  const place = { appId: 'shop', pubsubname: 'pubsub', topic: 'orders' };
  clock.advance(3000);
  accept({ ...place, source: 'grpc' });
  expect(book.banners()).toMatchObject([{ level: 'warn' }, { level: 'error' }]);
  book.report('shop', { ...refused, reason, isTooLarge: true });
  clock.advance(10 * 60_000);
  for (const source of ['http', 'grpc-bulk'] as const) accept({ ...place, source });
  expect(book.banners()).toMatchObject([{ level: 'warn' }, { level: 'error' }]);
  accept({ ...place, source: 'grpc' });
  expect(book.banners()).toMatchObject([{ level: 'error' }]);
});

test.each([
  ['at once', 400, undefined],
  ['by its route', 500, new Refusal('ERR_PUBSUB_PUBLISH_MESSAGE', { reason: 'stream too large' })],
  ['in bulk', 400, new Refusal('ERR_PUBSUB_EVENTS_SER', { reason: 'stream too large' })],
])('a body over HTTP that is too large, refused %s, says so for ten minutes too', (_, status, refusal) => {
  const path = '/v1.0/publish/pubsub/orders';
  const more = refusal === undefined ? {} : { refusal };
  book.report('shop', { path, status, reason: 'stream too large', isTooLarge: true, ...more });
  const banner = {
    level: 'warn',
    text: expect.stringMatching(
      /: stream too large\. Send less in one message, or raise "http\.maxBodyBytes"/,
    ),
  };
  const place = { appId: 'shop', pubsubname: 'pubsub' };
  clock.advance(3000);
  accept({ ...place, topic: 'orders' });
  expect(book.banners()).toMatchObject([banner]);
  clock.advance(10 * 60_000);
  expect(book.banners()).toEqual([]);
  book.report('shop', { path, status, reason: 'stream too large', isTooLarge: true, ...more });
  clock.advance(10 * 60_000);
  accept({ ...place, topic: 'others' });
  expect(book.banners()).toMatchObject([banner]);
});

test('a publish right after one that was too large ends its banner once none was refused for ten minutes', () => {
  book.report('shop', { path: 'PublishEvent', status: 'RESOURCE_EXHAUSTED', reason: 'no', isTooLarge: true });
  accept({ appId: 'shop', pubsubname: 'pubsub', topic: 'orders', source: 'grpc' });
  clock.advance(10 * 60_000 - 1);
  expect(book.banners()).toHaveLength(1);
  clock.advance(1);
  expect(book.banners()).toEqual([]);
  expect(lines).toEqual([
    'info sidecar: A publish of app shop to pubsub/orders was accepted, so this refusal is no longer a banner: PublishEvent was refused (RESOURCE_EXHAUSTED).',
  ]);
});

describe('what gives no banner, or a shorter one', () => {
  test('a request whose client has gone is nothing that somebody has to correct', () => {
    book.report('shop', { ...UNKNOWN, isCutOff: true });
    expect(book.banners()).toEqual([]);
  });

  test('a reason that is cut says that the log has more of it', () => {
    book.report('shop', { ...UNKNOWN, reason: 'r'.repeat(401) });
    expect(texts()[0]).toContain(
      `${'r'.repeat(400)}…. The log has more of this reason. Name one that is loaded`,
    );
    book.report('shop', { ...UNKNOWN, reason: 'r'.repeat(400) });
    expect(texts()[0]).not.toContain('The log');
  });
});

describe('how refused publishes gather', () => {
  test('a repeated mistake is one banner with its number, whatever the topic', () => {
    for (const topic of ['orders', 'stock', 'orders'])
      book.report('shop', { ...UNKNOWN, path: `/v1.0/publish/pubsu/${topic}` });
    expect(texts()).toEqual([expect.stringContaining(' was refused (404 ERR_PUBSUB_NOT_FOUND, 3 times): ')]);
    expect(book.banners()[0]?.id).toBe('refused-publish-1');
  });

  test('another app has a banner of its own', () => {
    book.report('shop', UNKNOWN);
    book.report('till', UNKNOWN);
    expect(texts().map((text) => text.slice(0, 21))).toEqual([
      'A caller, as app till',
      'A caller, as app shop',
    ]);
  });

  test('there are at most twenty, and each is short', () => {
    for (let i = 0; i < 50; i += 1)
      book.report('shop', {
        path: `/v1.0/publish/pubsub/${'x'.repeat(5000)}${i}`,
        status: 400 + i,
        reason: 'r'.repeat(9000),
      });
    expect(texts()).toHaveLength(20);
    for (const text of texts()) expect(text.length).toBeLessThan(1000);
  });

  test('after ten quiet minutes a mistake is news again', () => {
    book.report('shop', UNKNOWN);
    clock.advance(10 * 60_000 + 1);
    book.report('shop', UNKNOWN);
    expect(book.banners()).toMatchObject([{ id: 'refused-publish-2' }]);
    expect(texts()[0]).not.toContain(' times');
  });
});

describe('when the banner of a refused publish ends', () => {
  test('an accepted publish of the app to the topic ends it, and then nothing is listened to', () => {
    book.report('shop', UNKNOWN);
    clock.advance(3_000);
    accept({ appId: 'shop', pubsubname: 'pubsub', topic: 'orders' });
    expect(texts()).toEqual([]);
    expect(lines).toEqual([
      'info sidecar: A publish of app shop to pubsub/orders was accepted, so this refusal is no longer a banner: POST /v1.0/publish/pubsu/orders was refused (404 ERR_PUBSUB_NOT_FOUND).',
    ]);
    expect(listeners.size).toBe(0);
  });

  test('a publish right after the refusal ends it once no other refusal has followed for a while', () => {
    book.report('shop', UNKNOWN);
    accept({ appId: 'shop', pubsubname: 'pubsub', topic: 'orders' });
    expect(texts()).toHaveLength(1);
    book.report('shop', UNKNOWN);
    clock.advance(3_000);
    expect(texts()).toHaveLength(1);
    accept({ appId: 'shop', pubsubname: 'pubsub', topic: 'orders' });
    expect(texts()).toEqual([]);
    book.report('shop', UNKNOWN);
    accept({ appId: 'shop', pubsubname: 'pubsub', topic: 'orders' });
    clock.advance(3_000);
    expect(texts()).toEqual([]);
    expect(listeners.size).toBe(0);
  });

  test('a publish that ends several mistakes names each of them once', () => {
    book.report('shop', UNKNOWN);
    const refusal = new Refusal('ERR_TOPIC_EMPTY', {});
    book.report('shop', { path: '/v1.0/publish/pubsub', status: 404, reason: 'no topic', refusal });
    clock.advance(3_000);
    accept({ appId: 'shop', pubsubname: 'pubsub', topic: 'orders' });
    expect(lines).toHaveLength(2);
    expect(new Set(lines).size).toBe(2);
  });

  test.each([
    ['of another app', { appId: 'till', pubsubname: 'pubsub', topic: 'orders' }],
    ['to another topic', { appId: 'shop', pubsubname: 'pubsub', topic: 'stock' }],
    [
      'of before, whose row has changed now,',
      { appId: 'shop', pubsubname: 'pubsub', topic: 'orders', at: '1970-01-01T00:00:00.000Z' },
    ],
    [
      'that is a dead-letter copy',
      { appId: 'shop', pubsubname: 'pubsub', topic: 'orders', source: 'dead-letter' as const },
    ],
  ])('an accepted publish %s ends nothing', (_, row) => {
    book.report('shop', UNKNOWN);
    clock.advance(3_000);
    accept(row);
    expect(texts()).toHaveLength(1);
  });

  test('a topic that is forbidden in one component is not the same topic of another', () => {
    const refusal = new Refusal('ERR_PUBSUB_FORBIDDEN', {});
    book.report('shop', { path: '/v1.0/publish/pubsub/a%20b', status: 403, reason: 'no', refusal });
    clock.advance(3_000);
    accept({ appId: 'shop', pubsubname: 'other', topic: 'a b' });
    expect(texts()).toHaveLength(1);
    accept({ appId: 'shop', pubsubname: 'pubsub', topic: 'a b' });
    expect(texts()).toEqual([]);
  });

  test('any accepted publish of the app ends the banner of a path without a topic', () => {
    const refusal = new Refusal('ERR_TOPIC_EMPTY', {});
    book.report('shop', { path: '/v1.0/publish/pubsub', status: 404, reason: 'no topic', refusal });
    clock.advance(3_000);
    accept({ appId: 'till', pubsubname: 'pubsub', topic: 'orders' });
    expect(texts()).toHaveLength(1);
    accept({ appId: 'shop', pubsubname: 'pubsub', topic: 'orders' });
    expect(texts()).toEqual([]);
  });

  test('an accepted publish between refused ones does not hide them', () => {
    book.report('shop', UNKNOWN);
    clock.advance(2_999);
    accept({ appId: 'shop', pubsubname: 'pubsub', topic: 'orders' });
    expect(texts()).toHaveLength(1);
  });
});

test('a product shows what its sidecar refused: an unknown component, a wrong path', async () => {
  const product = await startProduct({ entry: SOURCE });
  try {
    const sidecar = product.ready.apps[0]?.sidecar ?? '';
    const statuses: number[] = [];
    // The last one calls a method of an app, whatever its name is: no publish.
    const paths = [
      '/v1.0/publish/pubsu/orders',
      '/publish/pubsub/orders',
      '/v1.0/publsh/pubsub/orders',
      '/v1.0/invoke/till/method/publish',
    ];
    for (const path of paths)
      statuses.push((await fetch(sidecar + path, { method: 'POST', body: '{}' })).status);
    expect(statuses).toEqual([404, 404, 404, 404]);
    const { banners } = await product.rpc('system.describe', {});
    expect(banners.map(({ text }) => text)).toEqual([
      expect.stringContaining('POST /v1.0/invoke/till was refused (404): Sidelight does not serve service'),
      expect.stringMatching(
        /^A caller: POST \/v1\.0\/publsh\/pubsub\/orders was refused \(404 ERR_DIRECT_INVOKE\): .* The path of a publish is \/v1\.0\/publish\/COMPONENT\/TOPIC\.$/,
      ),
      expect.stringContaining('POST /publish/pubsub/orders was refused (404 ERR_DIRECT_INVOKE)'),
      expect.stringContaining('pubsub pubsu is not found. Name one that is loaded'),
    ]);
  } finally {
    await product.kill();
  }
}, 60_000);
