// Names that a recording brings: those that could become more than a name are refused at import, the others stay names in a test.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { fileBase } from '../../core/domain/names.ts';
import { makeTest } from '../../core/domain/recording/to-test.ts';
import type { RecordedMessage } from '../../core/domain/recording/recorded.ts';
import { accepted, delivered, published } from '../adapters/journal-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { deskOf } from './desk.ts';
import type { Desk } from './desk.ts';
import { benchParts } from './parts.ts';

let desk: Desk;
beforeEach(() => {
  const clock = new ManualClock();
  const bench = benchParts(clock);
  const openScratch = async () => createMemoryJournal({ codec: bufferCodec });
  desk = deskOf(clock, { ...bench, deps: { ...bench.deps, openScratch } });
});

async function exported(): Promise<string> {
  const journal = desk.runtime.journal;
  await journal.append([accepted(1), published(1), delivered(1, 'processed')]);
  const { jobId } = await desk.call('recordings.export', {});
  return (await desk.call('recordings.read', { jobId, part: 1 })).text;
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
  )('does not take the %s %j, and says where and why', async (member, name) => {
    const text = renamed(await exported(), member, name);
    const recording = await desk.call('recordings.import', { text, isLast: true });
    expect(recording).toMatchObject({ state: 'ready', messages: 0 });
    expect(recording.problems[0]?.message).toMatch(new RegExp(`^${member} (must|has)`));
    expect([...recording.subscriptions, ...recording.rules]).toEqual([]);
    const { items } = await desk.call('messages.list', { recordingId: recording.recordingId });
    expect(items).toEqual([]);
  });

  test.each(['pubsub', 'My PubSub', 'a:b', 'CON', '__proto__', 'größe', '$(id)', '%TEMP%', '-x'])(
    'takes the pubsubname %j as it is',
    async (name) => {
      const text = renamed(await exported(), 'pubsubname', name);
      expect(await desk.call('recordings.import', { text, isLast: true })).toMatchObject({
        messages: 1,
        problemCount: 0,
      });
    },
  );
});

/** A message of this pub/sub and app that was delivered once. */
async function recordedAs(pubsubname: string, appId: string): Promise<RecordedMessage> {
  const journal = createMemoryJournal({ codec: bufferCodec });
  const more = { delivery: { attemptCount: 1 }, attempt: {} };
  await journal.append([
    accepted(1, { data: { ['__proto__']: 1 } }),
    published(1),
    delivered(1, 'processed', more),
  ]);
  const [found] = await journal.details([1]);
  if (found === undefined) throw new Error('not there');
  return {
    message: { ...found.message, row: { ...found.message.row, pubsubname, appId } },
    deliveries: found.deliveries.map(({ delivery, ...more }) => ({
      ...more,
      delivery: { ...delivery, appId },
    })),
  };
}

interface Case {
  readonly answers: object;
  readonly publish: { readonly data: object };
}

const FACTS = { profile: 'sidecar', product: '0.1.0', subscriptions: [], states: {} } as const;

describe('a test', () => {
  test.each(['../../up', 'a\0b', 'C:\\a', '..', ''])('is not made of the pubsubname %j', async (name) => {
    const made = makeTest(
      [await recordedAs(name, 'shop')],
      { ...FACTS, target: 'shell', name: 't' },
      '',
      bufferCodec,
    );
    expect(made.files).toEqual([]);
    expect(made.skipped).toEqual([{ messageId: 'msg_1', reason: expect.stringMatching(/^pubsubname must/) }]);
  });

  test.each(['vitest', 'playwright', 'shell'] as const)('as %s asks no shell', async (target) => {
    const made = makeTest([await recordedAs('p', 'shop')], { ...FACTS, target, name: 't' }, '', bufferCodec);
    const text = made.files.map((file) => file.text).join('');
    expect(text).toContain('spawn(');
    expect(text).not.toMatch(/\bshell\s*:|exec\(|execSync/);
  });

  test.each(['__proto__', 'constructor', 'toString'])(
    'keeps answers of the app %s as its own',
    async (appId) => {
      const made = makeTest(
        [await recordedAs('p', appId)],
        { ...FACTS, target: 'vitest', name: 't' },
        '',
        bufferCodec,
      );
      const text = made.files[0]?.text ?? '';
      const cases = /const CASES: [^=]*= (\[[\s\S]*?\n\]);/.exec(text)?.[1] ?? '';
      const source = `data:text/javascript,${encodeURIComponent(`export const read = ${cases};`)}`;
      const { read } = (await import(source)) as { readonly read: readonly [Case] };
      expect(Object.keys(read[0].answers)).toEqual([appId]);
      expect(Object.keys(read[0].publish.data)).toEqual(['__proto__']);
    },
  );
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

describe.skipIf(process.platform === 'win32')('a script that is run', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sidelight-names-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('writes one file for each pub/sub under a name of its own, and gives names to nobody but the program', async () => {
    const names = [
      'CON',
      'con',
      '$(touch pwned)',
      '`touch pwned`',
      '"; touch pwned; "',
      "'; touch pwned; '",
      '-rf',
      '__proto__',
    ];
    const apps = [
      '$(touch${IFS}pwned)',
      '--ephemeral',
      ';touch${IFS}pwned',
      '`id`',
      '&calc',
      '|x',
      'END_OF_TEST',
      '%PATH%',
    ];
    const messages = await Promise.all(names.map((name, i) => recordedAs(name, apps[i] ?? '')));
    const name = 'x\nEND_OF_TEST\ntouch pwned\n$(touch pwned)';
    const { files, skipped } = makeTest(messages, { ...FACTS, target: 'shell', name }, '', bufferCodec);
    expect(skipped).toEqual([]);
    const script = files.find((file) => file.name.endsWith('.sh'));
    await writeFile(join(folder, 'made.sh'), script?.text ?? '');
    await writeFile(
      join(folder, 'fake.mjs'),
      `import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
      const at = process.argv[process.argv.indexOf('--resources') + 1];
      const made = readdirSync(at).sort();
      const names = made.map((file) => JSON.parse(readFileSync(at + '/' + file, 'utf8')).metadata.name);
      writeFileSync(${JSON.stringify(join(folder, 'seen.json'))}, JSON.stringify({ made, names, args: process.argv.slice(2) }));`,
    );
    const child = spawn('sh', ['made.sh'], {
      cwd: folder,
      env: { ...process.env, TMPDIR: folder, SIDELIGHT: `${process.execPath} fake.mjs` },
      stdio: 'ignore',
    });
    await new Promise((resolve) => child.once('exit', resolve));
    const seen = JSON.parse(await readFile(join(folder, 'seen.json'), 'utf8')) as {
      made: string[];
      names: string[];
      args: string[];
    };
    expect(seen.made).toEqual(names.map((_name, i) => `pubsub-${i + 1}.yaml`));
    expect(seen.names).toEqual(names);
    const [first = '', ...others] = apps;
    expect(seen.args.filter((arg) => /^--app(-id)?=/.test(arg))).toEqual([
      `--app-id=${first}`,
      ...others.map((app) => `--app=${app}=mock,0`),
    ]);
    const left = (await readdir(folder)).filter((file) => !file.startsWith('sidelight-test-'));
    expect(left.toSorted()).toEqual(['fake.mjs', 'made.sh', 'seen.json']);
  });
});
