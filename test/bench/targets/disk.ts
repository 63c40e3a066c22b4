/** Targets 5, 6 and 7: histories on disk beside one in memory and beside another sidecar, and what the disk is asked for. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measureWritesOf } from '../journal-writes.ts';
import { median } from '../stats.ts';
import { startOurs, startReference } from './contenders.ts';
import type { Figure } from './figures.ts';
import type { TargetOptions } from './rates.ts';
import { measureSides } from './sides.ts';
import type { Start } from './sides.ts';

const AGAINST_REFERENCE: readonly (readonly [publishers: number, atLeast: number])[] = [
  [1, 0.6],
  [8, 1],
  [64, 1.5],
];
const OF_MEMORY = 0.7;
const MAX_SYNCS = 1.1;
const MAX_PAGE_WRITES = 10;
const PAGE = 4_096;
const PROBES = 200;

/** Rows 5 to 7. Without a reference rows 6 and 7. */
export async function measureDisk(options: TargetOptions): Promise<readonly Figure[]> {
  const { entry, references } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'sidelight-bench-'));
  const onDisk =
    (sync: string): Start =>
    (appPort) =>
      startOurs(appPort, entry, ['--data-dir', path.join(folder, sync), '--set', `journal.sync=${sync}`]);
  try {
    const starts = {
      memory: (appPort: number) => startOurs(appPort, entry),
      full: onDisk('full'),
      normal: onDisk('normal'),
      ...Object.fromEntries(
        references.map((reference) => [
          reference.version,
          (appPort: number) => startReference(reference, appPort),
        ]),
      ),
    };
    const publishers = references.length === 0 ? [1] : AGAINST_REFERENCE.map(([count]) => count);
    const syncUs = microsecondsOfSync(path.join(folder, 'probe'));
    const measured = await measureSides(starts, { ...options, publishers });
    const disk = `a sync of one page took ${syncUs.toFixed(0)} us before, ${microsecondsOfSync(path.join(folder, 'probe')).toFixed(0)} us after`;
    return [
      ...references.flatMap(({ version }) =>
        AGAINST_REFERENCE.map(([count, atLeast]) => ({
          id: `5.${count}`,
          title: `processed/s on disk, full, against ${version} in memory, ${count}`,
          value: measured.ratio('full', version, count),
          target: { atLeast },
          detail: `${measured.said('full', count)} against ${measured.said(version, count)}; ${disk}`,
        })),
      ),
      {
        id: '7',
        title: 'processed/s on disk, normal, against in memory, 1',
        value: measured.ratio('normal', 'memory', 1),
        target: { atLeast: OF_MEMORY },
        detail: `${measured.said('normal', 1)} against ${measured.said('memory', 1)}`,
      },
      {
        id: '7.full',
        title: 'processed/s on disk, full, against in memory, 1',
        value: measured.ratio('full', 'memory', 1),
        detail: `${measured.said('full', 1)}; ${disk}`,
      },
      ...(await writes(options.seconds)),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rows 6, as the journal counts them when it is closed. */
async function writes(seconds: number): Promise<readonly Figure[]> {
  const { syncs, pageWrites, messages } = await measureWritesOf('full', 1, seconds);
  const detail = `${messages} messages`;
  return [
    {
      id: '6.syncs',
      title: 'syncs a message, full, 1',
      value: syncs,
      target: { atMost: MAX_SYNCS },
      detail,
    },
    {
      id: '6.pages',
      title: 'page writes a message, full, 1',
      value: pageWrites,
      target: { atMost: MAX_PAGE_WRITES },
      detail,
    },
  ];
}

/** Time of the disk for a page and its sync, on which the rates of `full` depend. */
function microsecondsOfSync(file: string): number {
  const fd = openSync(file, 'w');
  try {
    const page = Buffer.alloc(PAGE, 1);
    for (let at = 0; at < PROBES; at += 1) writeSync(fd, page, 0, PAGE, at * PAGE);
    fdatasyncSync(fd);
    const took: number[] = [];
    for (let at = 0; at < PROBES; at += 1) {
      const from = performance.now();
      writeSync(fd, page, 0, PAGE, at * PAGE);
      fdatasyncSync(fd);
      took.push((performance.now() - from) * 1_000);
    }
    return median(took);
  } finally {
    closeSync(fd);
  }
}
