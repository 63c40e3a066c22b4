/** The notification of an act that the host refused for some deliveries has the reason. */
import { expect, test } from 'vitest';
import type { Changed } from '../../core/contract/console.ts';
import { RpcFailure, type RpcClient } from '../../renderer/client/rpc-client.ts';
import { createActing } from '../../renderer/state/acting.ts';
import { createCommandsStore } from '../../renderer/state/commands.ts';
import { createHeldNext } from '../../renderer/state/held-next.ts';
import { createNavigation } from '../../renderer/state/navigation.ts';
import { createToasts } from '../../renderer/state/toasts.ts';
import { createUiStore } from '../../renderer/state/ui.ts';
import { messageRow } from '../adapters/journal-records.ts';

const REASON = 'the backlog limit of 20 unfinished deliveries is reached for topic orders';
const REFUSED: Changed = {
  changed: 0,
  refused: [
    { deliveryId: 'd1', code: 'ERR_PUBSUB_PUBLISH_MESSAGE', state: 'dropped', reason: REASON },
    { deliveryId: 'd2', code: 'TRANSITION_NOT_ALLOWED', state: 'processed' },
  ],
};

const SUBJECT = {
  row: messageRow(1, {
    deliveries: [{ deliveryId: 'd1', appId: 'app', state: 'dropped', attempts: 1, route: '/orders' }],
  }),
};

const ROUTED = { appId: 'app', attempts: 1, route: '/orders' };

function acting(more: Readonly<Record<string, unknown>> = {}, ownCall?: RpcClient['call']) {
  const answers: Readonly<Record<string, unknown>> = {
    'deliveries.retry': REFUSED,
    'deliveries.deadLetter': REFUSED,
    'messages.list': { items: [], total: 2 },
    ...more,
  };
  const call = ownCall ?? ((async (method: string) => answers[method]) as RpcClient['call']);
  const toasts = createToasts();
  const commands = createCommandsStore();
  const bar = {
    location: { hash: '#/messages' },
    history: { pushState: () => undefined, replaceState: () => undefined },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  const acts = createActing({
    call,
    toasts,
    commands,
    navigation: createNavigation(bar),
    ui: createUiStore(undefined),
    heldNext: createHeldNext({ call }, toasts),
  });
  return { acts, commands, toasts, texts: () => toasts.store.getState().toasts.map(({ text }) => text) };
}

test('an act on deliveries tells the reason of each refusal, or the state where there is none', async () => {
  const { acts, texts } = acting();
  acts.act('retry', [SUBJECT]);
  await expect.poll(texts).toEqual([`2 could not be changed: ${REASON}, processed`]);
});

test('a dead letter that no delivery allows is not said to be published', async () => {
  const { acts, texts } = acting();
  const failures: string[] = [];
  const parked = (deliveryId: string) => ({
    row: messageRow(1, {
      deliveries: [{ deliveryId, appId: 'app', state: 'parked', attempts: 1, route: '/orders' }],
    }),
  });
  const subjects = [parked('d1'), parked('d2')];
  const isMoved = await acts.deadLetterTo('dead', subjects, ({ message }) => void failures.push(message));
  expect(isMoved).toBe(false);
  expect(failures).toEqual([`2 could not be changed: ${REASON}, processed`]);
  expect(texts()).toEqual([]);
});

test('a retry names the attempt of the delivery that it is about', async () => {
  const { acts, texts } = acting({ 'deliveries.retry': { changed: 1 } });
  const row = messageRow(1, {
    deliveries: [
      { deliveryId: 'd1', appId: 'one', state: 'parked', attempts: 7, route: '/one' },
      { deliveryId: 'd2', appId: 'two', state: 'dropped', attempts: 1, route: '/two' },
    ],
  });
  acts.act('retry', [{ row, deliveryId: 'd2' }]);
  await expect.poll(texts).toEqual(['Queued for attempt 2, the first of a new round.']);
});

test('a retry of a delivery that waits for its next attempt begins no new round', async () => {
  const { acts, texts } = acting({ 'deliveries.retry': { changed: 1 } });
  const row = messageRow(1, {
    deliveries: [{ deliveryId: 'd1', appId: 'one', state: 'retrying', attempts: 1, route: '/one' }],
  });
  acts.act('retry', [{ row }]);
  await expect.poll(texts).toEqual(['Queued for attempt 2.']);
});

test('a replay to a delivery without a path names none', async () => {
  const { acts, texts } = acting({ 'messages.replay': { messageId: 'm2' } });
  const row = messageRow(1);
  await acts.replay([row], { deliveryId: 'd1', route: '' });
  expect(texts()).toEqual(['Replayed to this delivery only.']);
});

test('a replay names the holds that let it pass', async () => {
  const { acts, texts } = acting({ 'messages.replay': { messageId: 'm2', passedHolds: ['p1', 'p2'] } });
  await acts.replay([{ ...messageRow(1), topic: 'orders' }]);
  expect(texts()).toEqual(['Replayed to orders. Holds “p1”, “p2” let it pass: they caught the original.']);
});

test('the replay of several names each hold that let some pass', async () => {
  const answers = [{ passedHolds: ['p1'] }, {}, { passedHolds: ['p2', 'p1'] }].map((more) => ({
    messageId: 'm9',
    ...more,
  }));
  const { acts, texts } = acting({}, (async () => answers.shift()) as RpcClient['call']);
  await acts.replay([messageRow(1), messageRow(2), messageRow(3)]);
  expect(texts()).toEqual([
    '3 messages replayed. Holds “p1”, “p2” let those pass whose originals they caught.',
  ]);
});

test('an act on a filter tells the reasons of refusals, and not of what it cannot apply to', async () => {
  const { acts, commands, texts } = acting();
  await acts.actOnFilter('retry', { filter: 'topic:orders' });
  const { overlay } = commands.store.getState();
  if (overlay?.kind !== 'confirm') throw new Error('nothing was asked');
  overlay.question.run();
  await expect.poll(texts).toContain(`1 could not be changed: ${REASON}`);
});

test('the question before an act on a filter replaces no other dialog, and ends with the selection', async () => {
  const { acts, commands, texts } = acting();
  const dialog = { kind: 'note', messageId: 'm1' } as const;
  const asked = acts.actOnFilter('drop', { filter: 'topic:orders' });
  commands.open(dialog);
  await asked;
  expect(commands.store.getState().overlay).toBe(dialog);
  expect(texts()).toEqual([expect.stringContaining('did not ask about Drop')]);
  commands.close();
  await acts.actOnFilter('drop', { filter: 'topic:orders' }, () => false);
  expect(commands.store.getState().overlay).toBeUndefined();
});

const rows = Array.from({ length: 5 }, (_, n) => messageRow(n + 1));

/** Acts whose calls are answered one after another; a failure is thrown. */
function inOrder(method: string, answers: readonly unknown[]) {
  let at = 0;
  const sent: unknown[] = [];
  const call = async (name: string, params: unknown): Promise<unknown> => {
    if (name !== method) return { items: [], total: 0 };
    sent.push(params);
    const answer = answers[at];
    at += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { ...acting({}, call as RpcClient['call']), sent };
}

const GONE = new RpcFailure('There is no message msg_2.', { code: 'NOT_FOUND' });
const CUT = new RpcFailure('The connection was lost.', { code: 'CONNECTION_LOST' });

test('a replay of many goes on after a message that is gone, and tells what was done and what was not', async () => {
  const answers = [{ messageId: 'a' }, GONE, { messageId: 'b' }, GONE, { messageId: 'c' }];
  const { acts, texts, sent } = inOrder('messages.replay', answers);
  expect(await acts.replay(rows)).toBe(true);
  expect(sent).toHaveLength(5);
  expect(texts().toSorted()).toEqual([
    '2 could not be replayed: There is no message msg_2.',
    '3 messages replayed.',
  ]);
});

test('a replay of many whose connection is cut tells what was done and what was not sent', async () => {
  const { acts, texts, sent } = inOrder('messages.replay', [{ messageId: 'a' }, { messageId: 'b' }, CUT]);
  expect(await acts.replay(rows)).toBe(true);
  expect(sent).toHaveLength(3);
  expect(texts().toSorted()).toEqual([
    '2 messages replayed.',
    'The connection was lost. 2 more were not sent.',
  ]);
});

test('a replay of many of which none was done says only why', async () => {
  const { acts, texts } = inOrder('messages.replay', [CUT]);
  expect(await acts.replay(rows)).toBe(false);
  expect(texts()).toEqual(['The connection was lost. 4 more were not sent.']);
});

test('cancelled calls that are cut in the middle are counted one by one', async () => {
  const { acts, texts } = inOrder('deliveries.cancelAttempt', [{ changed: 1 }, GONE, CUT]);
  const subjects = rows.map((row, n) => ({
    row: {
      ...row,
      deliveries: [{ deliveryId: `d${n}`, appId: 'app', state: 'attempting' as const, attempts: 1 }],
    },
  }));
  acts.act('cancel', subjects);
  await expect.poll(() => texts().length).toBe(3);
  expect(texts().toSorted()).toEqual([
    '1 could not be changed: There is no message msg_2.',
    'Call cancelled.',
    'The connection was lost. 2 more were not sent.',
  ]);
});

test('deliveries that are gone are told as such', async () => {
  const gone = (deliveryId: string) => ({ deliveryId, code: 'NOT_FOUND', state: '' });
  const { acts, texts } = acting({
    'deliveries.retry': { changed: 1, refused: [gone('d1'), gone('d2')] },
  });
  acts.act('retry', [SUBJECT]);
  await expect.poll(texts).toContain('2 could not be changed: no longer there');
});

test('the drop of messages that were held at publish names its way back, a replay', async () => {
  const heldRow = (n: number) => ({ row: messageRow(n, { stage: 'held', deliveries: [] }) });
  const held = { row: messageRow(3, { deliveries: [{ ...ROUTED, deliveryId: 'd1', state: 'held' }] }) };
  const sent: string[] = [];
  const { acts, commands, toasts } = acting({}, (async (method: string) => {
    sent.push(method);
    return method === 'deliveries.drop' ? { changed: 1 } : messageRow(9);
  }) as RpcClient['call']);
  const last = () => toasts.store.getState().toasts.at(-1);
  const confirm = () => {
    const { overlay } = commands.store.getState();
    if (overlay?.kind === 'confirm') overlay.question.run();
  };
  acts.act('drop', [heldRow(1)]);
  await expect.poll(() => last()?.text).toBe('Dropped. Replay it to publish it again.');
  expect(last()?.action?.title).toBe('Replay');
  last()?.action?.run();
  await expect.poll(() => sent).toEqual(['deliveries.drop', 'messages.replay']);
  acts.act('drop', [heldRow(1), heldRow(2)]);
  confirm();
  await expect.poll(() => last()?.text).toBe('2 dropped. Replay them to publish them again.');
  acts.act('drop', [heldRow(1), held]);
  confirm();
  const partly = '2 dropped. An undo does not give back the 1 that was held at publish: replay it.';
  await expect.poll(() => last()?.text).toBe(partly);
  expect(last()?.action?.title).toBe('Undo');
});

test('a drop that came too late for a message offers no replay, which would publish that one twice', async () => {
  const released = [{ deliveryId: '', code: 'TRANSITION_NOT_ALLOWED', state: '' }];
  const answers: Changed[] = [{ changed: 1 }, { changed: 0, refused: released }];
  const { acts, commands, toasts } = acting({}, (async () => answers.shift()) as RpcClient['call']);
  acts.act(
    'drop',
    [1, 2].map((n) => ({ row: messageRow(n, { stage: 'held', deliveries: [] }) })),
  );
  const { overlay } = commands.store.getState();
  if (overlay?.kind === 'confirm') overlay.question.run();
  const done = () => toasts.store.getState().toasts.find(({ text }) => text.startsWith('Dropped'));
  await expect.poll(() => done()?.text).toBe('Dropped.');
  expect(done()?.action).toBeUndefined();
});
