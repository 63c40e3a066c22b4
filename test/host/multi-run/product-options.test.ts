/** A file of several apps as options of the product, and what each sidecar makes of them. */
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startProduct } from '../../../core/host/compose.ts';
import type { Product } from '../../../core/host/compose.ts';
import { UsageError } from '../../../core/host/flags.ts';
import { productOptions } from '../../../core/host/multi-run/product-options.ts';
import { readOptions } from '../../../core/host/options.ts';
import type { ProductOptions } from '../../../core/host/options.ts';
import { freePort } from '../../support/free-port.ts';
import { appWith, planOf } from './plan-of.ts';
import { call } from '../../support/rpc-call.ts';

const FLAGS = ['run', '-f', '.', '--ephemeral', '--sidecar-port', '0', '--console-port', '0'];

function optionsOf(
  text: string,
  files: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): ProductOptions {
  return productOptions(readOptions([...FLAGS, ...flags], {}), planOf(text, files));
}

function component(type: string, ...lines: readonly string[]): string {
  return `apiVersion: dapr.io/v1alpha1\nkind: Component\nmetadata: {name: bus}\nspec: {type: ${type}, version: v1, metadata: []}\n${lines.join('\n')}\n`;
}

async function started(options: ProductOptions): Promise<Product> {
  const product = await startProduct(options);
  onTestFinished(() => product.stop());
  return product;
}

function publish(product: Product, appId: string, body = '1'): Promise<Response> {
  const sidecar = product.ready.apps.find((app) => app.appId === appId)?.sidecar ?? '';
  return fetch(`${sidecar}/v1.0/publish/bus/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
}

test('R65: the profile is the one of the file, unless a flag says otherwise', () => {
  expect(readOptions(FLAGS, {}).profile).toBe('dapr');
  expect(readOptions([...FLAGS, '--profile', 'sidecar'], {}).profile).toBe('sidecar');
  expect(readOptions(['run'], {}).profile).toBe('sidecar');
});

test('R4: flags of one app are reported once and not used', () => {
  const flags = ['--app-id', 'z', '-p', '1', '--app', 'x=mock'];
  const { flagNotes, apps } = optionsOf(appWith('command: [x]'), {}, flags);
  expect(flagNotes).toEqual(['--app-id, -p, --app: not used with -f, the file says what each app has.']);
  expect(apps.map(({ appId }) => appId)).toEqual(['a']);
});

test.each([[], ['command: []'], ['command:']])(
  'an app without a command (%s) is named, because only its sidecar starts',
  (...lines) => {
    const text = `${appWith(...lines)}  - {appDirPath: b, command: [x]}\n`;
    expect(optionsOf(text).flagNotes).toEqual([
      'a: without a command only the sidecar starts, and you start the app yourself.',
    ]);
  },
);

test('flags of the whole run apply beside the file, and the last of two files counts', () => {
  const { flagNotes, runFile, runtimePath, logLevel } = readOptions(
    [...FLAGS, '-f', 'other.yaml', '--runtime-path', 'r', '--log-level', 'error', '--kubernetes=false'],
    {},
  );
  expect({ flagNotes, runFile, runtimePath, logLevel }).toEqual({
    flagNotes: ['-f . is not read: the last of several files counts.'],
    runFile: 'other.yaml',
    runtimePath: 'r',
    logLevel: 'error',
  });
});

test('R55: -k and a command beside a file are refused', () => {
  expect(() => readOptions([...FLAGS, '-k'], {})).toThrow(UsageError);
  expect(() => readOptions([...FLAGS, '--', 'node'], {})).toThrow(
    'the file says what is started: a command cannot be given with -f',
  );
});

test('one folder for all apps gives plain names, and the history has the same folder in each run', () => {
  const plan = planOf('version: 1\ncommon: {resourcesPath: c}\napps: [{appDirPath: a}, {appDirPath: b}]', {
    'c/': '',
  });
  const options = productOptions(readOptions(FLAGS, {}), plan);
  expect(options.resources).toBe(join(plan.base, 'c'));
  expect(options.resourceSets).toBeUndefined();
  expect(options.runName).toMatch(/^multi-run-.+-[0-9a-f]{8}$/);
  expect(productOptions(readOptions(FLAGS, {}), plan).runName).toBe(options.runName);
});

test('logs of sidecars are on the screen only if the file or a flag says so', () => {
  expect(optionsOf(appWith('logLevel: debug')).logLevel).toBe('warn');
  expect(optionsOf(appWith('daprdLogDestination: console')).logLevel).toBe('info');
  expect(optionsOf(appWith('daprdLogDestination: fileAndConsole', 'logLevel: fatal')).logLevel).toBe('error');
  expect(optionsOf(appWith(), {}, ['--log-level', 'debug']).logLevel).toBe('debug');
});

test('an app whose log level differs from that of the one log is named, unless a flag sets the level', () => {
  const text = [
    'version: 1',
    'apps:',
    '  - {appDirPath: a, command: [x], daprdLogDestination: console}',
    '  - {appDirPath: b, command: [x], daprdLogDestination: console, logLevel: debug}',
    '  - {appDirPath: c, command: [x], daprdLogDestination: console, logLevel: info}',
    '  - {appDirPath: d, command: [x], logLevel: debug}',
    '',
  ].join('\n');
  const folders = { 'c/': '', 'd/': '' };
  const { flagNotes, logLevel } = optionsOf(text, folders);
  expect({ flagNotes, logLevel }).toEqual({
    flagNotes: ['b: logLevel is not used. All sidecars share one log, at the level of a: info.'],
    logLevel: 'info',
  });
  expect(optionsOf(text, folders, ['--log-level', 'debug']).flagNotes).toEqual([]);
});

test('a sidecar that prints to a file alone is named if the log that all share goes to the terminal', () => {
  const filesOnly = [
    'version: 1',
    'apps:',
    '  - {appDirPath: a, command: [x], daprdLogDestination: file}',
    '  - {appDirPath: b, command: [x]}',
    '',
  ].join('\n');
  expect(optionsOf(filesOnly).flagNotes).toEqual([]);
  const text = `${filesOnly}  - {appDirPath: c, command: [x], daprdLogDestination: fileAndConsole}\n`;
  expect(optionsOf(text, { 'c/': '' }).flagNotes).toEqual([
    'a: daprdLogDestination file also goes to the terminal. All sidecars share one log, and c sends it there.',
  ]);
  expect(optionsOf(text, { 'c/': '' }, ['--log-level', 'debug']).flagNotes).toEqual([]);
});

test('apps with folders of their own have components of their own, also under one name', async () => {
  const product = await started(
    optionsOf('version: 1\napps: [{appDirPath: a, resourcesPath: r}, {appDirPath: b, resourcesPath: r}]', {
      'a/r/bus.yaml': component('pubsub.in-memory'),
      'b/r/bus.yaml': component('pubsub.kafka'),
    }),
  );
  expect((await publish(product, 'a')).status).toBe(204);
  const refused = await publish(product, 'b');
  expect(refused.status).toBe(404);
  const { items, files } = await rpc(product, 'components.list');
  expect(items).toMatchObject([
    { name: 'bus', scopes: ['a'], file: 'a/r/bus.yaml', state: 'ready' },
    { name: 'bus', scopes: ['b'], file: 'b/r/bus.yaml', state: 'failed' },
  ]);
  expect(files).toMatchObject([{ file: 'a/r/bus.yaml' }, { file: 'b/r/bus.yaml' }]);
  expect(await rpc(product, 'components.read', { file: 'b/r/bus.yaml' })).toMatchObject({
    text: component('pubsub.kafka'),
  });
});

test('with --local-pubsub equal names in two folders are separate in-memory components', async () => {
  const port = await freePort();
  const got: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/dapr/subscribe')
      return response.end(JSON.stringify([{ pubsubname: 'bus', topic: 'orders', route: '/orders' }]));
    got.push(request.url ?? '');
    return response.end('{}');
  });
  server.listen(port, '127.0.0.1');
  onTestFinished(() => void server.close());
  const product = await started(
    optionsOf(
      `version: 1\napps: [{appDirPath: a, resourcesPath: r, appPort: ${port}}, {appDirPath: b, resourcesPath: r}]`,
      { 'a/r/bus.yaml': component('pubsub.kafka'), 'b/r/bus.yaml': component('pubsub.kafka') },
      ['--local-pubsub'],
    ),
  );
  await vi.waitFor(async () =>
    expect(await rpc(product, 'subscriptions.list')).toMatchObject({
      items: [{ appId: 'a', state: 'active' }],
    }),
  );
  expect((await publish(product, 'b')).status).toBe(204);
  expect((await publish(product, 'a')).status).toBe(204);
  await vi.waitFor(() => expect(got).toEqual(['/orders']));
  const { items } = await rpc(product, 'messages.list');
  expect(items.map(({ deliveries }) => deliveries?.length)).toEqual([1, 0]);
});

test('a name in two folders of one app is an error, as in two files of one folder', async () => {
  const product = await started(
    optionsOf(
      'version: 1\napps: [{appDirPath: a, resourcesPaths: [r, s, t]}, {appDirPath: b, resourcesPath: ../a/s}]',
      {
        'a/r/bus.yaml': component('pubsub.in-memory'),
        'a/s/one.yaml': component('pubsub.in-memory'),
        'a/t/': '',
      },
    ),
  );
  const { items } = await rpc(product, 'components.list');
  const twice = 'duplicate definition of component name bus: ';
  const first = 'a/r/bus.yaml (document 1, line 1)';
  const second = 'a/s/one.yaml (document 1, line 1)';
  const failed = (message: string): object => ({ state: 'failed', problems: [{ message: twice + message }] });
  expect(items).toMatchObject([
    { file: 'a/r/bus.yaml', ...failed(`${first} and ${second}`) },
    { file: 'a/s/one.yaml', ...failed(`${second} and ${first}`) },
    { file: 'a/s/one.yaml', scopes: ['b'], state: 'ready' },
  ]);
  expect((await publish(product, 'a')).status).toBe(404);
  expect((await publish(product, 'b')).status).toBe(204);
});

test('R60, R63: limits and tokens of one app are those of its sidecar alone', async () => {
  const port = await freePort();
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    request.resume();
    response.end('[]');
  });
  server.listen(port, '127.0.0.1');
  onTestFinished(() => void server.close());
  const files = { 'c/bus.yaml': component('pubsub.in-memory') };
  const product = await started(
    optionsOf(
      `version: 1\ncommon: {resourcesPath: c}\napps:\n  - {appDirPath: a, appPort: ${port}, maxBodySize: 1Ki, env: {APP_API_TOKEN: to-the-app, DAPR_API_TOKEN: of-callers}}\n  - {appDirPath: b}\n`,
      files,
    ),
  );
  await vi.waitFor(() => expect(headers[0]).toMatchObject({ 'dapr-api-token': 'to-the-app' }));
  expect((await publish(product, 'b', `"${'x'.repeat(2000)}"`)).status).toBe(204);
  expect((await publish(product, 'a')).status).toBe(401);
  const [a] = product.ready.apps;
  const large = await fetch(`${a?.sidecar}/v1.0/publish/bus/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'dapr-api-token': 'of-callers' },
    body: `"${'x'.repeat(2000)}"`,
  });
  expect(large.status).toBe(400);
  expect(await large.text()).toContain('stream too large');
});

test('an app that speaks another protocol is named with the field and the file that say so', async () => {
  const port = await freePort();
  const server = createServer((_request, response) => void response.end('[]'));
  server.listen(port, '127.0.0.1');
  onTestFinished(() => void server.close());
  const options = optionsOf(appWith(`appPort: ${port}`, 'appProtocol: grpc'));
  const product = await started(options);
  const text = `give its address as http://127.0.0.1:${port}. In ${options.apps[0]?.runFile}, that is appProtocol: http, at app a.`;
  await vi.waitFor(
    async () => expect(JSON.stringify(await rpc(product, 'apps.list'))).toContain(text),
    10_000,
  );
  expect(options.apps[0]?.runFile).toMatch(/dapr\.yaml$/);
});

interface Lists {
  readonly items: readonly { readonly deliveries?: readonly unknown[] }[];
  readonly files: unknown;
}

async function rpc(product: Product, method: string, params: object = {}): Promise<Lists> {
  return (await call(product.ready, method, params)) as Lists;
}
