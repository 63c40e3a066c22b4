/** Topics of which other consumers may have got messages are stored as one list, and seldom: an app may have a topic for each message. */
import { expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { readObservedTopics } from '../../core/runtime/telemetry/observed-topics.ts';
import { Stand } from '../support/runtime-stand.ts';

/** Time after which a tapped publish becomes a message without its event. */
const WITHOUT_EVENT = 500;

function tapped(stand: Stand, topic: string): void {
  stand.runtime.tapObserver
    .published({
      appId: 'shop',
      profile: PROFILES.dapr,
      protocol: 'http',
      pubsubname: 'redis',
      topic,
      body: Buffer.from('{"n":1}'),
      isBulk: false,
      contentType: 'application/json',
      metadata: {},
      caller: { address: '127.0.0.1:5000', headers: {} },
    })
    .ended({ kind: 'accepted' });
}

/** The topics of each list that was written, oldest first. */
function listsOf({ journal }: Stand): readonly (readonly string[])[] {
  return journal.records.flatMap((record) =>
    record.kind === 'kept' && record.key === 'observed-topics'
      ? [readObservedTopics(record.value).map(({ topic }) => topic)]
      : [],
  );
}

test('the first new topic is stored at once, and those of the next second together', async () => {
  const stand = await new Stand({ profile: 'dapr' }).start();
  for (let n = 0; n < 100; n += 1) tapped(stand, `order/${n}`);
  await stand.pass(WITHOUT_EVENT);
  expect(listsOf(stand)).toEqual([['order/0']]);
  await stand.pass(1000);
  expect(listsOf(stand).map(({ length }) => length)).toEqual([1, 100]);
  await stand.pass(5000);
  expect(listsOf(stand)).toHaveLength(2);
  tapped(stand, 'later');
  await stand.pass(WITHOUT_EVENT);
  expect(listsOf(stand).at(-1)).toContain('later');
});

test('topics that were not stored yet are stored at the stop', async () => {
  const stand = await new Stand({ profile: 'dapr' }).start();
  for (const topic of ['first', 'second']) tapped(stand, topic);
  await stand.pass(WITHOUT_EVENT);
  await stand.stop();
  expect(listsOf(stand)).toEqual([['first'], ['first', 'second']]);
});
