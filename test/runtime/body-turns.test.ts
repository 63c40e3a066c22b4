/** Large messages that come at the same moment are read in several turns of the event loop, in their order. */
import { expect, test, vi } from 'vitest';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

/**
 * A stand whose large messages each take all the time of a turn, and whose turns are taken by hand. A piece that begins without a wait may begin
 * in a callback of the network: its turn ends with the second that is taken by hand.
 */
async function slowStand(
  subscription: object = { topic: 'orders', route: '/orders' },
): Promise<{ readonly stand: Stand; readonly turn: () => Promise<void> }> {
  const queued: (() => void)[] = [];
  const stand = await started({ nextTurn: (run) => void queued.push(run) }, (it) =>
    subscribe(it, subscription),
  );
  let ms = 0;
  vi.spyOn(stand.clock, 'monotonic').mockImplementation(() => (ms += 10));
  const turn = async (): Promise<void> => {
    for (const run of queued.splice(0)) {
      run();
      await stand.settle();
    }
  };
  return { stand, turn };
}

test('of many large publishes one is read in a turn, and small ones behind them keep their place', async () => {
  const { stand, turn } = await slowStand();
  const accepted: string[] = [];
  const sidecar = stand.runtime.sidecar('app');
  const publish = async (name: string, size: number): Promise<void> => {
    const body = JSON.stringify('x'.repeat(size));
    const of = { pubsubname: 'pubsub', topic: 'orders', metadata: {}, source: 'http' } as const;
    await sidecar.publish({ ...of, body, contentType: 'application/json' });
    accepted.push(name);
  };
  const all = [publish('a', 100_000), publish('b', 100_000), publish('c', 100_000), publish('small', 1)];
  const expected = ['a', 'b', 'c', 'small'];
  await stand.settle();
  await turn();
  for (let n = 1; n <= 4; n += 1) {
    expect(accepted).toEqual(expected.slice(0, n));
    await turn();
  }
  await Promise.all(all);
  expect(stand.app.calls.map((call) => JSON.stringify(call.json()).length > 1000)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('small publishes take no turns while no large one waits', async () => {
  const { stand } = await slowStand();
  for (let n = 0; n < 10; n += 1) await stand.publish('orders', { n });
  expect(stand.app.calls).toHaveLength(10);
});

test('a large message is read twice for its replay, in turns of their own, and published in another', async () => {
  const { stand, turn } = await slowStand();
  const id = await stand.publish('orders', { text: 'x'.repeat(100_000) });
  await turn();
  await turn();
  let isDone = false;
  const replayed = stand.runtime.replay.replay(id, undefined, undefined).then(() => (isDone = true));
  await stand.settle();
  for (let n = 0; n < 3; n += 1) {
    expect(isDone).toBe(false);
    await turn();
  }
  await replayed;
  expect(stand.app.calls).toHaveLength(2);
});

test('a large message is read for its match rules in another turn than for its publish', async () => {
  const rules = [{ match: 'event.data.n >= 0', path: '/any' }];
  const { stand } = await slowStand({ topic: 'orders', routes: { rules, default: '/orders' } });
  const [small, large] = [
    await stand.publish('orders', { n: 1 }),
    await stand.publish('orders', { n: 2, text: 'x'.repeat(100_000) }),
  ];
  expect([await stand.states(small), await stand.states(large)]).toEqual([['processed'], ['queued']]);
  await stand.pass(1);
  expect(await stand.states(large)).toEqual(['processed']);
  expect(stand.app.calls.map(({ path }) => path)).toEqual(['/any', '/any']);
});

test('of many large answers that end at the same moment one is read in a turn, and a small one passes them', async () => {
  const { stand, turn } = await slowStand();
  stand.app.answerWith = () => 'hang';
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1) ids.push(await stand.publish('orders', n));
  const large = { body: { status: 'DROP', text: 'x'.repeat(100_000) } };
  for (const [n, call] of stand.app.open.entries()) call.answer(n === 3 ? 'DROP' : large);
  await stand.settle();
  const dropped = async (): Promise<number[]> => {
    const states = await Promise.all(ids.map(async (id) => (await stand.delivery(id)).state));
    return states.flatMap((state, n) => (state === 'dropped' ? [n] : []));
  };
  expect(await dropped()).toEqual([0, 3]);
  await turn();
  expect(await dropped()).toEqual([0, 3]);
  await turn();
  expect(await dropped()).toEqual([0, 1, 3]);
  await turn();
  expect(await dropped()).toEqual([0, 1, 2, 3]);
});
