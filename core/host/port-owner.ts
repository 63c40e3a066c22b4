/**
 * Finds the program that listens on a port of this machine, if the system offers it cheaply: the tables of
 * Linux under /proc.
 */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

const LISTENING = '0A';
const TABLES = ['tcp', 'tcp6'];

/**
 * The program, as "node, pid 123"; undefined: nothing listens, the system does not say, or the process belongs to another user.
 * @param root folder of the tables, for tests
 */
export function portOwner(port: number, root = '/proc'): string | undefined {
  try {
    const all = TABLES.flatMap((table) => rowsOf(`${root}/net/${table}`));
    const sockets = new Set(all.filter((row) => row.port === port).map(({ socket }) => socket));
    if (sockets.size === 0) return undefined;
    const pid = readdirSync(root)
      .filter((name) => /^\d+$/.test(name))
      .find((name) => holds(`${root}/${name}/fd`, sockets));
    return pid === undefined ? undefined : `${programOf(`${root}/${pid}/exe`)}, pid ${pid}`;
  } catch {
    return undefined;
  }
}

/** Ports of this machine on which one of the processes listens, lowest first; [] where the system does not say. */
export function portsOf(pids: readonly number[], root = '/proc'): readonly number[] {
  if (pids.length === 0) return [];
  try {
    const all = TABLES.flatMap((table) => rowsOf(`${root}/net/${table}`));
    const own = all.filter(({ socket }) => pids.some((pid) => holds(`${root}/${pid}/fd`, new Set([socket]))));
    return [...new Set(own.map(({ port }) => port))].toSorted((a, b) => a - b);
  } catch {
    return [];
  }
}

/** Name of the executable file. Command line and title are not used, because they may hold a secret. */
function programOf(link: string): string {
  return basename(readlinkSync(link).replace(/ \(deleted\)$/, '')).replaceAll(/\p{C}/gu, '');
}

interface ListeningRow {
  readonly port: number;
  /** The socket, in the form of the links of a process. */
  readonly socket: string;
}

/** Listening sockets of a table. */
function rowsOf(table: string): readonly ListeningRow[] {
  return readFileSync(table, 'utf8')
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state !== LISTENING || inode === undefined) return [];
      return [
        { port: Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16), socket: `socket:[${inode}]` },
      ];
    });
}

/** Whether a process holds one of the sockets. An unreadable folder belongs to another user. */
function holds(folder: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(folder).some((name) => {
      try {
        return sockets.has(readlinkSync(`${folder}/${name}`));
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}
