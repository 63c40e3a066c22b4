/** Stopped in order: what may still end, what is cut, and that nothing is left behind. */
import { describe, expect, test } from 'vitest';
import { causeSentence } from '../../core/contract/cause.ts';
import { ScriptedApp } from '../support/scripted-app.ts';
import { Stand, started, subscribe } from '../support/runtime-stand.ts';

describe('a stop', () => {
  test('lets running calls end within the grace period', async () => {
    const stand = await started();
    stand.app.next.push('hang');
    const id = await stand.publish('orders');
    const call = stand.app.last;
    const stopped = stand.stop(5000);
    stand.clock.advance(100);
    call.answer('SUCCESS');
    await stopped;
    await stand.start();
    expect(await stand.states(id)).toEqual(['processed']);
    expect(stand.app.calls).toHaveLength(1);
  });

  test('cancels a call that takes longer, which does not count and is repeated', async () => {
    const stand = await started();
    stand.app.next.push('hang');
    const id = await stand.publish('orders');
    await stand.stop(1000);
    expect(stand.app.isClosed).toBe(true);
    await stand.start();
    expect(await stand.way(id)).toEqual([
      'queued policy.accepted (policy)',
      'attempting policy.attempt (policy)',
      'queued restart.requeued (restart)',
      'attempting policy.attempt (policy)',
      'processed single.2xx.empty (app)',
    ]);
    expect((await stand.delivery(id)).attempts.map(({ number }) => number)).toEqual([1]);
    // What the start says is what the delivery says.
    expect(stand.runtime.resources.began).toMatchObject({ requeued: 1, wentOn: 0 });
    expect(stand.runtime.resources.began.text).toContain('1 was interrupted and is repeated');
  });

  test.each(['a stop', 'a crash'])('%s has interrupted a call once, not again at each start', async (how) => {
    const stand = await started();
    stand.app.next.push('hang');
    await stand.publish('orders');
    if (how === 'a crash') stand.crash();
    else await stand.stop(0);
    stand.app.isOpen = false;
    await stand.start();
    expect(stand.runtime.resources.began).toMatchObject({ requeued: 1, wentOn: 0 });
    for (const isCrash of [false, true]) {
      if (isCrash) stand.crash();
      else await stand.stop(0);
      await stand.start();
      expect(stand.runtime.resources.began).toMatchObject({ requeued: 0, wentOn: 1 });
    }
    // The next call that is cut is another interruption.
    stand.app.next.push('hang');
    stand.app.isOpen = true;
    await stand.pass(60_000);
    expect(stand.app.calls).toHaveLength(2);
    await stand.stop(0);
    await stand.start();
    expect(stand.runtime.resources.began).toMatchObject({ requeued: 1, wentOn: 0 });
  });

  test.each(['a stop', 'a crash'])('%s says that it lost an answer that a hold kept back', async (how) => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'response', filter: '' });
    stand.app.next.push(503);
    const id = await stand.publish('orders');
    if (how === 'a crash') stand.crash();
    else await stand.stop(1000);
    await stand.start();
    await stand.settle();
    const delivery = await stand.delivery(id);
    const cut = delivery.transitions.find(({ rule }) => rule === 'restart.requeued');
    const said = cut && causeSentence(cut, delivery, await stand.message(id), () => undefined);
    expect(said).toMatch(
      /^Sidelight (?:ended|was stopped) while a hold kept the answer back\. The answer to attempt 1 is lost, /,
    );
    expect(stand.runtime.resources.began).toMatchObject({ requeued: 1, wentOn: 0 });
  });

  test('of an app during its call is not said to be an end of Sidelight', async () => {
    const stand = await started();
    stand.app.next.push('hang');
    const id = await stand.publish('orders');
    await stand.during(stand.runtime.membership.leave('app'));
    const delivery = await stand.delivery(id);
    const cut = delivery.transitions.find(({ rule }) => rule === 'restart.requeued');
    const said = cut && causeSentence(cut, delivery, await stand.message(id), () => undefined);
    expect(said).toMatch(/^The app was removed during the call\. It was attempt 1, /);
  });

  test('refuses publishes from then on with the reason, and keeps nothing of them', async () => {
    const stand = await started();
    stand.app.next.push('hang');
    await stand.publish('orders');
    const stopping = stand.stop(5000);
    await expect(stand.publish('orders')).rejects.toMatchObject({
      code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
      params: { reason: 'the sidecar is stopping' },
    });
    stand.app.last.answer(200);
    await stopping;
    expect((await stand.journal.stats()).messages).toBe(1);
  });

  test('starts no waiting delivery', async () => {
    const stand = await started();
    stand.set('delivery.concurrency', 1);
    stand.app.next.push('hang');
    await stand.publish('orders');
    const waiting = await stand.publish('orders');
    const stopping = stand.stop(1000);
    stand.app.last.answer(200);
    await stopping;
    expect(stand.app.calls).toHaveLength(1);
    await stand.start();
    expect(await stand.states(waiting)).toEqual(['processed']);
  });

  test('leaves no timer, listener or watcher behind, and may be called twice', async () => {
    const stand = await started({ apps: ['one', 'two'] }, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders', bulkSubscribe: {} }, { topic: 'b', route: '/b' });
      it.set('app.health', { enabled: true });
      it.appOf('two').isOpen = false;
    });
    await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:b', releaseAfterMs: 60_000 });
    stand.app.answerWith = () => 'RETRY';
    await stand.publish('orders', 'x', { metadata: { ttlInSeconds: '60' } });
    await stand.publish('b');
    await Promise.all([stand.stop(), stand.stop()]);
    expect(stand.clock.waiting).toBe(0);
    expect(stand.components.watchers).toBe(0);
    expect(stand.settings.listeners).toBe(0);
    expect(stand.journal.closed).toBe(1);
    expect([...stand.apps.values()].every(({ isClosed }) => isClosed)).toBe(true);
  });

  test('a part that does not close cleanly does not keep the others open', async () => {
    class Stuck extends ScriptedApp {
      override async close(): Promise<void> {
        throw new Error('stuck');
      }
    }
    const stand = new Stand();
    stand.apps.set('app', new Stuck(stand.clock));
    await stand.start();
    await stand.stop();
    expect(stand.journal.closed).toBe(1);
    expect(stand.logged('error')).toEqual(['Stopping did not finish cleanly: stuck']);
  });
});
