/** Flags of `sidelight tap`, and each mistake in one line. */
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../core/domain/usage-error.ts';
import { readCommandLine } from '../../core/host/options.ts';
import { filledIn, passedText, sidesText, toChange } from '../../core/host/tap-command.ts';

const URL = ['--app-url', 'http://127.0.0.1:8080'];

describe('sidelight tap', () => {
  test('reads an app, a sidecar and the ports of the tap, in profile dapr and without an app of its own', () => {
    const asked = readCommandLine(
      ['tap', ...URL, '--app-id', 'shop', '--tap-app-port', '0', '--', 'run', '{tapAppPort}'],
      {},
    );
    expect(asked).toMatchObject({
      kind: 'start',
      options: {
        mode: 'tap',
        profile: 'dapr',
        apps: [],
        command: ['run', '{tapAppPort}'],
        tap: {
          appId: 'shop',
          appUrl: 'http://127.0.0.1:8080',
          sidecarUrl: 'http://127.0.0.1:3500',
          appPort: 0,
        },
      },
    });
  });

  test('reads a gRPC app, and the gRPC API of its sidecar', () => {
    const grpc = ['--sidecar-grpc', '127.0.0.1:50001', '--tap-grpc-port', '0'];
    const asked = readCommandLine(['tap', '--app-url', 'grpc://127.0.0.1:8080', ...grpc], {});
    expect(asked).toMatchObject({
      options: { tap: { appUrl: 'grpc://127.0.0.1:8080', sidecarGrpc: '127.0.0.1:50001', grpcPort: 0 } },
    });
  });

  test('has a help text of its own', () => {
    expect(readCommandLine(['tap', '--help'], {})).toEqual({ kind: 'help', of: 'tap' });
  });
});

test.each([
  [['tap'], 'tap needs --app-url URL: where the app behind the tap listens'],
  [
    ['tap', '--app-url', 'https://127.0.0.1:1'],
    '--app-url must be an address like http://127.0.0.1:8080 or grpc://127.0.0.1:8080 without TLS, got "https://127.0.0.1:1"',
  ],
  [
    ['tap', '--app-url', 'none'],
    '--app-url must be an address like http://127.0.0.1:8080 or grpc://127.0.0.1:8080, got "none"',
  ],
  // A bare port is no name of a machine.
  [
    ['tap', '--app-url', '8080'],
    '--app-url must be an address like http://127.0.0.1:8080 or grpc://127.0.0.1:8080, got "8080"; for port 8080 of this machine: http://127.0.0.1:8080',
  ],
  [
    ['tap', ...URL, '--sidecar-url', '3500'],
    '--sidecar-url must be an address like http://127.0.0.1:8080, got "3500"; for port 3500 of this machine: http://127.0.0.1:3500',
  ],
  [
    ['tap', ...URL, '--sidecar-grpc', '50001'],
    '--sidecar-grpc must be an address like 127.0.0.1:50001, got "50001"; for port 50001 of this machine: 127.0.0.1:50001',
  ],
  [
    ['tap', ...URL, '--sidecar-grpc', 'http://127.0.0.1:1'],
    '--sidecar-grpc must be an address like 127.0.0.1:50001, got "http://127.0.0.1:1"',
  ],
  [
    ['tap', ...URL, '--tap-grpc-port', '0'],
    '--tap-grpc-port needs --sidecar-grpc HOST:PORT, the gRPC API behind it',
  ],
  [
    ['tap', ...URL, '--sidecar-grpc', 'a:1', '--tap-grpc-port', '70', '--tap-app-port', '70'],
    '--tap-app-port and --tap-grpc-port must differ, both are 70',
  ],
  // Neither a user nor what the parser of addresses leaves out.
  [
    ['tap', ...URL, '--sidecar-url', 'http://a:b@c:1'],
    '--sidecar-url must be an address like http://127.0.0.1:8080, got "http://***@c:1"',
  ],
  [
    ['tap', ...URL, '--sidecar-url', 'http://a:1/\u0000'],
    '--sidecar-url must be an address like http://127.0.0.1:8080, got "http://a:1/\u0000"',
  ],
  [
    ['tap', ...URL, '--sidecar-url', 'http://a/b'],
    '--sidecar-url must be an address like http://127.0.0.1:8080, got "http://a/b"; without /b: http://a',
  ],
  [
    ['tap', ...URL, '--sidecar-url', 'http://127.0.0.1:3500/v1.0/'],
    '--sidecar-url must be an address like http://127.0.0.1:8080, got "http://127.0.0.1:3500/v1.0/"; without /v1.0/: http://127.0.0.1:3500',
  ],
  // The address without its path is refused as well.
  [
    ['tap', ...URL, '--sidecar-url', 'grpc://127.0.0.1:50001/x'],
    '--sidecar-url must be an address like http://127.0.0.1:8080, got "grpc://127.0.0.1:50001/x"',
  ],
  [['tap', ...URL, '--tap-app-port', 'x'], '--tap-app-port must be a port from 0 to 65535, got "x"'],
  [
    ['tap', ...URL, '--tap-app-port', '7000', '--tap-sidecar-port', '7000'],
    '--tap-app-port and --tap-sidecar-port must differ, both are 7000',
  ],
  [
    ['tap', ...URL, '--resources', '.'],
    '--resources has no meaning with sidelight tap: it starts no sidecar and no mock app of its own (sidelight tap --help)',
  ],
  [
    ['tap', ...URL, '--tap-port', '1'],
    'unknown flag --tap-port, did you mean --tap-app-port, --tap-sidecar-port or --tap-grpc-port? (sidelight tap --help lists the flags)',
  ],
  [
    ['tap', ...URL, '--tap-app-prt', '1'],
    'unknown flag --tap-app-prt, did you mean --tap-app-port? (sidelight tap --help lists the flags)',
  ],
  [
    ['tap', ...URL, '--dapr-http-port', '3500'],
    'unknown flag --dapr-http-port: it belongs to the sidecar behind the tap, which --sidecar-url and --sidecar-grpc name (sidelight tap --help lists the flags)',
  ],
  [
    ['tap', ...URL, '-f', 'x.yaml'],
    'unknown flag -f: to start several apps, use the command run: sidelight run -f FILE (sidelight tap --help lists the flags)',
  ],
  [
    ['tap', ...URL, '--', 'x', '--port={tapGrpcPort}'],
    '{tapGrpcPort} in the command needs --sidecar-grpc HOST:PORT, the gRPC API behind it',
  ],
  [
    ['tap', ...URL, '--', 'x', '{tapPort}'],
    '{tapPort} in the command is not a port of the tap; expected {tapAppPort}, {tapSidecarPort} or {tapGrpcPort}',
  ],
  [['tap', '--app-url'], '--app-url needs a value: an http or grpc address'],
  [['--tap-app-port', '0'], '--tap-app-port belongs to sidelight tap (sidelight tap --help)'],
])('%j is refused', (argv, message) => {
  expect(() => readCommandLine(argv, {})).toThrow(new UsageError(message));
});

test('placeholders of the command are filled in, also inside a word', () => {
  const at = { appId: 'shop', appPort: 6101, sidecarPort: 3501 };
  expect(filledIn('--port={tapAppPort}', at)).toBe('--port=6101');
  expect(filledIn('{tapSidecarPort}:{tapAppPort}', at)).toBe('3501:6101');
  expect(filledIn('{other}', at)).toBe('{other}');
});

test.each([
  [
    [],
    [
      '  Change    where the sidecar is started: --app-port 6101 instead of 8080',
      '            where the app is started: DAPR_HTTP_PORT=3501 instead of 3500',
    ],
  ],
  [
    ['--sidecar-url', 'http://127.0.0.1:3600', '--sidecar-grpc', '127.0.0.1:50001', '--profile', 'sidecar'],
    [
      '  Change    where the sidecar is started: --app-port 6101 instead of 8080',
      '            where the app is started: SIDECAR_HTTP_PORT=3501 instead of 3600',
      '            where the app is started: SIDECAR_GRPC_PORT=50101 instead of 50001',
    ],
  ],
  // The command gets the ports.
  [['--', './start.sh', '{tapAppPort}'], []],
])('a start with %j says what to change', (flags, lines) => {
  const asked = readCommandLine(['tap', ...URL, ...flags], {});
  if (asked.kind !== 'start') throw new Error('it is no start');
  const at = { appId: 'app', appPort: 6101, sidecarPort: 3501 };
  const { sidecarGrpc } = asked.options.tap ?? {};
  const tap = sidecarGrpc === undefined ? at : { ...at, grpcPort: 50_101 };
  expect(toChange(asked.options, tap)).toBe(lines.map((line) => `${line}\n`).join(''));
});

test('a start says where both sides are, and which of them answers', () => {
  const [appUrl, sidecarUrl] = ['http://127.0.0.1:8080', 'http://127.0.0.1:3500'];
  expect(sidesText([{ appUrl, appAnswers: false, sidecarUrl, sidecarAnswers: true }])).toBe(
    '  App       http://127.0.0.1:8080   (does not answer yet)\n  Sidecar   http://127.0.0.1:3500   (answers)\n',
  );
});

test.each([
  [[], 'Nothing passed the tap.'],
  [[{ publishes: 0, deliveries: 0, others: 0 }], 'Nothing passed the tap.'],
  [
    [{ publishes: 1, deliveries: 2300, others: 1 }],
    '1 publish, 2,300 delivery calls and 1 other call passed the tap.',
  ],
  [
    [
      { publishes: 1, deliveries: 1, others: 0 },
      { publishes: 2, deliveries: 0, others: 3 },
    ],
    '3 publishes, 1 delivery call and 3 other calls passed the taps.',
  ],
])('the end of %j says what passed', (taps, text) => {
  expect(passedText(taps)).toBe(text);
});
