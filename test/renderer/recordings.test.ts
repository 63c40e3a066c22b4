/** Recordings in the window: pieces out and in, cancelling, and lists that look into one recording only. */
import { describe, expect, test } from 'vitest';
import type { Recording } from '../../core/contract/recording.ts';
import { recordingProblems } from '../../renderer/format/recording-problems.ts';
import { createLink } from '../../renderer/client/link.ts';
import { createRpcClient } from '../../renderer/client/rpc-client.ts';
import { createRecordings } from '../../renderer/state/recordings.ts';
import { FakeHost, settle } from './fake-pipe.ts';

const recording = (name: string): Recording => ({
  recordingId: 'rec_1',
  name,
  state: 'ready',
  isMasked: false,
  messages: 2,
  lines: 3,
  problems: [],
  problemCount: 0,
  endsEarly: false,
  subscriptions: [],
  rules: [],
});

async function stand(host: FakeHost) {
  const link = createLink({ open: host.open });
  const rpc = createRpcClient(link, { lost: 'lost', away: 'away', noAnswer: 'no answer' });
  await settle();
  return createRecordings(rpc, (run) => {
    run();
    return () => undefined;
  });
}

const exporting = (parts: number): FakeHost =>
  new FakeHost({
    'recordings.export': () => ({ jobId: 'job_1', count: 10, name: 'a.jsonl', contentType: 'text/plain' }),
    'recordings.read': ({ part }) => ({
      part,
      text: `p${part};`,
      isLast: part === parts,
      done: part,
      count: 10,
    }),
    'jobs.cancel': ({ jobId }) => ({
      jobId,
      kind: 'recordings.export',
      done: 1,
      count: 10,
      failed: [],
      running: false,
    }),
  });

describe('export', () => {
  test('fetches all parts in order', async () => {
    const host = exporting(3);
    const done: number[] = [];
    const recordings = await stand(host);
    const file = await recordings.export(
      {},
      (progress) => done.push(progress.done),
      new AbortController().signal,
    );
    expect(file).toMatchObject({ name: 'a.jsonl', texts: ['p1;', 'p2;', 'p3;'], count: 3 });
    expect(done).toEqual([1, 2, 3]);
  });

  test('that is cancelled ends its job and gives nothing', async () => {
    const host = exporting(100);
    const stop = new AbortController();
    const recordings = await stand(host);
    const file = await recordings.export({}, ({ done }) => done === 2 && stop.abort(), stop.signal);
    expect(file).toBeUndefined();
    expect(host.called('recordings.read')).toHaveLength(2);
    expect(host.called('jobs.cancel').map(({ params }) => params)).toEqual([{ jobId: 'job_1' }]);
  });
});

test('a large file goes in piece by piece, whole characters only', async () => {
  const texts: string[] = [];
  const host = new FakeHost({
    'recordings.import': ({ text, name }) => {
      texts.push(text);
      return recording(name ?? '');
    },
    'recordings.list': () => ({ items: [recording('x')] }),
  });
  const recordings = await stand(host);
  const whole = 'é'.repeat(700_000);
  const found = await recordings.import('x', new Blob([`a${whole}`]), () => undefined);
  expect(found.recordingId).toBe('rec_1');
  expect(texts.length).toBe(2);
  expect(texts.join('')).toBe(`a${whole}`);
  const asked = host.called('recordings.import').map(({ params }) => params);
  expect(asked[0]).toMatchObject({ isLast: false });
  expect(asked[1]).toMatchObject({ isLast: true, recordingId: 'rec_1' });
});

test('a list of a recording queries that recording, and only the live list none', async () => {
  const host = new FakeHost({
    'view.open': () => ({ viewId: 'v', total: 0, sequence: 0 }),
    'view.rows': () => ({ rows: [], total: 0 }),
    'filter.complete': () => ({ items: [] }),
  });
  const recordings = await stand(host);
  await recordings.lists('rec_1').messages.open('topic:orders');
  expect(host.called('view.open')[0]?.params).toMatchObject({ filter: 'topic:orders', recordingId: 'rec_1' });
  const filter = { filter: 'topic:', cursor: 6 };
  await recordings.lists('rec_1').call('filter.complete', filter);
  expect(host.called('filter.complete')[0]?.params).toEqual({ ...filter, recordingId: 'rec_1' });
  expect(recordings.lists('rec_1')).toBe(recordings.lists('rec_1'));
  const before = recordings.lists('rec_1');
  recordings.forget('rec_1');
  expect(recordings.lists('rec_1')).not.toBe(before);
});

test('a file that ends early is no line that could not be read, and both are said', () => {
  const early =
    'The file ends early: the line that ends a recording is missing. Messages may be missing too.';
  const whole = recording('a');
  expect(recordingProblems(whole)).toEqual([]);
  expect(recordingProblems({ ...whole, endsEarly: true })).toEqual([early]);
  const problems = [{ line: 7, message: 'not valid JSON' }];
  expect(recordingProblems({ ...whole, problems, problemCount: 1, endsEarly: true })).toEqual([
    '1 line could not be read. The first is line 7: not valid JSON',
    early,
  ]);
});
