/** The baseline, in a process of its own: a bare HTTP server that answers 204 and hands every body to the app. */
import { createServer } from 'node:http';
import { Pool } from 'undici';

/** Bodies on their way to the app; above it the answer to the publisher waits. */
const MAX_WAITING = 2_000;
const CONNECTIONS = 32;

const appUrl = process.argv[2] ?? '';
const pool = new Pool(appUrl, { connections: CONNECTIONS, pipelining: 1 });
const withheld: (() => void)[] = [];
let onTheWay = 0;

function forward(body: Buffer): void {
  onTheWay += 1;
  const done = (): void => {
    onTheWay -= 1;
    withheld.shift()?.();
  };
  pool.dispatch(
    { method: 'POST', path: '/t0', headers: { 'content-type': 'application/cloudevents+json' }, body },
    {
      onRequestStart: () => undefined,
      onResponseStart: () => undefined,
      onResponseData: () => undefined,
      onResponseEnd: done,
      onResponseError: done,
    },
  );
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const answer = (): void => {
      response.writeHead(204);
      response.end();
    };
    forward(Buffer.concat(chunks));
    if (onTheWay > MAX_WAITING) withheld.push(answer);
    else answer();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({
    kind: 'started',
    port: typeof address === 'object' && address !== null ? address.port : 0,
  });
});
process.on('disconnect', () => process.exit());
