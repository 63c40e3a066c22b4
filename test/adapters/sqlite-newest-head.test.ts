/** Which database the newest records belong to: no bit that flips there costs a record, and no payload is taken for records. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { giveNumber, HEAD, readLeft } from '../../core/adapters/sqlite-journal/newest-frames.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import type { Appender } from '../../core/adapters/sqlite-journal/appender.ts';
import { accepted, count } from './journal-records.ts';
import { frameOf, NewestStand, NONE, ops, row, whole } from './newest-stand.ts';

const HEAD_OF_FILE = 64;

let stand: NewestStand;
let writer: Appender;
beforeEach(async () => {
  stand = new NewestStand();
  ({ writer } = stand.open());
  for (const number of count(1, 3)) await writer.write([whole(number)], false);
});
afterEach(() => stand.remove());

const newest = (of = stand.folder): string => join(of, 'sidelight.db-newest');

function nameOf(of: string): string {
  const db = new (needSqlite().DatabaseSync)(join(of, 'sidelight.db'), { readOnly: true });
  try {
    return String(db.prepare('SELECT name FROM totals').get()?.['name']);
  } finally {
    db.close();
  }
}

/** The file with one bit changed. */
function flipped(sound: Buffer, at: number, bit: number): Buffer {
  const bytes = Buffer.from(sound);
  bytes.writeUInt8((bytes[at] ?? 0) ^ (1 << bit), at);
  return bytes;
}

test('a bit that flips in the head of the file costs no group', () => {
  const copy = stand.killed();
  const name = nameOf(copy);
  const sound = readFileSync(newest(copy));
  for (let at = 0; at < HEAD_OF_FILE; at++)
    for (let bit = 0; bit < 8; bit++) {
      writeFileSync(newest(copy), flipped(sound, at, bit));
      const left = readLeft(newest(copy), name, 0);
      const numbers = left.kind === 'own' ? left.frames.map((frame) => frame.number) : left.kind;
      expect([at, bit, numbers]).toEqual([at, bit, [1, 2, 3]]);
    }
});

test.each([
  ['version', 16],
  ['name', 20],
  ['sum', 52],
])('a start after a bit flipped in the %s shows every message, and says nothing', async (_, at) => {
  const copy = stand.killed();
  writeFileSync(newest(copy), flipped(readFileSync(newest(copy)), at, 2));
  expect(await stand.afterStart(copy)).toMatchObject({
    tables: count(1, 3).map((number) => row(number)),
    report: { notes: [] },
  });
});

test.each<[string, (frame: Buffer) => string | Uint8Array]>([
  ['bytes', (frame) => new Uint8Array(Buffer.concat([Buffer.alloc(20_000, 'x'), frame, Buffer.alloc(50)]))],
  ['a text', (frame) => `${'x'.repeat(20_000)}${frame.toString('latin1')}`],
])(
  'a message of %s that looks like records is no record after its place was used again and the process was killed',
  async (_, wireOf) => {
    await writer.idle();
    // As anybody can make them who knows the form, but not the name of the database.
    const forged = frameOf([[['kept', 'settings', '{"forged":true}']]]);
    giveNumber(forged, 1_000, 0);
    const wire = wireOf(forged.subarray(0, -HEAD));
    expect(await writer.write([ops(accepted(4, { wire }))], false)).toEqual(NONE);
    await writer.idle();
    expect(await writer.write([whole(5)], false)).toEqual(NONE);
    const copy = stand.killed();
    expect(readFileSync(newest(copy)).includes('forged')).toBe(true);
    const { report } = await stand.afterStart(copy);
    expect(report.notes).toEqual([]);
    const db = new (needSqlite().DatabaseSync)(join(copy, 'sidelight.db'), { readOnly: true });
    try {
      expect(db.prepare('SELECT * FROM kept').all()).toEqual([]);
    } finally {
      db.close();
    }
  },
);

test('a message that looks like records is no record either after a bit flipped in the head of the file', async () => {
  await writer.idle();
  const forged = frameOf([[['kept', 'settings', '{"forged":true}']]]);
  giveNumber(forged, 1_000, 0);
  const wire = new Uint8Array(
    Buffer.concat([Buffer.alloc(20_000, 'x'), forged.subarray(0, -HEAD), Buffer.alloc(50)]),
  );
  expect(await writer.write([ops(accepted(4, { wire }))], false)).toEqual(NONE);
  await writer.idle();
  expect(await writer.write([whole(5)], false)).toEqual(NONE);
  const copy = stand.killed();
  writeFileSync(newest(copy), flipped(readFileSync(newest(copy)), 16, 2));
  const left = readLeft(newest(copy), nameOf(copy), 0);
  expect(left.kind === 'own' && left.frames.map(({ number }) => number)).not.toContain(1_000);
});

test(
  'a message that looks like very many records costs a start no sum over each of them',
  { timeout: 60_000 },
  async () => {
    await writer.idle();
    const frame = frameOf([ops(accepted(9, { data: 'x'.repeat(1_000_000) }))]);
    giveNumber(frame, 1_000, 0);
    // The begin of a frame of a megabyte, again and again.
    const begin = frame.subarray(0, HEAD);
    const many = Buffer.concat([Buffer.alloc(20_000, 'x'), ...Array.from({ length: 20_000 }, () => begin)]);
    expect(await writer.write([ops(accepted(4, { wire: new Uint8Array(many) }))], false)).toEqual(NONE);
    expect(await writer.write([whole(5, { data: 'x'.repeat(1_300_000) })], false)).toEqual(NONE);
    await writer.idle();
    expect(await writer.write([whole(6)], false)).toEqual(NONE);
    const copy = stand.killed();
    const read = vi.spyOn(Buffer.prototype, 'subarray');
    const left = readLeft(newest(copy), nameOf(copy), 5);
    const bytes = read.mock.calls.reduce((sum, [from, to]) => sum + Number(to) - Number(from), 0);
    read.mockRestore();
    expect(left.kind === 'own' && left.frames.map((one) => one.number)).toEqual([6]);
    expect(bytes).toBeLessThan(100_000_000);
  },
);
