/** How much of the bodies that the journal has too stays in memory. What becomes of the others is in restart and edited-bodies. */
import { expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { Settings } from '../../core/host/settings.ts';
import { Backlog } from '../../core/runtime/state/backlog.ts';
import { LiveSet } from '../../core/runtime/state/live-set.ts';
import { liveMessage } from '../../core/runtime/state/live-state.ts';
import type { LiveMessage } from '../../core/runtime/state/live.ts';
import { count, messageRow } from '../adapters/journal-records.ts';
import { LastingJournal } from '../support/lasting-journal.ts';

const MIB = 1024 * 1024;

function publishedMessage(number: number, wire: Uint8Array): LiveMessage {
  const message = liveMessage(messageRow(number), wire, {}, '', []);
  message.notePublished();
  return message;
}

test.each([
  [true, 8],
  [false, 10],
])('bodies beyond 64 MiB leave memory if the journal is durable: %s', (durable, kept) => {
  const settings = new Settings(new Map(), new Map());
  const backlog = new Backlog({ settings, memoryBytes: Infinity, journalBytes: undefined });
  const live = new LiveSet({ journal: new LastingJournal({ durable }), codec: bufferCodec, backlog });
  const wire = new Uint8Array(8 * MIB);
  const messages = Array.from({ length: 10 }, (_, index) => publishedMessage(index + 1, wire));
  for (const message of messages) live.add(message);
  // Compared by number: a list of such bodies that differs would take minutes to print.
  expect(messages.filter((message) => message.wire !== undefined).map(({ row }) => row.number)).toEqual(
    count(1, kept),
  );
});
