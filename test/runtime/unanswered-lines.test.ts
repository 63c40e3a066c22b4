/** The log beside an app that is away: one warning at the first attempt, then a number from time to time; each attempt is there at level debug. */
import { expect, test } from 'vitest';
import { started } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const EVERY = 1000;
const RETRIES = { maxAttempts: 15, firstDelayMs: EVERY, maxDelayMs: EVERY, factor: 1 };

async function away(): Promise<Stand> {
  const stand = await started();
  stand.set('delivery.retry', RETRIES);
  stand.app.answerWith = () => 'refused';
  return stand;
}

function lines(stand: Stand): readonly string[] {
  return stand.lines.filter(({ part }) => part === 'delivery').map(({ level, text }) => `${level} ${text}`);
}

const more = (n: number, time: string): string =>
  `warn The app did not answer ${n} more attempts in ${time}. Logs in the console, and --log-level debug, show each one.`;

test('the first attempt is a warning, the others are counted, and each is there at level debug', async () => {
  const stand = await away();
  const id = await stand.publish('orders');
  for (let n = 0; n < 14; n += 1) await stand.pass(EVERY);
  const said = lines(stand);
  expect(said[0]).toMatch(/^warn No answer: .* To be retried\.$/);
  expect(said.filter((line) => line.startsWith('debug No answer: '))).toHaveLength(14);
  expect(said.filter((line) => line.startsWith('warn '))).toEqual([
    said[0],
    more(10, '9 s'),
    'warn All 15 attempts used; the last call got no answer: the connection was refused. Parked.',
  ]);
  const attempts = stand.lines.filter(({ rule }) => rule === 'policy.no-answer');
  expect(attempts).toHaveLength(15);
  const [delivery] = (await stand.message(id)).deliveries;
  for (const line of attempts)
    expect(line).toMatchObject({ messageId: id, deliveryId: delivery?.deliveryId });
  expect(attempts.map(({ attemptId }) => attemptId)).toEqual(
    delivery?.attempts.map(({ attemptId }) => attemptId),
  );
});

test('an answer ends the count, and the next attempt without one is a warning again', async () => {
  const stand = await away();
  await stand.publish('orders');
  for (let n = 0; n < 3; n += 1) await stand.pass(EVERY);
  stand.app.answerWith = () => 200;
  await stand.pass(EVERY);
  expect(
    lines(stand)
      .filter((line) => line.startsWith('warn '))
      .slice(1),
  ).toEqual([more(3, '2 s')]);
  stand.app.answerWith = () => 'refused';
  await stand.publish('orders');
  expect(lines(stand).at(-1)).toMatch(/^warn No answer: /);
});

test('attempts at about the same time are counted without a time, however late the app answers', async () => {
  const stand = await away();
  await stand.publish('orders');
  await stand.pass(EVERY);
  stand.app.answerWith = () => 200;
  await stand.publish('orders');
  const counts = lines(stand).filter((line) => line.includes('more attempt'));
  expect(counts).toEqual([
    'warn The app did not answer 1 more attempt. Logs in the console, and --log-level debug, show each one.',
  ]);
});

test('another reason is a warning of its own', async () => {
  const stand = await away();
  await stand.publish('orders');
  stand.app.answerWith = () => 'reset';
  await stand.pass(EVERY);
  await stand.pass(EVERY);
  expect(lines(stand).map((line) => line.split(' ')[0])).toEqual(['warn', 'warn', 'debug']);
});

test('an app that got another address is news again', async () => {
  const stand = await away();
  await stand.publish('orders');
  for (let n = 0; n < 3; n += 1) await stand.pass(EVERY);
  stand.app.url = 'http://app.test:7001';
  await stand.runtime.rediscovery.ask('app');
  await stand.pass(EVERY);
  await stand.pass(EVERY);
  const said = lines(stand);
  expect(said.map((line) => line.split(' ')[0])).toEqual([
    'warn',
    'debug',
    'debug',
    'debug',
    'warn',
    'warn',
    'debug',
  ]);
  expect(said[4]).toBe(more(3, '2 s'));
});

test('an app that was removed is counted no longer, and one with the same id is news again', async () => {
  const stand = await away();
  await stand.publish('orders');
  for (let n = 0; n < 3; n += 1) await stand.pass(EVERY);
  await stand.during(stand.runtime.membership.leave('app'));
  await stand.pass(20_000);
  const said = lines(stand).length;
  expect(lines(stand).filter((line) => line.startsWith('warn '))).toHaveLength(1);
  const channel = stand.app;
  await stand.during(
    stand.runtime.membership.enter({ appId: 'app', channel, added: true }, async () => undefined),
  );
  await stand.pass(2 * EVERY);
  expect(lines(stand).slice(said)[0]).toMatch(/^warn No answer: /);
});

test('once the app is back one line says which messages are still parked, and what to do', async () => {
  const stand = await away();
  stand.set('delivery.retry', { maxAttempts: 1, firstDelayMs: EVERY, maxDelayMs: EVERY, factor: 1 });
  const isBack = (): readonly string[] => stand.logged('warn').filter((text) => text.includes('is back'));
  const again = async (): Promise<void> => {
    stand.app.isOpen = false;
    await stand.pass(EVERY);
    stand.app.isOpen = true;
    await stand.pass(EVERY);
  };
  await again();
  expect(isBack()).toEqual([]);
  await stand.publish('orders');
  expect(stand.logged('warn').at(-1)).toBe(
    'The only attempt was used; the call got no answer: the connection was refused. Parked.',
  );
  await again();
  const wait = (messages: string): string =>
    `The app is back. ${messages} for you: filter by app:app state:parked in the console, and retry`;
  expect(isBack()).toEqual([`${wait('1 parked message waits')} it.`]);
  await again();
  expect(isBack()).toHaveLength(1);
  await stand.publish('orders');
  await again();
  expect(isBack().at(-1)).toBe(`${wait('2 parked messages wait')} them.`);
});
