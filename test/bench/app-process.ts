/** The app of the bench, in a process of its own: takes messages, notes how old they are, says yes to everything, at once or later. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROFILES } from '../../core/contract/profile.ts';
import { reportCoordinator } from './coordinator.ts';
import type { AppAsk, AppTell, Arrival } from './messages.ts';
import { quantile, sharedNow } from './stats.ts';

const MARK = '"t":';
const ENTRY = /"entryId":"([^"]+)"/g;
const EVENT = /"id":"([^"]+)"/;
let ages: number[] = [];
let arrivals: number[] = [];
/** Undefined: not requested. */
let noted: Arrival[] | undefined;
let answerMs: number | 'never' = 0;
let lastAt = 0;
let waiting: { readonly messages: number; readonly end: () => void } | undefined;
let discovery = '[]';
const discoveryPaths = Object.values(PROFILES).map((profile) => profile.discoveryPath);

const tell = (message: AppTell): void => reportCoordinator(message);

function take(body: string): void {
  const now = sharedNow();
  lastAt = now;
  for (let at = body.indexOf(MARK); at !== -1; at = body.indexOf(MARK, at + MARK.length)) {
    const sentAt = Number.parseFloat(body.slice(at + MARK.length, at + MARK.length + 20));
    arrivals.push(now);
    ages.push(now - sentAt);
    noted?.push({ eventId: EVENT.exec(body)?.[1] ?? '', sentAt, arrivedAt: now });
  }
  if (waiting !== undefined && ages.length >= waiting.messages) waiting.end();
}

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  if (request.method === 'GET') {
    const isAsked = discoveryPaths.includes(request.url ?? '');
    response.writeHead(isAsked ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isAsked ? discovery : '');
    return;
  }
  take(body);
  if (answerMs === 'never') return;
  if (answerMs > 0) setTimeout(() => accept(response, body), answerMs);
  else accept(response, body);
}

function accept(response: ServerResponse, body: string): void {
  if (!body.startsWith('{"entries"')) {
    response.end();
    return;
  }
  const statuses = [...body.matchAll(ENTRY)].map(([, entryId]) => ({ entryId, status: 'SUCCESS' }));
  response.end(JSON.stringify({ statuses }));
}

function count(messages: number, limitMs: number, until: number): void {
  const end = (): void => {
    clearTimeout(timer);
    waiting = undefined;
    const sorted = Float64Array.from(ages).sort();
    tell({
      kind: 'counted',
      messages: ages.length,
      byThen: arrivals.filter((at) => at <= until).length,
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
      arrivals = [];
      lastAt = 0;
      noted = ask.notes === true ? [] : undefined;
      tell({ kind: 'done' });
      return;
    case 'seen':
      tell({ kind: 'seen', messages: ages.length });
      return;
    case 'arrivals':
      tell({ kind: 'arrived', arrivals: noted ?? [] });
      return;
    case 'pace':
      answerMs = ask.answerMs;
      tell({ kind: 'done' });
      return;
    case 'count':
      count(ask.messages, ask.limitMs, ask.until ?? Infinity);
  }
});
process.on('disconnect', () => process.exit());
