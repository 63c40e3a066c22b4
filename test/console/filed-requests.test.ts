/** Saved requests that lie as files beside the components. */
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../support/manual-clock.ts';
import { inMemoryConsole, type InMemoryConsole } from './in-memory-console.ts';
import { makeBench } from './bench.ts';

const REQUEST = { pubsubname: 'pubsub', topic: 'orders', data: '{"n":{{counter}}}' };

describe('saved requests of a folder', () => {
  const file = (requests: readonly unknown[]): string =>
    JSON.stringify({ sidelight: 'requests', version: 1, requests });
  const request = (requestId: string, more = {}): unknown => ({
    requestId,
    name: `name ${requestId}`,
    request: REQUEST,
    ...more,
  });

  let reads = 0;
  function withFiles(texts: Readonly<Record<string, string>>): InMemoryConsole {
    const clock = new ManualClock();
    const bench = makeBench(clock);
    const files = Object.entries(texts).map(([name, text]) => ({ file: name, text, writtenAt: 'then' }));
    reads = 0;
    const requestFiles = {
      async read() {
        reads += 1;
        return { files, problems: [] };
      },
    };
    return inMemoryConsole(clock, { ...bench, deps: { ...bench.deps, requestFiles } });
  }

  test('stand in the list, are run and exported, and are changed in their file only', async () => {
    const { call, refused } = withFiles({ 'a.sidelight.json': file([request('req_a', { shortcut: 1 })]) });
    await call('requests.save', { name: 'own', shortcut: 2, request: REQUEST });
    const { items, problems } = await call('requests.list', {});
    expect(items).toMatchObject([
      { name: 'own' },
      { name: 'name req_a', file: 'a.sidelight.json', shortcut: 1 },
    ]);
    expect(problems).toEqual([]);
    expect(await call('requests.run', { requestId: 'req_a' })).toMatchObject({ messageId: 'msg_1' });
    const { text } = await call('requests.export', { requestIds: ['req_a'] });
    expect(text).not.toContain('sidelight.json');
    for (const change of [
      await refused('requests.remove', { requestId: 'req_a' }),
      await refused('requests.save', { requestId: 'req_a', name: 'x', request: REQUEST }),
    ]) {
      expect(change).toMatchObject({
        message: 'It is in a.sidelight.json: change it there, or save it as a new one.',
        data: { field: 'requestId' },
      });
    }
  });

  test('the folder is read once for an export of many', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `req_${n}`);
    const { call, refused } = withFiles({ 'a.sidelight.json': file(ids.map((id) => request(id))) });
    expect(await call('requests.export', { requestIds: ids })).toMatchObject({ count: 20 });
    expect(reads).toBe(1);
    expect(await refused('requests.export', { requestIds: ['req_1', 'none'] })).toMatchObject({
      data: { code: 'NOT_FOUND', field: 'requestId' },
    });
  });

  test('a broken file is reported with its place, and the other files are used', async () => {
    const { call } = withFiles({
      'a.sidelight.json': '{\n  "sidelight": "requests",,\n}',
      'b.sidelight.json': file([request('req_b', { name: 7 })]),
      'c.sidelight.json': file([request('req_c'), request('req_d')]),
      'd.sidelight.json': file([request('req_c')]),
    });
    const { items, problems } = await call('requests.list', {});
    expect(items.map(({ requestId }) => requestId)).toEqual(['req_c', 'req_d']);
    expect(problems).toMatchObject([
      {
        file: 'a.sidelight.json',
        line: 2,
        column: 27,
        message: expect.stringMatching(/^The file is not JSON: /),
      },
      { file: 'b.sidelight.json', message: 'file.requests[0].name must be a string, found the number 7.' },
      {
        file: 'd.sidelight.json',
        message:
          '"name req_c" has the requestId req_c, which is already used in c.sidelight.json; this one is left out.',
      },
    ]);
  });

  test.each([
    [
      'a comma too many',
      '{"sidelight": "requests",\n"requests": [\n1,]\n}\n\n',
      3,
      3,
      "Unexpected token ']'",
    ],
    ['a place that is part of the text', '{"a": [\n" at position 2",]}', 2, 18, "Unexpected token ']'"],
    ['nothing', '', 1, 1, 'Unexpected end of JSON input'],
  ])('the problem of %s has its line and column', async (_what, text, line, column, said) => {
    const { problems } = await withFiles({ 'a.sidelight.json': text }).call('requests.list', {});
    expect(problems).toMatchObject([{ line, column, message: `The file is not JSON: ${said}.` }]);
  });

  test('a file decides about a request that is stored too, but a stored request keeps its digit', async () => {
    const { call } = withFiles({
      'a.sidelight.json': file([request('req_a', { shortcut: 1 }), request('req_b', { shortcut: 2 })]),
    });
    await call('requests.import', { text: file([request('req_a', { name: 'old' })]) });
    await call('requests.save', { name: 'own', shortcut: 2, request: REQUEST });
    const { items } = await call('requests.list', {});
    expect(items.map(({ name, shortcut }) => [name, shortcut])).toEqual([
      ['own', 2],
      ['name req_a', 1],
      ['name req_b', undefined],
    ]);
  });
});
