/** Patterns of file names: `*` and `?` within one folder, `**` for any number of folders. */

/** Makes a test whether a path, with `/` between its parts, matches a pattern. */
export function globTest(glob: string): (path: string) => boolean {
  const wanted = partsOf(glob);
  return (path) => matches(wanted, path.split('/'));
}

/**
 * Whether a file somewhere in this folder may match the pattern.
 * @param folder "" = where the pattern begins
 */
export function mayHold(glob: string, folder: string): boolean {
  const wanted = partsOf(glob);
  const parts = folder === '' ? [] : folder.split('/');
  for (const [i, part] of parts.entries()) {
    const at = wanted[i];
    if (at === '**') return true;
    if (at === undefined || i === wanted.length - 1 || !fits(at, part)) return false;
  }
  return true;
}

/** The folder in which all files of a pattern lie; "" = where the pattern begins. */
export function fixedFolder(glob: string): string {
  const parts = partsOf(glob).slice(0, -1);
  const open = parts.findIndex((part) => /[*?]/.test(part));
  return (open < 0 ? parts : parts.slice(0, open)).join('/');
}

/** Braces, brackets and a leading `!`, which other languages of patterns read. */
const FOREIGN = /\{[^{}]*\}|\[[^[\]]+\]|^!/;

/** The pattern up to its first part with characters that mean something elsewhere; undefined: there is none. */
export function foreignPart(glob: string): string | undefined {
  const parts = partsOf(glob);
  const at = parts.findIndex((part) => FOREIGN.test(part));
  return at < 0 ? undefined : parts.slice(0, at + 1).join('/');
}

function partsOf(glob: string): readonly string[] {
  return glob.replace(/^\.\//, '').split('/');
}

function matches(wanted: readonly string[], parts: readonly string[]): boolean {
  // Positions of the pattern that the parts so far may have reached: a table takes linear time, trying every
  // way does not.
  let reached = skipFolders(wanted, new Set([0]));
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of reached) {
      const one = wanted[at];
      if (one === undefined) continue;
      if (one === '**') next.add(at);
      else if (fits(one, part)) next.add(at + 1);
    }
    reached = skipFolders(wanted, next);
  }
  return reached.has(wanted.length);
}

/** Adds the positions after a `**`, which also matches no folder. */
function skipFolders(wanted: readonly string[], reached: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(reached);
  for (const at of all) if (wanted[at] === '**') all.add(at + 1);
  return all;
}

/**
 * Whether a name matches a pattern with `*` and `?`. Only the last `*` is tried again, so that no name takes
 * long.
 */
function fits(pattern: string, name: string): boolean {
  let p = 0;
  let star = -1;
  let starAt = 0;
  for (let n = 0; n < name.length;) {
    if (pattern[p] === '*') {
      star = p;
      starAt = n;
      p += 1;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p += 1;
      n += 1;
    } else if (star >= 0) {
      starAt += 1;
      n = starAt;
      p = star + 1;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
