/** The app that the sidecar under test delivers to: answers discovery, records deliveries, plays scripted answers. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createDeliveryLog } from './deliveries.ts';
import type { AppAnswer, Responding, Step } from './app-answer.ts';
import type { Delivery, DeliveryLog } from './deliveries.ts';
import { AtOnce } from './at-once.ts';
import type { Spoiler } from './spoiler.ts';

export interface ConformanceApp {
  readonly log: DeliveryLog;
  readonly protocol: 'http' | 'grpc';
  /** Answers to `path` in turn; the last one is repeated. Unscripted: 200, every entry of a batch SUCCESS. */
  script(path: string, ...steps: readonly Step[]): void;
  /** Requests of the discovery route so far. */
  discoveries(): readonly Delivery[];
  /** Most calls that were open at the same time: of one path, or of all. */
  mostAtOnce(path?: string): number;
  open(port: number): Promise<number>;
  close(): Promise<void>;
  spoiler: Spoiler | undefined;
}

const OK: Responding = { status: 200 };

/** An app that is not listening yet. `discoveryPath` is answered by its script, or 404 without one. */
export function createApp(discoveryPath: string): ConformanceApp {
  const log = createDeliveryLog();
  const scripts = new Map<string, { steps: readonly Step[]; next: number }>();
  const sockets = new Set<Socket>();
  const atOnce = new AtOnce();
  let server: Server | undefined;

  const scripted = async (delivery: Delivery): Promise<AppAnswer> => {
    const script = scripts.get(delivery.path);
    const step = script?.steps[Math.min(script.next, script.steps.length - 1)];
    if (script !== undefined) script.next += 1;
    if (step === undefined) return unscripted(delivery, discoveryPath);
    return typeof step === 'function' ? step(delivery) : step;
  };

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const arrived = deliveryOf(request, await bodyOf(request));
    const seen = app.spoiler === undefined ? [arrived] : app.spoiler.delivered(arrived);
    if (arrived.method === 'POST') response.on('close', atOnce.begin(arrived.path));
    let answer: AppAnswer = OK;
    for (const delivery of seen) {
      log.add(delivery);
      answer = await scripted(delivery);
    }
    respond(request, response, app.spoiler === undefined ? answer : app.spoiler.answered(answer, arrived));
  };

  const app: ConformanceApp = {
    log,
    protocol: 'http',
    spoiler: undefined,
    script: (path, ...steps) => void scripts.set(path, { steps, next: 0 }),
    discoveries: () => log.at(discoveryPath),
    mostAtOnce: (path = '') => atOnce.most(path),
    open: async (port) => {
      const opened = createServer((request, response) => {
        take(request, response).catch((error: unknown) => {
          // A step that throws is a fault of the case; the wait for what should follow reports it.
          response.destroy(error instanceof Error ? error : new Error(String(error)));
        });
      });
      opened.on('connection', (socket) => {
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket));
      });
      server = opened;
      return new Promise((resolve, reject) => {
        opened.once('error', reject);
        opened.listen(port, '127.0.0.1', () => {
          const address = opened.address();
          resolve(typeof address === 'object' && address !== null ? address.port : port);
        });
      });
    },
    close: async () => {
      const closing = server;
      server = undefined;
      if (closing === undefined) return;
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => closing.close(() => resolve()));
    },
  };
  return app;
}

function unscripted(delivery: Delivery, discoveryPath: string): AppAnswer {
  if (delivery.path === discoveryPath || delivery.method === 'OPTIONS') return { status: 404 };
  if (delivery.method !== 'POST') return delivery.path === '/healthz' ? OK : { status: 404 };
  const batch = entriesOf(delivery);
  if (batch === undefined) return OK;
  return statuses(batch.map((entryId) => [entryId, 'SUCCESS']));
}

/** Ids of the entries of a bulk delivery; undefined: it is none. */
export function entriesOf(delivery: Delivery): readonly string[] | undefined {
  if (!String(delivery.headers['content-type']).startsWith('application/json')) return undefined;
  const { entries } = delivery.json();
  if (!Array.isArray(entries)) return undefined;
  return entries.map((entry: { entryId?: unknown }) => String(entry.entryId));
}

/** A bulk answer with a status for each of these entries. */
export function statuses(of: readonly (readonly [entryId: string, status: string])[]): Responding {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ statuses: of.map(([entryId, status]) => ({ entryId, status })) }),
  };
}

function respond(request: IncomingMessage, response: ServerResponse, answer: AppAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  if (answer.head !== undefined) {
    request.socket.end(Buffer.concat([Buffer.from(answer.head), Buffer.from(answer.body ?? '')]));
    return;
  }
  if (answer.cut === true) {
    const body = Buffer.from(answer.body ?? '');
    response.writeHead(answer.status, { ...answer.headers, 'content-length': String(body.length + 10) });
    response.write(body, () => request.socket.destroy());
    return;
  }
  response.writeHead(answer.status, { ...answer.headers });
  response.end(answer.body === undefined ? undefined : Buffer.from(answer.body));
}

function deliveryOf(request: IncomingMessage, body: Buffer): Delivery {
  const text = body.toString('utf8');
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body,
    text,
    atMs: performance.now(),
    json: () => {
      const value: unknown = JSON.parse(text);
      if (typeof value !== 'object' || value === null)
        throw new Error(`no JSON object: ${text.slice(0, 200)}`);
      return Object.fromEntries(Object.entries(value));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}
