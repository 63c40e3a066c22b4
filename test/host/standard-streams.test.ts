/** Output whose reader has ended, and output that cannot be written. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, openSync, closeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { goOnWithoutTerminal, outliveReaders } from '../../core/host/standard-streams.ts';
import { PROGRAM } from '../support/program.ts';

class Stream extends EventEmitter {
  isTTY = false;
  readonly written: string[] = [];
  write(text: string): void {
    this.written.push(text);
  }
}

function failed(code: string): Error {
  return Object.assign(new Error(`write ${code}`), { code });
}

test('an ended reader is no loss, and any other failure of the output is reported once', () => {
  const [stdout, stderr] = [new Stream(), new Stream()];
  let lost = 0;
  outliveReaders({ stdout, stderr }, () => (lost += 1));
  stdout.emit('error', failed('EPIPE'));
  stderr.emit('error', failed('EPIPE'));
  stderr.emit('error', failed('ENOSPC'));
  expect([lost, stderr.written]).toEqual([0, []]);
  stdout.emit('error', failed('ENOSPC'));
  stdout.emit('error', failed('ENOSPC'));
  expect([lost, stderr.written]).toEqual([1, ['sidelight: the output could not be written: write ENOSPC\n']]);
});

test('a terminal that was closed is an ended reader, and a disk that fails is none', () => {
  const [stdout, stderr] = [new Stream(), new Stream()];
  let lost = 0;
  outliveReaders({ stdout, stderr }, () => (lost += 1));
  stdout.isTTY = true;
  stdout.emit('error', failed('EIO'));
  expect(lost).toBe(0);
  stdout.isTTY = false;
  stdout.emit('error', failed('EIO'));
  expect(lost).toBe(1);
});

test('a terminal is not waited for, and other output is left as it is', () => {
  const calls: [string, boolean][] = [];
  const stream = (name: string, isTTY: boolean) => ({
    isTTY,
    _handle: { setBlocking: (isBlocking: boolean) => calls.push([name, isBlocking]) },
  });
  goOnWithoutTerminal([stream('terminal', true), stream('pipe', false), { isTTY: true }, {}]);
  expect(calls).toEqual([['terminal', false]]);
});

const FREE = ['--sidecar-port', '0', '--grpc-port', '0', '--app-port', '0', '--console-port', '0'];

test('a sidecar whose output nobody reads any more goes on, and ends in order', async () => {
  const child = spawn(process.execPath, [PROGRAM, '--headless', '--ephemeral', ...FREE], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { apps, rpc, token } = JSON.parse(String(line));
  child.stdout.destroy();
  child.stderr.destroy();
  const call = async (method: string, params: object): Promise<number> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return (await fetch(rpc, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body })).status;
  };
  // Each of these is a line of the log.
  expect(await call('deliveries.retry', { deliveryId: 'none' })).toBe(200);
  const rules = [{ match: {}, answer: { kind: 'respond', status: 404 } }];
  expect(await call('mockApp.setRules', { rules })).toBe(200);
  for (let n = 0; n < 3; n += 1) {
    const publish = { pubsubname: 'pubsub', topic: 'orders', data: n };
    expect(await call('messages.publish', publish)).toBe(200);
  }
  expect(await call('subscriptions.discover', {})).toBe(200);
  expect((await fetch(`${apps[0].sidecar}/v1.0/healthz`)).status).toBe(204);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
}, 60_000);

test.runIf(existsSync('/dev/full'))(
  'a command whose output cannot be written says so, and ends with 1',
  async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [PROGRAM, '--help'], { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    let said = '';
    child.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(said).toMatch(/^sidelight: the output could not be written: .*ENOSPC.*\n$/);
  },
  60_000,
);
