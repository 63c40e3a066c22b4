/** A text that comes in parts is taken as if it had come in one. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMPLETE_WITHIN_MS, FrameParts } from '../../core/console/frame-parts.ts';
import { MAX_FRAME_BYTES } from '../../core/contract/rpc.ts';
import { Stand } from './stand.ts';
import { settle } from './bench.ts';

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
afterEach(() => stand.console.close());

const CALL = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'filter.check', params: { filter: 'topic:a' } });
const half = CALL.length / 2;

async function answers(...frames: readonly string[]): Promise<readonly string[]> {
  const before = stand.pipe.texts.length;
  for (const frame of frames) stand.pipe.send(frame);
  await settle();
  return stand.pipe.texts.slice(before).filter((text) => !text.includes('"method"'));
}

test('the parts of a call are one call, and other calls may come between them', async () => {
  const other = CALL.replace('"id":7', '"id":8');
  const said = await answers(
    `^${CALL.slice(0, half)}`,
    other,
    `+${CALL.slice(half, half + 3)}`,
    `$${CALL.slice(half + 3)}`,
  );
  expect(said.map((text) => JSON.parse(text))).toMatchObject([
    { id: 8, result: { ok: true } },
    { id: 7, result: { ok: true } },
  ]);
});

test('the first part of a call forgets an earlier call that was not ended', async () => {
  const said = await answers(`^${CALL.slice(0, half)}`, '+never ended', `^${CALL}`, '$');
  expect(said.map((text) => JSON.parse(text))).toMatchObject([{ id: 7, result: { ok: true } }]);
});

test('a text over the limit is refused when it ends, however long its parts go on', async () => {
  const part = `+${'x'.repeat(1024 * 1024)}`;
  const parts = Array.from({ length: 2 * (MAX_FRAME_BYTES / 1024 / 1024) }, () => part);
  const said = await answers('^', ...parts, '$');
  const kept = new FrameParts(stand.clock, () => undefined);
  for (const frame of ['^', ...parts]) kept.take(frame);
  expect(kept.take('$')?.length).toBeLessThan(MAX_FRAME_BYTES + part.length);
  expect(said.map((text) => JSON.parse(text))).toMatchObject([
    { id: null, error: { message: 'A request has at most 8 MiB.', data: { code: 'TOO_LARGE' } } },
  ]);
});

test('empty parts are not kept, and parts of one character are joined', () => {
  const parts = new FrameParts(stand.clock, () => undefined);
  parts.take('^');
  for (let n = 0; n < 100_000; n += 1) parts.take('+');
  expect(parts.kept).toBe(0);
  const count = 1024 * 1024;
  for (let n = 0; n < count; n += 1) parts.take('+x');
  expect(parts.kept).toBeLessThan(count / 64 + 64);
  expect(parts.take('$')).toBe('x'.repeat(count));
});

test('half of a text is forgotten after two minutes, its rest is passed over, and the next text is taken', async () => {
  expect(await answers(`^${CALL.slice(0, half)}`)).toEqual([]);
  const before = stand.pipe.texts.length;
  stand.clock.advance(COMPLETE_WITHIN_MS);
  await settle();
  const told = stand.pipe.texts.slice(before).map((text): unknown => JSON.parse(text));
  expect(told).toMatchObject([{ id: null, error: { data: { code: 'INVALID_REQUEST' } } }]);
  expect(await answers('+more', `$${CALL.slice(half)}`)).toEqual([]);
  const said = await answers(`^${CALL.slice(0, half)}`, `$${CALL.slice(half)}`);
  expect(said.map((text) => JSON.parse(text))).toMatchObject([{ id: 7, result: { ok: true } }]);
});
