/** The engine is told to compile sooner only where it knows the flag. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { compileSooner } from '../../core/host/compile-sooner.ts';

function flagsFor(v8: string): readonly string[] {
  const flags: string[] = [];
  compileSooner(v8, (flag) => flags.push(flag));
  return flags;
}

test('a version that was measured is told, another one is left alone', () => {
  expect(flagsFor('13.6.233.17-node.37')).toEqual(['--invocation-count-for-turbofan=800']);
  expect(flagsFor('12.4.254.21-node.33')).toEqual([]);
  expect(flagsFor('130.1')).toEqual([]);
});

test('this engine knows what it is told', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of flagsFor(process.versions.v8)) expect(known).toContain(`${flag.split('=')[0]} (`);
});
