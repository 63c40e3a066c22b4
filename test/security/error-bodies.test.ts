/** Every error body that the HTTP edges answer is one of docs/errors.md, and every row of its table of edges can be met. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { beforeAll, afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { randomIds } from '../../core/adapters/random-ids.ts';
import { createConsoleServer } from '../../core/console/server.ts';
import { ERRORS } from '../../core/contract/errors.ts';
import type { ErrorRow } from '../../core/contract/errors.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { SILENCE } from '../../core/domain/http-edge.ts';
import { RequestBodies, UNCOUNTED } from '../../core/domain/request-bodies.ts';
import { publishAtConsole, publishAtMock } from '../../core/host/wrong-ports.ts';
import { createMockApp } from '../../core/mock-app/server.ts';
import { makeBench } from '../console/bench.ts';
import { edgeOf } from '../http/fake-sidecar.ts';
import { answersOf, rawRequest } from '../support/raw-request.ts';

type EdgeName = 'sidecar' | 'mock app' | 'console';

interface Row {
  readonly edge: string;
  readonly status: number;
  /** `none`, `text`, `page`, `JSON` or `JSON-RPC`. */
  readonly kind: string;
  /** Text, title, code, or the message of JSON without a code; "" = no body. */
  readonly says: string;
}

const docs = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const ROWS: readonly Row[] = [
  ...docs.matchAll(
    /^\| (sidecar|mock app|console) \| (\d{3}) \| (none|text|page|JSON|JSON-RPC)(?: `(.+)`)? \| .+ \|$/gm,
  ),
].map(([, edge = '', status, kind = '', says = '']) => ({ edge, status: Number(status), kind, says }));

/** The code's texts with anything in their named places. */
function isSaid(code: string, message: string): boolean {
  const row: ErrorRow | undefined = Object.entries(ERRORS).find(([name]) => name === code)?.[1];
  const texts =
    row === undefined ? [] : [row.says, ...Object.values(row.variants ?? {}).map(({ says }) => says)];
  return texts.some((says) => asPattern(says.replaceAll('{product}', 'sidecar')).test(message));
}

function asPattern(says: string): RegExp {
  const parts = says.split(/\{[^}]+\}/).map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.+')}$`);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** Kind and text of a body; a code only with a text of that code. */
function readBody(body: string): Pick<Row, 'kind' | 'says'> {
  if (body === '') return { kind: 'none', says: '' };
  const title = /^<!doctype html>[\s\S]*<title>(.*)<\/title>/.exec(body)?.[1];
  if (title !== undefined) return { kind: 'page', says: title };
  if (!body.startsWith('{')) return { kind: 'text', says: body.trimEnd() };
  const value: unknown = JSON.parse(body);
  const rpc = member(value, 'error');
  const code = String(rpc === undefined ? member(value, 'errorCode') : member(member(rpc, 'data'), 'code'));
  const message = String(member(rpc ?? value, 'message'));
  if (code === 'undefined') return { kind: 'JSON', says: message };
  const says = isSaid(code, message) ? code : `${code}, in words of its own: ${message}`;
  return { kind: rpc === undefined ? 'JSON' : 'JSON-RPC', says };
}

const matches = (row: Row, seen: Row): boolean =>
  row.edge === seen.edge &&
  row.status === seen.status &&
  row.kind === seen.kind &&
  asPattern(row.says).test(seen.says);

/** Statuses that the table of codes gives to a code over HTTP. */
function isOfCodes({ edge, status, kind, says }: Row): boolean {
  if (edge !== 'sidecar' || kind !== 'JSON') return false;
  const row: ErrorRow | undefined = Object.entries(ERRORS).find(([name]) => name === says)?.[1];
  return [row?.publish, row?.bulk, row?.health, row?.binding, row?.other].includes(status);
}

const CLOSE = 'connection: close\r\n';
const head = (line: string, ...headers: readonly string[]): string =>
  `${line} HTTP/1.1\r\n${headers.map((header) => `${header}\r\n`).join('')}${CLOSE}\r\n`;
const HOST = 'host: localhost';

/** Requests that no edge can read. */
const UNREADABLE: readonly string[] = [
  'HELLO\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  head('FLY /', HOST),
  head('GET / x', HOST),
  head('GET /\u0001', HOST),
  head('GET /größe?q=größe', HOST),
  head('GET /', 'no colon'),
  head('GET /', HOST, `x: ${'y'.repeat(20_000)}`),
  head('POST /v1.0/publish/a/b', HOST, 'content-length: 1', 'content-length: 2'),
  `POST /rpc HTTP/1.1\r\n${HOST}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
  'GET / HTTP/9.9\r\n\r\n',
  '',
  'POST /v1.0/publish/a/b HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nabc',
  head('GET /%ff', HOST),
  head('GET /%zz', HOST),
  head('GET /', HOST, 'expect: the-best'),
  head('GET /'),
  head('GET /', HOST, 'host: other'),
  head('OPTIONS *', HOST),
  head('GET /nowhere', HOST),
  head('PROPFIND /', HOST),
  head('GET /', HOST, 'connection: upgrade', 'upgrade: websocket'),
];

const SIDECAR: readonly string[] = [
  head('POST /v1.0/publish/a/b', HOST, 'origin: http://evil.example'),
  head('GET /v1.0/metadata', 'host: evil.example'),
  head('POST /v1.0/shutdown', HOST, 'origin: http://localhost'),
  head('PUT /v1.0/metadata/%fz', HOST),
  `POST /v1.0/publish/a/b HTTP/1.1\r\n${HOST}\r\n${CLOSE}content-length: 11\r\n\r\n12345678901`,
];

/** A list of subscriptions that is a large answer. */
const MANY = Array.from({ length: 100 }, (_, n) => ({
  pubsubname: 'pubsub',
  topic: `t${n}`,
  route: `/${'r'.repeat(900)}`,
}));

/** A batch of one entry with this data, and without an id. */
function batchOf(data: string): string {
  const body = `{"entries":[{"entryId":"1","event":{"data":${data}}}]}`;
  return `POST / HTTP/1.1\r\n${HOST}\r\n${CLOSE}content-length: ${body.length}\r\n\r\n${body}`;
}

const silence = { ...SILENCE, headersMs: 60, requestMs: 120, everyMs: 20 };
const ports = new Map<string, { readonly edge: EdgeName; readonly port: number }>();
const closing: (() => Promise<void>)[] = [];
let consolePort = 0;
let consoleToken = '';

beforeAll(async () => {
  for (const [name, change, profile] of [
    ['sidecar', {}, 'sidecar'],
    ['sidecar with a token', { apiToken: 's3cret' }, 'sidecar'],
    ['sidecar of the newer release', {}, 'dapr-1.18'],
  ] as const) {
    const { server, fake } = edgeOf({ silence, maxBodyBytes: () => 10, ...change }, profile);
    fake.refuse = new Error('a bug');
    await server.start();
    ports.set(name, { edge: 'sidecar', port: server.port });
    closing.push(async () => server.close(0));
  }
  for (const [name, bodies] of [
    ['mock app', UNCOUNTED],
    ['mock app without room', new RequestBodies(0)],
  ] as const) {
    const app = await createMockApp({
      appId: 'app',
      port: 0,
      profile: PROFILES.sidecar,
      subscriptions: MANY,
      clock: systemClock(),
      ids: randomIds(),
      random: { next: () => 0.5 },
      codec: bufferCodec,
      log: { write: () => undefined },
      silence,
      bodies,
    });
    app.onPublish?.(() => publishAtMock('app', app.url, 'http://127.0.0.1:3500'));
    ports.set(name, { edge: 'mock app', port: Number(new URL(app.url).port) });
    closing.push(async () => app.close());
  }
  const { deps } = makeBench(systemClock());
  const server = await createConsoleServer({
    ...deps,
    port: 0,
    rendererDir: '/nowhere',
    silence,
    onPublish: () => publishAtConsole(server.url, [{ appId: 'app', url: 'http://127.0.0.1:3500' }]),
  });
  consolePort = server.port;
  consoleToken = server.token;
  ports.set('console', { edge: 'console', port: server.port });
  closing.push(async () => server.close());
});
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
});

const seen: Row[] = [];

async function meet(name: string, text: string): Promise<void> {
  const { edge, port } = ports.get(name) ?? { edge: 'sidecar', port: 0 };
  for (const { status, body } of answersOf(await rawRequest(port, text)))
    if (status >= 400) seen.push({ edge, status, ...readBody(body) });
}

describe('every error body is documented', () => {
  test.each(['sidecar', 'sidecar with a token', 'mock app', 'console'])(
    'error bodies of the %s are documented',
    async (name) => {
      const before = seen.length;
      await Promise.all(UNREADABLE.map(async (text) => meet(name, text)));
      await Promise.all(SIDECAR.map(async (text) => meet(name, text)));
      if (name === 'console') await meetConsole();
      if (name === 'mock app') {
        await meet(name, `POST / HTTP/1.1\r\n${CLOSE}content-length: 268435457\r\n\r\n`);
        await meet('mock app without room', `POST / HTTP/1.1\r\n${CLOSE}content-length: 1\r\n\r\nx`);
        await meet(name, batchOf(`${'['.repeat(20_000)}${']'.repeat(20_000)}`));
        await meet('mock app without room', head(`GET ${PROFILES.sidecar.discoveryPath}`, HOST));
      }
      if (name === 'sidecar') await meet(name, head('POST /v1.0/publish/a/b', HOST));
      const own = seen.slice(before);
      expect(own.length).toBeGreaterThan(UNREADABLE.length / 2);
      expect(own.filter((one) => !isOfCodes(one) && !ROWS.some((row) => matches(row, one)))).toEqual([]);
    },
  );

  test.each(['sidecar', 'sidecar with a token', 'mock app', 'console'])(
    '%s answers CONNECT, also behind a request that waits',
    async (name) => {
      const { edge, port } = ports.get(name) ?? { edge: 'sidecar', port: 0 };
      const asked = head('CONNECT localhost:443', HOST);
      for (const text of [
        asked,
        head('CONNECT /v1.0/healthz', HOST),
        `GET /nowhere HTTP/1.1\r\n${HOST}\r\n\r\n${asked}`,
      ]) {
        const answers = answersOf(await rawRequest(port, text)).map(({ status, body }): Row => ({
          edge,
          status,
          ...readBody(body),
        }));
        expect(answers).toHaveLength(text === asked || text.startsWith('CONNECT') ? 1 : 2);
        expect(answers.filter((one) => !isOfCodes(one) && !ROWS.some((row) => matches(row, one)))).toEqual(
          [],
        );
      }
    },
  );

  test.each(['sidecar', 'mock app', 'console'])(
    '%s lives on when a client resets its connection after CONNECT or a refused upgrade',
    async (name) => {
      const { port } = ports.get(name) ?? { port: 0 };
      const errors: unknown[] = [];
      const note = (error: unknown): void => void errors.push(error);
      process.on('uncaughtExceptionMonitor', note);
      onTestFinished(() => void process.off('uncaughtExceptionMonitor', note));
      const upgrade = ['connection: upgrade', 'upgrade: websocket', `sec-websocket-key: ${'a'.repeat(22)}==`];
      for (const text of [
        head('CONNECT localhost:443', HOST),
        `GET /elsewhere HTTP/1.1\r\n${[HOST, ...upgrade].join('\r\n')}\r\n\r\n`,
      ])
        await resetAfterAnswer(port, text);
      // Two more connections: the resets have been read by then.
      for (const text of [head('GET /nowhere', HOST), head('GET /nowhere', HOST)])
        expect(answersOf(await rawRequest(port, text))).toHaveLength(1);
      expect(errors).toEqual([]);
    },
  );

  test.each(['sidecar', 'mock app', 'console'])(
    '%s answers a QUERY as any verb without a route',
    async (name) => {
      const { port } = ports.get(name) ?? { port: 0 };
      const own = [`host: localhost:${port}`, `authorization: Bearer ${consoleToken}`];
      for (const more of [[], ['content-length: 0'], ['content-type: application/json']]) {
        const answers = ['QUERY', 'PROPFIND'].map((verb) => head(`${verb} /nowhere`, ...own, ...more));
        const [query, other] = await Promise.all(
          answers.map(async (text) => answersOf(await rawRequest(port, text))[0]),
        );
        expect(query?.status).toBe(404);
        expect(query?.body).toBe(other?.body);
      }
    },
  );

  test('unreadable baggage in the newer release has a documented body', async () => {
    const before = seen.length;
    await meet('sidecar of the newer release', head('POST /v1.0/publish/a/b', HOST, 'baggage: k'));
    expect(seen.slice(before)).toMatchObject([{ status: 400 }]);
    expect(seen.slice(before).filter((one) => !ROWS.some((row) => matches(row, one)))).toEqual([]);
  });

  test('every row of the table of edges occurs in an answer', () => {
    expect(ROWS.length).toBeGreaterThan(20);
    expect(ROWS.filter((row) => !seen.some((one) => matches(row, one)))).toEqual([]);
  });
});

/** Sends bytes, and resets the connection once its answer begins. */
function resetAfterAnswer(port: number, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.once('data', () => socket.resetAndDestroy());
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}

async function meetConsole(): Promise<void> {
  const own = `host: localhost:${consolePort}`;
  const token = `authorization: Bearer ${consoleToken}`;
  const upgrade = 'upgrade: websocket';
  for (const text of [
    head('GET /', own),
    head('GET /', own, 'accept: text/html'),
    head('GET /', own, token),
    // A link under the name localhost is sent on to the console's own address first.
    head('GET /open?key=old', own),
    head('GET /open?key=old', `host: 127.0.0.1:${consolePort}`),
    head('GET /nowhere', own, token),
    head('POST /v1.0/publish/a/b', own),
    head('GET /%ff', own, token),
    head('GET /', own, token, 'origin: http://evil.example'),
    head('POST /rpc', own, token, 'content-length: 999999999'),
    `POST /rpc HTTP/1.1\r\n${own}\r\n${token}\r\n${CLOSE}content-type: \u00ff\r\ncontent-length: 2\r\n\r\n{}`,
    `POST /enter HTTP/1.1\r\n${own}\r\n${CLOSE}content-type: json\r\ncontent-length: 2\r\n\r\n{}`,
    `GET /other HTTP/1.1\r\n${own}\r\nconnection: upgrade\r\n${upgrade}\r\n\r\n`,
    `GET /stream HTTP/1.1\r\n${own}\r\nconnection: upgrade\r\n${upgrade}\r\n\r\n`,
    `GET /stream HTTP/1.1\r\n${own}\r\nconnection: upgrade\r\n${upgrade}\r\nsec-websocket-key: x\r\nsec-websocket-version: 1\r\n\r\n`,
  ])
    await meet('console', text);
}
