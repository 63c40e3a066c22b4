/** When the journal on disk expects that a new message is the only one of its turn of the event loop. */
import { expect, test } from 'vitest';
import { OneByOne } from '../../core/adapters/sqlite-journal/one-by-one.ts';

const nextTurn = (): Promise<void> => new Promise((go) => setImmediate(go));

/** Messages came one to a turn, so often that the next one is expected to come alone. */
async function calm(): Promise<OneByOne> {
  const made = new OneByOne();
  for (let message = 0; message < 10; message += 1) {
    made.came(1);
    await nextTurn();
  }
  expect(made.isLikely).toBe(true);
  return made;
}

test.each<[string, (made: OneByOne) => void]>([
  ['two messages that come together', (made) => made.came(2)],
  [
    'a second message in one turn',
    (made) => {
      made.came(1);
      made.came(1);
    },
  ],
])('%s end the expectation of single messages for a while', async (_, comes) => {
  const made = await calm();
  comes(made);
  await nextTurn();
  made.came(1);
  await nextTurn();
  expect(made.isLikely).toBe(false);
});

test('in the turn of a message or of an answer no other message is expected to come alone', async () => {
  const made = await calm();
  made.came(1);
  expect(made.isLikely).toBe(false);
  await nextTurn();
  expect(made.isLikely).toBe(true);
  made.answered();
  expect(made.isLikely).toBe(false);
  await nextTurn();
  expect(made.isLikely).toBe(true);
});

test('groups without a new message do not change the expectation', async () => {
  const made = await calm();
  made.came(0);
  expect(made.isLikely).toBe(true);
});
