import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openPublisher } from '../bench/publisher-socket.ts';
import { isMet, lineOf } from '../bench/targets/figures.ts';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.url === '/taken') response.writeHead(204).end();
    else if (request.url === '/chunks') {
      response.writeHead(500);
      response.write('{"errorCode":');
      setImmediate(() => response.end('"X"}'));
    } else response.writeHead(403, { 'content-length': 2 }).end('no');
  });
});

afterEach(() => void server.close());

test('a publisher of the bench reads each answer to its end before it sends again', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const publisher = await openPublisher(new URL(`http://127.0.0.1:${port}`));
  const answers: number[] = [];
  for (const path of ['/taken', '/chunks', '/no', '/taken']) answers.push(await publisher.post(path, '{}'));
  publisher.close();
  expect(answers).toEqual([204, 500, 403, 204]);
});

test('a target is met at its border, and not known where the system told no value', () => {
  const figure = { id: '8', title: 'memory', unit: 'MB' } as const;
  expect(isMet({ ...figure, value: 250, target: { atMost: 250 } })).toBe(true);
  expect(isMet({ ...figure, value: 251, target: { atMost: 250 } })).toBe(false);
  expect(isMet({ ...figure, value: 0.59, target: { atLeast: 0.6 } })).toBe(false);
  expect(isMet({ ...figure, value: Number.NaN, target: { atMost: 250 } })).toBeUndefined();
  expect(lineOf({ ...figure, value: 251, target: { atMost: 250 } })).toMatch(/251 MB\s+<= 250\s+missed/);
});
