/** Messages whose deliveries wait for match rules are compared with a filter in parts, however many there are and however large they are. */
import { expect, test, vi } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { HidingJournal } from '../../core/runtime/persistence/hiding-journal.ts';
import { accepted, filterOf, messageRow, NOW_MS, published } from '../adapters/journal-records.ts';

test.each([
  ['many small messages', Array.from({ length: 450 }, () => 100), [200, 200, 50]],
  ['large messages', [600_000, 600_000, 100, 3_000_000], [1, 2, 1]],
])('%s are compared with a filter in parts', async (_, sizes, parts) => {
  const whole = createMemoryJournal({ codec: bufferCodec });
  const journal = new HidingJournal(whole, { codec: bufferCodec, clock: systemClock() });
  // A scan that takes long ends with a part of the messages; this one takes no time.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const read: number[] = [];
  const details = whole.details.bind(whole);
  whole.details = async (numbers) => {
    read.push(numbers.length);
    return details(numbers);
  };
  const numbers = sizes.map((_size, at) => at + 1);
  for (const number of numbers) {
    const row = messageRow(number, { sizeBytes: sizes[number - 1] ?? 0 });
    await journal.append([accepted(number, { row }), published(number)]);
    journal.late.add(number, () => row);
  }
  const filter = filterOf('topic:orders');
  const query = { filter, order: 'newest', limit: 1000, nowMs: NOW_MS } as const;
  expect((await journal.scan(query)).numbers).toEqual(numbers.toReversed());
  expect(read).toEqual(parts);
  expect(await journal.test(numbers, filter, NOW_MS)).toEqual(new Set(numbers));
});
