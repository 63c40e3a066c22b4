/** The app of the bench, in a process of its own: takes messages, notes how old they are, says yes to everything. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppAsk, AppTell } from './messages.ts';
import { quantile, sharedNow } from './stats.ts';

const MARK = '"t":';
const ENTRY = /"entryId":"([^"]+)"/g;
let ages: number[] = [];
let lastAt = 0;
let waiting: { readonly messages: number; readonly end: () => void } | undefined;
let discovery = '[]';
let discoveryPath = '';

const tell = (message: AppTell): void => void process.send?.(message);

function take(body: string): void {
  const now = sharedNow();
  lastAt = now;
  for (let at = body.indexOf(MARK); at !== -1; at = body.indexOf(MARK, at + MARK.length)) {
    ages.push(now - Number.parseFloat(body.slice(at + MARK.length, at + MARK.length + 20)));
  }
  if (waiting !== undefined && ages.length >= waiting.messages) waiting.end();
}

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  if (request.method === 'GET') {
    response.writeHead(request.url === discoveryPath ? 200 : 404, { 'content-type': 'application/json' });
    response.end(request.url === discoveryPath ? discovery : '');
    return;
  }
  take(body);
  if (!body.startsWith('{"entries"')) {
    response.end();
    return;
  }
  const statuses = [...body.matchAll(ENTRY)].map(([, entryId]) => ({ entryId, status: 'SUCCESS' }));
  response.end(JSON.stringify({ statuses }));
}

function count(messages: number, limitMs: number): void {
  const end = (): void => {
    clearTimeout(timer);
    waiting = undefined;
    const sorted = Float64Array.from(ages).sort();
    tell({
      kind: 'counted',
      messages: ages.length,
      lastAt,
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
    });
  };
  const timer = setTimeout(end, limitMs);
  waiting = { messages, end };
  if (ages.length >= messages) end();
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => answer(request, response, Buffer.concat(chunks).toString('latin1')));
});

process.on('message', (ask: AppAsk) => {
  switch (ask.kind) {
    case 'start':
      ({ discoveryPath } = ask);
      discovery = JSON.stringify(ask.subscriptions);
      if (server.listening) tell({ kind: 'done' });
      else {
        server.listen(0, '127.0.0.1', () => {
          const address = server.address();
          tell({ kind: 'started', port: typeof address === 'object' && address !== null ? address.port : 0 });
        });
      }
      return;
    case 'reset':
      ages = [];
      lastAt = 0;
      tell({ kind: 'done' });
      return;
    case 'count':
      count(ask.messages, ask.limitMs);
  }
});
process.on('disconnect', () => process.exit());
