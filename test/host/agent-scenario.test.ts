// Scenarios that agents have run, one after another.
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scenarioRunner } from '../../core/host/agent-scenario.ts';

test('a run that could not begin does not keep the next one from beginning', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const run = scenarioRunner({ mayRunPrograms: false, env: {} });
  // A file that restarts its instance needs a folder.
  const text = 'steps:\n  - restart: graceful\n';
  const signal = new AbortController().signal;
  for (const name of ['first', 'second']) {
    const missing = join('/missing', name);
    for (const variable of ['TMPDIR', 'TMP', 'TEMP']) vi.stubEnv(variable, missing);
    expect(await run({ text }, signal)).toMatchObject({
      status: 'failed',
      trouble: expect.stringContaining(missing),
    });
  }
});
