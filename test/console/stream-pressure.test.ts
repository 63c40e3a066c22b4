/** A slow or disconnected client: acknowledgement, reset, bounds; and the status sent to every client. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { STREAM } from '../../core/contract/stream-bounds.ts';
import { Stand } from './stand.ts';

let stand: Stand;
function use(ringSize?: number): void {
  stand = new Stand(ringSize);
}
beforeEach(() => use());
afterEach(() => stand.console.close());

describe('back-pressure', () => {
  test('with 4 unacknowledged batches nothing more is sent until an acknowledgement', async () => {
    await stand.start();
    for (let n = 0; n < 10; n += 1) {
      stand.log(1);
      stand.clock.advance(33);
    }
    expect(stand.spans()).toEqual([1, 2, 3, 4].map((n) => [n, n]));
    stand.ack(1);
    expect(stand.spans().slice(4)).toEqual([[5, 10]]);
    stand.ack(10);
    stand.log(1);
    stand.clock.advance(33);
    expect(stand.spans().slice(5)).toEqual([[11, 11]]);
  });

  test('missed events are folded and split like any batch', async () => {
    await stand.start();
    for (let n = 0; n < 4; n += 1) {
      stand.log(1);
      stand.clock.advance(33);
    }
    stand.log(1200);
    stand.clock.advance(33);
    stand.ack(4);
    expect(stand.spans().slice(4)).toEqual([
      [5, 504],
      [505, 1004],
      [1005, 1204],
    ]);
  });

  test('an acknowledgement of what was not sent, or twice, changes nothing', async () => {
    await stand.start();
    stand.log(1);
    stand.clock.advance(33);
    stand.ack(99);
    stand.ack(0);
    stand.ack(1);
    stand.log(1);
    stand.clock.advance(33);
    expect(stand.spans()).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  test('when the ring has lost missed events, one reset is sent, and nothing until the next open', async () => {
    use(50);
    await stand.start();
    for (let n = 0; n < 4; n += 1) {
      stand.log(1);
      stand.clock.advance(33);
    }
    stand.log(60);
    stand.clock.advance(33);
    stand.ack(4);
    stand.ack(4);
    stand.log(60);
    stand.clock.advance(33);
    expect(stand.told('stream.reset')).toEqual([{ epoch: 'epoch-1' }]);
    expect(stand.spans()).toHaveLength(4);
    expect(stand.runtime.events.listeners).toBe(0);
    expect(await stand.start({ epoch: 'epoch-1', since: 4 })).toMatchObject({
      sequence: 124,
      snapshot: { rows: [] },
    });
    stand.log(1);
    stand.clock.advance(33);
    expect(stand.spans()).toEqual([[125, 125]]);
  });

  test('a client that rests after a screenful gets what comes meanwhile, however much that is', async () => {
    await stand.start({ scope: 'views' });
    const { viewId } = await stand.view();
    await stand.numbers(viewId, 0, 50);
    await stand.accept(50);
    await stand.rhythm(1);
    const before = stand.spans().at(-1)?.[1];
    expect(before).toBe(50);
    stand.ack(50);
    stand.log(STREAM.ringEvents + 500);
    await stand.accept(1);
    for (let n = 0; n < 10; n += 1) await stand.rhythm(1);
    expect(stand.told('stream.reset')).toEqual([]);
    expect(stand.spans().at(-1)?.[1]).toBe(stand.runtime.events.sequence);
  });

  test('a pause under load lasts its time, and ends with the events of the rows that are in sight then', async () => {
    use(STREAM.ringEvents);
    await stand.start({ scope: 'views' });
    const { viewId } = await stand.view();
    await stand.numbers(viewId, 0, 50);
    await stand.accept(50);
    await stand.rhythm(1);
    stand.ack(50);
    const frames = stand.spans().length;
    await stand.accept(2 * STREAM.ringEvents);
    const readRows = vi.spyOn(stand.runtime.journal, 'rows');
    await stand.rhythm(1);
    expect(stand.spans()).toHaveLength(frames);
    for (let n = 0; n < 10; n += 1) await stand.rhythm(1);
    expect(stand.told('stream.reset')).toEqual([]);
    const { sequence } = stand.runtime.events;
    expect(stand.spans().slice(frames)).toEqual([[51, sequence]]);
    const shown = stand
      .told('stream.batch')
      .at(-1)
      ?.events.map((event) => 'row' in event && event.row.number);
    expect(shown?.toSorted()).toEqual(
      Array.from({ length: 50 }, (_, place) => 2 * STREAM.ringEvents + 1 + place).toSorted(),
    );
    // The ring has lost events meanwhile, but it has all of the newest messages.
    expect(stand.told('view.changed').at(-1)?.rows.length).toBeGreaterThanOrEqual(50);
    expect(readRows).not.toHaveBeenCalled();
  });

  test('50 clients that never acknowledge get 4 batches each, made once', async () => {
    const slow = Array.from({ length: 50 }, () => stand.attach());
    for (const end of slow) await stand.start({}, end);
    await stand.start();
    for (let n = 0; n < 200; n += 1) {
      stand.log(STREAM.batchEvents, 'x'.repeat(300));
      stand.clock.advance(33);
      stand.ack(Number.MAX_SAFE_INTEGER);
    }
    for (const end of slow) {
      expect(stand.spans(end)).toHaveLength(STREAM.unacknowledged);
      // The very same text, not a copy of it.
      expect(
        end.texts
          .filter((text) => text.includes('stream.batch'))
          .every((text) => stand.pipe.texts.includes(text)),
      ).toBe(true);
    }
    const sent = stand.told('stream.batch');
    expect(sent.at(-1)?.to).toBe(200 * STREAM.batchEvents);
    expect(sent.every((batch, n) => n === 0 || batch.from === (sent[n - 1]?.to ?? 0) + 1)).toBe(true);
  });
});

describe('runtime.changed', () => {
  test('has the rate and the count a second after the one event', async () => {
    await stand.start();
    stand.clock.advance(10_000);
    stand.pipe.texts.length = 0;
    stand.log(1);
    for (let step = 0; step < 2; step += 1) {
      stand.clock.advance(500);
    }
    stand.runtime.rates = { in: 0.2, out: 0 };
    stand.clock.advance(500);
    expect(stand.told('runtime.changed').at(-1)).toMatchObject({ rates: { in: 0.2 } });
  });

  test('is sent at the start, then at most every 500 ms while something changes', async () => {
    await stand.start();
    expect(stand.told('runtime.changed')).toMatchObject([{ kept: 0 }]);
    for (let n = 0; n < 10; n += 1) {
      await stand.runtime.accept();
      stand.clock.advance(100);
      stand.ack(Number.MAX_SAFE_INTEGER);
    }
    expect(stand.told('runtime.changed')).toMatchObject([{ kept: 0 }, { kept: 5 }, { kept: 10 }]);
    stand.clock.advance(5000);
    expect(stand.told('runtime.changed').at(-1)).toMatchObject({ kept: 10 });
    const told = stand.told('runtime.changed').length;
    stand.clock.advance(60_000);
    expect(stand.told('runtime.changed')).toHaveLength(told);
    expect(stand.clock.waiting).toBe(0);
  });

  test('is sent until the rates are down, also if they do not change for a while', async () => {
    await stand.start();
    stand.runtime.rates = { in: 3, out: 3 };
    stand.log(1);
    stand.clock.advance(5000);
    expect(stand.told('runtime.changed').at(-1)).toMatchObject({ rates: { in: 3 } });
    const told = stand.told('runtime.changed').length;
    stand.runtime.rates = { in: 0, out: 0 };
    stand.clock.advance(500);
    expect(stand.told('runtime.changed').at(-1)).toMatchObject({ rates: { in: 0 } });
    expect(stand.told('runtime.changed')).toHaveLength(told + 1);
    stand.clock.advance(60_000);
    expect(stand.clock.waiting).toBe(0);
  });

  test('a client that is behind gets the newest one when it has caught up', async () => {
    await stand.start();
    for (let n = 0; n < 4; n += 1) {
      stand.log(1);
      stand.clock.advance(33);
    }
    const told = stand.told('runtime.changed').length;
    await stand.runtime.accept();
    stand.clock.advance(5000);
    expect(stand.told('runtime.changed')).toHaveLength(told);
    stand.ack(4);
    expect(stand.told('runtime.changed').at(-1)).toMatchObject({ kept: 1 });
    expect(stand.told('runtime.changed')).toHaveLength(told + 1);
  });
});
