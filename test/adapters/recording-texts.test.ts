/** Texts of exports and tests come from a thread: the same texts, and the process continues meanwhile. */
import { expect, onTestFinished, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createRecordingTexts } from '../../core/adapters/recording-texts/texts.ts';
import { EXPORT_FORMATS } from '../../core/contract/words.ts';
import { ExportText } from '../../core/domain/recording/export-texts.ts';
import type { ExportOrder } from '../../core/domain/recording/export-texts.ts';
import { makeMaskedTest } from '../../core/domain/recording/masked-test.ts';
import type { RecordedMessage } from '../../core/domain/recording/recorded.ts';
import type { RecordingTexts } from '../../core/ports/recording-texts.ts';
import { messageRow } from './journal-records.ts';

const SECRET = 'hidden-value-7';

function texts(): RecordingTexts {
  const made = createRecordingTexts();
  onTestFinished(() => made.close());
  return made;
}

function order(format: ExportOrder['format']): ExportOrder {
  const facts = { product: '1', exportedAt: '2026-01-01T00:00:00.000Z', count: 1, isMasked: true };
  return {
    format,
    facts: { ...facts, subscriptions: [], rules: [] },
    masking: { headers: true, paths: [['card']] },
    secrets: [SECRET],
  };
}

function recorded(data: unknown, number = 1): RecordedMessage {
  const wire = JSON.stringify({ data, datacontenttype: 'application/json', id: 'e1', specversion: '1.0' });
  const row = messageRow(number, { sizeBytes: wire.length });
  return { message: { row, wire, metadata: {}, givenContentType: 'application/json' }, deliveries: [] };
}

test.each(EXPORT_FORMATS)('an export as %s that a thread makes is the one made at once', async (format) => {
  const messages = [recorded({ card: 4111, say: SECRET }), recorded(['=1+1', '"'], 2)];
  const here = new ExportText(order(format), bufferCodec);
  const there = texts().open(order(format));
  expect(await there.begin()).toBe(here.begin());
  for (const each of messages) {
    const text = here.messages([each]);
    expect(text).not.toContain(SECRET);
    expect(await there.messages([each])).toBe(text);
  }
  expect(await there.end()).toBe(here.end());
});

test('a test that a thread makes of a recording is the one made at once', async () => {
  const facts = { target: 'vitest', name: 'N', profile: 'sidecar', product: '1' } as const;
  const wanted = { facts: { ...facts, subscriptions: [], states: {} }, secrets: [SECRET] };
  const messages = [recorded({ say: SECRET })];
  expect(await texts().test(messages, wanted)).toEqual(makeMaskedTest(messages, wanted, bufferCodec));
});

test('other work runs while the text of a large message is made', async () => {
  const open = texts().open(order('csv'));
  await open.begin();
  let turns = 0;
  let isMade = false;
  const turn = (): void => {
    turns += 1;
    if (!isMade) setImmediate(turn);
  };
  // The next turn of the process comes after every promise that is settled now.
  setImmediate(turn);
  const text = await open.messages([recorded('"'.repeat(1_900_000))]);
  isMade = true;
  expect(text.length).toBeGreaterThan(1_900_000);
  expect(turns).toBeGreaterThan(1);
});

test('exports at the same time do not mix; failures and the end of the thread are reported', async () => {
  const made = texts();
  const [one, other] = [made.open(order('bulk')), made.open(order('bulk'))];
  await Promise.all([one.begin(), other.begin()]);
  const [first, second] = await Promise.all([one.messages([recorded(1)]), other.messages([recorded(2)])]);
  expect([first, second].map((text) => text.includes('"entryId":"1"'))).toEqual([true, true]);
  one.drop();
  await expect(one.messages([recorded(1)])).rejects.toThrow('this export is not open');
  const waiting = other.messages([recorded('x'.repeat(1_000_000))]);
  const told = waiting.catch(String);
  await made.close();
  expect(await told).toContain('has ended');
  await expect(other.end()).rejects.toThrow('exports have ended');
});
