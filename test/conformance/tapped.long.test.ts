/**
 * The whole suite against the real sidecar, once without and once through a tap: both give one table. Each part is a test of its own,
 * which takes a minute or two, so that one that is stopped leaves the results of the others.
 */
import { expect, test } from 'vitest';
import { WHY_NO_REFERENCE } from '../support/reference.ts';
import { CONFIGURATIONS } from './configurations.ts';
import { main } from './main.ts';
import { REFERENCE_SETUPS } from './reference.ts';

const PATH = process.env['SIDELIGHT_REFERENCE'] ?? '';
const PARTS = 4;

const IDS = CONFIGURATIONS.filter(({ id }) => REFERENCE_SETUPS[id]?.skip === undefined).flatMap(({ cases }) =>
  cases.map(({ id }) => id),
);
const SIZE = Math.ceil(IDS.length / PARTS);
const ALL = ['1.13.6', '1.18.3'].flatMap((version) =>
  Array.from({ length: PARTS }, (_, part) => ({
    version,
    part: part + 1,
    only: IDS.slice(part * SIZE, (part + 1) * SIZE).join(','),
  })),
);

test.skipIf(WHY_NO_REFERENCE !== undefined).each(ALL)(
  `a tap changes no answer of the sidecar $version, part $part of ${PARTS}`,
  async ({ version, only }) => {
    const lines: string[] = [];
    const status = await main(
      ['--reference', PATH, '--reference-version', version, '--through-tap', '--quiet', '--only', only],
      { print: (line) => lines.push(line) },
    );
    expect([status, ...lines.filter((line) => line.includes('NO REASON KNOWN'))]).toEqual([0]);
    // Some cases belong to one release only, so a part may have fewer.
    expect(lines.find((line) => line.includes('through a tap'))).toMatch(/: [1-9]\d+ of \d+ cases/);
  },
  1_800_000,
);
