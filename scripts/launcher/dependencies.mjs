// Installs the dependencies of the lockfile into node_modules.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { underLock } from './install-lock.mjs';
import { npm } from './npm.mjs';
import { LauncherError, MODULES, PLATFORM, readIfThere, ROOT, print } from './place.mjs';

const MARKER = path.join(MODULES, '.sidelight-lock');

/**
 * Installs the dependencies of the lockfile, once per lockfile and platform. SIDELIGHT_SKIP_INSTALL=1 skips
 * it.
 */
export async function ensureDependencies(node) {
  if (process.env.SIDELIGHT_SKIP_INSTALL) return;
  const hash = () =>
    createHash('sha256')
      .update(fs.readFileSync(path.join(ROOT, 'package-lock.json')))
      .update(PLATFORM)
      .digest('hex');
  if (readIfThere(MARKER) === hash()) return;
  await underLock(async () => {
    if (readIfThere(MARKER) === hash()) return;
    if (!isInstalledAlready()) {
      print('installing the dependencies (npm ci)');
      const code = await npm(node, [
        'ci',
        '--ignore-scripts',
        '--include=dev',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
      ]);
      if (code !== 0) throw new LauncherError(`npm ci ended with ${code}; the lines above say why`);
    }
    fs.writeFileSync(MARKER, hash());
  });
}

/** Whether npm's own record of node_modules matches the lockfile on this platform. */
function isInstalledAlready() {
  const record = readIfThere(path.join(MODULES, '.package-lock.json'));
  if (record === undefined) return false;
  const wanted = JSON.parse(fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')).packages;
  const found = JSON.parse(record).packages;
  const fits = (entry) =>
    (entry.os ?? [process.platform]).includes(process.platform) &&
    (entry.cpu ?? [process.arch]).includes(process.arch);
  const present = ([name, entry]) => name === '' || entry.optional || found[name]?.version === entry.version;
  const expected = ([name, entry]) => wanted[name]?.version === entry.version && fits(entry);
  return Object.entries(wanted).every(present) && Object.entries(found).every(expected);
}
