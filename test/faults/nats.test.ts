/** A NATS server that is killed and started again under load: a sample; the long suite does more of it. */
import { expect, test } from 'vitest';
import { NatsStand } from '../support/nats-stand.ts';
import { dataOf, Instance } from '../support/broker-instance.ts';
import { newTopic } from '../support/broker-parts.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { bothAnew, bothAnewForTwo, MESSAGES, subscribesLater } from './brokers-both.ts';
import type { Both } from './brokers-both.ts';
import { natsBroker } from './brokers.ts';
import { underLoad } from './redis-load.ts';

const stand = new NatsStand();

test('a killed NATS loses no acknowledged message, and a refused publish gives the reason', async () => {
  const { acknowledged, reasons } = await underLoad(natsBroker(stand), { kills: 1, each: 400 });
  expect(acknowledged).toBeGreaterThanOrEqual(400);
  for (const reason of reasons) expect(reason).toContain(`Cannot reach NATS at ${stand.server.host}`);
});

test('messages that waited at a server that comes back empty are delivered from the history', async () => {
  const more = { memoryStorage: 'true', concurrency: 'single' };
  const broker = natsBroker(stand, 'nats that keeps nothing', more);
  const { acknowledged } = await underLoad(broker, { kills: 1, each: 400 });
  expect(acknowledged).toBeGreaterThanOrEqual(400);
});

test('messages published while the subscription is being created are delivered from the history', async () => {
  const [topic, proxy] = [newTopic(), await TcpProxy.to(stand.server.port)];
  // The stream is made, its consumer is asked for and never is.
  const asked = new Promise<void>((go) => {
    proxy.swallows = (sent) => {
      const isMeant = sent.includes('$JS.API.CONSUMER.');
      if (isMeant) go();
      return isMeant;
    };
  });
  const settings = { natsURL: `nats://127.0.0.1:${proxy.port}`, memoryStorage: 'true' };
  const instance = await Instance.start({ topic, component: { type: 'pubsub.jetstream', settings } });
  try {
    await asked;
    await instance.publish({ n: 1 });
    await stand.server.kill();
    proxy.swallows = () => false;
    await stand.server.start();
    await instance.ended(1);
    expect(dataOf(instance.app())).toEqual([{ n: 1 }]);
  } finally {
    await instance.stop();
    await proxy.close();
  }
});

function emptyAnew(): Both {
  const topic = newTopic();
  const settings = { natsURL: stand.server.url, memoryStorage: 'true', concurrency: 'single' };
  return {
    topic,
    start: (options) =>
      Instance.start({ ...options, topic, component: { type: 'pubsub.jetstream', settings } }),
    restart: async (whileAway) => {
      await stand.server.kill();
      await whileAway?.();
      await stand.server.start();
    },
  };
}

test('messages that waited at a server that comes back empty during a restart of Sidelight are delivered from the history', async () => {
  expect(await bothAnew(emptyAnew())).toEqual(MESSAGES);
});

test('the second of two apps also gets the messages of the first from the history if the server comes back empty', async () => {
  expect(await bothAnewForTwo(emptyAnew())).toEqual([MESSAGES, MESSAGES]);
});

test('an app that subscribes after its server came back empty still gets the published messages', async () => {
  expect(await subscribesLater(emptyAnew())).toEqual([{ n: 1 }]);
});
