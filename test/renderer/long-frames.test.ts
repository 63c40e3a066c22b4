/** Calls with a long text: they leave in parts, and the host gets what one piece would have said. */
import { describe, expect, test, vi } from 'vitest';
import { FrameParts } from '../../core/console/frame-parts.ts';
import { createLink } from '../../renderer/client/link.ts';
import { hasLongText, longFrames } from '../../renderer/client/long-frames.ts';
import { createRpcClient, RpcFailure } from '../../renderer/client/rpc-client.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { FakeHost, settle } from './fake-pipe.ts';

const PART = 256 * 1024;
/** Ends its first part with half of a pair of surrogates. */
const PAIRS = `${'a'.repeat(PART - 1)}${'😀'.repeat(PART)}`;
const QUOTES = '{"a":"b\\n"}\n'.repeat(60_000);

function joined(frames: Iterable<string>): unknown {
  const parts = new FrameParts(new ManualClock(), () => undefined);
  const whole = [...frames].flatMap((frame) => parts.take(frame) ?? []);
  expect(whole).toHaveLength(1);
  return JSON.parse(whole[0] ?? '');
}

describe('frames of a long message', () => {
  test.each([
    ['a text', { data: QUOTES }],
    ['pairs that a part would cut', { data: PAIRS, note: '😀' }],
    [
      'texts in lists, beside what JSON leaves out',
      { list: [1, QUOTES, null, { deep: [PAIRS, undefined] }], no: undefined },
    ],
    ['a text that looks like what stands for another', { a: `long text 0 "${QUOTES}`, b: 'long text 0' }],
    ['a text of control characters', { data: '\u0000\u2028"\\'.repeat(PART) }],
  ])('are together what it would be in one: %s', (_name, params) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'm', params };
    const frames = [...longFrames(message)];
    expect(joined(frames)).toEqual(JSON.parse(JSON.stringify(message)));
    // A control character is written as six.
    for (const frame of frames) expect(frame.length).toBeLessThanOrEqual(6 * PART + 1);
    expect(frames.length).toBeGreaterThan(3);
  });

  test('come only where a text is long, not for many short ones', () => {
    expect(hasLongText({ entries: Array.from({ length: 50_000 }, (_, n) => ({ data: `text ${n}` })) })).toBe(
      false,
    );
    expect(hasLongText({ entries: [{ data: QUOTES }] })).toBe(true);
  });
});

async function stand() {
  const host = new FakeHost({
    'drafts.set': () => ({ savedAt: '2026-01-01T00:00:00.000Z' }),
    'filter.check': () => ({ ok: true }),
  });
  const link = createLink({ open: host.open, after: () => () => undefined });
  const rpc = createRpcClient(link, { lost: 'lost', away: 'away', noAnswer: 'no answer' });
  await settle();
  return { host, rpc, link };
}

const draft = (text: string) => ({ drafts: [{ text }] });

describe('a call with a long text', () => {
  test('arrives whole, and calls made meanwhile arrive after it', async () => {
    const { host, rpc } = await stand();
    await Promise.all([
      rpc.call('drafts.set', draft(QUOTES)),
      rpc.call('filter.check', { filter: 'a' }),
      rpc.call('drafts.set', draft(PAIRS)),
      rpc.call('drafts.set', draft('short')),
    ]);
    expect(host.calls.map(({ method }) => method)).toEqual([
      'drafts.set',
      'filter.check',
      'drafts.set',
      'drafts.set',
    ]);
    expect(host.called('drafts.set').map(({ params }) => params)).toEqual([
      draft(QUOTES),
      draft(PAIRS),
      draft('short'),
    ]);
    expect(Math.max(...host.frames.map(({ length }) => length))).toBeLessThan(3 * PART);
  });

  test('that is longer than the host takes is refused here, with the limit', async () => {
    const { host, rpc } = await stand();
    const refused = await rpc
      .call('drafts.set', draft('ä'.repeat(5 * 1024 * 1024)))
      .catch((reason: unknown) => reason);
    expect(refused).toBeInstanceOf(RpcFailure);
    expect(refused).toMatchObject({ code: 'TOO_LARGE', message: 'A request has at most 8 MiB.' });
    expect(host.calls).toEqual([]);
    // The host forgets what was sent of it, which is no part of the next one.
    await vi.waitFor(() => expect(host.frames.at(-1)).toBe('^'));
    await rpc.call('drafts.set', draft(QUOTES));
    expect(host.called('drafts.set')).toMatchObject([{ params: draft(QUOTES) }]);
  });

  test('that loses the connection halfway fails at once, and nothing more of it is sent', async () => {
    const { host, rpc } = await stand();
    const call = rpc.call('drafts.set', draft(QUOTES));
    host.cut();
    await expect(call).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    expect(host.calls).toEqual([]);
  });

  test('that waits behind another one when the connection is lost is not sent on the next connection', async () => {
    const { host, rpc, link } = await stand();
    const calls = [rpc.call('drafts.set', draft(QUOTES)), rpc.call('filter.check', { filter: 'a' })];
    host.cut();
    link.tryNow();
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    await rpc.call('drafts.set', draft('short'));
    expect(host.calls.map(({ method }) => method)).toEqual(['drafts.set']);
  });

  test('of many short texts that are too large together is refused here', async () => {
    const { host, rpc } = await stand();
    const drafts = Array.from({ length: 40 }, () => ({ text: 'x'.repeat(250_000) }));
    await expect(rpc.call('drafts.set', { drafts })).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(host.frames).toEqual([]);
  });
});
