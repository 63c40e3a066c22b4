// Ten thousand random streams through the tap's port for HTTP/2, many at once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GrpcStand, PATHS } from './grpc-pass-through.ts';

const STREAMS = 2_500;
const AT_ONCE = 50;

const stand = new GrpcStand();
beforeAll(() => stand.open());
afterAll(() => stand.close());

test.each(PATHS)('2,500 random streams of %s arrive as they do without the tap', async (path) => {
  for (let from = 1_000; from < 1_000 + STREAMS; from += AT_ONCE) {
    const seeds = Array.from({ length: AT_ONCE }, (_, at) => from + at);
    await Promise.all(
      seeds.map(async (seed) => {
        const { direct, through } = await stand.try(path, seed);
        expect(through, `${path} ${seed}`).toEqual(direct);
      }),
    );
  }
});
