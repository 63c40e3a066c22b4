/** `sidelight router …`: words, flags, what it prints, and the line for what goes wrong. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../core/domain/usage-error.ts';
import { routerCommand } from '../../core/event-router/command/command.ts';
import type { FindInstance } from '../../core/event-router/command/command.ts';
import { readCommandLine } from '../../core/host/options.ts';
import { whereOf } from '../../core/host/running-instance.ts';

const find: FindInstance = (flags) => whereOf(flags, {});

/** An instance that notes what it is asked and answers with `answer`. */
async function instance(
  answer: unknown,
): Promise<{ rpc: string; asked: unknown[]; token: (string | undefined)[] }> {
  const asked: unknown[] = [];
  const token: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      asked.push(JSON.parse(text));
      token.push(request.headers.authorization);
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return { rpc: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`, asked, token };
}

test.each([
  [['status'], 'eventRouter.status', {}],
  [
    ['subscriptions', '--component', 'orders', '--act', 'put'],
    'eventRouter.subscriptions',
    { component: 'orders', act: 'put' },
  ],
  [['deliveries', '--state', 'queued,parked'], 'eventRouter.deliveries', { states: ['queued', 'parked'] }],
  [['deliveries', '--delivery', 'd', '--act', 'retry'], 'eventRouter.act', { act: 'retry', deliveryId: 'd' }],
  [
    ['breakpoints', '--type', 'a,b', '--subject', 'x/'],
    'eventRouter.breakpoints',
    { add: { includedEventTypes: ['a', 'b'], subjectBeginsWith: 'x/' } },
  ],
  [['deadletters'], 'eventRouter.deliveries', { of: 'dead-letters' }],
  [['keys', '--topic', 'orders'], 'eventRouter.topics', { topic: 'orders' }],
  [['keys', '--topic', 'orders', '--reveal'], 'eventRouter.reveal', { topic: 'orders' }],
  [['cert', '--rotate-ca'], 'eventRouter.certificate', { act: 'rotate-ca' }],
  [
    ['handshake', '--component', 'orders', '--act', 'probe'],
    'eventRouter.handshake',
    { component: 'orders', act: 'probe' },
  ],
  [['token'], 'eventRouter.token', {}],
  [
    ['faults', '--ingress', '503', '--time-scale', '1'],
    'eventRouter.faults',
    { ingress: '503', timeScale: 1 },
  ],
  [
    ['grant', '--client-id', 'c', '--scope', '/s'],
    'eventRouter.token',
    { act: 'grant', clientId: 'c', scope: '/s' },
  ],
  [['setup-identity', '--client-id', 'c'], 'eventRouter.token', { act: 'setup-identity', clientId: 'c' }],
] as const)('the words %j call the method', async (words, method, params) => {
  const { rpc, asked, token } = await instance({
    jsonrpc: '2.0',
    id: 1,
    result: { a: [1, { b: 'c' }], d: [] },
  });
  const printed: string[] = [];
  const flags = ['--rpc', rpc, '--token', 'T', '--json'];
  expect(await routerCommand([...words, ...flags], (text) => void printed.push(text), find)).toBe(0);
  expect(asked).toEqual([{ jsonrpc: '2.0', id: 1, method, params }]);
  expect(token).toEqual(['Bearer T']);
  expect(printed).toEqual(['{"a":[1,{"b":"c"}],"d":[]}\n']);
});

test('without --json the answer is indented lines', async () => {
  const { rpc } = await instance({
    jsonrpc: '2.0',
    id: 1,
    result: { a: [1, { b: 'c', e: 2 }], d: [], f: { g: true } },
  });
  const printed: string[] = [];
  await routerCommand(['status', '--rpc', rpc, '--token', 'T'], (text) => void printed.push(text), find);
  expect(printed.join('')).toBe('a:\n  - 1\n  - b: c\n    e: 2\nd: none\nf:\n  g: true\n');
});

test('a refusal is one line with its code', async () => {
  const error = { code: -32004, message: 'No component x is loaded.', data: { code: 'NOT_FOUND' } };
  const { rpc } = await instance({ jsonrpc: '2.0', id: 1, error });
  const run = routerCommand(['status', '--rpc', rpc, '--token', 'T'], () => undefined, find);
  await expect(run).rejects.toThrow('NOT_FOUND: No component x is loaded.');
});

test.each([
  [[], 'router needs one of status'],
  [['nonsense'], 'got "nonsense"'],
  [['toString'], 'got "toString"'],
  [['status', '--rpc', 'http://h'], '--rpc URL and --token T'],
  [['status', '--tokn', 'T'], 'unknown flag --tokn, did you mean --token?'],
  [['status', '--rpc', 'x', '--token', 'T'], '--rpc must be an address such as http://'],
  [['status', '--rpc', 'localhost:3580', '--token', 'T'], '--rpc must be an address such as http://'],
  [['status', 'more', '--rpc', 'http://h', '--token', 'T'], 'unexpected "more"'],
  [['handshake', '--rpc', 'http://h', '--token', 'T'], '--component'],
  [['grant', '--rpc', 'http://h', '--token', 'T'], '--client-id'],
  [['status', '--nonsense'], 'router --help'],
])('%j is bad usage: %s', async (argv, text) => {
  const run = routerCommand(argv, () => undefined, find);
  await expect(run).rejects.toBeInstanceOf(UsageError);
  await expect(routerCommand(argv, () => undefined, find)).rejects.toThrow(text);
});

test('the command line hands everything after the word over', () => {
  expect(readCommandLine(['router', 'status', '--json'], {})).toEqual({
    kind: 'router',
    argv: ['status', '--json'],
  });
});
