/** The runtime on JetStream: instances beside each other, messages of others, restarts. */
import { headers } from '@nats-io/transport-node';
import { afterEach, expect, test } from 'vitest';
import { NatsStand } from '../support/nats-stand.ts';
import { dataOf, Instance } from '../support/broker-instance.ts';
import type { InstanceOptions } from '../support/broker-instance.ts';
import { newTopic } from '../support/broker-parts.ts';

const stand = new NatsStand();
const running: Instance[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (one) => one.stop()));
});

async function start(options: InstanceOptions, ackWait = '10s'): Promise<Instance> {
  const settings = { natsURL: stand.server.url, ackWait };
  const instance = await Instance.start({
    ...options,
    component: { type: 'pubsub.jetstream', settings },
  });
  running.push(instance);
  return instance;
}

test('a message goes through JetStream and back once, and has its place there', async () => {
  const topic = newTopic();
  const instance = await start({ topic });
  const id = await instance.publish({ n: 1 });
  await instance.ended(1);
  await stand.pending(topic, `app-${topic}`, 0);
  expect(dataOf(instance.app())).toEqual([{ n: 1 }]);
  const rows = await instance.rows();
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    messageId: id,
    broker: { id: '1', stream: topic, group: 'app', consumer: `app-${topic}` },
  });
  expect(rows[0]?.flags).toBeUndefined();
});

test('a message of someone else is one message for all apps here, with their headers', async () => {
  const topic = newTopic();
  const instance = await start({ topic, apps: ['a', 'b', 'c'] });
  await stand.served(topic, 3);
  const given = headers();
  given.set('tenant', 'blue');
  const event = '{"id":"7","type":"t","source":"s","specversion":"1.0","data":{"n":1}}';
  await stand.js.publish(topic, event, { headers: given });
  await instance.ended(3);
  const rows = await instance.rows();
  expect(rows).toHaveLength(1);
  const flags = ['Put into the broker by someone else.'];
  expect(rows[0]).toMatchObject({ eventId: '7', source: 'elsewhere', flags });
  for (const app of instance.apps.values()) {
    expect(dataOf(app)).toEqual([{ n: 1 }]);
    expect(app.last.headers['tenant']).toBe('blue');
  }
});

test('instances with one app id share the messages, one with another id gets all', async () => {
  const topic = newTopic();
  const [one, two] = [await start({ topic }), await start({ topic })];
  const other = await start({ topic, apps: ['other'] });
  const all = Array.from({ length: 60 }, (_, n) => ({ n }));
  for (const data of all) await one.publish(data);
  await other.ended(all.length);
  await one.when(() => one.app().calls.length + two.app().calls.length >= all.length);
  await stand.pending(topic, `app-${topic}`, 0);
  const sorted = (calls: unknown[]): string[] => calls.map((call) => JSON.stringify(call)).toSorted();
  expect(sorted([...dataOf(one.app()), ...dataOf(two.app())])).toEqual(sorted(all));
  expect(sorted(dataOf(other.app('other')))).toEqual(sorted(all));
  expect(two.app().calls.length).toBeGreaterThan(0);
});

test('after a restart open messages continue, and are acknowledged at their end', async () => {
  const topic = newTopic();
  // NATS 2.9 keeps messages that are returned without a pull until this time is over.
  const ackWait = '1s';
  const first = await start({ topic, prepare: (app) => (app.answerWith = () => 'hang') }, ackWait);
  await first.publish({ n: 1 });
  await stand.js.publish(topic, '{"data":{"n":2}}');
  await first.when(() => first.app().open.length === 2);
  await first.stop();
  const second = await start({ topic, journal: first.journal.reopened() }, ackWait);
  await second.ended(2);
  await stand.pending(topic, `app-${topic}`, 0);
  expect(await second.rows()).toHaveLength(2);
});
