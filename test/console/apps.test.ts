/** Calls of `apps.add` and `apps.remove` to the host. */
import { expect, test } from 'vitest';
import { Console } from '../../core/console/console.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';

test('apps.add and apps.remove return the added app and its unfinished deliveries', async () => {
  const console = new Console(makeBench(new ManualClock()).deps);
  const call = async (method: string, params: unknown): Promise<unknown> => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return JSON.parse((await console.answer(text, new AbortController().signal)) ?? '');
  };
  expect(await call('apps.add', { appId: 'shop', url: 'http://127.0.0.1:8080' })).toMatchObject({
    result: { appId: 'shop', app: 'http://127.0.0.1:8080', added: true },
  });
  expect(await call('apps.remove', { appId: 'shop' })).toMatchObject({ result: { unfinished: 2 } });
});
