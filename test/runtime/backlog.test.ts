/** The backlog in number and in bytes, and its share for each topic. */
import { expect, test } from 'vitest';
import { Settings } from '../../core/host/settings.ts';
import { Backlog } from '../../core/runtime/state/backlog.ts';
import { liveMessage } from '../../core/runtime/state/live-state.ts';
import { messageRow } from '../adapters/journal-records.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { component } from '../support/listed-components.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const MIB = 1024 * 1024;
const BODY = 'x'.repeat(100_000);

function twoTopics(durable = false): Promise<Stand> {
  return started({ journal: new LastingJournal({ durable }) }, (it) =>
    subscribe(it, { topic: 'bad', route: '/bad' }, { topic: 'good', route: '/good' }),
  );
}

/** The reason of the first refusal, and how many were taken before it. */
async function fill(stand: Stand, topic: string, data: unknown): Promise<{ taken: number; reason: unknown }> {
  for (let taken = 0; taken < 1000; taken += 1) {
    try {
      await stand.publish(topic, data);
    } catch (error) {
      const { params } = error as { readonly params: Readonly<Record<string, string>> };
      return { taken, reason: params['reason'] };
    }
  }
  throw new Error('nothing was refused');
}

test('parked deliveries of one topic leave room for another', async () => {
  const stand = await twoTopics();
  stand.set('delivery.backlog', 20);
  stand.set('delivery.retry', { maxAttempts: 1 });
  stand.app.answerWith = ({ path }) => (path === '/bad' ? 500 : 200);
  expect(await fill(stand, 'bad', 1)).toEqual({
    taken: 18,
    reason:
      'the backlog limit of 20 unfinished deliveries (delivery.backlog) is reached for topic bad, the rest is reserved for other topics',
  });
  expect(await stand.states(await stand.publish('good'))).toEqual(['processed']);
  expect(stand.runtime.health.of().outbound).toMatchObject({ healthy: true, status: 204 });
  await stand.runtime.deliveryActions.drop({ filter: 'state:parked' });
  await stand.publish('bad');
});

test.each([false, true])(
  'dead letters that wait count for the topic that they came from; after a restart: %s',
  async (again) => {
    const stand = await started({ journal: new LastingJournal({ durable: true }) }, (it) =>
      subscribe(
        it,
        { topic: 'bad', route: '/bad', deadLetterTopic: 'dead' },
        { topic: 'dead', route: '/bad' },
        { topic: 'good', route: '/good' },
      ),
    );
    stand.set('delivery.backlog', 20);
    stand.set('delivery.retry', { maxAttempts: 1 });
    stand.app.answerWith = ({ path }) => (path === '/bad' ? 500 : 200);
    for (let n = 0; n < 18; n += 1) await stand.publish('bad', n);
    await stand.settle();
    if (again) {
      await stand.stop();
      await stand.start();
    }
    expect(await fill(stand, 'bad', 1)).toMatchObject({ taken: 0 });
    expect(await stand.states(await stand.publish('good'))).toEqual(['processed']);
    await stand.runtime.deliveryActions.drop({ filter: 'state:parked' });
    await stand.publish('bad');
  },
);

test('dead letters of dead letters count for the topic that the first of them came from', async () => {
  const stand = await started({}, (it) =>
    subscribe(
      it,
      { topic: 'bad', route: '/bad', deadLetterTopic: 'dead' },
      { topic: 'dead', route: '/bad', deadLetterTopic: 'dead-again' },
      { topic: 'dead-again', route: '/bad' },
      { topic: 'good', route: '/good' },
    ),
  );
  stand.set('delivery.backlog', 20);
  stand.set('delivery.retry', { maxAttempts: 1 });
  stand.app.answerWith = ({ path }) => (path === '/bad' ? 500 : 200);
  expect(await fill(stand, 'bad', 1)).toMatchObject({ taken: 18 });
  expect(await stand.states(await stand.publish('good'))).toEqual(['processed']);
  expect(stand.runtime.health.of().outbound).toMatchObject({ healthy: true, status: 204 });
});

test.each([
  ['its own dead-letter topic', 'bad', 'bad'],
  ['the dead-letter topic of its dead-letter topic', 'bad-too', 'bad'],
])('a topic that is %s leaves room for others, where two subscriptions get it', async (_, first, second) => {
  const stand = await started({}, (it) =>
    subscribe(
      it,
      { topic: 'bad', route: '/bad', deadLetterTopic: first },
      { topic: 'ba*', route: '/bad', deadLetterTopic: second },
      { topic: 'good', route: '/good' },
    ),
  );
  stand.set('delivery.backlogBytes', 4 * MIB);
  stand.set('delivery.retry', { maxAttempts: 1 });
  let calls = 0;
  stand.app.answerWith = ({ path }) => (path === '/good' ? 200 : (calls += 1) > 500 ? 'hang' : 500);
  await stand.publish('bad', BODY);
  await stand.pass(1000);
  expect(calls).toBeLessThan(500);
  expect(await stand.states(await stand.publish('good', BODY))).toEqual(['processed']);
  expect(stand.runtime.health.of().outbound).toMatchObject({ healthy: true, status: 204 });
});

test('copies that go around in a longer circle end beyond the limit, and say why', async () => {
  const stand = await started({}, (it) =>
    subscribe(
      it,
      { topic: 'bad', route: '/bad', deadLetterTopic: 'dead-1' },
      { topic: 'dead-1', route: '/bad', deadLetterTopic: 'dead-2' },
      { topic: 'dead-2', route: '/bad', deadLetterTopic: 'dead-1' },
      { topic: 'dead-*', route: '/bad', deadLetterTopic: 'dead-3' },
    ),
  );
  stand.set('delivery.backlogBytes', 2 * MIB);
  stand.set('delivery.retry', { maxAttempts: 1 });
  let calls = 0;
  stand.app.answerWith = () => ((calls += 1) > 500 ? 'hang' : 500);
  const first = await stand.publish('bad', BODY);
  await stand.pass(1000);
  expect(await stand.states(first)).toEqual(['dead-lettered']);
  const { items } = await stand.journal.page({ order: 'newest', limit: 500, nowMs: stand.clock.now() });
  const parked = items.find(({ deliveries }) => deliveries.some(({ state }) => state === 'parked'));
  const { deliveries } = await stand.message(parked?.messageId ?? '');
  const notes = deliveries.map(({ transitions }) => transitions.at(-1)?.note).join(' ');
  expect(notes).toMatch(/The copy for dead-\d could not be published: .*backlog limit of 2 MiB/);
  expect(calls).toBeLessThan(500);
});

const FULL_OF_BAD =
  'the backlog limit of 20 unfinished deliveries (delivery.backlog) is reached for topic bad, the rest is reserved for other topics';

test.each(['undoDrop', 'retry'] as const)(
  '%s of dropped deliveries needs room like a publish, and says why it is refused',
  async (act) => {
    const stand = await twoTopics();
    stand.set('delivery.backlog', 20);
    stand.set('delivery.retry', { maxAttempts: 1 });
    stand.app.answerWith = ({ path }) => (path === '/bad' ? 500 : 200);
    const { deliveryActions } = stand.runtime;
    const first = await stand.publish('bad');
    await fill(stand, 'bad', 1);
    await deliveryActions.drop({ filter: 'state:parked' });
    expect(await fill(stand, 'bad', 1)).toMatchObject({ taken: 18 });
    await stand.settle();
    const { changed, refused = [] } = await deliveryActions[act]({ filter: 'state:dropped' });
    expect([changed, refused.length]).toEqual([0, 18]);
    expect(refused[0]).toMatchObject({
      code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
      state: 'dropped',
      reason: FULL_OF_BAD,
    });
    const { deliveryId } = await stand.delivery(first);
    await expect(deliveryActions[act]({ deliveryId })).rejects.toMatchObject({
      code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
      params: { pubsubname: 'pubsub', topic: 'bad', reason: FULL_OF_BAD },
    });
    expect(await stand.states(first)).toEqual(['dropped']);
    expect(await stand.states(await stand.publish('good'))).toEqual(['processed']);
    await deliveryActions.drop({ filter: 'state:parked' });
    expect(await deliveryActions[act]({ deliveryId })).toEqual({ changed: 1 });
  },
);

test.each([false, true])(
  'deliveries that are retried together count once each, and ended ones do not; messages kept on disk: %s',
  async (durable) => {
    const stand = await twoTopics(durable);
    stand.set('delivery.backlogBytes', 2 * MIB);
    stand.app.answerWith = ({ path }) => (path === '/bad' ? 'DROP' : 200);
    for (let n = 0; n < 60; n += 1) {
      await stand.publish('bad', BODY);
      await stand.settle();
    }
    stand.app.answerWith = ({ path }) => (path === '/bad' ? 'hang' : 200);
    const { deliveryActions } = stand.runtime;
    const { changed, refused = [] } = await deliveryActions.retry({ filter: 'state:dropped' });
    expect([changed, refused.length]).toEqual([18, 42]);
    expect(await fill(stand, 'bad', BODY)).toMatchObject({ taken: 0 });
    expect(await stand.states(await stand.publish('good', BODY))).toEqual(['processed']);
    stand.app.answerWith = () => 'hang';
    for (const call of [...stand.app.open]) call.answer(200);
    await stand.settle();
    for (const call of [...stand.app.open]) call.answer(200);
    await stand.settle();
    expect(await fill(stand, 'bad', BODY)).toMatchObject({ taken: 18 });
  },
);

test.each(['number', 'bytes'])(
  'a dead letter takes the place of its delivery while it is being written: %s',
  async (measure) => {
    const stand = await started({ journal: new LastingJournal({ durable: true }) }, (it) =>
      subscribe(
        it,
        { topic: 'bad', route: '/bad', deadLetterTopic: 'dead' },
        { topic: 'dead', route: '/dead', deadLetterTopic: 'dead-again' },
        { topic: 'dead-again', route: '/dead' },
        { topic: 'good', route: '/good' },
      ),
    );
    if (measure === 'number') stand.set('delivery.backlog', 20);
    else stand.set('delivery.backlogBytes', 2 * MIB);
    stand.set('delivery.retry', { maxAttempts: 1 });
    stand.set('delivery.concurrency', 100);
    stand.app.answerWith = ({ path }) => (path === '/good' ? 200 : 'hang');
    const { taken } = await fill(stand, 'bad', BODY);
    expect(stand.app.open).toHaveLength(taken);
    for (let level = 0; level < 2; level += 1) {
      let synced: () => void = () => undefined;
      stand.journal.sync = new Promise((go) => (synced = go));
      for (const call of [...stand.app.open]) call.answer(500);
      await stand.settle();
      const good = stand.publish('good', 1);
      await stand.settle();
      expect(stand.runtime.health.of().outbound).toMatchObject({ healthy: true, status: 204 });
      stand.journal.sync = undefined;
      synced();
      expect(await stand.states(await good)).toEqual(['processed']);
      expect(stand.app.open).toHaveLength(taken);
    }
    // Whatever became of them, they count once.
    expect(await fill(stand, 'bad', BODY)).toMatchObject({ taken: 0 });
    for (const call of [...stand.app.open]) call.answer(200);
    await stand.settle();
    expect(await fill(stand, 'bad', BODY)).toMatchObject({ taken });
  },
);

test('a copy that is refused counts as the delivery that it was to be', async () => {
  const stand = await started({}, (it) => {
    it.components.components = [component('pubsub', 'pubsub.in-memory', { publishingScopes: 'app=bad' })];
    subscribe(it, { topic: 'bad', route: '/bad', deadLetterTopic: 'dead' });
  });
  stand.set('delivery.backlog', 20);
  stand.set('delivery.retry', { maxAttempts: 1 });
  stand.app.answerWith = () => 500;
  expect(await fill(stand, 'bad', 1)).toMatchObject({ taken: 18 });
});

test('held deliveries and messages held at publish count in the backlog', async () => {
  const stand = await twoTopics();
  stand.set('delivery.backlog', 20);
  await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:bad' });
  for (let n = 0; n < 9; n += 1) await stand.publish('bad', n);
  await stand.runtime.holds.add({ at: 'publish', filter: 'topic:bad' });
  expect(await fill(stand, 'bad', 1)).toMatchObject({ taken: 9 });
  expect(await stand.states(await stand.publish('good'))).toEqual(['processed']);
});

test('the probe of a full backlog names the topic that has most', async () => {
  const stand = await twoTopics();
  stand.app.answerWith = () => 'hang';
  for (let n = 0; n < 5; n += 1) await stand.publish('bad', n);
  await stand.publish('good');
  stand.set('delivery.backlog', 6);
  const reason =
    'the backlog limit of 6 unfinished deliveries (delivery.backlog) is reached, topic pubsub/bad has most of them';
  await expect(stand.publish('good')).rejects.toMatchObject({ params: { reason } });
  const { healthz, outbound } = stand.runtime.health.of();
  expect(outbound).toMatchObject({ healthy: false, status: 500 });
  expect(outbound.parts).toContainEqual({ name: 'backlog', ok: false, detail: reason, counts: true });
  expect(healthz).toMatchObject({ healthy: true });
  stand.set('delivery.backlog', 7);
  expect(stand.runtime.health.of().outbound).toMatchObject({ healthy: true });
});

test.each([false, true])('the backlog limits bytes too, with messages kept on disk: %s', async (durable) => {
  const stand = await twoTopics(durable);
  stand.set('delivery.backlogBytes', 2 * MIB);
  stand.app.answerWith = ({ path }) => (path === '/bad' ? 'hang' : 200);
  const { taken, reason } = await fill(stand, 'bad', BODY);
  expect(reason).toBe(
    'the backlog limit of 2 MiB of unfinished messages (delivery.backlogBytes) is reached for topic bad by a message of this size, the rest is reserved for other topics',
  );
  expect(taken).toBe(18);
  expect(await stand.states(await stand.publish('good', BODY))).toEqual(['processed']);
  // An ended delivery releases its bytes.
  stand.app.open[0]?.answer(200);
  await stand.settle();
  await stand.publish('bad', BODY);
});

test.each([false, true])(
  'large messages of two full topics leave room for others, also after a restart; kept on disk: %s',
  async (durable) => {
    const stand = await started({ journal: new LastingJournal({ durable }) }, (it) =>
      subscribe(
        it,
        { topic: 'bad', route: '/bad' },
        { topic: 'worse', route: '/bad' },
        { topic: 'good', route: '/good' },
      ),
    );
    stand.set('delivery.backlogBytes', 2 * MIB);
    stand.set('delivery.retry', { maxAttempts: 1 });
    stand.app.answerWith = ({ path }) => (path === '/bad' ? 500 : 200);
    await fill(stand, 'bad', BODY);
    const { reason } = await fill(stand, 'worse', BODY);
    expect(reason).toBe(
      'the backlog limit of 2 MiB of unfinished messages (delivery.backlogBytes) is reached for topic worse by a message of this size, the rest is reserved for other topics',
    );
    const others = async (): Promise<void> => {
      expect(await stand.states(await stand.publish('good', 1))).toEqual(['processed']);
      expect(stand.runtime.health.of().outbound).toMatchObject({ healthy: true, status: 204 });
    };
    await others();
    if (!durable) return;
    await stand.stop();
    await stand.start();
    await others();
  },
);

/** Two topics are full, so that a large message of another one has its room only lent. */
async function twoFullTopics(durable = false): Promise<Stand> {
  const stand = await started({ journal: new LastingJournal({ durable }) }, (it) =>
    subscribe(
      it,
      { topic: 'bad', route: '/bad' },
      { topic: 'worse', route: '/bad' },
      { topic: 'good', route: '/good' },
      { topic: 'other', route: '/good' },
    ),
  );
  stand.set('delivery.backlogBytes', 2 * MIB);
  stand.set('delivery.retry', { maxAttempts: 1 });
  stand.app.answerWith = ({ path }) => (path === '/bad' ? 500 : 200);
  await fill(stand, 'bad', BODY);
  await fill(stand, 'worse', BODY);
  return stand;
}

test('beside two full topics, a third may have one message of the same size at a time', async () => {
  const stand = await twoFullTopics();
  for (let n = 0; n < 10; n += 1)
    expect(await stand.states(await stand.publish('good', BODY))).toEqual(['processed']);
  // While the app has one, a second has no room, but a small one and the first of another topic have.
  stand.app.answerWith = () => 'hang';
  await stand.publish('good', BODY);
  await expect(stand.publish('good', BODY)).rejects.toThrow(
    'the backlog limit of 2 MiB of unfinished messages (delivery.backlogBytes) is reached for topic good by a message of this size',
  );
  await stand.publish('good', 'small');
  await stand.publish('other', BODY);
  expect(stand.runtime.health.of().outbound).toMatchObject({ healthy: true, status: 204 });
});

test('a message whose room is lent keeps it so when it changes beside others of its topic', async () => {
  const stand = await twoFullTopics();
  stand.app.answerWith = () => 'hang';
  const large = await stand.publish('good', BODY);
  await stand.publish('good', 'small');
  await stand.runtime.marks.update(large, { pinned: true });
  expect(stand.runtime.health.of().outbound).toMatchObject({ healthy: true, status: 204 });
  await stand.publish('other', 'small');
  // Once others have ended, what is left has room for it.
  await stand.runtime.deliveryActions.drop({ filter: 'state:parked' });
  await stand.runtime.marks.update(large, { pinned: false });
  expect(await fill(stand, 'bad', BODY)).toMatchObject({ taken: 17 });
});

test('a message whose room is lent keeps it so beside one of its topic that is accepted with it', async () => {
  const stand = await twoFullTopics(true);
  stand.app.answerWith = () => 'hang';
  let synced: () => void = () => undefined;
  stand.journal.sync = new Promise((go) => (synced = go));
  const published = [stand.publish('good', BODY), stand.publish('good', 'small')];
  await stand.settle();
  stand.journal.sync = undefined;
  synced();
  await Promise.all(published);
  expect(stand.runtime.health.of().outbound).toMatchObject({ healthy: true, status: 204 });
  await stand.publish('other', 'small');
});

test('a message above the limit is taken where nothing is unfinished', async () => {
  const stand = await twoTopics();
  stand.set('delivery.backlogBytes', MIB);
  expect(await stand.states(await stand.publish('good', 'x'.repeat(2 * MIB)))).toEqual(['processed']);
});

test('publishes at the same time do not pass the limit together', async () => {
  const stand = await twoTopics();
  stand.set('delivery.backlog', 20);
  stand.app.answerWith = () => 'hang';
  const all = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => stand.publish('bad', n)));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(18);
});

test('a held message leaves its body on disk, and is delivered whole after its release', async () => {
  const stand = await twoTopics(true);
  const hold = await stand.runtime.holds.add({ at: 'delivery', filter: '' });
  const id = await stand.publish('good', { pad: BODY });
  expect(await stand.delivery(id)).toMatchObject({ state: 'held', heldBy: hold.holdId });
  stand.journal.unreadable = new Error('a bad sector');
  await stand.runtime.deliveryActions.release({ messageId: id });
  await stand.settle();
  // The body had to be read: it was not in memory.
  stand.journal.unreadable = undefined;
  expect(await stand.states(id)).toEqual(['parked']);
  await stand.runtime.deliveryActions.removeHold(hold.holdId, false);
  await stand.runtime.deliveryActions.retry({ messageId: id });
  await stand.settle();
  expect(await stand.states(id)).toEqual(['processed']);
  expect(stand.app.last.json()['data']).toEqual({ pad: BODY });
});

test.each(['eventType', 'eventId', 'subject', 'topic', 'contentType', 'note'] as const)(
  'a long %s takes memory as long as its message waits, also where the body is on disk',
  (member) => {
    const settings = new Settings(new Map(), new Map());
    const backlog = new Backlog({ settings, memoryBytes: 10 * MIB, journalBytes: undefined });
    const of = { pubsubname: 'pubsub', topic: member === 'topic' ? BODY : 'orders' };
    const messages = Array.from({ length: 100 }, () => {
      const row = messageRow(1, { ...of, [member]: BODY });
      return liveMessage(row, undefined, {}, '', []);
    });
    let taken = 0;
    while (backlog.full(of) === undefined) {
      const next = messages[taken];
      if (next === undefined) throw new Error('nothing was refused');
      backlog.note(next, true, 1);
      taken += 1;
    }
    // 200,000 bytes each: nine tenths of the room.
    expect(taken).toBe(46);
    expect(backlog.full(of)).toContain('memory');
    for (const one of messages) backlog.forget(one);
    expect(backlog.full(of)).toBeUndefined();
  },
);

test('of an observed message only the memory of its note counts, until it leaves memory', () => {
  const settings = new Settings(new Map(), new Map());
  const backlog = new Backlog({ settings, memoryBytes: MIB, journalBytes: undefined });
  const of = { pubsubname: 'pubsub', topic: 'orders' };
  const observed = (more: object) =>
    liveMessage(messageRow(1, { ...of, tap: 'shop', ...more }), undefined, {}, '', []);
  for (let n = 0; n < 1000; n += 1) backlog.note(observed({}), true, MIB);
  expect(backlog.full(of)).toBeUndefined();
  const noted = Array.from({ length: 10 }, () => observed({ note: BODY }));
  for (const one of noted) backlog.note(one, true, MIB);
  expect(backlog.full(of)).toContain('memory');
  for (const one of noted) backlog.forget(one);
  expect(backlog.full(of)).toBeUndefined();
});

test.each([
  ['a copy is refused beside one that is made', true],
  ['a copy is made twice of one delivery', false],
])('a message counts once more where %s', (_, areTwo) => {
  const settings = new Settings(new Map(), new Map());
  const backlog = new Backlog({ settings, memoryBytes: Infinity, journalBytes: 100 });
  const of = { pubsubname: 'pubsub', topic: 'orders' };
  const deliveries: Parameters<Backlog['moved']>[0][] = [];
  type Counted = Parameters<Backlog['note']>[0];
  const message: Counted & { share: Counted['share'] } = {
    row: messageRow(1, of),
    metadata: {},
    share: undefined,
    noteShare: (share) => void (message.share = share),
    deliveries,
  };
  backlog.note(message, false, 100);
  const first = { state: 'attempting' as const, message };
  const second = areTwo ? { ...first } : first;
  for (const one of areTwo ? [first, second] : [first]) {
    deliveries.push(one);
    backlog.moved(one, null, 'attempting');
  }
  const [stays, other] = [backlog.replace(first), backlog.replace(second)];
  expect(backlog.full(of)).toBeUndefined();
  if (areTwo) {
    stays();
    backlog.moved(second, 'attempting', 'dead-lettered');
  } else other();
  expect(backlog.full(of)).toContain('the backlog limit of 100 bytes');
  backlog.moved(first, 'attempting', null);
  backlog.forget(message);
  expect(backlog.full(of)).toBeUndefined();
});
