/** Servers from the system's packages, for tests that want the real one. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

const INSTALL_LIMIT_MS = 180_000;

/**
 * Why tests with a real server cannot run here; undefined: they can. May install the system's package first.
 * @param program name of the program and of its package
 */
export function whyNoProgram(program: string): string | undefined {
  if (isThere(program)) return undefined;
  const debian =
    process.platform === 'linux' && process.getuid?.() === 0 && fs.existsSync('/etc/debian_version');
  if (!debian) return `no ${program} on PATH, and it can be installed as root on Debian only`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Test files run at the same time: the second one waits for the first.
  const wait = ['-o', 'DPkg::Lock::Timeout=120', '-qq'];
  for (const args of [
    ['update', ...wait],
    ['install', '-y', '--no-install-recommends', ...wait, program],
  ]) {
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 2], timeout: INSTALL_LIMIT_MS });
  }
  return isThere(program) ? undefined : `no ${program} on PATH, and apt-get could not install it`;
}

function isThere(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}
