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
    const sockets = new Set(TABLES.flatMap((table) => listeners(`${root}/net/${table}`, port)));
    if (sockets.size === 0) return undefined;
    const pid = readdirSync(root)
      .filter((name) => /^\d+$/.test(name))
      .find((name) => holds(`${root}/${name}/fd`, sockets));
    return pid === undefined ? undefined : `${programOf(`${root}/${pid}/exe`)}, pid ${pid}`;
  } catch {
    return undefined;
  }
}

/** Name of the executable file. Command line and title are not used, because they may hold a secret. */
function programOf(link: string): string {
  return basename(readlinkSync(link).replace(/ \(deleted\)$/, '')).replaceAll(/\p{C}/gu, '');
}

/** Listening sockets of the port, in the form of the links of a process. */
function listeners(table: string, port: number): readonly string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(table, 'utf8')
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      return local.endsWith(wanted) && state === LISTENING && inode !== undefined
        ? [`socket:[${inode}]`]
        : [];
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
