/** Calls of each method to the runtime, the mock app, the settings and the component files. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Console } from '../../core/console/console.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import type { Bench } from './bench.ts';

let bench: Bench;
let console: Console;
beforeEach(() => {
  bench = makeBench(new ManualClock());
  console = new Console(bench.deps);
});

async function call(method: string, params: unknown = {}): Promise<unknown> {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return JSON.parse((await console.answer(text, new AbortController().signal)) ?? '');
}

async function result(method: string, params: unknown = {}): Promise<unknown> {
  const answer = await call(method, params);
  expect(answer).toHaveProperty('result');
  return answer !== null && typeof answer === 'object' && 'result' in answer ? answer.result : undefined;
}

describe('publish', () => {
  const base = { pubsubname: 'pubsub', topic: 'orders' };

  test.each([
    ['a string as it is', { data: 'text' }, { body: 'text' }],
    ['a string with its content type', { data: '1', contentType: 'a/b' }, { body: '1', contentType: 'a/b' }],
    ['a value as JSON', { data: { a: [1] } }, { body: '{"a":[1]}', contentType: 'application/json' }],
    ['null as JSON', { data: null }, { body: 'null', contentType: 'application/json' }],
    ['a value under another type', { data: 1, contentType: 'a/b' }, { body: '1', contentType: 'a/b' }],
    ['bytes', { dataBase64: '/wA=' }, { body: Buffer.from([255, 0]) }],
    ['for an app', { data: '', appId: 'b' }, { body: '', appId: 'b' }],
  ])('messages.publish with %s', async (_name, params, request) => {
    await result('messages.publish', { ...base, ...params, metadata: { a: 'b' } });
    expect(bench.runtime.calls).toEqual([
      { method: 'publish', args: [{ ...base, ...request, metadata: { a: 'b' } }] },
    ]);
  });

  test.each([
    [{}, 'data', 'data or dataBase64'],
    [{ data: 1, dataBase64: 'AA==' }, 'dataBase64', 'either data or dataBase64'],
    [{ dataBase64: 'not base64' }, 'dataBase64', 'base64'],
    [{ dataBase64: 'AAA' }, 'dataBase64', 'base64'],
  ])('%j is refused', async (params, field, expected) => {
    expect(await call('messages.publish', { ...base, ...params })).toMatchObject({
      error: { code: -32602, data: { code: 'INVALID_PARAMS', field, expected } },
    });
    expect(bench.runtime.calls).toEqual([]);
  });

  test('megabytes of base64 are read', async () => {
    const dataBase64 = Buffer.alloc(4_000_000, 1).toString('base64');
    await result('messages.publish', { ...base, dataBase64 });
    expect(bench.runtime.calls).toHaveLength(1);
  });

  test('a preview is text, or base64 where the bytes are no text, and publishes nothing', async () => {
    const problems = [{ message: 'The event is not a JSON object.' }];
    const rest = { contentType: 'text/plain', flags: [], problems, subscriptions: [] };
    expect(await result('messages.preview', { ...base, data: 'é' })).toEqual({ text: 'é', ...rest });
    expect(await result('messages.preview', { ...base, dataBase64: 'w6k=' })).toEqual({ text: 'é', ...rest });
    expect(await result('messages.preview', { ...base, dataBase64: '/wA=' })).toEqual({
      base64: '/wA=',
      ...rest,
    });
    expect(new Set(bench.runtime.calls.map(({ method }) => method))).toEqual(new Set(['explainRoutes']));
  });

  test.each([
    ['a valid event', { specversion: '1.0', id: '1', source: 'shop', type: 't' }, {}, []],
    [
      'attributes that a library refuses',
      { specversion: '1.0', id: '1', source: 'shop', type: 't', 'my-team': 'n', time: 'noon' },
      {},
      ['my-team', 'time'],
    ],
    ['a raw payload', { total: 1 }, { rawPayload: 'true' }, []],
    [
      'more problems than are listed',
      Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`a-${n}`, n])),
      {},
      ['id', 'source', 'specversion', 'type', ...Array.from({ length: 16 }, (_, n) => `a-${n}`)],
    ],
  ])('a preview says what a CloudEvents library would refuse: %s', async (_name, data, metadata, fields) => {
    expect(await result('messages.preview', { ...base, data, metadata })).toMatchObject({
      problems: fields.map((field) => ({ field })),
    });
  });

  test('bulk hands the entries on as JSON', async () => {
    const entries = [{ entryId: '1', event: { a: 1 }, contentType: 'application/json' }];
    await result('messages.publishBulk', { ...base, entries });
    expect(bench.runtime.calls).toEqual([
      { method: 'publishBulk', args: [{ ...base, body: JSON.stringify(entries), metadata: {} }] },
    ]);
  });
});

describe('messages', () => {
  test('list pages through, newest first', async () => {
    for (let n = 0; n < 5; n += 1) await bench.runtime.accept();
    const first = await result('messages.list', { limit: 2 });
    expect(first).toMatchObject({ items: [{ number: 5 }, { number: 4 }], total: 5 });
    const cursor =
      first !== null && typeof first === 'object' && 'nextCursor' in first ? first.nextCursor : '';
    expect(await result('messages.list', { limit: 500, cursor })).toMatchObject({
      items: [{ number: 3 }, { number: 2 }, { number: 1 }],
      nextCursor: null,
    });
    expect(await result('messages.list', { order: 'oldest', limit: 1 })).toMatchObject({
      items: [{ number: 1 }],
    });
  });

  test('list filters', async () => {
    await bench.runtime.accept({ topic: 'orders' });
    await bench.runtime.accept({ topic: 'refunds' });
    expect(await result('messages.list', { filter: 'topic:refunds' })).toMatchObject({
      items: [{ topic: 'refunds' }],
      total: 1,
    });
  });

  test('an update has to change something', async () => {
    await bench.runtime.accept();
    await result('messages.update', { messageId: 'msg_1', note: '' });
    expect(bench.runtime.calls).toEqual([{ method: 'updateMessage', args: ['msg_1', { note: '' }] }]);
    expect(await call('messages.update', { messageId: 'msg_1' })).toMatchObject({
      error: { message: 'Nothing to change: expected one of pinned, note, tags, read' },
    });
  });

  test('replay hands on its changes', async () => {
    await result('messages.replay', { messageId: 'm', changes: { topic: 't' }, to: 'topic' });
    expect(bench.runtime.calls).toEqual([{ method: 'replay', args: ['m', { topic: 't' }, 'topic'] }]);
  });
});

describe('deliveries and holds', () => {
  test.each([
    ['retry', {}, []],
    ['drop', {}, []],
    ['hold', {}, []],
    ['release', { changes: { topic: 't' }, answer: { kind: 'hang' } }, [{ topic: 't' }, { kind: 'hang' }]],
    ['deadLetter', { topic: 't' }, ['t']],
  ])('%s takes one, several, a filter or a message', async (act, more, args) => {
    for (const target of [
      { deliveryId: 'd' },
      { deliveryIds: ['d', 'e'] },
      { filter: 'state:parked' },
      { filter: 'state:parked', upTo: 7 },
      { messageId: 'm' },
    ]) {
      bench.runtime.calls.length = 0;
      expect(await result(`deliveries.${act}`, { ...target, ...more })).toEqual({ changed: 1 });
      expect(bench.runtime.calls).toEqual([{ method: act, args: [target, ...args] }]);
    }
  });

  test.each([
    [{}, 'Expected exactly one of deliveryId, deliveryIds, filter, messageId, got none'],
    [
      { deliveryId: 'd', filter: '' },
      'Expected exactly one of deliveryId, deliveryIds, filter, messageId, got deliveryId, filter',
    ],
    [{ deliveryId: 'd', upTo: 7 }, 'upTo can only be given with filter'],
  ])('%j names no deliveries', async (params, message) => {
    expect(await call('deliveries.retry', params)).toMatchObject({
      error: { message, data: { code: 'INVALID_PARAMS' } },
    });
    expect(bench.runtime.calls).toEqual([]);
  });

  test('a filter with a mistake acts on nothing', async () => {
    expect(await call('deliveries.drop', { filter: '(' })).toMatchObject({
      error: { data: { code: 'FILTER_SYNTAX' } },
    });
    expect(await call('holds.add', { at: 'delivery', filter: '(' })).toMatchObject({
      error: { data: { code: 'FILTER_SYNTAX' } },
    });
    expect(await call('holds.update', { holdId: 'h', filter: '(' })).toMatchObject({
      error: { data: { code: 'FILTER_SYNTAX' } },
    });
    expect(bench.runtime.calls).toEqual([]);
  });

  test('holds.add, update, remove and restore call the runtime with the checked parameters', async () => {
    const hold = { at: 'delivery', filter: 'topic:a', times: 2 };
    await result('holds.add', hold);
    await result('holds.update', { holdId: 'h', enabled: false });
    await result('holds.remove', { holdId: 'h' });
    await result('holds.remove', { holdId: 'h', release: true });
    await result('holds.restore', { holdId: 'h' });
    expect(bench.runtime.calls).toEqual([
      { method: 'addHold', args: [hold] },
      { method: 'updateHold', args: ['h', { enabled: false }] },
      { method: 'removeHold', args: ['h', false] },
      { method: 'removeHold', args: ['h', true] },
      { method: 'restoreHold', args: ['h'] },
    ]);
  });
});

describe('large values', () => {
  const large = { text: 'x'.repeat(300_000) };
  const base = { pubsubname: 'pubsub', topic: 'orders' };
  const answer = { kind: 'respond', status: 200, body: large };
  const entry = { entryId: '1', event: large, contentType: 'application/json' };

  test.each([
    ['mockApp.setRules', 1, { rules: [{ match: {}, answer }] }],
    ['drafts.set', 1, { drafts: large }],
  ])(
    'other work goes on between the pieces of %s, of which %i are written',
    async (method, count, params) => {
      const order: string[] = [];
      const piece = (name: string): void => {
        order.push(name);
        setImmediate(() => order.push('other work'));
        const until = performance.now() + 10;
        while (performance.now() < until);
      };
      const write = JSON.stringify;
      const given = vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => {
        const text = write(value) as string | undefined;
        const isMore = order.filter((one) => one === 'written').length < count;
        if ((text?.length ?? 0) > 300_000 && isMore) piece('written');
        return text as string;
      });
      onTestFinished(() => given.mockRestore());
      const mockApp: typeof bench.deps.mockApp = (appId) => {
        const app = bench.deps.mockApp(appId);
        return app && { ...app, checkRules: () => piece('written') };
      };
      const slow = new Console({ ...bench.deps, mockApp });
      const text = write({ jsonrpc: '2.0', id: 1, method, params });
      expect(await slow.answer(text, new AbortController().signal)).toContain('"result"');
      const expected = Array.from({ length: count }, () => ['written', 'other work']).flat();
      expect(order.slice(0, expected.length)).toEqual(expected);
    },
  );

  test.each([
    ['messages.publish', { ...base, data: large }],
    ['messages.publishBulk', { ...base, entries: [entry, { ...entry, entryId: '2' }] }],
  ])('%s carries a large payload as its text, and never writes it', async (method, params) => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const write = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => write.mockRestore());
    expect(await new Console(bench.deps).answer(text, new AbortController().signal)).toContain('"result"');
    const lengths = write.mock.results.map(({ value }) => (value as string | undefined)?.length ?? 0);
    expect(lengths.filter((length) => length >= 300_000)).toEqual([]);
  });
});

describe('mock app', () => {
  test('subscriptions are served and discovered again', async () => {
    const subscriptions = [{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }];
    expect(await result('mockApp.setSubscriptions', { subscriptions })).toMatchObject({
      appId: 'app',
      problems: [],
    });
    expect(bench.saved.get('subscriptions')).toEqual(subscriptions);
    expect(bench.runtime.calls).toEqual([{ method: 'discover', args: ['app'] }]);
  });

  test('mockApp.setRules and usePreset are stored, and the lists of the mock app are pages', async () => {
    const rules = [{ enabled: true, match: {}, answer: { kind: 'hang' } }];
    expect(await result('mockApp.setRules', { rules })).toMatchObject({ appId: 'app' });
    await result('mockApp.usePreset', { preset: 'S4' });
    expect(bench.saved.get('rules')).toEqual(rules);
    expect(bench.saved.get('preset')).toBe('S4');
    expect(await result('mockApp.presets')).toEqual({ items: [], nextCursor: null });
    expect(await result('mockApp.waiting')).toEqual({ items: [], nextCursor: null });
    expect(await result('mockApp.get')).toMatchObject({ url: 'http://127.0.0.1:6001' });
  });

  test.each(['get', 'presets', 'waiting'])('mockApp.%s refuses an app without a mock app', async (method) => {
    expect(await call(`mockApp.${method}`, { appId: 'real' })).toMatchObject({
      error: {
        code: -32004,
        message: 'There is no mock app real.',
        data: { code: 'NOT_FOUND', field: 'appId' },
      },
    });
  });

  test('samples.add and remove return what they added and removed', async () => {
    expect(await result('samples.add')).toEqual({ added: ['hold'], messageIds: ['msg_1'] });
    expect(await result('samples.remove')).toEqual({ removed: ['hold'] });
  });
});

describe('the rest', () => {
  test('components.list, validate, save, read, reveal and reload answer from the folder', async () => {
    const loaded = { items: [], nextCursor: null, problems: [], files: [] };
    expect(await result('components.list')).toEqual({ ...loaded, folder: '/components' });
    expect(await result('components.validate', { file: 'a.yaml', text: '' })).toMatchObject({
      problems: [{ line: 1 }],
    });
    expect(await result('components.save', { file: 'a.yaml', text: 'x: 1' })).toEqual({ problems: [] });
    expect(await result('components.read', { file: 'a.yaml' })).toEqual({ file: 'a.yaml', text: 'x: 1' });
    expect(await result('components.reveal', { file: 'a.yaml' })).toBeNull();
    expect(bench.revealed).toEqual(['/components/a.yaml']);
    expect(await result('components.reload')).toEqual(loaded);
  });

  test('settings.set returns the changed setting and refuses an unknown key', async () => {
    expect(await result('settings.set', { key: 'a.b', value: null })).toEqual({
      items: [{ key: 'a.b', value: null, origin: 'here' }],
    });
    expect(await call('settings.set', { key: 'nope', value: 1 })).toMatchObject({
      error: { code: -32602, data: { field: 'key' } },
    });
  });

  test('health.call and simulate, verdict.explain, logs.list and system.link answer', async () => {
    expect(await result('health.call', { appId: 'b', probe: 'outbound' })).toMatchObject({ status: 204 });
    expect(await result('health.simulate', { appId: 'b', healthy: false })).toMatchObject({
      appId: 'b',
      simulated: false,
    });
    expect(await result('verdict.explain', { kind: 'single', status: 404 })).toEqual({
      state: 'dropped',
      rule: 'single.404',
    });
    expect(await result('logs.list', { level: 'warn', filter: 'part:http' })).toEqual({
      items: [],
      nextCursor: null,
    });
    expect(await call('logs.list', { filter: 'topic:a' })).toMatchObject({
      error: { data: { code: 'FILTER_SYNTAX' } },
    });
    expect(await result('system.link')).toEqual({ url: 'http://127.0.0.1:3580/open?key=one-time' });
  });

  test('lists of a product without data are empty', async () => {
    for (const method of ['topics.list', 'apps.list', 'holds.list'])
      expect(await result(method)).toEqual({ items: [], nextCursor: null });
    expect(await result('subscriptions.list')).toEqual({
      items: [],
      nextCursor: null,
      discovery: [],
      problems: [],
    });
    expect(await result('subscriptions.discover', { appId: 'b' })).toEqual({
      subscriptions: [],
      problems: [],
      discovery: [],
    });
    expect(await result('routes.explain', { pubsubname: 'p', topic: 't', event: {} })).toEqual({
      subscriptions: [],
    });
    expect(await result('metrics.get')).toMatchObject({ published: 0 });
  });

  test('filter.check reports a mistake, and filter.complete offers values and paths', async () => {
    await bench.runtime.accept({ eventType: 'com.acme.order' }, { total: 5, lines: [{ sku: 'a' }] });
    expect(await result('filter.check', { filter: 'topic:a' })).toEqual({ ok: true });
    expect(await result('filter.check', { filter: 'topik:a' })).toMatchObject({
      ok: false,
      error: { position: 1, suggestion: 'topic', message: expect.stringContaining('topik') },
    });
    expect(await result('filter.complete', { filter: 'type:', cursor: 5 })).toMatchObject({
      items: [{ label: 'com.acme.order' }],
    });
    expect(await result('filter.complete', { filter: 'data.', cursor: 5 })).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ insert: expect.stringContaining('data.total') }),
        expect.objectContaining({ insert: expect.stringContaining('data.lines[0].sku') }),
      ]),
    });
  });

  test('filter.check means the members that payloads have, in quotes where all of them are texts', async () => {
    await bench.runtime.accept({}, { order: { total: 5, code: '7', mixed: '7' } });
    await bench.runtime.accept({}, { order: { total: 6, code: '8', mixed: 8 } });
    const meantBy = async (filter: string): Promise<unknown> =>
      ((await result('filter.check', { filter })) as { readonly meant?: string }).meant;
    expect(await meantBy('total>4')).toBe('data.order.total>4');
    expect(await meantBy('data.order.code:7')).toBe('data.order.code:"7"');
    expect(await meantBy('data.order.mixed:7')).toBeUndefined();
  });

  test('filter.complete reads at most 1 MiB of the newest bodies', async () => {
    await bench.runtime.accept({ sizeBytes: 200 }, { small: 1 });
    await bench.runtime.accept({ sizeBytes: 2_000_000 }, { large: 1 });
    await bench.runtime.accept({ sizeBytes: 800_000 }, { first: 1 });
    await bench.runtime.accept({ sizeBytes: 800_000 }, { newest: 1 });
    const { items } = (await result('filter.complete', { filter: 'data.', cursor: 5 })) as {
      items: readonly { label: string }[];
    };
    expect(items.map(({ label }) => label)).toEqual(['data.newest', 'data.small']);
  });

  test.each(['stream.open', 'stream.ack', 'stream.close'])(
    '%s needs a carrier that can push',
    async (method) => {
      const params = method === 'stream.ack' ? { sequence: 1 } : {};
      expect(await call(method, params)).toMatchObject({
        error: { code: -32601, message: `There is no method ${method}.`, data: { code: 'METHOD_NOT_FOUND' } },
      });
    },
  );
});
