/** Target 12: what a message costs on a long history, against an empty one. */
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fillJournal } from '../journal-fill.ts';
import { median } from '../stats.ts';
import { startOurs } from './contenders.ts';
import type { Figure } from './figures.ts';
import type { TargetOptions } from './rates.ts';
import { measureSides } from './sides.ts';
import type { Start } from './sides.ts';

const MESSAGES = 1_000_000;
const QUICK_MESSAGES = 100_000;
const MAX = 1.1;
const PUBLISHERS = 8;
/** Nothing is removed while it is measured. */
const KEEP_ALL = [
  'storage.maxMessages=1000000',
  'storage.maxBytes=1099511627776',
  'storage.maxDays=0',
].flatMap((setting) => ['--set', setting]);

/** Row 12, by processor time: that hardly depends on who else uses the machine. */
export async function measureGrowth(options: TargetOptions): Promise<readonly Figure[]> {
  const { entry, isQuick } = options;
  const messages = isQuick ? QUICK_MESSAGES : MESSAGES;
  const folder = await mkdtemp(path.join(tmpdir(), 'sidelight-bench-'));
  const on =
    (name: string): Start =>
    (appPort) =>
      startOurs(appPort, entry, ['--data-dir', path.join(folder, name), ...KEEP_ALL]);
  try {
    await mkdir(path.join(folder, 'long'), { mode: 0o700 });
    // Room for what is measured: the limit of the setting is a million.
    fillJournal(path.join(folder, 'long'), messages * 0.9);
    const measured = await measureSides(
      { empty: on('empty'), long: on('long') },
      { ...options, publishers: [PUBLISHERS] },
    );
    const empty = measured.flows('empty', PUBLISHERS);
    const costs = measured
      .flows('long', PUBLISHERS)
      .map(({ cpuUs }, round) => cpuUs / (empty[round]?.cpuUs ?? Number.NaN));
    return [
      {
        id: '12',
        title: `processor time a message, ${messages * 0.9} kept, against none`,
        value: median(costs),
        target: { atMost: MAX },
        detail: `${measured.said('long', PUBLISHERS)} against ${measured.said('empty', PUBLISHERS)}`,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
