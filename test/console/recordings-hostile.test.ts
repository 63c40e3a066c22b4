// Hostile values at every place of a recording: it is imported or refused in words, listed, exported, and what becomes a test can be read as one.
import { beforeEach, expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { EXPORT_FORMATS } from '../../core/contract/words.ts';
import { wholeRule } from '../../core/domain/given-rule.ts';
import { SETTINGS_OF_FILES } from '../../core/host/setting-table.ts';
import { checkRules } from '../../core/mock-app/check-rules.ts';
import { readScenario } from '../../core/scenario/read-file.ts';
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
  const journal = desk.runtime.journal;
  const response = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"status":"SUCCESS"}',
  };
  await journal.append([
    accepted(1, { data: { n: 1 } }),
    published(1),
    delivered(1, 'processed', {
      delivery: { attemptCount: 1 },
      attempt: { response, durationMs: 1, endedAt: '2026-03-01T10:00:00.001Z' },
      transition: { rule: 'single.2xx.success', cause: 'app' },
    }),
  ]);
  const { jobId } = await desk.call('recordings.export', {});
  const { text } = await desk.call('recordings.read', { jobId, part: 1 });
  const all = text
    .trimEnd()
    .split('\n')
    .map((line): object => JSON.parse(line));
  const answer = { kind: 'respond', status: 503, headers: { a: 'b' }, body: 'no' };
  const rule = { appId: 'mail', ruleId: 'rule_1', enabled: true, match: { topic: 'orders' }, answer };
  const routes = { rules: [{ match: 'true', path: '/a' }], default: '/orders' };
  const subscription = { appId: 'mail', pubsubname: 'pubsub', topic: 'orders', routes };
  const setup = [
    { kind: 'subscription', subscription },
    { kind: 'rule', rule },
  ];
  return [...all.filter((line) => !('kind' in line) || line.kind !== 'end'), ...setup, all.at(-1) ?? {}];
}

/** Places of which a test is made: each value stands there, elsewhere every sixth one. */
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

/** Everything that can be done with a recording. */
async function walk(text: string): Promise<void> {
  const refused = await desk.refused('recordings.import', { text, isLast: true, name: 'a' });
  if (refused !== undefined) {
    expect(refused).toMatchObject({ data: { code: 'INVALID_PARAMS' } });
    return;
  }
  const [{ recordingId } = { recordingId: '' }] = (await desk.call('recordings.list', {})).items;
  const { items } = await desk.call('messages.list', { recordingId });
  for (const { messageId } of items) await desk.call('messages.get', { messageId, recordingId });
  await desk.call('messages.list', { recordingId, filter: 'data.n:1 OR state:processed OR "x"' });
  for (const format of EXPORT_FORMATS) {
    const { jobId } = await desk.call('recordings.export', { recordingId, format });
    const part = await desk.call('recordings.read', { jobId, part: 1 });
    expect(part.isLast).toBe(true);
    if (format === 'recording') {
      const again = await desk.call('recordings.import', { text: part.text, name: 'again' });
      expect(again.problems).toEqual([]);
      await desk.call('recordings.close', { recordingId: again.recordingId });
    }
  }
  const { files } = await desk.call('recordings.toTest', { recordingId, name: 'a' });
  for (const file of files) {
    const read = readScenario(file.text, { settings: SETTINGS_OF_FILES });
    expect(read.ok ? [] : read.mistakes).toEqual([]);
    for (const step of read.ok ? read.scenario.steps : [])
      if ('mock' in step) checkRules((step.mock.rules ?? []).map(wholeRule));
  }
  await desk.call('recordings.close', { recordingId });
}

test('is taken or refused, and nothing that is made of it breaks', async () => {
  const all = await lines();
  const failed: string[] = [];
  for (const [at, line] of all.entries()) {
    for (const [nth, path] of places(line).entries()) {
      const isMade = MADE_OF.includes(path.join('.'));
      for (const hostile of HOSTILE.filter((_, which) => isMade || (which + nth) % 6 === 0)) {
        const text = all
          .map((one, other) => JSON.stringify(other === at ? changed(one, path, hostile) : one))
          .join('\n');
        try {
          await walk(text);
        } catch (error) {
          const shown = JSON.stringify(hostile)?.slice(0, 40);
          failed.push(`line ${at + 1} ${path.join('.')} = ${shown}: ${String(error).slice(0, 600)}`);
          for (const { recordingId } of (await desk.call('recordings.list', {})).items)
            await desk.call('recordings.close', { recordingId });
        }
      }
    }
  }
  expect(failed).toEqual([]);
}, 120_000);
