// Finds what a test run left behind: processes, listening ports, temporary files.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Variable that every process of a run inherits; a process with the same value belongs to the run. */
export const RUN_VARIABLE = 'SIDELIGHT_TEST_RUN';

export interface LeftProcess {
  readonly pid: number;
  readonly command: string;
  /** TCP ports on which the process listens; known on Linux only. */
  readonly ports: readonly number[];
}

/** Text about processes that this platform cannot report; undefined: it reports all. */
export const blindSpot: string | undefined =
  process.platform === 'win32' ? 'Windows does not tell the environment of other processes' : undefined;

/** Processes other than this one with the run's mark. [] if they are not visible (`blindSpot`). */
export function leftProcesses(run: string): LeftProcess[] {
  if (process.platform === 'linux') return onLinux(`${RUN_VARIABLE}=${run}`);
  if (process.platform === 'win32') return [];
  return fromProcessList(execFileSync('ps', ['-Eaxww', '-o', 'pid=,command='], { encoding: 'utf8' }), run);
}

function onLinux(mark: string): LeftProcess[] {
  const ids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const own = String(process.pid);
  return ids
    .filter((id) => id !== own && readProc(id, 'environ').split('\0').includes(mark))
    .filter((id) => !/^State:\s+Z/m.test(readProc(id, 'status')))
    .map((id) => ({
      pid: Number(id),
      command: readProc(id, 'cmdline').replaceAll('\0', ' ').trim(),
      ports: listeningPorts(id),
    }));
}

/** A file of /proc; '' if the process has ended or belongs to another user. */
function readProc(id: string, file: string): string {
  try {
    return fs.readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch (error) {
    if (isGone(error)) return '';
    throw error;
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(String(error.code));

/** TCP ports of the sockets that the process holds open and that listen. */
function listeningPorts(id: string): number[] {
  const held = new Set(openSockets(id));
  const rows = ['net/tcp', 'net/tcp6'].flatMap((file) => readProc(id, file).split('\n').slice(1));
  const listening = rows
    .map((row) => row.trim().split(/\s+/))
    .filter((cells) => cells[3] === '0A' && held.has(cells[9] ?? ''));
  return listening.map((cells) => Number.parseInt(cells[1]?.split(':')[1] ?? '0', 16));
}

function openSockets(id: string): string[] {
  const folder = `/proc/${id}/fd`;
  try {
    const links = fs.readdirSync(folder).map((name) => fs.readlinkSync(path.join(folder, name)));
    return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** Rows of `ps -E`: pid, command line, environment, all in one line. */
export function fromProcessList(text: string, run: string): LeftProcess[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    const marked = command?.split(' ').includes(`${RUN_VARIABLE}=${run}`);
    if (!marked || pid === undefined || Number(pid) === process.pid) return [];
    return [{ pid: Number(pid), command: command?.slice(0, 120) ?? '', ports: [] }];
  });
}

/** Ends a process at once; one that is gone already is fine. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Files that tools keep between runs on purpose, by their names in the folder for temporary files. */
const TOOL_CACHES = [/^node-compile-cache$/, /^jiti$/, /^playwright-transform-cache-\d+$/];

/** Names of files in the run's own folder for temporary files. */
export const leftFiles = (folder: string): string[] =>
  fs.readdirSync(folder).filter((name) => !TOOL_CACHES.some((cache) => cache.test(name)));
