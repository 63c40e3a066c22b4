/** A history that keeps nothing which has ended: no message goes before its apps have had it. */
import { expect, test } from 'vitest';
import { LastingJournal } from '../support/lasting-journal.ts';
import { newTopic } from '../support/broker-parts.ts';
import { dataOf, Instance } from '../support/broker-instance.ts';
import { RedisStand } from '../support/redis-stand.ts';
import { started, subscribe } from '../support/runtime-stand.ts';

const redis = new RedisStand({ durable: true });
const AGAIN = 'Published by a Sidelight that keeps another history, or removed from this one since.';
const ALL = Array.from({ length: 100 }, (_, n) => ({ n }));

/** After each write everything goes that may. */
function prunedAtOnce(journal: LastingJournal): LastingJournal {
  journal.afterAppend = () =>
    void journal.prune({ maxMessages: 0, maxBytes: 0, olderThanMs: Infinity }, Date.now(), 1000);
  return journal;
}

test('with an in-memory broker every app gets every message', async () => {
  const stand = await started(
    { apps: ['app', 'other'], journal: new LastingJournal({ durable: true }) },
    (it) => {
      subscribe(it, { topic: 'orders', route: '/orders' });
    },
  );
  prunedAtOnce(stand.journal);
  for (const data of ALL) await stand.publish('orders', data);
  await stand.settle();
  for (const app of stand.apps.values()) expect(app.calls).toHaveLength(100);
});

test('with Redis two apps get every message, also those that the history no longer has', async () => {
  const topic = newTopic();
  const journal = prunedAtOnce(new LastingJournal({ durable: true }));
  const instance = await Instance.start({
    redisHost: redis.server.host,
    topic,
    journal,
    apps: ['app', 'other'],
  });
  try {
    for (const data of ALL) await instance.publish(data);
    for (const appId of ['app', 'other']) {
      await instance.when(() => instance.app(appId).calls.length >= ALL.length);
      const came = dataOf(instance.app(appId)).map((data) => JSON.stringify(data));
      expect(came.toSorted()).toEqual(ALL.map((data) => JSON.stringify(data)).toSorted());
    }
    // A message removed before the broker delivered it is taken into the history again, and says so.
    const again = journal.records.flatMap((record) =>
      record.kind === 'message.accepted' && record.message.row.flags !== undefined
        ? record.message.row.flags
        : [],
    );
    expect(new Set([...again, AGAIN])).toEqual(new Set([AGAIN]));
  } finally {
    await instance.stop();
  }
});
