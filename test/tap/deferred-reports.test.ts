// The tap forwards bytes first and reports them afterwards, in their order. Bytes that came together take one write.
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { SeenPublish, TapObserver } from '../../core/ports/tap.ts';
import { DeferredReports } from '../../core/tap/deferred-reports.ts';
import { readHead, requestOf } from '../../core/tap/head.ts';
import { OtherCalls } from '../../core/tap/other-calls.ts';
import { SocketWriter } from '../../core/tap/socket-writer.ts';
import { Replays } from '../../core/tap/replays.ts';
import { LoopGuard } from '../../core/tap/loop-guard.ts';
import { SidecarSide } from '../../core/tap/sidecar-side.ts';
import { UnreadPieces } from '../../core/tap/unread-pieces.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { observerThat } from './observer-that.ts';
import { unexpected } from './unexpected.ts';

function publishThrough(observer: TapObserver, clock: Clock) {
  const reports = new DeferredReports(clock, unexpected);
  const side = new SidecarSide({
    observer,
    reports,
    profile: () => PROFILES.dapr,
    appId: 'shop',
    others: new OtherCalls(),
    onPublish: () => undefined,
    onUnreachable: () => undefined,
    onRefused: () => undefined,
    replays: new Replays(),
    loopGuard: new LoopGuard('mark'),
  });
  const head = readHead(Buffer.from('POST /v1.0/publish/redis/orders HTTP/1.1\r\nHost: a\r\n\r\n'));
  const request = head && requestOf(head);
  const answer = readHead(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'));
  if (request === undefined || answer === undefined) throw new Error('the heads cannot be read');
  return {
    reports,
    exchange: side.begin(request, '127.0.0.1:5000', true),
    answer: { ...answer, status: 204 },
  };
}

const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

test('a publish is reported once bytes pause, then its answer, with the moment at which it passed', async () => {
  const told: string[] = [];
  let passedAt: SeenPublish['at'];
  const clock = new ManualClock();
  const { exchange, answer } = publishThrough(
    observerThat(({ at }) => {
      told.push('publish');
      passedAt = at;
      return { messageIds: ['m1'], ended: ({ kind }) => void told.push(kind) };
    }),
    clock,
  );
  void exchange.requested(Buffer.from('{}'));
  const until = clock.monotonic();
  void exchange.responded(answer, undefined);
  expect(told).toEqual([]);
  await turn();
  expect(told).toEqual([]);
  clock.advance(1);
  expect(told).toEqual(['publish', 'accepted']);
  expect(passedAt?.mono).toBe(until);
});

test('waiting reports are made at once before a decision', () => {
  const reports = new DeferredReports(systemClock(), unexpected);
  const told: number[] = [];
  reports.defer(() => told.push(1));
  reports.defer(() => told.push(2));
  reports.flush();
  expect(told).toEqual([1, 2]);
});

test('bytes without a pause delay reports for half a second, and no longer', async () => {
  const clock = new ManualClock();
  const reports = new DeferredReports(clock, unexpected);
  const told: number[] = [];
  const pass = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n += 1) {
      reports.defer(() => told.push(n));
      clock.advance(0.5);
      await turn();
    }
  };
  await pass(0, 900);
  expect(told).toEqual([]);
  await pass(900, 2_000);
  expect(told.length).toBeGreaterThan(900);
  expect(told).toEqual(told.map((_, n) => n));
});

test('many waiting reports are made while bytes pass, so that their number is limited', async () => {
  let [made, most] = [0, 0];
  const clock = new ManualClock();
  const reports = new DeferredReports(clock, unexpected);
  for (let n = 1; n <= 20_000; n += 1) {
    reports.defer(() => (made += 1));
    // Twenty pieces come in each turn of the event loop.
    if (n % 20 > 0) continue;
    clock.advance(0.1);
    await turn();
    most = Math.max(most, n - made);
  }
  expect(most).toBeLessThan(5_000);
});

test('reports that keep more than 4 MiB are made while bytes pass, though they are few', async () => {
  const clock = new ManualClock();
  const reports = new DeferredReports(clock, unexpected);
  let [made, most] = [0, 0];
  for (let n = 1; n <= 2_000; n += 1) {
    reports.defer(() => (made += 1), 16 * 1024);
    clock.advance(0.1);
    await turn();
    most = Math.max(most, n - made);
  }
  expect(most).toBeGreaterThan(250);
  expect(most).toBeLessThan(300);
});

test('a report has the time at which its bytes passed, and reports that it causes come right after it', () => {
  const clock = new ManualClock();
  const reports = new DeferredReports(clock, unexpected);
  const told: unknown[] = [];
  const passedAt = reports.moment();
  reports.defer(() => reports.defer(() => told.push(reports.moment())));
  reports.defer(() => told.push('next'));
  clock.advance(0.5);
  reports.flush();
  expect(told).toEqual([passedAt, 'next']);
});

test('bytes that are read before their turn are reported in it, with the time at which they passed', () => {
  const clock = new ManualClock();
  const reports = new DeferredReports(clock, unexpected);
  const told: unknown[] = [];
  const passedAt = reports.moment();
  reports.defer(() => told.push('first'));
  const piece = reports.passed(() => {
    told.push('read');
    reports.defer(() => told.push(reports.moment()));
  }, 0);
  clock.advance(0.5);
  reports.defer(() => told.push('last'));
  reports.readNow(piece);
  expect(told).toEqual(['read']);
  reports.flush();
  expect(told).toEqual(['read', 'first', passedAt, 'last']);
});

test('beyond 32 MiB the waiting reports are made at once, and then there is room again', () => {
  const reports = new DeferredReports(new ManualClock(), unexpected);
  let told = 0;
  const mib = 1024 * 1024;
  for (let n = 0; n < 32; n += 1) reports.defer(() => (told += 1), mib);
  expect(told).toBe(0);
  reports.defer(() => (told += 1), 1);
  expect(told).toBe(33);
  reports.defer(() => (told += 1), mib);
  expect(told).toBe(33);
});

/** A socket that keeps what is written to it. */
class Kept extends Socket {
  readonly writes: string[] = [];

  override write(bytes: string | Uint8Array): boolean {
    this.writes.push(Buffer.from(bytes).toString());
    return true;
  }
}

test('adjacent parts of one chunk are one write, and all writes keep their order', () => {
  const socket = new Kept();
  const outlet = new SocketWriter(socket, () => undefined);
  const piece = Buffer.from('head body rest');
  outlet.gather(() => {
    outlet.write(piece.subarray(0, 4));
    outlet.write(piece.subarray(4, 9));
    outlet.write(Buffer.from('-between-'));
    outlet.write(piece.subarray(9));
  });
  outlet.write(Buffer.from('later'));
  expect(socket.writes).toEqual(['head body', '-between-', ' rest', 'later']);
  socket.destroy();
});

test('a request with which too many bytes wait is read once', () => {
  const reports = new DeferredReports(new ManualClock(), unexpected);
  const unread = new UnreadPieces(reports);
  const told: string[] = [];
  reports.defer(() => told.push('large'), 32 * 1024 * 1024 - 10);
  unread.add('request', Buffer.alloc(100), () => told.push('request'));
  unread.add('answer', Buffer.alloc(100), () => told.push('answer'));
  unread.catchUp();
  expect(told).toEqual(['large', 'request', 'answer']);
  expect(unread.unanswered).toBe(0);
});

test('reports up to a moment are made before those of later ones', () => {
  const clock = new ManualClock();
  const reports = new DeferredReports(clock, unexpected);
  const made: string[] = [];
  reports.defer(() => made.push('first'));
  clock.advance(0.2);
  const { mono } = reports.moment();
  reports.defer(() => made.push('second'));
  clock.advance(0.2);
  reports.defer(() => made.push('third'));
  expect(reports.flushInTurns(mono)).toBeUndefined();
  expect(made).toEqual(['first', 'second']);
  reports.flush();
  expect(made).toEqual(['first', 'second', 'third']);
});

const failWith = (words: string) => (): never => {
  throw new Error(words);
};

test('a report that fails keeps no other from being made when all are made at once', () => {
  const told: unknown[] = [];
  const reports = new DeferredReports(new ManualClock(), (cause) => told.push(cause));
  const made: string[] = [];
  reports.defer(() => made.push('first'));
  reports.defer(failWith('the second fails'));
  reports.defer(() => made.push('third'));
  reports.defer(failWith('the fourth fails'));
  reports.defer(() => made.push('fifth'));
  reports.flush();
  expect(made).toEqual(['first', 'third', 'fifth']);
  expect(told).toEqual([new Error('the second fails'), new Error('the fourth fails')]);
});

test('a report that fails in a pause is told, and reports go on being made in pauses', async () => {
  const clock = new ManualClock();
  const told: unknown[] = [];
  const reports = new DeferredReports(clock, (cause) => told.push(cause));
  const made: string[] = [];
  reports.defer(failWith('the first fails'));
  reports.defer(() => made.push('second'));
  clock.advance(1);
  await turn();
  expect(made).toEqual(['second']);
  reports.defer(() => made.push('third'));
  clock.advance(1);
  await turn();
  expect(made).toEqual(['second', 'third']);
  expect(told).toEqual([new Error('the first fails')]);
});

test('a report that fails where too many bytes wait does not fail what passes', () => {
  const told: unknown[] = [];
  const reports = new DeferredReports(new ManualClock(), (cause) => told.push(cause));
  reports.defer(failWith('it fails'));
  reports.defer(() => undefined, 33 * 1024 * 1024);
  expect(told).toEqual([new Error('it fails')]);
});

describe('reports for which an event of another tap waits', () => {
  /** Numbers of reports that are made after turns of the event loop, until there are so many. */
  async function numbersUntil(all: number, made: readonly number[]): Promise<readonly number[]> {
    const found = new Set([made.length]);
    while (made.length < all) {
      await turn();
      found.add(made.length);
    }
    return [...found];
  }

  function waiting(count: number, bytes = 0, failing?: number) {
    let now = 0;
    // No pause comes: nothing is made by itself.
    const clock: Clock = { now: () => now, monotonic: () => now, at: () => () => undefined };
    const reports = new DeferredReports(clock, unexpected);
    const made: number[] = [];
    for (; now < count; now += 1) {
      const n = now;
      reports.defer(() => {
        if (n === failing) throw new Error('it fails');
        made.push(n);
      }, bytes);
    }
    return { reports, made };
  }

  test('are made in turns of the event loop, in their order', async () => {
    const { reports, made } = waiting(250);
    const all = reports.flushInTurns();
    expect(await numbersUntil(250, made)).toEqual([100, 200, 250]);
    await all;
    expect(made).toEqual(made.toSorted((a, b) => a - b));
  });

  test('with long bodies are fewer in a turn', async () => {
    const { reports, made } = waiting(4, 600 * 1024);
    const all = reports.flushInTurns();
    expect(made).toHaveLength(2);
    await all;
    expect(made).toHaveLength(4);
  });

  test('that passed later go on waiting', async () => {
    const { reports, made } = waiting(10);
    expect(reports.flushInTurns(4)).toBeUndefined();
    expect(made).toEqual([0, 1, 2, 3, 4]);
  });

  test('of several events take the turns of one', async () => {
    const { reports, made } = waiting(250);
    const first = reports.flushInTurns(200);
    const second = reports.flushInTurns(240);
    expect(await numbersUntil(241, made)).toEqual([100, 200, 241]);
    await first;
    await second;
  });

  test('of an event that needs none of those that are left take no turn', async () => {
    const { reports, made } = waiting(250);
    const all = reports.flushInTurns();
    expect(made).toHaveLength(100);
    expect(reports.flushInTurns(50)).toBeUndefined();
    await all;
  });

  test('of thousands of events take no more turns than those of one', async () => {
    const { reports } = waiting(250);
    let isDone = false;
    const all = Array.from({ length: 2_000 }, async (_, n) => reports.flushInTurns(200 + (n % 50)));
    void Promise.all(all).then(() => (isDone = true));
    let turns = 0;
    for (; !isDone; turns += 1) await turn();
    expect(turns).toBeLessThan(10);
  });

  test('that fail are told to one event, and the others get theirs', async () => {
    const { reports, made } = waiting(150);
    reports.defer(() => {
      throw new Error('it fails');
    });
    const told = await Promise.allSettled([
      reports.flushInTurns(),
      reports.flushInTurns(),
      reports.flushInTurns(120),
    ]);
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(made).toHaveLength(150);
  });

  test('that fail are told to the first event that needs them, and to none before', async () => {
    const { reports } = waiting(150, 0, 110);
    const told = await Promise.allSettled([
      reports.flushInTurns(105),
      reports.flushInTurns(119),
      reports.flushInTurns(119),
    ]);
    expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('that fail at once are told like those that fail in a later turn', async () => {
    const { reports } = waiting(3, 0, 0);
    await expect(reports.flushInTurns()).rejects.toThrow('it fails');
  });

  test('that fail in a later turn end nothing where nobody holds the promise', async () => {
    const unheard: unknown[] = [];
    const hear = (cause: unknown): void => void unheard.push(cause);
    process.on('unhandledRejection', hear);
    try {
      const { reports, made } = waiting(150, 0, 110);
      void reports.flushInTurns(119);
      void reports.flushInTurns(149);
      await numbersUntil(149, made);
      await turn();
    } finally {
      process.off('unhandledRejection', hear);
    }
    expect(unheard).toEqual([]);
  });

  test('are made at once where something else waits for all', async () => {
    const { reports, made } = waiting(250);
    const all = reports.flushInTurns();
    reports.flush();
    expect(made).toHaveLength(250);
    await all;
  });

  test('are none during a report: what passed before is made', () => {
    const reports = new DeferredReports(new ManualClock(), unexpected);
    const told: unknown[] = [];
    reports.defer(() => void told.push(reports.flushInTurns()));
    reports.defer(() => void told.push('next'));
    reports.flush();
    expect(told).toEqual([undefined, 'next']);
  });
});
