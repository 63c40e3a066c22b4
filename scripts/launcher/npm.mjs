// Finds npm and runs it, independent of an npm that may be running this launcher.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { LauncherError } from './place.mjs';
import { environmentFor, run } from './run-child.mjs';

/** Runs npm with the given Node, without the settings of an npm around it. Its output goes to stderr. */
export async function npm(node, args) {
  return run(node, [findNpm(), ...args], { env: ownEnvironment(node), stdio: ['ignore', 2, 2] });
}

/** Runs npm like the function above, and returns its stdout. */
export function npmText(node, args) {
  const { stdout, error } = spawnSync(node, [findNpm(), ...args], {
    env: ownEnvironment(node),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
    timeout: 120_000,
  });
  if (error !== undefined) throw new LauncherError(`npm ${args[0]} could not be run: ${error.message}`);
  return stdout;
}

function ownEnvironment(node) {
  const env = environmentFor(node);
  const inherited = /^npm_(config_(local_prefix|prefix|global|omit|include)$|package_|lifecycle_|command$)/i;
  for (const name of Object.keys(env)) if (inherited.test(name)) delete env[name];
  return env;
}

/** The npm command line tool as a JavaScript file. `npm.cmd` cannot be spawned on Windows without a shell. */
function findNpm() {
  const given = process.env.npm_execpath;
  if (given?.endsWith('npm-cli.js') && fs.existsSync(given)) return given;
  const bin = path.dirname(fs.realpathSync(process.execPath));
  const beside = process.platform === 'win32' ? [bin] : [bin, '..', 'lib'];
  const own = path.join(...beside, 'node_modules', 'npm', 'bin', 'npm-cli.js');
  if (fs.existsSync(own)) return own;
  const searched = Object.entries(process.env).find(([name]) => name.toLowerCase() === 'path')?.[1] ?? '';
  for (const folder of searched.split(path.delimiter).filter(Boolean)) {
    const windows = path.join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js');
    if (process.platform === 'win32' && fs.existsSync(windows)) return windows;
    const link = path.join(folder, 'npm');
    if (process.platform !== 'win32' && fs.existsSync(link)) {
      const real = fs.realpathSync(link);
      if (real.endsWith('.js')) return real;
    }
  }
  throw new LauncherError('npm was not found beside this Node nor on PATH; install Node 24 with npm by hand');
}
