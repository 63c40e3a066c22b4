// The launcher of every npm script: finds or installs a new enough Node and the dependencies, then runs one
// program. It is plain JavaScript for Node 18 and newer, without packages.
// Usage: node scripts/run.mjs <file | bin of a dependency> [args]
import path from 'node:path';
import { ensureDependencies } from './launcher/dependencies.mjs';
import { LauncherError, MODULES, readIfThere, ROOT, print } from './launcher/place.mjs';
import { ensureNode } from './launcher/private-node.mjs';
import { environmentFor, Interrupted, run } from './launcher/run-child.mjs';

/** The file to run: a path of the project, or the program of a dependency by its name. */
function resolveTarget(target) {
  if (/\.(ts|mjs|js)$/.test(target)) return path.resolve(ROOT, target);
  const folder = path.join(MODULES, target);
  const text = readIfThere(path.join(folder, 'package.json'));
  if (text === undefined)
    throw new LauncherError(`${target} is neither a file of the project nor a dependency`);
  const { bin } = JSON.parse(text);
  const file = typeof bin === 'string' ? bin : (bin?.[target] ?? Object.values(bin ?? {})[0]);
  if (!file) throw new LauncherError(`the dependency ${target} brings no program`);
  return path.join(folder, file);
}

try {
  const [target, ...args] = process.argv.slice(2);
  if (!target) throw new LauncherError('usage: node scripts/run.mjs <file | bin of a dependency> [args]');
  const node = await ensureNode();
  await ensureDependencies(node);
  process.exitCode = await run(node, [resolveTarget(target), ...args], {
    env: environmentFor(node),
    stdio: 'inherit',
  });
} catch (error) {
  if (error instanceof Interrupted) process.kill(process.pid, error.signal);
  else if (error instanceof LauncherError) print(error.message);
  else throw error;
  process.exitCode = 1;
}
