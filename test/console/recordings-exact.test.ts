/** Exports have the published bytes: numbers that no double holds, bytes that are no text, byte order marks, unusual white space. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { openSqliteJournal } from '../../core/adapters/sqlite-journal/journal.ts';
import { Console } from '../../core/console/console.ts';
import type { ExportStarted, Recording } from '../../core/contract/recording.ts';
import { bytesOf } from '../../core/domain/codec.ts';
import type { Wire } from '../../core/domain/codec.ts';
import { elementTexts } from '../../core/contract/json-scan.ts';
import { memberTexts } from '../../core/domain/json-parts.ts';
import type { Journal } from '../../core/ports/journal.ts';
import { accepted, published } from '../adapters/journal-records.ts';
import { testFolder } from '../adapters/sqlite-folder.ts';
import type { TestFolder } from '../adapters/sqlite-folder.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import type { Bench } from './bench.ts';
import { call, exported } from './recording-calls.ts';

/** JSON texts that are others once they were read and written. */
const JSON_TEXTS = [
  ...['12345678901234567890', '-0', '1.0', '1e400', '1E2', '0.1e-400', '9007199254740993', '1.50'],
  String.raw`{"a":1e400,"b":12345678901234567890}`,
  String.raw`{ "z" : 1 , "a" : [ 1.0 , 2 ] }`,
  '{"a":1,\r\n  "b":[\n1]}',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1.0}}',
  String.raw`"\u0041\/\ud800"`,
  String.raw`{"\u0061":"\u00e9"}`,
  '"\u2028"',
  '{"10":1,"9":2}',
];
const TEXTS = ['', 'plain', '\ufeff{"a":1.0}', 'a\0b', 'two\r\nlines', '{"a":1.0} and more', 'NaN', '\u202e'];
const BYTES = [
  [0xff, 0xfe, 0x00],
  [0xed, 0xa0, 0x80],
  [0xc0, 0xaf],
  [0x7b, 0x22, 0x80, 0x7d],
].map((bytes) => new Uint8Array(bytes));

const json = fc.oneof(fc.constantFrom(...JSON_TEXTS), fc.json({ noUnicodeString: false }));

let bench: Bench;
let console: Console;
let at: TestFolder;
let opened: Journal | undefined;

beforeEach(async () => {
  at = await testFolder();
  return async () => {
    await console.close();
    await at.remove();
  };
});

function begin(): void {
  bench = makeBench(new ManualClock());
  console = new Console({
    ...bench.deps,
    openRecordingJournal: async () => {
      const folder = await mkdtemp(join(at.folder, 'scratch-'));
      const log = { write: () => undefined };
      opened = await openSqliteJournal({ folder, sync: 'normal', ballastBytes: 0, isScratch: true, log });
      return opened;
    },
  });
}

async function keep(wires: readonly Wire[], raw: boolean): Promise<void> {
  for (const [index, wire] of wires.entries())
    await bench.runtime.journal.append([
      accepted(index + 1, { wire, row: { raw, contentType: 'application/json' } }),
      published(index + 1),
    ]);
}

const enveloped = (data: string): string =>
  `{"specversion":"1.0","id":"1","source":"shop","type":"t","data":${data} ,"after":1.0}`;

/** The JSON in one line: line breaks between its parts mean nothing. */
const inline = (text: string): string => text.replaceAll(/[\r\n]/g, '');

test('through a recording every wire comes back byte by byte', async () => {
  const wires = [...JSON_TEXTS.map(enveloped), ...JSON_TEXTS, ...TEXTS, ...BYTES];
  begin();
  await keep(wires, true);
  // Some editors put a mark in front when they save.
  const text = `\ufeff${await exported(console, { maskHeaders: false })}`;
  const recording = await call<Recording>(console, 'recordings.import', { text });
  expect(recording).toMatchObject({ state: 'ready', messages: wires.length, problemCount: 0 });
  const kept = (await opened?.details(wires.map((_, index) => index + 1))) ?? [];
  const hex = (wire: Wire): string => Buffer.from(bytesOf(wire, bufferCodec)).toString('hex');
  expect(kept.map((detail) => hex(detail?.message.wire ?? ''))).toEqual(wires.map(hex));
});

describe('payloads keep their digits', () => {
  test.each([false, true])('every export format keeps the digits of payloads, raw: %s', async (raw) => {
    await fc.assert(
      fc.asyncProperty(fc.array(json, { minLength: 12, maxLength: 24 }), async (texts) => {
        begin();
        await keep(raw ? texts : texts.map(enveloped), raw);
        const own = texts.map((text) => text.trim());
        expect(await exported(console, { maskHeaders: false, format: 'ndjson' })).toBe(
          own.map((text) => `${inline(text)}\n`).join(''),
        );
        const entries = elementTexts(await exported(console, { maskHeaders: false, format: 'bulk' }));
        expect(entries.map((entry) => memberTexts(entry).get('event'))).toEqual(own);
        // A mask that leads nowhere changes nothing, one that does changes nothing else.
        expect(
          await exported(console, {
            maskHeaders: false,
            format: 'ndjson',
            maskPaths: ['nowhere.to.be.found'],
          }),
        ).toBe(own.map((text) => `${inline(text)}\n`).join(''));
        const publish = vi
          .spyOn(bench.runtime.publishByHand, 'one')
          .mockResolvedValue({ messageId: 'msg_new' });
        const { recordingId } = await call<Recording>(console, 'recordings.import', {
          text: await exported(console, { maskHeaders: false }),
        });
        const { jobId } = await call<ExportStarted>(console, 'recordings.replay', { recordingId });
        await expect
          .poll(() => call(console, 'jobs.get', { jobId }))
          .toMatchObject({ running: false, failed: [] });
        const bodies = publish.mock.calls.map(([given]) => given.body);
        expect(bodies).toEqual(raw ? texts : own);
        await console.close();
      }),
      // A run costs what it opens; what could go wrong is in the texts.
      { numRuns: 2 },
    );
  });
});

test('a masked part is the only thing that changes', async () => {
  begin();
  const data =
    '{ "card": { "number": 4111 , "n": 1.0 }, "big":12345678901234567890, "card":{"number":"4111"} }';
  await keep([enveloped(data), '{"card":{"number":1e400},"x":1.50}'], false);
  expect(await exported(console, { maskHeaders: false, format: 'ndjson', maskPaths: ['card.number'] })).toBe(
    '{ "card": { "number": "***" , "n": 1.0 }, "big":12345678901234567890, "card":{"number":"***"} }\nnull\n',
  );
});

test('payloads that are no JSON are texts as JSON strings, or bytes as base64', async () => {
  begin();
  const wires = [...TEXTS, ...BYTES];
  await keep(wires, true);
  const lines = (await exported(console, { maskHeaders: false, format: 'ndjson' })).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    wires.map((wire) =>
      typeof wire === 'string' ? wire : { data_base64: Buffer.from(wire).toString('base64') },
    ),
  );
});
