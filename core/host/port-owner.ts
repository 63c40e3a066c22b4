/** Who listens on a port of this machine, where the system tells it cheaply: the tables of Linux under /proc. */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

const LISTENING = '0A';
const TABLES = ['tcp', 'tcp6'];

/**
 * "node, pid 123"; undefined where nobody listens, the system does not say, or the process is another user's.
 * @param root of the tables; for tests
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

/** The name of the file it runs: its command line and its title may hold a secret. */
function programOf(link: string): string {
  return basename(readlinkSync(link).replace(/ \(deleted\)$/, '')).replaceAll(/\p{C}/gu, '');
}

/** Sockets that listen on the port, as the links of a process name them. */
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

/** What cannot be looked into belongs to somebody else. */
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
