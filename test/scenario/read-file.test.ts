/** Scenario files: what is read, and each mistake with its line, its column and what was probably meant. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS_OF_FILES } from '../../core/host/setting-table.ts';
import { readScenario } from '../../core/scenario/read-file.ts';
import { scenarioSchema } from '../architecture/scenario-schema.ts';

test('a file with all kinds of steps is read', () => {
  const read = readScenario(`name: fails twice, then is processed
app: mock
mock:
  - match: { topic: orders }
    answer: { kind: sequence, steps: [{ kind: respond, status: 503 }] }
steps:
  - publish: { topic: orders, data: { orderId: 1 } }
  - expect: 'topic:orders data.orderId:1'
    state: processed
    attempts: 3
    within: 5s
  - never: topic:orders-dead
    for: 500ms
  - hold: { filter: topic:orders }
  - release: topic:orders
    answer: { kind: respond, status: 200 }
  - answer: topic:orders
    with: { kind: respond, status: 200 }
  - settle:
  - restart: kill
`);
  expect(read).toMatchObject({ ok: true, scenario: { steps: { length: 8 }, app: 'mock' } });
});

test('a file with tens of thousands of keys in one mapping is read, and names the key that it has twice', () => {
  const keys = Array.from({ length: 150_000 }, (_, index) => `k${index}: 1\n`).join('');
  expect(readScenario(`${keys}k7: 1\n`)).toMatchObject({
    mistakes: [
      { line: 150_001, message: 'YAML: found the key k7 a second time in its mapping; expected it once.' },
    ],
  });
});

/** Lines of a file whose steps stand from line 2 on. */
const steps = (...lines: readonly string[]): string => ['steps:', ...lines].join('\n');

test.each([
  ['nmae: x\nsteps: [{ settle: }]', ['1:1 nmae is not known', 'Did you mean "name"?']],
  [
    'app: mok\nsteps: [{ settle: }]',
    ['1:6 app must be "mock" or an object, got "mok"', 'Did you mean "mock"?'],
  ],
  ['name: x', ['1:1 steps is missing']],
  ['steps: []', ['1:8 steps must be a list of 1 to 1000 items']],
  ['[1]', ['1:1 a scenario file has members such as name,', 'this one is a list']],
  ['', ['1:1 a scenario file has members such as name,', 'this one is nothing']],
  ['app: { urls: x }\nsteps: [{ settle: }]', ['1:8 app.urls is not known', 'Did you mean "url"?']],
  ['app: { run: node app.js }\nsteps: [{ settle: }]', ['1:13 app.run must be a list of at least 1 items']],
  [
    'app: { run: [node], port: 99999 }\nsteps: [{ settle: }]',
    ['1:27 app.port must be an integer 1 to 65535'],
  ],
  [
    'app: { url: "8080" }\nsteps: [{ settle: }]',
    ['1:13 app.url must be an http, https, h2c, grpc or grpcs address, or none, got "8080"'],
  ],
  [
    'apps: { b.c: { url: "ftp://a:1" } }\nsteps: [{ settle: }]',
    ['1:21 apps.b.c.url must be an http, https, h2c, grpc or grpcs address, or none, got "ftp://a:1"'],
  ],
  ['appId: "me:word@h/x"\nsteps: [{ settle: }]', ['or slashes, got "***@h/x"']],
  ['app: { url: "me:word@h:1" }\nsteps: [{ settle: }]', ['or none, got "***@h:1"']],
  ['appId: a.b\nsteps: [{ settle: }]', ['1:8 appId must be an app id without dots']],
  ['resources: ./nowhere\nsteps: [{ settle: }]', ['1:12 resources must be a folder that exists']],
  [
    'settings: { delivery.retri: {} }\nsteps: [{ settle: }]',
    ['1:13 settings.delivery.retri is not known', 'Did you mean "delivery.retry"?'],
  ],
  [
    'settings: { delivery.concurrency: many }\nsteps: [{ settle: }]',
    ['1:35 settings.delivery.concurrency must be a whole number', 'got the text "many"'],
  ],
  [steps('  - publish: { topic: x }'), ['2:14 steps[0].publish.data is missing: give data or dataBase64']],
  [
    steps('  - publish: { topic: x, data: 1, appId: secnd }').concat('\napps: { second: mock }'),
    ['2:42 steps[0].publish.appId must be one of', 'Did you mean "second"?'],
  ],
  [
    steps('  - publishBulk: { topic: x, entries: [{ event: 1 }], pubsubname: pubsb }'),
    [
      "2:67 steps[0].publishBulk.pubsubname must be one of the file's components (pubsub)",
      'Did you mean "pubsub"?',
    ],
  ],
  [steps('  - publsh: { topic: x }'), ['2:5 steps[0].publsh is not a step', 'Did you mean "publish"?']],
  [
    steps('  - publish: { topik: x, data: 1 }'),
    ['2:16 steps[0].publish.topik is not known', 'Did you mean "topic"?'],
  ],
  [steps('  - publish: { data: 1 }'), ['2:14 steps[0].publish.topic is missing']],
  [
    steps('  - expect: topic:x', '    state: procesed'),
    ['3:12 steps[0].state must be', 'Did you mean "processed"?'],
  ],
  [steps('  - expect: topic:x', '    attempts: three'), ['3:15 steps[0].attempts must be an integer']],
  [
    steps('  - expect: topic:x topc:y'),
    ['2:21 steps[0].expect: Unknown key "topc"', 'Did you mean "topic"?'],
  ],
  [steps(`  - expect: 'topic:x topc:y'`), ['2:22 steps[0].expect: Unknown key "topc"']],
  [steps('  - answer: topc:y', '    with: { kind: ask }'), ['2:13 steps[0].answer: Unknown key']],
  [steps('  - hold: { filter: topc:y }'), ['2:21 steps[0].hold.filter: Unknown key']],
  [
    steps('  - never: topic:x', '    for: 5'),
    ['3:10 steps[0].for must be a duration such as 500ms, 5s or 1m30s, got 5'],
  ],
  [steps('  - settle: 5 minutes'), ['2:13 steps[0].settle must be a duration', 'got "5 minutes"']],
  [steps('  - restart: hard'), ['2:14 steps[0].restart must be "graceful" or "kill", got "hard"']],
  [
    steps('  - settle:', 'mock:', '  - { match: { filter: "topc:x" }, answer: { kind: hang } }'),
    ['4:25 mock[0].match.filter: Unknown key'],
  ],
  [
    steps('  - settle:', 'mock:', '  - { match: {}, answer: { kind: respnd } }'),
    ['4:34 mock[0].answer.kind must be', 'Did you mean "respond"?'],
  ],
  [
    steps('  - mock: { rules: [{ match: { filter: "topc:x" }, answer: { kind: hang } }] }'),
    ['2:41 steps[0].mock.rules[0].match.filter: Unknown key', 'Did you mean "topic"?'],
  ],
  [
    steps('  - expect: topic:x', '    deliveries: [{ app: a, route: /x, state: droped, attempts: 1 }]'),
    ['3:46 steps[0].deliveries[0].state must be', 'Did you mean "dropped"?'],
  ],
  ['pubsub: [a]\nsteps: [{ settle: }]', ['1:1 pubsub is not known', 'Did you mean "pubsubs"?']],
  [
    steps('  - settle:', 'steps: []'),
    ['3:1 YAML: found the key steps a second time in its mapping; expected it once.'],
  ],
  ['steps: [', ['1:9 YAML: expected ]: the list that [ begins is not closed.']],
  ['name: a\n---\nsteps: []', ['2:1 YAML: the file has more than one document; expected one.']],
])('the mistakes of the file %j are reported with their places', (text, parts) => {
  const read = readScenario(text, { settings: SETTINGS_OF_FILES, isFolder: () => false });
  if (read.ok) throw new Error('it was read');
  const said = read.mistakes.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n');
  for (const part of parts) expect(said).toContain(part);
});

test('no mistake hides another one', () => {
  const read = readScenario(
    steps('  - publish: { topik: x }', '  - expect: topc:x', '    within: 5', '  - nothing: 1').concat(
      '\nnam: x',
    ),
  );
  expect(read).toMatchObject({
    ok: false,
    mistakes: [{ line: 2 }, { line: 3 }, { line: 4 }, { line: 5 }, { line: 6 }],
  });
});

test('the published schema is the declaration (npm run scenario-schema writes it)', () => {
  expect(readFileSync('scenario.schema.json', 'utf8')).toBe(scenarioSchema());
});

const MANY_ALIASES = Array.from({ length: 101 }, () => '  - publish: { topic: t, data: *a }');

test.each([
  [
    'aliases of one list',
    steps('  - publish: { topic: t, data: &a [1] }', ...MANY_ALIASES),
    '1:1 YAML: the aliases (*) of the file repeat more than 100 values',
  ],
  [
    'an alias inside the value that it stands for',
    'steps: &a\n  - publish: { topic: t, data: *a }',
    '1:1 YAML: an alias is inside',
  ],
  [
    'an alias of nothing',
    'steps: *a',
    '1:8 YAML: found an alias (*), but no anchor (&) of its name above it',
  ],
  [
    '1,001 steps',
    steps(...Array.from({ length: 1001 }, () => '  - settle:')),
    '2:3 steps must be a list of 1 to 1000 items',
  ],
])('a value above a limit or without a target is a mistake of the file: %s', (_what, text, mistake) => {
  const read = readScenario(text);
  const told = read.ok
    ? []
    : read.mistakes.map(({ line, column, message }) => `${line}:${column} ${message}`);
  expect(told).toEqual([expect.stringContaining(mistake)]);
});

test('a file full of mistakes reports the first 100', () => {
  const read = readScenario('a: "\\q"\n'.repeat(2000));
  expect(read).toMatchObject({ ok: false, mistakes: { length: 100 } });
});

describe('the published schema', () => {
  const isValid = new Ajv2020({ strict: false }).compile(JSON.parse(scenarioSchema()));

  test.each([
    ['steps: [{ settle: }]', true],
    ['steps:\n  - expect: topic:a\n    state: processed\n    attempts: 2\n    within: 5s', true],
    [
      'mock:\n  - { match: {}, answer: { kind: respond, status: 200, delayMs: [1, 2] } }\nsteps: [{ settle: }]',
      true,
    ],
    [
      'mock:\n  - { match: {}, answer: { kind: respond, status: 200, delayMs: [1] } }\nsteps: [{ settle: }]',
      false,
    ],
    ['steps: []', false],
    ['nmae: x\nsteps: [{ settle: }]', false],
    ['steps:\n  - publsh: { topic: a }', false],
    ['steps:\n  - publish: { data: 1 }', false],
    ['app: mok\nsteps: [{ settle: }]', false],
    ['app: { run: node app.js }\nsteps: [{ settle: }]', false],
    ['steps:\n  - expect: topic:a\n    state: procesed', false],
    ['steps:\n  - expect: topic:a\n    attempts: "3"', false],
    ['mock:\n  - { match: {}, answer: { kind: respnd, status: 200 } }\nsteps: [{ settle: }]', false],
    ['mock:\n  - { match: {}, answer: { kind: respond, status: 1000 } }\nsteps: [{ settle: }]', false],
    ['mock:\n  - { match: {}, answer: { kind: respond, status: 150 } }\nsteps: [{ settle: }]', false],
    [
      'mock:\n  - { match: {}, answer: { kind: respond, status: 200, delayMs: 3600000 } }\nsteps: [{ settle: }]',
      false,
    ],
    ['steps:\n  - restart: maybe', false],
    ['steps:\n  - { settle: , never: topic:a }', false],
    ['profile: daper\nsteps: [{ settle: }]', false],
  ])('the schema and the command agree about %j', (text, isGood) => {
    expect([isValid(parse(text)), readScenario(text, { settings: SETTINGS_OF_FILES }).ok]).toEqual([
      isGood,
      isGood,
    ]);
  });
});
