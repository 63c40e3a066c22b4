/** Runs of several apps as they are: real programs, one product, the command line as a person types it. */
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { folderWith } from './plan-of.ts';
import { freePort } from '../../support/free-port.ts';
import { plain } from '../../../core/host/multi-run/output-lines.ts';
import { PATIENCE_MS, PUBLISHER, SUBSCRIBER, run, until } from './run-stand.ts';

vi.setConfig({ testTimeout: PATIENCE_MS });

test('R31: messages published before the subscriber runs reach it once, and one signal ends all', async () => {
  const port = await freePort();
  const folder = folderWith({
    'dapr.yaml': `version: 1
apps:
  - appDirPath: a
    appPort: ${port}
    command: [node, a.js]
    env: {OPENS_AFTER: 300}
  - appDirPath: b
    command: [node, b.js]
`,
    'a/a.js': SUBSCRIBER,
    'b/b.js': PUBLISHER,
  });
  const one = run(folder);
  await until(() => one.out.filter((line) => line.includes('answered')).length === 10);
  // Another process: its last line may come behind those of the subscriber.
  await until(() => one.out.includes('== APP - b == published 10'));
  const got = one.out.filter((line) => line.startsWith('== APP - a == got ')).toSorted();
  expect(got).toEqual(Array.from({ length: 10 }, (_, i) => `== APP - a == got ${i}`));
  const { items } = (await one.call('logs.list', { filter: 'app:b' })) as { items: unknown[] };
  expect(items).toContainEqual(
    expect.objectContaining({ part: 'app', appId: 'b', stream: 'stdout', text: 'published 10' }),
  );
  one.signal('SIGTERM');
  expect(await one.over).toBe(0);
});

test('messages that come while an app is started again wait, arrive once each, and use up no attempt', async () => {
  const port = await freePort();
  const folder = folderWith({
    'dapr.yaml': `version: 1\napps:\n  - {appDirPath: a, appPort: ${port}, command: [node, a.js], env: {OPENS_AFTER: 500}}\n`,
    'a/a.js': SUBSCRIBER,
  });
  const one = run(folder);
  await until(() => one.out.includes('== APP - a == open'));
  const publish = (data: number): Promise<unknown> =>
    one.call('messages.publish', { pubsubname: 'pubsub', topic: 'orders', data });
  await publish(0);
  await until(() => one.out.includes('== APP - a == answered 0'));
  const again = one.call('processes.restart', { appId: 'a' });
  // The old process may still get these: the calls go side by side.
  await Promise.all([1, 2, 3, 4, 5].map(publish));
  expect(await again).toMatchObject({ appId: 'a', state: 'starting', restarts: 1 });
  await Promise.all([6, 7, 8, 9].map(publish));
  await until(() => one.out.filter((line) => line.includes('answered')).length === 10);
  const { items } = (await one.call('messages.list')) as {
    items: { deliveries: { state: string; attempts: number }[] }[];
  };
  expect(items.flatMap(({ deliveries }) => deliveries)).toEqual(
    Array.from({ length: 10 }, () => expect.objectContaining({ state: 'processed', attempts: 1 })),
  );
  await until(async () => {
    expect(await one.call('processes.list')).toMatchObject({ items: [{ state: 'running', restarts: 1 }] });
    return true;
  });
  await expect(one.call('processes.stop', { appId: 'nobody' })).rejects.toThrow('NOT_FOUND');
});

test('R19, R29, R30: an app sees the variables of the table and its own values, and no stale ones of the shell', async () => {
  const show = `console.log(JSON.stringify(Object.fromEntries(Object.entries(process.env).filter(([name]) =>
    /^(?:APP_|DAPR_|SIDECAR_|a\\.b$|NO_COLOR$|FORCE_COLOR$)/.test(name)))), process.cwd())`;
  const folder = folderWith({
    'dapr.yaml': `version: 1
apps:
  - appDirPath: a
    appSSL: true
    appPort: 1
    command: [node, show.js]
    env: {DAPR_HTTP_PORT: 9, a.b: 1, NO_COLOR: 1}
  - appDirPath: b
    command: [node, ../a/show.js]
`,
    'a/show.js': show,
    'b/': '',
  });
  const stale = {
    DAPR_GRPC_ENDPOINT: 'elsewhere',
    DAPR_HTTP_ENDPOINT: 'http://elsewhere',
    DAPR_METRICS_PORT: '1',
  };
  // On a terminal too no app is asked for colours: its own NO_COLOR counts, and its children write to it as they do elsewhere.
  const terminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' };
  const noWish = { NO_COLOR: undefined, FORCE_COLOR: undefined };
  const one = run(folder, ['--grpc-port', 'off'], { ...stale, ...terminal, ...noWish });
  const { apps } = await one.ready;
  expect(await one.over).toBe(0);
  const shown = (appId: string): unknown => {
    const line = one.out.map(plain).find((each) => each.startsWith(`== APP - ${appId} == {`)) ?? '';
    const [json = '', cwd] = line.slice(`== APP - ${appId} == `.length).split(/(?<=\}) /);
    return { ...JSON.parse(json), cwd };
  };
  const sidecarOf = (appId: string): string => apps.find((app) => app.appId === appId)?.sidecar ?? '';
  expect(shown('a')).toEqual({
    APP_ID: 'a',
    APP_PORT: '1',
    APP_PROTOCOL: 'https',
    APP_CHANNEL_ADDRESS: '127.0.0.1',
    DAPR_HTTP_PORT: '9',
    DAPR_HTTP_ENDPOINT: sidecarOf('a'),
    'a.b': '1',
    NO_COLOR: '1',
    cwd: expect.stringMatching(/\/a$/),
  });
  expect(shown('b')).toEqual({
    APP_ID: 'b',
    APP_PROTOCOL: 'http',
    APP_CHANNEL_ADDRESS: '127.0.0.1',
    DAPR_HTTP_PORT: new URL(sidecarOf('b')).port,
    DAPR_HTTP_ENDPOINT: sidecarOf('b'),
    cwd: expect.stringMatching(/\/b$/),
  });
});

test('R28: a taken port ends the start with status 1, and the error names app and port', async () => {
  const port = await freePort();
  const folder = folderWith({
    'dapr.yaml': `version: 1\napps:\n  - {appDirPath: a, daprHTTPPort: ${port}, command: [sleep, 60]}\n`,
    'a/': '',
  });
  const first = run(folder);
  await first.ready;
  const second = run(folder);
  expect(await second.over).toBe(1);
  expect(second.said.at(-1)).toMatch(
    new RegExp(
      `^sidelight: port ${port} \\(sidecar\\) is in use by another Sidelight .*; stop that Sidelight, or choose another port with daprHTTPPort of app a`,
    ),
  );
});

test('R33, R36: a missing program ends the run and all processes that a script has started', async () => {
  const folder = folderWith({
    'dapr.yaml': `version: 1
apps:
  - {appDirPath: a, command: [./run.sh]}
  - {appDirPath: b, command: [nosuch], dependsOn: [{app: a, condition: started}]}
`,
    'a/run.sh': 'sleep 60 &\necho "child $!"\nwait\n',
    'b/': '',
  });
  chmodSync(`${folder}/a/run.sh`, 0o755);
  const one = run(folder);
  expect(await one.over).toBe(1);
  expect(one.said.join('\n')).toContain(
    'App b could not be started: the program nosuch was not found in PATH: correct its name, install it, or give its full path',
  );
});

test('a taken app port is reported in one line, and nothing is started', async () => {
  const folder = folderWith({ 'a/': '', 'b/': '' });
  const stranger = createServer().listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  onTestFinished(() => void stranger.close());
  const { port } = stranger.address() as AddressInfo;
  writeFileSync(
    `${folder}/dapr.yaml`,
    `version: 1\napps:\n  - {appDirPath: a, appPort: ${port}, command: [touch, started]}\n`,
  );
  const one = run(folder);
  expect(await one.over).toBe(1);
  expect(one.said).toEqual([
    expect.stringMatching(
      new RegExp(
        `^sidelight: appPort of app a: port ${port} is in use( by \\w+, pid \\d+)?; end that program`,
      ),
    ),
  ]);
  expect(existsSync(`${folder}/a/started`)).toBe(false);
});

test('a mistake in the file ends the run with status 2 before anything starts', async () => {
  const one = run(
    folderWith({ 'dapr.yaml': 'version: 1\napps:\n  - appDirPath: a\n    command: node a.js\n', 'a/': '' }),
  );
  expect(await one.over).toBe(2);
  expect(one.said).toEqual([
    expect.stringMatching(
      /^sidelight: Error getting apps from config file: .*dapr\.yaml:4:14: command must be a list: \[node, a\.js\]; it is the text "node a\.js"$/,
    ),
  ]);
});
