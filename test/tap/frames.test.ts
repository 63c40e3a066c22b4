// Length-prefixed gRPC messages are cut out of the bytes of a stream.
import { expect, test } from 'vitest';
import { Cutter, framed } from '../../core/tap/grpc/frames.ts';

test('messages of one chunk are views of it, not copies', () => {
  const all = Buffer.concat(['one', '', 'three'].map((text) => framed(Buffer.from(text))));
  const pieces = new Cutter().push(all);
  expect(pieces.map(({ message }) => message?.bytes.toString())).toEqual(['one', '', 'three']);
  expect(pieces.map(({ raw }) => raw.buffer === all.buffer)).toEqual([true, true, true]);
  expect(pieces.map(({ raw }) => raw.byteOffset - all.byteOffset)).toEqual([0, 8, 13]);
});

test.each([1, 4, 7])('messages that come in pieces of %i bytes are whole', (size) => {
  const all = Buffer.concat(['one', '', 'three'].map((text) => framed(Buffer.from(text))));
  const cutter = new Cutter();
  const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    cutter.push(all.subarray(at * size, (at + 1) * size)),
  ).flat();
  expect(pieces.map(({ message }) => message?.bytes.toString())).toEqual(['one', '', 'three']);
  expect(cutter.rest()).toHaveLength(0);
});
