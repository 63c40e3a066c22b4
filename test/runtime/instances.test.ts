/** Components that differ from app to app, and topics that carry a prefix at the broker. */
import { expect, test } from 'vitest';
import { MemoryBroker } from '../../core/adapters/memory-pubsub/broker.ts';
import { createMemoryPubSub } from '../../core/adapters/memory-pubsub/pubsub.ts';
import { component } from '../support/listed-components.ts';
import { started, subscribe } from '../support/runtime-stand.ts';

test('a topic prefix is seen by the broker only', async () => {
  const seen: string[] = [];
  const stand = await started({}, (it) => {
    it.components.components = [component('pubsub', 'pubsub.in-memory', {}, { topicPrefix: 'shop' })];
    it.components.own.set('pubsub', () => {
      const broker = new MemoryBroker({ clock: it.clock, log: { write: () => undefined } });
      const inner = createMemoryPubSub({ broker });
      const { publish, subscribe: open } = inner;
      inner.publish = (message) => {
        seen.push(`publish ${message.topic}`);
        return publish.call(inner, message);
      };
      inner.subscribe = (topic, options, take) => {
        seen.push(`subscribe ${topic}`);
        return open.call(inner, topic, options, take);
      };
      return inner;
    });
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  const id = await stand.publish('orders');
  expect(seen).toEqual(['subscribe shoporders', 'publish shoporders']);
  expect(await stand.message(id)).toMatchObject({ topic: 'orders', deliveries: [{ state: 'processed' }] });
  expect(stand.app.calls[0]?.json()['topic']).toBe('orders');
});

test('each app uses its own instance of a component', async () => {
  const stand = await started({ apps: ['one', 'two'] }, (it) => {
    it.components.components = ['one', 'two'].map((appId) =>
      component('pubsub', 'pubsub.in-memory', { failPublish: `poison for ${appId}` }, { scopes: [appId] }),
    );
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  await expect(stand.publish('orders', 'poison for two', { appId: 'two' })).rejects.toMatchObject({
    code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
  });
  const id = await stand.publish('orders', 'poison for two', { appId: 'one' });
  expect(await stand.states(id)).toEqual(['processed', 'processed']);
  expect(stand.runtime.sidecar('two').metadata()['components']).toHaveLength(1);
});

test('an instance that another app gets too is closed only with the last app', async () => {
  let closed = 0;
  const stand = await started({ apps: ['one', 'two'] }, (it) => {
    it.components.components = [component('pubsub', 'pubsub.in-memory')];
    it.components.own.set('pubsub', () => {
      const broker = new MemoryBroker({ clock: it.clock, log: { write: () => undefined } });
      const made = createMemoryPubSub({ broker });
      const { close } = made;
      made.close = async () => {
        closed += 1;
        await close.call(made);
      };
      return made;
    });
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  const scopedTo = (scopes: readonly string[]) => component('pubsub', 'pubsub.in-memory', {}, { scopes });
  stand.components.components = [scopedTo(['one']), scopedTo(['two'])];
  await stand.runtime.resources.reload();
  expect(closed).toBe(0);
  stand.components.components = [scopedTo(['one'])];
  await stand.runtime.resources.reload();
  expect(closed).toBe(1);
  expect(await stand.states(await stand.publish('orders', 'x', { appId: 'one' }))).toEqual(['processed']);
});
