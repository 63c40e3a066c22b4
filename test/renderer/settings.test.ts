/** Settings: waits in words, fields and values, sections, search. */
import { describe, expect, test } from 'vitest';
import type { SettingItem } from '../../core/contract/settings.ts';
import { SETTING_KEYS, defaultSettings } from '../../core/host/setting-table.ts';
import { SETTING_TEXTS, SETTING_WORDS } from '../../renderer/copy/settings.ts';
import { numberText, readNumber } from '../../renderer/format/written-number.ts';
import {
  isTopicKey,
  readJson,
  readLines,
  readPolicy,
  readTopic,
  retryTexts,
  topicDrafts,
} from '../../renderer/views/settings/drafts.ts';
import { routerWordsOf } from '../../renderer/views/settings/EventRouterSetting.tsx';
import { topicWords } from '../../renderer/views/settings/RetryByTopic.tsx';
import { retryText, wholeWait, type Policy } from '../../renderer/views/settings/retry-words.ts';
import {
  binarySize,
  easierText,
  findSettings,
  kindOf,
  meantSearch,
  sectionOf,
} from '../../renderer/views/settings/setting-kinds.ts';

const DEFAULT: Policy = { maxAttempts: 10, firstDelayMs: 100, factor: 1.5, maxDelayMs: 5000, jitter: 0 };

describe('the waits of a retry policy', () => {
  test('together are the sum, also past the longest wait', () => {
    expect(Math.round(wholeWait(DEFAULT))).toBe(7489);
    expect(wholeWait({ ...DEFAULT, factor: 2, maxDelayMs: 300, maxAttempts: 6 })).toBe(
      100 + 200 + 300 + 300 + 300,
    );
    expect(wholeWait({ ...DEFAULT, maxAttempts: 0 })).toBe(Number.POSITIVE_INFINITY);
    expect(wholeWait({ ...DEFAULT, factor: 1, maxAttempts: 1_000_000_001 })).toBe(100_000_000_000);
    expect(Math.round(wholeWait({ ...DEFAULT, maxAttempts: 11 }))).toBe(7489 + 3844);
    expect(Math.round(wholeWait({ ...DEFAULT, maxAttempts: 13 }))).toBe(7489 + 3844 + 2 * 5000);
  });

  test('of nothing together are nothing, at once also for a billion attempts', () => {
    expect(wholeWait({ ...DEFAULT, firstDelayMs: 0, maxAttempts: 1_000_000_001 })).toBe(0);
  });

  test('that hardly grow are summed at once for a billion attempts', () => {
    expect(wholeWait({ ...DEFAULT, factor: 1 + 1e-9, maxAttempts: 1_000_000_001 })).toBeCloseTo(1.718e11, -9);
  });

  test.each<[Partial<Policy>, string]>([
    [
      {},
      'Waits: 100 ms, 150 ms, 225 ms … 2.6 s. The last of 10 attempts starts 7.5 s after the first failure, not counting the calls themselves.',
    ],
    [
      { maxAttempts: 5, factor: 2 },
      'Waits: 100 ms, 200 ms, 400 ms, 800 ms. The last of 5 attempts starts 1.5 s after the first failure, not counting the calls themselves.',
    ],
    [
      { maxAttempts: 3, factor: 2 },
      'Waits: 100 ms, 200 ms. The last of 3 attempts starts 300 ms after the first failure, not counting the calls themselves.',
    ],
    [
      { maxAttempts: 2, factor: 1 },
      'Waits: 100 ms. The last of 2 attempts starts 100 ms after the first failure, not counting the calls themselves.',
    ],
    [
      { maxAttempts: 5, firstDelayMs: 2000, factor: 1 },
      'Waits: 4 times 2 s. The last attempt starts 8 s after the first failure, not counting the calls themselves.',
    ],
    [{ maxAttempts: 1 }, 'One attempt only: nothing is retried.'],
    [{ maxAttempts: 0 }, 'Waits: 100 ms, 150 ms, 225 ms …, then 5 s each time, with no limit.'],
    [{ maxAttempts: 0, firstDelayMs: 0 }, 'Waits: 0 ms each time, with no limit.'],
    [
      { maxAttempts: 0, factor: 1, jitter: 0.2 },
      'Waits: 100 ms each time, with no limit. Each wait is up to 20 % shorter or longer.',
    ],
  ])('the waits of %j are described in words', (change, words) => {
    expect(retryText({ ...DEFAULT, ...change })).toBe(words);
  });
});

describe('fields and values', () => {
  test('a policy is read back unchanged', () => {
    expect(readPolicy(retryTexts(DEFAULT))).toEqual(DEFAULT);
    expect(readPolicy({ ...retryTexts(DEFAULT), factor: 'x' })).toBeUndefined();
    expect(readPolicy({ ...retryTexts(DEFAULT), jitter: '' })).toBeUndefined();
  });

  test('a topic keeps only the members it sets', () => {
    const value = { 'pubsub/payments': { maxAttempts: 2, firstDelayMs: 200 }, 'pubsub/a/b': {} };
    const drafts = topicDrafts(value);
    expect(Object.fromEntries(drafts.map((each) => [each.topic, readTopic(each)]))).toEqual(value);
    expect(readTopic({ topic: 'pubsub/a', texts: { ...retryTexts({}), jitter: 'no' } })).toBeUndefined();
  });

  test('invalid numbers, lines and JSON have their mistake', () => {
    expect(readNumber(' 12.5 ')).toEqual({ ok: true, value: 12.5 });
    expect(readNumber('-1')).toEqual({ ok: true, value: -1 });
    expect(readNumber('1,0')).toEqual({ ok: false, mistake: 'Not a number.' });
    expect(readNumber('1e')).toEqual({ ok: false, mistake: 'Not a number.' });
    expect(readNumber('.')).toEqual({ ok: false, mistake: 'Not a number.' });
    expect(readNumber('1e999')).toEqual({ ok: false, mistake: 'Not a number.' });
    expect(readNumber('')).toEqual({ ok: false, mistake: 'A value is missing.' });
  });

  test.each([
    ['.5', 0.5],
    ['-.5', -0.5],
    ['1e-3', 0.001],
    ['1e3', 1000],
    ['2.5E+2', 250],
  ])('a number may be written as %s', (text, value) => {
    expect(readNumber(text)).toEqual({ ok: true, value });
  });

  test('a number is read back from the text that shows it, however small it is', () => {
    for (const value of [1e-7, 0.000_01, 1e21]) {
      expect(readNumber(numberText(value, 'amount'))).toEqual({ ok: true, value });
    }
    expect(readNumber('.5 s', 'ms')).toEqual({ ok: true, value: 500 });
  });

  test('a number of a setting with a unit may have a larger one', () => {
    expect(readNumber('4 MiB', 'bytes')).toEqual({ ok: true, value: 4_194_304 });
    expect(readNumber('1.5gib', 'bytes')).toEqual({ ok: true, value: 1_610_612_736 });
    expect(readNumber('90 s', 'ms')).toEqual({ ok: true, value: 90_000 });
    expect(readNumber('2 min', 'seconds')).toEqual({ ok: true, value: 120 });
    expect(readNumber('2 d', 'ms')).toEqual({ ok: true, value: 172_800_000 });
    expect(readNumber('10 MiB')).toEqual({ ok: false, mistake: 'Not a number.' });
    expect(readNumber('4 MiB', 'ms')).toEqual({
      ok: false,
      mistake: 'Use a number of milliseconds, or a time such as 1.5 s.',
    });
    expect(readLines(' loopback \n\n http://a:1')).toEqual(['loopback', 'http://a:1']);
    expect(readJson('{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(readJson('{')).toEqual({ ok: false, mistake: 'Not valid JSON.' });
  });

  test.each([
    ['4.1 min', 'ms', 246_000],
    ['1.005 s', 'ms', 1005],
    ['2.2 h', 'seconds', 7920],
    ['1.1 MiB', 'bytes', 1_153_434],
    ['1,000', 'ms', 1000],
    ['1m', 'ms', 60_000],
  ] as const)('%s is a whole number of %s: %i', (text, unit, value) => {
    expect(readNumber(text, unit)).toEqual({ ok: true, value });
  });

  test('a part of the smallest unit stays for the host to refuse, and does not become 0', () => {
    expect(readNumber('1.5', 'ms')).toEqual({ ok: true, value: 1.5 });
    expect(readNumber('0.0001 s', 'ms')).toEqual({ ok: true, value: 0.1 });
  });

  test.each([
    [4_194_304, 'bytes', '4 MiB'],
    [1_073_741_824, 'bytes', '1 GiB'],
    [1_500_000, 'bytes', '1500000 B'],
    [90_000, 'ms', '90 s'],
    [60_000, 'ms', '1 min'],
    [150, 'ms', '150 ms'],
    [1.5, 'ms', '1.5 ms'],
    [7200, 'seconds', '2 h'],
    [0, 'seconds', '0'],
    [100_000, 'amount', '100000'],
  ] as const)('%d %s is shown as "%s", and is read back unchanged', (value, unit, text) => {
    expect(numberText(value, unit)).toBe(text);
    expect(readNumber(text, unit)).toEqual({ ok: true, value });
  });

  test('a topic has the name of its component before it', () => {
    expect(['pubsub/orders', ' pubsub/a/b '].map(isTopicKey)).toEqual([true, true]);
    expect(['orders', '/orders', 'pubsub/', 'a b/c'].map(isTopicKey)).toEqual([false, false, false, false]);
  });

  test('large numbers have easier words beside them', () => {
    expect(easierText(60_000, 'ms')).toBe('= 1 min');
    expect(easierText(500, 'ms')).toBeUndefined();
    expect(easierText(0, 'bytes')).toBeUndefined();
    expect(easierText(3600, 'seconds')).toBe('= 1 h');
    expect(easierText(100_000, 'amount')).toBe('= 100,000');
    expect([4_194_304, 1_073_741_824, 1536, 12].map(binarySize)).toEqual([
      '4 MiB',
      '1 GiB',
      '1.5 KiB',
      '12 B',
    ]);
  });
});

describe('all settings of the host', () => {
  const items: readonly SettingItem[] = Object.entries(defaultSettings()).map(([key, value]) => ({
    key,
    value,
    origin: 'default',
  }));

  test('have a title, a meaning and a field that fits', () => {
    expect(SETTING_KEYS.filter((key) => SETTING_TEXTS[key] === undefined)).toEqual([]);
    // Addresses stand on the cards of apps.
    expect(SETTING_KEYS.filter((key) => kindOf(key).kind === 'json')).toEqual(['app.address']);
    const ofWords = items.filter(({ key }) => kindOf(key).kind === 'words');
    expect(ofWords).not.toEqual([]);
    expect(
      ofWords.filter(({ key, value }) => !Object.keys(SETTING_WORDS[key] ?? {}).includes(String(value))),
    ).toEqual([]);
    expect(kindOf('from.another.version').kind).toBe('json');
  });

  test('stand in the section of their subject', () => {
    expect(
      [
        'delivery.retry',
        'app.health',
        'discovery.again',
        'journal.sync',
        'http.maxBodyBytes',
        'eventRouter',
      ].map(sectionOf),
    ).toEqual(['delivery', 'delivery', 'apps', 'storage', 'general', 'eventRouter']);
  });

  test('are found by key, title and meaning, all words together, and so are those of the window', () => {
    const keys = (text: string): readonly string[] => findSettings(items, text).items.map(({ key }) => key);
    expect(keys('maxConcurrency')).toEqual(['app.maxConcurrency']);
    expect(keys('TIME to live')).toEqual(['delivery.defaultTtlSeconds']);
    expect(keys('calls concurrent app')).toEqual(['app.maxConcurrency']);
    expect(keys('delivery.retryBy')).toEqual(['delivery.retryByTopic']);
    expect(keys('concurrency')).toEqual(['delivery.concurrency', 'app.maxConcurrency']);
    expect(keys('no such thing')).toEqual([]);
    expect(findSettings(items, 'expires')).toEqual({
      items: [],
      own: [{ section: 'eventRouter', title: 'When an event expires' }],
    });
    expect(findSettings(items, 'theme').own).toEqual([{ section: 'appearance', title: 'Theme' }]);
  });

  test.each([
    ['delivery.concurency', 'delivery.concurrency'],
    ['concurency', 'concurrency'],
    ['concurrnet app', 'concurrent app'],
    ['thmee', 'theme'],
    ['concurrency', undefined],
    ['no such thing', undefined],
    ['xq', undefined],
  ])('a search for "%s" probably means %s', (text, meant) => {
    expect(meantSearch(items, text)).toBe(meant);
  });
});

describe('a change of another window in words', () => {
  test('names topics with the limits that they set', () => {
    const topics = topicDrafts({ 'pubsub/a': { maxAttempts: 5, firstDelayMs: 2000 }, 'pubsub/b': {} });
    expect(topicWords(topics)).toBe('pubsub/a (Attempts 5, First wait 2 s), pubsub/b');
    expect(topicWords([])).toBe('');
  });

  test.each([
    ['handshakeAuth', 'none', 'Not checked'],
    ['cloud', '', 'none'],
    ['audiences', 'a\nb', 'a, b'],
    ['audiences', '', 'nothing'],
    ['routerApplicationId', 'some', undefined],
    ['unknown', 'some', undefined],
  ])('of the event router, %s as %j is %j', (member, other, words) => {
    expect(routerWordsOf({ member, other })).toBe(words);
  });
});
