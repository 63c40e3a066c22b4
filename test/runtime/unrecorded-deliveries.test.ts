/** A kill may leave a message whose deliveries had not reached the disk: it is still for the apps that had subscribed when it was accepted. */
import { describe, expect, test } from 'vitest';
import { StreamChannel } from '../../core/grpc/stream-channel.ts';
import { MAX_SUBSCRIPTIONS } from '../../core/runtime/apps/last-subscriptions.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { componentBack, started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';
import { BULK, bulkStand, calls, says, SINGLE } from './awaited.ts';
import { cutAfterAccepted } from './cut-after-accepted.ts';

const WAITS = { state: 'queued', waitsFor: { pubsubname: 'pubsub', topic: 'orders' } };

/** The next start, at which no app has these subscriptions any more. Calls before it do not count. */
async function startWithout(stand: Stand): Promise<void> {
  for (const app of stand.apps.values()) app.calls.length = 0;
  subscribe(stand);
  await stand.start();
  await stand.pass(60_000);
}

/** A client opens a stream of `orders`. Gives the texts of its events. */
async function streamOf(stand: Stand): Promise<string[]> {
  const seen: string[] = [];
  const sidecar = stand.runtime.sidecar('app');
  const channel = new StreamChannel({
    peer: '127.0.0.1:1',
    send: (event, taken) => {
      seen.push(Buffer.from(event()?.data ?? []).toString());
      taken();
    },
    turns: sidecar.turns,
  });
  channel.begin();
  await sidecar.openStream({ pubsubname: 'pubsub', topic: 'orders', metadata: {}, channel });
  await stand.settle();
  return seen;
}

describe('a message whose deliveries a kill took', () => {
  test.each([
    ['an append that takes time', {}],
    ['an append that gathers', { lingers: true }],
  ])('waits for an app that does not subscribe at the next start: %s', async (_, how) => {
    const stand = await started({ journal: new LastingJournal(how) });
    const id = await cutAfterAccepted(stand);
    await startWithout(stand);
    expect(await stand.delivery(id)).toMatchObject(WAITS);
    expect(stand.app.calls).toEqual([]);
    await says(stand, { topic: 'orders', route: '/orders' });
    expect(await stand.states(id)).toEqual(['processed']);
    expect(calls(stand)).toEqual(['/orders 0']);
  });

  test('keeps waiting over further starts', async () => {
    const stand = await started();
    const id = await cutAfterAccepted(stand);
    await startWithout(stand);
    stand.crash();
    await startWithout(stand);
    expect(await stand.delivery(id)).toMatchObject(WAITS);
    await says(stand, { topic: 'orders', route: '/orders' });
    expect(calls(stand)).toEqual(['/orders 0']);
  });

  test('goes to an app with the same subscription once', async () => {
    const stand = await bulkStand();
    const id = await cutAfterAccepted(stand);
    await stand.start();
    await stand.pass(300);
    expect(calls(stand)).toEqual(['/batches 1']);
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('keeps route and form that its subscription had', async () => {
    const stand = await bulkStand(BULK);
    const id = await cutAfterAccepted(stand);
    subscribe(stand, SINGLE);
    await stand.start();
    await stand.pass(300);
    expect(calls(stand)).toEqual(['/batches 1']);
    expect((await stand.delivery(id)).subscription.settings).toMatchObject({ deadLetterTopic: 'dead' });
  });

  test('waits for an app that the next start does not name', async () => {
    const stand = await started({ apps: ['shop', 'mail'] });
    const mail = stand.appOf('mail');
    const id = await cutAfterAccepted(stand);
    stand.apps.delete('mail');
    await stand.start();
    await stand.pass(1000);
    const { deliveries } = await stand.message(id);
    expect(deliveries.map(({ appId, state }) => `${appId} ${state}`)).toEqual([
      'shop processed',
      'mail queued',
    ]);
    stand.crash();
    stand.apps.set('mail', mail);
    await stand.start();
    expect(await stand.states(id)).toEqual(['processed', 'processed']);
  });

  test('waits for the next stream', async () => {
    const stand = await started({}, () => undefined);
    await streamOf(stand);
    await streamOf(stand);
    const id = await cutAfterAccepted(stand);
    await stand.start();
    await stand.pass(1000);
    expect(await stand.delivery(id)).toMatchObject(WAITS);
    expect(await streamOf(stand)).toEqual(['x']);
  });

  test('waits for its component first, and then for the app', async () => {
    const stand = await started();
    const id = await cutAfterAccepted(stand);
    for (let i = 0; i < 2; i += 1) {
      stand.components.components = [];
      await startWithout(stand);
      expect(await stand.message(id)).toMatchObject({ stage: 'waiting', deliveries: [] });
      stand.crash();
    }
    await stand.start();
    await componentBack(stand);
    expect(await stand.delivery(id)).toMatchObject(WAITS);
    await says(stand, { topic: 'orders', route: '/orders' });
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('is not for an app that no longer subscribed when it was accepted, nor for one that was not there', async () => {
    const stand = await started({ apps: ['shop', 'mail'] });
    stand.crash();
    stand.apps.delete('mail');
    await stand.start();
    await says(stand);
    const id = await cutAfterAccepted(stand);
    await startWithout(stand);
    expect(await stand.states(id)).toEqual([]);
  });

  test('ends where no rule of its subscription took it', async () => {
    const rules = [{ match: 'event.type == "other"', path: '/other' }];
    const stand = await started({}, (it) => subscribe(it, { topic: 'orders', routes: { rules } }));
    const id = await cutAfterAccepted(stand);
    await startWithout(stand);
    expect((await stand.way(id)).at(-1)).toContain('policy.no-route');
  });
});

test('what is kept of the subscriptions has a limit, and is read with care', async () => {
  const many = Array.from({ length: MAX_SUBSCRIPTIONS / 2 }, (_, n) => ({ topic: `t${n}`, route: '/t' }));
  const stand = await started({ apps: ['shop', 'mail', 'stock'] }, (it) => subscribe(it, ...many));
  expect(await stand.journal.kept('subscriptions')).toHaveLength(MAX_SUBSCRIPTIONS);
  await stand.journal.append([
    { kind: 'kept', key: 'subscriptions', value: [null, {}, { subscription: { topic: 'orders' } }] },
  ]);
  const id = await cutAfterAccepted(stand);
  await startWithout(stand);
  expect(await stand.states(id)).toEqual([]);
});
