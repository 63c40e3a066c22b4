/** Files as the public examples of the reference have them, for ten languages and ways: each is read without a word about its keys. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlan } from '../../../core/host/multi-run/read-plan.ts';
import { readRunFile } from '../../../core/host/multi-run/find-file.ts';
import { folderWith } from './plan-of.ts';

interface Example {
  readonly name: string;
  readonly port: number;
  /** Below the folder of the app: where its command runs. */
  readonly below?: string;
  readonly processor: readonly string[];
  readonly publisher: readonly string[];
}

const same = (name: string, port: number, ...command: readonly string[]): Example => ({
  name,
  port,
  processor: command,
  publisher: command,
});

const java = (name: string): Example => ({
  name,
  port: 8080,
  below: 'target/',
  processor: ['java', '-jar', 'processor.jar'],
  publisher: ['java', '-jar', 'publisher.jar'],
});

const EXAMPLES: readonly Example[] = [
  same('csharp/http', 7005, 'dotnet', 'run'),
  same('csharp/sdk', 7006, 'dotnet', 'run'),
  same('go/http', 6007, 'go', 'run', '.'),
  same('go/sdk', 6005, 'go', 'run', '.'),
  java('java/http'),
  java('java/sdk'),
  same('javascript/http', 5003, 'npm', 'run', 'start'),
  same('javascript/sdk', 5002, 'npm', 'run', 'start'),
  { name: 'python/http', port: 6021, processor: ['uvicorn', 'app:app'], publisher: ['python3', 'app.py'] },
  same('python/sdk', 6002, 'python3', 'app.py'),
];

function listOf(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
}

function textOf({ port, below = '', processor, publisher }: Example): string {
  return `version: 1
common:
  resourcesPath: ../../components/
apps:
  - appID: order-processor
    appDirPath: ./order-processor/${below}
    appPort: ${port}
    command: ${listOf(processor)}
  - appID: checkout
    appDirPath: ./checkout/${below}
    command: ${listOf(publisher)}
`;
}

test.each(EXAMPLES)('R62: $name', (example) => {
  const { name, port, below = '', processor, publisher } = example;
  const folder = folderWith({
    'components/pubsub.yaml': '',
    [`${name}/order-processor/${below}`]: '',
    [`${name}/checkout/${below}`]: '',
    [`${name}/dapr.yaml`]: textOf(example),
  });
  const plan = readPlan(readRunFile(join(folder, name)), { env: {}, platform: 'linux', home: folder });
  expect(plan.notes).toEqual([]);
  const resources = [join(folder, 'components')];
  expect(plan.apps).toMatchObject([
    { appId: 'order-processor', url: `http://127.0.0.1:${port}`, command: processor, resources },
    { appId: 'checkout', command: publisher, resources },
  ]);
  expect(plan.apps[1]).not.toHaveProperty('url');
});

test('R62: a missing file that a build makes is reported so', () => {
  const example = java('java/http');
  const folder = folderWith({
    'components/': '',
    'x/y/order-processor/': '',
    'x/y/dapr.yaml': textOf(example),
  });
  expect(() =>
    readPlan(readRunFile(join(folder, 'x/y')), { env: {}, platform: 'linux', home: folder }),
  ).toThrow(/dapr\.yaml:6:17: appDirPath: there is no file or folder .*\/order-processor\/target/);
});
