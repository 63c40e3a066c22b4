// The tap's port for HTTP/1 changes nothing that passes. The long twin has ten thousand conversations.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stand } from './pass-through.ts';

const stand = new Stand();
beforeAll(() => stand.open());
afterAll(() => stand.close());

test('random requests and answers arrive byte for byte, whether the tap passes, reads or holds them', async () => {
  for (let seed = 1; seed <= 80; seed += 1) {
    expect(await stand.try(seed), `seed ${seed}`).toBeUndefined();
  }
});
