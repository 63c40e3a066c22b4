/** Reach of the ports: this machine only, unless a person opens them, and then a warning says so. */
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { runProduct } from '../e2e/product.ts';
import { ProductStand, statusOf } from './product.ts';

/** Addresses of this machine besides the one that is listened on. */
const OTHERS = [
  // On Linux the whole of 127/8 is this machine: what is bound to one of them does not answer at another.
  ...(process.platform === 'linux' ? ['127.0.0.2'] : []),
  ...Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one !== undefined && !one.internal && one.family === 'IPv4' ? [one.address] : [])),
];

interface Description {
  readonly apps: readonly { readonly asksForToken?: boolean }[];
  readonly banners: readonly { readonly id: string; readonly level: string; readonly text: string }[];
}

describe('without flags', () => {
  const stand = new ProductStand();

  test('sidecar, mock app and console answer at 127.0.0.1 alone', async () => {
    const ports = [stand.sidecarPort, stand.consolePort, Number(new URL(stand.running.app).port)];
    for (const port of ports) {
      expect(await accepts(port, '127.0.0.1')).toBe(true);
      for (const address of OTHERS) expect(await accepts(port, address)).toBe(false);
    }
  });

  test('no banner warns about the address of the sidecar, and it asks for no token', async () => {
    const { apps, banners } = (await stand.running.call('system.describe', {})) as Description;
    expect(banners.filter(({ id }) => id === 'sidecar-host')).toEqual([]);
    expect(apps.map((app) => app.asksForToken)).toEqual([undefined]);
  });
});

describe('--sidecar-host 0.0.0.0', () => {
  const stand = new ProductStand(() => ['--sidecar-host', '0.0.0.0'], {
    SIDECAR_API_TOKEN: 'a-token-of-others',
  });

  test('opens the sidecar, and nothing else', async () => {
    for (const address of OTHERS) {
      expect(await accepts(stand.sidecarPort, address)).toBe(true);
      expect(await accepts(stand.consolePort, address)).toBe(false);
    }
    expect(stand.running.sidecar).toBe(`http://127.0.0.1:${stand.sidecarPort}`);
  });

  test('the console and the log say what that means', async () => {
    const { banners } = (await stand.running.call('system.describe', {})) as Description;
    const [banner] = banners.filter(({ id }) => id === 'sidecar-host');
    expect(banner).toMatchObject({
      level: 'warn',
      text: 'The sidecars listen on 0.0.0.0 without TLS, so other machines can reach them. Anyone who has their token can publish.',
    });
    expect(stand.running.lines.join('\n')).toContain('other machines can reach them');
  });

  test('the console knows that the sidecar asks for a token, and not which one', async () => {
    const described = (await stand.running.call('system.describe', {})) as Description;
    expect(described.apps).toMatchObject([{ asksForToken: true }]);
    expect(JSON.stringify(described)).not.toContain('a-token-of-others');
  });

  test('a publish without the token is refused', async () => {
    const lines = [
      'POST /v1.0/publish/pubsub/x HTTP/1.1',
      'Host: a',
      'Content-Length: 0',
      'Connection: close',
    ];
    const ask = (more: readonly string[]): Promise<string> =>
      stand.raw(stand.sidecarPort, [...lines, ...more, '', ''].join('\r\n'));
    expect(statusOf(await ask([]))).toBe(401);
    expect(statusOf(await ask(['sidecar-api-token: a-token-of-others']))).toBe(204);
  });

  test('a web page of another site is refused there too', async () => {
    const lines = ['POST /v1.0/publish/pubsub/x HTTP/1.1', 'Host: a', 'Origin: http://evil.example'];
    const answer = await stand.raw(
      stand.sidecarPort,
      [...lines, 'Content-Length: 0', 'Connection: close', '', ''].join('\r\n'),
    );
    expect(statusOf(answer)).toBe(403);
  });
});

test('a sidecar beyond this machine needs a token, and without one nothing starts', async () => {
  const flags = ['--sidecar-port', '0', '--console-port', '0', '--app-port', '0', '--grpc-port', 'off'];
  const start = ['--headless', '--ephemeral', ...flags, '--sidecar-host', '0.0.0.0'];
  const ended = await runProduct([...start, '--profile', 'dapr']);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(
    '--sidecar-host 0.0.0.0 lets other machines publish, so the sidecar of the app needs a token: set DAPR_API_TOKEN',
  );
});

describe('--console-host 0.0.0.0', () => {
  const stand = new ProductStand(() => [
    ...['--console-host', '0.0.0.0', '--console-allowed-host', 'sidelight'],
    ...['--console-allowed-host', 'proxy.example:8080'],
  ]);
  const ask = async (host: string, more: readonly string[] = []): Promise<number> => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"filter.check","params":{"filter":""}}';
    const lines = ['POST /rpc HTTP/1.1', `Host: ${host}`, ...more, `Content-Length: ${body.length}`];
    return statusOf(
      await stand.raw(stand.consolePort, [...lines, 'Connection: close', '', body].join('\r\n')),
    );
  };
  const token = (): string => `Authorization: Bearer ${stand.running.token}`;

  test('opens the console, and nothing else', async () => {
    for (const address of OTHERS) {
      expect(await accepts(stand.consolePort, address)).toBe(true);
      expect(await accepts(stand.sidecarPort, address)).toBe(false);
    }
    expect(stand.running.console).toBe(`http://127.0.0.1:${stand.consolePort}`);
  });

  test('names that were allowed are let in with the token, and never without', async () => {
    for (const host of [
      `127.0.0.1:${stand.consolePort}`,
      `SideLight:${stand.consolePort}`,
      'proxy.example:8080',
    ]) {
      expect([host, await ask(host, [token()])]).toEqual([host, 200]);
      expect([host, await ask(host)]).toEqual([host, 401]);
      expect([host, await ask(host, ['Authorization: Bearer wrong'])]).toEqual([host, 401]);
    }
  });

  test('a publish that came there by mistake is answered on loopback alone, and elsewhere needs the token', async () => {
    const publish = (address: string): Promise<string> =>
      stand.raw(
        stand.consolePort,
        `POST /v1.0/publish/pubsub/x HTTP/1.1\r\nHost: sidelight:${stand.consolePort}\r\nConnection: close\r\n\r\n`,
        address,
      );
    const said = async (): Promise<boolean> =>
      JSON.stringify(await stand.running.call('system.describe', {})).includes(
        'A publish came to the console',
      );
    for (const address of OTHERS.filter((one) => !one.startsWith('127.'))) {
      const answer = await publish(address);
      expect([statusOf(answer), answer.includes(String(stand.sidecarPort))]).toEqual([401, false]);
    }
    expect(await said()).toBe(false);
    const answer = await publish('127.0.0.1');
    expect([statusOf(answer), answer.includes(stand.running.sidecar)]).toEqual([404, true]);
    expect(await said()).toBe(true);
  });

  test('other names, other ports and pages of others are refused whatever they bring', async () => {
    const own = `sidelight:${stand.consolePort}`;
    for (const host of ['evil.example', `evil.example:${stand.consolePort}`, 'sidelight:1', 'proxy.example'])
      expect([host, await ask(host, [token()])]).toEqual([host, 403]);
    expect(await ask(own, [token(), `Origin: http://${own}`])).toBe(200);
    expect(await ask(own, [token(), 'Origin: http://evil.example'])).toBe(403);
    expect(await ask(own, [token(), `Origin: http://127.0.0.1:${stand.consolePort}`])).toBe(403);
  });

  test('the console and the log say what that means', async () => {
    const { banners } = (await stand.running.call('system.describe', {})) as Description;
    const [banner] = banners.filter(({ id }) => id === 'console-host');
    expect(banner).toMatchObject({
      level: 'warn',
      text: 'The console listens on 0.0.0.0 without TLS, so other machines can reach it. Anyone who has its token or a link can do everything that you can do here.',
    });
    expect(stand.running.lines.join('\n')).toContain('The console listens on 0.0.0.0');
  });
});

function accepts(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host, timeout: 3000 });
    const end = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', end(true)).on('error', end(false)).on('timeout', end(false));
  });
}
