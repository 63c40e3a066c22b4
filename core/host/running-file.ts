/**
 * `running.json`: the addresses of a running instance, for commands that use it. Only its owner may read the
 * file.
 */
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileWatch } from '../adapters/sqlite-journal/file-watch.ts';
import { errorText } from '../contract/error-text.ts';
import { shellQuote } from '../contract/shell-quote.ts';
import type { ShellAddresses } from '../contract/shell.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { isObject, tryParse } from '../domain/json.ts';
import type { Log } from '../ports/log.ts';
import { defaultDataDir, isFolderOfRun } from './data-dir.ts';
import { GROUP, isRunning, processBirth, processStart, tableOf } from './process-start.ts';

const FILE = 'running.json';
const EPHEMERAL = 'ephemeral';
/** Size above which a file is none of an instance: each of its processes has about 200 bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A command that an instance has started, or a process that such a command left when it ended. `startedAt`: ISO 8601. */
export interface RunningProcess {
  readonly appId: string;
  readonly pid: number;
  readonly startedAt: string;
  /** Moment of the start, which a change of the time of day does not move; absent: the system does not say it. */
  readonly born?: string;
  /** Number of its process group, if that is not its own. */
  readonly group?: number;
}

export type StartedProcess = Pick<RunningProcess, 'appId' | 'pid' | 'group'>;

/** Content of the file. Times are ISO 8601. */
export interface RunningInstance {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: string;
  /** Moment of the start, as in `RunningProcess`. */
  readonly born?: string;
  readonly console: string;
  readonly rpc: string;
  readonly token: string;
  readonly apps: ShellAddresses['apps'];
  readonly taps: readonly unknown[];
  readonly processes: readonly RunningProcess[];
}

/** A running instance, with its file. */
export interface FoundInstance extends RunningInstance {
  readonly file: string;
}

export interface RunningFile {
  /** Commands of an earlier run of this folder that are still alive although that run ended. */
  readonly leftBehind: readonly RunningProcess[];
  /** Sets the commands that belong to the instance, and what ended ones left. */
  setProcesses(processes: readonly StartedProcess[]): void;
  /** Ends the watch of the file, and removes it. */
  remove(): Promise<void>;
}

/** In place of the file of an instance that other commands must not find, or cannot find without a home folder. */
export const NOT_LISTED: RunningFile = {
  leftBehind: [],
  setProcesses: () => undefined,
  remove: async () => undefined,
};

export interface RunningFacts {
  /** Folder of the data; undefined: nothing is kept, and the file is in the default folder until the end. */
  readonly folder: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly at: ShellAddresses;
  readonly log: Log;
  /** Ms between two checks whether the file still exists. */
  readonly everyMs?: number;
}

/**
 * Writes the file atomically, and again within seconds after another program removed or changed it. A folder
 * that is not writable is logged, and nothing else fails.
 */
export function openRunningFile({ folder, env, version, at, log, everyMs }: RunningFacts): RunningFile {
  const own = folder === undefined ? ephemeralFolder(env) : undefined;
  const path = folder === undefined ? own && join(own, `${process.pid}.json`) : join(folder, FILE);
  if (path === undefined) return unwritten(log);
  let lastReported = '';
  const write = (processes: readonly RunningProcess[]): boolean => {
    try {
      if (own !== undefined) mkdirSync(own, { recursive: true, mode: 0o700 });
      writeAtOnce(path, `${JSON.stringify(instance(version, at, processes))}\n`);
      lastReported = '';
      return true;
    } catch (error) {
      const text = `${path} could not be written, so other commands need --rpc and --token: ${errorText(error)}`;
      if (text !== lastReported) log.write('warn', 'host', text);
      lastReported = text;
      return false;
    }
  };
  if (own !== undefined) removeStale(own);
  const leftBehind = folder === undefined ? [] : (readInstance(path)?.processes ?? []).filter(lives);
  for (const { appId, pid, group } of leftBehind) {
    const what = group === undefined ? 'The command' : 'A process that the command';
    log.write(
      'warn',
      'host',
      `${what} of app ${appId} ${group === undefined ? 'from' : 'left in'} an earlier run is still running: pid ${pid}.`,
    );
  }
  const notes = new ProcessNotes(write);
  const watch = new FileWatch(path, async () => isOwn(path) || rewritten(), {
    everyMs,
    // Nobody holds the file open, so another one in its place may get its number.
    isContentWatched: true,
  });
  const rewritten = (): boolean => {
    if (!notes.write()) return false;
    log.write(
      'warn',
      'host',
      `${path} was removed or changed while Sidelight was running. Sidelight has written it again.`,
    );
    return true;
  };
  watch.start();
  return {
    leftBehind,
    setProcesses: (processes) => notes.set(processes),
    remove: async () => {
      notes.end();
      await watch.stop();
      removeFile(path);
      if (own !== undefined) removeIfEmpty(own);
    },
  };
}

/** Writes the whole file or nothing. Throws the system's error. */
function writeAtOnce(path: string, text: string): void {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    rmSync(beside, { force: true });
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
    renameSync(beside, path);
  } catch (error) {
    // A full disk has room for its name, and for a part of it.
    removeFile(beside);
    throw error;
  }
}

/** The processes in the file. It is written only when they have changed: hundreds of them may start in a moment. */
class ProcessNotes {
  readonly #toDisk: (processes: readonly RunningProcess[]) => boolean;
  #noted: readonly RunningProcess[] = [];
  #isOnDisk: boolean;
  #hasEnded = false;

  /** Writes the file without processes. */
  constructor(toDisk: (processes: readonly RunningProcess[]) => boolean) {
    this.#toDisk = toDisk;
    this.#isOnDisk = toDisk(this.#noted);
  }

  set(processes: readonly StartedProcess[]): void {
    if (this.#hasEnded) return;
    // To find the start of a process takes several reads.
    const before = new Map(this.#noted.map((one) => [one.pid, one]));
    const next = processes.map((one) => sameNote(before.get(one.pid), one) ?? noteOn(one));
    const isSame = next.length === this.#noted.length && next.every((one, i) => one === this.#noted[i]);
    this.#noted = next;
    if (!isSame || !this.#isOnDisk) this.write();
  }

  /** @returns whether the file was written */
  write(): boolean {
    this.#isOnDisk = this.#toDisk(this.#noted);
    return this.#isOnDisk;
  }

  /** Writes nothing from now on. */
  end(): void {
    this.#hasEnded = true;
  }
}

function noteOn(process: StartedProcess): RunningProcess {
  return { ...process, ...startOf(process.pid) };
}

/** The note of before, if it is on this process. */
function sameNote(
  before: RunningProcess | undefined,
  { appId, group }: StartedProcess,
): RunningProcess | undefined {
  return before?.appId === appId && before.group === group ? before : undefined;
}

/** Stands for the file if there is no folder for it: the instance keeps nothing, and its user has no home folder. */
function unwritten(log: Log): RunningFile {
  const text = 'This user has no home folder, so other commands need --rpc and --token of this instance.';
  log.write('warn', 'host', text);
  return NOT_LISTED;
}

/** Whether this process wrote the file. Each write makes a new one. */
function isOwn(path: string): boolean {
  const found = readInstance(path);
  return found !== undefined && found.pid === process.pid && lives(found);
}

/**
 * Commands of a killed instance of this folder that are still alive. For each it is certain that it is the
 * process that was started then.
 */
export function leftBehindIn(folder: string): readonly RunningProcess[] {
  const found = readInstance(join(folder, FILE));
  return found === undefined || lives(found) ? [] : found.processes.filter(isSame);
}

/**
 * Instances that run now.
 * @param dataDir folder to search; undefined: the default one, with those of `sidelight run` and `sidelight tap`, and of instances that
 * keep nothing
 */
export function runningInstances(
  dataDir: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): readonly FoundInstance[] {
  const files = dataDir === undefined ? standardFiles(env) : [join(dataDir, FILE)];
  return files.flatMap((file) => {
    const found = readInstance(file);
    return found !== undefined && lives(found) ? { ...found, file } : [];
  });
}

/** Files of instances whose folder nobody chose. */
function standardFiles(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const standard = defaultDataDir(env, process.platform);
  if (standard === undefined) return [];
  const ephemeral = join(standard, EPHEMERAL);
  return [
    join(standard, FILE),
    ...namesIn(standard).flatMap((name) => (isFolderOfRun(name) ? join(standard, name, FILE) : [])),
    // A file with another name is still being written, and gets its name when it is complete.
    ...namesIn(ephemeral)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(ephemeral, name)),
  ];
}

function instance(
  version: string,
  { console, rpc, token, apps, taps = [] }: ShellAddresses,
  processes: readonly RunningProcess[],
): RunningInstance {
  const { pid } = process;
  return { version, pid, ...startOf(pid), console, rpc, token, apps, taps, processes };
}

function startOf(pid: number): Pick<RunningProcess, 'startedAt' | 'born'> {
  const startedAt = new Date(processStart(pid) ?? Date.now()).toISOString();
  return { startedAt, ...withoutUndefined({ born: processBirth(pid) }) };
}

function lives({ pid, startedAt, born }: Pick<RunningProcess, 'pid' | 'startedAt' | 'born'>): boolean {
  return isRunning(pid, Date.parse(startedAt), born);
}

/** Whether a process is the noted one: only if the system gives its start, and that is the noted time. Its group is noted where it is read. */
function isSame(noted: RunningProcess): boolean {
  const { pid, group } = noted;
  const isIn = group === undefined || Number(tableOf(pid)[GROUP]) === group;
  return isIn && processStart(pid) !== undefined && lives(noted);
}

function ephemeralFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const standard = defaultDataDir(env, process.platform);
  return standard && join(standard, EPHEMERAL);
}

/** Removes files of instances that were killed. */
function removeStale(folder: string): void {
  for (const name of namesIn(folder)) {
    const found = readInstance(join(folder, name));
    if (found !== undefined && !lives(found)) removeFile(join(folder, name));
  }
}

/** Removes the folder of the instances that keep nothing, unless another one is in it. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // Another instance has its file there, or has already removed the folder, or the disk is read-only.
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
  }
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    // A read-only folder keeps its file, but the process that the file names does not run.
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    return [];
  }
}

/** Reads a file; undefined: it does not exist, or another program wrote it. */
function readInstance(path: string): RunningInstance | undefined {
  try {
    // Opening a named pipe would wait until another program writes to it.
    const found = statSync(path);
    if (!found.isFile() || found.size > MAX_BYTES) return undefined;
    const value = tryParse(readFileSync(path, 'utf8'))?.value;
    return isInstance(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    return undefined;
  }
}

function isInstance(value: unknown): value is RunningInstance {
  return (
    isObject(value) &&
    typeof value['pid'] === 'number' &&
    isBirth(value['born']) &&
    ['version', 'startedAt', 'console', 'rpc', 'token'].every((name) => typeof value[name] === 'string') &&
    Array.isArray(value['apps']) &&
    Array.isArray(value['processes']) &&
    value['processes'].every(isProcess)
  );
}

function isProcess(value: unknown): value is RunningProcess {
  return (
    isObject(value) &&
    typeof value['pid'] === 'number' &&
    typeof value['appId'] === 'string' &&
    typeof value['startedAt'] === 'string' &&
    isBirth(value['born']) &&
    (value['group'] === undefined || typeof value['group'] === 'number')
  );
}

function isBirth(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/** One line for a list of several instances: its facts, and the flags that select it. */
export function describeInstance({ pid, startedAt, rpc, apps, file }: FoundInstance): string {
  const isKept = basename(file) === FILE;
  const choose = isKept
    ? `--data-dir ${shellQuote(dirname(file))}`
    : `--rpc ${rpc} --token T (T: "token" in ${file})`;
  const ids = apps.map(({ appId }) => appId).join(', ');
  return `pid ${pid}, started ${startedAt}, ${ids === '' ? 'no apps' : `apps ${ids}`}: ${choose}`;
}
