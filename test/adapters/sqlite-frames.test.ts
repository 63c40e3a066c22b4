/** The form of a group of records in the file of the newest records: whatever it holds is read back as it was, also from an older file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { groupOfText, textOfGroup } from '../../core/adapters/sqlite-journal/group-text.ts';
import {
  BLANK,
  emptyFile,
  giveNumber,
  readLeft,
  seedOf,
} from '../../core/adapters/sqlite-journal/newest-frames.ts';
import type { Group } from '../../core/adapters/sqlite-journal/records.ts';
import { accepted, delivered, published } from './journal-records.ts';
import { frameOf, NewestStand, NONE, ops, row, whole } from './newest-stand.ts';

const NAME = 'of a test';
/** Where the sums of frames began before version 3. */
const NOBODY = 0;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sidelight-frames-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The head of a file as an older version made it: without a sum. */
function olderHead(head: Buffer, version: number): Buffer {
  head.writeUInt32LE(version, 16);
  head.fill(0, 52);
  return head;
}

/** Groups of a file with these frames, numbered from 1. */
function readBack(frames: readonly Buffer[], version = 3): readonly Group[] {
  const path = join(root, 'newest');
  const seed = version === 3 ? seedOf(NAME) : NOBODY;
  for (const [index, frame] of frames.entries()) giveNumber(frame, index + 1, seed);
  const head = version === 3 ? emptyFile(64, NAME) : olderHead(emptyFile(64, NAME), version);
  writeFileSync(
    path,
    Buffer.concat([head, ...frames.map((frame) => frame.subarray(0, -BLANK.length)), BLANK]),
  );
  const left = readLeft(path, NAME, 0);
  expect(left).toMatchObject({ kind: 'own', missing: 0, isTorn: false });
  return left.kind === 'own' ? left.frames.map(({ group }) => group) : [];
}

const texts = [
  'plain',
  '',
  'ümlaut €, 中文 and 😀',
  '\u0000 " # , [ ] z 12 \n \\',
  'half of a pair \ud83d',
  'x'.repeat(100_000),
  '中'.repeat(30_000),
];

test.each(texts)('a group with the text %j is read back as it was', (text) => {
  const group: Group = [
    ops(accepted(1, { wire: text, metadata: { text } }), published(1)),
    [['kept', text, null]],
    [['removed', [text, 'other']]],
    ops(delivered(1, 'processed', { attempt: {}, transition: { note: text } })),
  ];
  expect(readBack([frameOf(group), frameOf([])])).toEqual([group, []]);
});

test('a group with bytes is read back as it was', () => {
  const group: Group = [ops(accepted(1, { wire: new Uint8Array([0, 255, 34, 35]) }))];
  const [back] = readBack([frameOf(group)]);
  expect(back?.[0]?.[0]?.[2]).toEqual(expect.objectContaining({ length: 4 }));
  expect(Buffer.from((back?.[0]?.[0]?.[2] ?? '') as Uint8Array)).toEqual(Buffer.from([0, 255, 34, 35]));
});

test('any nesting of texts, numbers and nothing is read back as it was', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.double({ noNaN: true }).filter((one) => !Object.is(one, -0)),
    fc.constant(null),
  );
  const list = fc.array(fc.oneof(value, fc.array(value)));
  fc.assert(
    fc.property(fc.array(fc.array(list)), (nested) => {
      // Its members are those of operations, in any order.
      const group = nested as unknown as Group;
      const text = textOfGroup(group) ?? '';
      expect(groupOfText(text)).toEqual(group);
    }),
  );
});

test.each([1, 2])(
  'frames of version %i, in the format of V8 or as texts, are read beside each other',
  (version) => {
    const group: Group = [whole(1), ops(published(2))];
    const older = Buffer.concat([BLANK, serialize(group), BLANK]);
    expect(readBack([older, frameOf(group)], version)).toEqual([group, group]);
  },
);

test('what an older version left after a kill is taken into the tables', async () => {
  const stand = new NewestStand();
  const { writer } = stand.open();
  expect(await writer.write([whole(1)], false)).toEqual(NONE);
  const copy = stand.killed();
  const path = join(copy, 'sidelight.db-newest');
  const older = Buffer.concat([BLANK, serialize([whole(7)]), BLANK]);
  giveNumber(older, 1, NOBODY);
  const head = olderHead(readFileSync(path).subarray(0, 64), 1);
  writeFileSync(path, Buffer.concat([head, older]));
  expect((await stand.afterStart(copy)).tables).toEqual([row(7)]);
  await stand.remove();
});
