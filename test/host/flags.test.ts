/** Command lines that cannot be read: which flag, and what was expected. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../core/host/flags.ts';
import { readCommandLine } from '../../core/host/options.ts';
import type { ProductOptions } from '../../core/host/options.ts';
import { checkRunWords } from '../../core/host/run-words.ts';

describe('a mistake is one line', () => {
  test.each([
    [['--console-port', '-1'], '--console-port must be a port from 0 to 65535, got "-1"'],
    [['--console-port=-1'], '--console-port must be a port from 0 to 65535, got "-1"'],
    [['--sidecar-port'], '--sidecar-port needs a value: a port from 0 to 65535'],
    [['--sidecar-port', '--headless'], '--sidecar-port needs a value: a port from 0 to 65535'],
    [
      ['--app', 'x=notaurl'],
      '--app x must be mock, none or an http, https, h2c, grpc or grpcs address, got "notaurl"; the port is missing, as in http://notaurl:8080',
    ],
    [
      ['--app-url', '6002'],
      '--app-url must be none or an http, https, h2c, grpc or grpcs address, got "6002"; for an app on this machine: http://127.0.0.1:6002',
    ],
    [['--app', 'x=mock,-5'], '--app x: the sidecar port must be a port from 0 to 65535, got "-5"'],
    [
      ['--console-allowed-host', 'http://x'],
      '--console-allowed-host must be a name such as sidelight or sidelight:8080, got "http://x"; did you mean x?',
    ],
    [
      ['--console-allowed-host', 'box:65536'],
      '--console-allowed-host must be a name such as sidelight or sidelight:8080, got "box:65536"; did you mean box?',
    ],
    [
      ['--console-allowed-host', '..'],
      '--console-allowed-host must be a name such as sidelight or sidelight:8080, got ".."',
    ],
    [
      ['--console-host', 'localhost'],
      '--console-host must be an IP address of this machine, such as 127.0.0.1 or ::1 (all of them: 0.0.0.0 or ::), got "localhost"; did you mean 127.0.0.1?',
    ],
    [['--ephemeral=1'], '--ephemeral takes no value (--help lists the flags)'],
    [['--resource', 'x'], 'unknown flag --resource, did you mean --resources? (--help lists the flags)'],
    [
      ['serve', '--nope'],
      'unknown command "serve"; expected run, tap, router, wait, test, mcp, or flags only (--help lists them)',
    ],
    [
      ['rum', '-f', '.'],
      'unknown command "rum", did you mean run? expected run, tap, router, wait, test, mcp, or flags only (--help lists them)',
    ],
    [
      ['help', 'wait'],
      'unknown command "help", did you mean --help? expected run, tap, router, wait, test, mcp, or flags only (--help lists them)',
    ],
    [['-v'], 'unknown flag -v (--help lists the flags)'],
    [
      ['--prot', '3'],
      'unknown flag --prot, did you mean --sidecar-port, --app-port, --grpc-port, --console-port, --tap-app-port, --tap-sidecar-port or --tap-grpc-port? (--help lists the flags)',
    ],
    [['--prta', '3'], 'unknown flag --prta (--help lists the flags)'],
    [
      ['run', '--app-por', '1'],
      'unknown flag --app-por, did you mean --app-port? (sidelight run --help lists the flags)',
    ],
    [['run', '-k'], '-k: Sidelight starts apps on this machine only, not in Kubernetes'],
    [['run', '-kf.'], '-k: Sidelight starts apps on this machine only, not in Kubernetes'],
    [
      ['run', '-apport', '1'],
      'unknown flag -apport, did you mean --app-port? (sidelight run --help lists the flags)',
    ],
    [['run', 'ls', 'x', '-al'], 'unknown flag -al: put a command with flags of its own after --'],
    [
      ['run', '--app-id', 'a', 'node', 'app.mjs', '--epehmeral'],
      'unknown flag --epehmeral, did you mean --ephemeral? Put a command with flags of its own after --',
    ],
    [['run', '-p', 'x'], '-p must be a port from 0 to 65535, got "x"'],
    [['run', '-P', 'smtp'], '-P must be http, https, grpc, grpcs or h2c, got "smtp"'],
    [['run', '-p', '1', '--app-channel-address', 'a b'], '--app-channel-address must be a host, got "a b"'],
    [['run', '-H', '70000'], '-H must be a port from 0 to 65535, got "70000"'],
    [['run', '--dapr-grpc-port', 'x'], '--dapr-grpc-port must be a port from 0 to 65535, or off, got "x"'],
    [
      ['run', '-a', 'a.b'],
      '-a must be an app id without dots, spaces, commas or slashes, got "a.b"; did you mean a-b?',
    ],
    [['run', '-c', 'nosuch'], `-c must be a file that exists, got "nosuch" (looked at ${resolve('nosuch')})`],
    [
      ['--app-url', 'localhost'],
      '--app-url must be none or an http, https, h2c, grpc or grpcs address, got "localhost"; the port is missing, as in http://localhost:8080',
    ],
    [
      ['--app-url', 'https//127.0.0.1:8080'],
      '--app-url must be none or an http, https, h2c, grpc or grpcs address, got "https//127.0.0.1:8080"; did you mean https://127.0.0.1:8080?',
    ],
    [
      ['--app-url', 'non'],
      '--app-url must be none or an http, https, h2c, grpc or grpcs address, got "non"; did you mean none?',
    ],
    [
      ['--app', 'shop=mokc'],
      '--app shop must be mock, none or an http, https, h2c, grpc or grpcs address, got "mokc"; did you mean mock?',
    ],
    [
      ['--app-url', '127.0.0.1:99999'],
      '--app-url must be none or an http, https, h2c, grpc or grpcs address, got "127.0.0.1:99999"; the port 99999 is above 65535',
    ],
    [
      ['--app-url', 'htp://127.0.0.1:8080'],
      '--app-url must be none or an http, https, h2c, grpc or grpcs address, got "htp://127.0.0.1:8080"; did you mean http://127.0.0.1:8080?',
    ],
    [['run', '-P', 'constructor'], '-P must be http, https, grpc, grpcs or h2c, got "constructor"'],
    [
      ['run', '-p', '1', '--app-url', 'http://127.0.0.1:1'],
      '--app-port and --app-url both say where the app listens; give one of the two',
    ],
    [
      ['run', '--resources-path', 'a,b'],
      `--resources-path must be a folder that exists, got "a" (looked at ${resolve('a')})`,
    ],
    [['run', '--max-body-size', 'big'], '--max-body-size must be a size such as 4Mi or 1000000, got "big"'],
    [
      ['run', '-H', '1', '--sidecar-port', '2'],
      '--sidecar-port and -H are two names of one flag; give one of the two',
    ],
    [
      ['--dapr-http-port', '1'],
      'unknown flag --dapr-http-port: here it is --sidecar-port; sidelight run accepts it as it is (--help lists the flags)',
    ],
    [
      ['--dapr-http-prot', '1'],
      'unknown flag --dapr-http-prot, did you mean --dapr-http-port of sidelight run? (--help lists the flags)',
    ],
    [
      [
        'run',
        '--enable-app-health-check',
        '--app-health-probe-interval',
        '0',
        '--app-health-probe-timeout=6000',
      ],
      '--app-health-probe-timeout (6000 ms) must not be longer than --app-health-probe-interval (5000 ms)',
    ],
    [
      ['run', '--enable-app-health-check=on', 'x'],
      '--enable-app-health-check must be true or false, got "on"',
    ],
    [
      ['run', '-p', '6001', 'node', 'app.js', '--verbose'],
      'unknown flag --verbose: put a command with flags of its own after --',
    ],
    [['run', 'node', '--', 'app.js'], 'unexpected "node"; put the command to run after --'],
    [
      ['--metrics-port', '1'],
      'unknown flag --metrics-port: it has no meaning here; sidelight run accepts it as it is (--help lists the flags)',
    ],
  ])('%j is refused in one line', (argv, says) => {
    expect(() => readCommandLine(argv, {})).toThrow(new UsageError(says));
  });

  test.each(['dapr.yaml', 'dapr.yml', ''])(
    'a file of apps without its flag, as %j, names the flag',
    (name) => {
      const folder = mkdtempSync(join(tmpdir(), 'run-words-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'dapr.yaml'), '');
      writeFileSync(join(folder, 'dapr.yml'), '');
      const path = join(folder, name);
      const says = `${path} is not a program; to start the apps of a file: sidelight run -f ${path}`;
      expect(() => readCommandLine(['run', path], {})).toThrow(new UsageError(says));
      expect(readCommandLine(['run', '--', path], {})).toMatchObject({ options: { command: [path] } });
      expect(readCommandLine(['run', path, 'x'], {})).toMatchObject({ options: { command: [path, 'x'] } });
    },
  );

  test('a word without a path is a program, also where a folder with a file of apps has its name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'run-words-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'node'));
    writeFileSync(join(folder, 'node', 'dapr.yaml'), '');
    expect(() => checkRunWords(['node'], folder)).not.toThrow();
    for (const path of ['./node', 'node/', join(folder, 'node')])
      expect(() => checkRunWords([path], folder)).toThrow(`sidelight run -f ${path}`);
  });

  test('a word too long for a file name is a program', () => {
    const word = 'x'.repeat(300);
    expect(readCommandLine(['run', word], {})).toMatchObject({ options: { command: [word] } });
  });

  test('R58: what follows -- is the command and is left alone', () => {
    const asked = readCommandLine(['run', '--app-url', 'http://127.0.0.1:1', '--', 'x', '--nope', '-v'], {});
    expect(asked).toMatchObject({ kind: 'start', options: { command: ['x', '--nope', '-v'] } });
  });
});

function optionsOf(...argv: string[]): ProductOptions {
  const asked = readCommandLine(argv, {});
  if (asked.kind !== 'start') throw new Error(`nothing is started by ${argv.join(' ')}`);
  return asked.options;
}

describe('where an app is', () => {
  test.each([
    [['--app-url', 'http://me:word@127.0.0.1:8080'], '"http://***@127.0.0.1:8080"; an address has no'],
    [['--app-url', 'http:/me:word@127.0.0.1:8080'], 'or #: write http://127.0.0.1:8080'],
    [['--app-url', 'me:word@127.0.0.1:8080'], '"***@127.0.0.1:8080"; an address has no user name'],
    [['--app-url', 'http://me:p@word@127.0.0.1:8080'], 'got "http://***@127.0.0.1:8080"; an address has no'],
    [['--app-url', 'http://me:p/word@127.0.0.1:8080'], 'or #: write http://127.0.0.1:8080'],
    [['--app-url', 'http://me:p@a/word@127.0.0.1:8080'], 'or #: write http://127.0.0.1:8080'],
    [['--app-url', 'http://me:p?word@127.0.0.1:8080'], 'or #: write http://127.0.0.1:8080'],
    [['--app-url', 'http://me:word 2@127.0.0.1:8080'], 'got "http://***@127.0.0.1:8080"'],
    [['--app-url', 'http://127.0.0.1:8080/?mail=word@h'], 'or #: write http://127.0.0.1:8080/'],
    [['--app-url', 'htp://me:p/word@127.0.0.1:8080'], '; did you mean http://127.0.0.1:8080?'],
    [['--app-url', ' http://me:word@127.0.0.1:8080'], 'or #: write http://127.0.0.1:8080'],
    [['--app-url', ' http://me:word@127.0.0.1:8080?x=1'], 'or #: write http://127.0.0.1:8080'],
    [['--app-id', 'me:word@localhost:3000/x'], 'or slashes, got "***@localhost:3000/x"'],
    [['--app-id', 'x?token=word'], 'or slashes, got "x?token=***"'],
    [['--app-port', 'me:word@localhost:80'], 'got "***@localhost:80"; did you mean 80?'],
    [['--sidecar-host', 'http://me:1/word@127.0.0.1'], '"http://***@127.0.0.1"; did you mean 127.0.0.1?'],
    [['--console-allowed-host', 'me:word@box'], 'got "***@box"; did you mean box?'],
    [['--app', 'b=http://me:p,word@127.0.0.1:8080'], 'the sidecar port must be a port'],
    [['--set', 'app.address word@h'], '--set must be KEY=VALUE, got "***@h"'],
    [['me:word@localhost:3000'], 'unknown command "***@localhost:3000"'],
    [['x?token=word'], 'unknown command "x?token=***"'],
    [['tap', 'me:word@localhost:3000'], 'unexpected "***@localhost:3000"'],
    [['tap', '--app-url', 'http://me:1/word@127.0.0.1:80'], 'got "http://***@127.0.0.1:80"'],
    [['--app-url', 'htp://me:word@127.0.0.1:8080'], '; did you mean http://127.0.0.1:8080?'],
    [['--app-url', 'http//me:word@127.0.0.1:8080'], '; did you mean http://127.0.0.1:8080?'],
    [['--app-url', 'http://127.0.0.1:8080?token=word'], 'got "http://127.0.0.1:8080?token=***"'],
    [['--app', 'http://me:word@127.0.0.1:8080'], 'got "http://***@127.0.0.1:8080"'],
    [['--app', 'http://me:word@127.0.0.1:8080?x=1'], 'got "http://***@127.0.0.1:8080?x"'],
    [['--app', 'b=http://me:word@127.0.0.1:8080,1,2,3'], 'got "b=http://***@127.0.0.1:8080,1,2,3"'],
    [['--set', 'app.address={"app":"http://me:word@h:1"}'], '"http://***@h:1"'],
    [['run', '-p', '1', '--app-channel-address', 'me:word@h'], 'got "***@h"; did you mean h?'],
    [['run', '-p', '1', '--app-channel-address', 'me:p/word@h'], 'got "***@h"; did you mean h?'],
  ])('the refusal of %j repeats no password', (argv, shown) => {
    let said = '';
    try {
      readCommandLine(argv, {});
    } catch (error) {
      said = error instanceof UsageError ? error.message : String(error);
    }
    expect(said).toContain(shown);
    expect(said).not.toContain('word');
  });

  test.each([
    ['127.0.0.1:6002', 'http://127.0.0.1:6002'],
    ['localhost:6002/base/', 'http://localhost:6002/base'],
    ['[::1]:80', 'http://[::1]:80'],
    ['https://localhost:1', 'https://localhost:1'],
    ['grpcs://localhost:1', 'grpcs://localhost:1'],
    ['h2c://localhost:1/base/', 'h2c://localhost:1/base'],
  ])('--app-url %s is %s', (given, url) => {
    expect(optionsOf('--app-url', given).apps).toEqual([{ appId: 'app', url, addressFrom: '--app-url' }]);
    expect(optionsOf('--app', `b=${given}`).apps[1]).toEqual({ appId: 'b', url, addressFrom: '--app b' });
  });

  test('--app-url none is an app that only publishes, and so is run without an address', () => {
    expect(optionsOf('--app-url', 'none').apps).toEqual([
      { appId: 'app', noAddress: true, addressFrom: '--app-url' },
    ]);
    expect(optionsOf('run', '--', 'x').apps).toEqual([{ appId: 'app', noAddress: true }]);
    expect(optionsOf('--app', 'b=none,3600').apps).toEqual([
      { appId: 'app' },
      { appId: 'b', noAddress: true, addressFrom: '--app b', sidecarPort: 3600 },
    ]);
  });
});

test('dapr-1.13 is another word for the profile dapr, dapr-1.18 is one of its own, and there is no other', () => {
  expect(optionsOf('--profile', 'dapr-1.13').profile).toBe('dapr');
  expect(optionsOf('--profile', 'dapr-1.18').profile).toBe('dapr-1.18');
  expect(() => optionsOf('--profile', 'dapr-1.12')).toThrow(
    new UsageError('--profile must be sidecar, dapr or dapr-1.18, got "dapr-1.12"'),
  );
});

test('R57: several folders of resources, in every way they can be given', () => {
  const [a, b] = [import.meta.dirname, process.cwd()];
  const both = [a, b].map((path) => ({ path, label: path }));
  const foldersOf = (...flags: string[]) => optionsOf(...flags).resourceSets?.[0]?.folders;
  expect(foldersOf('--resources', a, '--resources', b)).toEqual(both);
  expect(foldersOf('run', '--resources-path', `${a},${b}`)).toEqual(both);
  expect(foldersOf('run', '--resources-path', a, '--components-path', b)).toEqual(both);
  expect(optionsOf('--resources', a).resources).toBe(a);
});

describe('the flags of the reference with run', () => {
  test('R53: mean the flags and settings of ours', () => {
    const { apps, sidecarPort, logLevel, logFormat, set, flagNotes } = optionsOf(
      ...['run', '-a', 'x', '-p', '5003', '-H', '3510', '--log-level', 'fatal', '--log-as-json'],
      ...['--app-channel-address', '127.0.0.2', '-app-ssl', '--app-max-concurrency', '-1'],
      ...['--enable-app-health-check', '--app-health-probe-interval=2', '--max-body-size', '1Mi'],
      ...['--enable-api-logging', '--placement-host-address', 'x', '--', 'npm', 'start'],
    );
    expect({ apps, sidecarPort, logLevel, logFormat, flagNotes }).toEqual({
      apps: [
        {
          appId: 'x',
          url: 'https://127.0.0.2:5003',
          addressFrom: '-p',
          portNames: { http: '-H', grpc: '--grpc-port' },
        },
      ],
      sidecarPort: 3510,
      logLevel: 'error',
      logFormat: 'json',
      flagNotes: [],
    });
    expect(Object.fromEntries(set)).toEqual({
      'app.maxConcurrency': 0,
      'http.maxBodyBytes': 1_048_576,
      'app.health': { enabled: true, path: '/healthz', intervalMs: 2000, timeoutMs: 500, threshold: 3 },
    });
  });

  test('R56: each flag without effect is reported once, in one sentence', () => {
    expect(optionsOf('run', '-M', '9', '--unix-domain-socket', '/tmp').flagNotes).toEqual([
      '-M has no effect here: in the reference it would serve metrics on a port.',
      '--unix-domain-socket has no effect here: in the reference it would listen on a socket file.',
    ]);
  });

  test('R54: --config may be a Configuration of the reference', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sidelight-flags-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const theirs = join(folder, 'theirs.yaml');
    const ours = join(folder, 'ours.yaml');
    writeFileSync(theirs, 'kind: Configuration\nspec: {}\n');
    writeFileSync(ours, 'delivery.concurrency: 1\n');
    const read = optionsOf('run', '--config', theirs);
    expect(read.config).toBeUndefined();
    expect(read.flagNotes).toEqual([
      `--config ${theirs} is a Configuration of the reference: nothing in it is used here.`,
    ]);
    expect(optionsOf('run', '--config', ours).config).toBe(ours);
    expect(optionsOf('--config', theirs).config).toBe(theirs);
  });

  test('a command without flags of its own needs no --, and flags may stand after it', () => {
    const { command, apps } = optionsOf('run', '-a', 'x', 'python3', 'app.py', '-p5003');
    expect({ command, apps }).toEqual({
      command: ['python3', 'app.py'],
      apps: [{ appId: 'x', url: 'http://127.0.0.1:5003', addressFrom: '-p' }],
    });
    expect(optionsOf('run', '--headless', 'node', 'app.js').command).toEqual(['node', 'app.js']);
  });

  test.each([
    [['-p0x1F90'], 8080, '-p'],
    [['-p', '+8_080'], 8080, '-p'],
    [['-p=010'], 8, '-p'],
    [['--app-port', '0b11'], 3, '--app-port'],
  ])('%j is a port as the flag parser of the reference reads it', (flags, port, addressFrom) => {
    expect(optionsOf('run', ...flags).apps).toMatchObject([
      {
        appId: 'app',
        url: `http://127.0.0.1:${port}`,
        addressFrom,
      },
    ]);
  });

  test.each([
    ['1e6', 1_000_000],
    ['1.5Ki', 1_536],
    ['.5Mi', 524_288],
    ['2.k', 2_000],
    ['+1M', 1_000_000],
    ['2500000m', 2_500],
    ['12E-1', 2],
    ['-1e3', 4_194_304],
  ])('a size of %s is %i bytes', (size, bytes) => {
    expect(optionsOf('run', '--max-body-size', size).set.get('http.maxBodyBytes')).toBe(bytes);
  });

  test.each(['1e', '1K', '1e3Ki', '1 Mi', '0x10', '1_000', '-', 'Mi'])('%s is no size', (size) => {
    expect(() => optionsOf('run', '--max-body-size', size)).toThrow('must be a size such as 4Mi');
  });

  test.each([
    [['-f.'], '.'],
    [['-f=.'], '.'],
    [['-f-'], '-'],
    [['-fdir/dapr.yaml'], 'dir/dapr.yaml'],
    [['-amine', '-f', '.'], '.'],
  ])('%j names the file of apps', (flags, file) => {
    expect(optionsOf('run', ...flags).runFile).toBe(file);
  });

  test('a negative port counts as not given, and a level may be in capitals', () => {
    const { sidecarPort, grpcPort, apps, logLevel } = optionsOf(
      ...['run', '-H', '-1', '--dapr-grpc-port=-1', '-p', '-1', '--log-level', 'DEBUG'],
    );
    expect({ sidecarPort, grpcPort, apps, logLevel }).toEqual({
      sidecarPort: undefined,
      grpcPort: undefined,
      apps: [{ appId: 'app', noAddress: true }],
      logLevel: 'debug',
    });
  });

  test('a switch is turned off by every word for it that the reference takes', () => {
    for (const off of ['false', 'F', '0'])
      expect(optionsOf('run', `--enable-app-health-check=${off}`, '-k=0').set.has('app.health')).toBe(false);
    expect(optionsOf('run', '--enable-app-health-check=1').set.get('app.health')).toMatchObject({
      enabled: true,
    });
  });

  test.each(['grpcs', 'h2c'])('run with -P %s has an app with that scheme', (scheme) => {
    expect(optionsOf('run', '-p', '5003', '-P', scheme).apps).toEqual([
      { appId: 'app', url: `${scheme}://127.0.0.1:5003`, addressFrom: '-p' },
    ]);
  });

  test('outside run --app-port stays the port of the mock app, whatever an app is called', () => {
    const { appPort, apps } = optionsOf('--app-id', 'run', '--app-port', '6005');
    expect({ appPort, apps }).toEqual({ appPort: 6005, apps: [{ appId: 'run' }] });
  });
});

test('help and version alone are what the flags of these names are', () => {
  expect(readCommandLine(['help'], {})).toEqual({ kind: 'help' });
  expect(readCommandLine(['version'], {})).toEqual({ kind: 'version' });
});

test('a request for help behind a flag without its value is a request for help', () => {
  for (const help of ['--help', '-h'])
    expect(readCommandLine(['run', '-f', help], {})).toEqual({ kind: 'help', of: 'run' });
});
