/** `events.since`: at once, after waiting, too late; and how many calls may wait or run. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LongPoll } from '../../core/console/stream/long-poll.ts';
import { FakeEvents, logEvent } from '../support/fake-events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { settle } from './bench.ts';
import { Stand } from './stand.ts';

describe('events.since', () => {
  const { signal } = new AbortController();
  let clock: ManualClock;
  let events: FakeEvents;
  let poll: LongPoll;
  beforeEach(() => {
    clock = new ManualClock();
    events = new FakeEvents(1000);
    poll = new LongPoll(events, clock);
  });

  function log(count: number): void {
    for (let n = 0; n < count; n += 1) events.add(logEvent('line'));
  }

  const sequences = async (params: { sequence: number; limit?: number }): Promise<readonly number[]> => {
    return (await poll.since(params, signal)).events.map(({ sequence }) => sequence);
  };

  test('returns present events at once, never folded, 500 at a time by default', async () => {
    log(600);
    expect(await sequences({ sequence: 597 })).toEqual([598, 599, 600]);
    expect(await sequences({ sequence: 0, limit: 2 })).toEqual([1, 2]);
    expect(await poll.since({ sequence: 0 }, signal)).toMatchObject({ sequence: 500 });
    expect(await poll.since({ sequence: 600 }, signal)).toEqual({ events: [], sequence: 600 });
  });

  test('says when the number is no longer kept, or was never given', async () => {
    log(1001);
    expect(await poll.since({ sequence: 0 }, signal)).toEqual({ events: [], sequence: 1001, reset: true });
    expect(await poll.since({ sequence: 5000, waitMs: 1000 }, signal)).toEqual({
      events: [],
      sequence: 1001,
      reset: true,
    });
    expect(await sequences({ sequence: 1000 })).toEqual([1001]);
  });

  test('waits for the next event', async () => {
    const answer = poll.since({ sequence: 0, waitMs: 30_000 }, signal);
    await settle(1);
    expect(poll.waiting).toBe(1);
    log(1);
    expect(await answer).toMatchObject({ events: [{ sequence: 1 }], sequence: 1 });
    expect([poll.waiting, events.listeners, clock.waiting]).toEqual([0, 0, 0]);
  });

  test('answers without events when its time is up', async () => {
    const answer = poll.since({ sequence: 0, waitMs: 1000 }, signal);
    await settle(1);
    clock.advance(1000);
    expect(await answer).toEqual({ events: [], sequence: 0 });
    expect([poll.waiting, events.listeners, clock.waiting]).toEqual([0, 0, 0]);
  });

  test('stops waiting when its client disconnects', async () => {
    const gone = new AbortController();
    const answer = poll.since({ sequence: 0, waitMs: 1000 }, gone.signal);
    await settle(1);
    gone.abort();
    await answer;
    expect([poll.waiting, events.listeners, clock.waiting]).toEqual([0, 0, 0]);
    await poll.since({ sequence: 0, waitMs: 1000 }, gone.signal);
  });

  test('at most 200 calls wait, and further ones are answered at once', async () => {
    const waiting = Array.from({ length: 200 }, () => poll.since({ sequence: 0, waitMs: 1000 }, signal));
    await settle(1);
    expect(poll.waiting).toBe(200);
    expect(await poll.since({ sequence: 0, waitMs: 1000 }, signal)).toEqual({ events: [], sequence: 0 });
    log(1);
    expect(await Promise.all(waiting)).toHaveLength(200);
  });
});

describe('a connection', () => {
  let stand: Stand;
  beforeEach(() => {
    stand = new Stand();
  });
  afterEach(() => stand.console.close());

  test('has at most 200 calls running; the next is refused by its id, and room comes back', async () => {
    for (let id = 0; id < 201; id += 1) {
      stand.pipe.send({
        jsonrpc: '2.0',
        id,
        method: 'events.since',
        params: { sequence: 0, waitMs: 30_000 },
      });
    }
    await settle();
    expect(stand.pipe.texts.map((text) => JSON.parse(text))).toMatchObject([
      { id: 200, error: { code: -32013, data: { code: 'TOO_LARGE' } } },
    ]);
    stand.log(1);
    await settle();
    expect(stand.pipe.texts).toHaveLength(201);
    expect((await stand.ask('apps.list')).error).toBeUndefined();
  });

  test('that closes ends its calls, and nothing more is sent to it', async () => {
    stand.pipe.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'events.since',
      params: { sequence: 0, waitMs: 30_000 },
    });
    await stand.start();
    stand.pipe.close();
    const heard = stand.pipe.texts.length;
    await settle();
    stand.log(5);
    stand.clock.advance(1000);
    expect(stand.pipe.texts).toHaveLength(heard);
    expect([stand.runtime.events.listeners, stand.clock.waiting, stand.console.pipes]).toEqual([0, 0, 0]);
  });

  test('that sends a text over 8 MiB gets an error for it', async () => {
    stand.pipe.send(`"${'x'.repeat(8 * 1024 * 1024)}"`);
    await settle();
    expect(JSON.parse(stand.pipe.texts[0] ?? '')).toMatchObject({ id: null, error: { code: -32013 } });
  });
});
