/** Requests of all clients that run at the same time share a limit in bytes. */
import { expect, onTestFinished, test } from 'vitest';
import { Console } from '../../core/console/console.ts';
import { logEvent } from '../support/fake-events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { attachPipe, makeBench, settle } from './bench.ts';

const request = (method: string, params: object, bytes: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }).padEnd(bytes);
const waiting = (bytes: number): string => request('events.since', { sequence: 0, waitMs: 30_000 }, bytes);

const REFUSED = {
  id: 1,
  error: {
    code: -32013,
    message: expect.stringContaining('for the bodies of requests that wait'),
    data: { code: 'TOO_LARGE' },
  },
};

test('requests that run share one limit over WebSockets and HTTP, and give their room back', async () => {
  const { deps, runtime } = makeBench(new ManualClock());
  const console = new Console({ ...deps, requestBytes: 1000 });
  onTestFinished(() => console.close());
  const { signal } = new AbortController();
  const ask = async (text: string): Promise<unknown> =>
    JSON.parse((await console.answer(text, signal)) ?? '');
  const [one, two] = [attachPipe(console), attachPipe(console)];
  one.send(waiting(400));
  const third = ask(waiting(400));
  await settle();
  two.send(waiting(400));
  expect(two.texts.map((text) => JSON.parse(text))).toMatchObject([REFUSED]);
  expect(await ask(request('apps.list', {}, 400))).toMatchObject(REFUSED);
  expect(await ask(request('apps.list', {}, 200))).toMatchObject({ id: 1, result: {} });
  runtime.events.add(logEvent('line'));
  expect(await third).toMatchObject({ id: 1, result: { sequence: 1 } });
  await settle();
  for (let i = 0; i < 3; i += 1)
    expect(await ask(request('apps.list', {}, 1000))).toMatchObject({ id: 1, result: {} });
});
