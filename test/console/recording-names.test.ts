/** Names that a recording brings: those that could become more than a name are refused at import, the others stay names in a test. */
import { beforeEach, describe, expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import type { Scenario } from '../../core/contract/scenario.ts';
import { fileBase } from '../../core/domain/names.ts';
import { makeTest } from '../../core/domain/recording/to-test.ts';
import type { RecordedMessage } from '../../core/domain/recording/recorded.ts';
import { readScenario } from '../../core/scenario/read-file.ts';
import { accepted, delivered, published } from '../adapters/journal-records.ts';
import type { InMemoryConsole } from './in-memory-console.ts';
import { recordingConsole } from './recording-console.ts';

let console: InMemoryConsole;
beforeEach(() => {
  console = recordingConsole();
});

async function exported(): Promise<string> {
  const journal = console.runtime.journal;
  await journal.append([accepted(1), published(1), delivered(1, 'processed')]);
  const { jobId } = await console.call('recordings.export', {});
  return (await console.call('recordings.read', { jobId, part: 1 })).text;
}

/** The recording with other names, as a hand could have written them. */
const renamed = (text: string, member: string, name: string): string =>
  text.replaceAll(new RegExp(`"${member}":"[^"]*"`, 'g'), () => `"${member}":${JSON.stringify(name)}`);

const BAD_ANYWHERE = [
  '',
  'a\0b',
  'a\nb',
  'a\u2028b',
  'a\u202eb',
  '\ud800',
  'x'.repeat(254),
  '../a',
  '/etc/a',
  'a\\b',
  '..',
  '.',
];

describe('an import', () => {
  test.each(
    [
      ...BAD_ANYWHERE.map((name) => ['pubsubname', name] as const),
      ...[...BAD_ANYWHERE, 'x=http://evil', 'a b', 'a,1'].map((name) => ['appId', name] as const),
    ].filter(([member, name]) => !(member === 'appId' && name === 'a\\b')),
  )('refuses the %s %j with the place and the reason', async (member, name) => {
    const text = renamed(await exported(), member, name);
    const recording = await console.call('recordings.import', { text, isLast: true });
    expect(recording).toMatchObject({ state: 'ready', messages: 0 });
    expect(recording.problems[0]?.message).toMatch(new RegExp(`^${member} (must|has)`));
    expect([...recording.subscriptions, ...recording.rules]).toEqual([]);
    const { items } = await console.call('messages.list', { recordingId: recording.recordingId });
    expect(items).toEqual([]);
  });

  test.each(['pubsub', 'My PubSub', 'a:b', 'CON', '__proto__', 'größe', '$(id)', '%TEMP%', '-x'])(
    'accepts the pubsubname %j unchanged',
    async (name) => {
      const text = renamed(await exported(), 'pubsubname', name);
      expect(await console.call('recordings.import', { text, isLast: true })).toMatchObject({
        messages: 1,
        problemCount: 0,
      });
    },
  );
});

/** A message of this pub/sub and app that was delivered once. */
async function recordedAs(
  pubsubname: string,
  appId: string,
  data: unknown = { ['__proto__']: 1 },
): Promise<RecordedMessage> {
  const journal = createMemoryJournal({ codec: bufferCodec });
  const more = { delivery: { attemptCount: 1 }, attempt: {} };
  await journal.append([accepted(1, { data }), published(1), delivered(1, 'processed', more)]);
  const [found] = await journal.details([1]);
  if (found === undefined) throw new Error('not there');
  return {
    message: { ...found.message, row: { ...found.message.row, pubsubname, appId } },
    deliveries: found.deliveries.map(({ delivery, ...more }) => ({
      ...more,
      delivery: { ...delivery, appId, subscription: { ...delivery.subscription, pubsubname } },
    })),
  };
}

const FACTS = {
  profile: 'sidecar',
  product: '0.1.0',
  subscriptions: [],
  states: {},
  target: 'scenario',
} as const;

/** The scenario that was made. */
function scenarioOf({ files }: ReturnType<typeof makeTest>): Scenario {
  const read = readScenario(files[0]?.text ?? '');
  if (!read.ok) throw new Error(JSON.stringify(read.mistakes));
  return read.scenario;
}

describe('a scenario', () => {
  test.each(['../../up', 'a\0b', 'C:\\a', '..', '', '%0a'])(
    'is not made of the pubsubname %j',
    async (name) => {
      const made = makeTest([await recordedAs(name, 'shop')], { ...FACTS, name: 't' }, bufferCodec);
      expect(made.files).toEqual([]);
      const reason = expect.stringMatching(/^pubsubname must|^no component file can have the name/);
      expect(made.skipped).toEqual([{ messageId: 'msg_1', reason }]);
    },
  );

  test('is named by whole characters where its name is too long', async () => {
    const name = `x${'😀'.repeat(120)}`;
    const made = makeTest([await recordedAs('pubsub', 'shop')], { ...FACTS, name }, bufferCodec);
    expect(scenarioOf(made).name).toBe(`x${'😀'.repeat(99)}`);
  });

  test('leaves out a subscription that no scenario file can hold, and the message that went there', async () => {
    const own = { pubsubname: 'pubsub', topic: 'orders', route: '/orders' };
    const long = { ...own, pubsubname: 'mails', appId: 'mail', deadLetterTopic: 'x'.repeat(1001) };
    const messages = [await recordedAs('pubsub', 'shop'), await recordedAs('mails', 'mail')];
    const subscriptions = [{ ...own, appId: 'shop' }, long];
    const made = makeTest(messages, { ...FACTS, name: 't', subscriptions }, bufferCodec);
    const reason = expect.stringContaining(
      'subscriptions[0].deadLetterTopic must be a string of at most 1000 characters',
    );
    expect(made.skipped).toEqual([{ messageId: 'msg_1', reason }]);
    expect(scenarioOf(made).subscriptions).toEqual([own]);
    const other = makeTest(
      messages.slice(0, 1),
      { ...FACTS, name: 't', subscriptions: [{ ...long, appId: 'shop', topic: 'x' }] },
      bufferCodec,
    );
    const taken = { pubsubname: 'pubsub', topic: 'orders', routes: { rules: [], default: '/orders' } };
    expect(scenarioOf(other).subscriptions).toEqual([taken]);
  });

  test('leaves out a message that came by other settings of one subscription, and says so', async () => {
    const first = await recordedAs('pubsub', 'shop');
    const second = {
      message: first.message,
      deliveries: first.deliveries.map((each) => ({
        ...each,
        delivery: { ...each.delivery, route: { path: '/other' } },
      })),
    };
    const both = makeTest([first, second], { ...FACTS, name: 't' }, bufferCodec);
    const reason =
      'the subscription of shop to pubsub/orders has changed, and another message of the test took another way';
    expect(both.skipped).toEqual([{ messageId: 'msg_1', reason }]);
    expect(scenarioOf(both).subscriptions).toMatchObject([{ routes: { default: '/orders' } }]);
  });

  test('leaves out a message that no rule took, where the rules are no longer known', async () => {
    const one = await recordedAs('pubsub', 'shop');
    const deliveries = one.deliveries.map((each) => ({
      ...each,
      delivery: { ...each.delivery, route: { path: '' } },
    }));
    const made = makeTest([{ ...one, deliveries }], { ...FACTS, name: 't' }, bufferCodec);
    const reason =
      'no rule of the subscription of shop to pubsub/orders took it, and those rules are no longer known';
    expect(made.skipped).toEqual([{ messageId: 'msg_1', reason }]);
  });

  test('leaves out what would make it longer than a file may be, and says so', async () => {
    const one = await recordedAs('p', 'app0');
    const [delivery] = one.deliveries;
    if (delivery === undefined) throw new Error('there is no delivery');
    const deliveries = Array.from({ length: 60 }, (_, n) => ({
      ...delivery,
      delivery: { ...delivery.delivery, appId: `app${n}` },
    }));
    // Each message has answers of its own from every app.
    const messages = Array.from({ length: 20 }, (_, n) => ({
      message: { ...one.message, row: { ...one.message.row, topic: `topic${n}` } },
      deliveries,
    }));
    const made = makeTest(messages, { ...FACTS, name: 't' }, bufferCodec);
    const { steps } = scenarioOf(made);
    expect(steps).toHaveLength(989);
    const reason = 'with it the test would have 1051 steps; a file has at most 1000';
    expect(made.skipped).toEqual(Array(5).fill({ messageId: 'msg_1', reason }));
    expect(made.files[0]?.text).toMatch(/^# 15 messages/);
  });

  test('leaves out what would make it larger than a file may be', async () => {
    const one = await recordedAs('p', 'app');
    const large = await recordedAs('p', 'app', 'x'.repeat(13 * 1024 * 1024));
    const made = makeTest([large, one, large], { ...FACTS, name: 't' }, bufferCodec);
    const reason = 'with it the test would be a file larger than 24 MiB';
    expect(made.skipped).toEqual([{ messageId: 'msg_1', reason }]);
    // Other tests read the content of such a file; for this size that would take seconds.
    expect(made.files[0]?.text.match(/^  - \w+:/gm)).toHaveLength(5);
  });

  test.each(['__proto__', 'constructor', 'toString'])('keeps the app %s as a name', async (appId) => {
    const made = makeTest([await recordedAs('p', appId)], { ...FACTS, name: 't' }, bufferCodec);
    const { steps } = scenarioOf(made);
    expect(scenarioOf(made).appId).toBe(appId);
    const mock = steps.flatMap((step) => ('mock' in step ? [step.mock] : []));
    expect(mock.map((each) => each.appId)).toEqual([appId]);
    const [published] = steps.flatMap((step) => ('publish' in step ? [step.publish] : []));
    expect(Object.keys(published?.data ?? {})).toEqual(['__proto__']);
  });

  test('has names and titles of a recording as texts, whatever they would be as YAML', async () => {
    const names = [
      'CON',
      '$(touch pwned)',
      '"; touch pwned; "',
      '-rf',
      '__proto__',
      'a: b',
      '# c',
      '{x',
      '&d',
      '*e',
    ];
    const apps = [
      '$(touch${IFS}pwned)',
      '--ephemeral',
      ';touch${IFS}pwned',
      '`id`',
      '&calc',
      '|x',
      '%PATH%',
      'y',
      '!z',
      '@w',
    ];
    const messages = await Promise.all(names.map((name, i) => recordedAs(name, apps[i] ?? '')));
    const name = 'x\nsteps: []\n# $(touch pwned)';
    const made = makeTest(messages, { ...FACTS, name }, bufferCodec);
    expect(made.skipped).toEqual([]);
    const scenario = scenarioOf(made);
    expect(scenario.name).toBe('x steps: [] # $(touch pwned)');
    expect(scenario.pubsubs).toEqual(names);
    expect([scenario.appId, ...Object.keys(scenario.apps ?? {})]).toEqual(apps);
  });
});

test.each([
  ['con', 'recorded-con'],
  ['NUL.txt', 'recorded-NUL.txt'],
  ['../../x', 'x'],
  ['.hidden', 'hidden'],
  ['', 'recorded'],
  ['a\0b', 'a-b'],
  ['x'.repeat(100), 'x'.repeat(60)],
])('a file for %j begins with %j', (text, base) => expect(fileBase(text, 'recorded')).toBe(base));
