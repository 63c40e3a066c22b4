/** Wrong values of each flag that takes one: the sentence names the flag, what is expected, and what is meant where that is known. */
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROUTER_FLAGS, routerCommand } from '../../core/event-router/command/command.ts';
import { FLAGS, UsageError } from '../../core/host/flags.ts';
import { MCP_FLAGS, mcpCommand } from '../../core/host/mcp-command.ts';
import { readCommandLine } from '../../core/host/options.ts';
import { openSettings } from '../../core/host/settings.ts';
import { TEST_FLAGS, testCommand } from '../../core/host/test-command.ts';
import { WAIT_FLAGS, waitCommand } from '../../core/host/wait-command.ts';
import { folderWith } from './multi-run/plan-of.ts';

const FOLDER = join(import.meta.dirname, '..', 'support');
const FILE = import.meta.filename;

/** A flag with a wrong value, and what is said of it. */
type Row = readonly [flag: string, value: string, says: string];

const port = (flag: string, more = ''): readonly Row[] => [
  [flag, '8080x', `--${flag} must be a port from 0 to 65535${more}, got "8080x"; did you mean 8080?`],
  [flag, '127.0.0.1:8080', `${more}, got "127.0.0.1:8080"; did you mean 8080?`],
  [flag, '70000', `--${flag} must be a port from 0 to 65535${more}, got "70000"`],
];

const host = (flag: string): readonly Row[] => [
  [flag, 'localhost', '(all of them: 0.0.0.0 or ::), got "localhost"; did you mean 127.0.0.1?'],
  [flag, '0.0.0.0:3500', 'got "0.0.0.0:3500"; did you mean 0.0.0.0?'],
  [flag, 'box', `--${flag} must be an IP address of this machine`],
];

const START: readonly Row[] = [
  ...['sidecar-port', 'app-port', 'console-port'].flatMap((flag) => port(flag)),
  ...port('grpc-port', ', or off'),
  ['grpc-port', 'of', 'got "of"; did you mean off?'],
  ...['sidecar-host', 'console-host'].flatMap(host),
  ['console-allowed-host', 'http://box:8080', 'got "http://box:8080"; did you mean box:8080?'],
  ['console-allowed-host', 'box/path', 'got "box/path"; did you mean box?'],
  ['console-allowed-host', '', '--console-allowed-host must be a name such as sidelight'],
  ['app-protocol', 'htp', '--app-protocol must be http or grpc, got "htp"; did you mean http?'],
  ['app-protocol', 'GRPC', 'got "GRPC"; did you mean grpc?'],
  ['app-protocol', 'https', 'got "https"; for https, write it in the address of the app'],
  ['app-id', 'my.app', 'got "my.app"; did you mean my-app?'],
  ['app-id', 'my app', 'got "my app"; did you mean my-app?'],
  ['app-id', '', '--app-id must be an app id without dots, spaces, commas or slashes, got ""'],
  ['app-url', '8080x', 'got "8080x"; did you mean http://127.0.0.1:8080?'],
  ['app-url', 'localhost', 'got "localhost"; the port is missing, as in http://localhost:8080'],
  ['app-url', 'https://localhost/base', 'the port is missing, as in https://localhost:8080'],
  ['app-url', '127.0.0.1:8080x', 'got "127.0.0.1:8080x"; did you mean http://127.0.0.1:8080?'],
  ['app-url', 'box', 'got "box"; the port is missing, as in http://box:8080'],
  [
    'app-url',
    'https:/localhost:',
    'got "https:/localhost:"; the port is missing, as in https://localhost:8080',
  ],
  ['app-url', 'htp://localhost', 'got "htp://localhost"; the port is missing, as in http://localhost:8080'],
  ['app-url', ':8080', 'got ":8080"; did you mean http://127.0.0.1:8080?'],
  ['app-url', 'localhost 8080', 'got "localhost 8080"; did you mean http://localhost:8080?'],
  ['app-url', 'h2c://localhost', 'got "h2c://localhost"; the port is missing, as in h2c://localhost:8080'],
  ['app-url', 'h2d://localhost:1', 'got "h2d://localhost:1"; did you mean h2c://localhost:1?'],
  [
    'app-url',
    'grpc://localhost:50051/orders',
    'got "grpc://localhost:50051/orders"; did you mean grpc://localhost:50051?',
  ],
  ['app', 'shop', 'got "shop"; did you mean shop=mock?'],
  ['app', 'shop=8080x', '--app shop must be mock, none or an http'],
  [
    'app',
    'shop=mock,80x',
    '--app shop: the sidecar port must be a port from 0 to 65535, got "80x"; did you mean 80?',
  ],
  [
    'resources',
    join(FOLDER, 'nosuch'),
    `--resources must be a folder that exists, got "${join(FOLDER, 'nosuch')}"`,
  ],
  ['resources', FILE, `got "${FILE}"; it is a file: give its folder, ${import.meta.dirname}`],
  ['resources', resolve('scrpts'), `did you mean ${resolve('scripts')}?`],
  ['data-dir', FILE, `--data-dir must be a folder, got "${FILE}"`],
  ['data-dir', '', '--data-dir must be a folder, got ""'],
  ['profile', 'dpar', '--profile must be sidecar, dapr or dapr-1.18, got "dpar"; did you mean dapr?'],
  ['profile', 'sidcar', 'got "sidcar"; did you mean sidecar?'],
  ['profile', 'dapr-1.12', '--profile must be sidecar, dapr or dapr-1.18, got "dapr-1.12"'],
  ['config', resolve('compose.yml'), `did you mean ${resolve('compose.yaml')}?`],
  ['config', FOLDER, `--config must be a file that exists, got "${FOLDER}"; it is a folder`],
  ['config', '', '--config must be a file that exists, got ""'],
  ['set', 'delivery.concurrency', 'got "delivery.concurrency"; did you mean delivery.concurrency=…?'],
  ['set', 'delivery.concurency: 5', 'did you mean delivery.concurrency=5?'],
  ['set', 'delivery.concurrency=abc', '--set delivery.concurrency must be a whole number from 1 to 10,000'],
  [
    'log-level',
    'warning',
    '--log-level must be debug, info, warn or error, got "warning"; did you mean warn?',
  ],
  ['log-level', 'inof', 'got "inof"; did you mean info?'],
  ['log-level', 'loud', '--log-level must be debug, info, warn or error, got "loud"'],
  ['log-format', 'jsn', '--log-format must be text or json, got "jsn"; did you mean json?'],
  ['log-format', 'txt', 'got "txt"; did you mean text?'],
  ['log-format', 'xml', '--log-format must be text or json, got "xml"'],
];

const TAP: readonly Row[] = [
  ...['tap-app-port', 'tap-sidecar-port', 'tap-grpc-port'].flatMap((flag) => port(flag)),
  ['app-url', '8080x', 'got "8080x"; for port 8080 of this machine: http://127.0.0.1:8080'],
  ['app-url', 'https://127.0.0.1:8080', 'without TLS, got "https://127.0.0.1:8080"'],
  [
    'app-url',
    'http://127.0.0.1:8080/path',
    'got "http://127.0.0.1:8080/path"; without /path: http://127.0.0.1:8080',
  ],
  ['sidecar-url', '3500', 'got "3500"; for port 3500 of this machine: http://127.0.0.1:3500'],
  ['sidecar-url', 'grpc://127.0.0.1:50001', '--sidecar-url must be an address like http://127.0.0.1:8080'],
  ['sidecar-url', '', '--sidecar-url must be an address like http://127.0.0.1:8080'],
  ['sidecar-grpc', '50001', 'got "50001"; for port 50001 of this machine: 127.0.0.1:50001'],
  ['sidecar-grpc', 'localhost', '--sidecar-grpc must be an address like 127.0.0.1:50001'],
  ['sidecar-grpc', 'http://127.0.0.1:50001', '--sidecar-grpc must be an address like 127.0.0.1:50001'],
];

const RUN: readonly (readonly [args: readonly string[], says: string])[] = [
  [['--app-port', '8080x'], '--app-port must be a port from 0 to 65535, got "8080x"; did you mean 8080?'],
  [['-p', 'localhost:8080'], '-p must be a port from 0 to 65535, got "localhost:8080"; did you mean 8080?'],
  [['-P', 'htp'], '-P must be http, https, grpc, grpcs or h2c, got "htp"; did you mean http?'],
  [['-H', '3500x'], '-H must be a port from 0 to 65535, got "3500x"; did you mean 3500?'],
  [
    ['-p', '1', '--app-channel-address', 'localhost:8080'],
    '--app-channel-address must be a host, got "localhost:8080"; did you mean localhost?',
  ],
  [['--log-level', 'wran'], '--log-level must be debug, info, warn or error, got "wran"; did you mean warn?'],
];

function refusalOf(argv: readonly string[]): string {
  try {
    const asked = readCommandLine(argv, {});
    if (asked.kind === 'start') openSettings(asked.options);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'nothing is refused';
}

const takesValue = (flags: Readonly<Record<string, { readonly type: string }>>): readonly string[] =>
  Object.keys(flags).filter((name) => flags[name]?.type === 'string');

describe('flags of a start, of run and of tap', () => {
  test.each(START)('--%s %j is refused with what is meant', (flag, value, says) => {
    expect(refusalOf([`--${flag}`, value])).toContain(says);
  });

  test.each(['ftp:', '0:', '0', 'http:', 'localhost:?a=b'])(
    '--app-url %s is refused without a hint: no address is surely meant',
    (value) => {
      expect(refusalOf(['--app-url', value]).endsWith(`got "${value}"`)).toBe(true);
    },
  );

  test.each(TAP)('tap --%s %j is refused with what is meant', (flag, value, says) => {
    const others = flag === 'app-url' ? [] : ['--app-url', 'http://127.0.0.1:1'];
    const grpc = flag === 'tap-grpc-port' ? ['--sidecar-grpc', '127.0.0.1:1'] : [];
    expect(refusalOf(['tap', ...others, ...grpc, `--${flag}`, value])).toContain(says);
  });

  test.each(RUN)('run %j is refused with what is meant', (args, says) => {
    expect(refusalOf(['run', ...args])).toBe(says);
  });

  test.each([
    [['tap'], 'tap needs --app-url URL: where the app behind the tap listens'],
    [
      ['tap', '--app-url', 'http://127.0.0.1:1', '--tap-grpc-port', '1'],
      '--tap-grpc-port needs --sidecar-grpc HOST:PORT, the gRPC API behind it',
    ],
    [['tap', '--app-url', 'http://127.0.0.1:1', 'x'], 'unexpected "x"; put the command to run after --'],
    [['run', '-f'], '-f needs a value: a file, a folder, or - for standard input'],
    [['--', 'node'], 'a command after -- needs sidelight run: sidelight run [flags] -- CMD'],
  ])('%j lacks something, and the sentence says what', (argv, says) => {
    expect(refusalOf(argv)).toBe(says);
  });

  test.each([
    [
      ['start'],
      'unknown command "start"; Sidelight starts without such a word. Expected run, tap, router, wait, test, mcp, or flags only (--help lists them)',
    ],
    [
      ['stop', '--app-id', 'shop'],
      '"stop" is a command of the reference, and not one here: press Ctrl+C where Sidelight runs; its apps end with it',
    ],
    [
      ['publish', '--publish-app-id', 'shop'],
      `"publish" is a command of the reference, and not one here: publish with Publish in the console, or with curl -H 'Content-Type: application/json' -d '{"id":1}' http://127.0.0.1:3500/v1.0/publish/PUBSUB/TOPIC`,
    ],
    ...[
      ['publish', '--sidecar-port', '23510'],
      ['--sidecar-port=23510', 'publish'],
      ['publish', '--dapr-http-port', '23510'],
      ['publish', '-H', '23510'],
      ['publish', '-H23510'],
      ['publish', '-H=23510'],
    ].map((words): [string[], string] => [
      words,
      `"publish" is a command of the reference, and not one here: publish with Publish in the console, or with curl -H 'Content-Type: application/json' -d '{"id":1}' http://127.0.0.1:23510/v1.0/publish/PUBSUB/TOPIC`,
    ]),
    ...[
      [
        'publish',
        '-i',
        'shop',
        '-p',
        'bus',
        '-t',
        'orders/new',
        '-d',
        `{"it's":2}`,
        '-m',
        '{"rawPayload":"true"}',
      ],
      [
        ...['publish', '--publish-app-id=shop', '--pubsub=bus', '--topic=orders/new', `--data={"it's":2}`],
        '--metadata={"rawPayload":"true"}',
      ],
    ].map((words): [string[], string] => [
      words,
      `"publish" is a command of the reference, and not one here: publish with Publish in the console, or with curl -H 'Content-Type: application/json' -d '{"it'\\''s":2}' 'http://127.0.0.1:3500/v1.0/publish/bus/orders/new?metadata.rawPayload=true'`,
    ]),
    [
      ['publish', '--topic', 'orders', '--data-file', 'my order.json', '--metadata', 'no JSON'],
      `"publish" is a command of the reference, and not one here: publish with Publish in the console, or with curl -H 'Content-Type: application/json' --data-binary '@my order.json' http://127.0.0.1:3500/v1.0/publish/PUBSUB/orders`,
    ],
    [
      ['publish', '-t', 'orders', '-d', 'https://me:secret@shop'],
      `"publish" is a command of the reference, and not one here: publish with Publish in the console, or with curl -H 'Content-Type: application/json' -d '{"id":1}' http://127.0.0.1:3500/v1.0/publish/PUBSUB/orders`,
    ],
    [
      ['init'],
      '"init" is a command of the reference, and not one here: nothing has to be installed beside Sidelight: start with sidelight run --profile dapr …',
    ],
    [
      ['rn', '--app-port', '8080'],
      'unknown command "rn", did you mean run? expected run, tap, router, wait, test, mcp, or flags only (--help lists them)',
    ],
    [
      ['--app', 'http://127.0.0.1:8080'],
      '--app must be ID=URL[,sidecarPort[,grpcPort]], ID=mock[,sidecarPort[,grpcPort]] or ID=none[,sidecarPort[,grpcPort]], got "http://127.0.0.1:8080"; for the address of the first app: --app-url http://127.0.0.1:8080',
    ],
    [
      ['--set', 'delivery.retry.maxAttempts=3'],
      `--set: delivery.retry.maxAttempts is a part of delivery.retry; write --set 'delivery.retry={"maxAttempts":3}'`,
    ],
    [
      ['--set', 'delivery.retry.maxAttemps=3'],
      `--set: delivery.retry.maxAttemps is a part of delivery.retry; write --set 'delivery.retry={"maxAttempts":3}'`,
    ],
    [
      ['--set', 'delivery.retry.maxAttempts=many'],
      `--set: delivery.retry.maxAttempts must be a whole number from 0 to 1,000,000, got the text "many"; it is a part of delivery.retry, so write it as in --set 'delivery.retry={"maxAttempts":10}'`,
    ],
    [
      ['--set', 'delivery.retry.colour=3'],
      `--set: delivery.retry.colour is not a part of delivery.retry, which must be an object with maxAttempts, firstDelayMs, factor, maxDelayMs, jitter`,
    ],
    [
      ['--app-url', 'http://127.0.0.1:3500'],
      "--app-url: http://127.0.0.1:3500 is the default address of Sidelight's own sidecar; give the address of your app, or another port of the sidecar with --sidecar-port N",
    ],
    [
      ['--app', 'shop=http://localhost:3580'],
      "--app shop: http://localhost:3580 is the default address of Sidelight's own console; give the address of your app, or another port of the console with --console-port N",
    ],
    [
      ['--set', 'app.health={enabled:true}'],
      `--set app.health must be an object with enabled, path, intervalMs, timeoutMs, threshold, got the text "{enabled:true}", which is not JSON: names need double quotes, and a shell needs single quotes around the whole`,
    ],
  ])('%j is what people try, and the sentence says what works', (argv, says) => {
    expect(refusalOf(argv)).toBe(says);
  });

  test.each(['3', '10'])('a part of a setting that the sentence suggests is accepted: %s', (value) => {
    expect(refusalOf(['--set', `delivery.retry={"maxAttempts":${value}}`])).toBe('nothing is refused');
  });

  test.each([
    [['--app-url', 'http://127.0.0.1:3500', '--sidecar-port', '3600']],
    [['--app-url', 'http://127.0.0.1:3500', '--sidecar-port', '0']],
    [['--app-url', 'http://127.0.0.1:3580', '--console-port', '0']],
    [['--app-url', 'http://far.test:3500']],
    [['run', '--app-port', '3500']],
  ])('an app at the default port of a part that a flag moves, or elsewhere, is accepted: %j', (argv) => {
    expect(refusalOf(argv)).toBe('nothing is refused');
  });

  test('every flag that takes a value stands in these tables', () => {
    const tried = new Set([...START, ...TAP].map(([flag]) => flag));
    expect([...tried].toSorted()).toEqual(takesValue(FLAGS).toSorted());
  });

  test('a setting whose value is written apart is no unknown command', () => {
    expect(refusalOf(['--set', 'delivery.concurrency', '5'])).toBe(
      '--set must be KEY=VALUE, got "delivery.concurrency 5"; did you mean delivery.concurrency=5?',
    );
  });
});

type Streams = Parameters<typeof waitCommand>[2];
const SILENT: Streams = { out: () => undefined, err: () => undefined };
const INSTANCE = { rpc: 'http://127.0.0.1:1', token: 't' };
const AROUND = { out: () => undefined, env: {}, signal: new AbortController().signal };

const COMMANDS: Readonly<Record<string, (argv: readonly string[], streams: Streams) => Promise<number>>> = {
  wait: (argv, streams) => waitCommand(argv, {}, streams),
  test: (argv) => testCommand(argv, AROUND),
  mcp: (argv, streams) => mcpCommand(argv, {}, streams, AbortSignal.abort()),
  router: (argv, { out }) => routerCommand(argv, out, () => INSTANCE),
};

/** Runs a command for a running instance. */
async function run(command: string, args: readonly string[], streams = SILENT): Promise<number> {
  const act = COMMANDS[command];
  if (act === undefined) throw new Error(`there is no command ${command}`);
  return act(args, streams);
}

describe('flags of the commands for a running instance', () => {
  test.each<readonly [command: string, args: readonly string[], says: string]>([
    ['wait', [], "wait needs a filter, for example: sidelight wait 'topic:orders state:processed'"],
    ['wait', ['topik:a'], 'the filter cannot be read. Unknown key "topik" at 1–5. Did you mean "topic"?'],
    ['wait', ['a', '--timeout', '5'], 'got "5"; did you mean 5s?'],
    ['wait', ['a', '--timeout', 'soon'], '--timeout must be a duration such as 500ms, 10s or 2m, got "soon"'],
    ['wait', ['a', '--timeout', '-1s'], '--timeout must be a duration such as 500ms, 10s or 2m, got "-1s"'],
    ['wait', ['a', '--count', '0'], '--count must be a whole number of at least 1, got "0"'],
    ['wait', ['a', '--count', 'two'], '--count must be a whole number of at least 1, got "two"'],
    ['wait', ['a', '--count', '1.5'], '--count must be a whole number of at least 1, got "1.5"'],
    ['wait', ['a', '--since', 'stat'], '--since must be start or now, got "stat"; did you mean start?'],
    ['wait', ['a', '--since', '5m'], '--since must be start or now, got "5m"'],
    ['wait', ['a', '--since', ''], '--since must be start or now, got ""'],
    ['wait', ['a', '--rpc', 'localhost:3580', '--token', 't'], '--rpc must be an address such as http://127'],
    ['wait', ['a', '--token', 't'], '--rpc URL and --token T belong together'],
    ['wait', ['a', '--timeuot', '5s'], 'unknown flag --timeuot, did you mean --timeout?'],
    ['test', [], 'test needs a scenario file or a folder, for example: sidelight test tests'],
    ['test', [resolve('tset')], `did you mean ${resolve('test')}?`],
    [
      'test',
      ['.', '--reporter', 'junt'],
      '--reporter must be spec, json or junit, got "junt"; did you mean junit?',
    ],
    ['test', ['.', '--reporter', 'tap'], '--reporter must be spec, json or junit, got "tap"'],
    ['test', ['.', '--reporter', ''], '--reporter must be spec, json or junit, got ""'],
    ['test', ['.', '--out', FOLDER], `--out must be a file in a folder that exists, got "${FOLDER}"`],
    ['test', ['.', '--out', '/no/such/x.xml'], '--out must be a file in a folder that exists'],
    ['test', ['.', '--out', ''], '--out must be a file in a folder that exists, got ""'],
    ['mcp', ['stdio'], 'unexpected "stdio" (sidelight mcp --help lists the flags)'],
    ['mcp', ['--rpc', 'x'], '--rpc URL and --token T belong together'],
    [
      'mcp',
      ['--rpc', 'x', '--token', 't'],
      '--rpc must be an address such as http://127.0.0.1:3580/rpc, got "x"',
    ],
    ['mcp', ['--token', 't'], '--rpc URL and --token T belong together'],
    ['mcp', ['--tokn', 't'], 'unknown flag --tokn, did you mean --token?'],
    ['router', [], 'router needs one of status, '],
    ['router', ['stauts'], 'got "stauts"; did you mean status?'],
    [
      'router',
      ['faults', '--time-scale', 'fast'],
      '--time-scale must be a number such as 0.01 or 10, got "fast"',
    ],
    ['router', ['faults', '--time-scale', ''], '--time-scale must be a number such as 0.01 or 10, got ""'],
    [
      'router',
      ['faults', '--time-scale', '10x'],
      '--time-scale must be a number such as 0.01 or 10, got "10x"',
    ],
    ['router', ['keys', '--reveal'], 'router keys --reveal needs --topic NAME'],
    ['router', ['handshake'], 'router handshake needs --component NAME'],
  ])('sidelight %s %j is refused with what is expected', async (command, args, says) => {
    const refused = run(command, args);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
    await expect(refused).rejects.toThrow(says);
  });

  test('no command takes a value apart from those that are tried and free texts', () => {
    const free = ['rpc', 'token', 'data-dir'];
    const named = [WAIT_FLAGS, TEST_FLAGS, MCP_FLAGS]
      .flatMap(takesValue)
      .filter((name) => !free.includes(name));
    expect(named.toSorted()).toEqual(['count', 'out', 'reporter', 'since', 'timeout']);
    expect(takesValue(ROUTER_FLAGS)).toContain('time-scale');
  });
});

test('a data folder that has no instance is named', async () => {
  const folder = folderWith({});
  const said: string[] = [];
  const streams = { ...SILENT, err: (text: string) => void said.push(text) };
  expect(await run('wait', ['a', '--data-dir', folder], streams)).toBe(3);
  expect(said.join('')).toContain(`no running instance was found in ${folder}; start Sidelight`);
});
