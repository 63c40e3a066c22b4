/** Folders with a multi-app file, as tests write them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { PathFacts } from '../../../core/host/multi-run/paths.ts';
import type { RunPlan } from '../../../core/host/multi-run/plan.ts';
import { readPlan } from '../../../core/host/multi-run/read-plan.ts';
import { readRunFile } from '../../../core/host/multi-run/find-file.ts';

/** A folder with these files, by path; a path that ends in "/" is an empty folder. It is gone after the test. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'multi-run-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(path, text);
  }
  return folder;
}

/** The plan of a file beside the folders `a` and `b`. Throws UsageError. */
export function planOf(
  text: string,
  files: Readonly<Record<string, string>> = {},
  facts: Partial<PathFacts> = {},
): RunPlan {
  const folder = folderWith({ 'a/': '', 'b/': '', 'home/': '', ...files, 'dapr.yaml': text });
  return readPlan(readRunFile(folder), {
    env: {},
    platform: 'linux',
    home: join(folder, 'home'),
    ...facts,
  });
}

/** Complaint about an unusable file, without the path of its folder. */
export function mistakeIn(text: string, files: Readonly<Record<string, string>> = {}): string {
  try {
    planOf(text, files);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message.replaceAll(/\/\S*multi-run-[^/]+\//g, '');
  }
  throw new Error('the file has no mistake');
}

/** One app `a` with these lines. */
export function appWith(...lines: readonly string[]): string {
  return `version: 1\napps:\n  - appDirPath: ./a\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

/** The first app of a file with one app `a` and these lines. */
export function firstApp(...lines: readonly string[]): RunPlan['apps'][number] {
  const [app] = planOf(appWith(...lines)).apps;
  if (app === undefined) throw new Error('the file has no app');
  return app;
}
