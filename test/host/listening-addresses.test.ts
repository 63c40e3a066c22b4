/** Addresses of `--sidecar-host`: their spellings, which of them other machines reach, and the tokens that these need. */
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startProduct } from '../../core/host/compose.ts';
import { readOptions } from '../../core/host/options.ts';
import { tokensOf } from '../../core/host/tokens.ts';
import { UsageError } from '../../core/domain/usage-error.ts';

const PORTS = ['--sidecar-port', '0', '--app-port', '0', '--console-port', '0', '--grpc-port', '0'];

const optionsOf = (...flags: string[]) => readOptions(['--headless', '--ephemeral', ...PORTS, ...flags], {});

async function startAt(host: string, env: Readonly<Record<string, string>> = {}) {
  const options = { ...optionsOf('--sidecar-host', host), env };
  const product = await startProduct({ ...options, writeLog: () => undefined, isListed: false });
  onTestFinished(() => product.stop('at-once'));
  return product;
}

/** Whether this machine can listen on an address. */
const hasAddress = (host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port: 0, host }, () => server.close(() => resolve(true)));
  });

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['0000::0001', '::1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['::FFFF:7F00:2', '127.0.0.2'],
  ['::ffff:0.0.0.0', '0.0.0.0'],
  ['0::0', '::'],
  ['2001:DB8:0:0::5', '2001:db8::5'],
])('%s is listened on as %s', (given, address) => {
  const { sidecarHost, consoleHost } = optionsOf('--sidecar-host', given, '--console-host', given);
  expect({ sidecarHost, consoleHost }).toEqual({ sidecarHost: address, consoleHost: address });
});

describe('without a token', () => {
  test.for(['127.0.0.2', '::ffff:127.0.0.1', '0:0:0:0:0:0:0:1'])(
    'sidecars listen on %s, which no other machine reaches',
    async (host, { skip }) => {
      if (!(await hasAddress(host))) skip('this machine has no such address');
      const { ready } = await startAt(host);
      expect(
        (await fetch(`${ready.apps[0]?.sidecar}/v1.0/publish/pubsub/t`, { method: 'POST' })).status,
      ).toBe(204);
    },
  );

  test.each(['0.0.0.0', '::', '0::0', '::ffff:0.0.0.0', '::127.0.0.1'])(
    'nothing starts with sidecars on %s',
    async (host) => {
      await expect(startAt(host)).rejects.toThrow(/^--sidecar-host \S+ lets other machines publish/);
    },
  );
});

describe('a token that no header carries is refused', () => {
  test.each([
    [' ', 'has nothing but blanks'],
    ['\t\n', 'has nothing but blanks'],
    ['secret ', 'begins or ends with a blank or a line end'],
    ['secret\n', 'begins or ends with a blank or a line end'],
    ['sec\nret', 'has a character that a header does not carry unchanged'],
    ['geheimnisvöll', 'has a character that a header does not carry unchanged'],
    ['\u{1f511}', 'has a character that a header does not carry unchanged'],
  ])('%j %s', async (token, reason) => {
    for (const [profile, name] of [
      ['sidecar', 'SIDECAR_API_TOKEN'],
      ['dapr', 'DAPR_API_TOKEN'],
      ['dapr', 'APP_API_TOKEN'],
    ] as const) {
      const read = (): unknown => tokensOf({ profile, env: { [name]: token }, apps: [] });
      expect(read).toThrow(UsageError);
      expect(read).toThrow(`${name} ${reason}`);
    }
    await expect(startAt('127.0.0.1', { SIDECAR_API_TOKEN: token })).rejects.toThrow(reason);
  });

  test('the app of a token of its own is named, and its token is not', () => {
    const apps = [{ appId: 'orders', edge: { apiToken: 'of orders\u0007' } }];
    const read = (): unknown => tokensOf({ profile: 'dapr', env: {}, apps });
    expect(read).toThrow('The API token of app orders has a character');
    expect(read).not.toThrow('of orders\u0007');
  });

  test.each(['', 'x', 'two words', '0123-abc_~{}"', '!'])('%j is taken', (token) => {
    expect(tokensOf({ profile: 'sidecar', env: { SIDECAR_API_TOKEN: token }, apps: [] }).apiToken).toBe(
      token,
    );
  });
});
