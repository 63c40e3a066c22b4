/** Deliveries whose component is not there, or of an older history: they wait, and go out once their subscription is served. */
import { describe, expect, test } from 'vitest';
import { component } from '../support/listed-components.ts';
import { ScriptedApp } from '../support/scripted-app.ts';
import { componentBack, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';
import { accepting, BULK, bulkStand, calls, says, SINGLE } from './awaited.ts';

/** The next start finds the component's server away. */
async function restartWithout(stand: Stand): Promise<void> {
  stand.crash();
  stand.components.components = [component('pubsub', 'pubsub.away')];
  stand.components.own.set('pubsub', () => {
    throw new Error('the server is away');
  });
  await stand.start();
}

describe('a missing component', () => {
  test('sends nothing and uses no attempt after a restart, and sends the batch once it is back', async () => {
    const stand = await bulkStand();
    stand.app.next.push('hang');
    const ids = [await stand.publish('orders', 1), await stand.publish('orders', 2)];
    stand.app.calls.length = 0;
    await restartWithout(stand);
    await stand.pass(60_000);
    expect(calls(stand)).toEqual([]);
    for (const id of ids)
      expect(await stand.delivery(id)).toMatchObject({
        state: 'queued',
        waitsFor: { pubsubname: 'pubsub', topic: 'orders' },
        subscription: { settings: { bulk: { maxMessagesCount: 2 }, deadLetterTopic: 'dead' } },
      });
    await componentBack(stand);
    await stand.pass(200);
    expect(calls(stand)).toEqual(['/batches 2']);
    for (const id of ids) expect(await stand.states(id)).toEqual(['processed']);
  });

  test('is noted once over several restarts', async () => {
    const stand = await bulkStand();
    const id = await stand.publish('orders', 1);
    for (let i = 0; i < 3; i += 1) await restartWithout(stand);
    const said = (await stand.way(id)).filter((step) => step.includes('policy.no-subscription'));
    expect(said).toHaveLength(1);
  });

  test('that was removed from the files and added again continues with the waiting deliveries', async () => {
    const stand = await bulkStand(SINGLE);
    stand.app.next.push(500);
    const id = await stand.publish('orders', 1);
    stand.components.components = [];
    await stand.runtime.resources.reload();
    await stand.pass(60_000);
    expect(stand.app.calls).toHaveLength(1);
    expect(await stand.delivery(id)).toMatchObject({ state: 'queued', waitsFor: {} });
    await componentBack(stand);
    await stand.pass(0);
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('open deliveries wait for a subscription that the component refuses', async () => {
    const stand = await bulkStand(SINGLE);
    stand.app.next.push(500);
    const id = await stand.publish('orders', 1);
    let refusal: string | undefined = 'no room for another consumer';
    stand.components.components = [component('pubsub', 'pubsub.refusing')];
    stand.components.own.set('pubsub', () => ({
      features: {
        bulkPublish: false,
        bulkSubscribe: false,
        ttl: false,
        wildcards: false,
        keepsHistory: false,
        redelivers: false,
      },
      capabilities: [],
      start: async () => undefined,
      close: async () => undefined,
      publish: async () => undefined,
      subscribe: async () => {
        if (refusal !== undefined) throw new Error(refusal);
        return { close: async () => undefined };
      },
    }));
    await stand.runtime.resources.reload();
    await stand.pass(60_000);
    expect(stand.app.calls).toHaveLength(1);
    expect(await stand.delivery(id)).toMatchObject({ state: 'queued', waitsFor: {} });
    refusal = undefined;
    await stand.pass(120_000);
    expect(await stand.states(id)).toEqual(['processed']);
  });
});

test('a delivery of an older history without settings waits too, and is then sent as the subscription says', async () => {
  const stand = await bulkStand();
  const id = await stand.publish('orders', 1);
  stand.crash();
  const last = stand.journal.records.findLast((record) => record.kind === 'delivery');
  if (last?.kind !== 'delivery') throw new Error('there is no delivery');
  const { settings: _settings, ...subscription } = last.delivery.subscription;
  stand.journal = stand.journal.reopened();
  await stand.journal.append([{ kind: 'delivery', delivery: { ...last.delivery, subscription } }]);
  subscribe(stand);
  await stand.start();
  await stand.pass(60_000);
  expect(calls(stand)).toEqual([]);
  accepting(stand);
  await says(stand, BULK);
  await stand.pass(200);
  expect(calls(stand)).toEqual(['/batches 1']);
  const { subscription: kept } = await stand.delivery(id);
  expect(kept.settings).toMatchObject({ deadLetterTopic: 'dead' });
});

test('after a restart with the subscription present, deliveries no longer say that they wait for it', async () => {
  const stand = await bulkStand(SINGLE);
  stand.app.next.push(500, 500);
  const ids = [await stand.publish('orders', 1), await stand.publish('orders', 2)];
  await says(stand);
  await stand.pass(1000);
  for (const id of ids) expect(await stand.delivery(id)).toMatchObject({ waitsFor: {} });
  stand.crash();
  stand.set('delivery.concurrency', 1);
  stand.app.next.push('hang');
  subscribe(stand, SINGLE);
  await stand.start();
  const found = await Promise.all(ids.map((id) => stand.delivery(id)));
  expect(found.map(({ state }) => state).toSorted()).toEqual(['attempting', 'queued']);
  expect(found.map(({ waitsFor }) => waitsFor)).toEqual([undefined, undefined]);
});

test('an app that is removed and added again with its id gets the waiting deliveries', async () => {
  const stand = await bulkStand(SINGLE);
  stand.app.next.push(500);
  const id = await stand.publish('orders', 1);
  await says(stand);
  await stand.pass(1000);
  await stand.runtime.membership.leave('app');
  subscribe(stand, SINGLE);
  await stand.runtime.membership.enter(
    { appId: 'app', channel: stand.app, added: true },
    async () => undefined,
  );
  await stand.pass(200);
  expect(await stand.states(id)).toEqual(['processed']);
});

test('deliveries of a missing app say what they wait for, retrying ones once they are due, and continue when it is back', async () => {
  const stand = await bulkStand(SINGLE);
  stand.app.next.push(500, 'hang');
  const retrying = await stand.publish('orders', 1);
  const queued = await stand.publish('orders', 2);
  stand.crash();
  const { app } = stand;
  stand.apps.delete('app');
  stand.apps.set('other', new ScriptedApp(stand.clock, 'http://app.test:7001'));
  await stand.start();
  expect(await stand.delivery(queued)).toMatchObject({ state: 'queued', waitsFor: { topic: 'orders' } });
  expect(await stand.delivery(retrying)).toMatchObject({ state: 'retrying' });
  await stand.pass(1000);
  expect(await stand.delivery(retrying)).toMatchObject({ state: 'queued', waitsFor: { topic: 'orders' } });
  expect(stand.runtime.status()).toMatchObject({ forApp: 2 });
  app.subscriptions = [{ pubsubname: 'pubsub', ...SINGLE }];
  await stand.runtime.membership.enter({ appId: 'app', channel: app, added: true }, async () => undefined);
  await stand.pass(200);
  expect([await stand.states(retrying), await stand.states(queued)]).toEqual([['processed'], ['processed']]);
});

test('deliveries of a removed app say what they wait for', async () => {
  const stand = await bulkStand(SINGLE);
  stand.app.next.push('hang');
  const id = await stand.publish('orders', 1);
  await Promise.all([stand.runtime.membership.leave('app'), stand.pass(2000)]);
  expect(await stand.delivery(id)).toMatchObject({ state: 'queued', waitsFor: { topic: 'orders' } });
});

test('a replay to a delivery of a removed subscription waits for the subscription too', async () => {
  const stand = await bulkStand(SINGLE);
  const id = await stand.publish('orders', 1);
  const { deliveryId } = await stand.delivery(id);
  await says(stand);
  const { messageId } = await stand.runtime.replay.replay(id, undefined, deliveryId);
  await stand.pass(1000);
  expect(await stand.delivery(messageId)).toMatchObject({ state: 'queued', waitsFor: {} });
  await says(stand, SINGLE);
  await stand.pass(0);
  expect(await stand.states(messageId)).toEqual(['processed']);
});
