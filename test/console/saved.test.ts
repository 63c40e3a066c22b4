/** Payload schemas and saved requests: kept, checked, filled in, published, and there again after a restart. */
import { describe, expect, test } from 'vitest';
import { inMemoryConsole } from './in-memory-console.ts';

const ORDER = { type: 'object', required: ['orderId'] };
const REQUEST = { pubsubname: 'pubsub', topic: 'orders', data: '{"id":"{{uuid}}","n":{{counter}}}' };

describe('schemas', () => {
  test('are bound to a topic, or to one event type of it', async () => {
    const { call } = inMemoryConsole();
    const whole = await call('schemas.set', { name: 'order', topic: 'orders', schema: ORDER });
    const paid = await call('schemas.set', {
      name: 'paid',
      topic: 'orders',
      eventType: 'paid',
      schema: false,
    });
    expect((await call('schemas.list', {})).items).toEqual([whole, paid]);
    expect(await call('schemas.validate', { data: {}, topic: 'orders' })).toEqual({
      valid: false,
      schemaId: whole.schemaId,
      name: 'order',
      errors: [{ path: '', message: "must have required property 'orderId'" }],
    });
    expect(await call('schemas.validate', { data: {}, topic: 'orders', eventType: 'paid' })).toMatchObject({
      valid: false,
      name: 'paid',
    });
    expect(
      await call('schemas.validate', { data: '{"orderId":1}', topic: 'orders', eventType: 'x' }),
    ).toEqual({
      valid: true,
      schemaId: whole.schemaId,
      name: 'order',
      errors: [],
    });
    expect(await call('schemas.validate', { data: 'no json', topic: 'orders' })).toMatchObject({
      valid: false,
      errors: [{ path: '', message: 'must be JSON' }],
    });
    expect(await call('schemas.validate', { data: 'anything', topic: 'letters' })).toEqual({
      valid: true,
      errors: [],
    });
    expect(await call('schemas.validate', { data: 1, schema: { type: 'string' } })).toMatchObject({
      valid: false,
    });
    expect(await call('schemas.remove', { schemaId: paid.schemaId })).toEqual({ items: [whole] });
  });

  test('that are invalid, unknown or too large are refused and change nothing', async () => {
    const { call, refused } = inMemoryConsole();
    expect(await refused('schemas.set', { name: 'n', topic: 't', schema: { type: 'strin' } })).toMatchObject({
      data: { code: 'INVALID_PARAMS', field: 'schema', expected: 'a JSON Schema' },
    });
    expect(await refused('schemas.validate', { data: 1, schema: 5 })).toMatchObject({
      data: { code: 'INVALID_PARAMS', field: 'schema' },
    });
    expect(await refused('schemas.remove', { schemaId: 'sch_none' })).toMatchObject({
      data: { code: 'NOT_FOUND', field: 'schemaId' },
    });
    const huge = { description: 'x'.repeat(300_000) };
    expect(await refused('schemas.set', { name: 'n', topic: 't', schema: huge })).toMatchObject({
      data: { code: 'TOO_LARGE' },
    });
    expect((await call('schemas.list', {})).items).toEqual([]);
  });
});

describe('saved requests', () => {
  test('are kept, changed, removed; a digit runs one of them', async () => {
    const { call, refused } = inMemoryConsole();
    const one = await call('requests.save', { name: 'one', folder: 'Orders', shortcut: 1, request: REQUEST });
    const two = await call('requests.save', { name: 'two', shortcut: 1, inPalette: true, request: REQUEST });
    const { items } = await call('requests.list', {});
    expect(items).toMatchObject([
      { name: 'one', folder: 'Orders' },
      { name: 'two', shortcut: 1, inPalette: true },
    ]);
    expect(items[0]).not.toHaveProperty('shortcut');
    await call('requests.save', { requestId: one.requestId, name: 'uno', request: REQUEST });
    expect((await call('requests.remove', { requestId: two.requestId })).items).toMatchObject([
      { name: 'uno' },
    ]);
    expect(await refused('requests.remove', { requestId: 'req_none' })).toMatchObject({
      data: { code: 'NOT_FOUND', field: 'requestId' },
    });
  });

  test('are refused if a variable that they name many times makes them too long', async () => {
    const { call, refused } = inMemoryConsole();
    await call('requests.variables', { variables: { big: 'x'.repeat(1024 * 1024) } });
    const filled = (uses: number) => ({ ...REQUEST, data: '{{var big}}'.repeat(uses) });
    const { request } = await call('requests.resolve', { request: filled(15) });
    expect(request.data).toHaveLength(15 * 1024 * 1024);
    expect(await refused('requests.resolve', { request: filled(17) })).toMatchObject({
      message: 'With its variables filled in, the request has more than 16,777,216 characters.',
      data: { code: 'INVALID_PARAMS', field: 'request.data', position: 15 * 11 },
    });
    const metadata = Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, '{{var big}}']));
    expect(await refused('requests.run', { request: { ...REQUEST, metadata } })).toMatchObject({
      data: { code: 'INVALID_PARAMS', field: 'request.metadata.k15' },
    });
  });

  test.each([
    [
      'too many',
      Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`v${n}`, ''])),
      'At most 1000 variables are kept.',
    ],
    [
      'too long',
      { long: 'x'.repeat(4 * 1024 * 1024) },
      'at most 4194304 characters of all variables together',
    ],
  ])('variables that are %s are refused, and those that are kept stay', async (_how, variables, says) => {
    const { call, refused } = inMemoryConsole();
    await call('requests.variables', { variables: { a: 'b' } });
    expect(await refused('requests.variables', { variables })).toMatchObject({
      message: expect.stringContaining(says) as unknown,
      data: { code: 'TOO_LARGE' },
    });
    expect(await call('requests.list', {})).toMatchObject({ variables: { a: 'b' } });
  });

  test('variables that an older build let grow further may become fewer, and not more', async () => {
    const { call, refused, runtime } = inMemoryConsole();
    const many = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`v${n}`, 'x'.repeat(5000)]));
    await runtime.journal.append([{ kind: 'kept', key: 'requests.variables', value: many(1500) }]);
    expect(await refused('requests.variables', { variables: many(1501) })).toMatchObject({
      data: { code: 'TOO_LARGE' },
    });
    const { variables } = await call('requests.variables', { variables: many(1499) });
    expect(Object.keys(variables)).toHaveLength(1499);
    const longer = { ...many(1498), v0: 'x'.repeat(20_000) };
    expect(await refused('requests.variables', { variables: longer })).toMatchObject({
      message: expect.stringContaining('characters of all variables') as unknown,
    });
  });

  test('are published with their variables filled in', async () => {
    const { call, runtime } = inMemoryConsole();
    await call('requests.variables', { variables: { shop: 'north' } });
    const { requestId } = await call('requests.save', {
      name: 'n',
      request: {
        ...REQUEST,
        topic: 'orders-{{var shop}}',
        metadata: { from: '{{env HOME_TOWN}}' },
        contentType: 'application/json',
      },
    });
    const first = await call('requests.run', { requestId });
    expect(first).toEqual({
      messageId: 'msg_1',
      request: {
        pubsubname: 'pubsub',
        topic: 'orders-north',
        data: '{"id":"uuid","n":1}',
        metadata: { from: 'Ghent' },
        contentType: 'application/json',
      },
    });
    expect((await call('requests.run', { requestId })).request.data).toBe('{"id":"uuid","n":2}');
    expect(runtime.calls.at(-1)).toMatchObject({
      method: 'publish',
      args: [{ topic: 'orders-north', body: '{"id":"uuid","n":2}', contentType: 'application/json' }],
    });
    // Looking does not count.
    expect((await call('requests.resolve', { request: REQUEST })).request.data).toBe('{"id":"uuid","n":3}');
    expect((await call('requests.resolve', { request: REQUEST })).request.data).toBe('{"id":"uuid","n":3}');
  });

  test('with an unknown variable publish nothing, and the refusal has the position', async () => {
    const { refused, runtime } = inMemoryConsole();
    const request = { ...REQUEST, data: 'a {{var nope}}' };
    expect(await refused('requests.run', { request })).toMatchObject({
      code: -32602,
      message: 'There is no variable nope.',
      data: { code: 'INVALID_PARAMS', field: 'request.data', position: 2, length: 12 },
    });
    expect(runtime.calls).toEqual([]);
    expect(await refused('requests.run', {})).toMatchObject({ data: { field: 'requestId' } });
    expect(await refused('requests.run', { requestId: 'a', request })).toMatchObject({
      data: { field: 'request' },
    });
  });

  test('are listed in the history once run, a refused one with its code and the answer of the route', async () => {
    const { call, refused } = inMemoryConsole();
    const plain = { pubsubname: 'pubsub', topic: 'orders', data: 'hello' };
    await call('requests.run', { request: plain });
    await call('requests.run', { request: plain });
    expect(await refused('requests.run', { request: { ...plain, pubsubname: 'none' } })).toMatchObject({
      data: { code: 'ERR_PUBSUB_NOT_FOUND', status: 404, body: { errorCode: 'ERR_PUBSUB_NOT_FOUND' } },
    });
    const { history } = await call('requests.list', {});
    expect(history).toMatchObject([
      { request: { pubsubname: 'none' }, code: 'ERR_PUBSUB_NOT_FOUND' },
      { request: plain, messageId: 'msg_2' },
    ]);
    await call('requests.run', { request: { ...plain, data: 'x'.repeat(70_000) } });
    expect((await call('requests.list', {})).history).toHaveLength(2);
  });

  test('the history is 200 long', async () => {
    const { call } = inMemoryConsole();
    for (let n = 0; n < 205; n += 1) {
      await call('requests.run', { request: { pubsubname: 'pubsub', topic: 'orders', data: String(n) } });
    }
    const { history } = await call('requests.list', {});
    expect(history).toHaveLength(200);
    expect(history[0]?.request.data).toBe('204');
  });

  test('saved requests, schemas and variables exist after a restart', async () => {
    const first = inMemoryConsole();
    await first.call('requests.save', { name: 'n', request: REQUEST });
    await first.call('requests.variables', { variables: { a: 'b' } });
    await first.call('schemas.set', { name: 's', topic: 't', schema: true });
    await first.call('requests.run', { request: REQUEST });
    await first.console.close();
    const second = inMemoryConsole(first.clock, first);
    expect(await second.call('requests.list', {})).toMatchObject({
      items: [{ name: 'n', request: REQUEST }],
      variables: { a: 'b' },
      history: [{ request: REQUEST }],
    });
    expect((await second.call('schemas.list', {})).items).toMatchObject([{ name: 's' }]);
  });
});

describe('saved at the same time', () => {
  const rule = { match: {}, enabled: true, answer: { kind: 'respond', status: 200 } };

  test.each([
    ['requests', 'requests.save', { name: 'n', request: REQUEST }, 'requests.list', 1000],
    ['views', 'views.save', { name: 'n', filter: '' }, 'views.list', 50],
    ['schemas', 'schemas.set', { name: 'n', topic: 't', schema: true }, 'schemas.list', 200],
    ['presets', 'mockApp.savePreset', { title: 't', rules: [rule] }, 'mockApp.presets', 100],
  ] as const)('no more %s are kept than may be', async (words, method, params, list, most) => {
    const { call, console } = inMemoryConsole();
    const before = (await call(list, {})).items.length;
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answers = await Promise.all(
      Array.from({ length: most + 20 }, () => console.answer(text, new AbortController().signal)),
    );
    expect((await call(list, {})).items).toHaveLength(before + most);
    const refused = answers.filter((answer) => answer?.includes('"error"') === true);
    expect(refused).toHaveLength(20);
    for (const answer of refused)
      expect(JSON.parse(answer ?? '')).toMatchObject({
        error: { data: { code: 'TOO_LARGE', expected: `at most ${most} ${words}` } },
      });
  });

  test('a change at the same time does not restore a removed item', async () => {
    const { call } = inMemoryConsole();
    const { requestId } = await call('requests.save', { name: 'n', request: REQUEST });
    const { savedViewId } = await call('views.save', { name: 'n', filter: '' });
    const { schemaId } = await call('schemas.set', { name: 'n', topic: 't', schema: true });
    await Promise.allSettled([
      call('requests.remove', { requestId }),
      call('requests.save', { requestId, name: 'other', request: REQUEST }),
      call('views.remove', { savedViewId }),
      call('views.save', { savedViewId, name: 'other', filter: '' }),
      call('schemas.remove', { schemaId }),
      call('schemas.set', { schemaId, name: 'other', topic: 't', schema: true }),
    ]);
    expect((await call('requests.list', {})).items).toEqual([]);
    expect((await call('views.list', {})).items).toEqual([]);
    expect((await call('schemas.list', {})).items).toEqual([]);
  });
});
