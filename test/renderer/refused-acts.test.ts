/** The notification of an act that the host refused for some deliveries has the reason. */
import { expect, test } from 'vitest';
import type { Changed } from '../../core/contract/console.ts';
import type { RpcClient } from '../../renderer/client/rpc-client.ts';
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

function acting(more: Readonly<Record<string, unknown>> = {}) {
  const answers: Readonly<Record<string, unknown>> = {
    'deliveries.retry': REFUSED,
    'deliveries.deadLetter': REFUSED,
    'messages.list': { items: [], total: 2 },
    ...more,
  };
  const call = (async (method: string) => answers[method]) as RpcClient['call'];
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
  return { acts, commands, texts: () => toasts.store.getState().toasts.map(({ text }) => text) };
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
  await expect.poll(texts).toEqual(['Queued for attempt 2.']);
});

test('a replay to a delivery without a path names none', async () => {
  const { acts, texts } = acting({ 'messages.replay': { messageId: 'm2' } });
  const row = messageRow(1);
  await acts.replay([row], { deliveryId: 'd1', route: '' });
  expect(texts()).toEqual(['Replayed to this delivery only.']);
});

test('an act on a filter tells the reasons of refusals, and not of what it cannot apply to', async () => {
  const { acts, commands, texts } = acting();
  await acts.actOnFilter('retry', 'topic:orders');
  const { overlay } = commands.store.getState();
  if (overlay?.kind !== 'confirm') throw new Error('nothing was asked');
  overlay.question.run();
  await expect.poll(texts).toContain(`1 could not be changed: ${REASON}`);
});
