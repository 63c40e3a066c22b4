/** The whole suite against the real sidecar, once without and once through a tap: both give one table. */
import { expect, test } from 'vitest';
import { WHY_NO_REFERENCE } from '../support/reference.ts';
import { main } from './main.ts';

const PATH = process.env['SIDELIGHT_REFERENCE'] ?? '';

test.skipIf(WHY_NO_REFERENCE !== undefined).each(['1.13.6', '1.18.3'])(
  'a tap changes no answer of the sidecar %s',
  async (version) => {
    const lines: string[] = [];
    const status = await main(
      ['--reference', PATH, '--reference-version', version, '--through-tap', '--quiet'],
      { print: (line) => lines.push(line) },
    );
    expect([status, ...lines.filter((line) => line.includes('NO REASON KNOWN'))]).toEqual([0]);
    expect(lines.find((line) => line.includes('through a tap'))).toMatch(/: [1-9]\d{2} of \d+ cases/);
  },
  3_600_000,
);
