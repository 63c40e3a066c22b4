/** Scenarios that agents have run, one after another. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scenarioRunner } from '../../core/host/agent-scenario.ts';

test('a run that could not begin does not prevent the next one', async () => {
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

test.runIf(process.platform !== 'win32')(
  'a path to a folder, a pipe or a large file is not read',
  async () => {
    const run = scenarioRunner({ mayRunPrograms: true, env: {} });
    const folder = mkdtempSync(join(tmpdir(), 'sidelight-agent-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const pipe = join(folder, 'pipe.yaml');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const large = join(folder, 'large.yaml');
    writeFileSync(large, '');
    truncateSync(large, 1024 * 1024 + 1);
    const { signal } = new AbortController();
    for (const path of [pipe, '/dev/zero', folder])
      await expect(run({ path }, signal)).rejects.toThrow('path cannot be read: it is not a file');
    await expect(run({ path: large }, signal)).rejects.toThrow(
      'path cannot be read: the file is larger than 1 MiB',
    );
  },
);
