/**
 * Hostile values at every place of a recording: it is imported or refused in words, listed, exported, and what becomes a test can be read
 * as one.
 */
import { beforeEach, expect, test } from 'vitest';
import { EXPORT_FORMATS } from '../../core/contract/words.ts';
import { wholeRule } from '../../core/domain/given-rule.ts';
import { SETTINGS_OF_FILES } from '../../core/host/setting-table.ts';
import { checkRules } from '../../core/mock-app/check-rules.ts';
import { readScenario } from '../../core/scenario/read-file.ts';
import type { InMemoryConsole } from './in-memory-console.ts';
import { exportedLines, recordingConsole } from './recording-console.ts';
import { times } from '../support/extent.ts';

let console: InMemoryConsole;
beforeEach(() => {
  console = recordingConsole();
});

const HOSTILE: readonly unknown[] = [
  '',
  '../../up',
  'CON',
  'a\nb',
  'a\r\nx-evil: 1',
  'a\0b',
  '\u202eevil',
  '\ud800',
  '__proto__',
  '*',
  '{{now}}',
  'x'.repeat(5000),
  `${'['.repeat(3000)}${']'.repeat(3000)}`,
  '{"__proto__":{"a":1},"a":1,"a":2}',
  -1,
  0,
  1.5,
  99_999,
  2 ** 53,
  1e308,
  null,
  true,
  [],
  {},
];

/** A recording with everything that one can have: a message with a delivery and its attempt, a subscription, a rule. */
async function lines(): Promise<readonly object[]> {
  const all = await exportedLines(console, {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"status":"SUCCESS"}',
  });
  const answer = { kind: 'respond', status: 503, headers: { a: 'b' }, body: 'no' };
  const rule = { appId: 'mail', ruleId: 'rule_1', enabled: true, match: { topic: 'orders' }, answer };
  const routes = { rules: [{ match: 'true', path: '/a' }], default: '/orders' };
  const subscription = { appId: 'mail', pubsubname: 'pubsub', topic: 'orders', routes };
  const setup = [
    { kind: 'subscription', subscription },
    { kind: 'rule', rule },
  ];
  return [...all.filter(({ kind }) => kind !== 'end'), ...setup, all.at(-1) ?? {}];
}

/** Places of which a test is made: each value stands there, elsewhere one in so many. */
const MADE_OF: readonly string[] = [
  'wire',
  'row.topic',
  'row.pubsubname',
  'row.appId',
  'row.eventId',
  'deliveries.0.delivery.route.path',
  'attempt.response.status',
  'attempt.response.headers.content-type',
];

const ONE_IN = times(20, 1);

type Path = readonly (string | number)[];

/** Every value of it that is no list and no object, and each of these as a whole. */
function places(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, one]) => places(one, [...path, name]))];
}

/** The value with another one at that place. */
function changed(value: unknown, path: Path, hostile: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return hostile;
  if (Array.isArray(value))
    return value.map((one: unknown, at) => (at === Number(name) ? changed(one, rest, hostile) : one));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, one]) => [
      key,
      key === name ? changed(one, rest, hostile) : one,
    ]),
  );
}

/** Everything that can be done with a recording; gives what is not as it must be. */
async function walk(text: string): Promise<readonly unknown[]> {
  const refused = await console.refused('recordings.import', { text, isLast: true, name: 'a' });
  if (refused !== undefined) return JSON.stringify(refused).includes('"INVALID_PARAMS"') ? [] : [refused];
  const [{ recordingId } = { recordingId: '' }] = (await console.call('recordings.list', {})).items;
  const { items } = await console.call('messages.list', { recordingId });
  for (const { messageId } of items) await console.call('messages.get', { messageId, recordingId });
  await console.call('messages.list', { recordingId, filter: 'data.n:1 OR state:processed OR "x"' });
  const wrong: unknown[] = [];
  // A recording without messages has nothing to export.
  for (const format of items.length === 0 ? [] : EXPORT_FORMATS) {
    const { jobId } = await console.call('recordings.export', { recordingId, format });
    const part = await console.call('recordings.read', { jobId, part: 1 });
    if (!part.isLast) wrong.push(`${format} does not end`);
    if (format === 'recording') wrong.push(...(await problemsOf(part.text)));
  }
  const { files } = await console.call('recordings.toTest', { recordingId, name: 'a' });
  wrong.push(...files.flatMap((file) => mistakesOf(file.text)));
  await console.call('recordings.close', { recordingId });
  return wrong;
}

/** Problems of an import of an exported recording. */
async function problemsOf(text: string): Promise<readonly unknown[]> {
  const { recordingId, problems } = await console.call('recordings.import', { text, name: 'again' });
  await console.call('recordings.close', { recordingId });
  return problems;
}

/** Mistakes that `sidelight test` finds in a file. Throws Refusal for rules that the mock app refuses. */
function mistakesOf(text: string): readonly unknown[] {
  const read = readScenario(text, { settings: SETTINGS_OF_FILES });
  if (!read.ok) return read.mistakes;
  for (const step of read.scenario.steps)
    if ('mock' in step) checkRules((step.mock.rules ?? []).map(wholeRule));
  return [];
}

test('a recording with a hostile value is accepted or refused, and nothing made of it fails', async () => {
  const all = await lines();
  const failed: string[] = [];
  for (const [at, line] of all.entries()) {
    for (const [nth, path] of places(line).entries()) {
      const isMade = MADE_OF.includes(path.join('.'));
      for (const hostile of HOSTILE.filter((_, which) => isMade || (which + nth) % ONE_IN === 0)) {
        const text = all
          .map((one, other) => JSON.stringify(other === at ? changed(one, path, hostile) : one))
          .join('\n');
        const where = `line ${at + 1} ${path.join('.')} = ${JSON.stringify(hostile).slice(0, 40)}`;
        try {
          failed.push(...(await walk(text)).map((wrong) => `${where}: ${JSON.stringify(wrong)}`));
        } catch (error) {
          failed.push(`${where}: ${String(error).slice(0, 600)}`);
          for (const { recordingId } of (await console.call('recordings.list', {})).items)
            await console.call('recordings.close', { recordingId });
        }
      }
    }
  }
  expect(failed).toEqual([]);
}, 120_000);

test('a recording with too many subscriptions and rules is imported with the rest of it, and says so', async () => {
  const all = await lines();
  const most = 10_000;
  const many = all.flatMap((line) => {
    const isMany = 'kind' in line && (line.kind === 'subscription' || line.kind === 'rule');
    return isMany ? Array.from({ length: most + 2 }, () => line) : [line];
  });
  const text = many.map((line) => JSON.stringify(line)).join('\n');
  const recording = await console.call('recordings.import', { text, isLast: true, name: 'a' });
  expect(recording).toMatchObject({
    messages: 1,
    problems: ['subscriptions', 'subscriptions', 'rules', 'rules'].map((what) => ({
      message: `a recording has at most ${most} ${what}`,
    })),
  });
});

/** Members that not every row has. */
const FULL_ROW = {
  note: '',
  eventType: '',
  deadLetterOf: { messageId: 'm', deliveryId: 'd', topic: 't' },
  broker: { id: '1-0' },
};

test.each([
  ['eventType', ['row', 'eventType']],
  ['topic', ['row', 'topic']],
  ['note', ['row', 'note']],
  ['deadLetterOf.topic', ['row', 'deadLetterOf', 'topic']],
  ['broker.id', ['row', 'broker', 'id']],
  ['a route', ['deliveries', 0, 'delivery', 'route', 'path']],
  ['subscription.topic', ['deliveries', 0, 'delivery', 'subscription', 'topic']],
] as const)('a message whose %s is too long for a list is left out, and named', async (what, path) => {
  const all = await lines();
  const at = all.findIndex((line) => 'row' in line);
  const long = changed(
    { ...all[at], row: { ...FULL_ROW, ...Object(all[at]).row } },
    [...path],
    'x'.repeat(16_385),
  );
  const text = all.map((line, i) => JSON.stringify(i === at ? long : line)).join('\n');
  const recording = await console.call('recordings.import', { text, isLast: true, name: 'a' });
  expect(recording).toMatchObject({ messages: 0 });
  expect(recording.problems[0]?.message).toBe(`${what} has at most 16384 characters: actual are 16385`);
});

test('sentences and answers of an app that are too long for a list are cut, and their message stays', async () => {
  const long = 'x'.repeat(16_385);
  const cut = `${'x'.repeat(16_383)}…`;
  const all = await lines();
  const text = all
    .map((line) => {
      if (!('row' in line)) return JSON.stringify(line);
      const row = { ...Object(line).row, flags: [long] };
      const [first] = Object(line).deliveries;
      const delivery = { ...first.delivery, lastAnswer: { error: long } };
      return JSON.stringify({ ...line, row, deliveries: [{ ...first, delivery }] });
    })
    .join('\n');
  const { recordingId } = await console.call('recordings.import', { text, isLast: true, name: 'a' });
  const { items } = await console.call('messages.list', { recordingId });
  expect(items).toMatchObject([{ flags: [cut], deliveries: [{ lastAnswer: { error: cut } }] }]);
});

test('a line with too many levels is a problem of that line, and the others are imported', async () => {
  const all = (await lines()).map((line) => JSON.stringify(line));
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const [header = '', message = '', ...rest] = all;
  const extra = message.replace('"row":{', `"row":{"extra":${deep},`);
  const rule = all.find((line) => line.includes('"kind":"rule"'))?.replace('"body":"no"', `"body":${deep}`);
  const text = [header, `{"kind":${deep}}`, extra, rule, message, ...rest].join('\n');
  const recording = await console.call('recordings.import', { text, isLast: true, name: 'a' });
  const problem = 'it is nested deeper than 1,100 levels';
  expect(recording).toMatchObject({
    messages: 1,
    problems: [2, 3, 4].map((line) => ({ line, message: problem })),
  });
  const refused = await console.refused('recordings.import', { text: `{"kind":${deep}}`, name: 'b' });
  expect(refused).toMatchObject({ message: expect.stringContaining(`Line 1: ${problem}`) as unknown });
});
