// Builds the shipped parts, each only if its sources have changed.
import fs from 'node:fs';
import path from 'node:path';
import { contentHash, orphanedOutputs, readStamps, writeStamp } from './build-stamp.ts';
import { underLock } from './launcher/install-lock.mjs';
import { ROOT, runTool, seconds } from './tools.ts';

interface Part {
  readonly name: string;
  readonly inputs: readonly string[];
  /** Output that must exist; if it is missing, the part is built again. */
  readonly output: string;
  readonly tool: string;
  readonly args: readonly string[];
  /** Needs nothing that the compiler writes. */
  readonly isBundle?: boolean;
}

const STAMPS = path.join(ROOT, 'dist', '.build', 'stamps.json');
const EMITTED = ['core', 'electron'];

const PARTS: readonly Part[] = [
  {
    name: 'program',
    inputs: ['core', 'electron', 'tsconfig.base.json', 'package-lock.json'],
    output: 'dist/core/host/cli.js',
    tool: 'typescript/tsc',
    args: ['-b', 'core/host', 'electron', 'electron/preload'],
  },
  {
    name: 'program as few files',
    inputs: [
      'core',
      'vite.program.config.ts',
      'scripts/late-builtins.ts',
      'tsconfig.base.json',
      'package.json',
      'package-lock.json',
    ],
    output: 'dist/program/host/cli.js',
    tool: 'vite',
    args: ['build', '--config', 'vite.program.config.ts', '--logLevel', 'warn'],
    isBundle: true,
  },
  {
    name: 'console',
    inputs: ['renderer', 'core/contract', 'vite.config.ts', 'tsconfig.base.json', 'package-lock.json'],
    output: 'dist/renderer/index.html',
    tool: 'vite',
    args: ['build', '--logLevel', 'warn'],
    isBundle: true,
  },
];

/** Error of a part that did not build; the tool has printed the reason. */
export class BuildError extends Error {}

/**
 * Brings dist/ up to date. Prints on stderr what it builds; silent when nothing changed.
 * @param all build every part, changed or not
 * @param onlyBundles leave out what the compiler writes
 * @throws BuildError naming the part
 */
export async function buildProduct({ all = false, onlyBundles = false } = {}): Promise<void> {
  const parts = PARTS.filter(({ isBundle }) => isBundle === true || !onlyBundles);
  const isMissing = ({ output }: Part): boolean => !fs.existsSync(path.join(ROOT, output));
  const stale = (part: Part): boolean =>
    all || isMissing(part) || readStamps(STAMPS).get(part.name) !== contentHash(ROOT, part.inputs);
  if (!parts.some(stale)) return;
  await underLock(async () => {
    const changed = parts.filter(stale);
    // The compiler says nothing for up to a minute, which looks like a program that hangs.
    if (changed.length > 0) {
      const names = changed.map(({ name }) => name).join(', ');
      const wait = changed.some(isMissing) ? ' (about a minute, once)' : '';
      process.stderr.write(`sidelight: building what is new or has changed: ${names}${wait}\n`);
    }
    for (const part of changed) await buildPart(part, all);
  });
}

async function buildPart(part: Part, all: boolean): Promise<void> {
  const from = performance.now();
  const hash = contentHash(ROOT, part.inputs);
  // The compiler trusts its own record, so it rebuilds removed outputs only after that record is removed.
  const missing = !fs.existsSync(path.join(ROOT, part.output));
  const force = part.tool === 'typescript/tsc' && (all || missing) ? ['--force'] : [];
  const { code } = await runTool(part.tool, [...part.args, ...force], { output: 'stderr' });
  if (code !== 0) throw new BuildError(`the ${part.name} did not build (${part.tool} ended with ${code})`);
  if (!fs.existsSync(path.join(ROOT, part.output))) {
    throw new BuildError(`the ${part.name} was built without ${part.output}`);
  }
  for (const file of orphanedOutputs(ROOT, 'dist', EMITTED)) fs.rmSync(path.join(ROOT, file));
  writeStamp(STAMPS, part.name, hash);
  process.stderr.write(`sidelight: built the ${part.name} in ${seconds(from)}\n`);
}
