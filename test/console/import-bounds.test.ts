/** A recording that somebody else made takes no more memory than its limits allow. */
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { ImportRun } from '../../core/console/recordings/import-run.ts';
import type { ImportLimits } from '../../core/console/recordings/import-run.ts';
import type { AttemptLine, HeaderLine, MessageLine } from '../../core/domain/recording/lines.ts';
import { JournalError } from '../../core/ports/journal.ts';
import type { Journal } from '../../core/ports/journal.ts';
import type { InMemoryConsole } from './in-memory-console.ts';
import { exportedLines, recordingConsole } from './recording-console.ts';
import type { ExportedLine } from './recording-console.ts';

let console: InMemoryConsole;
let lines: readonly [HeaderLine, MessageLine, AttemptLine];

beforeAll(async () => {
  console = recordingConsole();
  const all = await exportedLines(console, { status: 200, headers: {}, body: '' });
  const lineOf = <K extends ExportedLine['kind']>(kind: K): Extract<ExportedLine, { kind: K }> => {
    const found = all.find((line): line is Extract<ExportedLine, { kind: K }> => line.kind === kind);
    if (found === undefined) throw new Error(`the export has no line of kind ${kind}`);
    return found;
  };
  lines = [lineOf('recording'), lineOf('message'), lineOf('attempt')];
});

/** What `make` gives for 0, 1, 2, … */
const times = <One>(length: number, make: (n: number) => One): readonly One[] =>
  Array.from({ length }, (_, n) => make(n));

const textOf = (all: readonly object[]): string => all.map((line) => `${JSON.stringify(line)}\n`).join('');

function runOf(journal: Journal, limits: Partial<ImportLimits>): ImportRun {
  const none = { line: 1e6, message: 1e6, setup: 1e6, writing: 1e6 };
  return new ImportRun({ recordingId: 'rec_1', name: 'a' }, journal, bufferCodec, { ...none, ...limits });
}

/** A response of that many characters. */
function answered(attempt: AttemptLine['attempt'], characters: number): object {
  return { ...attempt, response: { status: 200, headers: {}, body: 'x'.repeat(characters) } };
}

test.each([
  ['that are no JSON', 'x\n'],
  ['that are empty', '\n'],
  ['that are no lines of a recording', '1\n'],
])('other work has its turn while a piece with very many lines %s is read', async (_what, line) => {
  const journal = createMemoryJournal({ codec: bufferCodec });
  const run = runOf(journal, {});
  let turns = 0;
  let isReading = true;
  const count = (): void => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  await run.take(textOf([lines[0]]) + line.repeat(100_000), true);
  isReading = false;
  expect(turns).toBeGreaterThan(50);
  expect(run.describe()).toMatchObject({ state: 'ready', lines: 100_001 });
});

test('messages that a full disk refuses are problems of their lines, however long the rest of the file takes', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const [header, message] = lines;
  const journal = createMemoryJournal({ codec: bufferCodec });
  journal.append = () => Promise.reject(new JournalError('full', 'the disk is full'));
  const run = runOf(journal, {});
  // What follows the messages takes several turns, in which nobody waits for them yet.
  await run.take(`${textOf([header, message, message])}${'\n'.repeat(10_000)}`, false);
  await run.take(textOf([{ kind: 'end', messages: 2 }]), true);
  expect(unhandled).toEqual([]);
  expect(run.describe()).toMatchObject({
    messages: 0,
    problems: [2, 3].map((line) => ({ line, message: 'the disk is full' })),
  });
});

test('messages for which the tables of a full disk have no room are not counted, and a problem says so', async () => {
  const [header, message] = lines;
  const journal = createMemoryJournal({ codec: bufferCodec });
  const { append } = journal;
  // The second one is safe in the file of the newest records, and stays there alone.
  let appended = 0;
  journal.append = async (records) => {
    appended += 1;
    if (appended === 1) await append.call(journal, records);
  };
  const run = runOf(journal, {});
  const other = { ...message, row: { ...message.row, messageId: 'msg_other' } };
  await run.take(textOf([header, message, other, { kind: 'end', messages: 2 }]), true);
  expect(run.describe()).toMatchObject({
    messages: 1,
    problems: [{ message: 'The disk has no room for 1 message. Make room, and import the file again.' }],
  });
});

test('rules and subscriptions beyond 8 Mi characters are left out, as a problem of their line', async () => {
  const body = 'x'.repeat(1024 * 1024);
  const rules = times(10, (n) => ({
    kind: 'rule',
    rule: {
      appId: 'a',
      ruleId: `r${n}`,
      enabled: true,
      match: {},
      answer: { kind: 'respond', status: 200, body },
    },
  }));
  const recording = await console.call('recordings.import', {
    name: 'a',
    text: textOf([lines[0], ...rules, { kind: 'end', messages: 0 }]),
  });
  expect(recording.rules.map(({ ruleId }) => ruleId)).toEqual(times(7, (n) => `r${n}`));
  const message = 'a recording has at most 8388608 characters of subscriptions and rules';
  expect(recording.problems).toEqual([9, 10, 11].map((line) => ({ line, message })));
});

test('attempts beyond the limit of their message are left out, also with the call of another line', async () => {
  const [header, message, { attempt, ...line }] = lines;
  const bulk = { entryId: 'e1', batchSize: 10 };
  const made = [
    { ...line, attempt: { ...answered(attempt, 1000), attemptId: 'att_1', bulk } },
    ...times(9, () => ({
      ...line,
      attempt: { ...attempt, attemptId: 'att_1', bulk, request: undefined, response: undefined },
    })),
  ];
  const journal = createMemoryJournal({ codec: bufferCodec });
  const run = runOf(journal, { message: 10_000 });
  await run.take(textOf([header, message, ...made, { kind: 'end', messages: 1 }]), true);
  const { problems, messages } = run.describe();
  expect(messages).toBe(1);
  expect(problems.length).toBeGreaterThan(0);
  expect(new Set(problems.map((one) => one.message))).toEqual(
    new Set(['a message and its attempts have at most 10000 characters']),
  );
});

test('a message whose deliveries have too many steps is left out', async () => {
  const [header, message] = lines;
  const [delivery] = message.deliveries;
  const transitions = times(100, () => delivery?.transitions[0]);
  const long = { ...message, deliveries: [{ ...delivery, transitions }] };
  const run = runOf(createMemoryJournal({ codec: bufferCodec }), { message: 20_000 });
  await run.take(textOf([header, long, message, { kind: 'end', messages: 2 }]), true);
  expect(run.describe()).toMatchObject({
    messages: 1,
    problems: [{ line: 2, message: 'the deliveries of a message have at most 20000 characters' }],
  });
});

test('other work has its turn while a message with very many steps is read, and its mistake has its place', async () => {
  const [header, message] = lines;
  const [delivery] = message.deliveries;
  const transitions = times<unknown>(1000, () => delivery?.transitions[0]);
  const full = { ...delivery, transitions };
  const long = (...more: readonly unknown[]) => ({
    ...message,
    deliveries: [...times(20, () => full), ...more],
  });
  let written = 0;
  const journal: Journal = Object.assign(Object.create(createMemoryJournal({ codec: bufferCodec })), {
    append: async (records: readonly unknown[]) => void (written += records.length),
    stats: async () => ({ messages: 1 }),
  });
  const run = runOf(journal, { line: 1e8, message: 1e8, writing: 1e8 });
  let turns = 0;
  let isReading = true;
  const count = (): void => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  await run.take(textOf([header, long(), { kind: 'end', messages: 1 }]), true);
  isReading = false;
  // Forty for the check, and forty for what is written.
  expect(turns).toBeGreaterThan(70);
  expect(run.describe()).toMatchObject({ messages: 1, problems: [] });
  // The message, that it was published, and each step.
  expect(written).toBe(20_002);
  const wrong = runOf(journal, { line: 1e8, message: 1e8 });
  const mistaken = { ...delivery, transitions: [...transitions.slice(1), { at: 1 }] };
  const tooLong = { ...delivery, transitions: [...transitions, delivery?.transitions[0]] };
  await wrong.take(textOf([header, long(mistaken), long(tooLong), { kind: 'end', messages: 0 }]), true);
  expect(wrong.describe().problems).toEqual([
    {
      line: 2,
      message: expect.stringMatching(/^deliveries\[20\]\.transitions\[999\]\.at must be/) as unknown,
    },
    {
      line: 3,
      message: expect.stringMatching(/^deliveries\[20\]\.transitions must .*1000.* got .*1001/) as unknown,
    },
  ]);
});

test('a line with very many members, or a list that is none of its own, is left out with its place', async () => {
  const [header, message, attempt] = lines;
  const many = Object.fromEntries(times(50_001, (n) => [`k${n}`, 'v']));
  const [delivery] = message.deliveries;
  const recording = await console.call('recordings.import', {
    name: 'a',
    text: textOf([
      header,
      { ...message, metadata: many },
      { ...message, deliveries: [{ ...delivery, delivery: { ...delivery?.delivery, many } }] },
      message,
      { ...attempt, attempt: { ...attempt.attempt, request: { ...attempt.attempt.request, headers: many } } },
      { kind: 'end', messages: 1 },
    ]),
  });
  expect(recording.messages).toBe(1);
  const more = 'has more than 50,000 values';
  expect(recording.problems).toEqual([
    { line: 2, message: `the line ${more}` },
    { line: 3, message: `deliveries[0] ${more}` },
    { line: 5, message: `the line ${more}` },
  ]);
});

test('subscriptions and rules as large as they may be are read again', async () => {
  const [header] = lines;
  const rules = times(1000, (n) => ({ match: `event.type == "t${n}"`, path: `/t${n}` }));
  const headers = Object.fromEntries(times(20, (n) => [`x-${n}`, 'v']));
  const step = { kind: 'respond', status: 200, headers, body: times(50, (n) => n) };
  const answers = [
    { kind: 'sequence', then: 'loop', steps: times(1000, () => step) },
    { ...step, body: times(100_000, (n) => n) },
  ];
  const subscription = { appId: 'shop', pubsubname: 'pubsub', topic: 'orders', routes: { rules } };
  const { recordingId, problems } = await console.call('recordings.import', {
    name: 'a',
    text: textOf([
      header,
      { kind: 'subscription', subscription },
      ...answers.map((answer) => ({
        kind: 'rule',
        rule: { appId: 'shop', enabled: true, match: {}, answer },
      })),
      { kind: 'end', messages: 0 },
    ]),
  });
  expect(problems).toEqual([]);
  await console.call('recordings.close', { recordingId });
});

test('no more messages are read than may be written at a time', async () => {
  const journal = createMemoryJournal({ codec: bufferCodec });
  let appended = 0;
  let write: () => void = () => undefined;
  const slow: Journal = Object.assign(Object.create(journal), {
    append: async () => {
      appended += 1;
      await new Promise<void>((go) => (write = go));
    },
  });
  const [header, message] = lines;
  const run = runOf(slow, { writing: 1500 });
  const taken = run.take(
    textOf([header, ...times(50, () => ({ ...message, wire: 'x'.repeat(1000) }))]),
    false,
  );
  await expect.poll(() => appended).toBe(1);
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
  expect(appended).toBe(1);
  for (let n = 2; n <= 49; n += 1) {
    write();
    await expect.poll(() => appended, { interval: 1 }).toBe(n);
  }
  write();
  await taken;
});

test.each(['row', 'delivery'])(
  'a line with a member of 100,000 levels in its %s is left out',
  async (place) => {
    const [header, message] = lines;
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const text = JSON.stringify(message).replace(`"${place}":{`, `"${place}":{"x":${deep},`);
    const recording = await console.call('recordings.import', {
      name: 'a',
      text: `${textOf([header, message])}${text}\n${textOf([{ kind: 'end', messages: 1 }])}`,
    });
    expect(recording.messages).toBe(1);
    expect(recording.problems).toEqual([{ line: 3, message: 'it is nested deeper than 1,100 levels' }]);
  },
);

test('a line of more than 1,000,000 values is left out; a payload is one value', async () => {
  const [header, message] = lines;
  const wire = `[${'1,'.repeat(1_100_000)}1]`;
  const whole: MessageLine = { ...message, wire, row: { ...message.row, raw: true } };
  const many = `{"kind":"message","x":[${'{},'.repeat(600_000)}{}]}`;
  const text = `${textOf([header, whole])}${many}\n${textOf([{ kind: 'end', messages: 1 }])}`;
  const { recordingId } = await console.call('recordings.import', {
    name: 'a',
    text: text.slice(0, 100_000),
    isLast: false,
  });
  const recording = await console.call('recordings.import', { recordingId, text: text.slice(100_000) });
  expect(recording.messages).toBe(1);
  const problem = 'it has more than 1,000,000 values, lists and objects, most of them in x';
  expect(recording.problems).toEqual([{ line: 3, message: problem }]);
});
