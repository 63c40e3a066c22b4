/** Component files that are right: which are read, what they give, and values from templates, environment and secrets. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { builtinComponents } from '../../core/adapters/component-files/builtin.ts';
import { createRegistry } from '../../core/adapters/registry.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { routerFieldCheck } from '../../core/event-router/binding/field-check.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import type { Resources } from '../../core/ports/component-source.ts';
import { componentFolder, componentText } from '../support/component-folder.ts';

const SUBSCRIPTION = `apiVersion: sidecar.io/v2alpha1
kind: Subscription
metadata:
  name: orders
spec:
  pubsubname: pubsub
  topic: orders
  routes:
    default: /orders
`;
const RESILIENCY = `apiVersion: sidecar.io/v1alpha1
kind: Resiliency
metadata:
  name: slow
spec:
  policies:
    retries:
      three: {policy: constant, duration: 1s, maxRetries: 3}
`;

describe('which files and documents are read', () => {
  test('documents of every kind are read from all YAML files in the order of their names', async () => {
    const { source } = await componentFolder({
      'b.yaml': `${componentText('two')}---\n${componentText('three')}`,
      'a.YML': componentText('one'),
      'c.yaml': `---\n# nothing here\n---\n${SUBSCRIPTION}---\n${RESILIENCY}...\n`,
      'notes.txt': componentText('four'),
      'd.yaml.bak': componentText('five'),
      '.#b.yaml': 'locked: by an editor: {',
    });
    await mkdir(join(source.folder ?? '', 'sub'));
    await writeFile(join(source.folder ?? '', 'sub', 'x.yaml'), componentText('six'));
    await mkdir(join(source.folder ?? '', 'folder.yaml'));
    const { components, subscriptions, resiliency, problems } = await source.load();
    expect(problems).toEqual([]);
    expect(components.map(({ name, file, document, line }) => [name, file, document, line])).toEqual([
      ['one', 'a.YML', 1, 1],
      ['two', 'b.yaml', 1, 1],
      ['three', 'b.yaml', 2, 9],
    ]);
    expect(subscriptions).toMatchObject([
      { file: 'c.yaml', index: 2, line: 4, document: { kind: 'Subscription' } },
    ]);
    expect(resiliency).toMatchObject([
      { file: 'c.yaml', index: 3, line: 14, document: { kind: 'Resiliency' } },
    ]);
    expect(subscriptions[0]?.locate?.('spec.routes.default')).toEqual({ line: 12, column: 14 });
  });

  test('an empty folder, an empty file, a byte order mark, other line ends and a directive are no problem', async () => {
    const { source, write } = await componentFolder({});
    expect(await source.load()).toEqual({ components: [], subscriptions: [], resiliency: [], problems: [] });
    await write('empty.yaml', '');
    await write('bom.yaml', `\uFEFF# first\r\n---\r\n${componentText('bom').replaceAll('\n', '\r\n')}`);
    await write('directive.yaml', `%YAML 1.2\n---\n${componentText('directive')}`);
    const { components, problems } = await source.load();
    expect(problems).toEqual([]);
    expect(components.map(({ name, failed, line }) => [name, failed, line])).toEqual([
      ['bom', undefined, 3],
      ['directive', undefined, 3],
    ]);
  });

  test('a component has the members of its document', async () => {
    const { component } = await componentFolder({
      'a.yaml': `${componentText('one', 'PubSub.In-Memory', '  ignoreErrors: true\n  initTimeout: 1m30s\n  metadata:\n  - name: text\n    value: a\n  - name: number\n    value: 5\n  - name: flag\n    value: true\n  - name: none\n')}scopes: [a, b]\n`,
    });
    expect(await component('one')).toEqual({
      name: 'one',
      type: 'pubsub.in-memory',
      version: 'v1',
      file: 'a.yaml',
      document: 1,
      line: 1,
      ignoreErrors: true,
      initTimeoutMs: 90_000,
      scopes: ['a', 'b'],
      scopesLine: 18,
      metadata: { text: 'a', number: '5', flag: 'true', none: '' },
      shown: { text: 'a', number: '5', flag: 'true', none: '' },
      problems: [],
    });
  });

  test('a component of another namespace is skipped, with a warning at its line', async () => {
    const text = componentText('one').replace('name: one', 'name: one\n  namespace: prod');
    const at = async (namespace?: string): Promise<Resources> => {
      const { source } = await componentFolder(
        { 'a.yaml': text },
        namespace === undefined ? {} : { namespace },
      );
      return source.load();
    };
    for (const namespace of ['prod', undefined]) {
      const { components, problems } = await at(namespace);
      expect([components.length, problems]).toEqual([1, []]);
    }
    const { components, problems } = await at('test');
    expect(components).toEqual([]);
    expect(problems).toEqual([
      {
        file: 'a.yaml',
        document: 1,
        line: text.split('\n').findIndex((line) => line.includes('prod')) + 1,
        column: expect.any(Number) as number,
        field: 'metadata.namespace',
        code: 'NOT_READ',
        message:
          'Component one is for namespace "prod". NAMESPACE is "test", so Sidelight skips the document.',
        severity: 'warning',
      },
    ]);
  });
});

describe('values', () => {
  const settings = (...lines: readonly string[]): string =>
    componentText('one', 'pubsub.in-memory', ['  metadata:', ...lines, ''].join('\n'));

  test('templates in values are filled in', async () => {
    const { component } = await componentFolder(
      {
        'a.yaml': settings(
          '  - name: consumerID',
          '    value: " {appID}-{uuid}-{uuid} "',
          '  - name: where',
          '    value: "{namespace}/{podName}/{other}"',
        ),
      },
      { namespace: 'prod', podName: 'pod-1' },
    );
    const first = await component('one');
    expect(first?.metadata['consumerID']).toMatch(/^checkout-uuid-\d+-uuid-\d+$/);
    expect(new Set(first?.metadata['consumerID']?.match(/\d+/g)).size).toBe(2);
    expect(first?.metadata['where']).toBe('prod.checkout/pod-1/{other}');
    expect(await component('one')).toEqual(first);
  });

  test('a component with {podName} fails without a pod and says where', async () => {
    const { component } = await componentFolder({
      'a.yaml': settings('  - name: x', '    value: "{podName}"'),
    });
    const one = await component('one');
    expect(one?.failed).toBe('x: {podName} is used but there is no pod name. (a.yaml:10:12)');
    expect(one?.problems).toMatchObject([
      {
        file: 'a.yaml',
        document: 1,
        line: 10,
        column: 12,
        field: 'spec.metadata[0].value',
        severity: 'error',
      },
    ]);
  });

  test('a value from the environment is used, empty if not set, and refused if forbidden', async () => {
    const env = { DB_HOST: 'db', SIDECAR_API_TOKEN: 'secret' };
    const { component, write } = await componentFolder(
      {
        'a.yaml': settings('  - name: host', '    envRef: DB_HOST', '  - name: port', '    envRef: DB_PORT'),
      },
      { env },
    );
    const one = await component('one');
    expect(one?.metadata).toEqual({ host: 'db', port: '' });
    expect(one?.shown).toEqual({ host: '***', port: '' });
    expect(one?.failed).toBeUndefined();
    expect(one?.problems).toMatchObject([
      { severity: 'warning', line: 12, field: 'spec.metadata[1].envRef' },
    ]);
    await write('a.yaml', settings('  - name: token', '    envRef: SIDECAR_API_TOKEN'));
    expect(await component('one')).toMatchObject({
      metadata: {},
      failed: expect.stringContaining('SIDECAR_API_TOKEN'),
    });
  });

  test('plain values that are secrets are not shown', async () => {
    const { component } = await componentFolder({
      'a.yaml': settings(
        '  - name: accessKey',
        '    value: abc',
        '  - name: redisPassword',
        '    value: ""',
        '  - name: keys',
        '    value: a',
      ),
    });
    const one = await component('one');
    expect(one?.metadata).toEqual({ accessKey: 'abc', redisPassword: '', keys: 'a' });
    expect(one?.shown).toEqual({ accessKey: '***', redisPassword: '', keys: 'a' });
  });

  test('a setting that is there twice keeps its last value, with a warning', async () => {
    const { component } = await componentFolder({
      'a.yaml': settings('  - name: Host', '    value: a', '  - name: host', '    value: b'),
    });
    const one = await component('one');
    expect(one?.metadata).toEqual({ host: 'b' });
    expect(one?.problems).toMatchObject([{ severity: 'warning', line: 11 }]);
  });
});

test('without a folder there is one in-memory pub/sub component', async () => {
  const log = { write: () => undefined };
  const registry = createRegistry({
    clock: systemClock(),
    log,
    profile: PROFILES.sidecar,
    env: {},
    folders: [],
  });
  const source = builtinComponents(registry, {
    profile: PROFILES.sidecar,
    appIds: ['app'],
    env: {},
    fieldCheck: routerFieldCheck(PROFILES.sidecar, 'Cloud.EventRouter'),
    uuid: () => 'uuid',
  });
  const { components, ...rest } = await source.load();
  expect(rest).toEqual({ subscriptions: [], resiliency: [], problems: [] });
  expect(components.map(({ name, type }) => [name, type])).toEqual([['pubsub', 'pubsub.in-memory']]);
  const [pubsub] = components;
  expect(pubsub === undefined ? undefined : source.build(pubsub)?.kind).toBe('pubsub');
  expect(source.folder).toBeUndefined();
  expect(source.knownTypes()).toContain('pubsub.in-memory');
  source.watch(() => undefined)();
  await expect(source.read('a.yaml')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(source.save('a.yaml', '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(source.validate('a.yaml', '')).rejects.toThrow(Refusal);
});

describe('components of several apps', () => {
  const values = (value: string): string =>
    componentText(
      'pubsub',
      'pubsub.in-memory',
      `  metadata:\n    - name: consumerID\n      value: "${value}"\n`,
    );
  const apps = { appIds: ['one', 'two'], namespace: 'shop' };

  test.each([
    ['{appID}', ['one', 'two']],
    ['{namespace}', ['shop.one', 'shop.two']],
  ])('%s: an instance for each, with its own value', async (value, filled) => {
    const { source } = await componentFolder({ 'a.yaml': values(value) }, apps);
    const { components } = await source.load();
    expect(components.map(({ scopes }) => scopes)).toEqual([['one'], ['two']]);
    expect(components.map(({ metadata }) => metadata['consumerID'])).toEqual(filled);
    expect(components[0]?.topicPrefix).toBe(value === '{namespace}' ? 'shop' : undefined);
  });

  test('{uuid} gives each app its own value, which stays when the folder is read again', async () => {
    const { source } = await componentFolder({ 'a.yaml': values('{uuid}') }, apps);
    const read = async (): Promise<readonly (string | undefined)[]> =>
      (await source.load()).components.map(({ metadata }) => metadata['consumerID']);
    const first = await read();
    expect(new Set(first).size).toBe(2);
    expect(await read()).toEqual(first);
  });

  test('equal values, or one app in scope, make one instance', async () => {
    const scoped = `${values('{appID}')}scopes: [two]\n`;
    const { source } = await componentFolder(
      { 'a.yaml': values('same'), 'b.yaml': scoped.replace('name: pubsub', 'name: other') },
      apps,
    );
    const { components } = await source.load();
    expect(components.map(({ name, scopes, metadata }) => [name, scopes, metadata['consumerID']])).toEqual([
      ['pubsub', [], 'same'],
      ['other', ['two'], 'two'],
    ]);
  });
});
