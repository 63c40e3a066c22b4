/** How long a starter waits for the window: while the shell says that it is busy, longer. */
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { firstLine } from '../../core/host/shell-lines.ts';

const LIMIT_MS = 1_000;
const NEVER = new Promise<number>(() => undefined);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Written, and read by the other end. */
async function say(shell: PassThrough, line: object): Promise<void> {
  shell.write(`${JSON.stringify(line)}\n`);
  for (let i = 0; i < 5; i += 1) await new Promise<void>((go) => void setImmediate(go));
}

test('a shell that prints nothing has failed', async () => {
  const outcome = firstLine(new PassThrough(), NEVER, LIMIT_MS);
  vi.advanceTimersByTime(LIMIT_MS);
  expect(await outcome).toMatchObject({
    event: 'failed',
    reason: expect.stringContaining('no window within 1 s'),
  });
});

test('each busy line extends the wait for a shell', async () => {
  const shell = new PassThrough();
  const outcome = firstLine(shell, NEVER, LIMIT_MS);
  for (let i = 0; i < 3; i += 1) {
    vi.advanceTimersByTime(LIMIT_MS - 1);
    await say(shell, { event: 'busy', text: 'Sidelight converts the history to format 3.' });
  }
  vi.advanceTimersByTime(LIMIT_MS - 1);
  await say(shell, { event: 'running' });
  expect(await outcome).toEqual({ event: 'running' });
});
