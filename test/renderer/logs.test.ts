/** Log lines: joining pages, keeping up, mistakes of the filter, lines as text. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LogEntry, Params } from '../../core/contract/console.ts';
import { createLink } from '../../renderer/client/link.ts';
import { createRpcClient } from '../../renderer/client/rpc-client.ts';
import { newerThan } from '../../renderer/state/log-lines.ts';
import { createLogs, LOG_MAX } from '../../renderer/state/logs.ts';
import {
  inOneLine,
  lineText,
  linesText,
  linkOfLine,
  logFileName,
} from '../../renderer/views/logs/log-text.ts';
import { FakeHost, Refused } from './fake-pipe.ts';

function line(n: number, more: Partial<LogEntry> = {}): LogEntry {
  return {
    at: new Date(Date.UTC(2026, 2, 1) + n).toISOString(),
    level: 'info',
    part: 'delivery',
    text: `line ${n}`,
    ...more,
  };
}

function lines(from: number, to: number): LogEntry[] {
  return Array.from({ length: to - from }, (_, index) => line(from + index));
}

/** A host with a log that grows; pages newest first, as the real one does. */
class LogHost {
  all: LogEntry[] = [];
  readonly fake = new FakeHost({ 'logs.list': (params) => this.#page(params) });

  #page({ level, filter = '', cursor, limit = 100 }: Params<'logs.list'>): {
    items: readonly LogEntry[];
    nextCursor: string | null;
  } {
    if (filter === 'bad:') throw new Refused('FILTER_SYNTAX', 'Expected a value after "bad:" at 5.');
    const end = cursor === undefined ? this.all.length : Number(cursor);
    const items: LogEntry[] = [];
    let place = end;
    while (place > 0 && items.length < limit) {
      place -= 1;
      const entry = this.all[place];
      if (entry === undefined || (level === 'error' && entry.level !== 'error')) continue;
      if (entry.text.includes(filter)) items.push(entry);
    }
    return { items, nextCursor: place > 0 ? String(place) : null };
  }
}

async function logsOf(host: LogHost): Promise<ReturnType<typeof createLogs>> {
  const link = createLink({ open: host.fake.open });
  const logs = createLogs(createRpcClient(link, { lost: 'lost', away: 'away', noAnswer: 'no answer' }));
  await vi.advanceTimersByTimeAsync(0);
  return logs;
}

const texts = (logs: ReturnType<typeof createLogs>): readonly string[] =>
  logs.store.getState().lines.map(({ text }) => text);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('newerThan', () => {
  test('returns the lines newer than the known ones, oldest first', () => {
    expect(newerThan(lines(0, 6), lines(3, 9).toReversed())).toEqual(lines(6, 9));
    expect(newerThan(lines(0, 6), lines(3, 6).toReversed())).toEqual([]);
  });

  test('does not join if only one line agrees by chance', () => {
    const known = [line(1), line(2), line(9, { text: 'same' })];
    const page = [line(9, { text: 'same' }), line(7), line(6)];
    expect(newerThan(known, page)).toBeUndefined();
  });

  test('returns nothing for a page that does not reach the known lines', () => {
    expect(newerThan(lines(0, 3), lines(5, 9).toReversed())).toBeUndefined();
    expect(newerThan([], lines(5, 9).toReversed())).toBeUndefined();
  });
});

describe('the lines', () => {
  test('are all pages of the host, oldest first, then only new ones', async () => {
    const host = new LogHost();
    host.all = lines(0, 1200);
    const logs = await logsOf(host);
    logs.watch();
    await vi.advanceTimersByTimeAsync(10);
    expect(logs.store.getState()).toMatchObject({ status: 'ready', first: -700 });
    expect(texts(logs)).toEqual(host.all.map(({ text }) => text));
    const asked = host.fake.called('logs.list').length;
    host.all.push(...lines(1200, 1205));
    await vi.advanceTimersByTimeAsync(1000);
    expect(texts(logs)).toHaveLength(1205);
    expect(logs.store.getState().lines.at(-1)).toEqual(line(1204));
    expect(host.fake.called('logs.list')).toHaveLength(asked + 1);
  });

  test('a burst of several pages leaves no gap', async () => {
    const host = new LogHost();
    host.all = lines(0, 3);
    const logs = await logsOf(host);
    logs.watch();
    await vi.advanceTimersByTimeAsync(10);
    host.all.push(...lines(3, 1300));
    await vi.advanceTimersByTimeAsync(1000);
    // Joined, not begun again: the lines that were there keep their places.
    expect(logs.store.getState().first).toBe(0);
    expect(texts(logs)).toEqual(host.all.map(({ text }) => text));
  });

  test('another run of the host replaces the lines', async () => {
    const host = new LogHost();
    host.all = lines(0, 10);
    const logs = await logsOf(host);
    logs.watch();
    await vi.advanceTimersByTimeAsync(10);
    host.all = lines(5000, 5004);
    await vi.advanceTimersByTimeAsync(1000);
    expect(texts(logs)).toEqual(host.all.map(({ text }) => text));
  });

  test('are at most as many as the host keeps while following, and twice that while reading', async () => {
    const host = new LogHost();
    host.all = lines(0, LOG_MAX + 200);
    const logs = await logsOf(host);
    logs.watch();
    await vi.advanceTimersByTimeAsync(50);
    expect(texts(logs)).toHaveLength(LOG_MAX);
    const { first } = logs.store.getState();
    logs.show({ follow: false });
    host.all.push(...lines(6000, 6400));
    await vi.advanceTimersByTimeAsync(1000);
    expect(logs.store.getState()).toMatchObject({ first });
    expect(texts(logs)).toHaveLength(LOG_MAX + 400);
    logs.show({ follow: true });
    host.all.push(line(7000));
    await vi.advanceTimersByTimeAsync(1000);
    expect(texts(logs)).toHaveLength(LOG_MAX);
    expect(logs.store.getState().first).toBe(first + 401);
  });

  test('stand still while paused, and catch up afterwards', async () => {
    const host = new LogHost();
    host.all = lines(0, 3);
    const logs = await logsOf(host);
    logs.watch();
    await vi.advanceTimersByTimeAsync(10);
    logs.show({ paused: true });
    host.all.push(line(3));
    await vi.advanceTimersByTimeAsync(3000);
    expect(texts(logs)).toHaveLength(3);
    logs.show({ paused: false });
    await vi.advanceTimersByTimeAsync(0);
    expect(texts(logs)).toHaveLength(4);
  });

  test('are not requested while nobody watches', async () => {
    const host = new LogHost();
    const logs = await logsOf(host);
    const stop = logs.watch();
    await vi.advanceTimersByTimeAsync(10);
    stop();
    const asked = host.fake.called('logs.list').length;
    logs.onTick();
    await vi.advanceTimersByTimeAsync(5000);
    expect(host.fake.called('logs.list')).toHaveLength(asked);
  });

  test('stay those of the last valid filter after a mistake, which is reported', async () => {
    const host = new LogHost();
    host.all = [line(0, { text: 'one a' }), line(1, { text: 'b' })];
    const logs = await logsOf(host);
    logs.watch();
    await vi.advanceTimersByTimeAsync(10);
    logs.show({ filter: 'one' });
    await vi.advanceTimersByTimeAsync(10);
    expect(texts(logs)).toEqual(['one a']);
    logs.show({ filter: 'bad:' });
    await vi.advanceTimersByTimeAsync(10);
    expect(logs.store.getState().mistake).toContain('at 5');
    host.all.push(line(2, { text: 'one c', level: 'error' }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(texts(logs)).toEqual(['one a', 'one c']);
    logs.show({ level: 'error' });
    await vi.advanceTimersByTimeAsync(10);
    expect(texts(logs)).toEqual(['one c']);
    expect(logs.store.getState().mistake).toContain('at 5');
    logs.show({ filter: '' });
    await vi.advanceTimersByTimeAsync(10);
    expect(logs.store.getState()).toMatchObject({ mistake: undefined, status: 'ready' });
  });

  test('a refusal is a failure of the list until the host answers again', async () => {
    const host = new LogHost();
    const { answers } = host.fake;
    const good = answers['logs.list'];
    answers['logs.list'] = () => {
      throw new Refused('INTERNAL', 'broken');
    };
    const logs = await logsOf(host);
    logs.watch();
    await vi.advanceTimersByTimeAsync(10);
    expect(logs.store.getState()).toMatchObject({ status: 'failed' });
    expect(logs.store.getState().failure?.message).toBe('broken');
    if (good !== undefined) answers['logs.list'] = good;
    host.all = lines(0, 2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(logs.store.getState()).toMatchObject({ status: 'ready', failure: undefined });
  });
});

describe('lines as text', () => {
  const entry = line(8412, {
    level: 'warn',
    text: 'The app answered 503:\nto be retried.',
    rule: 'single.other',
    messageId: 'msg_1',
    deliveryId: 'dlv_1',
    attemptId: 'att_1',
  });

  test('begin each entry once, with rule and ids', () => {
    expect(lineText(entry)).toBe(
      '2026-03-01T00:00:08.412Z WARN  delivery: The app answered 503:\n    to be retried. [single.other] message=msg_1 delivery=dlv_1 attempt=att_1',
    );
    expect(linesText([line(0), line(1)])).toBe(
      '2026-03-01T00:00:00.000Z INFO  delivery: line 0\n2026-03-01T00:00:00.001Z INFO  delivery: line 1\n',
    );
  });

  test('are in a file that is named by its time', () => {
    expect(logFileName(new Date(Date.UTC(2026, 2, 1, 14, 32, 8)))).toBe('sidelight-20260301-143208.log');
  });

  test('link to the attempt, the delivery or the message, if there is one', () => {
    expect(linkOfLine(entry)).toBe('/messages?m=msg_1&d=dlv_1&t=attempts');
    expect(linkOfLine(line(0, { messageId: 'msg_2' }))).toBe('/messages?m=msg_2');
    expect(linkOfLine(line(0))).toBeUndefined();
  });

  const MESSAGE = 'msg_0197c5b1a2d3a1b2c3d4e5f6';
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
  const EVENT = '0f8fad5b-d9cb-469f-a165-70867728950e';

  test.each([
    [`stored ${MESSAGE}.`, `/messages?m=${MESSAGE}`],
    [`traceparent 00-${TRACE}-00f067aa0ba902b7-01`, `/messages?f=trace%3A${TRACE}`],
    [`{"id":"${EVENT}"}`, `/messages?f=id%3A${EVENT}`],
    [`${EVENT} of ${TRACE}`, `/messages?f=id%3A${EVENT}`],
    [`${TRACE}00`, undefined],
    ['nothing here', undefined],
  ])('a line of an app links to what it names: %j', (text, expected) => {
    expect(linkOfLine(line(0, { text, appId: 'shop', stream: 'stdout' }))).toBe(expected);
    expect(linkOfLine(line(0, { text }))).toBeUndefined();
  });

  test('a line of an app carries its name', () => {
    expect(lineText(line(0, { part: 'app', appId: 'shop', stream: 'stdout' }))).toContain(
      'INFO  shop: line 0',
    );
  });
});

test('a text of several lines is one line in a row of its own height', () => {
  expect(inOneLine('Body: <!doctype html>\r\n  <html>\n\n<h1>no</h1>\n')).toBe(
    'Body: <!doctype html> ↵ <html> ↵ <h1>no</h1>',
  );
  expect(inOneLine('    at once')).toBe('    at once');
});
