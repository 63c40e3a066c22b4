/** What no app got when it was published: once a subscription takes its topic, a problem has the number of messages and the act for them. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { appBanners } from '../../core/host/app-banners.ts';
import { heldCount } from '../support/held-count.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const TEXT = (messages: string, topics: string): string =>
  `${messages} that no app got can be delivered now: the app subscribes to ${topics}.`;

function told(stand: Stand): readonly { readonly message: string; readonly filter?: string }[] {
  return stand.runtime.topology
    .apps()
    .flatMap((app) => app.problems)
    .filter(({ code }) => code === 'now-subscribed');
}

async function listsNow(stand: Stand, ...topics: readonly string[]): Promise<void> {
  subscribe(stand, ...topics.map((topic) => ({ topic, route: '/at' })));
  await stand.runtime.rediscovery.ask('app');
  await stand.pass(1000);
}

/** The texts of the problems a little later: a count of many messages takes the journal more than one turn. */
async function toldLater(stand: Stand): Promise<readonly string[]> {
  await stand.pass(1);
  return told(stand).map(({ message }) => message);
}

const LATER = { timeout: 10_000 };

async function replay(stand: Stand, filter = ''): Promise<number> {
  const { count } = await stand.runtime.replayJobs.start({ filter });
  await stand.pass(2000);
  return count;
}

test('is told once the topic is taken, counts what the act replays, and ends with it', async () => {
  const stand = await started();
  await stand.publish('letters');
  await stand.publish('paid');
  await stand.publish('letters');
  await stand.publish('nobody');
  await stand.pass(5000);
  expect(told(stand)).toEqual([]);
  await listsNow(stand, 'orders', 'letters', 'paid');
  const message = TEXT('3 messages', 'letters, paid');
  expect(told(stand)).toMatchObject([{ message, severity: 'warning' }]);
  const [{ filter } = {}] = told(stand);
  const banners = appBanners(() => stand.runtime.topology.apps());
  expect(banners()).toMatchObject([{ text: message, filter, level: 'warn', appId: 'app', help: 'replay' }]);
  expect(stand.logged('warn').filter((line) => line === message)).toHaveLength(1);
  expect(await replay(stand, filter)).toBe(3);
  expect(told(stand)).toEqual([]);
  expect(banners()).toEqual([]);
  expect(stand.app.calls.map(({ path }) => path)).toEqual(['/at', '/at', '/at']);
});

test('counts down when a message is replayed or removed, and up when a removal is undone', async () => {
  const stand = await started();
  const first = await stand.publish('paid');
  const second = await stand.publish('paid');
  await stand.publish('paid');
  await listsNow(stand, 'paid');
  expect(told(stand)).toMatchObject([{ message: TEXT('3 messages', 'paid') }]);
  await stand.runtime.replay.replay(first, undefined, undefined);
  await stand.pass(1000);
  expect(told(stand)).toMatchObject([{ message: TEXT('2 messages', 'paid') }]);
  const { undoToken } = await stand.runtime.removals.remove({ messageIds: [second] });
  await stand.pass(1000);
  expect(told(stand)).toMatchObject([{ message: TEXT('1 message', 'paid') }]);
  await stand.runtime.removals.undo(undoToken);
  await stand.pass(1000);
  expect(told(stand)).toMatchObject([{ message: TEXT('2 messages', 'paid') }]);
});

test('comes back when the removal of all messages is undone', async () => {
  const stand = await started();
  await stand.publish('paid');
  await stand.publish('paid');
  await listsNow(stand, 'paid');
  const { undoToken } = await stand.runtime.removals.remove({ filter: 'topic:paid' });
  await stand.pass(1000);
  expect(told(stand)).toEqual([]);
  await stand.runtime.removals.undo(undoToken);
  await stand.pass(1000);
  expect(told(stand)).toMatchObject([{ message: TEXT('2 messages', 'paid') }]);
});

test('a message whose removal is undone while the others are counted is not forgotten', async () => {
  const stand = await started();
  const first = await stand.publish('paid');
  await stand.publish('paid');
  await listsNow(stand, 'paid');
  const { undoToken } = await stand.runtime.removals.remove({ messageIds: [first] });
  const goOn = heldCount(stand);
  await stand.pass(1000);
  await stand.runtime.removals.undo(undoToken);
  goOn();
  await stand.pass(2000);
  expect(told(stand)).toMatchObject([{ message: TEXT('2 messages', 'paid') }]);
});

test('a message that is removed during the first count does not stay counted', async () => {
  const stand = await started();
  const first = await stand.publish('paid');
  await stand.publish('paid');
  const goOn = heldCount(stand);
  await listsNow(stand, 'paid');
  await stand.runtime.removals.remove({ messageIds: [first] });
  goOn();
  await stand.pass(2000);
  expect(told(stand)).toMatchObject([{ message: TEXT('1 message', 'paid') }]);
});

test('is told once, with the newest number, when the journal takes longer than the interval', async () => {
  const stand = await started();
  const first = await stand.publish('paid');
  await stand.publish('paid');
  const goOn = heldCount(stand);
  await listsNow(stand, 'paid');
  await stand.runtime.rediscovery.ask('app');
  await stand.runtime.removals.remove({ messageIds: [first] });
  await stand.pass(1000);
  goOn();
  await stand.pass(2000);
  expect(told(stand)).toMatchObject([{ message: TEXT('1 message', 'paid') }]);
  expect(stand.logged('warn').filter((line) => line.includes('that no app got'))).toHaveLength(1);
});

test('is told once a subscription that the component refused is open', async () => {
  let refuseNext = (): void => undefined;
  const stand = await started({}, ({ components }) => {
    const build = components.build.bind(components);
    vi.spyOn(components, 'build').mockImplementation((spec) => {
      const built = build(spec);
      if (built?.kind === 'pubsub')
        refuseNext = () =>
          void vi.spyOn(built.pubsub, 'subscribe').mockRejectedValueOnce(new Error('not yet'));
      return built;
    });
  });
  await stand.publish('paid');
  refuseNext();
  await listsNow(stand, 'paid');
  expect(told(stand)).toEqual([]);
  await stand.pass(10_000);
  expect(told(stand)).toMatchObject([{ message: TEXT('1 message', 'paid') }]);
});

test('ends when the subscription goes, and is news again when it is back', async () => {
  const stand = await started();
  await stand.publish('paid');
  await listsNow(stand, 'orders', 'paid');
  expect(told(stand)).toHaveLength(1);
  await listsNow(stand, 'orders');
  expect(told(stand)).toEqual([]);
  await listsNow(stand, 'orders', 'paid');
  expect(stand.logged('warn').filter((line) => line === TEXT('1 message', 'paid'))).toHaveLength(2);
});

test('is not told while the app does not serve the route, where a replay would be dropped', async () => {
  const stand = await started();
  await stand.publish('paid');
  stand.app.answerWith = () => 404;
  await listsNow(stand, 'paid');
  expect(told(stand)).toHaveLength(1);
  await stand.publish('paid');
  await stand.pass(1000);
  expect(told(stand)).toEqual([]);
  stand.app.answerWith = () => 200;
  await stand.publish('paid');
  await stand.pass(1000);
  expect(told(stand)).toMatchObject([{ message: TEXT('1 message', 'paid') }]);
});

test.each(['on-reconnect', 'never'])(
  'is told again when an app whose route was missing was restarted, until that answers 404 again (discovery.again %s)',
  async (again) => {
    const stand = await started();
    stand.set('discovery.again', again);
    await stand.publish('paid');
    stand.app.answerWith = () => 404;
    await listsNow(stand, 'paid');
    await stand.publish('paid');
    await stand.pass(1000);
    expect(told(stand)).toEqual([]);
    stand.app.isOpen = false;
    await stand.pass(1000);
    stand.app.isOpen = true;
    await stand.pass(3000);
    expect(told(stand)).toMatchObject([{ message: TEXT('1 message', 'paid') }]);
    await stand.publish('paid');
    await stand.pass(1000);
    expect(told(stand)).toEqual([]);
  },
);

test('is told while one of the routes of the subscription is missing, until all are', async () => {
  const stand = await started();
  await stand.publish('paid');
  subscribe(stand, {
    topic: 'paid',
    routes: { rules: [{ match: 'event.data == "a"', path: '/a' }], default: '/b' },
  });
  stand.app.answerWith = () => 404;
  await stand.runtime.rediscovery.ask('app');
  await stand.pass(1000);
  await stand.publish('paid', 'a');
  await stand.pass(1000);
  expect(stand.app.calls.map(({ path }) => path)).toEqual(['/a']);
  expect(told(stand)).toMatchObject([{ message: TEXT('1 message', 'paid') }]);
  await stand.publish('paid', 'b');
  await stand.pass(1000);
  expect(told(stand)).toEqual([]);
});

test('is told of a topic while the route of another one is missing', async () => {
  const stand = await started();
  await stand.publish('paid');
  stand.app.answerWith = () => 404;
  await listsNow(stand, 'orders', 'paid');
  await stand.publish('orders');
  await stand.pass(1000);
  expect(told(stand)).toMatchObject([{ message: TEXT('1 message', 'paid') }]);
});

test('a copy on a dead-letter topic waits there for a person', async () => {
  const stand = await started({}, (it) =>
    subscribe(it, { topic: 'orders', route: '/orders', deadLetterTopic: 'lost' }),
  );
  stand.app.answerWith = () => ({ status: 200, body: '{"status":"DROP"}' });
  await stand.publish('orders');
  await stand.pass(1000);
  await stand.publish('lost');
  await listsNow(stand, 'lost');
  expect(told(stand)).toMatchObject([{ message: TEXT('1 message', 'lost') }]);
  expect(await replay(stand, told(stand)[0]?.filter)).toBe(1);
});

test('names three topics and counts the newest twenty', async () => {
  const names = Array.from({ length: 21 }, (_, n) => `topic ${n}`);
  const stand = await started();
  for (const name of names) await stand.publish(name);
  await listsNow(stand, ...names);
  expect(told(stand)).toMatchObject([
    { message: TEXT('20 messages', 'topic 1, topic 2, topic 3 and 17 more topics') },
  ]);
  expect(await replay(stand, told(stand)[0]?.filter)).toBe(20);
  expect(told(stand)).toEqual([]);
});

test('is told at once on a busy machine, where the journal takes many turns for a count', async () => {
  const stand = await started();
  for (let n = 0; n < 20; n += 1) await stand.publish(`topic ${n % 10}`);
  let ms = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (ms += 3));
  onTestFinished(() => clock.mockRestore());
  await listsNow(stand, ...Array.from({ length: 10 }, (_, n) => `topic ${n}`));
  expect(told(stand)).toMatchObject([{ message: expect.stringMatching(/^20 messages/) }]);
  expect(await replay(stand, told(stand)[0]?.filter)).toBe(20);
  expect(told(stand)).toEqual([]);
});

test('counts at most 1,000 messages of a topic, and replays all', async () => {
  const stand = await started();
  for (let n = 0; n < 1002; n += 1) await stand.publish('paid');
  await listsNow(stand, 'paid');
  await expect.poll(() => toldLater(stand), LATER).toEqual([TEXT('More than 1,000 messages', 'paid')]);
  expect(await replay(stand, told(stand)[0]?.filter)).toBe(1002);
  await expect.poll(() => toldLater(stand), LATER).toEqual([]);
});

test('knows of the older ones when the newest of them is removed, and when all that were counted are replayed', async () => {
  const stand = await started();
  const ids: string[] = [];
  for (let n = 0; n < 1005; n += 1) ids.push(await stand.publish('paid'));
  await listsNow(stand, 'paid');
  await stand.runtime.removals.removeAtOnce(ids.slice(4, 5));
  await stand.pass(1000);
  await expect.poll(() => toldLater(stand), LATER).toEqual([TEXT('More than 1,000 messages', 'paid')]);
  for (const id of ids.slice(5)) await stand.runtime.replay.replay(id, undefined, undefined);
  await stand.pass(3000);
  await expect.poll(() => toldLater(stand), LATER).toEqual([TEXT('4 messages', 'paid')]);
  expect(await replay(stand, told(stand)[0]?.filter)).toBe(4);
  await expect.poll(() => toldLater(stand), LATER).toEqual([]);
});

test('counts no more than 1,000 after an undo, and older ones as soon as there is room', async () => {
  const stand = await started();
  const ids: string[] = [];
  for (let n = 0; n < 1100; n += 1) ids.push(await stand.publish('paid'));
  await listsNow(stand, 'paid');
  const { undoToken } = await stand.runtime.removals.remove({ messageIds: ids.slice(100) });
  await stand.pass(1000);
  await expect.poll(() => toldLater(stand), LATER).toEqual([TEXT('100 messages', 'paid')]);
  await stand.runtime.removals.undo(undoToken);
  await stand.pass(2000);
  await expect.poll(() => toldLater(stand), LATER).toEqual([TEXT('More than 1,000 messages', 'paid')]);
  await stand.runtime.removals.removeAtOnce(ids.slice(200));
  await stand.pass(2000);
  await expect.poll(() => toldLater(stand), LATER).toEqual([TEXT('200 messages', 'paid')]);
});

test('older messages whose removal is undone after a count of the others are counted again', async () => {
  const stand = await started();
  const ids: string[] = [];
  for (let n = 0; n < 1010; n += 1) ids.push(await stand.publish('paid'));
  await listsNow(stand, 'paid');
  await stand.runtime.removals.removeAtOnce(ids.slice(10));
  const { undoToken } = await stand.runtime.removals.remove({ messageIds: ids.slice(5, 9) });
  await stand.pass(1000);
  await expect.poll(() => toldLater(stand), LATER).toEqual([TEXT('6 messages', 'paid')]);
  await stand.runtime.removals.undo(undoToken);
  await stand.pass(1000);
  await expect.poll(() => toldLater(stand), LATER).toEqual([TEXT('10 messages', 'paid')]);
});

test('counts the newest messages of a topic when the oldest are gone', async () => {
  const stand = await started();
  stand.set('storage.maxMessages', 1000);
  for (let n = 0; n < 1500; n += 1) await stand.publish('paid');
  await stand.pass(5000);
  await listsNow(stand, 'paid');
  await expect.poll(() => toldLater(stand), LATER).toEqual([TEXT('1,000 messages', 'paid')]);
});

test('messages that were removed before take no room', async () => {
  const stand = await started();
  for (let n = 0; n < 600; n += 1) await stand.publish('paid');
  const ids: string[] = [];
  for (let n = 0; n < 300; n += 1) ids.push(await stand.publish('paid'));
  await stand.runtime.removals.removeAtOnce(ids);
  const others: string[] = [];
  for (let n = 0; n < 300; n += 1) others.push(await stand.publish('paid'));
  await stand.runtime.removals.remove({ messageIds: others });
  await stand.pass(15_000);
  for (let n = 0; n < 400; n += 1) await stand.publish('paid');
  await listsNow(stand, 'paid');
  await expect.poll(() => toldLater(stand), LATER).toEqual([TEXT('1,000 messages', 'paid')]);
});
