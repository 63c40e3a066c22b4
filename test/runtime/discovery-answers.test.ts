/** Answers of an app that are no array of subscriptions. */
import { expect, test } from 'vitest';
import { GIVE_A_LIST } from '../../core/runtime/apps/connection-mistakes.ts';
import { started, subscribe } from '../support/runtime-stand.ts';

test.each([
  [
    'hello',
    'failed',
    'The app answered with text that is not JSON, where an array of subscriptions is expected.',
  ],
  [' ', 'failed', 'The app answered with nothing, where an array of subscriptions is expected.'],
  ['null', 'done', undefined],
] as const)('the answer %j: %s', async (body, state, error) => {
  const stand = await started({}, (it) => {
    it.app.discoveryAnswers.push({ body });
  });
  expect(stand.runtime.topology.apps()[0]?.discovery).toMatchObject({ state, count: 0 });
  expect(stand.runtime.topology.apps()[0]?.discovery.error).toBe(error);
  expect(stand.runtime.topology.apps()[0]?.problems.map(({ code }) => code)).toEqual(
    error === undefined ? [] : ['discovery-failed'],
  );
});

test('of an error page the first words are said, in one line', async () => {
  const page = `<!DOCTYPE html>\n<html>\n  <head>\r\n    <title>Not here</title>${'\n<p>x</p>'.repeat(1000)}`;
  const stand = await started({}, (it) => {
    it.app.discoveryAnswers.push({ status: 500, body: page });
  });
  const [line] = stand.logged('error');
  const start = 'The app answered 500: an HTML page that begins with "Not here x x x ';
  expect(line).toContain(start);
  expect(line).toContain('…');
  expect(line).not.toMatch(/[\r\n]/);
  expect(line?.length).toBeLessThan(500);
});

test('an answer of more than 400,000 values is not read, and the error says so', async () => {
  const stand = await started({}, (it) => {
    it.app.discoveryAnswers.push({ body: `[${'{},'.repeat(200_000)}{}]` });
  });
  expect(stand.runtime.topology.apps()[0]?.discovery).toMatchObject({
    state: 'failed',
    error: 'The app answered with more than 400,000 values, where an array of subscriptions is expected.',
  });
});

test('an answer that is cut off is asked for again; any other body that cannot be read is not', async () => {
  const cut = { unread: { reason: 'cut-off', message: 'The body ended.' } } as const;
  const stand = await started({}, (it) => {
    subscribe(it, { topic: 'orders', route: '/orders' });
    it.app.discoveryAnswers.push(cut, cut);
  });
  await stand.pass(10_000);
  expect(stand.app.asked).toHaveLength(3);
  expect(stand.runtime.topology.subscriptions()).toMatchObject([{ topic: 'orders', state: 'active' }]);
  stand.app.discoveryAnswers.push({ unread: { reason: 'encoding', message: 'The body is not gzip.' } });
  await stand.runtime.rediscovery.ask();
  expect(stand.app.asked).toHaveLength(4);
  expect(stand.runtime.topology.apps()[0]?.discovery).toMatchObject({
    state: 'failed',
    error:
      'The app answered with a body that cannot be read (The body is not gzip), where an array of subscriptions is expected.',
  });
});

test.each([
  ['', {}],
  [', under gzip', { 'content-encoding': 'gzip' }],
])(
  'a list that came whole before its answer was cut off is the list%s; a part of one is none',
  async (_, headers) => {
    const cut = { headers, unread: { reason: 'cut-off', message: 'The body ended.' } } as const;
    const list = '[{"pubsubname":"pubsub","topic":"orders","route":"/orders"}]';
    const stand = await started({}, (it) => {
      it.app.discoveryAnswers.push({ ...cut, came: list.slice(0, -1) }, { ...cut, came: `${list}\n` });
    });
    await stand.pass(10_000);
    expect(stand.app.asked).toHaveLength(2);
    expect(stand.runtime.topology.apps()[0]?.discovery).toMatchObject({ state: 'done', count: 1 });
    expect(stand.runtime.topology.subscriptions()).toMatchObject([{ topic: 'orders', state: 'active' }]);
  },
);

test.each([
  ['an object', { body: '{}' }, true],
  ['a text', { body: 'hello' }, true],
  ['a page', { body: '<html><p>Hello</p></html>' }, true],
  ['nothing', { body: '' }, true],
  ['too many values', { body: `[${'{},'.repeat(200_000)}{}]` }, false],
  ['a body that cannot be read', { unread: { reason: 'encoding', message: 'The body is not gzip.' } }, false],
] as const)('an app is told to answer with a list only where it gave none: %s', async (_, answer, isTold) => {
  const stand = await started({}, (it) => {
    it.app.discoveryAnswers.push(answer);
  });
  const [problem] = stand.runtime.topology.apps()[0]?.problems ?? [];
  expect(problem?.code).toBe('discovery-failed');
  expect(problem?.message.includes(GIVE_A_LIST)).toBe(isTold);
});
