/** The region of one component: that its server is away, since when, and when it is tried next; and what the list of files says then. */
import { expect, test } from 'vitest';
import type { ComponentRow, ResourceDocument } from '../../core/contract/subscription.ts';
import { ProblemList } from '../../renderer/components/ProblemList.tsx';
import { ComponentDetail } from '../../renderer/views/components/ComponentDetail.tsx';
import { FileList } from '../../renderer/views/components/FileList.tsx';
import { clockSeconds } from '../../renderer/format/clock-time.ts';
import { componentRow } from '../support/component-row.ts';
import { drawn, known, wordsOf } from './drawn.tsx';

const AT = '2026-01-01T10:20:30.000Z';

function said(more: Partial<ComponentRow>, ...others: readonly ComponentRow[]): string {
  const item = componentRow('stock', { type: 'pubsub.redis', ...more });
  const subscribed = { appId: 'checkout', pubsubname: 'stock', topic: 'orders' };
  const topology = {
    topics: known({ items: [] }),
    subscriptions: known({ items: [subscribed, { ...subscribed, topic: 'refunds' }] }),
    components: known({ items: [item, ...others] }),
    apps: known({ items: [{ appId: 'checkout' }, { appId: 'billing' }, { appId: 'mail' }] }),
  };
  return wordsOf(drawn(<ComponentDetail item={item} folder={undefined} />, { topology }));
}

test('a ready component shows no problems', () => {
  expect(said({})).toContain('No problems.');
  expect(said({})).not.toMatch(/Connection lost|Next try|refused/);
});

test('a component whose server does not run yet has the reason and the next try', () => {
  const words = said({ state: 'failed', reason: 'Cannot reach Redis', nextStartAt: AT, failedStarts: 3 });
  expect(words).toContain('Why Cannot reach Redis');
  expect(words).toContain(`Next try ${clockSeconds(AT)}`);
  expect(words).toContain('Failed starts 3');
  expect(words).toContain('To try without its server Start Sidelight with --local-pubsub');
  expect(words).toContain('Its file is fine; the component itself does not work.');
  expect(words).not.toContain('No problems.');
});

test('a secret store whose file is missing is fine itself, and says which change it waits for', () => {
  const words = said({
    kind: 'secretstore',
    state: 'failed',
    reason: 'the secrets file was not found: /a.json',
  });
  expect(words).toContain('Next try When its file changes, or one that it names');
  expect(words).toContain('Its file is fine; the component itself does not work.');
  const other = said({ state: 'failed', reason: 'x' });
  expect(other).not.toContain('Its file is fine');
  expect(other).toContain('The reason is above.');
});

test('a component whose server is lost has the time and the consequences', () => {
  const words = said({ lost: { since: AT, reason: 'it refuses connections', tries: 2, nextTryAt: AT } });
  expect(words).toContain(`Connection lost since ${clockSeconds(AT)}: it refuses connections`);
  expect(words).toContain('Tries since then 2');
  expect(words).toContain('Publishes are refused and deliveries from the server wait until it is back.');
});

test('a component served from memory names the type that it replaces', () => {
  expect(said({ insteadOf: 'pubsub.kafka' })).toContain('from memory instead of pubsub.kafka');
});

test('a component that a subscribed app may not use names that app, with the scopes, their file and line', () => {
  const scoped = { scopes: ['billing'], file: 'stock.yaml', line: 4 };
  const words = said(scoped);
  expect(words).toContain(
    'App checkout subscribes to orders, refunds of stock and gets nothing: the component is only for billing, by its scopes (stock.yaml, line 4).',
  );
  expect(words).not.toContain('No problems.');
  expect(said({ ...scoped, scopes: ['checkout'] })).toContain('No problems.');
  expect(said(scoped, componentRow('stock', { scopes: ['checkout'] }))).toContain('No problems.');
});

test('a component that only the apps of its folder may use claims no scopes of its file', () => {
  expect(said({ scopes: ['mail', 'billing'] })).toContain('Scopes mail, billing');
  const limitedBy = { folderApps: ['mail', 'checkout'], fileScopes: [] };
  expect(said({ scopes: ['mail', 'checkout'], limitedBy })).toContain(
    'Scopes only apps of its folder: mail, checkout',
  );
});

test('the file of a component whose server is away is not ready, as the component is, and one with a mistake is not used', () => {
  const document = {
    kind: 'Component',
    document: 1,
    line: 1,
    used: false,
    reason: 'Cannot reach Redis.',
  } as const;
  const of = (...more: readonly object[]): string =>
    wordsOf(
      drawn(
        <FileList
          components={more.map((one, at) =>
            componentRow(`stock${at}`, { file: 'stock.yaml', document: at + 1, state: 'failed', ...one }),
          )}
          apps={1}
          files={[
            {
              file: 'stock.yaml',
              problems: [],
              documents: more.map((_, at) => ({ ...document, name: `stock${at}`, document: at + 1 })),
            },
          ]}
        />,
        {},
      ),
    );
  expect(of({ nextStartAt: AT })).toBe(
    'Files stock.yaml Not ready Edit Component stock0 (line 1) is not ready. Cannot reach Redis.',
  );
  expect(of({})).toBe(
    'Files stock.yaml Not used Edit Component stock0 (line 1) is not used. Cannot reach Redis.',
  );
  expect(of({ nextStartAt: AT }, {})).toContain('stock.yaml Not used Edit');
});

test('the file of a subscription to a component whose server is away is not ready either', () => {
  const subscription = (awaitsComponent?: true) => ({
    ...{ kind: 'Subscription' as const, name: 'orders', document: 1, line: 1, used: false },
    of: { pubsubname: 'stock', topic: 'orders' },
    reason: 'Component stock is not ready: Cannot reach Redis.',
    ...(awaitsComponent === undefined ? {} : { awaitsComponent }),
  });
  const of = (change: object, document: ReturnType<typeof subscription>): string =>
    wordsOf(
      drawn(
        <FileList
          components={[componentRow('stock', { file: 'stock.yaml', state: 'failed', ...change })]}
          apps={1}
          files={[{ file: 'orders.yaml', problems: [], documents: [document] }]}
        />,
        {},
      ),
    );
  expect(of({ nextStartAt: AT }, subscription(true))).toBe(
    'Files orders.yaml Not ready Edit Subscription orders (line 1) is not used. Component stock is not ready: Cannot reach Redis.',
  );
  expect(of({}, subscription(true))).toContain('orders.yaml Not used Edit');
  expect(of({ nextStartAt: AT }, subscription())).toContain('orders.yaml Not used Edit');
});

test('a document that is for other apps is no mistake: the file list says which scopes leave the app out', () => {
  const used = { kind: 'Component', name: 'stock', document: 1, line: 1, used: true } as const;
  const reason = 'None of the running apps is in its scopes (billing, shop).';
  const leftOut = { scopes: ['billing', 'shop'], line: 17 };
  const other = { ...used, name: 'audit', document: 2, line: 10, used: false, reason, leftOut };
  const of = (apps: number, ...documents: readonly ResourceDocument[]): string => {
    const files = [{ file: 'stock.yaml', problems: [], documents: [...documents] }];
    return drawn(<FileList components={[]} apps={apps} files={files} />, {});
  };
  expect(wordsOf(of(1, other))).toBe(
    'Files stock.yaml Not for this app Edit Component audit (line 10) is not for this app: its scopes (stock.yaml, line 17) name only billing and shop.',
  );
  expect(wordsOf(of(2, other))).toContain(
    'Not for these apps Edit Component audit (line 10) is not for these apps: ',
  );
  expect(wordsOf(of(1, used, other))).toContain('stock.yaml Used in part Edit');
  for (const file of [of(1, other), of(1, used, other)]) expect(file).not.toMatch(/lucide-circle-alert/);
  const broken = { ...used, document: 3, name: 'bus', used: false, reason: 'the secrets file is missing.' };
  expect(wordsOf(of(1, other, broken))).toContain(
    'Component bus (line 1) is not used. The secrets file is missing.',
  );
  expect(of(1, other, broken)).toMatch(/lucide-circle-alert/);
});

test('a problem that was a part of another sentence begins with a capital where it stands for itself', () => {
  const said = (message: string, field = ''): string =>
    wordsOf(drawn(<ProblemList label="Problems" problems={[{ message, field, severity: 'error' }]} />, {}));
  expect(said('unknown type pubsub.kafka/v1; known types: a')).toBe(
    'Unknown type pubsub.kafka/v1; known types: a',
  );
  expect(said('duplicate definition of component name twin: a and b')).toMatch(/^Duplicate definition/);
  expect(said('kind is missing; expected one of Component.', 'kind')).toMatch(/^kind is missing/);
  expect(said('apiVersion must be dapr.io/v1alpha1.', 'apiVersion')).toMatch(/^apiVersion must/);
  expect(said('redisHost: no port')).toBe('redisHost: no port');
});
