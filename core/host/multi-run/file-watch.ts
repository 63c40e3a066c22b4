/**
 * Watches the files of one app that its globs match, and reports a change once no program writes any more.
 */
import { existsSync, lstatSync, readdirSync, statSync, unwatchFile, watch, watchFile } from 'node:fs';
import type { FSWatcher, WatchEventType } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Cancel, Clock } from '../../ports/clock.ts';
import { DOT_FOLDER } from './fields.ts';
import { fixedFolder, foreignPart, globTest, mayHold } from './globs.ts';
import { MAX_FOLDERS, missedChanges, RETRY_MS } from './missed-changes.ts';

/** Time without a further change after which a change is reported. */
const QUIET_MS = 300;
/**
 * Time between two looks whether the folder of the app is still the same one. The system does not report that it was removed while the app
 * runs in it.
 */
const FOLDER_EVERY_MS = 1000;
/** Time for which names of changes are gathered before their folders are read. */
const GATHER_MS = 20;
/** A read of folders is followed by a pause this many times as long, so that a program that writes without end leaves time for others. */
const PAUSE_FACTOR = 10;
/** Codes of a folder that is gone. */
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);
/** Maximum number of characters of a name of a file, on any of the platforms. */
const MAX_NAME_LENGTH = 255;
const NUL = '\0';
/** Folders that are skipped: installed packages and the data of tools are not sources of the app. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules', DOT_FOLDER]);

export interface FileWatchOptions {
  /** Absolute folder of the app. */
  readonly folder: string;
  readonly globs: readonly string[];
  /** Absolute folder of the product's data, which is not watched; undefined: there is none. */
  readonly dataDir?: string | undefined;
  readonly clock: Clock;
  readonly onChange: () => void;
  /** Called with each pattern that finds nothing, and why. */
  readonly onTrouble: (text: string) => void;
  /**
   * Called when it changes which changes are missed.
   * @param why undefined: none is missed any more
   */
  readonly onMissed: (why: string | undefined) => void;
}

export class FileWatch {
  readonly #options: FileWatchOptions;
  readonly #tests: readonly ((path: string) => boolean)[];
  /** Watchers by path relative to the folder; "" = the folder itself. */
  readonly #watched = new Map<string, FSWatcher>();
  /** The folder of the app that is watched; undefined: there is none at its path. */
  #identity: string | undefined;
  readonly #onFolder = (): void => this.#followFolder();
  #due: Cancel | undefined;
  #isFull = false;
  /** Folders that could not be watched, by path, with the code of the error. */
  readonly #unwatched = new Map<string, string>();
  #retry: Cancel | undefined;
  #missed: string | undefined;
  #isReporting = false;
  #isClosed = false;
  /** Changes that wait until their folder is read: names by folder, and whether something else has the name now. */
  #gathered = new Map<string, Map<string, boolean>>();
  #reading: NodeJS.Timeout | undefined;
  #pauseMs = GATHER_MS;

  /** Starts the watch. */
  constructor(options: FileWatchOptions) {
    this.#options = options;
    this.#tests = options.globs.map(globTest);
    for (const glob of options.globs) {
      const why = whyNothing(glob, options.folder);
      const shown = glob === '' || glob.includes(NUL) ? JSON.stringify(glob) : glob;
      if (why !== undefined) options.onTrouble(`${shown} finds nothing: ${why}`);
    }
    this.#identity = identityOf(options.folder);
    this.#add('', false);
    watchFile(options.folder, { interval: FOLDER_EVERY_MS }, this.#onFolder);
  }

  close(): void {
    this.#due?.();
    this.#retry?.();
    this.#isClosed = true;
    clearTimeout(this.#reading);
    unwatchFile(this.#options.folder, this.#onFolder);
    this.#leave('');
  }

  /** Watches the folder that is now at the path of the app, if it is another one: all its files are changes. */
  #followFolder(): void {
    const identity = identityOf(this.#options.folder);
    if (identity === this.#identity) return;
    this.#identity = identity;
    this.#leave('');
    if (identity !== undefined) this.#add('', true);
    this.#report();
  }

  /** @param isNew its files count as changes: the folder has come after the start, or was not watched and they may have changed unseen */
  #add(path: string, isNew: boolean): void {
    const { folder, globs, dataDir } = this.#options;
    const full = join(folder, path);
    if (this.#watched.has(path) || full === dataDir || !globs.some((glob) => mayHold(glob, path))) return;
    if (this.#watched.size >= MAX_FOLDERS) {
      this.#isFull = true;
      this.#report();
      return;
    }
    try {
      const one = watch(full, (event, name) => this.#seen(path, name, event));
      one.on('error', (error) => this.#lose(path, error));
      this.#watched.set(path, one);
      for (const entry of readdirSync(full, { withFileTypes: true })) {
        if (entry.isDirectory()) this.#addBelow(path, entry.name, isNew);
        else if (isNew) this.#changed(below(path, entry.name));
      }
    } catch (error) {
      this.#lose(path, error);
    }
  }

  /** Notes that a folder is not watched; one that is gone again needs no watch. Throws an error that is not the system's. */
  #lose(path: string, error: unknown): void {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    this.#leave(path);
    const code = String(error.code);
    const isGone = GONE.has(code) || identityOf(join(this.#options.folder, path)) === undefined;
    if (!isGone) {
      this.#unwatched.set(path, code);
      this.#tryAgainLater();
    }
    this.#report();
  }

  #tryAgainLater(): void {
    const { clock } = this.#options;
    this.#retry ??= clock.at(clock.now() + RETRY_MS, () => {
      this.#retry = undefined;
      const paths = [...this.#unwatched.keys()];
      this.#unwatched.clear();
      for (const path of paths) this.#add(path, true);
      this.#report();
    });
  }

  /** Reports what is missed, once for everything that happens in one turn. */
  #report(): void {
    if (this.#isReporting) return;
    this.#isReporting = true;
    setImmediate(() => {
      if (this.#isClosed) return;
      this.#isReporting = false;
      const { folder, onMissed } = this.#options;
      const folders = new Map([...this.#unwatched].map(([path, code]) => [join(folder, path), code]));
      const missed = missedChanges({ folders, isFull: this.#isFull });
      if (missed === this.#missed) return;
      this.#missed = missed;
      onMissed(missed);
    });
  }

  #addBelow(path: string, name: string, isNew: boolean): void {
    if (!SKIPPED.has(name)) this.#add(below(path, name), isNew);
  }

  /** Ends the watch of a folder, and of those below it; "" = of all. */
  #leave(folder: string): void {
    for (const [path, watcher] of this.#watched) {
      if (folder !== '' && path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      this.#watched.delete(path);
    }
    for (const path of this.#unwatched.keys())
      if (folder === '' || path === folder || path.startsWith(`${folder}/`)) this.#unwatched.delete(path);
    if (folder === '') this.#isFull = false;
  }

  /**
   * Handles a change.
   * @param name null: the system does not name the file
   */
  #seen(path: string, name: string | null, event: WatchEventType): void {
    if (path === '' && event === 'rename') this.#followFolder();
    if (name === null || SKIPPED.has(name)) return;
    this.#gather(path, name, event === 'rename');
    this.#changed(below(path, name));
  }

  /**
   * Remembers a name until its folder is read, together with the other names of that folder: a build may write thousands of files at once.
   * @param isReplaced what has this name now is not what had it before
   */
  #gather(path: string, name: string, isReplaced: boolean): void {
    const names = this.#gathered.get(path) ?? new Map<string, boolean>();
    this.#gathered.set(path, names);
    names.set(name, isReplaced || names.get(name) === true);
    this.#reading ??= setTimeout(() => this.#readGathered(), this.#pauseMs);
  }

  #readGathered(): void {
    const gathered = this.#gathered;
    this.#gathered = new Map();
    this.#reading = undefined;
    const startedMs = performance.now();
    for (const [path, names] of gathered) this.#follow(path, names);
    this.#pauseMs = Math.max(GATHER_MS, PAUSE_FACTOR * (performance.now() - startedMs));
  }

  /** Reports a change of a file, if a pattern finds it. */
  #changed(path: string): void {
    if (!this.#tests.some((test) => test(path))) return;
    const { clock, folder, onChange } = this.#options;
    this.#due?.();
    this.#due = clock.at(clock.now() + QUIET_MS, () => {
      this.#due = undefined;
      // Without its folder the app cannot start. Once the folder is back, its files are changes.
      if (identityOf(folder) !== undefined) onChange();
    });
  }

  /**
   * Watches those of the changed names that are folders.
   * @param names for each, whether what has it now is not what had it before
   */
  #follow(path: string, names: ReadonlyMap<string, boolean>): void {
    try {
      const around = readdirSync(join(this.#options.folder, path), { withFileTypes: true });
      const folders = new Set(around.flatMap((entry) => (entry.isDirectory() ? entry.name : [])));
      for (const [name, isReplaced] of names) {
        const changed = below(path, name);
        // A folder is watched before those in it, so nothing below an unwatched one has to be left.
        if (isReplaced && this.#watched.has(changed)) this.#leave(changed);
        if (folders.has(name)) this.#addBelow(path, name, true);
      }
    } catch (error) {
      this.#lose(path, error);
    }
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

/** A pattern of files below a folder. */
interface Pattern {
  readonly glob: string;
  readonly folder: string;
  /** The folder of the pattern before the first sign that stands for other characters. */
  readonly fixed: string;
  /** Names of that folder. */
  readonly parts: readonly string[];
}

/** Reasons for which no file is one of a pattern, in the order in which they are looked for. */
const REASONS: readonly ((pattern: Pattern) => string | undefined)[] = [
  ({ glob, folder, parts }) =>
    isAbsolute(glob) || parts.includes('..') ? `only what is below ${folder} is watched` : undefined,
  ({ glob }) => (glob.includes(NUL) ? 'no name of a file has a NUL character' : undefined),
  ({ glob }) =>
    glob.split('/').some((part) => part.replaceAll('*', '').length > MAX_NAME_LENGTH)
      ? `no name of a file has more than ${MAX_NAME_LENGTH} characters`
      : undefined,
  ({ parts }) => {
    const skipped = parts.find((part) => SKIPPED.has(part));
    return skipped === undefined ? undefined : `${skipped} is never watched`;
  },
  ({ folder, fixed }) =>
    existsSync(join(folder, fixed)) ? undefined : `there is no folder ${join(folder, fixed)} yet`,
  ({ folder, parts }) => {
    const paths = parts.map((_part, i) => parts.slice(0, i + 1).join('/'));
    const link = paths.find((path) => isLink(folder, path));
    return link === undefined ? undefined : `${link} is a link, and links to folders are not followed`;
  },
  ({ glob, folder }) => {
    const foreign = foreignPart(glob);
    return foreign === undefined || existsSync(join(folder, foreign))
      ? undefined
      : 'only *, ? and ** stand for other characters, and braces, brackets and ! for themselves';
  },
  ({ glob, folder }) => {
    if (!isFolder(join(folder, glob))) return undefined;
    const names = glob.split('/').filter((name) => name !== '' && name !== '.');
    return `it is a folder; ${[...names, '**'].join('/')} finds the files in it`;
  },
];

/** Why no file is one of a pattern now; undefined: there may be some. */
function whyNothing(glob: string, folder: string): string | undefined {
  const fixed = fixedFolder(glob);
  const pattern = { glob, folder, fixed, parts: fixed.split('/') };
  for (const reasonIn of REASONS) {
    const reason = reasonIn(pattern);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function isFolder(path: string): boolean {
  return identityOf(path) !== undefined;
}

/**
 * What tells a folder from another one that has its path later; undefined: there is no such folder. A path that the system does not look up,
 * such as one that is too long, is none.
 */
function identityOf(folder: string): string | undefined {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false });
    return stats?.isDirectory() === true ? `${stats.dev} ${stats.ino} ${stats.birthtimeMs}` : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

function isLink(folder: string, path: string): boolean {
  return path !== '' && lstatSync(join(folder, path), { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
