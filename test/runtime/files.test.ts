/** The report about each file of the resources folder. */
import { describe, expect, test } from 'vitest';
import type { ComponentRow, SubscriptionRow } from '../../core/contract/subscription.ts';
import { filesOf } from '../../core/runtime/components/files.ts';
import type { FilesDependencies } from '../../core/runtime/components/files.ts';
import { componentRow } from '../support/component-row.ts';

const NOTHING: FilesDependencies = {
  resources: { subscriptions: [], resiliency: [] },
  components: [],
  subscriptions: [],
  declared: [],
  appIds: ['app', 'a', 'b'],
  problems: [],
};

const BUILT_IN = componentRow('shop');

function component(more: Partial<ComponentRow>): ComponentRow {
  return { ...BUILT_IN, file: 'shop.yaml', line: 1, document: 1, ...more };
}

const document = {
  document: {
    metadata: { name: 'orders' },
    spec: { pubsubname: 'shop', topic: 'orders' },
    scopes: ['billing', 'checkout'],
  },
  file: 'orders.yaml',
  index: 1,
  line: 3,
  locate: () => ({ line: 8, column: 1 }),
};

function subscription(more: Partial<SubscriptionRow>): SubscriptionRow {
  return {
    appId: 'app',
    pubsubname: 'shop',
    topic: 'orders',
    source: 'declarative',
    file: 'orders.yaml',
    rules: [],
    metadata: {},
    rawPayload: false,
    state: 'active',
    counts: {},
    ...more,
  };
}

describe('files of the resources folder', () => {
  test('a component that no running app may use is not used, as a subscription', () => {
    const uses = (scopes: readonly string[]): unknown =>
      filesOf({
        ...NOTHING,
        components: [component({ scopes: [...scopes], scopesLine: 9 })],
      })[0]?.documents.map(({ used, reason, leftOut }) => [used, reason, leftOut]);
    expect(uses(['app', 'billing'])).toEqual([[true, undefined, undefined]]);
    expect(uses(['billing', 'checkout'])).toEqual([
      [
        false,
        'None of the running apps is in its scopes (billing, checkout).',
        { scopes: ['billing', 'checkout'], line: 9 },
      ],
    ]);
    const failed = component({ scopes: ['billing'], state: 'failed', reason: 'No broker.' });
    expect(filesOf({ ...NOTHING, components: [failed] })[0]?.documents[0]?.leftOut).toBeUndefined();
  });

  test('a component that is ready is used; one that failed says why, with its problems', () => {
    const problem = { line: 5, column: 3, message: 'Unknown type.' };
    const files = filesOf({
      ...NOTHING,
      components: [
        component({}),
        component({
          name: 'b',
          file: 'b.yaml',
          state: 'failed',
          reason: 'Unknown type.',
          problems: [problem],
        }),
        BUILT_IN,
      ],
    });
    expect(files).toEqual([
      {
        file: 'b.yaml',
        documents: [
          { kind: 'Component', name: 'b', document: 1, line: 1, used: false, reason: 'Unknown type.' },
        ],
        problems: [{ file: 'b.yaml', ...problem }],
      },
      {
        file: 'shop.yaml',
        documents: [{ kind: 'Component', name: 'shop', document: 1, line: 1, used: true }],
        problems: [],
      },
    ]);
  });

  test('a component that differs from app to app is one document, and says what keeps one of them from it', () => {
    const problem = { line: 5, column: 3, message: 'A warning.', severity: 'warning' as const };
    const each = component({ scopes: ['a'], problems: [problem] });
    const failed = component({ scopes: ['b'], problems: [problem], state: 'failed', reason: 'No broker.' });
    const [both] = filesOf({ ...NOTHING, components: [each, { ...each, scopes: ['b'] }] });
    expect(both?.documents).toMatchObject([{ name: 'shop', used: true }]);
    expect(both?.problems).toHaveLength(1);
    const [one] = filesOf({ ...NOTHING, components: [each, failed, each] });
    expect(one?.documents).toMatchObject([{ name: 'shop', used: false, reason: 'No broker.' }]);
  });

  test.each([
    ['that is not ready', { state: 'failed' as const }, 'inert' as const, true],
    [
      'of which an app may not subscribe to the topic',
      { state: 'failed' as const },
      'forbidden' as const,
      false,
    ],
    ['that is ready and refused it', {}, 'inert' as const, false],
  ])('a subscription to a component %s', (_how, ofComponent, state, awaits) => {
    const files = filesOf({
      ...NOTHING,
      resources: { subscriptions: [document], resiliency: [] },
      components: [component(ofComponent)],
      subscriptions: [subscription({ state, reason: 'Why.' })],
      declared: [{ file: 'orders.yaml' }],
    });
    const found = files.find(({ file }) => file === 'orders.yaml')?.documents[0];
    expect(found).toMatchObject({ used: false, reason: 'Why.' });
    expect(found?.awaitsComponent).toBe(awaits ? true : undefined);
  });

  test('only the last of two documents for a topic in one file is used', () => {
    const [file] = filesOf({
      ...NOTHING,
      resources: { subscriptions: [document, { ...document, index: 2 }], resiliency: [] },
      subscriptions: [subscription({ document: 1 })],
      declared: [1, 2].map((index) => ({ file: 'orders.yaml', document: index })),
    });
    expect(file?.documents).toMatchObject([
      { document: 1, used: true },
      { document: 2, used: false, reason: expect.stringContaining('an earlier document') as unknown },
    ]);
  });

  test.each([
    ['is active', { subscriptions: [subscription({})] }, undefined],
    [
      'is forbidden',
      { subscriptions: [subscription({ state: 'forbidden', reason: 'Not in the allowed topics.' })] },
      'Not in the allowed topics.',
    ],
    ['is for no app', {}, 'None of the running apps is in its scopes (billing, checkout).'],
    [
      'is for no app, though another one of its file is for some',
      { declared: [{ file: 'orders.yaml', document: 2 }] },
      'None of the running apps is in its scopes (billing, checkout).',
    ],
    [
      'waits for discovery',
      { declared: [{ file: 'orders.yaml' }] },
      'The subscription is used as soon as the app has been asked for its own subscriptions.',
    ],
    [
      'gives way to the app itself',
      {
        declared: [{ file: 'orders.yaml' }],
        subscriptions: [subscription({ source: 'programmatic', file: '' })],
      },
      'Another subscription to the same topic counts: the one of the app itself, or an earlier document.',
    ],
    [
      'is broken',
      { problems: [{ file: 'orders.yaml', document: 1, line: 7, message: 'topic is empty' }] },
      'topic is empty',
    ],
    [
      'has a warning only',
      {
        subscriptions: [subscription({})],
        problems: [{ file: 'orders.yaml', document: 1, message: 'odd', severity: 'warning' as const }],
      },
      undefined,
    ],
  ])('a subscription that %s', (_title, more, reason) => {
    const [file] = filesOf({
      ...NOTHING,
      resources: { subscriptions: [document], resiliency: [] },
      ...more,
    });
    expect(file?.documents).toEqual([
      {
        kind: 'Subscription',
        name: 'orders',
        document: 1,
        line: 3,
        of: { pubsubname: 'shop', topic: 'orders' },
        used: reason === undefined,
        ...(reason === undefined ? {} : { reason }),
        // What other apps are for is no mistake, and the line of the scopes says why.
        ...(reason?.startsWith('None of') === true
          ? { leftOut: { scopes: ['billing', 'checkout'], line: 8 } }
          : {}),
      },
    ]);
  });

  test('a file that could not be read is listed for its problem alone', () => {
    const problem = { file: 'x.yaml', line: 2, column: 1, message: 'not YAML' };
    expect(filesOf({ ...NOTHING, problems: [problem] })).toEqual([
      { file: 'x.yaml', documents: [], problems: [problem] },
    ]);
  });

  test('a resiliency file is used unless something is wrong with it', () => {
    const policy = { document: { metadata: { name: 'fast' } }, file: 'r.yaml', index: 1, line: 1 };
    const parts = { ...NOTHING, resources: { subscriptions: [], resiliency: [policy] } };
    expect(filesOf(parts)[0]?.documents[0]).toMatchObject({ kind: 'Resiliency', name: 'fast', used: true });
  });
});
