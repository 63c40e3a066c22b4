// Ten thousand random conversations through the tap: binary, chunked, with trailers, large, half-closed, with expect-continue, pipelined.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stand } from './pass-through.ts';

const stand = new Stand();
beforeAll(() => stand.open());
afterAll(() => stand.close());

test('ten thousand random conversations arrive byte by byte', async () => {
  for (let seed = 1_000; seed < 11_000; seed += 1) {
    expect(await stand.try(seed), `seed ${seed}`).toBeUndefined();
  }
});
