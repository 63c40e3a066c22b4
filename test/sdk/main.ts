/**
 * `npm run test:sdk`: an app in each language on its stock SDK, against the product and another sidecar. README.md of this folder tells
 * more.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startApp } from './app.ts';
import { cellsOf, isComplete } from './cells.ts';
import { LANGUAGES, WAYS } from './languages.ts';
import type { Command, Language, Way } from './languages.ts';
import { reference, sidelight, tappedReference, untilSubscribed, writeResources } from './sidecars.ts';
import type { Target } from './sidecars.ts';
import { tableOf } from './table.ts';
import type { Line } from './table.ts';
import { buildProduct } from '../../scripts/build-product.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const CACHE = path.join(ROOT, '.cache', 'sdk');
const DEFAULT_VERSIONS = ['1.13.6', '1.18.3'];
const PREPARE_MS = 1_800_000;
const DONE_MS = 15_000;
/** Long enough for a delivery too many to show: the policy's retries are 200 ms apart. */
const SURPLUS_MS = 700;
/** `orders` and `dead`. */
const TOPICS = 2;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    reference: { type: 'string' },
    'reference-version': { type: 'string', multiple: true },
    'through-tap': { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
if (values.help) console.log('npm run test:sdk -- [options]: test/sdk/README.md lists them.');
else process.exitCode = await run();

async function run(): Promise<number> {
  await buildProduct();
  const resources = await writeResources(path.join(CACHE, 'resources'));
  const targets = [sidelight(resources, values.verbose)];
  if (values.reference !== undefined) {
    const executable = path.resolve(values.reference);
    for (const version of values['reference-version'] ?? DEFAULT_VERSIONS) {
      const of = { executable, version, resources, isVerbose: values.verbose };
      targets.push(reference(of), ...(values['through-tap'] ? [tappedReference(of)] : []));
    }
  }
  const lines: Line[] = [];
  for (const language of LANGUAGES) {
    if (values.only !== undefined && !values.only.split(',').includes(language.id)) continue;
    lines.push(...(await linesOf(language, targets)));
  }
  console.log(tableOf(lines));
  const isWrong = lines.some(({ target, isGood }) => target === targets[0]?.name && !isGood);
  return isWrong ? 1 : 0;
}

async function linesOf(language: Language, targets: readonly Target[]): Promise<readonly Line[]> {
  const note = (text: string, isGood: boolean, way?: Way): Line => ({
    language: language.name,
    ...(way === undefined ? {} : { way }),
    target: targets[0]?.name ?? '',
    isGood,
    note: text,
  });
  for (const need of language.needs) {
    const lack = complaintOf(need, ROOT);
    if (lack !== undefined) return [note(`skipped: this machine has no ${need[0]}`, true)];
  }
  const folder = path.join(CACHE, language.id);
  await mkdir(folder, { recursive: true });
  await cp(path.join(import.meta.dirname, 'apps', language.id), folder, { recursive: true });
  for (const command of language.prepare) {
    console.error(`${language.name}: ${command.join(' ')}`);
    const complaint = complaintOf(command, folder);
    if (complaint !== undefined) return [note(`\`${command.join(' ')}\` failed: ${complaint}`, false)];
  }
  const lines: Line[] = [];
  for (const way of WAYS) {
    const reason = language.absent[way];
    if (reason !== undefined) {
      lines.push(note(`not offered: ${reason}`, true, way));
      continue;
    }
    for (const target of targets) lines.push(await lineOf(language, folder, way, target));
  }
  return lines;
}

async function lineOf(language: Language, folder: string, way: Way, target: Target): Promise<Line> {
  const line = { language: language.name, way, target: target.name };
  if (way === 'stream' && !target.hasStreams)
    return { ...line, isGood: true, note: 'this release has no streaming subscriptions' };
  console.error(`${language.name}, ${way}, ${target.name}`);
  const appPort = await freePort();
  const sidecar = await target.start(appPort, way);
  const app = startApp({
    command: language.start,
    folder,
    way,
    appPort,
    sidecar,
    isVerbose: values.verbose,
  });
  try {
    await untilSubscribed(sidecar, TOPICS);
    app.publish();
    await app.until(isComplete, DONE_MS);
    await app.until(() => false, SURPLUS_MS);
    const cells = cellsOf(app.said);
    const isGood = isComplete(app.said);
    if (!isGood) console.error(app.complaints());
    const attempts = await sidecar.attempts?.();
    const got = app.said.filter((said) => said.got !== undefined).length;
    if (attempts !== undefined && attempts !== got)
      return { ...line, isGood: false, note: `the tap showed ${attempts} attempts, the app got ${got}` };
    return { ...line, isGood, cells };
  } catch (error) {
    return { ...line, isGood: false, note: `${String(error)} ${app.complaints().trim().slice(-300)}` };
  } finally {
    await app.stop();
    await sidecar.stop();
  }
}

/** Runs a command to its end; what it said when it failed, or that it is not there. */
function complaintOf([program, ...args]: Command, folder: string): string | undefined {
  const { status, error, stderr, stdout } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: PREPARE_MS,
  });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : `${stdout}${stderr}`.trim().slice(-600);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
