/** Resolves the paths of a multi-app file, and decides which folder of resources counts. */
import { statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { errorText } from '../../contract/error-text.ts';
import { PROFILES } from '../../contract/profile.ts';
import { nearest } from '../../domain/filter/mistakes.ts';
import { homeFolder } from '../data-dir.ts';
import { DOT_FOLDER } from './fields.ts';
import { mistakeAt } from './file-mistake.ts';
import type { Mistakes } from './file-mistake.ts';
import { isTexts } from './merged-fields.ts';
import type { Found, MergedFields } from './merged-fields.ts';
import { isFolder, namesBeside } from './find-file.ts';
import type { Position } from './yaml-tree.ts';

export interface PathFacts {
  /** Name of the file in messages. */
  readonly file: string;
  /** Absolute folder of the file. */
  readonly base: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home?: string;
  /** Path from the flag, used if the file has none. */
  readonly runtimePath?: string | undefined;
}

/** Facts of a file whose mistakes are gathered. */
export interface PlanFacts extends PathFacts {
  readonly mistakes: Mistakes;
}

/** Makes a path absolute. `~/x` is in the home folder, except on Windows and for a user without one. */
export function absolute(path: string, base: string, facts: PathFacts): string {
  const home = path.startsWith('~/') && facts.platform !== 'win32' ? homeOf(facts) : undefined;
  return home === undefined ? resolve(base, path) : join(home, path.slice(2));
}

function homeOf({ home }: Pick<PathFacts, 'home'>): string | undefined {
  return home ?? homeFolder();
}

/** Checks that a folder exists. Throws UsageError. */
export function existingFolder(key: string, path: string, at: Position, facts: PathFacts): string {
  if (!statsOf(key, path, at, facts).isDirectory())
    throw mistakeAt(facts.file, at, `${key}: ${path} is not a folder`);
  return path;
}

/** Checks that the paths exist which need not be folders, also those of `common` that the app overrides. */
export function checkNamedPaths(fields: MergedFields, appFolder: string, facts: PlanFacts): void {
  for (const from of ['common', 'app'] as const)
    for (const key of ['configFilePath', 'runtimePath']) {
      const found = fields.own(from, key);
      if (typeof found?.value !== 'string') continue;
      const path = pathOf({ ...found, value: found.value }, appFolder, facts);
      facts.mistakes.attempt(() => statsOf(key, path, found.at, facts));
    }
}

function statsOf(key: string, path: string, at: Position, facts: PathFacts): Stats {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined) return found;
  } catch (error) {
    // A name may be too long, or a folder may not be readable.
    throw mistakeAt(facts.file, at, `${key}: ${errorText(error)}`, error);
  }
  throw missing(key, path, at, facts);
}

function missing(key: string, path: string, at: Position, { file }: PathFacts): Error {
  const meant = nearest(basename(path), namesBeside(path));
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  const reason = `${key}: there is no file or folder ${path}${hint}`;
  return mistakeAt(file, at, reason);
}

/**
 * The folders of the app's components: its own, those beside it, those of `common`, or those of the home
 * folder. Only the first level that exists counts. [] = none exists.
 */
export function resourcesOf(fields: MergedFields, appFolder: string, facts: PlanFacts): readonly string[] {
  const own = namedResources(fields, 'app', appFolder, facts);
  // Each path that is named must exist, also one that is not used.
  const common = namedResources(fields, 'common', facts.base, facts);
  if (own.length > 0) return own;
  const beside = join(appFolder, DOT_FOLDER, 'resources');
  if (isReachable(beside, 'appDirPath', fields.at, facts)) return [beside];
  if (common.length > 0) return common;
  const runtime = runtimeFolder(fields, appFolder, facts);
  const standard = runtime && join(runtime, DOT_FOLDER, 'components');
  return standard !== undefined && isReachable(standard, 'resourcesPath', fields.at, facts) ? [standard] : [];
}

/** Whether there is such a folder. Throws UsageError if the system does not let it be looked up. */
function isReachable(path: string, key: string, at: Position, { file }: PathFacts): boolean {
  try {
    return isFolder(path);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw mistakeAt(file, at, `${key}: ${errorText(error)}`, error);
  }
}

function namedResources(
  fields: MergedFields,
  from: 'app' | 'common',
  base: string,
  facts: PlanFacts,
): readonly string[] {
  return ['resourcesPaths', 'resourcesPath'].flatMap((key) => {
    const found = fields.own(from, key);
    if (found === undefined) return [];
    const { value } = found;
    const paths = typeof value === 'string' ? [value] : isTexts(value) ? value : [];
    return paths
      .filter((path) => path !== '')
      .flatMap(
        (path) =>
          facts.mistakes.attempt(() => existingFolder(key, absolute(path, base, facts), found.at, facts)) ??
          [],
      );
  });
}

function runtimeFolder(fields: MergedFields, appFolder: string, facts: PathFacts): string | undefined {
  const named = fields.text('runtimePath');
  if (named !== undefined) return pathOf(named, appFolder, facts);
  return standardRuntimeFolder(facts);
}

/** The folder that has `.dapr` where no field names one: that of the flag or of the environment, else the home folder. */
export function standardRuntimeFolder(
  facts: Pick<PathFacts, 'env' | 'home' | 'runtimePath'>,
): string | undefined {
  const given = facts.runtimePath ?? facts.env[`${PROFILES.dapr.env.prefix}RUNTIME_PATH`];
  return given === undefined || given === '' ? homeOf(facts) : resolve(given);
}

/** Resolves a path: one of the app is relative to its folder, one of `common` to the folder of the file. */
export function pathOf({ value, from }: Found<string>, appFolder: string, facts: PathFacts): string {
  return absolute(value, from === 'app' ? appFolder : facts.base, facts);
}
