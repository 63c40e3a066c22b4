// Declarative subscription documents, both kinds together, and which topics a subscription takes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import type { Subscription } from '../../core/contract/subscription.ts';
import { topicMatches } from '../../core/contract/topic-pattern.ts';
import { mergeSubscriptions, readDeclarative } from '../../core/domain/subscription.ts';

const sidecar = { appId: 'checkout', profile: PROFILES.sidecar };
const base = { pubsubname: 'pubsub', topic: 'orders', route: '/orders' };

describe('declarative', () => {
  const where = { file: 'subs.yaml', document: 2, line: 9 };
  const v1 = {
    apiVersion: 'sidecar.io/v1alpha1',
    kind: 'Subscription',
    metadata: { name: 's1' },
    spec: base,
  };
  const { route: _route, ...bare } = base;
  const v2 = {
    apiVersion: 'any.group/v2alpha1',
    kind: 'Subscription',
    metadata: { name: 's2' },
    spec: { ...bare, routes: { default: '/two' } },
  };

  test('documents of both versions are read', () => {
    expect(readDeclarative(v1, where, sidecar).subscriptions[0]).toMatchObject({
      source: 'declarative',
      file: 'subs.yaml',
      defaultPath: '/orders',
    });
    expect(readDeclarative(v2, where, sidecar).subscriptions[0]).toMatchObject({ defaultPath: '/two' });
  });

  test('another version is read as v1alpha1, and an empty route is /', () => {
    const other = { ...v1, apiVersion: 'x/v9', spec: { ...bare } };
    expect(readDeclarative(other, where, sidecar).subscriptions[0]?.defaultPath).toBe('/');
  });

  test('a member of the other version is reported', () => {
    const routesInV1 = readDeclarative(
      { ...v1, spec: { ...base, routes: { default: '/d' } } },
      where,
      sidecar,
    );
    expect([routesInV1.subscriptions[0]?.defaultPath, routesInV1.problems[0]?.severity]).toEqual([
      '/orders',
      'warning',
    ]);
    const routeInV2 = readDeclarative({ ...v2, spec: { ...bare, route: '/x' } }, where, sidecar);
    expect(routeInV2.subscriptions[0]).toMatchObject({ rules: [] });
    expect(routeInV2.subscriptions[0]).not.toHaveProperty('defaultPath');
    expect(routeInV2.problems).toHaveLength(2);
  });

  test('unknown members are reported with their field and the intended one', () => {
    const { topic: _topic, ...rest } = base;
    const slip = readDeclarative(
      { ...v1, scope: ['checkout'], spec: { ...rest, topc: 'orders', bulkSubscribe: { enable: true } } },
      where,
      sidecar,
    );
    expect(slip.subscriptions).toEqual([]);
    expect(slip.problems.map(({ field, severity }) => [field, severity])).toEqual([
      ['spec.topic', 'error'],
      ['spec.topc', 'warning'],
      ['spec.bulkSubscribe.enable', 'warning'],
      ['scope', 'warning'],
    ]);
    expect(slip.problems[1]?.message).toBe('Subscription s1: spec.topc is not read. Did you mean topic?');
    const rule = { match: '', pth: '/x' };
    const inRule = readDeclarative({ ...v2, spec: { ...bare, routes: { rules: [rule] } } }, where, sidecar);
    expect(inRule.problems).toMatchObject([{ field: 'spec.routes.rules[0].pth', document: 2 }]);
  });

  test('scopes and namespace leave an app out without a problem', () => {
    expect(readDeclarative({ ...v1, scopes: ['other'] }, where, sidecar)).toEqual({
      subscriptions: [],
      problems: [],
    });
    expect(readDeclarative({ ...v1, scopes: ['checkout'] }, where, sidecar).subscriptions).toHaveLength(1);
    const prod = { ...v1, metadata: { name: 's', namespace: 'prod' } };
    expect(readDeclarative(prod, where, { ...sidecar, namespace: 'dev' }).subscriptions).toEqual([]);
    expect(readDeclarative(prod, where, sidecar).subscriptions).toHaveLength(1);
  });

  test('a mistake names file, document, line and field', () => {
    const bad = { ...v2, spec: { ...bare, routes: { rules: [{ match: 'event.', path: '/a' }] } } };
    expect(readDeclarative(bad, where, sidecar).problems).toMatchObject([
      { file: 'subs.yaml', document: 2, line: 9, field: 'spec.routes.rules[0].match', severity: 'error' },
    ]);
    expect(readDeclarative({ kind: 'Subscription' }, where, sidecar).problems).toMatchObject([
      { field: 'spec' },
    ]);
    expect(readDeclarative('x', where, sidecar).problems).toMatchObject([{ file: 'subs.yaml' }]);
    expect(readDeclarative({ ...v1, scopes: 'checkout' }, where, sidecar).problems).toMatchObject([
      { field: 'scopes' },
    ]);
  });
});

describe('together', () => {
  const subscription = (
    source: Subscription['source'],
    defaultPath: string,
    file?: string,
  ): Subscription => ({
    appId: 'checkout',
    pubsubname: 'p',
    topic: 't',
    source,
    rules: [],
    defaultPath,
    metadata: {},
    rawPayload: false,
    ...(file === undefined ? {} : { file }),
  });

  test("the app's own subscription replaces a file's, an earlier file's a later one, and each is reported", () => {
    const merged = mergeSubscriptions(
      [subscription('programmatic', '/app')],
      [subscription('declarative', '/f1', 'a.yaml')],
    );
    expect(merged.subscriptions.map(({ defaultPath }) => defaultPath)).toEqual(['/app']);
    expect(merged.problems).toMatchObject([{ file: 'a.yaml', severity: 'warning' }]);
    const files = mergeSubscriptions(
      [],
      [subscription('declarative', '/f1', 'a.yaml'), subscription('declarative', '/f2', 'b.yaml')],
    );
    expect(files.subscriptions.map(({ defaultPath }) => defaultPath)).toEqual(['/f1']);
    expect(files.problems).toMatchObject([
      { file: 'b.yaml', message: expect.stringContaining('a.yaml') as unknown },
    ]);
  });

  test('subscriptions with another topic, component or app are no duplicates', () => {
    const a = subscription('programmatic', '/a');
    const { subscriptions, problems } = mergeSubscriptions(
      [a, { ...a, topic: 'u' }, { ...a, pubsubname: 'q' }, { ...a, appId: 'x' }],
      [],
    );
    expect([subscriptions.length, problems.length]).toEqual([4, 0]);
  });
});

describe('topics', () => {
  test.each([
    ['orders', 'orders', true],
    ['orders', 'Orders', false],
    ['orders', 'orders1', false],
    ['orders*', 'orders1', true],
    ['orders*', 'orders', false],
    ['orders*', 'order', false],
    ['*', 'x', true],
    ['*', '', false],
    ['a*b', 'axb', false],
    ['a/*', 'a/b/c', true],
  ])('the topic %s includes %s: %s', (pattern, topic, takes) => {
    expect(topicMatches(pattern, topic)).toBe(takes);
  });

  test('property: a prefix takes what is longer and begins so, a plain topic itself only', () => {
    const plain = fc.string().filter((text) => !text.endsWith('*'));
    fc.assert(
      fc.property(plain, fc.string(), (prefix, rest) => {
        expect(topicMatches(`${prefix}*`, prefix + rest)).toBe(rest !== '');
        expect(topicMatches(prefix, prefix + rest)).toBe(rest === '');
      }),
    );
  });
});
