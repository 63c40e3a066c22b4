/** Commands of one turn of the event loop are sent in as few writes as possible. */
import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { TurnWrite } from '../../core/adapters/redis-streams/batched-write.ts';

/** The writes for these commands. */
function writtenOf(commands: readonly (string | Buffer)[]): readonly string[] {
  const stream = new Socket();
  const written: string[] = [];
  vi.spyOn(stream, 'write').mockImplementation((data) => {
    written.push(String(data));
    return true;
  });
  const turn = new TurnWrite({ stream });
  for (const command of commands) turn.write(command);
  turn.go();
  return written;
}

test('texts are one write, and bytes stay between the texts around them', () => {
  expect(writtenOf(['a', 'b'])).toEqual(['ab']);
  expect(writtenOf(['a', 'b', Buffer.from('c'), 'd', 'e'])).toEqual(['ab', 'c', 'de']);
  expect(writtenOf([])).toEqual([]);
});

test('many long texts are not joined to one that is longer than a text may be', () => {
  const long = 'x'.repeat(600 * 1024);
  const written = writtenOf(['a', long, long, 'b', long, 'c']);
  expect(written.join('')).toBe(`a${long}${long}b${long}c`);
  expect(Math.max(...written.map(({ length }) => length))).toBeLessThan(1024 * 1024 + 1);
});

test('commands of a lost connection are not written to the next one', () => {
  const [before, after] = [new Socket(), new Socket()];
  const written: unknown[] = [];
  for (const [name, stream] of Object.entries({ before, after }))
    vi.spyOn(stream, 'write').mockImplementation((data) => {
      written.push([name, data]);
      return true;
    });
  const redis = { stream: before };
  const turn = new TurnWrite(redis);
  turn.write('a');
  redis.stream = after;
  turn.go();
  expect(written).toEqual([['before', 'a']]);
});
