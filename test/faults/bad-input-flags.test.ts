/** Bad command lines: one line that says which flag and what was expected, the right exit status, and nothing started. */
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../core/host/flags.ts';
import { readCommandLine } from '../../core/host/options.ts';
import { openSettings } from '../../core/host/settings.ts';
import { type Ended, runProduct } from '../e2e/product.ts';

let folder: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-flags-'));
});

afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

/** These starts share compiled code with the products of all tests: `NODE_COMPILE_CACHE` of the test settings. */
const run = (args: readonly string[]): Promise<Ended> => runProduct(['--headless', '--ephemeral', ...args]);

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
}

/** Exactly one line on stderr, and no ready line. */
function onlyLine({ stdout, stderr }: Ended): string {
  expect(stdout).toBe('');
  const lines = stderr.split('\n').filter((line) => line !== '');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

/** Error of a start with these arguments before it opens anything. */
function mistakeOf(args: readonly string[]): string {
  let thrown: unknown;
  try {
    const asked = readCommandLine(['--headless', '--ephemeral', ...args], {});
    if (asked.kind === 'start') openSettings(asked.options);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(UsageError);
  return String(thrown);
}

const FLAGS: readonly (readonly [what: string, args: readonly string[], says: string])[] = [
  [
    'a host that is no address',
    ['--sidecar-host', 'everywhere'],
    '--sidecar-host must be an IP address of this machine, such as 127.0.0.1 or ::1 (all of them: 0.0.0.0 or ::), got "everywhere"',
  ],
  ['a host that is empty', ['--sidecar-host', ''], '(all of them: 0.0.0.0 or ::), got ""'],
  ['a host that is a star', ['--sidecar-host', '*'], '(all of them: 0.0.0.0 or ::), got "*"'],
  ['half an address', ['--sidecar-host', '127.1'], '(all of them: 0.0.0.0 or ::), got "127.1"'],
  ['a name with a dot', ['--console-host', 'localhost.'], '(all of them: 0.0.0.0 or ::), got "localhost."'],
  ['an address in brackets', ['--console-host', '[::1]'], '(all of them: 0.0.0.0 or ::), got "[::1]"'],
  ['an address with a zone', ['--sidecar-host', '::1%lo'], '(all of them: 0.0.0.0 or ::), got "::1%lo"'],
  [
    'a port that is no number',
    ['--sidecar-port', 'abc'],
    '--sidecar-port must be a port from 0 to 65535, got "abc"',
  ],
  ['a port out of range', ['--app-port', '70000'], '--app-port must be a port from 0 to 65535, got "70000"'],
  [
    'a port with a unit',
    ['--console-port', '80s'],
    '--console-port must be a port from 0 to 65535, got "80s"',
  ],
  ['an app id with a dot', ['--app-id', 'a.b'], '--app-id must be an app id without dots'],
  [
    'an address that is no web address',
    ['--app-url', 'ftp://x'],
    '--app-url must be none or an http, https, h2c, grpc or grpcs address, got "ftp://x"',
  ],
  [
    'a further app without an address',
    ['--app', 'x'],
    '--app must be ID=URL[,sidecarPort[,grpcPort]], ID=mock[,sidecarPort[,grpcPort]] or ID=none[,sidecarPort[,grpcPort]], got "x"',
  ],
  [
    'a further app with a bad port',
    ['--app', 'b=mock,x'],
    '--app b: the sidecar port must be a port from 0 to 65535, got "x"',
  ],
  ['an app id given twice', ['--app', 'app=mock'], 'the app id "app" is given twice'],
  [
    'a folder that is not there',
    ['--resources', './nowhere'],
    '--resources must be a folder that exists, got "./nowhere"',
  ],
  ['an unknown profile', ['--profile', 'other'], '--profile must be sidecar, dapr or dapr-1.18, got "other"'],
  [
    'a settings file that is not there',
    ['--config', './none.yaml'],
    '--config must be a file that exists, got "./none.yaml"',
  ],
  ['a setting without a value', ['--set', 'x'], '--set must be KEY=VALUE, got "x"'],
  [
    'an unknown setting',
    ['--set', 'delivery.retires=1'],
    '--set: unknown setting "delivery.retires"; known settings: delivery.retry, ',
  ],
  [
    'a setting whose name has a slip',
    ['--set', 'delivery.concurency=1'],
    '--set: unknown setting "delivery.concurency", did you mean delivery.concurrency? known settings: ',
  ],
  [
    'a setting out of range',
    ['--set', 'delivery.concurrency=0'],
    '--set delivery.concurrency must be a whole number from 1 to 10,000, got the number 0',
  ],
  [
    'an unknown log level',
    ['--log-level', 'loud'],
    '--log-level must be debug, info, warn or error, got "loud"',
  ],
  ['an unknown log format', ['--log-format', 'xml'], '--log-format must be text or json, got "xml"'],
  ['an unknown flag', ['--sidecarport', '1'], 'unknown flag --sidecarport, did you mean --sidecar-port?'],
  ['a flag without the brand', ['--http-port', '1'], 'unknown flag --http-port: here it is --sidecar-port'],
  ['a flag without the brand, of a run', ['run', '--http-port', '1'], 'did you mean --dapr-http-port?'],
  ['half a flag', ['--url', '1'], 'unknown flag --url, did you mean --app-url or --sidecar-url?'],
  ['a flag without its value', ['--app-id'], '--app-id needs a value: an app id'],
  ['a value for a flag that takes none', ['--ephemeral=yes'], '--ephemeral takes no value'],
  ['a place for a history that is not kept', ['--data-dir', 'x'], '--ephemeral keeps nothing on disk'],
  ['an unknown command', ['serve'], 'unknown command "serve"'],
];

/** A process handles all mistakes alike; so only one of each kind has a process of its own. */
const WITH_A_PROCESS: ReadonlySet<string> = new Set([
  ...['a folder that is not there', 'a setting out of range', 'an unknown flag', 'an unknown command'],
]);

describe('a bad flag ends with 2', () => {
  test.concurrent.each(FLAGS.filter(([what]) => WITH_A_PROCESS.has(what)))(
    '%s ends the process with status 2',
    async (_what, args, says) => {
      const ended = await run(args);
      expect(ended.code).toBe(2);
      const line = onlyLine(ended);
      expect(line).toContain(says);
      expect(line).toMatch(/^sidelight: /);
    },
  );

  test('the flags with a process of their own are in the list', () => {
    expect(FLAGS.filter(([what]) => WITH_A_PROCESS.has(what))).toHaveLength(WITH_A_PROCESS.size);
  });
});

describe('a bad flag without a process', () => {
  test.each(FLAGS)('%s is a usage error in one line', (_what, args, says) => {
    const said = mistakeOf(args);
    expect(said).toContain(says);
    expect(said).not.toContain('\n');
  });
});

describe('a bad settings file', () => {
  const FILES: readonly (readonly [what: string, text: string, says: string])[] = [
    ['that is not YAML', 'delivery:\n  concurrency: [\n', 'bad.yaml'],
    ['that is no table', 'just text\n', 'bad.yaml'],
    [
      'with an unknown setting',
      'delivry.concurrency: 5\n',
      'unknown setting "delivry.concurrency", did you mean delivery.concurrency?',
    ],
    [
      'with an unknown block of settings',
      'delivry:\n  concurrency: 5\n',
      'unknown setting "delivry.concurrency", did you mean delivery.concurrency?',
    ],
    [
      'with a slip in the block of the event router',
      'eventRoutr: {listen: {ingress: "localhost:9443"}}\n',
      'unknown setting "eventRoutr", did you mean eventRouter? known settings: ',
    ],
    [
      'with two words for a dot',
      'deliveryRetry: {maxAttempts: 3}\n',
      'unknown setting "deliveryRetry", did you mean delivery.retry? known settings: ',
    ],
    [
      'with an underscore for a dot',
      'delivery_retry: {maxAttempts: 3}\n',
      'unknown setting "delivery_retry", did you mean delivery.retry? known settings: ',
    ],
    ['with a block of which nothing is known', 'shop: {a: 1}\n', 'unknown setting "shop"; known settings: '],
    [
      'with an empty unknown block',
      'delivry: {}\n',
      'unknown setting "delivry", did you mean delivery? known settings: ',
    ],
    [
      'with a value out of range',
      'delivery.concurrency: 0\n',
      'delivery.concurrency must be a whole number from 1 to 10,000',
    ],
    [
      'with a part of a setting as a key',
      'delivery.retry.maxAttempts: 3\n',
      'bad.yaml:1:1: delivery.retry.maxAttempts is a part of delivery.retry; write delivery.retry: {"maxAttempts":3}',
    ],
    [
      'with an alias to nothing',
      'delivery:\n  concurrency: *x\n',
      'bad.yaml:2:16: YAML: found an alias (*), but no anchor (&) of its name above it.',
    ],
    [
      'with a wrong indent',
      'delivery:\n  concurrency: 10\n   retry: {}\n',
      'bad.yaml:3:4: YAML: the line begins in column 4; expected column 3, because the key above it has a value already.',
    ],
    [
      'of two documents',
      'journal.sync: full\n---\njournal.sync: full\n',
      'bad.yaml:2:1: YAML: the file has more than one document; expected one.',
    ],
  ];

  test('a word of the addresses of apps is explained for protocols alone', () => {
    expect(mistakeOf(['--log-level', 'https'])).not.toContain('address of the app');
    expect(mistakeOf(['--app-protocol', 'https'])).toContain('address of the app');
  });

  test('with many unknown settings names the known ones once, and at most 100 mistakes', () => {
    const file = write('unknown.yaml', Array.from({ length: 300 }, (_, n) => `shop${n}: 1\n`).join(''));
    const lines = mistakeOf(['--config', file]).split('\n');
    expect(lines).toHaveLength(102);
    expect(lines.filter((line) => line.includes('delivery.retry'))).toEqual([lines.at(-1)]);
    expect(lines.at(-2)).toContain('and 200 more mistakes');
  });

  // The command line, which is read before the settings, must check the limits.
  test.each([
    ['many aliases', `a: &a 1\nb: [${'*a, '.repeat(200)}1]\n`, 'more than 100 aliases'],
    ['many words', 'a: [b, c]\n'.repeat(20_000), 'more than 30,000 words'],
    ['a long text', `a: ${'x'.repeat(1024 * 1024)}\n`, 'the file is larger than 1 MiB'],
  ])('with %s is refused before it is parsed', (_what, text, says) => {
    const file = write('much.yaml', text);
    for (const before of [['--headless'], ['run']])
      expect(() => readCommandLine([...before, '--ephemeral', '--config', file], {})).toThrow(
        expect.objectContaining({ message: expect.stringContaining(`--config ${file}: `) }),
      );
    expect(mistakeOf(['--config', file])).toContain(says);
  });

  test.each(FILES)('%s is a usage error too, in one line', (_what, text, says) => {
    const file = write('bad.yaml', text);
    const said = mistakeOf(['--config', file]);
    expect(said).toContain(says);
    expect(said).not.toContain('\n');
  });

  test('with several mistakes has each in a line of its own, with its position', () => {
    const file = write('bad.yaml', 'delivery:\n  concurrency: 0\n  retri: 3\njournal.sync: ful\n');
    expect(mistakeOf(['--config', file]).split('\n')).toEqual([
      expect.stringContaining('bad.yaml:2:3: delivery.concurrency must be a whole number from 1 to 10,000'),
      expect.stringContaining('bad.yaml:3:3: unknown setting "delivery.retri", did you mean delivery.retry?'),
      expect.stringContaining('bad.yaml:4:1: journal.sync must be '),
    ]);
    const broken = write('broken.yaml', 'delivery:\n\tconcurrency: 5\njournal.sync:full\n');
    expect(mistakeOf(['--config', broken])).toContain(
      'broken.yaml:2:1: YAML: found a tab at the beginning of the line; expected spaces.',
    );
    expect(mistakeOf(['--config', write('text.yaml', 'just text\n')])).toContain(
      'text.yaml:1:1: expected settings such as "delivery.concurrency: 5", found the text "just text"',
    );
  });

  test('ends the process with 2', async () => {
    const ended = await run(['--config', write('bad.yaml', 'just text\n')]);
    expect(ended.code).toBe(2);
    expect(onlyLine(ended)).toContain('bad.yaml');
  });

  test('is refused as folder of resources too', () => {
    const file = write('component.yaml', 'kind: Component\n');
    expect(mistakeOf(['--resources', file])).toContain('--resources must be a folder that exists');
  });
});

describe('a port in use ends with 1', () => {
  let taken: net.Server;
  let port: string;

  beforeAll(async () => {
    taken = net.createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    port = typeof address === 'object' && address !== null ? String(address.port) : '';
  });

  afterAll(() => new Promise((resolve) => taken.close(resolve)));

  test.concurrent.each(['--sidecar-port', '--app-port', '--console-port'])(
    'a port in use of %s ends with status 1',
    async (flag) => {
      const free = ['--sidecar-port', '--app-port', '--console-port'].filter((each) => each !== flag);
      const ended = await run([...free.flatMap((each) => [each, '0']), flag, port]);
      expect(ended.code).toBe(1);
      const line = onlyLine(ended);
      expect(line).toContain(port);
      expect(line).toContain(flag);
    },
  );
});
