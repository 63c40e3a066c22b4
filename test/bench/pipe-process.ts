/**
 * The baseline of a tap, in a process of its own: two ports whose connections are forwarded to the real side, without reading the bytes.
 */
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** The app's port and the sidecar's, in the order in which the ports of the pipe are printed. */
const targets = process.argv.slice(2).map(Number);

function listen(port: number): Promise<number> {
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const real = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    for (const [from, to] of [
      [client, real],
      [real, client],
    ] as const) {
      from.on('data', (bytes) => {
        if (!to.write(bytes)) from.pause();
      });
      to.on('drain', () => from.resume());
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
    }
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port: own } = server.address() as AddressInfo;
      resolve(own);
    });
  });
}

const ports: number[] = [];
for (const target of targets) ports.push(await listen(target));
process.send?.({ kind: 'started', ports });
process.on('disconnect', () => process.exit());
