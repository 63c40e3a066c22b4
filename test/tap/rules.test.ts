// Answer rules in front of a tapped app: a rule answers the deliveries that it matches, over HTTP and gRPC; all others reach the app.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { APP_METHODS } from '../../core/contract/grpc.ts';
import type { ResponseRule } from '../../core/contract/mock-app.ts';
import { encodedEvent } from '../../core/grpc-protocol/events.ts';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import type { AppRules } from '../../core/mock-app/tap-rules.ts';
import { answerBytes } from '../../core/tap/answers.ts';
import { clientOf } from '../grpc/raw-client.ts';
import { rawGrpcApp } from '../grpc/raw-app.ts';
import { rulesOfTap } from '../support/rules-of-tap.ts';
import { tapped } from './tapped.ts';

const RETRY: ResponseRule = {
  ruleId: 'r1',
  name: 'not yet',
  enabled: true,
  match: { topic: 'orders', filter: 'data.n:1' },
  times: 1,
  answer: { kind: 'respond', status: 200, body: { status: 'RETRY' } },
};

const RESET = { kind: 'reset' } as const;

let rules: AppRules;
beforeEach(() => {
  rules = rulesOfTap();
});

async function httpApp(): Promise<{ readonly port: number; readonly got: string[] }> {
  const got: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/dapr/subscribe') {
      response.end(JSON.stringify([{ pubsubname: 'redis', topic: 'orders', route: '/orders' }]));
      return;
    }
    got.push(request.url ?? '');
    request.resume().on('end', () => response.end('{"status":"SUCCESS"}'));
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, got };
}

const event = (id: string, n: number) =>
  JSON.stringify({
    id,
    specversion: '1.0',
    type: 't',
    source: 's',
    topic: 'orders',
    pubsubname: 'redis',
    data: { n },
  });

test('a rule answers in the place of an HTTP app as often as it says; other calls pass', async () => {
  const { port, got } = await httpApp();
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' }, rules });
  const address = `http://127.0.0.1:${at.tap.address.appPort}`;
  await (await fetch(`${address}/dapr/subscribe`)).text();
  await at.when('the route is known', () => at.tap.row().subscriptions[0]);
  rules.setRules([RETRY]);
  const post = async (body: string) => (await fetch(`${address}/orders`, { method: 'POST', body })).text();
  expect(await post(event('e2', 2))).toBe('{"status":"SUCCESS"}');
  expect(await post(event('e1', 1))).toBe('{"status":"RETRY"}');
  expect(got).toEqual(['/orders']);
  expect(await post(event('e1', 1))).toBe('{"status":"SUCCESS"}');
  expect(got).toEqual(['/orders', '/orders']);
  const second = await at.when('it has ended', async () => {
    const row = (await at.rows())[1];
    return row?.deliveries[0]?.state === 'processed' ? row : undefined;
  });
  expect((await at.stand.delivery(second.messageId)).attempts).toMatchObject([
    { word: 'RETRY', answeredBy: { ruleId: 'r1', name: 'not yet' } },
    { word: 'SUCCESS' },
  ]);
  expect(rules.state()).toMatchObject({ rules: [{ ruleId: 'r1', hits: 1 }], received: 1 });
  // An answered call waits no longer.
  expect(rules.state().requests).toMatchObject([
    { answeredBy: { ruleId: 'r1' }, status: 200, durationMs: expect.any(Number) },
  ]);
});

test('the sidecar gives up if a rule never answers, and the delivery says so', async () => {
  const { port, got } = await httpApp();
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'http' }, rules });
  const address = `http://127.0.0.1:${at.tap.address.appPort}`;
  await (await fetch(`${address}/dapr/subscribe`)).text();
  await at.when('the route is known', () => at.tap.row().subscriptions[0]);
  rules.setRules([{ ...RETRY, answer: { kind: 'hang' } }]);
  const leaving = new AbortController();
  const sent = fetch(`${address}/orders`, { method: 'POST', body: event('e1', 1), signal: leaving.signal });
  await at.when('the rule has it', () => (rules.state().received === 1 ? true : undefined));
  expect(rules.state()).toMatchObject({ rules: [{ hits: 0 }], requests: [{ note: 'hangs' }] });
  expect(rules.state().requests[0]).not.toHaveProperty('durationMs');
  let told = 0;
  onTestFinished(rules.onChange(() => (told += 1)));
  leaving.abort();
  await expect(sent).rejects.toThrow();
  expect((await at.delivery('retrying')).transitions.at(-1)?.rule).toBe('tap.lost');
  expect(rules.state().requests).toMatchObject([
    { note: 'the caller closed the connection', durationMs: expect.any(Number) },
  ]);
  expect(rules.state().rules).toMatchObject([{ hits: 1 }]);
  await at.when('the console hears of it', () => (told > 0 ? true : undefined));
  expect(got).toEqual([]);
});

test('a rule answers in the place of a gRPC app with the code of its status', async () => {
  const protocol = await loadProtocol();
  const app = await rawGrpcApp();
  app.on(APP_METHODS.onTopicEvent, protocol.topicEventRequest, protocol.topicEventResponse, () => ({
    status: 0,
  }));
  const port = Number(new URL(app.url.replace('grpc:', 'http:')).port);
  const at = await tapped({ app: { host: '127.0.0.1', port, protocol: 'grpc' }, rules });
  const sidecar = await clientOf(`127.0.0.1:${at.tap.address.appPort}`);
  const message = {
    ...encodedEvent({
      id: 'e1',
      source: 's',
      type: 't',
      spec_version: '1.0',
      data_content_type: 'application/json',
      data: '{"n":1}',
      extensions: {},
    }),
    topic: 'orders',
    pubsub_name: 'redis',
    path: '',
  };
  const deliver = () =>
    sidecar.call(APP_METHODS.onTopicEvent, protocol.topicEventRequest, message, protocol.topicEventResponse);
  rules.setRules([
    RETRY,
    { ...RETRY, ruleId: 'r2', answer: { kind: 'respond', status: 503, body: 'later' } },
  ]);
  expect(await deliver()).toEqual({ status: 1 });
  expect(await deliver()).toMatchObject({ code: 'UNAVAILABLE', text: 'later' });
  expect(app.metadata).toEqual([]);
  expect(await deliver()).toEqual({ status: 0 });
  expect((await at.delivery('processed')).attempts).toHaveLength(3);
});

test('an answer that only a mock app can give is refused with the reason', async () => {
  const ask = { kind: 'ask' } as const;
  for (const answer of [
    ask,
    { kind: 'sequence', steps: [RESET, ask], then: 'loop' },
    { kind: 'random', of: [{ share: 100, answer: ask }] },
  ] satisfies ResponseRule['answer'][])
    expect(() => rules.setRules([{ ...RETRY, answer }])).toThrow('hold the delivery');
  expect(() => rules.setSubscriptions()).toThrow('The app is behind a tap');
  await expect(rules.turn()).rejects.toThrow('The app is behind a tap');
});

test('an answer by hand has no headers that end their line', () => {
  const headers = {
    'x-own': 'kept',
    'x-split': 'a\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK',
    'x bad': '1',
    'x-wide': '✓',
  };
  const bytes = answerBytes({ kind: 'response', status: 200, headers, body: Buffer.from('x') });
  expect(bytes?.toString('latin1')).toBe('HTTP/1.1 200 OK\r\nx-own: kept\r\nContent-Length: 1\r\n\r\nx');
});

test('an answer whose body only looks like an answer by hand is one like any other', () => {
  const answer = { kind: 'respond', status: 200, body: { kind: 'ask' } } as const;
  rules.setRules([{ ...RETRY, answer }]);
  expect(rules.state().rules).toMatchObject([{ answer }]);
});
