/** Bad requests at the console endpoint: each is refused precisely, changes nothing, and the product continues. */
import http from 'node:http';
import { describe, expect, test } from 'vitest';
import { running } from './bad-input-running.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const SIXTEEN_MIB = 16 * 1024 * 1024;

const { product, unchanged } = running();

const call = (method: string, params?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) });

interface RpcCase {
  readonly what: string;
  readonly body: string;
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly message: string;
}

const RPC: readonly RpcCase[] = [
  {
    what: 'not JSON',
    body: '{',
    code: -32700,
    data: { code: 'PARSE_ERROR' },
    message: 'The request is not JSON: it could not be read.',
  },
  {
    what: 'not JSON-RPC',
    body: '{"method":"system.describe"}',
    code: -32600,
    data: { code: 'INVALID_REQUEST' },
    message: 'Not a JSON-RPC 2.0 request: jsonrpc must be "2.0".',
  },
  {
    what: 'an unknown method',
    body: call('messages.remove'),
    code: -32601,
    data: { code: 'METHOD_NOT_FOUND', method: 'messages.remove' },
    message: 'There is no method messages.remove.',
  },
  {
    what: 'a method that every object has',
    body: call('__proto__'),
    code: -32601,
    data: { code: 'METHOD_NOT_FOUND' },
    message: 'There is no method __proto__.',
  },
  {
    what: 'a parameter out of range',
    body: call('messages.list', { limit: 0 }),
    code: -32602,
    data: { code: 'INVALID_PARAMS', field: 'limit', expected: 'integer 1..500' },
    message: 'limit must be an integer 1 to 500, got 0',
  },
  {
    what: 'an unknown parameter',
    body: call('messages.list', { limt: 1 }),
    code: -32602,
    data: { code: 'INVALID_PARAMS', field: 'limt' },
    message: 'limt is not known: expected one of filter, upTo, cursor, limit, order, recordingId',
  },
  {
    what: 'a missing parameter',
    body: call('messages.publish', { pubsubname: 'pubsub', data: {} }),
    code: -32602,
    data: { code: 'INVALID_PARAMS', field: 'topic', expected: 'string' },
    message: 'topic is missing: it must be a string',
  },
  {
    what: 'a filter with an unknown key',
    body: call('messages.list', { filter: 'topik:x' }),
    code: -32602,
    data: { code: 'FILTER_SYNTAX', position: 1, length: 5, found: 'topik', suggestion: 'topic' },
    message: 'Unknown key "topik" at 1–5. Did you mean "topic"?',
  },
  {
    what: 'a drop of everything that matches a broken filter',
    body: call('deliveries.drop', { filter: 'state:' }),
    code: -32602,
    data: { code: 'FILTER_SYNTAX', position: 7 },
    message: 'Expected a state after "state:" at 7, found nothing. Did you mean "state:*"?',
  },
  {
    what: 'a hold with a broken filter',
    body: call('holds.add', { at: 'delivery', filter: '(topic:a' }),
    code: -32602,
    data: { code: 'FILTER_SYNTAX', position: 1, expected: ')' },
    message: 'Closing parenthesis missing; the one at 1 is open. Did you mean "(topic:a)"?',
  },
  {
    what: 'a setting out of range',
    body: call('settings.set', { key: 'delivery.concurrency', value: -1 }),
    code: -32602,
    data: { code: 'INVALID_PARAMS', field: 'value', expected: 'a whole number from 1 to 10,000' },
    message: 'delivery.concurrency must be a whole number from 1 to 10,000, got the number -1',
  },
  {
    what: 'a member of a setting out of range',
    body: call('settings.set', { key: 'eventRouter', value: { delivery: { jitter: 2 } } }),
    code: -32602,
    data: { code: 'INVALID_PARAMS', field: 'value.delivery.jitter', expected: 'a number from 0 to 1' },
    message: 'eventRouter must be a number from 0 to 1, got the number 2 in delivery.jitter',
  },
  {
    what: 'an element of a setting that is none',
    body: call('settings.set', { key: 'http.allowedOrigins', value: ['loopback', 'no origin'] }),
    code: -32602,
    data: { code: 'INVALID_PARAMS', field: 'value[1]' },
    message:
      'http.allowedOrigins must be an origin such as http://localhost:3000, or loopback, got the text "no origin" in [1]',
  },
  {
    what: 'an unknown setting',
    body: call('settings.set', { key: 'delivery.retires', value: 1 }),
    code: -32602,
    data: {
      code: 'INVALID_PARAMS',
      field: 'key',
      expected: expect.stringMatching(/^delivery\.retry, /) as string,
    },
    message: 'unknown setting "delivery.retires"',
  },
  {
    what: 'a setting whose name has a slip',
    body: call('settings.set', { key: 'delivery.concurency', value: 3 }),
    code: -32602,
    data: { code: 'INVALID_PARAMS', field: 'key' },
    message: 'unknown setting "delivery.concurency", did you mean delivery.concurrency?',
  },
  {
    what: 'an answer of the mock app that is none',
    body: call('mockApp.setRules', {
      rules: [{ enabled: true, match: {}, answer: { kind: 'respond', status: 42 } }],
    }),
    code: -32602,
    data: { code: 'INVALID_PARAMS', field: 'rules[0].answer.status', expected: 'integer 200..599' },
    message: 'rules[0].answer.status must be an integer 200 to 599, got 42',
  },
  {
    what: 'a message that is not there',
    body: call('messages.get', { messageId: 'msg_none' }),
    code: -32004,
    data: { code: 'NOT_FOUND', field: 'messageId' },
    message: 'There is no message msg_none.',
  },
  {
    what: 'a publish to an unknown component',
    body: call('messages.publish', { pubsubname: 'nope', topic: 'orders', data: {} }),
    code: -32004,
    data: { code: 'ERR_PUBSUB_NOT_FOUND', status: 404 },
    message: 'pubsub nope is not found',
  },
];

/** Sends exactly these headers, Host included, to the console endpoint. */
function ask(
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; text: string }> {
  const { hostname, port, pathname } = new URL(product().ready.rpc);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path: pathname, method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

describe('the console endpoint', () => {
  test.each(RPC)('$what', async ({ body, code, data, message }) => {
    const { status, text } = await ask(body, {
      ...JSON_TYPE,
      authorization: `Bearer ${product().ready.token}`,
    });
    expect(status).toBe(200);
    const { error } = JSON.parse(text);
    expect(error).toMatchObject({ code, message, data });
    await unchanged();
  });

  test.each([
    { what: 'no token', headers: {}, status: 401, field: 'Authorization' },
    { what: 'a wrong token', headers: { authorization: 'Bearer nope' }, status: 401, field: 'Authorization' },
    { what: 'a foreign origin', headers: { origin: 'https://example.org' }, status: 403, field: 'Origin' },
    { what: 'a foreign host', headers: { host: 'example.org' }, status: 403, field: 'Host' },
  ])('$what', async ({ headers, status, field }) => {
    const token = status === 403 ? { authorization: `Bearer ${product().ready.token}` } : {};
    const answer = await ask(call('samples.add'), { ...JSON_TYPE, ...token, ...headers });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).error).toMatchObject({
      code: -32001,
      data: { code: 'UNAUTHORIZED', field },
    });
    await unchanged();
  });

  test('a request far over the limit is refused, and changes nothing', async () => {
    const authorization = `Bearer ${product().ready.token}`;
    const answer = ask(call('messages.list', { filter: 'x'.repeat(SIXTEEN_MIB) }), {
      ...JSON_TYPE,
      authorization,
    });
    // The connection may be cut while the rest is still being sent.
    const status = await answer.then(
      (each) => each.status,
      (error: unknown) => String(error),
    );
    expect([413, 'Error: write EPIPE', 'Error: read ECONNRESET']).toContain(status);
    await unchanged();
  });
});
