// Whatever passes a port of the tap arrives as it was sent. The long twin has ten thousand conversations.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stand } from './pass-through.ts';

const stand = new Stand();
beforeAll(() => stand.open());
afterAll(() => stand.close());

test('random requests and answers arrive byte by byte, whatever the tap makes of them', async () => {
  for (let seed = 1; seed <= 80; seed += 1) {
    expect(await stand.try(seed), `seed ${seed}`).toBeUndefined();
  }
});
