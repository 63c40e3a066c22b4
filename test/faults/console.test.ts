/** Held messages, consoles that are cut or slow, half-written files: samples; the long suite does more of each. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { FaultStand } from './app-faults.ts';
import { held, slowClients, socketCut } from './console-faults.ts';
import { halfWritten } from './resource-faults.ts';

let stand: FaultStand;
beforeAll(async () => {
  stand = await FaultStand.start();
}, 90_000);
afterAll(() => stand.close());

test('500 held messages are released together', async () => {
  expect(await held(stand, 500)).toMatchObject({ tried: 500, released: 500, survived: true, lost: 0 });
}, 90_000);

test('a console that is cut inside its frames misses nothing and needs no snapshot', async () => {
  expect(await socketCut(stand, { cuts: 5, each: 60 })).toMatchObject({
    survived: true,
    lost: 0,
    cuts: 5,
    gaps: 0,
    resets: 0,
  });
}, 90_000);

test('10 consoles that never read cost little memory and no message', async () => {
  const figures = await slowClients(stand, 10, 300);
  expect(figures).toMatchObject({ tried: 300, survived: true, lost: 0 });
  expect(figures['rssGrowthMB']).toBeLessThan(150);
}, 90_000);

test('a half-written resource file is reported, and costs no message', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-half-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  expect(await halfWritten(folder, 40)).toMatchObject({ survived: true, lost: 0, silent: 0 });
}, 90_000);
