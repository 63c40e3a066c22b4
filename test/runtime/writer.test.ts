/** The writer gives the journal its records in order, in groups, and repeats refused ones. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { JournalError } from '../../core/ports/journal.ts';
import type { JournalRecord } from '../../core/ports/journal.ts';
import type { Log } from '../../core/ports/log.ts';
import { Writer } from '../../core/runtime/persistence/writer.ts';
import { EventRing } from '../../core/runtime/telemetry/event-ring.ts';
import { LogBook } from '../../core/runtime/telemetry/log-book.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import type { LastingOptions } from '../support/lasting-journal.ts';
import { ManualClock } from '../support/manual-clock.ts';

describe('the writer', () => {
  const kept = (key: string): JournalRecord => ({ kind: 'kept', key, value: 1 });
  function writing(options: LastingOptions = {}): {
    journal: LastingJournal;
    writer: Writer;
    clock: ManualClock;
    sequence: { now: number };
  } {
    const clock = new ManualClock();
    const journal = new LastingJournal(options);
    const events = new EventRing('e', 0);
    const sequence = { now: 0 };
    const log = new LogBook({ write: () => undefined }, clock, events);
    const onCaughtUp = (): void => undefined;
    const writer = new Writer({ journal, clock, log, sequence: () => sequence.now, onCaughtUp });
    return { journal, writer, clock, sequence };
  }
  const keys = (journal: LastingJournal): string[] =>
    journal.records.flatMap((record) => (record.kind === 'kept' ? [record.key] : []));

  test('refused records are written before later ones', async () => {
    const { journal, writer, clock } = writing();
    void writer.record([kept('1')]);
    await setImmediate();
    journal.failure = new Error('full');
    void writer.record([kept('2')]);
    void writer.record([kept('3')]);
    await setImmediate();
    void writer.record([kept('4')]);
    await setImmediate();
    journal.failure = undefined;
    clock.advance(1000);
    await setImmediate();
    void writer.record([kept('5')]);
    await setImmediate();
    expect(keys(journal)).toEqual(['1', '2', '3', '4', '5']);
  });

  test.each([true, false])(
    'the log says each time that a full journal accepts messages again (at once: %s)',
    async (takesAtOnce) => {
      const { journal, clock } = writing({ takesAtOnce });
      const lines: string[] = [];
      const outside = { write: (...[, , text]: Parameters<Log['write']>) => void lines.push(text) };
      const log = new LogBook(outside, clock, new EventRing('e', 0));
      const writer = new Writer({ journal, clock, log, sequence: () => 0, onCaughtUp: () => undefined });
      for (const round of ['first', 'second']) {
        journal.failure = new JournalError('full', 'no room');
        await expect(writer.accept([kept(round)])).rejects.toThrow('no room');
        journal.failure = undefined;
        await writer.accept([kept(round)]);
        await setImmediate();
      }
      const fails = 'Writing to the journal fails: no room';
      const works = 'Writing to the journal works again.';
      expect(lines).toEqual([fails, works, fails, works]);
    },
  );

  test('a group that is too large because of a new message is written without it', async () => {
    const { journal, writer } = writing();
    const first = writer.record([kept('1')]);
    const append = journal.append.bind(journal);
    journal.append = async (records) => {
      if (records.some((record) => record.kind === 'kept' && record.key === 'new'))
        throw new Error('no room');
      await append(records);
    };
    const accepted = writer.accept([kept('new')]);
    const second = writer.record([kept('2')]);
    await expect(accepted).rejects.toThrow('no room');
    await Promise.all([first, second]);
    expect(keys(journal)).toEqual(['1', '2']);
    expect(writer.trouble).toBeUndefined();
  });

  test('a synchronous journal gets records in order, and callbacks run afterwards', async () => {
    const { journal, writer } = writing({ takesAtOnce: true });
    const told: string[] = [];
    writer.later([kept('1')], () => {
      told.push('1');
      writer.later([kept('3')], () => told.push('3'));
    });
    expect(writer.accept([kept('2')])).toBeUndefined();
    expect([keys(journal), told]).toEqual([['1', '2'], []]);
    await setImmediate();
    expect([keys(journal), told]).toEqual([
      ['1', '2', '3'],
      ['1', '3'],
    ]);
    expect(await journal.lastSequence()).toBe(0);
  });

  test('records that a synchronous journal refuses are repeated in order, and a new message is refused', async () => {
    const { journal, writer, clock } = writing({ takesAtOnce: true });
    const told: string[] = [];
    writer.later([kept('1')], () => told.push('1'));
    journal.failure = new Error('full');
    await expect(writer.accept([kept('new')])).rejects.toThrow('full');
    writer.later([kept('2')], () => told.push('2'));
    writer.later([kept('3')], () => told.push('3'));
    await setImmediate();
    expect(writer.trouble).toBe('full');
    await expect(writer.accept([kept('new')])).rejects.toThrow('full');
    journal.failure = undefined;
    writer.later([kept('4')], () => told.push('4'));
    clock.advance(1000);
    await setImmediate();
    writer.later([kept('5')], () => told.push('5'));
    await setImmediate();
    expect(keys(journal)).toEqual(['1', '2', '3', '4', '5']);
    expect([told, writer.trouble]).toEqual([['1', '2', '3', '4', '5'], undefined]);
  });

  test.each([false, true])(
    'the last event number is written with its records (at once: %s)',
    async (takesAtOnce) => {
      const { journal, writer, sequence } = writing({ takesAtOnce });
      sequence.now = 41;
      await writer.record([kept('1')]);
      expect(await journal.lastSequence()).toBe(41);
    },
  );

  /** A writer on a journal that lets records gather; `appends`: the appended groups without the sequence. */
  function lingering(): ReturnType<typeof writing> & { appends: string[][] } {
    const made = writing();
    const append = made.journal.append.bind(made.journal);
    const appends: string[][] = [];
    Object.assign(made.journal, {
      lingerMs: 5,
      append: async (records: readonly JournalRecord[]) => {
        await append(records);
        appends.push(records.flatMap((record) => (record.kind === 'kept' ? [record.key] : [])));
      },
    });
    return { ...made, appends };
  }

  test('gathered records are written with the next new message', async () => {
    const { writer, appends, clock } = lingering();
    const ends = [writer.record([kept('end 1')]), writer.record([kept('end 2')])];
    await setImmediate();
    expect(appends).toEqual([]);
    await writer.accept([kept('new')]);
    await Promise.all(ends);
    expect(appends).toEqual([['end 1', 'end 2', 'new']]);
    expect(clock.waiting).toBe(0);
  });

  test('records that arrive during a write gather too, and are written a few milliseconds later', async () => {
    const { writer, appends, clock } = lingering();
    const accepted = writer.accept([kept('new')]);
    const end = writer.record([kept('end')]);
    await accepted;
    await setImmediate();
    expect(appends).toEqual([['new']]);
    clock.advance(4);
    await setImmediate();
    expect(appends).toHaveLength(1);
    clock.advance(1);
    await end;
    expect(appends).toEqual([['new'], ['end']]);
  });

  test('stored values and `settled` do not wait for more records', async () => {
    const { writer, appends } = lingering();
    void writer.record([kept('end')]);
    await writer.keep('settings', 1);
    expect(appends).toEqual([['end', 'settings']]);
    void writer.record([kept('other')]);
    await writer.settled();
    expect(appends).toEqual([['end', 'settings'], ['other']]);
  });

  test('a new message that is written at once takes gathered records with it, and their callbacks run afterwards', async () => {
    const { journal, writer, clock } = writing({ lingers: true });
    await writer.accept([kept('first')]);
    await setImmediate();
    const told: string[] = [];
    writer.later([kept('end')], () => told.push('end'));
    expect(keys(journal)).toEqual(['first']);
    expect(writer.accept([kept('new')])).toBeUndefined();
    expect([keys(journal), told]).toEqual([['first', 'end', 'new'], []]);
    await setImmediate();
    expect([told, clock.waiting]).toEqual([['end'], 0]);
  });

  test('a refused write at once loses nothing, writes nothing twice, and refuses the message', async () => {
    const { journal, writer, clock } = writing({ lingers: true });
    await writer.accept([kept('first')]);
    await setImmediate();
    const told: string[] = [];
    writer.later([kept('end')], () => told.push('end'));
    journal.failure = new Error('full');
    await expect(writer.accept([kept('new')])).rejects.toThrow('full');
    expect([keys(journal), told]).toEqual([['first'], []]);
    journal.failure = undefined;
    clock.advance(1000);
    await setImmediate();
    await setImmediate();
    expect([keys(journal), told]).toEqual([['first', 'end'], ['end']]);
  });

  test('messages that come at one moment share an append', async () => {
    const { writer, journal } = lingering();
    const appends: number[] = [];
    const append = journal.append.bind(journal);
    Object.assign(journal, {
      gather: (go: () => void) => void setImmediate().then(go),
      append: async (records: readonly JournalRecord[]) => {
        await append(records);
        appends.push(records.length);
      },
    });
    await Promise.all(['1', '2', '3'].map(async (key) => writer.accept([kept(key)])));
    expect(keys(journal)).toEqual(['1', '2', '3']);
    expect(appends).toHaveLength(1);
  });

  test('more than 500 records are written at once', async () => {
    const { writer, appends } = lingering();
    for (let n = 0; n <= 500; n++) void writer.record([kept(String(n))]);
    await setImmediate();
    expect(appends).toHaveLength(1);
    expect(appends[0]).toHaveLength(501);
  });

  test('drain writes gathered records', async () => {
    const { writer, appends } = lingering();
    void writer.record([kept('end')]);
    await writer.drain(0);
    await setImmediate();
    expect(appends).toEqual([['end']]);
  });

  test('after drain a new message is refused, and no write is repeated', async () => {
    const { journal, writer, clock } = writing();
    journal.failure = new Error('full');
    void writer.record([kept('1')]);
    await setImmediate();
    const drained = writer.drain(10);
    for (let i = 0; i < 5; i += 1) {
      clock.advance(5);
      await setImmediate();
    }
    await drained;
    await expect(writer.accept([kept('2')])).rejects.toMatchObject({ code: 'closed' });
    expect(clock.waiting).toBe(0);
  });
});
