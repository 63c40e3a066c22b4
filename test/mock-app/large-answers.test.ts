/** Large answers of a mock app: hundreds of them leave others their turns, and the same text is made into bytes once. */
import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { HttpReply } from '../../core/mock-app/http-reply.ts';
import type { HttpReplyOptions } from '../../core/mock-app/http-reply.ts';

const LARGE = 'x'.repeat(100_000);

/** Answers that were written; each takes a millisecond. */
function stand(): { written: unknown[]; answer: (text: string) => EventEmitter } {
  const written: unknown[] = [];
  let ms = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => ms);
  const answer = (text: string): EventEmitter => {
    const raw = Object.assign(new EventEmitter(), {
      destroyed: false,
      writeHead: () => undefined,
      end: (content: unknown) => {
        ms += 1;
        written.push(content);
      },
    });
    const parts = { add: () => undefined, clock: systemClock(), takeRoom: () => undefined };
    // The reply uses these members alone.
    new HttpReply({ ...parts, raw: raw as unknown as HttpReplyOptions['raw'] }).send(200, {}, text);
    return raw;
  };
  return { written, answer };
}

test('large answers to a hundred requests take several turns, and a small one does not wait for them', async () => {
  const { written, answer } = stand();
  for (let i = 0; i < 100; i += 1) answer(LARGE);
  expect(written.length).toBeGreaterThan(0);
  expect(written.length).toBeLessThan(20);
  answer('small');
  expect(written.at(-1)).toBe('small');
  await vi.waitFor(() => expect(written).toHaveLength(101));
});

test('the same large text is the same bytes for each request', () => {
  const { written, answer } = stand();
  answer(LARGE);
  answer(LARGE);
  expect(written[0]).toEqual(Buffer.from(LARGE));
  expect(written[1]).toBe(written[0]);
});

test('a large answer is not written once its caller has gone', async () => {
  const { written, answer } = stand();
  for (let i = 0; i < 50; i += 1) answer(LARGE);
  Object.assign(answer(LARGE), { destroyed: true }).emit('close');
  await vi.waitFor(() => expect(written).toHaveLength(50));
  for (let turn = 0; turn < 3; turn += 1) await new Promise((next) => setImmediate(next));
  expect(written).toHaveLength(50);
});
