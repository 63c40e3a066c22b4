/** Exports without secrets that stand in numbers, names and words of the export itself, or are written otherwise there. */
import { beforeEach, describe, expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import type { ExportParams } from '../../core/contract/recording.ts';
import { accepted, delivered, published } from '../adapters/journal-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import { inMemoryConsole } from './in-memory-console.ts';
import type { InMemoryConsole } from './in-memory-console.ts';

let console: InMemoryConsole;

function begin(secrets: readonly string[]): void {
  const clock = new ManualClock();
  const bench = makeBench(clock);
  console = inMemoryConsole(clock, {
    ...bench,
    deps: {
      ...bench.deps,
      facts: { ...bench.deps.facts, secrets },
      openRecordingJournal: async () => createMemoryJournal({ codec: bufferCodec }),
    },
  });
}

/** The whole text of an export. */
async function exported(params: ExportParams = {}): Promise<string> {
  const { jobId } = await console.call('recordings.export', params);
  let text = '';
  for (let part = 1; ; part += 1) {
    const made = await console.call('recordings.read', { jobId, part });
    text += made.text;
    if (made.isLast) return text;
  }
}

describe('an export whose secrets look like other values', () => {
  const QUOTED = 'a "b"\\c';
  const data = `{"pin":123456,"long":12345678901234567890,"app":{"id":${JSON.stringify(QUOTED)}}}`;
  const event = `{"specversion":"1.0","id":"1","source":"s","type":"t","data":${data}}`;
  const hidden = '{"pin":"***","long":12345678901234567890,"app":{"id":"***"}}';
  const attempt = {
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:6001/x',
      headers: { state: 'processed', 'x-it': QUOTED },
      body: event,
    },
    response: { status: 200, headers: {}, body: `${event.slice(0, -2)}…`, bodyTruncated: true },
  };
  beforeEach(async () => {
    begin([QUOTED, 'deliveries', 'processed', '1970-01', 'msg_1', '123456']);
    const row = { sizeBytes: 1_234_567, note: 'processed', appId: 'app' };
    await console.runtime.journal.append([
      accepted(1, { wire: event, row }),
      published(1),
      delivered(1, 'processed', { attempt, delivery: { attemptCount: 1 } }),
    ]);
  });

  test('is read again, and has everything but them', async () => {
    const text = await exported();
    expect(text).not.toContain('b\\\\\\"');
    const recording = await console.call('recordings.import', { text, isLast: true });
    expect(recording).toMatchObject({ state: 'ready', messages: 1, problemCount: 0 });
    const again = await exported({ maskHeaders: false, recordingId: recording.recordingId });
    const [, message, attempted] = again.split('\n').map((line) => JSON.parse(line || 'null'));
    expect(message).toMatchObject({
      row: { messageId: 'msg_1', sizeBytes: 1_234_567, note: '***', appId: 'app' },
      wire: event.replace(data, hidden),
      deliveries: [{ delivery: { state: 'processed' } }],
    });
    expect(attempted.attempt.request).toMatchObject({
      headers: { state: '***', 'x-it': '***' },
      body: event.replace(data, hidden),
    });
    expect(attempted.attempt.response.body).not.toContain('b\\"');
  });

  test.each([
    ['ndjson', `${hidden}\n`],
    ['bulk', `"event":${hidden},`],
    ['csv', hidden.replaceAll('"', '""')],
    ['har', JSON.stringify(hidden).slice(1, -1)],
  ] as const)('is the same as %s', async (format, part) => {
    const text = await exported({ format });
    expect(text).toContain(part);
    expect(text).not.toContain('b\\"');
  });

  test('goes into a test without them', async () => {
    const { files } = await console.call('recordings.toTest', {});
    const all = files.map(({ text }) => text).join('');
    expect(all).toContain('12345678901234567890');
    expect(all).not.toMatch(/pin[\\":]+123456|b\\+"/);
  });
});
