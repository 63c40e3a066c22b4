/** A message that very many subscriptions take costs no more for each of them than one that few take. */
import { expect, test } from 'vitest';
import { KnownDeliveries } from '../../core/runtime/delivering/known-deliveries.ts';
import type { Lane } from '../../core/runtime/state/app.ts';
import type { LiveDelivery } from '../../core/runtime/state/live.ts';
import { liveMessage } from '../../core/runtime/state/live-state.ts';
import { messageRow } from '../adapters/journal-records.ts';
import { started, subscribe } from '../support/runtime-stand.ts';

const MANY = 1000;

function laneOf(topic: string): Pick<Lane, 'key'> {
  return { key: { appId: 'app', pubsubname: 'pubsub', topic } };
}

test('each of 100 subscriptions gets a message once', async () => {
  const stand = await started({}, (it) =>
    subscribe(
      it,
      ...Array.from({ length: 100 }, (_, at) => ({ topic: `${'x'.repeat(at + 1)}*`, route: `/r${at}` })),
    ),
  );
  const id = await stand.publish('x'.repeat(101), 1);
  await stand.settle();
  expect(new Set(stand.app.calls.map(({ path }) => path)).size).toBe(100);
  expect(await stand.states(id)).toEqual(Array.from({ length: 100 }, () => 'processed'));
});

test('the deliveries of a message are searched about once, however many subscriptions look for theirs', () => {
  const known = new KnownDeliveries();
  const message = liveMessage(messageRow(1), '{}', {}, '', []);
  let looks = 0;
  for (let at = 0; at < MANY; at += 1) {
    const subscription = { pubsubname: 'pubsub', topic: `t${at}`, source: 'programmatic' };
    const d = {
      appId: 'app',
      counted: { pubsubname: 'pubsub', topic: 't', lane: `app\npubsub\nt${at}` },
      get subscription() {
        looks += 1;
        return subscription;
      },
    } as unknown as LiveDelivery;
    expect(known.of(laneOf(`t${at}`), message)).toBeUndefined();
    message.addDelivery(d);
  }
  expect(known.of(laneOf('t7'), message)).toBe(message.deliveries[7]);
  expect(looks).toBeLessThan(2 * MANY);
});
