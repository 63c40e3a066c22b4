// Settings: defaults, what each takes and refuses, text from a command line.
import fc from 'fast-check';
import { EVENT_ROUTER_DEFAULTS } from '../../core/contract/event-router/settings.ts';
import { describe, expect, test } from 'vitest';
import {
  SETTINGS,
  SETTING_KEYS,
  checkSetting,
  describeUnknown,
  defaultSettings,
  parseSettingText,
} from '../../core/host/setting-table.ts';

const RETRY = { maxAttempts: 10, firstDelayMs: 100, factor: 1.5, maxDelayMs: 5000, jitter: 0 };

test('the settings have these defaults', () => {
  expect(defaultSettings()).toEqual({
    'delivery.retry': RETRY,
    'delivery.retryByTopic': {},
    'delivery.attemptTimeoutMs': 60_000,
    'delivery.concurrency': 10,
    'delivery.defaultTtlSeconds': 0,
    'delivery.backlog': 100_000,
    'delivery.backlogBytes': 1_073_741_824,
    'delivery.bulkBytes': 16_777_216,
    'app.address': {},
    'app.maxConcurrency': 0,
    'app.health': { enabled: false, path: '/healthz', intervalMs: 5000, timeoutMs: 500, threshold: 3 },
    'discovery.again': 'on-reconnect',
    'http.maxBodyBytes': 4_194_304,
    'http.allowedOrigins': ['loopback'],
    'journal.sync': 'full',
    'storage.maxMessages': 100_000,
    'storage.maxBytes': 1_073_741_824,
    'storage.maxDays': 7,
    eventRouter: EVENT_ROUTER_DEFAULTS,
  });
});

test.each(SETTING_KEYS)('%s accepts its own default', (key) => {
  expect(checkSetting(key as string, SETTINGS[key].default)).toEqual({
    ok: true,
    value: SETTINGS[key].default,
  });
});

describe('values', () => {
  test.each([
    ['delivery.retry', { maxAttempts: 0 }, { ...RETRY, maxAttempts: 0 }],
    ['delivery.retry', {}, RETRY],
    ['delivery.retryByTopic', { 'pubsub/a/b': { factor: 1 } }, { 'pubsub/a/b': { factor: 1 } }],
    ['delivery.attemptTimeoutMs', 0, 0],
    [
      'app.health',
      { enabled: true },
      { enabled: true, path: '/healthz', intervalMs: 5000, timeoutMs: 500, threshold: 3 },
    ],
    ['http.allowedOrigins', ['http://localhost:3000', 'loopback'], ['http://localhost:3000', 'loopback']],
    ['http.allowedOrigins', ['http://[::1]:1'], ['http://[::1]:1']],
    ['app.address', { app: 'http://127.0.0.1:8080' }, { app: 'http://127.0.0.1:8080' }],
    ['storage.maxDays', 0.5, 0.5],
  ])('%s accepts %j', (key, value, taken) => {
    expect(checkSetting(key, value)).toEqual({ ok: true, value: taken });
  });

  test.each([
    ['delivery.retry', 5, undefined],
    ['delivery.retry', { maxAttempts: -1 }, 'maxAttempts'],
    ['delivery.retry', { maxAttempts: 1e12 }, 'maxAttempts'],
    ['delivery.retry', { factor: 0.5 }, 'factor'],
    ['delivery.retry', { jitter: 2 }, 'jitter'],
    ['delivery.retry', { firstDelayMs: 2 ** 31 }, 'firstDelayMs'],
    ['delivery.retry', { attempts: 3 }, 'attempts'],
    ['delivery.retryByTopic', { orders: {} }, 'orders'],
    ['delivery.retryByTopic', { 'p/t': { factor: 'x' } }, 'p/t.factor'],
    ['delivery.concurrency', 0, undefined],
    ['delivery.concurrency', 1.5, undefined],
    ['delivery.concurrency', '10', undefined],
    ['delivery.concurrency', Number.NaN, undefined],
    ['app.health', { path: 'x' }, 'path'],
    ['app.health', { intervalMs: 100 }, undefined],
    ['discovery.again', 'always', undefined],
    ['http.allowedOrigins', 'loopback', undefined],
    ['http.allowedOrigins', ['http://a/path'], '[0]'],
    ['journal.sync', true, undefined],
    ['storage.maxMessages', 999, undefined],
    ['storage.maxMessages', null, undefined],
  ])('%s refuses %j', (key, value, field) => {
    const result = checkSetting(key, value);
    expect(result).toMatchObject({
      ok: false,
      complaint: { expected: expect.any(String) as unknown, found: expect.any(String) as unknown },
    });
    expect(result.ok ? undefined : result.complaint.field).toBe(field);
  });

  const many = 1001;
  const ofTopics = (value: unknown): object =>
    Object.fromEntries(Array.from({ length: many }, (_, n) => [`pubsub/${n}`, value]));
  test.each([
    ['http.allowedOrigins', Array.from({ length: many }, () => 'http://a'), 'elements', undefined],
    ['http.allowedOrigins', [`http://${'a'.repeat(4096)}`], 'characters', '[0]'],
    ['delivery.retryByTopic', ofTopics({}), 'members', undefined],
    [
      'delivery.retryByTopic',
      { [`pubsub/${'t'.repeat(4096)}`]: {} },
      'characters',
      `pubsub/${'t'.repeat(93)}…`,
    ],
    ['app.address', ofTopics('http://127.0.0.1:1'), 'members', undefined],
    ['app.address', { app: `http://127.0.0.1:1/${'a'.repeat(4096)}` }, 'characters', 'app'],
    ['app.health', { path: `/${'a'.repeat(4096)}` }, 'characters', 'path'],
    ['eventRouter', { audiences: Array.from({ length: many }, () => 'a') }, 'elements', 'audiences'],
    ['eventRouter', { trust: { extraCaFiles: ['a'.repeat(4097)] } }, 'characters', 'trust.extraCaFiles[0]'],
    ['eventRouter', { listen: { topicPorts: ofTopics(1) } }, 'members', 'listen.topicPorts'],
  ])('%s refuses what is too much, with the limit', (key, value, of, field) => {
    const result = checkSetting(key, value);
    const limit = of === 'characters' ? 'at most 4,096 characters' : `at most 1,000 ${of}`;
    expect(result).toMatchObject({ ok: false, complaint: { expected: expect.stringContaining(limit) } });
    const { found = '', field: at } = result.ok ? {} : result.complaint;
    expect(found).toMatch(new RegExp(`^[\\d,]+ ${of}`));
    expect(at).toBe(field);
  });

  test('a complaint repeats little of what is too long', () => {
    const name = 'x'.repeat(100_000);
    for (const complaint of [
      checkSetting('delivery.retry', { [name]: 1 }),
      checkSetting('app.address', { [name]: 'http://127.0.0.1:1' }),
      checkSetting('eventRouter', {
        ingress: { rules: [{ host: name.slice(0, 4000), path: 'x', upstream: 'x' }] },
      }),
    ])
      expect(JSON.stringify(complaint).length).toBeLessThan(2000);
  });

  test('an app named __proto__ keeps its address', () => {
    const value: unknown = JSON.parse('{"__proto__":"http://127.0.0.1:8080"}');
    const result = checkSetting('app.address', value);
    expect(result.ok && Object.entries(result.value)).toEqual([['__proto__', 'http://127.0.0.1:8080']]);
  });

  test('a complaint says what was expected and found', () => {
    expect(checkSetting('delivery.concurrency', 0)).toEqual({
      ok: false,
      complaint: { expected: 'a whole number from 1 to 10,000', found: 'the number 0' },
    });
  });

  test('the complaint about an object names the member', () => {
    expect(checkSetting('delivery.retry', { maxAttempts: -1 })).toEqual({
      ok: false,
      complaint: {
        field: 'maxAttempts',
        expected: 'a whole number from 0 to 1,000,000',
        found: 'the number -1 in maxAttempts',
      },
    });
  });

  test('the complaint about an unknown member names it once', () => {
    const checked = checkSetting('delivery.retry', { maxAtempts: 3 });
    expect(checked.ok ? '' : checked.complaint.found).toBe('the member maxAtempts');
  });

  test('a mistyped group of a file is answered with the one that is meant', () => {
    expect(describeUnknown('delivrey')).toBe('unknown setting "delivrey", did you mean delivery?');
  });

  test('every number has a lowest and a highest value, and the complaint names both', () => {
    const numbers = SETTING_KEYS.filter((key) => typeof SETTINGS[key].default === 'number');
    const members = [
      ...(['maxAttempts', 'firstDelayMs', 'factor', 'maxDelayMs', 'jitter'] as const).map(
        (name) => ['delivery.retry', name] as const,
      ),
      ...(['intervalMs', 'timeoutMs', 'threshold'] as const).map((name) => ['app.health', name] as const),
    ];
    const wrong = (value: number) => [
      ...numbers.map((key) => checkSetting(key as string, value)),
      ...members.map(([key, name]) => checkSetting(key, { [name]: value })),
    ];
    expect(numbers.length + members.length).toBeGreaterThan(15);
    for (const result of [...wrong(1e15), ...wrong(-1)])
      expect(result).toMatchObject({
        ok: false,
        complaint: { expected: expect.stringMatching(/^a (whole )?number from \S+ to \S+$/) as unknown },
      });
  });

  test('an unknown key is refused, a near one is named', () => {
    expect(checkSetting('Delivery.Retry', {})).toMatchObject({
      complaint: { expected: 'delivery.retry (did you mean it?)' },
    });
    expect(checkSetting('delivery.concurency', 1)).toMatchObject({
      complaint: {
        expected: 'delivery.concurrency (did you mean it?)',
        found: 'the key delivery.concurency',
      },
    });
    expect(checkSetting('constructor', 1)).toMatchObject({ ok: false });
    expect(checkSetting('nope', 1)).toMatchObject({ complaint: { found: 'the key nope' } });
  });

  test('property: any value is accepted or refused without throwing, and accepted values stay the same', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SETTING_KEYS),
        fc.oneof(fc.jsonValue(), fc.constant(undefined)),
        (key, value) => {
          const first = checkSetting(key as string, value);
          expect(first.ok ? checkSetting(key as string, first.value) : first).toEqual(first);
        },
      ),
    );
  });
});

describe('text of a command line', () => {
  test.each([
    ['delivery.retry', '{"maxAttempts":3}', { ...RETRY, maxAttempts: 3 }],
    ['delivery.concurrency', '1', 1],
    ['journal.sync', 'normal', 'normal'],
    ['journal.sync', '"normal"', 'normal'],
    ['http.allowedOrigins', 'http://a,http://b:1', ['http://a', 'http://b:1']],
    ['http.allowedOrigins', '["http://a"]', ['http://a']],
    [
      'app.health',
      '{"enabled":true,"path":"/h"}',
      { enabled: true, path: '/h', intervalMs: 5000, timeoutMs: 500, threshold: 3 },
    ],
  ])('%s=%s is read', (key, text, value) => {
    expect(checkSetting(key, parseSettingText(key, text))).toEqual({ ok: true, value });
  });

  test.each([
    ['delivery.concurrency', 'ten'],
    ['delivery.retry', '{"maxAttempts":'],
    ['nope', '1'],
    ['journal.sync', ''],
  ])('%s=%s is refused', (key, text) => {
    expect(checkSetting(key, parseSettingText(key, text)).ok).toBe(false);
  });
});
