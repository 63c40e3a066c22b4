// Whatever passes a port of the tap for HTTP/2 arrives as it was sent. The long twin has ten thousand streams.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outgoing } from '../../core/tap/grpc/headers.ts';
import { GrpcStand, PATHS } from './grpc-pass-through.ts';

const stand = new GrpcStand();
beforeAll(() => stand.open());
afterAll(() => stand.close());

test('random streams arrive as they do without the tap, whatever it makes of them', async () => {
  const seeds = Array.from({ length: 40 }, (_, at) => at + 1);
  for (const path of PATHS) {
    await Promise.all(
      seeds.map(async (seed) => {
        const { direct, through } = await stand.try(path, seed);
        expect(through, `${path} ${seed}`).toEqual(direct);
      }),
    );
  }
});

test('values of a name that the library sends once are joined, those of others stay apart', () => {
  const list = [':status 200', 'etag a', 'x-one a', 'etag b', 'x-one b', 'from c'].map((line) => {
    const [name = '', value = ''] = line.split(' ');
    return [name, value] as const;
  });
  expect(outgoing(list)).toEqual({ ':status': '200', etag: 'a, b', 'x-one': ['a', 'b'], from: 'c' });
});
