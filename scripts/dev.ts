// npm run dev: restarts the host when core changes. Vite serves the renderer with hot reload, and passes all
// other requests to the host.
import { spawn } from 'node:child_process';
import type { ClientRequest } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createServer, type ProxyOptions } from 'vite';
import { ROOT } from './tools.ts';

const args = process.argv.slice(2);
let page = '';

/** A loopback port that is free: the host needs the same one after each restart. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/**
 * Proxy options that pass a route to the host under the host's own name, and requests of the product's page under the host's origin;
 * foreign pages keep theirs.
 */
const passOn = (origin: string): ProxyOptions => {
  const translate = (request: ClientRequest, from: string | undefined): void => {
    if (from !== undefined && from === page) request.setHeader('origin', origin);
  };
  return {
    target: origin,
    changeOrigin: true,
    ws: true,
    configure: (proxy) => {
      proxy.on('proxyReq', (request, { headers }) => translate(request, headers.origin));
      proxy.on('proxyReqWs', (request, { headers }) => translate(request, headers.origin));
    },
  };
};

const given = args.indexOf('--console-port');
const port = given < 0 ? await freePort() : Number(args[given + 1]);
const origin = `http://127.0.0.1:${port}`;

const vite = await createServer({
  configFile: path.join(ROOT, 'vite.config.ts'),
  root: path.join(ROOT, 'renderer'),
  server: {
    proxy: Object.fromEntries(
      ['/open', '/enter', '/challenge', '/rpc', '/stream'].map((each) => [each, passOn(origin)]),
    ),
  },
});
await vite.listen();
const address = vite.httpServer?.address();
page = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

const portArgs = given < 0 ? ['--console-port', String(port)] : [];
const program = path.join(ROOT, 'core', 'host', 'cli.ts');
const host = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', program, '--headless', ...portArgs, ...args],
  {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);

createInterface({ input: host.stdout }).on('line', (line) => {
  const link = /"open":"[^"]*(\/open\?key=[^"]*)"/.exec(line)?.[1];
  console.log(link === undefined ? line : `${line}\nconsole with hot reload: ${page}${link}`);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => host.kill('SIGTERM'));
host.once('exit', (code) => {
  process.exitCode = code ?? 0;
  void vite.close();
});
