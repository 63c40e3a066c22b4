// A Node of the project's own, for machines whose Node is too old: a package of the npm registry in a
// git-ignored folder.
import fs from 'node:fs';
import path from 'node:path';
import { isNewEnough, nodePackage } from '../../bin/node-package.mjs';
import { underLock } from './install-lock.mjs';
import { npm } from './npm.mjs';
import { isAlive, LauncherError, pause, PLATFORM, PRIVATE, print } from './place.mjs';
import { Interrupted, run } from './run-child.mjs';

/** Path of a Node that is new enough: this one, or the project's own. */
export async function ensureNode() {
  if (isNewEnough(process.version)) return process.execPath;
  const spec = nodePackage(PLATFORM);
  if (!spec)
    throw new LauncherError(
      `Node ${process.version} is too old and none is packaged for ${PLATFORM}; install Node 24 by hand`,
    );
  const folder = path.join(PRIVATE, PLATFORM);
  const name = spec.slice(0, spec.lastIndexOf('@'));
  const binary = path.join('node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const node = path.join(folder, binary);
  if (!fs.existsSync(node)) {
    await underLock(async () => void (fs.existsSync(node) || (await installNode(spec, folder, binary))));
  }
  return node;
}

/** Installs the private Node into a folder of this process, and renames it once it has run. */
async function installNode(spec, folder, binary) {
  sweepRemains();
  print(`this Node is ${process.version}; fetching a newer one for this project (${spec})`);
  const scratch = `${folder}.${process.pid}`;
  const byHand = `${spec} could not be installed; install Node 24 by hand`;
  try {
    fs.mkdirSync(scratch, { recursive: true });
    fs.writeFileSync(path.join(scratch, 'package.json'), '{"private":true}\n');
    const flags = [
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--loglevel=error',
    ];
    const code = await npm(process.execPath, ['install', '--prefix', scratch, ...flags, spec]);
    if (code !== 0) throw new LauncherError(`${byHand} (npm ended with ${code})`);
    const fresh = path.join(scratch, binary);
    const status = await run(fresh, ['-p', 'process.version'], {
      env: process.env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new LauncherError(`${byHand} (it does not run here)`);
    fs.rmSync(path.join(path.dirname(fresh), '..', 'include'), { recursive: true, force: true });
    await renameWithPatience(scratch, folder);
  } catch (error) {
    if (error instanceof LauncherError || error instanceof Interrupted) throw error;
    throw new LauncherError(`${byHand} (${error.message})`);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

/** Renames a folder, with repeated tries: on Windows a scanner may hold a fresh file. */
async function renameWithPatience(from, to) {
  for (let left = 10; ; left -= 1) {
    try {
      return fs.renameSync(from, to);
    } catch (error) {
      if (left === 0 || !['EPERM', 'EACCES', 'EBUSY'].includes(error.code)) throw error;
      await pause(300);
    }
  }
}

/** Removes the remains of another launcher's interrupted install. */
function sweepRemains() {
  for (const name of fs.readdirSync(PRIVATE)) {
    const pid = /\.(\d+)$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) fs.rmSync(path.join(PRIVATE, name), { recursive: true, force: true });
  }
}
