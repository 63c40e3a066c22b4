/** Acts of a window are noted as automation calls; its queries are not. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { RpcClient } from '../../renderer/client/rpc-client.ts';
import { copyActs } from '../../renderer/keys/frame-commands.ts';
import type { Console } from '../../renderer/state/console.ts';
import { isAct, noteActs, scriptOf } from '../../renderer/state/act-history.ts';
import { GOOD } from '../console/good-params.ts';

/** One member changes something, in the order of the contract's table. */
const READS =
  /\.(list|get|read|rows|open|close|ack|since|describe|link|check|complete|explain|values|status)$/;

describe('calls that count as acts', () => {
  test('are all methods but those that only read, with their parameters', () => {
    const acts = Object.entries(GOOD).flatMap(([method, [params]]) =>
      isAct(method, params as object) ? [method] : [],
    );
    expect(acts.filter((method) => READS.test(method) && method !== 'recordings.close')).toEqual([]);
    expect(acts).toEqual(
      expect.arrayContaining([
        'messages.publish',
        'messages.replay',
        'deliveries.retry',
        'holds.add',
        'mockApp.setRules',
        'mockApp.turn',
        'components.save',
        'apps.add',
        'settings.set',
        'samples.add',
        'health.simulate',
        'requests.run',
      ]),
    );
  });

  test.each([
    ['eventRouter.subscriptions', {}, false],
    ['eventRouter.subscriptions', { act: 'list' }, false],
    ['eventRouter.subscriptions', { component: 'a', act: 'put' }, true],
    ['eventRouter.faults', {}, false],
    ['eventRouter.faults', { ingress: 'off' }, true],
    ['requests.variables', { variables: { a: 'b' } }, true],
    ['health.call', { probe: 'healthz' }, false],
    ['messages.update', { messageId: 'm', read: true }, false],
    ['messages.update', { messageId: 'm', pinned: true }, true],
  ])('%s %j: %s', (method, params, is) => {
    expect(isAct(method, params)).toBe(is);
  });
});

test('the history has the newest fifty acts in their order, without refused ones', async () => {
  let fails = false;
  const call = (() =>
    fails ? Promise.reject(new Error('refused')) : Promise.resolve(null)) as RpcClient['call'];
  const { rpc, made } = noteActs({
    call,
    on: () => () => undefined,
    close: () => undefined,
    notify: () => undefined,
  });
  await rpc.call('messages.list', {});
  for (let n = 0; n < 60; n += 1) await rpc.call('holds.remove', { holdId: `h${n}` });
  fails = true;
  await expect(rpc.call('holds.remove', { holdId: 'late' })).rejects.toThrow('refused');
  const acts = made.getState();
  expect(acts).toHaveLength(50);
  expect(acts.at(-1)).toEqual({
    method: 'holds.remove',
    call: '{"jsonrpc":"2.0","id":1,"method":"holds.remove","params":{"holdId":"h59"}}',
  });
});

test.skipIf(process.platform === 'win32')('the script is one that a shell reads, quotes and all', () => {
  const call = JSON.stringify({ method: 'holds.add', params: { filter: `data.name:"it's"`, n: '$HOME' } });
  const script = scriptOf([{ method: 'holds.add', call }], 'http://127.0.0.1:3580/rpc').replace(
    /curl[^]*-d "\$1"/,
    `printf '%s' "$1"`,
  );
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(`${call}\n`);
  expect(scriptOf([], 'http://x/rpc')).toContain('http://x/rpc');
});

test('the copied script asks where the host is, whatever address the page has', () => {
  const copied: string[] = [];
  const { made } = noteActs({
    call: () => Promise.reject(new Error('unused')),
    on: () => () => undefined,
    close: () => undefined,
    notify: () => undefined,
  });
  const system = { consoleUrl: 'http://127.0.0.1:3581' };
  copyActs({
    made,
    acting: { copy: async (text: string) => void copied.push(text) },
    connection: { getState: () => ({ system }) },
  } as unknown as Console);
  expect(copied.join('')).toContain('"${SIDELIGHT_RPC:=http://127.0.0.1:3581/rpc}"');
});
