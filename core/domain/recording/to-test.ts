/** Recorded messages as a test: a file for Vitest or Playwright, or a shell script with the recording beside it. */
import type { DeliveryState } from '../../contract/delivery.ts';
import type { RecordedSubscription, TestTarget } from '../../contract/recording.ts';
import type { Codec } from '../codec.ts';
import { fileBase } from '../names.ts';
import type { RecordedMessage } from './recorded.ts';
import { testCaseOf } from './test-cases.ts';
import type { TestCase } from './test-cases.ts';
import { IMPORTS, RUNNER, TYPES } from './test-runner.ts';

export interface TestFacts {
  readonly target: TestTarget;
  readonly name: string;
  readonly profile: string;
  readonly product: string;
  readonly subscriptions: readonly RecordedSubscription[];
  readonly states: Readonly<Record<string, DeliveryState>>;
}

export interface MadeTest {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly skipped: readonly { readonly messageId: string; readonly reason: string }[];
}

/** Waits between attempts that a test need not sit through; how many there are stays as it was. */
const QUICK_RETRY = { firstDelayMs: 1, factor: 1, maxDelayMs: 1, jitter: 0 };

/** @param recording text of the same messages as a recording, for `shell` */
export function makeTest(
  messages: readonly RecordedMessage[],
  facts: TestFacts,
  recording: string,
  codec: Codec,
): MadeTest {
  const results = messages.map((recorded) => ({
    recorded,
    result: testCaseOf(recorded, facts.states, codec),
  }));
  const used = results.flatMap(({ recorded, result }) =>
    result.ok ? [{ recorded, testCase: result.testCase }] : [],
  );
  const skipped = results.flatMap(({ recorded, result }) =>
    result.ok ? [] : [{ messageId: recorded.message.row.messageId, reason: result.reason }],
  );
  if (used.length === 0) return { files: [], skipped };
  const cases = used.map(({ testCase }) => testCase);
  const setup = setupOf(
    used.map(({ recorded }) => recorded),
    facts,
  );
  const base = fileBase(
    facts.name
      .trim()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-'),
    'recorded',
  );
  switch (facts.target) {
    case 'vitest':
    case 'playwright': {
      const ending = facts.target === 'vitest' ? 'test.ts' : 'spec.ts';
      return { files: [{ name: `${base}.${ending}`, text: framework(facts, setup, cases) }], skipped };
    }
    case 'shell':
      return {
        files: [
          { name: `${base}.sidelight.jsonl`, text: recording },
          { name: `${base}.sh`, text: script(facts, setup, cases) },
        ],
        skipped,
      };
  }
}

function framework({ target, name, product }: TestFacts, setup: string, cases: readonly TestCase[]): string {
  const isVitest = target === 'vitest';
  const from = isVitest
    ? "import { afterAll, beforeAll, expect, test } from 'vitest';"
    : "import { expect, test } from '@playwright/test';";
  const hook = isVitest ? '' : 'test.';
  const limit = isVitest ? ', 60_000' : '';
  return `// ${line(name)}: ${cases.length} messages recorded by Sidelight ${product}, published again and looked at.
${IMPORTS}${from}

${TYPES}
${setup}
${casesText(cases)}
${RUNNER}
let sidelight: Sidelight;
${hook}beforeAll(async () => {
  sidelight = await Sidelight.start();
}${limit});
${hook}afterAll(() => sidelight?.stop());

for (const testCase of CASES) {
  test(testCase.title, async () => {
    expect(inOrder(await sidelight.run(testCase))).toEqual(inOrder(testCase.expected));
  }${limit});
}
`;
}

function script({ name, product }: TestFacts, setup: string, cases: readonly TestCase[]): string {
  return `#!/bin/sh
# ${line(name)}: ${cases.length} messages recorded by Sidelight ${product}, published again and looked at.
# Needs Node 22.19 or newer; ends with 1 when something came out otherwise.
set -eu
exec node --no-warnings --input-type=module-typescript - <<'END_OF_TEST'
${IMPORTS}import { deepEqual } from 'node:assert/strict';

${TYPES}
${setup}
${casesText(cases)}
${RUNNER}
let failed = 0;
const sidelight = await Sidelight.start();
for (const testCase of CASES) {
  try {
    deepEqual(inOrder(await sidelight.run(testCase)), inOrder(testCase.expected));
    console.log(\`ok    \${testCase.title}\`);
  } catch (error) {
    failed += 1;
    console.error(\`FAIL  \${testCase.title}\\n\${error instanceof Error ? error.message : String(error)}\`);
  }
}
await sidelight.stop();
process.exitCode = failed === 0 ? 0 : 1;
END_OF_TEST
`;
}

/** Everything that is there before the first message. */
function setupOf(messages: readonly RecordedMessage[], { profile, subscriptions }: TestFacts): string {
  const apps = new Set(
    messages.flatMap(({ message, deliveries }) => [
      message.row.appId,
      ...deliveries.map(({ delivery }) => delivery.appId),
    ]),
  );
  const pubsubs = new Set(messages.map(({ message }) => message.row.pubsubname));
  const own = subscriptions.filter(({ appId, pubsubname }) => apps.has(appId) && pubsubs.has(pubsubname));
  const byApp = Object.fromEntries(
    [...apps].map((appId) => [
      appId,
      own.filter((each) => each.appId === appId).map(({ appId: _appId, ...wire }) => wire),
    ]),
  );
  const byTopic = Object.fromEntries(
    messages.flatMap(({ message: { row }, deliveries }) =>
      deliveries.map(({ delivery }) => [
        `${row.pubsubname}/${row.topic}`,
        { ...QUICK_RETRY, maxAttempts: delivery.maxAttempts },
      ]),
    ),
  );
  const settings = {
    'delivery.retry': { ...QUICK_RETRY, maxAttempts: 10 },
    'delivery.retryByTopic': byTopic,
  };
  return [
    constant('PROFILE', 'string', profile),
    constant('APPS', 'readonly string[]', [...apps]),
    constant('PUBSUBS', 'readonly string[]', [...pubsubs]),
    constant('SUBSCRIPTIONS', 'Readonly<Record<string, readonly object[]>>', byApp),
    constant('SETTINGS', 'object', settings),
  ].join('\n');
}

function casesText(cases: readonly TestCase[]): string {
  return constant('CASES', 'readonly Case[]', cases);
}

/** JSON is TypeScript, but for two line ends that old tools trip over, and for a member that would not become one. */
function constant(name: string, type: string, value: unknown): string {
  const text = JSON.stringify(value, undefined, 2)
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll(/^( *)"__proto__":/gm, '$1["__proto__"]:');
  return `const ${name}: ${type} = ${text};`;
}

/** In a comment of one line. */
function line(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200);
}
