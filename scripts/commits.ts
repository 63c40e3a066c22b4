// Checks commit subjects: at most 72 characters, for every commit after the one whose hash is in
// test/architecture/commits-from. Merges are left out: the one that a hosted run makes for a pull request has two
// whole hashes in its subject.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const MAX_LENGTH = 72;
const FROM_FILE = path.join('test', 'architecture', 'commits-from');

export interface CommitCheck {
  /** One sentence for each commit that has to be changed; [] = all good. */
  readonly complaints: readonly string[];
  /** Part that could not be checked, and why; undefined: everything was. */
  readonly note?: string;
}

/** Output of git; undefined: git or the repository is missing, or git refuses. */
function git(root: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Whether the folder has a history of its own. One inside a foreign repository, such as an unpacked archive,
 * has none.
 */
function hasHistory(root: string): boolean {
  const top = git(root, 'rev-parse', '--show-toplevel');
  return top !== undefined && fs.realpathSync(top) === fs.realpathSync(root);
}

/** Checks the commits of the repository in `root`. Throws if the file with the first hash cannot be read. */
export function checkCommits(root: string): CommitCheck {
  const from = fs.readFileSync(path.join(root, FROM_FILE), 'utf8').trim();
  if (!hasHistory(root))
    return { complaints: [], note: 'no git repository here, so no commit was looked at' };
  const isThere = git(root, 'cat-file', '-e', `${from}^{commit}`) !== undefined;
  const isShallow = git(root, 'rev-parse', '--is-shallow-repository') === 'true';
  if (!isThere && !isShallow)
    return { complaints: [`${FROM_FILE} names ${from}, which is no commit of this repository`] };
  const listed = git(
    root,
    'log',
    '--no-merges',
    '--format=%h%x09%s',
    ...(isThere ? [`${from}..HEAD`] : ['HEAD']),
  );
  if (listed === undefined) return { complaints: ['git log failed'] };
  const lines = listed === '' ? [] : listed.split('\n');
  const complaints = lines.flatMap((line) => {
    const [hash = '', ...rest] = line.split('\t');
    const subject = rest.join('\t');
    const length = Array.from(subject).length;
    return length <= MAX_LENGTH
      ? []
      : [`${hash}: the subject has ${length} characters, ${MAX_LENGTH} are allowed: ${subject}`];
  });
  if (isThere) return { complaints };
  return { complaints, note: `shallow clone: only the ${lines.length} commits that are here were looked at` };
}
