// The gate on commit subjects, against repositories made here.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkCommits } from '../../scripts/commits.ts';
import { scratchOfTest, writeFiles } from './scratch.ts';

const LONG = 'x'.repeat(73);
const FROM = path.join('test', 'architecture', 'commits-from');
const NOBODY = [
  '-c',
  'user.name=nobody',
  '-c',
  'user.email=nobody@example.org',
  '-c',
  'commit.gpgsign=false',
];

function git(root: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', ['-C', root, ...NOBODY, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

const commit = (root: string, subject: string): void =>
  void git(
    root,
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    `${subject}\n\nThe body may be as wide as it likes: ${LONG}`,
  );

/** A repository in which one long subject came before the commit that is named, and `later` after it. */
function repository(...later: readonly string[]): string {
  const root = scratchOfTest();
  git(root, 'init', '--quiet');
  commit(root, `old ${LONG}`);
  commit(root, 'the last one before the rule');
  writeFiles(root, { [FROM]: `${git(root, 'rev-parse', 'HEAD')}\n` });
  for (const subject of later) commit(root, subject);
  return root;
}

describe('commit subjects', () => {
  test('72 characters are allowed, and what came before the named commit is not looked at', () => {
    expect(checkCommits(repository('x'.repeat(72), 'ä'.repeat(72)))).toEqual({ complaints: [] });
  });

  test('a longer one is named with its length', () => {
    const { complaints } = checkCommits(repository('good', LONG, 'good'));
    expect(complaints).toEqual([
      expect.stringContaining(`the subject has 73 characters, 72 are allowed: ${LONG}`),
    ]);
  });

  test('a merge is not checked, but its commits are', () => {
    const root = repository('good');
    git(root, 'checkout', '--quiet', '-b', 'branch');
    commit(root, LONG);
    const [head, main] = [git(root, 'rev-parse', 'HEAD'), git(root, 'rev-parse', 'HEAD~')];
    git(root, 'checkout', '--quiet', '--detach', main);
    git(root, 'merge', '--quiet', '--no-ff', '-m', `Merge ${head} into ${main}`, 'branch');
    expect(checkCommits(root).complaints).toEqual([expect.stringContaining(LONG)]);
  });

  test('a shallow clone says so and looks at the commits it has', () => {
    const whole = repository(LONG, 'good', 'good');
    const shallow = path.join(scratchOfTest(), 'clone');
    const clone = (depth: number): void =>
      void git(whole, 'clone', '--quiet', '--depth', String(depth), `file://${whole}`, shallow);
    clone(2);
    writeFiles(shallow, { [FROM]: fs.readFileSync(path.join(whole, FROM), 'utf8') });
    expect(checkCommits(shallow)).toEqual({
      complaints: [],
      note: 'shallow clone: only the 2 commits that are here were looked at',
    });
    fs.rmSync(shallow, { recursive: true });
    clone(3);
    writeFiles(shallow, { [FROM]: fs.readFileSync(path.join(whole, FROM), 'utf8') });
    expect(checkCommits(shallow).complaints).toHaveLength(1);
  });

  test('an unpacked archive says that there was nothing to look at', () => {
    const root = scratchOfTest();
    writeFiles(root, { [FROM]: 'abc\n' });
    expect(checkCommits(root)).toEqual({
      complaints: [],
      note: 'no git repository here, so no commit was looked at',
    });
  });

  test('a hash that a whole repository does not have is a mistake', () => {
    const root = repository('good');
    writeFiles(root, { [FROM]: `${'0'.repeat(40)}\n` });
    expect(checkCommits(root).complaints).toEqual([expect.stringContaining('no commit of this repository')]);
  });
});
