// Discovery answers: accepted entries, entries refused alone, and problems.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import type { Subscription } from '../../core/contract/subscription.ts';
import { readDiscovery } from '../../core/domain/subscription.ts';

const sidecar = { appId: 'checkout', profile: PROFILES.sidecar };
const dapr = { appId: 'checkout', profile: PROFILES.dapr };
const base = { pubsubname: 'pubsub', topic: 'orders', route: '/orders' };

function one(element: unknown, options = sidecar): Subscription | undefined {
  return readDiscovery([element], options).subscriptions[0];
}

describe('discovery', () => {
  test.each([
    ['a topic', { topic: 'x'.repeat(16_385) }],
    ['a dead-letter topic', { deadLetterTopic: 'x'.repeat(16_385) }],
    ['a route', { route: `/${'x'.repeat(16_385)}` }],
    ['a route', { routes: { rules: [{ match: 'true', path: `/${'x'.repeat(16_385)}` }], default: '/a' } }],
  ])('%s that is too long for a row: this element alone is refused', (what, change) => {
    const { subscriptions, problems } = readDiscovery([{ ...base, ...change }, base], sidecar);
    expect(subscriptions).toHaveLength(1);
    const [{ message, severity } = { message: '', severity: '' }] = problems;
    expect(message).toMatch(new RegExp(`${what} has at most 16384 characters: actual are \\d+\\.$`));
    expect(message.length).toBeLessThan(17_000);
    expect(severity).toBe('error');
  });

  test('of many problems the first 100 are reported, and how many more there are', () => {
    const odd = { ...base, topic: 'other', metadata: { rawPayload: 'maybe' } };
    const { subscriptions, problems } = readDiscovery([...Array(4998).fill(null), base, odd], sidecar);
    expect(subscriptions.map(({ topic }) => topic)).toEqual(['orders', 'other']);
    expect(problems).toHaveLength(101);
    expect(problems[99]?.message).toBe('Subscription 100: must be an object, found null.');
    const message = 'The answer has 4,899 more problems, which are not listed.';
    expect(problems[100]).toEqual({ message, severity: 'error' });
    const twice = readDiscovery([...Array(102).fill(base), null], sidecar).problems;
    expect(twice[0]?.message).toBe('Subscription 103: must be an object, found null.');
    expect(twice.at(-1)).toEqual({
      message: 'The answer has 2 more problems, which are not listed.',
      severity: 'warning',
    });
    expect(readDiscovery(Array(102).fill(base), sidecar).problems.at(-1)?.message).toBe(
      'The answer has 1 more problem, which is not listed.',
    );
  });

  test('of many subscriptions the first 5,000 are taken, and those that were not are named', () => {
    const read = (count: number) =>
      readDiscovery(
        Array.from({ length: count }, (_, n) => ({ ...base, topic: `t${n}` })),
        sidecar,
      );
    expect(read(5000)).toMatchObject({ subscriptions: { length: 5000 }, problems: [] });
    const { subscriptions, problems } = read(40_000);
    expect([subscriptions.length, subscriptions.at(-1)?.topic]).toEqual([5000, 't4999']);
    expect(problems).toEqual([
      {
        code: 'unusable-subscription',
        message: 'Subscriptions 5,001 to 40,000 were ignored: an answer has at most 5,000 subscriptions.',
        severity: 'error',
      },
    ]);
    expect(read(5001).problems[0]?.message).toMatch(/^Subscription 5,001 was ignored: /);
  });

  test('a subscription with all members is read', () => {
    const element = {
      pubsubname: 'pubsub',
      topic: 'orders',
      routes: { rules: [{ match: 'event.type == order', path: 'a' }, { path: '/b' }], default: '/def' },
      metadata: { rawPayload: 'true', other: 'x' },
      bulkSubscribe: { enabled: true, maxMessagesCount: 3, maxAwaitDurationMs: 50 },
      deadLetterTopic: 'dead',
    };
    expect(readDiscovery([element], sidecar)).toEqual({
      subscriptions: [
        {
          appId: 'checkout',
          pubsubname: 'pubsub',
          topic: 'orders',
          source: 'programmatic',
          rules: [
            { match: 'event.type == order', path: '/a' },
            { match: '', path: '/b' },
          ],
          defaultPath: '/def',
          metadata: { rawPayload: 'true', other: 'x' },
          rawPayload: true,
          bulk: { maxMessagesCount: 3, maxAwaitDurationMs: 50 },
          deadLetterTopic: 'dead',
        },
      ],
      problems: [],
    });
  });

  test.each([
    [{ route: '/orders' }, '/orders'],
    [{ route: 'orders' }, '/orders'],
    [{ route: '/r', routes: { default: '/d' } }, '/d'],
    [{ route: '/r', routes: { default: '' } }, '/r'],
    [{ route: '/r', routes: null }, '/r'],
    [{ routes: { default: 'a//b' } }, '/a//b'],
  ])('%j goes to %s', (routes, path) => {
    const { route: _route, ...rest } = base;
    expect(one({ ...rest, ...routes })?.defaultPath).toBe(path);
  });

  test.each([
    [undefined, undefined, undefined],
    [null, undefined, undefined],
    [{ enabled: false }, undefined, undefined],
    [{}, { maxMessagesCount: 100, maxAwaitDurationMs: 1000 }, undefined],
    [{ enabled: null }, { maxMessagesCount: 100, maxAwaitDurationMs: 1000 }, undefined],
    [
      { enabled: true, maxMessagesCount: 0, maxAwaitDurationMs: -1 },
      { maxMessagesCount: 100, maxAwaitDurationMs: 1000 },
      { maxMessagesCount: 100, maxAwaitDurationMs: 1000 },
    ],
  ])('bulkSubscribe %j is read in each profile', (bulkSubscribe, inSidecar, inDapr) => {
    expect([one({ ...base, bulkSubscribe })?.bulk, one({ ...base, bulkSubscribe }, dapr)?.bulk]).toEqual([
      inSidecar,
      inDapr,
    ]);
  });

  test.each([
    [{ ...base, pubsubname: undefined }, 'pubsubname'],
    [{ ...base, topic: '' }, 'topic'],
    [{ ...base, topic: 5 }, 'topic'],
    [{ ...base, route: 5 }, 'route'],
    [{ ...base, routes: [] }, 'routes'],
    [{ ...base, routes: { rules: {} } }, 'routes.rules'],
    [{ ...base, routes: { rules: [null] } }, 'routes.rules[0]'],
    [{ ...base, routes: { rules: [{ path: 1 }] } }, 'routes.rules[0].path'],
    [{ ...base, routes: { rules: [{ match: 'event.type ==', path: '/a' }] } }, 'routes.rules[0].match'],
    [{ ...base, metadata: { rawPayload: true } }, 'metadata.rawPayload'],
    [{ ...base, metadata: 'x' }, 'metadata'],
    [{ ...base, bulkSubscribe: { enabled: 'yes' } }, 'bulkSubscribe.enabled'],
    [{ ...base, bulkSubscribe: { maxMessagesCount: 1.5 } }, 'bulkSubscribe.maxMessagesCount'],
    [{ ...base, bulkSubscribe: { maxMessagesCount: 2 ** 31 } }, 'bulkSubscribe.maxMessagesCount'],
    [{ ...base, deadLetterTopic: 5 }, 'deadLetterTopic'],
    ['text', undefined],
    [null, undefined],
  ])('%j is refused alone, naming the field', (bad, field) => {
    const { subscriptions, problems } = readDiscovery([{ ...base, topic: 'good' }, bad], sidecar);
    expect(subscriptions.map(({ topic }) => topic)).toEqual(['good']);
    expect(problems).toHaveLength(1);
    expect([problems[0]?.field, problems[0]?.severity]).toEqual([field, 'error']);
    expect(problems[0]?.message).toMatch(/^Subscription 2/);
  });

  test('subscriptions that cannot be used are counted, and each has one problem with code, topic and all misspelt members', () => {
    const read = readDiscovery(
      [
        base,
        { pubsubName: 'pubsub', topic: 'paid', route: '/paid' },
        { pubsubname: 'pubsub', topic: 'sent', rout: '/sent', deadLeterTopic: 'dead' },
        null,
        { ...base, topic: 'used', deadLeterTopic: 'dead' },
      ],
      sidecar,
    );
    expect(read.unused).toBe(3);
    const code = 'unusable-subscription';
    expect(read.problems.map((problem) => [problem.code, problem.topic, problem.message])).toEqual([
      [code, 'paid', 'Subscription 2 (paid): "pubsubName": did you mean "pubsubname"?'],
      [
        code,
        'sent',
        'Subscription 3 (sent): no route, no rules and no default: nothing can be delivered. rout is not read. Did you mean route? deadLeterTopic is not read. Did you mean deadLetterTopic?',
      ],
      [code, undefined, 'Subscription 4: must be an object, found null.'],
      [
        'NOT_READ',
        undefined,
        'Subscription 5 (used): deadLeterTopic is not read. Did you mean deadLetterTopic?',
      ],
    ]);
    expect(readDiscovery([base], sidecar)).not.toHaveProperty('unused');
    expect(readDiscovery(Array(5003).fill(null), sidecar).unused).toBe(5003);
  });

  test('a subscription without any route is no subscription, with an error', () => {
    const { subscriptions, problems } = readDiscovery(
      [{ pubsubname: 'p', topic: 't', routes: { rules: [] } }],
      sidecar,
    );
    expect([subscriptions, problems[0]?.severity]).toEqual([[], 'error']);
  });

  test('member names are exact in profile sidecar, with a hint; any case in profile dapr', () => {
    const dotnet = { pubsubName: 'pubsub', topic: 'orders', route: 'orders' };
    const refused = readDiscovery([dotnet], sidecar);
    expect(refused.subscriptions).toEqual([]);
    expect(refused.problems[0]?.message).toContain('"pubsubName": did you mean "pubsubname"?');
    expect(one(dotnet, dapr)).toMatchObject({ pubsubname: 'pubsub', defaultPath: '/orders' });
    const ignored = readDiscovery([{ ...base, deadlettertopic: 'd' }], sidecar);
    expect(ignored.subscriptions[0]).not.toHaveProperty('deadLetterTopic');
    expect(ignored.problems).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('did you mean "deadLetterTopic"?') as unknown },
    ]);
  });

  test('a rawPayload that is quoted twice is read with a warning, and an unreadable one is kept with a warning', () => {
    const twice = readDiscovery([{ ...base, metadata: { rawPayload: '"true"' } }], sidecar);
    expect([twice.subscriptions[0]?.rawPayload, twice.problems.length]).toEqual([true, 1]);
    const bad = readDiscovery([{ ...base, metadata: { rawPayload: 'yes' } }], sidecar);
    expect(bad.subscriptions).toHaveLength(1);
    expect([bad.subscriptions[0]?.rawPayload, bad.problems[0]?.field]).toEqual([
      undefined,
      'metadata.rawPayload',
    ]);
  });

  test('the last of two subscriptions to a topic counts, with a warning', () => {
    const { subscriptions, problems } = readDiscovery([base, { ...base, route: '/second' }], sidecar);
    expect(subscriptions.map(({ defaultPath }) => defaultPath)).toEqual(['/second']);
    expect(problems.map(({ severity }) => severity)).toEqual(['warning']);
  });

  test.each([{}, 'x', 5, true, { subscriptions: [] }])(
    '%j is no array, which is one problem and no subscription',
    (body) => {
      const { subscriptions, problems } = readDiscovery(body, sidecar);
      expect([subscriptions.length, problems.length]).toEqual([0, 1]);
    },
  );

  test('null and [] are no subscriptions and no problem', () => {
    expect(readDiscovery(null, sidecar)).toEqual({ subscriptions: [], problems: [] });
    expect(readDiscovery([], sidecar)).toEqual({ subscriptions: [], problems: [] });
  });

  test('property: any JSON is read without throwing, each element a subscription or a problem', () => {
    const member = fc.constantFrom(
      'pubsubname',
      'topic',
      'route',
      'routes',
      'metadata',
      'bulkSubscribe',
      'deadLetterTopic',
      'Topic',
    );
    const element = fc.oneof(fc.dictionary(member, fc.oneof(fc.string(), fc.jsonValue())), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(element, { maxLength: 5 }), fc.constantFrom(sidecar, dapr), (body, options) => {
        const { subscriptions, problems } = readDiscovery(body, options);
        expect(subscriptions.length + problems.length).toBeGreaterThanOrEqual(Math.min(body.length, 1));
        for (const { rules, defaultPath } of subscriptions) {
          expect(
            [...rules.map(({ path }) => path), defaultPath ?? '/'].every((path) => path.startsWith('/')),
          ).toBe(true);
        }
      }),
    );
  });
});
