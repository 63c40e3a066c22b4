/** Every call over all three carriers: pipe, WebSocket, POST /rpc. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_RPC_BATCH } from '../../core/contract/rpc.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { overHttp, overPipe, overWebSocket } from './carrier-makers.ts';
import type { Carried } from './carrier-makers.ts';

const MAKERS = [
  ['in-process pipe', overPipe],
  ['WebSocket', overWebSocket],
  ['POST /rpc', overHttp],
] as const;

describe.each(MAKERS)('over %s', (_name, make) => {
  let carried: Carried;
  beforeEach(async () => {
    carried = await make();
  });
  afterEach(() => carried.close());

  async function ask(request: unknown): Promise<unknown> {
    return JSON.parse(await carried.ask(typeof request === 'string' ? request : JSON.stringify(request)));
  }
  const call = (method: string, params?: unknown): Promise<unknown> => {
    return ask({ jsonrpc: '2.0', id: 7, method, ...(params === undefined ? {} : { params }) });
  };
  const error = (code: number, message: string, data: unknown, id: unknown = 7): unknown => {
    return { jsonrpc: '2.0', id, error: { code, message, data } };
  };

  test('a call is answered under its id', async () => {
    expect(await call('holds.list')).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { items: [], nextCursor: null },
    });
    for (const id of ['a', 0, -1.5, null]) {
      expect(await ask({ jsonrpc: '2.0', id, method: 'holds.list' })).toMatchObject({ id });
    }
  });

  test('system.describe lists every method', async () => {
    const answer = await call('system.describe');
    expect(answer).toMatchObject({
      result: {
        version: '1.2.3',
        consoleUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/),
        profile: 'sidecar',
        ephemeral: true,
        banners: [],
        apps: [],
        components: [],
      },
    });
    expect(answer).toHaveProperty('result.methods', expect.arrayContaining(['system.describe', 'view.open']));
  });

  test('a batch is answered in its order, notifications left out', async () => {
    const answer = await ask([
      { jsonrpc: '2.0', id: 1, method: 'settings.set', params: { key: 'a.b', value: 5 } },
      { jsonrpc: '2.0', method: 'settings.set', params: { key: 'c.d', value: 6 } },
      { jsonrpc: '2.0', id: 2, method: 'nothing.here' },
      { jsonrpc: '2.0', id: 3, method: 'settings.get' },
      5,
    ]);
    expect(answer).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: { code: -32601 } },
      {
        id: 3,
        result: {
          items: [
            { key: 'a.b', value: 5 },
            { key: 'c.d', value: 6 },
          ],
        },
      },
      { id: null, error: { code: -32600 } },
    ]);
  });

  test('a batch has 1 to 50 requests; a larger one runs none of them', async () => {
    const one = { jsonrpc: '2.0', method: 'settings.set', params: { key: 'a.b', value: 1 } };
    expect(await ask([])).toEqual(
      error(
        -32600,
        'Not a JSON-RPC 2.0 request: a batch must not be empty.',
        { code: 'INVALID_REQUEST' },
        null,
      ),
    );
    const many = Array.from({ length: MAX_RPC_BATCH + 1 }, (_, id) => ({ ...one, id }));
    expect(await ask(many)).toMatchObject({ id: null, error: { code: -32013, data: { code: 'TOO_LARGE' } } });
    expect([...carried.bench.saved]).toEqual([]);
    expect(await ask(many.slice(1))).toHaveLength(MAX_RPC_BATCH);
  });

  test('a notification is run and not answered, also when it is refused', async () => {
    await carried.tell(
      JSON.stringify({ jsonrpc: '2.0', method: 'settings.set', params: { key: 'a.b', value: 5 } }),
    );
    await carried.tell(JSON.stringify([{ jsonrpc: '2.0', method: 'no.such' }]));
    expect(await call('settings.get')).toMatchObject({ result: { items: [{ key: 'a.b', value: 5 }] } });
    expect(carried.heard).toHaveLength(1);
    expect(carried.bench.log).toEqual([
      {
        level: 'warn',
        part: 'console',
        text: 'A notification was refused: no.such: There is no method no.such.',
      },
    ]);
  });

  test.each([
    ['{"jsonrpc":"2.0",', -32700, 'PARSE_ERROR'],
    ['', -32700, 'PARSE_ERROR'],
    ['{} {}', -32700, 'PARSE_ERROR'],
    ['['.repeat(5000), -32700, 'PARSE_ERROR'],
    ['7', -32600, 'INVALID_REQUEST'],
    ['null', -32600, 'INVALID_REQUEST'],
    ['{"id":1,"method":"holds.list"}', -32600, 'INVALID_REQUEST'],
    ['{"jsonrpc":"1.0","id":1,"method":"holds.list"}', -32600, 'INVALID_REQUEST'],
    ['{"jsonrpc":"2.0","id":1}', -32600, 'INVALID_REQUEST'],
    ['{"jsonrpc":"2.0","id":{},"method":"holds.list"}', -32600, 'INVALID_REQUEST'],
    ['{"jsonrpc":"2.0","id":1,"method":"holds.list","params":[]}', -32602, 'INVALID_PARAMS'],
    ['{"jsonrpc":"2.0","id":1,"method":"holds.list","params":"x"}', -32602, 'INVALID_PARAMS'],
  ])('%s is refused', async (text, code, data) => {
    expect(await ask(text)).toMatchObject({ jsonrpc: '2.0', error: { code, data: { code: data } } });
    expect(carried.bench.runtime.calls).toEqual([]);
  });

  test('a request that is nested too deeply is refused with the limit', async () => {
    const params = `${'['.repeat(1001)}${']'.repeat(1001)}`;
    expect(await ask(`{"jsonrpc":"2.0","id":1,"method":"holds.list","params":${params}}`)).toMatchObject({
      error: { code: -32700, message: 'The request is nested deeper than 1000 levels.' },
    });
  });

  test('a request of nothing but small values is refused with the limit, unread, under its id', async () => {
    const values = Array.from({ length: 1000 }, () => '[],'.repeat(500)).join('');
    const request = `{"jsonrpc":"2.0","params":{"holdId":[${values}1]},"method":"holds.remove","id":7}`;
    const expected = 'at most 1,000,000 values, lists and objects';
    const more = 'A name counts as three more. A payload with more fits as dataBase64.';
    const refusal = error(-32013, `A request has ${expected}. ${more}`, { code: 'TOO_LARGE', expected });
    expect(await ask(request)).toEqual(refusal);
    // Not even its end is looked at.
    expect(await ask(request.slice(0, -1))).toEqual(refusal);
    expect(await ask(`[${request}]`)).toMatchObject({ id: null, error: { data: { code: 'TOO_LARGE' } } });
    // One text is one value, whatever is in it.
    const text = `{"jsonrpc":"2.0","params":{"holdId":${JSON.stringify(values)}},"method":"holds.remove","id":7}`;
    expect(await ask(text)).toMatchObject({
      id: 7,
      error: { data: { code: expect.not.stringMatching('TOO_LARGE') } },
    });
  });

  test('a setting of more members than an object may have is refused unread, under its id', async () => {
    const value = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`k${n}`, 1]));
    const params = { key: 'app.address', value };
    const request = JSON.stringify({ jsonrpc: '2.0', params, method: 'settings.set', id: 7 });
    const expected = 'at most 10,000 members of an object';
    const refusal = error(-32013, `A request has ${expected}, beside payloads.`, {
      code: 'TOO_LARGE',
      expected,
    });
    expect(await ask(request)).toEqual(refusal);
    expect(await ask(request.slice(0, -1))).toEqual(refusal);
  });

  test.each(['constructors', 'jobs', 'messages', 'toString', '__proto__', 'constructor'])(
    '%s is refused by name',
    async (method) => {
      expect(await call(method, {})).toEqual(
        error(-32601, `There is no method ${method}.`, { code: 'METHOD_NOT_FOUND', method }),
      );
    },
  );

  test('bad parameters say field, expected and found, and nothing is run', async () => {
    expect(await call('messages.list', { limit: 0 })).toEqual(
      error(-32602, 'limit must be an integer 1 to 500, got 0', {
        code: 'INVALID_PARAMS',
        field: 'limit',
        expected: 'integer 1..500',
      }),
    );
  });

  test('a filter that cannot be read says where', async () => {
    expect(await call('messages.list', { filter: 'topik:a' })).toMatchObject({
      error: {
        code: -32602,
        data: {
          code: 'FILTER_SYNTAX',
          field: 'filter',
          position: 1,
          length: 5,
          found: 'topik',
          suggestion: 'topic',
        },
      },
    });
  });

  test('a refused publish carries what the HTTP route would have answered', async () => {
    const params = { pubsubname: 'nope', topic: 'orders', data: 1, metadata: { ttlInSeconds: '5' } };
    expect(await call('messages.publish', params)).toMatchObject({
      error: {
        code: -32004,
        message: 'pubsub nope is not found',
        data: {
          code: 'ERR_PUBSUB_NOT_FOUND',
          status: 404,
          body: {
            errorCode: 'ERR_PUBSUB_NOT_FOUND',
            message: 'pubsub nope is not found',
            details: [{ metadata: { ttlInSeconds: '5' } }],
          },
        },
      },
    });
    const bulk = { pubsubname: 'nope', topic: 'orders', entries: [] };
    expect(await call('messages.publishBulk', bulk)).toMatchObject({
      error: { code: -32004, data: { code: 'ERR_PUBSUB_NOT_FOUND', status: 400 } },
    });
  });

  test('a refusal keeps its own data', async () => {
    carried.bench.runtime.failure = new Refusal(
      'TRANSITION_NOT_ALLOWED',
      { reason: 'It has ended.' },
      { data: { state: 'processed' } },
    );
    expect(await call('deliveries.drop', { deliveryId: 'dlv_1' })).toEqual(
      error(-32009, 'It has ended.', { code: 'TRANSITION_NOT_ALLOWED', state: 'processed' }),
    );
  });

  test('any other error is logged as a bug under an id that the caller gets, and is not shown', async () => {
    carried.bench.runtime.failure = new TypeError('secret detail');
    expect(await call('holds.list')).toEqual(
      error(-32603, 'Something went wrong inside Sidelight.', { code: 'INTERNAL', logId: 'log_1' }),
    );
    expect(carried.bench.log).toHaveLength(1);
    expect(carried.bench.log[0]).toMatchObject({ level: 'error', part: 'console' });
    expect(carried.bench.log[0]?.text).toContain('log_1: holds.list failed: TypeError: secret detail');
  });

  test('calls that run at the same time are answered each under its own id', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, id) => ask({ jsonrpc: '2.0', id, method: 'apps.list' })),
    );
    expect(answers).toHaveLength(20);
  });

  test('a long answer and a long request pass', async () => {
    const data = 'x'.repeat(3_000_000);
    expect(await call('messages.publish', { pubsubname: 'pubsub', topic: 'orders', data })).toMatchObject({
      result: { messageId: 'msg_1' },
    });
    await carried.bench.runtime.accept({ note: data });
    expect(await call('messages.list', { limit: 1 })).toMatchObject({ result: { items: [{ note: data }] } });
  });
});
