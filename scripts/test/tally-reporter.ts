// A Vitest reporter that writes counts and the reason of every skip to the file in SIDELIGHT_TALLY.
import fs from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { add, NONE, oneFailed, onePassed, oneSkipped, type Tally } from './tally.ts';

export const TALLY_VARIABLE = 'SIDELIGHT_TALLY';

function tallyOf(module: TestModule): Tally {
  const tests = [...module.children.allTests()].map((test): Tally => {
    const result = test.result();
    if (result.state === 'passed') return onePassed;
    if (result.state === 'skipped') return oneSkipped(test.fullName, result.note ?? 'no reason given');
    return oneFailed;
  });
  // A file that could not be loaded has no test that could fail, so the file counts.
  const broken = module.errors().length > 0 ? oneFailed : NONE;
  return tests.reduce(add, broken);
}

export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const file = process.env[TALLY_VARIABLE];
    if (file === undefined) return;
    const tally = modules.map(tallyOf).reduce(add, { ...NONE, failed: unhandled.length });
    fs.writeFileSync(file, JSON.stringify(tally));
  }
}
