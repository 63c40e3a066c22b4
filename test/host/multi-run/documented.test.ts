/** The files of docs/running-apps.md, as a reader saves them: both apps start, and one gets what the other publishes. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { folderWith } from './plan-of.ts';
import { PATIENCE_MS, run, until } from './run-stand.ts';

vi.setConfig({ testTimeout: PATIENCE_MS });

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/running-apps.md'), 'utf8');
const FILES = Object.fromEntries(
  [...PAGE.matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```\n/g)].map(([, name = '', text = '']) => [
    name,
    text,
  ]),
);

test('the example of the page does what the page says', async () => {
  const files = {
    ...FILES,
    'dapr.yaml': FILES['dapr.yaml']?.replace('6001', String(await freePort())) ?? '',
  };
  const one = run(folderWith(files));
  const lines = [...PAGE.matchAll(/`(== APP - [^`]+)`/g)].map(([, line = '']) => line);
  const shown = lines.filter((line) => !line.includes('- id =='));
  expect(shown).toHaveLength(2);
  await until(() => shown.every((line) => one.out.includes(line)));
  one.signal('SIGTERM');
  expect(await one.over).toBe(0);
});
