/** Every case is seen to fail when what it looks at is spoilt. */
import { expect, test } from 'vitest';
import { main } from './main.ts';

test.each(['sidecar', 'dapr'])(
  'with its spoil every case fails in profile %s',
  async (profile) => {
    const lines: string[] = [];
    const args = ['--red', '--quiet', '--jobs', '5', '--profile', profile];
    const status = await main(args, { print: (line) => lines.push(line) });
    // The lines say which case still passes, or could not be tried.
    expect([status, ...lines.slice(0, -1)]).toEqual([0]);
    expect(lines.at(-1)).toMatch(/^conformance, spoilt: \d{3,} failed as they have to, 0 did not/);
  },
  3_600_000,
);
