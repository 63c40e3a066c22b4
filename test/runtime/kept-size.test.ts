/** How much is kept, asked twice a second: without a read of the history where the journal knows it, and without hidden messages. */
import { expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import type { Journal } from '../../core/ports/journal.ts';
import { HidingJournal } from '../../core/runtime/persistence/hiding-journal.ts';

const hiding = (whole: Journal) => new HidingJournal(whole, { codec: bufferCodec, clock: systemClock() });

test('hidden messages do not count', async () => {
  const known: Journal = Object.assign(createMemoryJournal({ codec: bufferCodec }), {
    size: () => Promise.resolve({ messages: 5, bytes: 700 }),
  });
  const journal = hiding(known);
  journal.hide([2, 3]);
  expect(await journal.size?.()).toEqual({ messages: 3, bytes: 700 });
});

test('a journal that does not know it offers no such question', () => {
  expect(hiding(createMemoryJournal({ codec: bufferCodec })).size).toBeUndefined();
});
