/** An event that goes to many streams, or again and again to an app, is read once. */
import { expect, test, vi } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { readEventOf } from '../../core/runtime/delivering/read-event.ts';
import type { LiveMessage } from '../../core/runtime/state/live.ts';

const eventOf = (id: string, size: number): Buffer =>
  Buffer.from(JSON.stringify({ specversion: '1.0', id, source: 's', type: 't', data: 'x'.repeat(size) }));

/** Reads bytes of messages; `reads` counts how often bytes were looked at. */
function reading() {
  const toText = vi.fn<typeof bufferCodec.toText>((bytes) => bufferCodec.toText(bytes));
  const codec = { ...bufferCodec, toText };
  // Only its identity matters.
  const message = (): LiveMessage => Object.create(null) as LiveMessage;
  return {
    message,
    read: (of: LiveMessage, wire: Uint8Array) => readEventOf(of, wire, codec),
    get reads() {
      return toText.mock.calls.length;
    },
  };
}

test('a large event is read once for the attempts that follow each other', () => {
  const it = reading();
  const message = it.message();
  const wire = eventOf('1', 200_000);
  const first = it.read(message, wire);
  expect(first).toMatchObject({ ok: true, value: { id: '1' } });
  const { reads } = it;
  for (let n = 0; n < 1000; n += 1) expect(it.read(message, wire)).toBe(first);
  expect(it.reads).toBe(reads);
});

test('other bytes of a message, and those of other messages, are read', () => {
  const it = reading();
  const [one, other] = [it.message(), it.message()];
  expect(it.read(one, eventOf('1', 200_000))).toMatchObject({ value: { id: '1' } });
  expect(it.read(one, eventOf('2', 200_000))).toMatchObject({ value: { id: '2' } });
  expect(it.read(other, eventOf('3', 200_000))).toMatchObject({ value: { id: '3' } });
  expect(it.read(one, eventOf('1', 200_000))).toMatchObject({ value: { id: '1' } });
});
