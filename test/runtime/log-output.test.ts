/** Lines of the apps' processes beside those of the sidecars. */
import { expect, test } from 'vitest';
import type { ConsoleEvent } from '../../core/contract/console.ts';
import { SecretValues } from '../../core/domain/secret-values.ts';
import { LogBook } from '../../core/runtime/telemetry/log-book.ts';
import { EventRing } from '../../core/runtime/telemetry/event-ring.ts';
import { ManualClock } from '../support/manual-clock.ts';

function aBook(): { book: LogBook; events: ConsoleEvent[]; outside: string[]; clock: ManualClock } {
  const clock = new ManualClock();
  const ring = new EventRing('e', 0);
  const events: ConsoleEvent[] = [];
  ring.onEvent((event) => events.push(event.read()));
  const outside: string[] = [];
  const log = { write: (_level: string, _part: string, text: string) => void outside.push(text) };
  return {
    book: new LogBook(log, clock, ring, new SecretValues(['hush-hush-hush'])),
    events,
    outside,
    clock,
  };
}

test('lines of apps and of sidecars come in one list in their order, page by page, or each kind alone', () => {
  const { book, outside } = aBook();
  for (let i = 0; i < 6; i += 1) {
    book.output(i % 2 === 0 ? 'a' : 'b', 'stdout', `out ${i}`);
    book.write('info', 'part', `own ${i}`);
  }
  const texts: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = book.page({ limit: 5, ...(cursor === '' ? {} : { cursor }) });
    texts.push(...page.items.map(({ text }) => text));
    cursor = page.nextCursor;
  }
  expect(texts.toReversed()).toEqual([0, 1, 2, 3, 4, 5].flatMap((i) => [`out ${i}`, `own ${i}`]));
  expect(book.outputPage({ appId: 'b' }).items.map(({ text }) => text)).toEqual(['out 5', 'out 3', 'out 1']);
  expect(book.page({ filter: 'app:a' }).items).toHaveLength(3);
  expect(outside).toEqual([0, 1, 2, 3, 4, 5].map((i) => `own ${i}`));
});

test.each(['zzz', '', '-1', '1e3'])('a cursor that no page gave is refused: %j', (cursor) => {
  const { book } = aBook();
  const says = expect.objectContaining({ code: 'INVALID_PARAMS' });
  expect(() => book.page({ cursor })).toThrow(says);
  expect(() => book.outputPage({ cursor })).toThrow(says);
});

test('an app that writes much does not push out the lines of the sidecars', () => {
  const { book } = aBook();
  book.write('error', 'part', 'important');
  for (let i = 0; i < 25_000; i += 1) book.output('a', 'stderr', `line ${i}`);
  expect(book.page({ level: 'error' }).items.map(({ text }) => text)).toEqual(['important']);
  expect(book.outputPage({ limit: 1 }).items).toMatchObject([
    { text: 'line 24999', stream: 'stderr', appId: 'a' },
  ]);
  let kept = 0;
  for (let cursor: string | null = '25001'; cursor !== null;) {
    const page = book.outputPage({ cursor, limit: 500 });
    kept += page.items.length;
    cursor = page.nextCursor;
  }
  expect(kept).toBe(10_000);
});

test('output is sent as a few events a second that count the lines left out, with secrets masked', () => {
  const { book, events, clock } = aBook();
  for (let i = 0; i < 150; i += 1) book.output('a', 'stdout', `hush-hush-hush ${i}`);
  book.output('b', 'stdout', 'x'.repeat(5000));
  expect(events).toEqual([]);
  clock.advance(100);
  expect(
    events.map(
      (event) => event.type === 'process.output' && [event.appId, event.entries.length, event.skipped],
    ),
  ).toEqual([
    ['a', 100, 50],
    ['b', 1, 0],
  ]);
  expect(events[0]).toMatchObject({
    entries: expect.arrayContaining([expect.objectContaining({ text: '*** 0' })]),
  });
});
