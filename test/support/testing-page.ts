/** The files that docs/testing.md shows, and a folder in which they run. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

export interface Ended {
  readonly status: number;
  /** Output of both streams. */
  readonly said: string;
}

/** Runs a program to its end in a folder. Programs that run with node:test learn nothing of the test around them. */
export function runIn(cwd: string, program: string, args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ status, said: `${stdout}${stderr}` });
    });
  });
}

/** Runs the command of the package that stands in the node_modules of a folder. */
export const sidelightIn = (folder: string, ...args: readonly string[]): Promise<Ended> =>
  runIn(folder, process.execPath, [path.join('node_modules', 'sidelight', 'bin', 'sidelight.mjs'), ...args]);

/** Writes the files of the page into a folder. The result has their texts by name. */
export function writeFilesOfPage(folder: string): ReadonlyMap<string, string> {
  const page = readFileSync(path.join(ROOT, 'docs', 'testing.md'), 'utf8');
  const shown = page.matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```\n/g);
  const files = new Map([...shown].map(([, name = '', text = '']) => [name, text]));
  for (const [name, text] of files) writeFileSync(path.join(folder, name), text);
  return files;
}

/** Writes the app of the page with a mistake beside it, and its scenario for that app. The result is the name of the scenario. */
export function writeBrokenApp(folder: string, files: ReadonlyMap<string, string>): string {
  const app = files.get('app.mjs') ?? '';
  const broken = app.replace("{ status: 'SUCCESS' }", "{ status: 'DROP' }");
  if (broken === app) throw new Error('docs/testing.md shows an app without the answer that is changed here');
  writeFileSync(path.join(folder, 'broken.mjs'), broken);
  const scenario = (files.get('orders.scenario.yaml') ?? '').replace('app.mjs', 'broken.mjs');
  writeFileSync(path.join(folder, 'broken.scenario.yaml'), scenario);
  return 'broken.scenario.yaml';
}
