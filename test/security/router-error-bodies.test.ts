/** Every error body of the embedded router, its ingress, the webhook and a tap is one of docs/errors.md. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { rig } from '../event-router/rig.ts';
import { CLIENT, FORM, SECRET, TENANT, wireStand } from '../local-router/wire-stand.ts';
import type { WireStand } from '../local-router/wire-stand.ts';
import { freePort } from '../support/free-port.ts';
import { answersOf, rawRequest } from '../support/raw-request.ts';
import { tapped } from '../tap/tapped.ts';

interface Row {
  readonly edge: string;
  readonly status: number;
  /** `none`, `text` or `JSON`. */
  readonly kind: string;
  /** Text, or the code of the JSON; "" = no body. */
  readonly says: string;
}

const docs = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const ROWS: readonly Row[] = [
  ...docs.matchAll(/^\| (tap|webhook|router) \| (\d{3}) \| (none|text|JSON)(?: `(.+)`)? \| .+ \|$/gm),
].map(([, edge = '', status, kind = '', says = '']) => ({ edge, status: Number(status), kind, says }));

function matches(row: Row, seen: Row): boolean {
  const parts = row.says
    .split(/\{[^}]+\}/)
    .map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`));
  const isSaid = new RegExp(`^${parts.join('.+')}$`, 's').test(seen.says);
  return row.edge === seen.edge && row.status === seen.status && row.kind === seen.kind && isSaid;
}

/** The code of an answer in the service's form, or in that of tokens. */
function codeOf(body: string): string {
  const { error }: { error: string | { code: string } } = JSON.parse(body);
  return typeof error === 'string' ? error : error.code;
}

function seenAs(edge: string, status: number, body: string): Row {
  if (body === '') return { edge, status, kind: 'none', says: '' };
  if (body.startsWith('{')) return { edge, status, kind: 'JSON', says: codeOf(body) };
  return { edge, status, kind: 'text', says: body.trimEnd() };
}

/** Rows that nothing of this led to; fails for a body that is in no row. */
function unmet(edge: string, seen: readonly Row[]): readonly string[] {
  const rows = ROWS.filter((row) => row.edge === edge);
  expect(seen.filter((one) => !rows.some((row) => matches(row, one)))).toEqual([]);
  return rows
    .filter((row) => !seen.some((one) => matches(row, one)))
    .map(({ status, says }) => `${status} ${says}`.trimEnd());
}

const CLOSE = 'connection: close\r\n';
const head = (line: string, ...headers: readonly string[]): string =>
  `${line} HTTP/1.1\r\n${headers.map((header) => `${header}\r\n`).join('')}${CLOSE}\r\n`;

/** Requests that no edge can read, or that it refuses from every client. */
const unreadable = (host: string): readonly string[] => [
  'HELLO\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  head('FLY /', host),
  head('GET /\u0001', host),
  head('GET /größe?q=größe', host),
  head('GET /', host, `x: ${'y'.repeat(20_000)}`),
  head('POST /', host, 'content-length: 1', 'content-length: 2'),
  `POST / HTTP/1.1\r\n${host}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
  'GET / HTTP/9.9\r\n\r\n',
  head('GET /'),
  head('GET /', host, host),
  head('GET /', 'host: other.example'),
  head('GET /', host, 'expect: the-best'),
  head('GET /', host, 'origin: http://evil.example'),
  head('GET /%ff', host),
  head('GET /%zz', host),
  head('GET /a/../b', host),
  head('GET /nowhere', host),
  head('OPTIONS *', host),
  head('GET /', host, 'connection: upgrade', 'upgrade: websocket'),
  head('CONNECT localhost:443', host),
  `GET /nowhere HTTP/1.1\r\n${host}\r\n\r\n${head('CONNECT /', host)}`,
];

/** Requests that end before their head, or before their body. */
const incomplete = (host: string): readonly string[] => [
  'GET / HTTP/1.1\r\n',
  `POST / HTTP/1.1\r\n${host}\r\ncontent-length: 9\r\n\r\nabc`,
];

/** Errors among the answers to bytes that are sent over TLS as they are. */
function overTls(port: number, ca: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = '';
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca }, () =>
      socket.write(text),
    );
    socket.on('data', (chunk: Buffer) => (got += chunk.toString()));
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}

const errorsOf = (edge: string, text: string): readonly Row[] =>
  answersOf(text).flatMap(({ status, body }) => (status >= 400 ? [seenAs(edge, status, body)] : []));

test('every error body of the router and its ingress is documented', async () => {
  const times = { handshakeMs: 20_000, headersMs: 300, requestMs: 600, unreadMs: 60_000 };
  const stand = await wireStand({ settings: { times } });
  await stand.subscribe();
  const ca = stand.router.certificates.caPem();
  const seen: Row[] = [];
  const { router, ingress } = stand.router.addresses();
  for (const url of [router, ingress]) {
    const port = Number(new URL(url).port);
    const host = `host: localhost:${port}`;
    const asked = [...unreadable(host), ...incomplete(host)];
    const answers = await Promise.all(asked.map((text) => overTls(port, ca, text)));
    expect(answers.filter((text) => text === '')).toEqual([]);
    seen.push(...answers.flatMap((text) => errorsOf('router', text)));
  }
  for (const { status, text } of await misuse(stand))
    if (status >= 400) seen.push(seenAs('router', status, text));
  // Bodies that other tests of the router cover.
  expect(unmet('router', seen)).toEqual([
    '400 RoleDefinitionDoesNotExist',
    '400 PrincipalNotFound',
    '401 ExpiredAuthenticationToken',
    '403 AuthorizationFailed',
    '403 WebhookApplicationRoleMissing',
    '409 Conflict',
    '409 MissingSubscriptionRegistration',
    '409 QuotaLimitReached',
    '429 TooManyRequests',
    '429 temporarily_unavailable',
    '500 InternalServerError',
    '504 GatewayTimeout',
  ]);
});

/** Requests that can be read and are wrong. */
async function misuse(
  stand: WireStand,
): Promise<readonly { readonly status: number; readonly text: string }[]> {
  const { call, manage, recordPath, publish, router } = stand;
  const answers = [
    await publish('{', {}),
    await publish('{}', { 'content-type': 'text/plain' }),
    await publish('{}', { 'content-encoding': 'br' }),
    await publish('{}', { 'content-encoding': 'gzip' }),
    await publish('{}', { 'aeg-sas-key': 'wrong' }),
    await publish('{}', {}, '/topics/missing/api/events'),
    await publish('{}', {}, '/topics/orders/api/events?api-version=1'),
    await publish(Buffer.alloc(2 * 1024 * 1024)),
    await call('GET', '/topics/orders/api/events'),
    await call('GET', '/eventsubscriptions/ordersin/validate?id=x&token=y'),
    await call('GET', `/${TENANT}/oauth2/v2.0/authorize`),
    await call('GET', recordPath()),
    await call('GET', recordPath(), { authorization: 'Bearer wrong' }),
    await manage('GET', recordPath().replace(/\?.*/, '')),
    await manage('GET', recordPath().replace(/=.*/, '=soon')),
    await manage('PUT', recordPath(), []),
    await manage('PUT', recordPath(), { properties: {} }),
    await manage('POST', recordPath()),
    await manage('GET', recordPath('other')),
    await manage(
      'GET',
      `/subscriptions/s1/providers/${stand.namespace}/nothing/at/all?api-version=2022-06-15`,
    ),
    ...(await tokens(stand)),
    await call('GET', `${router.addresses().ingress}/nowhere`),
  ];
  await router.ingress.setFault('503');
  return [...answers, await call('POST', `${router.addresses().ingress}/api/events`)];
}

async function tokens({ call, base }: WireStand): Promise<Awaited<ReturnType<WireStand['call']>>[]> {
  const good = {
    grant_type: 'client_credentials',
    client_id: CLIENT,
    client_secret: SECRET,
    scope: `${base}/.default`,
  };
  const ask = (form: Readonly<Record<string, string>>, tenant = TENANT) =>
    call('POST', `/${tenant}/oauth2/v2.0/token`, FORM, new URLSearchParams({ ...good, ...form }).toString());
  return [
    await ask({}, 'other'),
    await ask({ client_id: '' }),
    await ask({ client_id: 'other' }),
    await ask({ client_secret: 'wrong' }),
    await ask({ scope: 'other/.default' }),
    await ask({ grant_type: 'password' }),
  ];
}

test('every error body of the webhook is documented', async () => {
  const it = await rig();
  const binding = await it.listening();
  await it.reaches(binding, 'ready');
  const answers = await Promise.all(
    unreadable(`host: localhost:${it.port}`).map((text) => rawRequest(it.port, text)),
  );
  const seen = answers.flatMap((text) => [...errorsOf('webhook', text)]);
  const token = await it.router.token();
  const event = '{"specversion":"1.0","id":"e1","source":"s","type":"t"}';
  it.taken = [
    { accepted: false, status: 503, body: 'no' },
    { accepted: false, error: 'nobody there' },
  ];
  for (const call of [
    { method: 'GET' },
    { method: 'OPTIONS', headers: { 'webhook-request-origin': 'x' }, token: 'wrong' },
    { token: 'wrong', body: event },
    { body: event },
    { token, body: event, headers: { 'content-type': 'text/plain' } },
    { token, body: Buffer.alloc(2 * 1024 * 1024) },
    { token, body: event },
    { token, body: event },
  ]) {
    const { status, text } = await it.send(call);
    if (status >= 400) seen.push(seenAs('webhook', status, text));
  }
  const twice = ['authorization: Bearer a', 'authorization: Bearer b'];
  const asked = await rawRequest(it.port, head('POST /api/events', 'host: x', ...twice));
  seen.push(...errorsOf('webhook', asked));
  expect(unmet('webhook', seen)).toEqual([
    '408',
    '500 500 Internal Server Error',
    '503 503 Service Unavailable: {code}',
  ]);
});

test('every error body that a tap makes itself is documented', async () => {
  const app = createServer((_request, response) => void response.end('[]'));
  await new Promise<void>((done) => void app.listen(0, '127.0.0.1', done));
  onTestFinished(() => void app.close());
  const to = { host: '127.0.0.1', port: (app.address() as AddressInfo).port, protocol: 'http' } as const;
  const at = await tapped({ app: to });
  const port = at.tap.address.sidecarPort;
  const asked = [head('GET /', 'host: x', 'upgrade: websocket'), 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'];
  const ownPort = await freePort();
  const alone = await tapped({
    app: to,
    sidecar: { host: '127.0.0.1', port: ownPort },
    sidecarPort: ownPort,
  });
  await alone.when('it knows its own call', () => (alone.tap.row().problems.length > 0 ? true : undefined));
  const answers = await Promise.all([
    ...asked.map((text) => rawRequest(port, text)),
    rawRequest(ownPort, head('GET /', 'host: x')),
  ]);
  expect(
    unmet(
      'tap',
      answers.flatMap((text) => [...errorsOf('tap', text)]),
    ),
  ).toEqual([]);
});
