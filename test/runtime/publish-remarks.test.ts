/** What a publisher probably did not mean, a content type or a time to live: the log says so once, the message each time. */
import { expect, test } from 'vitest';
import { started } from '../support/runtime-stand.ts';

const FLAG = 'Sent without application/json, so the app gets text. Did you mean application/json?';

test('the first message of a topic with such a type is a line of the log, and each one has a remark', async () => {
  const stand = await started();
  const said = (): readonly string[] => stand.logged('warn').filter((text) => text.includes('content type'));
  const publish = (topic: string, contentType: string, body = '{"n":1}'): Promise<string> =>
    stand.publish(topic, body, { contentType });
  const id = await publish('orders', 'aplication/json; charset=utf-8');
  await publish('orders', 'aplication/json; charset=utf-8');
  const text =
    'The content type of a message to orders of pubsub is aplication/json, so apps get its JSON as text. Did you mean application/json?';
  expect(said()).toEqual([text]);
  expect((await stand.journal.get(id))?.row.flags).toEqual([FLAG]);
  await publish('orders', 'text/plain');
  await publish('orders', 'aplication/json', 'no JSON');
  expect(said()).toHaveLength(1);
  await publish('refunds', 'aplication/json');
  expect(said()).toHaveLength(2);
});

test('the first time to live of a topic that is no duration is a line of the log, whatever the values', async () => {
  const stand = await started();
  const said = (): readonly string[] => stand.logged('warn').filter((text) => text.includes('seconds (30)'));
  const publish = (topic: string, metadata: Readonly<Record<string, string>>): Promise<string> =>
    stand.publish(topic, '{"n":1}', { metadata });
  for (const value of ['abc', 'abc', 'b']) await publish('orders', { ttlInSeconds: value });
  const text =
    'A message to orders of pubsub: ttlInSeconds=abc is not a number of seconds (30) or a duration (30s), so it has no effect: the message does not expire by it.';
  expect(said()).toEqual([text]);
  await publish('orders', { ttlInSeconds: '60' });
  expect(said()).toHaveLength(1);
  await publish('orders', { ttl: 'abc' });
  await publish('refunds', { ttlInSeconds: 'abc' });
  expect(said()).toHaveLength(3);
});

test('a metadata key that is nearly the time to live is a line of the log once, and a remark on each message', async () => {
  const stand = await started();
  const said = (): readonly string[] =>
    stand.logged('warn').filter((text) => text.includes('has no effect, so'));
  const publish = (metadata: Readonly<Record<string, string>>): Promise<string> =>
    stand.publish('orders', '{"n":1}', { metadata });
  const note =
    'he metadata key ttlInSecond has no effect, so the message does not expire by it. Did you mean ttlInSeconds?';
  for (const value of ['5', '6']) {
    const id = await publish({ ttlInSecond: value });
    expect((await stand.journal.get(id))?.row.flags).toContain(`T${note}`);
  }
  expect(said()).toEqual([`A message to orders of pubsub: t${note}`]);
  for (const metadata of [
    { ttlInSeconds: '60', ttlInSecond: '5' },
    { ttl: '60' },
    { title: 'a' },
    { n: '1' },
    { ttlInSecond: '' },
  ])
    await publish(metadata);
  expect(said()).toHaveLength(1);
  // A name that is wrong in another place too is another mistake.
  for (const more of [{ metadata: { ttl: 'abc' } }, { misplacedTtl: 'ttl' }, { misplacedTtl: 'ttl' }])
    await stand.publish('orders', '1', more);
  expect(said()).toHaveLength(2);
});

test('a time to live in the wrong place is no remark on an entry of a batch with its own', async () => {
  const stand = await started();
  const entry = { event: 'x', contentType: 'text/plain' };
  const { messageIds } = await stand.runtime.sidecar('app').publishBulk({
    pubsubname: 'pubsub',
    topic: 'orders',
    body: JSON.stringify([
      { ...entry, entryId: '1' },
      { ...entry, entryId: '2', metadata: { ttlInSeconds: '5' } },
    ]),
    metadata: {},
    source: 'http',
    misplacedTtl: 'ttl',
  });
  const flags = await Promise.all(messageIds.map(async (id) => (await stand.journal.get(id))?.row.flags));
  expect(flags).toEqual([[expect.stringContaining('The query parameter ttl has no effect')], undefined]);
});
