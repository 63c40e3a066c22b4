/** Holds: messages that they catch at each point of a message's life, and the release. */
import { describe, expect, test } from 'vitest';
import { causeSentence } from '../../core/contract/cause.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

/** Every list of holds that was given to the journal. */
function keptLists(stand: Stand): readonly unknown[] {
  return stand.journal.records.flatMap((record) =>
    record.kind === 'kept' && record.key === 'holds' ? [record.value] : [],
  );
}

function permutations(of: readonly number[]): readonly (readonly number[])[] {
  if (of.length === 0) return [[]];
  return of.flatMap((first) =>
    permutations(of.filter((each) => each !== first)).map((rest) => [first, ...rest]),
  );
}

describe('the search budget of all holds for each message', () => {
  const words = (count: number): string =>
    Array.from({ length: count }, (_, nth) => `word${nth}`).join(' OR ');

  test('ten words and values with *; one more is refused, and changes nothing', async () => {
    const { runtime } = await started();
    const refused = { code: 'FILTER_SYNTAX', field: 'filter' };
    await runtime.holds.add({ at: 'publish', filter: words(6) });
    const other = await runtime.holds.add({ at: 'response', filter: 'data.a:x* subject:*y OR data.b:*' });
    const before = runtime.holds.list();
    expect(() => runtime.holds.add({ at: 'delivery', filter: words(3) })).toThrow(
      expect.objectContaining(refused),
    );
    expect(() => runtime.holds.update(other.holdId, { filter: words(5) })).toThrow(
      expect.objectContaining(refused),
    );
    expect(runtime.holds.list()).toEqual(before);
    await runtime.holds.update(other.holdId, { filter: words(4) });
    await runtime.holds.add({ at: 'delivery', filter: 'topic:a,b,c data.n>1 data.text:whole' });
    expect(runtime.holds.list()).toHaveLength(3);
  });
});

test('500 holds; one more is refused, and changes nothing', async () => {
  const { runtime } = await started();
  for (let n = 0; n < 500; n += 1) await runtime.holds.add({ at: 'publish', filter: `topic:t${n}` });
  expect(() => runtime.holds.add({ at: 'publish', filter: 'topic:more' })).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMS', expected: 'at most 500 holds' }),
  );
  expect(runtime.holds.list()).toHaveLength(500);
});

test('counts of holds that change during a write need one more write', async () => {
  const stand = await started({ journal: new LastingJournal({ durable: true }) });
  await stand.runtime.holds.add({ at: 'publish', filter: 'topic:orders' });
  const before = keptLists(stand).length;
  let synced: () => void = () => undefined;
  const published = Array.from({ length: 50 }, (_, n) => stand.publish('orders', { n }));
  stand.journal.sync = new Promise((go) => (synced = go));
  await stand.settle();
  stand.journal.sync = undefined;
  synced();
  await Promise.all(published);
  await stand.settle();
  expect(keptLists(stand).at(-1)).toMatchObject([{ hits: 50 }]);
  expect(keptLists(stand).length - before).toBeLessThan(5);
});

test('a saved hold that cannot be read is left out and logged, and the others exist', async () => {
  const stand = await started();
  const hold = await stand.runtime.holds.add({ at: 'publish', filter: 'topic:orders' });
  const broken = [
    { ...hold, filter: 'topic:(', name: 'broken' },
    null,
    { ...hold, at: 'never' },
    { ...hold, filter: 5 },
  ];
  await stand.stop();
  await stand.journal.append([{ kind: 'kept', key: 'holds', value: [...broken, hold] }]);
  await stand.start();
  expect(stand.runtime.holds.list()).toEqual([hold]);
  const told = stand.logged('warn').filter((line) => line.startsWith('Sidelight left out the saved hold'));
  expect(told).toHaveLength(4);
  expect(told[0]).toContain('"broken": ');
});

describe('a hold whose filter needs too much work for one message holds it, and says so', () => {
  // Priced as if they nearly fitted at every place; they do not, so the test is quick.
  const hostile = Array.from({ length: 10 }, (_, nth) => `${'x'.repeat(300 + nth)}b`).join(' OR ');
  const flag = expect.stringMatching(
    /^The filter of the hold "hostile" needed more than 3,000,000 steps for this message\. Sidelight holds the message,/,
  ) as unknown;

  test.each([
    ['publish', { stage: 'held' }],
    ['delivery', { deliveries: [{ state: 'held', heldAt: 'delivery' }] }],
    ['response', { deliveries: [{ state: 'attempting', heldAt: 'response' }] }],
  ] as const)('at %s', async (at, held) => {
    const stand = await started();
    const { holdId } = await stand.runtime.holds.add({ at, filter: hostile, name: 'hostile' });
    const small = await stand.publish('orders', 'a'.repeat(1000));
    const large = await stand.publish('orders', 'a'.repeat(3_900_000));
    expect(await stand.states(small)).toEqual(['processed']);
    expect(await stand.message(large)).toMatchObject({ ...held, flags: [flag] });
    expect(stand.runtime.holds.list()).toMatchObject([{ holdId, hits: 1 }]);
    const lines = stand.lines.filter(({ messageId }) => messageId === large);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', text: flag }));

    await stand.runtime.deliveryActions.release({ messageId: large });
    await stand.settle();
    expect(await stand.states(large)).toEqual(['processed']);
  });
});

describe('a hold at delivery', () => {
  test('keeps what matches from being sent until it is released', async () => {
    const stand = await started();
    const hold = await stand.runtime.holds.add({
      at: 'delivery',
      filter: 'topic:orders data.n>1',
      name: 'big',
    });
    const small = await stand.publish('orders', { n: 1 });
    const big = await stand.publish('orders', { n: 2 });
    expect(await stand.states(small)).toEqual(['processed']);
    expect(await stand.delivery(big)).toMatchObject({
      state: 'held',
      heldBy: hold.holdId,
      heldAt: 'delivery',
      attempts: [],
    });
    expect((await stand.delivery(big)).transitions.at(-1)).toMatchObject({
      rule: 'hold.matched',
      cause: 'user',
      note: 'big',
    });
    expect(stand.runtime.holds.list()).toMatchObject([{ hits: 1 }]);
    expect(await stand.runtime.deliveryActions.release({ messageId: big })).toEqual({ changed: 1 });
    await stand.settle();
    expect((await stand.way(big)).slice(-3)).toEqual([
      'queued user.release (user)',
      'attempting policy.attempt (policy)',
      'processed single.2xx.empty (app)',
    ]);
  });

  test('a hold does not catch the next attempt of a delivery that it has released', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    stand.app.next.push('RETRY');
    const id = await stand.publish('orders');
    await stand.runtime.deliveryActions.release({ messageId: id });
    await stand.pass(1000);
    expect(await stand.states(id)).toEqual(['processed']);
    expect(stand.runtime.holds.list()).toMatchObject([{ hits: 1 }]);
  });

  test('a hold catches a delivery between two attempts', async () => {
    const stand = await started();
    stand.app.next.push(500);
    const id = await stand.publish('orders');
    await stand.runtime.holds.add({ at: 'delivery', filter: 'status:500' });
    await stand.pass(100);
    expect((await stand.way(id)).slice(-2)).toEqual([
      'retrying single.other (app)',
      'held hold.matched (user)',
    ]);
  });

  test('catches only its number of messages, and none while it is off', async () => {
    const stand = await started();
    const hold = await stand.runtime.holds.add({ at: 'delivery', filter: '', times: 2 });
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push(await stand.publish('orders'));
    expect((await Promise.all(ids.map((id) => stand.states(id)))).flat()).toEqual([
      'held',
      'held',
      'processed',
    ]);
    await stand.runtime.holds.update(hold.holdId, { times: 10, enabled: false });
    expect(await stand.states(await stand.publish('orders'))).toEqual(['processed']);
    expect(await stand.states(ids[0] ?? '')).toEqual(['held']);
  });

  test('a hold for a time releases by itself', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'delivery', filter: '', releaseAfterMs: 2000 });
    const id = await stand.publish('orders');
    await stand.pass(1999);
    expect(await stand.states(id)).toEqual(['held']);
    await stand.pass(1);
    expect((await stand.way(id)).slice(-3)).toEqual([
      'queued hold.released (policy)',
      'attempting policy.attempt (policy)',
      'processed single.2xx.empty (app)',
    ]);
  });

  test('does not release a delivery that a person dropped before its time', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'delivery', filter: '', releaseAfterMs: 2000 });
    const id = await stand.publish('orders');
    await stand.runtime.deliveryActions.drop({ messageId: id });
    await stand.pass(5000);
    expect((await stand.way(id)).at(-1)).toBe('dropped user.drop (user)');
  });

  test('releases changed bytes, which are sent in later attempts too', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    stand.app.next.push('RETRY');
    const id = await stand.publish('orders', { n: 1, keep: true });
    await stand.runtime.deliveryActions.release(
      { messageId: id },
      { data: { n: 2 }, attributes: { subject: 'edited' } },
    );
    await stand.pass(1000);
    expect(stand.app.calls.map((call) => call.json())).toMatchObject([
      { data: { n: 2 }, subject: 'edited', topic: 'orders' },
      { data: { n: 2 }, subject: 'edited' },
    ]);
    expect((await stand.message(id)).data).toEqual({ n: 1, keep: true });
    const { items } = await stand.journal.page({ order: 'oldest', limit: 1, nowMs: stand.clock.now() });
    expect(items).toMatchObject([{ deliveries: [{ state: 'processed', edits: 1 }] }]);
    expect((await stand.delivery(id)).transitions.find(({ rule }) => rule === 'user.release')?.note).toBe(
      'Released with changes.',
    );
  });

  test('releases its deliveries on removal only if asked to', async () => {
    const stand = await started();
    const first = await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const kept = await stand.publish('orders');
    await stand.runtime.deliveryActions.removeHold(first.holdId, false);
    const second = await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const freed = await stand.publish('orders');
    await stand.runtime.deliveryActions.removeHold(second.holdId, true);
    await stand.settle();
    expect(await stand.states(kept)).toEqual(['held']);
    expect(await stand.states(freed)).toEqual(['processed']);
    expect(stand.runtime.holds.list()).toEqual([]);
  });

  test('releases thousands on removal in few groups of records, in their order', async () => {
    const stand = await started();
    stand.set('delivery.concurrency', 1);
    const { holdId } = await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    for (let n = 0; n < 1200; n += 1) await stand.publish('orders', n);
    let groups = 0;
    stand.journal.afterAppend = (records) => {
      if (records.some((one) => one.kind === 'delivery' && one.transition?.rule === 'user.release'))
        groups += 1;
    };
    await stand.during(stand.runtime.deliveryActions.removeHold(holdId, true));
    expect(groups).toBeLessThan(20);
    await stand.pass(1);
    expect(stand.app.calls.map((call) => call.json()['data'])).toEqual([...Array(1200).keys()]);
  });

  test('is refused with an invalid filter, and nothing is kept', async () => {
    const stand = await started();
    await expect(async () =>
      stand.runtime.holds.add({ at: 'delivery', filter: 'topic:(' }),
    ).rejects.toMatchObject({
      code: 'FILTER_SYNTAX',
    });
    expect(stand.runtime.holds.list()).toEqual([]);
  });
});

describe('a hold at publish', () => {
  test('lets the publisher have its answer, and the apps have the message after its release', async () => {
    const stand = await started();
    const hold = await stand.runtime.holds.add({ at: 'publish', filter: 'topic:orders' });
    const id = await stand.publish('orders');
    expect(await stand.message(id)).toMatchObject({ stage: 'held', heldBy: hold.holdId, deliveries: [] });
    expect(stand.runtime.status().holds).toBe(1);
    expect(await stand.runtime.deliveryActions.release({ messageId: id })).toEqual({ changed: 1 });
    await stand.settle();
    expect(await stand.states(id)).toEqual(['processed']);
    const message = await stand.message(id);
    expect(message.stage).toBeUndefined();
    expect(message.heldBy).toBeUndefined();
  });

  test('keeps a message that can be dropped, which ends it', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'publish', filter: '' });
    const id = await stand.publish('orders');
    expect(await stand.runtime.deliveryActions.drop({ filter: 'state:held' })).toEqual({ changed: 1 });
    expect(await stand.message(id)).toMatchObject({ stage: 'dropped', deliveries: [] });
    expect(await stand.runtime.deliveryActions.drop({ messageId: id })).toEqual({ changed: 0 });
  });

  test('for a time publishes the message when the time is over', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'publish', filter: '', releaseAfterMs: 500 });
    const id = await stand.publish('orders');
    await stand.pass(500);
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('keeps a message with the reason if the component refuses its release', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'publish', filter: '' });
    const id = await stand.publish('orders');
    stand.components.components = [];
    await stand.runtime.resources.reload();
    await expect(stand.runtime.deliveryActions.release({ messageId: id })).rejects.toMatchObject({
      code: 'ERR_PUBSUB_NOT_FOUND',
    });
    expect(await stand.message(id)).toMatchObject({ stage: 'held' });
  });

  test('catches a message that another hold released, and neither catches it twice', async () => {
    const stand = await started();
    const first = await stand.runtime.holds.add({ at: 'publish', filter: 'topic:orders', name: 'first' });
    const second = await stand.runtime.holds.add({ at: 'publish', filter: 'data.n:1', name: 'second' });
    const id = await stand.publish('orders', { n: 1 });
    const heldBy = async (): Promise<unknown> => (await stand.message(id)).heldBy;
    expect(await heldBy()).toBe(first.holdId);
    expect(await stand.runtime.deliveryActions.release({ messageId: id })).toEqual({ changed: 1 });
    await stand.settle();
    expect(await heldBy()).toBe(second.holdId);
    expect(await stand.states(id)).toEqual([]);
    expect(await stand.runtime.deliveryActions.release({ messageId: id })).toEqual({ changed: 1 });
    await stand.settle();
    expect(await stand.states(id)).toEqual(['processed']);
    expect(stand.runtime.holds.list()).toMatchObject([{ hits: 1 }, { hits: 1 }]);
  });

  test('releases a message to wait for an app that is not known yet', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders' });
      it.app.isOpen = false;
    });
    await stand.runtime.holds.add({ at: 'publish', filter: '' });
    const id = await stand.publish('orders');
    await stand.runtime.deliveryActions.release({ messageId: id });
    expect(await stand.message(id)).toMatchObject({ stage: 'waiting', waitingFor: ['app'] });
    stand.app.isOpen = true;
    await stand.pass(200);
    expect(await stand.states(id)).toEqual(['processed']);
  });
});

describe('a hold at response', () => {
  test('keeps the answer while the delivery stays attempting without a timeout', async () => {
    const stand = await started();
    const hold = await stand.runtime.holds.add({ at: 'response', filter: 'status:5xx' });
    stand.app.next.push({ status: 503, body: { error: 'db down' } });
    const id = await stand.publish('orders');
    await stand.pass(120_000);
    const delivery = await stand.delivery(id);
    expect(delivery).toMatchObject({ state: 'attempting', heldAt: 'response', heldBy: hold.holdId });
    expect(delivery.attempts.at(-1)?.response).toMatchObject({ status: 503, body: '{"error":"db down"}' });
    const held = { state: 'attempting', heldAt: 'response' };
    expect(stand.runtime.messages.held(1).items[0]?.row.deliveries).toMatchObject([held]);
    expect((await stand.journal.get(id))?.row.deliveries).toMatchObject([held]);
    await stand.runtime.deliveryActions.release({ messageId: id });
    await stand.settle();
    expect((await stand.way(id)).at(-1)).toBe('retrying single.other (app)');
    expect((await stand.delivery(id)).attempts).toHaveLength(1);
    expect((await stand.journal.get(id))?.row.deliveries[0]).not.toHaveProperty('heldAt');
  });

  test('holds an answer by its status word', async () => {
    const stand = await started();
    const hold = await stand.runtime.holds.add({ at: 'response', filter: 'answer:retry' });
    stand.app.next.push({ status: 200, body: { status: 'RETRY' } });
    const held = await stand.delivery(await stand.publish('orders'));
    expect(held).toMatchObject({ state: 'attempting', heldAt: 'response', heldBy: hold.holdId });
    const free = await stand.delivery(await stand.publish('orders'));
    expect(free).toMatchObject({ state: 'processed' });
  });

  test('lets a person change the answer, whose verdict counts, and the record has both answers', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'response', filter: '' });
    stand.app.next.push({ status: 500, body: { status: 'BROKEN' } });
    const id = await stand.publish('orders');
    expect((await stand.delivery(id)).attempts.at(-1)?.word).toBe('BROKEN');
    await stand.runtime.deliveryActions.release({ messageId: id }, undefined, {
      kind: 'respond',
      status: 200,
      body: { status: 'SUCCESS' },
    });
    await stand.settle();
    const delivery = await stand.delivery(id);
    expect(delivery.attempts.at(-1)?.word).toBe('SUCCESS');
    expect(delivery.state).toBe('processed');
    expect(delivery.transitions.at(-1)).toMatchObject({
      rule: 'single.2xx.success',
      note: "A person changed the app's answer.",
    });
    expect(delivery.attempts.at(-1)).toMatchObject({
      response: { status: 500, body: '{"status":"BROKEN"}' },
      instead: { response: { status: 200, body: '{"status":"SUCCESS"}' } },
    });
  });

  test('stores a reset by a person beside the answer of the app', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'response', filter: '' });
    const id = await stand.publish('orders');
    await stand.runtime.deliveryActions.release({ messageId: id }, undefined, { kind: 'reset' });
    await stand.settle();
    const { attempts, state } = await stand.delivery(id);
    expect(state).toBe('retrying');
    expect(attempts[0]).toMatchObject({
      response: { status: 200 },
      instead: { error: { code: 'reset', message: 'the connection was reset, set by hand' } },
    });
    expect(attempts[0]).not.toHaveProperty('error');
  });

  test('for a time lets the answer count when the time is over', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'response', filter: '', releaseAfterMs: 300 });
    stand.app.next.push('DROP');
    const id = await stand.publish('orders');
    expect(await stand.states(id)).toEqual(['attempting']);
    await stand.pass(300);
    expect((await stand.way(id)).at(-1)).toBe('dropped single.2xx.drop (app)');
    // The released answer stays in the history with the time that the hold took.
    const delivery = await stand.delivery(id);
    const last = delivery.transitions.at(-1);
    const said = last && causeSentence(last, delivery, await stand.message(id), () => undefined);
    expect(said).toMatch(/ A hold had kept the answer back for 300 ms\.$/);
  });

  test('a delivery with a held answer cannot be dropped or cancelled', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'response', filter: '' });
    const id = await stand.publish('orders');
    const { deliveryId } = await stand.delivery(id);
    const refused = { code: 'TRANSITION_NOT_ALLOWED', data: { state: 'attempting', deliveryId } };
    await expect(stand.runtime.deliveryActions.drop({ deliveryId })).rejects.toMatchObject(refused);
    await expect(stand.runtime.runningCalls.cancel(deliveryId)).rejects.toMatchObject(refused);
    await expect(
      stand.runtime.deliveryActions.release({ deliveryId }, undefined, { kind: 'ask' }),
    ).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
    expect(await stand.states(id)).toEqual(['attempting']);
  });

  test('holds an answer without making other deliveries wait', async () => {
    const stand = await started();
    stand.set('delivery.concurrency', 1);
    await stand.runtime.holds.add({ at: 'response', filter: 'data.n:1' });
    const first = await stand.publish('orders', { n: 1 });
    const second = await stand.publish('orders', { n: 2 });
    expect(await stand.states(first)).toEqual(['attempting']);
    expect(await stand.states(second)).toEqual(['processed']);
  });
});

test('a message that one hold has released can be caught by another one as held', async () => {
  const stand = await started();
  await stand.runtime.holds.add({ at: 'publish', filter: 'topic:orders' });
  const next = await stand.runtime.holds.add({ at: 'publish', filter: 'state:held' });
  const id = await stand.publish('orders');
  await stand.runtime.deliveryActions.release({ messageId: id });
  expect(await stand.runtime.messages.detail(id)).toMatchObject({ stage: 'held', heldBy: next.holdId });
});

describe('a replay', () => {
  test.each(['publish', 'delivery'] as const)(
    'a replay of a message released by a hold at %s is not held by it again, even after its end',
    async (at) => {
      const stand = await started();
      const { holdId } = await stand.runtime.holds.add({ at, filter: '', name: 'p1' });
      const id = await stand.publish('orders');
      await stand.runtime.deliveryActions.release({ messageId: id });
      await stand.settle();
      expect(await stand.states(id)).toEqual(['processed']);
      const replay = await stand.runtime.replay.replay(id, undefined, undefined);
      await stand.settle();
      expect(await stand.states(replay.messageId)).toEqual(['processed']);
      expect(replay.passedHolds).toEqual(['p1']);
      // A hold that catches nothing now lets nothing pass.
      for (const change of [{ enabled: false }, { enabled: true, times: 1 }]) {
        await stand.runtime.holds.update(holdId, change);
        if (change.enabled) await stand.publish('orders');
        expect(await stand.runtime.replay.replay(id, undefined, undefined)).not.toHaveProperty('passedHolds');
      }
      const again = await stand.runtime.replay.replay(replay.messageId, undefined, undefined);
      await stand.settle();
      expect(await stand.states(again.messageId)).toEqual(['processed']);
    },
  );

  test('a replay of a held message is not held', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const id = await stand.publish('orders');
    const replay = await stand.runtime.replay.replay(id, undefined, undefined);
    await stand.settle();
    expect(await stand.states(id)).toEqual(['held']);
    expect(await stand.states(replay.messageId)).toEqual(['processed']);
  });
});

describe('a removed hold that is restored', () => {
  test('has its id, its place, its count and what it still holds, also after a kill', async () => {
    const stand = await started({ journal: new LastingJournal({ durable: true }) });
    const { holds, deliveryActions } = stand.runtime;
    await holds.add({ at: 'response', filter: 'topic:none', name: 'before' });
    const hold = await holds.add({
      at: 'publish',
      filter: 'topic:orders',
      name: 'p1',
      releaseAfterMs: 60_000,
    });
    await holds.add({ at: 'response', filter: 'topic:none', name: 'after' });
    const held = [await stand.publish('orders', 1), await stand.publish('orders', 2)];
    await stand.settle();
    const before = holds.list();
    expect(await deliveryActions.removeHold(hold.holdId, false)).toMatchObject({ hits: 2 });
    stand.crash();
    await stand.start();
    expect(await stand.runtime.holds.restore(hold.holdId)).toEqual({ ...hold, hits: 2 });
    const kept = keptLists(stand);
    expect(kept.at(-1)).toEqual(before);
    stand.crash();
    await stand.start();
    expect(stand.runtime.holds.list()).toEqual(before);
    const { items } = stand.runtime.messages.held(10, hold.holdId);
    expect(items.map(({ row, heldBy }) => [row.messageId, heldBy])).toEqual(
      held.map((id) => [id, hold.holdId]),
    );
    expect(() => stand.runtime.holds.restore(hold.holdId)).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', field: 'holdId' }),
    );
  });

  test('with 1,000 items by it, while further ones are delivered: nothing is lost, or sent twice', async () => {
    const stand = await started();
    const { holds, deliveryActions, messages } = stand.runtime;
    const { holdId } = await holds.add({ at: 'delivery', filter: 'topic:orders' });
    for (let n = 0; n < 1000; n += 1) await stand.publish('orders', n);
    await stand.settle();
    const removed = deliveryActions.removeHold(holdId, false);
    const during = await stand.publish('orders', 'during');
    await removed;
    expect(await stand.states(during)).toEqual(['processed']);
    const restored = holds.restore(holdId);
    const after = await stand.publish('orders', 'after');
    expect(await restored).toMatchObject({ holdId, hits: 1000 });
    expect(await stand.states(after)).toEqual(['held']);
    expect(messages.held(500, holdId).total).toBe(1001);
    await stand.during(deliveryActions.removeHold(holdId, true));
    await stand.pass(1);
    // What was released is not held again, and the hold itself comes back.
    expect(await holds.restore(holdId)).toMatchObject({ holdId, hits: 1001 });
    expect(messages.held(500, holdId).total).toBe(0);
    expect(stand.app.calls).toHaveLength(1002);
  });

  test('is refused where it no longer has room, and can be restored once it has', async () => {
    const { runtime } = await started();
    const { holdId } = await runtime.holds.add({ at: 'publish', filter: 'word*' });
    await runtime.deliveryActions.removeHold(holdId, false);
    const words = Array.from({ length: 10 }, (_, nth) => `w${nth}`).join(' OR ');
    const other = await runtime.holds.add({ at: 'publish', filter: words });
    expect(() => runtime.holds.restore(holdId)).toThrow(expect.objectContaining({ code: 'FILTER_SYNTAX' }));
    expect(runtime.holds.list()).toEqual([other]);
    await runtime.deliveryActions.removeHold(other.holdId, false);
    expect(await runtime.holds.restore(holdId)).toMatchObject({ holdId });
  });

  test.each(permutations([0, 2, 3]))(
    'has its place among others that were removed as well: %i, %i and %i',
    async (...out) => {
      for (const back of permutations(out)) {
        const { holds, deliveryActions } = (await started()).runtime;
        const ids: string[] = [];
        const add = async (filter: string) => ids.push((await holds.add({ at: 'publish', filter })).holdId);
        for (let n = 0; n < 4; n += 1) await add(`topic:t${n}`);
        for (const n of out) await deliveryActions.removeHold(ids[n] ?? '', false);
        await add('topic:later');
        for (const n of back) await holds.restore(ids[n] ?? '');
        expect(holds.list().map(({ holdId }) => holdId)).toEqual(ids);
      }
    },
  );

  test('is one of the 50 that were removed last', async () => {
    const { runtime } = await started();
    const ids: string[] = [];
    for (let n = 0; n < 51; n += 1)
      ids.push((await runtime.holds.add({ at: 'publish', filter: `topic:t${n}` })).holdId);
    for (const id of ids) await runtime.deliveryActions.removeHold(id, false);
    const [oldest = '', next = ''] = ids;
    expect(() => runtime.holds.restore(oldest)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    const [last, first] = [await runtime.holds.add({ at: 'publish', filter: '' }), next];
    expect(await runtime.holds.restore(ids.at(-1) ?? '')).toMatchObject({ holdId: ids.at(-1) });
    expect(await runtime.holds.restore(first)).toMatchObject({ holdId: first });
    expect(runtime.holds.list().map(({ holdId }) => holdId)).toEqual([first, ids.at(-1), last.holdId]);
  });
});
