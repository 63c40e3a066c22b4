/** Components that could not be started, as a banner. */
import { expect, test } from 'vitest';
import { componentBanners } from '../../core/host/component-banners.ts';

type Row = Parameters<typeof componentBanners>[0][number];

const row = (name: string, more: Partial<Row> = {}): Row => ({
  name,
  type: 'pubsub.redis',
  kind: 'pubsub',
  state: 'failed',
  reason: 'Nothing listens at 127.0.0.1:6379',
  ignoreErrors: false,
  ...more,
});

test('a component that failed is named with the reason', () => {
  expect(componentBanners([row('redis', { nextStartAt: '2026-03-01T10:00:00.000Z' })])).toEqual([
    {
      id: 'components-redis',
      text: 'Component redis (pubsub.redis) does not work: Nothing listens at 127.0.0.1:6379. Sidelight tries again. The Components screen says more.',
      level: 'error',
    },
  ]);
});

test('several have one banner, and those of kinds that are not served have none', () => {
  const ready = row('ready', { state: 'ready' });
  const store = row('store', { kind: 'other', type: 'state.redis' });
  expect(componentBanners([ready, store])).toEqual([]);
  const [banner] = componentBanners(['a', 'b', 'c', 'd'].map((name) => row(name)));
  expect(banner?.text).toBe('4 components do not work: a, b, c and 1 more. The Components screen says why.');
});

test('two files that give one name are one component, and its reason names both', () => {
  const reason = 'duplicate definition of component name pubsub: a.yaml and b.yaml';
  const twice = [row('pubsub', { reason }), row('pubsub', { reason })];
  expect(componentBanners(twice)).toMatchObject([
    {
      id: 'components-pubsub',
      text: `Component pubsub (pubsub.redis) does not work: ${reason}. The Components screen says more.`,
    },
  ]);
  expect(componentBanners([...twice, row('store')])).toMatchObject([
    { text: expect.stringMatching(/^2 components do not work: pubsub, store\. /) },
  ]);
});

test('one whose errors are ignored by its file is a warning', () => {
  expect(componentBanners([row('redis', { ignoreErrors: true })])).toMatchObject([{ level: 'warn' }]);
});

test('one that has lost its server is named once the first try has failed', () => {
  const lost = (tries: number, name = 'redis') =>
    row(name, {
      state: 'ready',
      lost: { since: '2026-03-01T10:00:00.000Z', reason: 'Connection refused', tries },
    });
  expect(componentBanners([lost(0)])).toEqual([]);
  expect(componentBanners([lost(1)])).toEqual([
    {
      id: 'lost-redis',
      text: 'Component redis (pubsub.redis) has lost its server: Connection refused. Publishes are refused and deliveries wait. Sidelight tries again.',
      level: 'error',
    },
  ]);
  expect(componentBanners([row('other'), lost(1), lost(2, 'second')])).toMatchObject([
    { id: 'components-other' },
    { text: expect.stringMatching(/^2 components have lost their servers: redis, second\. /) },
  ]);
});
