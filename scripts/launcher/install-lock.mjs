// Lets one process of this checkout install or build at a time.
import fs from 'node:fs';
import path from 'node:path';
import { isAlive, LauncherError, pause, PRIVATE, readIfThere, print } from './place.mjs';

const LOCK = path.join(PRIVATE, 'lock');
const LOCK_WAIT_MS = 15 * 60_000;

/** Runs `work` while no other launcher of this checkout installs or builds. */
export async function underLock(work) {
  fs.mkdirSync(PRIVATE, { recursive: true });
  const end = Date.now() + LOCK_WAIT_MS;
  for (let told = false; ; told = true) {
    try {
      fs.writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const owner = readIfThere(LOCK);
    if (owner === undefined) continue;
    if (isStaleLock(owner)) {
      breakStaleLock(owner);
      continue;
    }
    if (Date.now() > end)
      throw new LauncherError(
        `waited 15 minutes for ${LOCK} (process ${owner}); remove it if that is neither an install nor a build`,
      );
    if (!told) print(`another install or build is under way (process ${owner}), waiting for it`);
    await pause(200);
  }
  try {
    return await work();
  } finally {
    fs.rmSync(LOCK, { force: true });
  }
}

/** Moves a lock aside whose owner has died, unless another process has replaced it meanwhile. */
function breakStaleLock(owner) {
  const aside = `${LOCK}.${process.pid}`;
  try {
    fs.renameSync(LOCK, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readIfThere(aside) === owner) fs.rmSync(aside, { force: true });
  else fs.renameSync(aside, LOCK);
}

/**
 * Whether no living process owns the lock. A lock that is being written has no text yet, and gets ten
 * seconds.
 */
function isStaleLock(owner) {
  if (owner !== '') return !isAlive(Number(owner));
  const age = Date.now() - (fs.statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  return age > 10_000;
}
