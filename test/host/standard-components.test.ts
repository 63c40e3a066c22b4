/** The components that the reference's `run` would take from the home folder: `sidelight run` names them, and the flag that loads them. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startProduct } from '../../core/host/compose.ts';
import { readOptions } from '../../core/host/options.ts';
import { unloadedComponents } from '../../core/host/standard-components.ts';

const RUN = { mode: 'run', env: {} } as const;

async function homeWith(...files: readonly string[]): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'sidelight-home-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  if (files.length === 0) return home;
  await mkdir(join(home, '.dapr', 'components'), { recursive: true });
  for (const file of files) await writeFile(join(home, '.dapr', 'components', file), '');
  return home;
}

test('a run without a folder names the files there, and the flag that loads them', async () => {
  const home = await homeWith('statestore.yaml', 'pubsub.yaml', 'README.md');
  const folder = join(home, '.dapr', 'components');
  expect(unloadedComponents(RUN, home)).toBe(
    `2 files of ${folder} (pubsub.yaml, statestore.yaml) are not loaded: --resources ${folder} loads them.`,
  );
  const elsewhere = { DAPR_RUNTIME_PATH: await homeWith('bus.yml') };
  expect(unloadedComponents({ ...RUN, env: elsewhere }, home)).toMatch(
    /^1 file of .*bus\.yml\) is not loaded: /,
  );
});

test('nothing is said where a folder is given, where none of the files would be loaded, and without run', async () => {
  const home = await homeWith('pubsub.yaml');
  expect(unloadedComponents({ ...RUN, resources: 'components' }, home)).toBeUndefined();
  expect(unloadedComponents({ ...RUN, resourceSets: [] }, home)).toBeUndefined();
  expect(unloadedComponents({ ...RUN, mode: 'headless' }, home)).toBeUndefined();
  expect(unloadedComponents(RUN, await homeWith('README.md'))).toBeUndefined();
  expect(unloadedComponents(RUN, await homeWith())).toBeUndefined();
});

test('the log of a run has the line at its start', async () => {
  const lines: string[] = [];
  const flags = [
    'run',
    '--headless',
    '--ephemeral',
    '--console-port',
    '0',
    '--sidecar-port',
    '0',
    '--grpc-port',
    '0',
  ];
  const options = readOptions(flags, { DAPR_RUNTIME_PATH: await homeWith('pubsub.yaml') });
  const product = await startProduct({ ...options, writeLog: (line) => lines.push(line) });
  await product.stop();
  expect(lines.filter((line) => line.includes('is not loaded: --resources '))).toHaveLength(1);
});
