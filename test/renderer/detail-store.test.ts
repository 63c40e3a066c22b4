/** The message that is open: asked for, kept, fetched ahead, gone. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MessageDetail } from '../../core/contract/message.ts';
import { createLink } from '../../renderer/client/link.ts';
import { createRpcClient, type RpcClient } from '../../renderer/client/rpc-client.ts';
import { createDetailStore } from '../../renderer/state/detail.ts';
import { FakeHost, Refused, settle } from './fake-pipe.ts';
import { rowNamed, wholeDelivery, wholeMessage } from './samples.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('open message', () => {
  async function stand(host: FakeHost): Promise<ReturnType<typeof createDetailStore>> {
    const link = createLink({ open: host.open, after: () => () => undefined });
    const rpc = createRpcClient(link, { lost: 'lost', away: 'away', noAnswer: 'none' });
    await settle();
    return createDetailStore(rpc);
  }

  test('is requested, and again when one of its deliveries changes', async () => {
    const host = new FakeHost({ 'messages.get': ({ messageId }) => wholeMessage({ messageId }) });
    const detail = await stand(host);
    detail.open('msg_1');
    expect(detail.store.getState().status).toBe('loading');
    await settle();
    expect(detail.store.getState()).toMatchObject({ status: 'ready', value: { messageId: 'msg_1' } });
    detail.onEvents([{ type: 'message.added', sequence: 1, row: rowNamed('msg_2') }]);
    detail.onEvents([{ type: 'message.added', sequence: 2, row: rowNamed('msg_1') }]);
    await settle();
    expect(host.called('messages.get')).toHaveLength(2);
  });

  test('keeps its content where only its deliveries change, so that long data is not drawn again', async () => {
    const answer = (state: 'queued' | 'processed', body = '{"n":1}') =>
      wholeMessage({ wire: { body }, data: JSON.parse(body), deliveries: [wholeDelivery({ state })] });
    const host = new FakeHost({ 'messages.get': () => answer('queued') });
    const detail = await stand(host);
    const next = async (value: ReturnType<typeof answer>) => {
      host.answers['messages.get'] = () => value;
      detail.refresh();
      await settle();
      return detail.store.getState().value;
    };
    detail.open('msg_1');
    await settle();
    const first = detail.store.getState().value;
    expect(await next(answer('queued'))).toBe(first);
    const second = await next(answer('processed'));
    expect(second?.deliveries).toMatchObject([{ state: 'processed' }]);
    expect(second?.data).toBe(first?.data);
    expect(second?.wire).toBe(first?.wire);
    const third = await next(answer('processed', '{"n":2}'));
    expect(third?.data).toEqual({ n: 2 });
  });

  test('keeps its content where its payload is read apart, until a hold may have changed it', async () => {
    const answer = (state: 'queued' | 'processed', more: Partial<MessageDetail> = {}) =>
      wholeMessage({
        payloadApart: true,
        wire: { body: 'start', bodyTruncated: true },
        deliveries: [wholeDelivery({ state })],
        ...more,
      });
    const host = new FakeHost({ 'messages.get': () => answer('queued', { stage: 'held' }) });
    const detail = await stand(host);
    const next = async (value: MessageDetail) => {
      host.answers['messages.get'] = () => value;
      detail.refresh();
      await settle();
      return detail.store.getState().value;
    };
    detail.open('msg_1');
    await settle();
    const held = detail.store.getState().value;
    const released = await next(answer('queued'));
    expect(released?.wire).not.toBe(held?.wire);
    expect((await next(answer('processed')))?.wire).toBe(released?.wire);
    expect(host.called('messages.get')[0]).toMatchObject({ params: { payloadUpTo: 262_144 } });
  });

  test('is there at once when it was open before', async () => {
    const host = new FakeHost({ 'messages.get': ({ messageId }) => wholeMessage({ messageId }) });
    const detail = await stand(host);
    detail.open('a');
    await settle();
    detail.open('b');
    await settle();
    detail.open('a');
    expect(detail.store.getState()).toMatchObject({ status: 'ready', value: { messageId: 'a' } });
  });

  test('is fetched before it is opened if the cursor rests on it, and not if it only passes', async () => {
    const host = new FakeHost({ 'messages.get': ({ messageId }) => wholeMessage({ messageId }) });
    const detail = await stand(host);
    detail.near('a');
    detail.near('b');
    vi.advanceTimersByTime(100);
    await settle();
    expect(host.called('messages.get')).toMatchObject([{ params: { messageId: 'b' } }]);
    expect(detail.kept('b')).toMatchObject({ messageId: 'b' });
    detail.near('b');
    vi.advanceTimersByTime(100);
    await settle();
    expect(host.called('messages.get')).toHaveLength(1);
    detail.open('b');
    expect(detail.store.getState()).toMatchObject({ status: 'ready', value: { messageId: 'b' } });
    await settle();
    expect(host.called('messages.get')).toHaveLength(2);
  });

  test('that is opened, left and opened again while it loads shows the newest answer, whichever comes last', async () => {
    const answers: ((message: MessageDetail) => void)[] = [];
    const detail = createDetailStore({
      call: () => new Promise<MessageDetail>((resolve) => answers.push(resolve)),
    } as unknown as RpcClient);
    detail.open('a');
    detail.open('b');
    detail.open('a');
    const [first, , second] = answers;
    second?.(wholeMessage({ messageId: 'a', topic: 'new' }));
    await settle();
    first?.(wholeMessage({ messageId: 'a', topic: 'old' }));
    await settle();
    expect(detail.store.getState().value?.topic).toBe('new');
    // An event asks once, not once for each time that it was opened.
    detail.refresh();
    detail.refresh();
    await settle();
    expect(answers).toHaveLength(4);
  });

  test('that was removed keeps its known content', async () => {
    const host = new FakeHost({ 'messages.get': ({ messageId }) => wholeMessage({ messageId }) });
    const detail = await stand(host);
    detail.open('a');
    await settle();
    host.answers['messages.get'] = () => {
      throw new Refused('NOT_FOUND', 'no such message');
    };
    detail.refresh();
    await settle();
    expect(detail.store.getState()).toMatchObject({ status: 'gone', value: { messageId: 'a' } });
  });

  test('says what ended it, as far as the host said so', async () => {
    const ended = wholeMessage({ number: 50, deliveries: [wholeDelivery({ state: 'processed' })] });
    const host = new FakeHost({ 'messages.get': () => ended });
    const detail = await stand(host);
    const endedBy = async (messageId: string, beforeSequence?: number) => {
      host.answers['messages.get'] = () => ended;
      detail.open(messageId);
      await settle();
      host.answers['messages.get'] = () => {
        throw new Refused('NOT_FOUND', 'no such message');
      };
      if (beforeSequence === undefined) detail.refresh();
      else detail.onEvents([{ type: 'messages.pruned', sequence: 1, beforeSequence, count: 1 }]);
      await settle();
      expect(detail.store.getState().status).toBe('gone');
      return detail.store.getState().endedBy;
    };
    expect(await endedBy('msg_1', 51)).toBe('limit');
    expect(await endedBy('msg_2', 0)).toBe('removed');
    expect(await endedBy('msg_3')).toBeUndefined();
    // The event that says why may come after the answer, and a later removal of others changes nothing.
    for (const beforeSequence of [0, 60])
      detail.onEvents([{ type: 'messages.pruned', sequence: 2, beforeSequence, count: 1 }]);
    expect(detail.store.getState().endedBy).toBe('removed');
  });

  test('never says that it was removed where other messages were', async () => {
    const host = new FakeHost({ 'messages.get': () => wholeMessage({ number: 50 }) });
    const detail = await stand(host);
    const removed = (): void =>
      detail.onEvents([{ type: 'messages.pruned', sequence: 1, beforeSequence: 0, count: 1 }]);
    const isGone = (): void => {
      host.answers['messages.get'] = () => {
        throw new Refused('NOT_FOUND', 'no such message');
      };
    };
    const reason = async (): Promise<string | undefined> => {
      await settle();
      const { status, endedBy } = detail.store.getState();
      expect(status).toBe('gone');
      return endedBy;
    };
    detail.open('msg_1');
    await settle();
    // The message is still there after the removal, and goes with a host that starts anew.
    removed();
    await settle();
    expect(detail.store.getState().status).toBe('ready');
    isGone();
    detail.refresh();
    expect(await reason()).toBeUndefined();
    // A removal long after the answer.
    vi.advanceTimersByTime(10_000);
    removed();
    expect(await reason()).toBeUndefined();
    // The host never had a message of this id.
    detail.open('msg_2');
    await settle();
    removed();
    expect(await reason()).toBeUndefined();
  });

  test('is requested when messages are removed among which it may be, and not once it is gone', async () => {
    const ended = wholeMessage({ number: 50, deliveries: [wholeDelivery({ state: 'processed' })] });
    const host = new FakeHost({ 'messages.get': () => ended });
    const detail = await stand(host);
    const asked = async (beforeSequence: number) => {
      const before = host.called('messages.get').length;
      detail.onEvents([{ type: 'messages.pruned', sequence: 1, beforeSequence, count: 1 }]);
      await settle();
      return host.called('messages.get').length - before;
    };
    detail.open('msg_1');
    await settle();
    // The history removed its oldest messages, up to the one below the open one.
    expect(await asked(50)).toBe(0);
    // The history removed the open one too.
    expect(await asked(51)).toBe(1);
    // Somebody removed messages of any number.
    host.answers['messages.get'] = () => {
      throw new Refused('NOT_FOUND', 'no such message');
    };
    expect(await asked(0)).toBe(1);
    expect(detail.store.getState().status).toBe('gone');
    expect(await asked(0)).toBe(0);
    // A message that comes back is an event of its own.
    host.answers['messages.get'] = () => ended;
    detail.onEvents([{ type: 'message.added', sequence: 2, row: rowNamed('msg_1') }]);
    await settle();
    expect(detail.store.getState().status).toBe('ready');
  });

  test('has a note that was saved before the host is asked again', async () => {
    const host = new FakeHost({ 'messages.get': ({ messageId }) => wholeMessage({ messageId }) });
    const detail = await stand(host);
    detail.open('a');
    await settle();
    detail.noted('a', { note: 'look again', tags: ['late'] });
    detail.noted('b', { note: 'not loaded' });
    expect(detail.store.getState().value).toMatchObject({ note: 'look again', tags: ['late'] });
    detail.open('b');
    detail.open('a');
    expect(detail.store.getState().value).toMatchObject({ note: 'look again' });
  });

  test('is requested with each tick until all its deliveries ended', async () => {
    const host = new FakeHost({ 'messages.get': () => wholeMessage() });
    const detail = await stand(host);
    detail.open('msg_1');
    await settle();
    detail.onTick();
    await settle();
    expect(host.called('messages.get')).toHaveLength(2);
    host.answers['messages.get'] = () =>
      wholeMessage({ deliveries: [wholeDelivery({ state: 'processed' })] });
    detail.onTick();
    await settle();
    detail.onTick();
    await settle();
    expect(host.called('messages.get')).toHaveLength(3);
  });
});
