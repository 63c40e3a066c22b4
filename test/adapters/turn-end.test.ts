/** Work for the end of a turn of the event loop: its order, and that one turn has all of it. */
import { expect, test } from 'vitest';
import { atTurnEnd } from '../../core/adapters/turn-end.ts';

const nextTurn = (): Promise<void> => new Promise((go) => setImmediate(go));

/** Goes on after some promises, as a caller that waits for what was done does. */
async function after(steps: number, go: () => void): Promise<void> {
  for (let step = 0; step < steps; step += 1) await Promise.resolve();
  go();
}

test('work runs once the turn is over, in the order of asking', async () => {
  const seen: string[] = [];
  atTurnEnd(() => seen.push('first'));
  atTurnEnd(() => seen.push('second'));
  await Promise.resolve();
  seen.push('this turn');
  await nextTurn();
  expect(seen).toEqual(['this turn', 'first', 'second']);
});

test('work that other work starts runs in the same turn, after earlier requests', async () => {
  const seen: string[] = [];
  const turns: string[] = [];
  atTurnEnd(() => {
    setImmediate(() => turns.push(...seen));
    void after(10, () => atTurnEnd(() => seen.push('of the first')));
  });
  atTurnEnd(() => seen.push('second'));
  await nextTurn();
  await nextTurn();
  expect(turns).toEqual(['second', 'of the first']);
});

test('work begins after the promises that the work before it resolved', async () => {
  const seen: string[] = [];
  atTurnEnd(() => void after(10, () => seen.push('promises')));
  atTurnEnd(() => seen.push('work'));
  await nextTurn();
  await nextTurn();
  expect(seen).toEqual(['promises', 'work']);
});

test('a later turn has its own end', async () => {
  const seen: string[] = [];
  for (const name of ['one', 'two']) {
    atTurnEnd(() => seen.push(name));
    await nextTurn();
  }
  expect(seen).toEqual(['one', 'two']);
});
