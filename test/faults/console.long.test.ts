/** 10,000 held messages, 100 cuts, 50 slow consoles, a file cut at every byte. */
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
});
afterAll(() => stand.close());

test('10,000 held messages are released together', async () => {
  const figures = await held(stand, 10_000);
  expect(figures).toMatchObject({ tried: 10_000, released: 10_000, survived: true, lost: 0 });
  expect(figures['rssGrowthMB']).toBeLessThan(300);
});

test('a console that is cut 100 times misses nothing', async () => {
  expect(await socketCut(stand, { cuts: 100, each: 50 })).toMatchObject({ survived: true, lost: 0, gaps: 0 });
});

test('50 consoles that never read cost little memory and no message', async () => {
  const figures = await slowClients(stand, 50, 10_000);
  expect(figures).toMatchObject({ tried: 10_000, survived: true, lost: 0 });
  expect(figures['rssGrowthMB']).toBeLessThan(300);
});

test('a resource file cut at every byte is reported, and costs no message', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-half-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  expect(await halfWritten(folder, 1)).toMatchObject({ survived: true, lost: 0, silent: 0 });
});
