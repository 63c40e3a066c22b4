/** A hold that asks for the payload catches also what is not in memory: beyond a budget bodies are in the journal alone. */
import { expect, test, vi } from 'vitest';
import { LastingJournal } from '../support/lasting-journal.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const PAD = 'x'.repeat(16 * 1024);
/** Room for three of them. */
const BUDGET = 64 * 1024;

/** A stand whose budget for bodies is used up by messages that wait for an app that hangs. */
async function full(subscription: object = {}): Promise<Stand> {
  const stand = await started(
    { journal: new LastingJournal({ durable: true }), bodyBudgetBytes: BUDGET },
    (it) =>
      subscribe(it, { topic: 'filler', route: '/' }, { topic: 'orders', route: '/orders', ...subscription }),
  );
  stand.app.answerWith = () => 'hang';
  for (let n = 0; n < 4; n += 1) await stand.publish('filler', PAD);
  stand.app.answerWith = () => 200;
  stand.app.calls.length = 0;
  return stand;
}

test('a hold at delivery matches by a value, by a word, and by app and value', async () => {
  expect.hasAssertions();
  const stand = await full();
  for (const filter of ['data.n:1', 'one-of-them', 'source:app data.n:1']) await catches(stand, filter);
});

/** Checks that the hold catches the matching one of two messages, and that a release lets it pass. */
async function catches(stand: Stand, filter: string): Promise<void> {
  stand.app.calls.length = 0;
  const hold = await stand.runtime.holds.add({ at: 'delivery', filter });
  const caught = await stand.publish('orders', { n: 1, name: 'one-of-them', pad: PAD });
  const free = await stand.publish('orders', { n: 2, pad: PAD });
  expect(await stand.delivery(caught)).toMatchObject({ state: 'held', heldBy: hold.holdId, attempts: [] });
  expect(await stand.states(free)).toEqual(['processed']);
  expect(stand.app.calls).toHaveLength(1);
  await stand.runtime.deliveryActions.release({ messageId: caught });
  await stand.settle();
  expect((await stand.way(caught)).slice(-3)).toEqual([
    'queued user.release (user)',
    'attempting policy.attempt (policy)',
    'processed single.2xx.empty (app)',
  ]);
  await stand.runtime.deliveryActions.removeHold(hold.holdId, false);
}

test('in a batch held entries stay, unreadable ones are parked, and the others are sent', async () => {
  expect.hasAssertions();
  const bulkSubscribe = { enabled: true, maxMessagesCount: 2, maxAwaitDurationMs: 1000 };
  const stand = await full({ bulkSubscribe });
  await caughtInBatch(stand);
  stand.app.calls.length = 0;
  await unreadInBatch(stand);
});

async function caughtInBatch(stand: Stand): Promise<void> {
  const { holdId } = await stand.runtime.holds.add({ at: 'delivery', filter: 'data.n:1' });
  const caught = await stand.publish('orders', { n: 1, pad: PAD });
  const free = await stand.publish('orders', { n: 2, pad: PAD });
  expect(await stand.states(caught)).toEqual(['held']);
  const [call] = stand.app.calls;
  expect(call?.json()).toMatchObject({ entries: [{ event: { data: { n: 2 } } }] });
  expect((await stand.delivery(free)).attempts[0]?.bulk).toMatchObject({ batchSize: 1 });
  await stand.runtime.deliveryActions.removeHold(holdId, false);
}

async function unreadInBatch(stand: Stand): Promise<void> {
  const unread = await stand.publish('orders', { n: 1, pad: PAD });
  const get = stand.journal.get.bind(stand.journal);
  vi.spyOn(stand.journal, 'get').mockImplementation(async (messageId) => {
    if (messageId === unread) throw new Error('disk I/O error');
    return get(messageId);
  });
  const other = await stand.publish('orders', { n: 2, pad: PAD });
  await stand.settle();
  vi.mocked(stand.journal.get).mockRestore();
  expect((await stand.delivery(other)).attempts[0]?.bulk).toMatchObject({ batchSize: 1 });
  expect(await stand.states(unread)).toEqual(['parked']);
  const [call] = stand.app.calls;
  expect(call?.json()).toMatchObject({ entries: [{ event: { data: { n: 2 } } }] });
}

test('a hold at response matches by a value, and if the payload cannot be read the answer counts and the log says so', async () => {
  const stand = await full();
  const hold = await stand.runtime.holds.add({ at: 'response', filter: 'data.n:1 status:2xx' });
  const caught = await stand.publish('orders', { n: 1, pad: PAD });
  const free = await stand.publish('orders', { n: 2, pad: PAD });
  expect(await stand.delivery(caught)).toMatchObject({
    state: 'attempting',
    heldAt: 'response',
    heldBy: hold.holdId,
  });
  expect(await stand.states(free)).toEqual(['processed']);
  await unreadAtResponse(stand);
});

async function unreadAtResponse(stand: Stand): Promise<void> {
  stand.app.next.push('hang');
  const id = await stand.publish('orders', { n: 1, pad: PAD });
  stand.journal.unreadable = new Error('a bad sector');
  stand.app.last.answer(200);
  await stand.settle();
  stand.journal.unreadable = undefined;
  expect(await stand.states(id)).toEqual(['processed']);
  expect(stand.logged('error')).toEqual(['No hold could check the payload: a bad sector']);
}
