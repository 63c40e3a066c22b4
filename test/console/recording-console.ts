/** A console that keeps imported recordings in memory, and an export of its own for tests of what others make of one. */
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import type { Attempt } from '../../core/contract/message.ts';
import type { BodyLine, HeaderLine } from '../../core/domain/recording/lines.ts';
import { accepted, delivered, published } from '../adapters/journal-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import { inMemoryConsole } from './in-memory-console.ts';
import type { InMemoryConsole } from './in-memory-console.ts';

export type ExportedLine = HeaderLine | BodyLine;

export function recordingConsole(): InMemoryConsole {
  const clock = new ManualClock();
  const bench = makeBench(clock);
  const openRecordingJournal = async () => createMemoryJournal({ codec: bufferCodec });
  return inMemoryConsole(clock, { ...bench, deps: { ...bench.deps, openRecordingJournal } });
}

/** The lines of an export: of one message, with a delivery whose attempt got this response. */
export async function exportedLines(
  console: InMemoryConsole,
  response: NonNullable<Attempt['response']>,
): Promise<readonly ExportedLine[]> {
  await console.runtime.journal.append([
    accepted(1, { data: { n: 1 } }),
    published(1),
    delivered(1, 'processed', {
      delivery: { attemptCount: 1 },
      attempt: { response, durationMs: 1, endedAt: '2026-03-01T10:00:00.001Z' },
      transition: { rule: 'single.2xx.success', cause: 'app' },
    }),
  ]);
  const { jobId } = await console.call('recordings.export', {});
  const { text } = await console.call('recordings.read', { jobId, part: 1 });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
