/** Ballast on the disk: an error while it is created, checked or removed counts as no room, and ends nothing. */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { Ballast } from '../../core/adapters/sqlite-journal/ballast.ts';

const BYTES = 1000;
const SECOND = 1000;

let folder: string;
let ballast: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelight-room-'));
  ballast = join(folder, 'ballast');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a ballast that cannot be removed or made again is no room, until it can', () => {
  mkdirSync(join(ballast, 'in the way'), { recursive: true });
  const room = new Ballast(folder, BYTES);
  room.filled(SECOND);
  expect(room.isFull(3 * SECOND)).toBe(true);
  rmSync(ballast, { recursive: true });
  expect(room.isFull(5 * SECOND)).toBe(false);
  expect(statSync(ballast).size).toBe(BYTES);
});

test('a folder that cannot be looked at is no room', () => {
  const room = new Ballast(folder, BYTES);
  room.filled(SECOND);
  rmSync(folder, { recursive: true });
  expect(room.isFull(3 * SECOND)).toBe(true);
  mkdirSync(folder);
  expect(room.isFull(5 * SECOND)).toBe(false);
});
