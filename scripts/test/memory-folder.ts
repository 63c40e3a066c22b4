// Finds a folder in memory for the temporary files of tests: those of the journal write for a third of the unit tests' time, and wait
// for the disk in most of it. What a test shows does not depend on the disk, since no test can cut its power.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Where Linux keeps files in memory. */
const IN_MEMORY = '/dev/shm';
/** Room that the folder must have, many times what tests have there at the same time. A container often has 64 MB. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** The folder in memory; undefined: there is none with enough room, or no program can be run in it. */
export function memoryFolder(folder = IN_MEMORY, roomBytes = ROOM_BYTES): string | undefined {
  if (process.platform !== 'linux' || !fs.existsSync(folder)) return undefined;
  const { bavail, bsize } = fs.statfsSync(folder);
  const hasRoom = Math.min(bavail * bsize, os.freemem()) >= roomBytes;
  return hasRoom && runsPrograms(folder) ? folder : undefined;
}

/** Whether a file of the folder can be run: containers often forbid it there. */
function runsPrograms(folder: string): boolean {
  let own: string | undefined;
  try {
    own = fs.mkdtempSync(path.join(folder, 'sidelight-probe-'));
    const program = path.join(own, 'probe');
    fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    return spawnSync(program).status === 0;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return false;
    throw error;
  } finally {
    if (own !== undefined) fs.rmSync(own, { recursive: true, force: true });
  }
}
