/** Acts of a person: which one is possible in which state, on one, several, a message or a filter. */
import { describe, expect, test } from 'vitest';
import { allows } from '../../core/contract/acts.ts';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

type Act = 'retry' | 'drop' | 'hold' | 'release' | 'deadLetter';

const ACTS: readonly Act[] = ['retry', 'drop', 'hold', 'release', 'deadLetter'];

/** State -> the acts that are possible, and the state each leads to at once. */
const ALLOWED: Readonly<Record<DeliveryState, Partial<Record<Act, DeliveryState>>>> = {
  queued: { drop: 'dropped', hold: 'held', deadLetter: 'dead-lettered' },
  held: { drop: 'dropped', release: 'processed', deadLetter: 'dead-lettered' },
  attempting: {},
  retrying: { retry: 'processed', drop: 'dropped', hold: 'held', deadLetter: 'dead-lettered' },
  processed: {},
  dropped: { retry: 'processed', deadLetter: 'dead-lettered' },
  expired: { retry: 'processed' },
  'dead-lettered': { retry: 'processed' },
  parked: { retry: 'processed', drop: 'dropped', deadLetter: 'dead-lettered' },
};

/** A message whose only delivery is in this state. */
async function inState(stand: Stand, state: DeliveryState): Promise<string> {
  switch (state) {
    case 'queued': {
      // The only slot is taken by another call.
      stand.set('delivery.concurrency', 1);
      stand.app.next.push('hang');
      await stand.publish('orders', 'in the way');
      return stand.publish('orders');
    }
    case 'held': {
      const { holdId } = await stand.runtime.holds.add({ at: 'delivery', filter: '' });
      const id = await stand.publish('orders');
      await stand.runtime.deliveryActions.removeHold(holdId, false);
      return id;
    }
    case 'attempting':
      stand.app.next.push('hang');
      return stand.publish('orders');
    case 'retrying':
      stand.app.next.push('RETRY');
      return stand.publish('orders');
    case 'processed':
      return stand.publish('orders');
    case 'dropped':
      stand.app.next.push(404);
      return stand.publish('orders');
    case 'expired':
      return stand.publish('orders', 'x', { metadata: { ttlInSeconds: '0' } });
    case 'dead-lettered': {
      stand.app.next.push('RETRY');
      const id = await stand.publish('orders');
      await stand.runtime.deliveryActions.deadLetter({ messageId: id }, 'aside');
      return id;
    }
    case 'parked': {
      stand.set('delivery.retry', { maxAttempts: 1 });
      stand.app.next.push(500);
      const id = await stand.publish('orders');
      stand.set('delivery.retry', null);
      return id;
    }
  }
}

function act(
  stand: Stand,
  name: Act,
  target: Parameters<Stand['runtime']['deliveryActions']['drop']>[0],
): ReturnType<Stand['runtime']['deliveryActions']['drop']> {
  return name === 'deadLetter'
    ? stand.runtime.deliveryActions.deadLetter(target, 'aside')
    : stand.runtime.deliveryActions[name](target);
}

const POSSIBLE = DELIVERY_STATES.flatMap((state) =>
  ACTS.flatMap((name) => {
    const to = ALLOWED[state][name];
    return to === undefined ? [] : [{ state, name, to }];
  }),
);
const REFUSED = DELIVERY_STATES.flatMap((state) =>
  ACTS.filter((name) => ALLOWED[state][name] === undefined).map((name) => ({ state, name })),
);

test('the table of the contract allows the acts that are tried here', () => {
  const possible = DELIVERY_STATES.flatMap((state) =>
    ACTS.filter((name) => allows(name, { state })).map((name) => `${name} ${state}`),
  );
  expect(possible).toEqual(POSSIBLE.map(({ state, name }) => `${name} ${state}`));
});

test.each(POSSIBLE)('$name of a delivery that is $state makes it $to', async ({ state, name, to }) => {
  const stand = await started();
  const id = await inState(stand, state);
  const before = await stand.delivery(id);
  expect(before.state).toBe(state);
  expect(await act(stand, name, { deliveryId: before.deliveryId })).toEqual({ changed: 1 });
  await stand.settle();
  const after = await stand.delivery(id);
  expect(after.state).toBe(to);
  expect(after.transitions[before.transitions.length]).toMatchObject({
    from: state,
    cause: 'user',
    rule: `user.${name === 'deadLetter' ? 'dead-letter' : name}`,
  });
});

test.each(REFUSED)(
  '$name of a delivery that is $state is refused, and nothing changes',
  async ({ state, name }) => {
    const stand = await started();
    const id = await inState(stand, state);
    const before = await stand.delivery(id);
    await expect(act(stand, name, { deliveryId: before.deliveryId })).rejects.toMatchObject({
      code: 'TRANSITION_NOT_ALLOWED',
      data: { state, deliveryId: before.deliveryId },
    });
    expect(await stand.delivery(id)).toEqual({ ...before, state });
  },
);

test('a refused drop of a running call says what to do instead', async () => {
  const stand = await started();
  const id = await inState(stand, 'attempting');
  await expect(stand.runtime.deliveryActions.drop({ messageId: id })).rejects.toThrow(
    'The app already has it; wait for the answer or cancel the call.',
  );
});

describe('a call under way', () => {
  test('can be cancelled, counts as an attempt, and is repeated', async () => {
    const stand = await started();
    const id = await inState(stand, 'attempting');
    const { deliveryId, attempts } = await stand.delivery(id);
    expect(attempts).toMatchObject([{ number: 1, request: { method: 'POST' } }]);
    expect(attempts[0]?.endedAt).toBeUndefined();
    expect(await stand.runtime.runningCalls.cancel(deliveryId)).toEqual({ changed: 1 });
    await stand.settle();
    const delivery = await stand.delivery(id);
    expect(delivery.state).toBe('retrying');
    expect(delivery.transitions.at(-1)).toMatchObject({ rule: 'user.cancel', cause: 'user' });
    expect(delivery.attempts).toMatchObject([{ number: 1, error: { code: 'cancelled' } }]);
    await stand.pass(100);
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('a call of an ended delivery cannot be cancelled, and leaves nothing in memory', async () => {
    const stand = await started();
    const id = await stand.publish('orders');
    const { deliveryId } = await stand.delivery(id);
    await expect(stand.runtime.runningCalls.cancel(deliveryId)).rejects.toMatchObject({
      code: 'TRANSITION_NOT_ALLOWED',
      data: { state: 'processed' },
    });
    stand.set('delivery.backlog', 1);
    await stand.publish('orders');
  });
});

describe('retry', () => {
  test('a retry of a waiting delivery starts its attempt now; the round continues', async () => {
    const stand = await started();
    stand.set('delivery.retry', { maxAttempts: 3, firstDelayMs: 60_000, maxDelayMs: 60_000, factor: 1 });
    stand.app.answerWith = () => 500;
    const id = await stand.publish('orders');
    await stand.runtime.deliveryActions.retry({ messageId: id });
    await stand.settle();
    expect(await stand.delivery(id)).toMatchObject({ state: 'retrying', maxAttempts: 3 });
    await stand.runtime.deliveryActions.retry({ messageId: id });
    await stand.settle();
    expect(await stand.delivery(id)).toMatchObject({ state: 'parked' });
    expect(stand.app.calls).toHaveLength(3);
  });

  test('a retry of a finished delivery opens a new round, and its numbers continue', async () => {
    const stand = await started();
    stand.app.next.push('DROP', 500, 500);
    const id = await stand.publish('orders');
    await stand.runtime.deliveryActions.retry({ messageId: id });
    await stand.pass(1000);
    const delivery = await stand.delivery(id);
    expect(delivery.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(delivery).toMatchObject({ state: 'processed', maxAttempts: 11 });
  });

  test('a retry of a delivery without a route chooses one, or is refused with the reason', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'orders', routes: { rules: [{ match: 'event.type == "a"', path: '/a' }] } }),
    );
    const id = await stand.publish('orders');
    expect(await stand.states(id)).toEqual(['dropped']);
    await expect(stand.runtime.deliveryActions.retry({ messageId: id })).rejects.toThrow(
      'it has no route: no rule matches and the subscription has no default route',
    );
    subscribe(stand, { topic: 'orders', route: '/now' });
    await stand.runtime.rediscovery.ask();
    expect(await stand.runtime.deliveryActions.retry({ messageId: id })).toEqual({ changed: 1 });
    await stand.settle();
    expect(await stand.states(id)).toEqual(['processed']);
    expect(stand.app.last.path).toBe('/now');
  });
});

describe('undoing a drop by hand', () => {
  test.each(['queued', 'held', 'retrying', 'parked'] as const)(
    'leads back to %s without a call',
    async (state) => {
      const stand = await started();
      const id = await inState(stand, state);
      const { deliveryId, attempts } = await stand.delivery(id);
      await stand.runtime.deliveryActions.drop({ deliveryId });
      await stand.settle();
      expect(await stand.runtime.deliveryActions.undoDrop({ deliveryId })).toEqual({ changed: 1 });
      const back = await stand.delivery(id);
      expect(back.transitions.find(({ rule }) => rule === 'user.undo-drop')).toMatchObject({
        from: 'dropped',
        to: state,
        cause: 'user',
      });
      if (state === 'queued') return;
      expect(back).toMatchObject({ state, attempts });
      expect(back.nextAttemptAt === undefined).toBe(state !== 'retrying');
    },
  );

  test('gives a message back to the hold that held it, which then releases it', async () => {
    const stand = await started();
    const { holdId } = await stand.runtime.holds.add({ at: 'delivery', filter: '', name: 'Hold all' });
    const id = await stand.publish('orders');
    const { deliveryId } = await stand.delivery(id);
    await stand.runtime.deliveryActions.drop({ deliveryId });
    await stand.settle();
    expect((await stand.delivery(id)).heldBy).toBeUndefined();
    await stand.runtime.deliveryActions.undoDrop({ deliveryId });
    expect(await stand.delivery(id)).toMatchObject({ state: 'held', heldBy: holdId });
    await stand.runtime.deliveryActions.removeHold(holdId, true);
    await stand.settle();
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test.each(['a crash', 'an orderly end'])(
    'gives a message back to its hold after %s between the drop and its undo too',
    async (end) => {
      const stand = await started({ journal: new LastingJournal() });
      const { holdId } = await stand.runtime.holds.add({ at: 'delivery', filter: '', releaseAfterMs: 5000 });
      const id = await stand.publish('orders');
      const { deliveryId } = await stand.delivery(id);
      await stand.runtime.deliveryActions.drop({ deliveryId });
      await stand.settle();
      if (end === 'a crash') stand.crash();
      else await stand.stop();
      await stand.start();
      await stand.runtime.deliveryActions.undoDrop({ deliveryId });
      expect(await stand.delivery(id)).toMatchObject({ state: 'held', heldBy: holdId });
      await stand.pass(4000);
      expect(await stand.states(id)).toEqual(['held']);
      // The hold goes on after another start, as it does for what it has just caught.
      stand.crash();
      await stand.start();
      expect(await stand.delivery(id)).toMatchObject({ state: 'held', heldBy: holdId });
      await stand.pass(2000);
      expect(await stand.states(id)).toEqual(['processed']);
    },
  );

  test('begins the time anew after which its hold releases a message', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'delivery', filter: '', releaseAfterMs: 5000 });
    const id = await stand.publish('orders');
    const { deliveryId } = await stand.delivery(id);
    await stand.runtime.deliveryActions.drop({ deliveryId });
    await stand.runtime.deliveryActions.undoDrop({ deliveryId });
    await stand.pass(4000);
    expect(await stand.states(id)).toEqual(['held']);
    await stand.pass(2000);
    expect(await stand.states(id)).toEqual(['processed']);
  });

  test('is refused with its reason for a message that was dropped while it was held at publish', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'publish', filter: '' });
    const messageId = await stand.publish('orders');
    await stand.runtime.deliveryActions.drop({ messageId });
    const reason = expect.stringContaining('dropped while it was held at publish') as string;
    await expect(stand.runtime.deliveryActions.undoDrop({ messageId })).rejects.toMatchObject({
      code: 'TRANSITION_NOT_ALLOWED',
      params: { reason },
    });
    expect(await stand.runtime.deliveryActions.undoDrop({ filter: 'state:dropped' })).toEqual({
      changed: 0,
      refused: [{ deliveryId: '', code: 'TRANSITION_NOT_ALLOWED', state: 'dropped', reason }],
    });
  });

  test('works once, and not if the app asked for the drop', async () => {
    const stand = await started();
    const { deliveryId } = await stand.delivery(await inState(stand, 'dropped'));
    const taking = stand.runtime.deliveryActions.undoDrop({ deliveryId });
    await expect(taking).rejects.toMatchObject({ code: 'TRANSITION_NOT_ALLOWED' });
    const parked = await stand.delivery(await inState(stand, 'parked'));
    await stand.runtime.deliveryActions.drop({ deliveryId: parked.deliveryId });
    await stand.runtime.deliveryActions.undoDrop({ deliveryId: parked.deliveryId });
    await expect(
      stand.runtime.deliveryActions.undoDrop({ deliveryId: parked.deliveryId }),
    ).rejects.toMatchObject({
      code: 'TRANSITION_NOT_ALLOWED',
    });
  });
});
