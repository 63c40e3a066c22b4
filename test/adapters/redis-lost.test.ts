/** What a server has lost is told once, whichever part of a consumer finds that out. */
import { onTestFinished, expect, test, vi } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { Connection } from '../../core/adapters/redis-streams/connection.ts';
import { StreamConsumer } from '../../core/adapters/redis-streams/consumer.ts';
import { Group } from '../../core/adapters/redis-streams/group.ts';
import { OpenEntries } from '../../core/adapters/redis-streams/open-entries.ts';
import { readRedisSettings } from '../../core/adapters/redis-streams/settings.ts';
import { Unread } from '../../core/adapters/unread.ts';
import { newTopic } from '../support/redis-parts.ts';
import { RedisStand } from '../support/redis-stand.ts';

const stand = new RedisStand();
const log = { write: () => undefined };

test('a read that finds nothing more does not hide what is being asked for meanwhile', async () => {
  const topic = newTopic();
  const settings = readRedisSettings((name) => (name === 'redisHost' ? stand.server.host : ''));
  const commands = new Connection(settings);
  await commands.open();
  const group = new Group({ topic, group: 'a', consumer: 'c' }, commands);
  await group.make();
  const take = vi.fn<() => Promise<'done'>>(async () => 'done');
  const lost: string[] = [];
  const consumer = new StreamConsumer({
    group,
    entries: new OpenEntries({ group, server: '', slots: undefined, log, take }),
    commands,
    reader: new Connection(settings),
    depth: 10,
    processingTimeoutMs: 60_000,
    redeliverIntervalMs: 60_000,
    unread: new Unread(),
    isDoubtful: false,
    trims: false,
    onLost: (messageIds) => void lost.push(...messageIds),
    onNew: () => undefined,
    clock: systemClock(),
    log,
  });
  onTestFinished(async () => {
    await consumer.close();
    commands.end();
  });
  // The look for entries that others left finds that the group is gone, before any read does.
  vi.spyOn(group, 'claim').mockImplementationOnce(async () => {
    await commands.call('XREADGROUP', ['GROUP', 'gone', 'c', 'STREAMS', topic, '>']);
    return { next: '0-0', entries: [] };
  });
  let tell: (there: readonly boolean[]) => void = () => undefined;
  const has = vi.spyOn(group, 'has').mockReturnValueOnce(new Promise((told) => (tell = told)));
  consumer.published('1-1', 'msg_1');
  consumer.start();
  await expect.poll(() => has.mock.calls.length).toBe(1);
  await stand.redis.xadd(topic, '*', 'data', 'x');
  await expect.poll(() => take.mock.calls.length).toBe(1);
  tell([false]);
  await expect.poll(() => lost).toEqual(['msg_1']);
});
