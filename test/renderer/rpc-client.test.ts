/** Calls and notifications over a link. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLink } from '../../renderer/client/link.ts';
import { createRpcClient, RpcFailure } from '../../renderer/client/rpc-client.ts';
import { FakeHost, Refused, settle } from './fake-pipe.ts';

const WORDS = { lost: 'lost', away: 'away', noAnswer: 'no answer' };

async function stand(host: FakeHost): Promise<ReturnType<typeof createRpcClient>> {
  const rpc = createRpcClient(createLink({ open: host.open, after: () => () => undefined }), WORDS);
  await settle();
  return rpc;
}

async function failureOf(call: Promise<unknown>): Promise<RpcFailure> {
  const reason: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(reason instanceof RpcFailure)) throw new Error('the call did not fail');
  return reason;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('call', () => {
  test('gives the result of its own request, whatever the order of the answers', async () => {
    const host = new FakeHost({
      'system.link': () => ({ url: 'first' }),
      'filter.check': () => ({ ok: true }),
    });
    const rpc = await stand(host);
    const [link, check] = await Promise.all([
      rpc.call('system.link', {}),
      rpc.call('filter.check', { filter: '' }),
    ]);
    expect(link).toEqual({ url: 'first' });
    expect(check).toEqual({ ok: true });
  });

  test('fails with code, field, expectation and everything else the host said', async () => {
    const host = new FakeHost({
      'messages.list': () => {
        throw new Refused('INVALID_PARAMS', 'limit must be 1 to 500', {
          field: 'limit',
          expected: 'integer 1..500',
          position: 3,
        });
      },
    });
    const rpc = await stand(host);
    const failure = await failureOf(rpc.call('messages.list', { limit: 0 }));
    expect(failure).toMatchObject({
      message: 'limit must be 1 to 500',
      code: 'INVALID_PARAMS',
      field: 'limit',
      expected: 'integer 1..500',
    });
    expect(failure.data['position']).toBe(3);
  });

  test('fails at once while the host is away, and so does what was under way', async () => {
    const host = new FakeHost({ 'system.link': () => ({ url: 'u' }) });
    const rpc = await stand(host);
    host.holds = true;
    const running = failureOf(rpc.call('system.link', {}));
    await settle();
    host.cut();
    expect((await running).code).toBe('CONNECTION_LOST');
    expect((await failureOf(rpc.call('system.link', {}))).code).toBe('CONNECTION_LOST');
    expect(host.called('system.link')).toHaveLength(1);
  });

  test('ends without an answer when the time is over', async () => {
    vi.useFakeTimers();
    const host = new FakeHost({ 'system.link': () => ({ url: 'u' }) });
    const rpc = await stand(host);
    host.holds = true;
    const failure = failureOf(rpc.call('system.link', {}, { timeoutMs: 100 }));
    await vi.advanceTimersByTimeAsync(100);
    expect((await failure).code).toBe('NO_ANSWER');
    host.let();
  });

  test('fails when the client is closed', async () => {
    const host = new FakeHost({ 'system.link': () => ({ url: 'u' }) });
    const rpc = await stand(host);
    host.holds = true;
    const failure = failureOf(rpc.call('system.link', {}));
    rpc.close();
    expect((await failure).code).toBe('CONNECTION_LOST');
  });
});

test('a notification has no id, so that the host does not answer it', async () => {
  const sent: string[] = [];
  const open = async () => ({
    send: (text: string) => void sent.push(text),
    onText: () => () => undefined,
    onClose: () => () => undefined,
  });
  const rpc = createRpcClient(createLink({ open, after: () => () => undefined }), WORDS);
  rpc.notify('stream.ack', { sequence: 1 });
  await settle();
  expect(sent).toEqual([]);
  rpc.notify('stream.ack', { sequence: 2 });
  expect(sent).toEqual(['{"jsonrpc":"2.0","method":"stream.ack","params":{"sequence":2}}']);
});

describe('notifications', () => {
  test('reach those who listen, until they stop', async () => {
    const host = new FakeHost();
    const rpc = await stand(host);
    const epochs: string[] = [];
    const stop = rpc.on('stream.reset', ({ epoch }) => epochs.push(epoch));
    host.push('stream.reset', { epoch: 'a' });
    stop();
    host.push('stream.reset', { epoch: 'b' });
    expect(epochs).toEqual(['a']);
  });

  test.each(['', 'not json', '[]', '42', '{"id":"x","result":1}', '{"jsonrpc":"2.0"}'])(
    'a frame that is none of the contract (%s) is passed over',
    async (frame) => {
      const host = new FakeHost({ 'system.link': () => ({ url: 'u' }) });
      const rpc = await stand(host);
      host.say(frame);
      expect(await rpc.call('system.link', {})).toEqual({ url: 'u' });
    },
  );
});
