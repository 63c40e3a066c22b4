/** Answers whose members have megabytes: the same text, made in slices between which others run. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { accepted, published } from '../adapters/journal-records.ts';
import { Console } from '../../core/console/console.ts';
import { encodeMembers } from '../../core/console/encode-members.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import { ask } from './recording-calls.ts';

/** Counts the turns that other work has until it is ended. */
function countTurns(): { readonly end: () => number } {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    end: () => {
      isOver = true;
      return turns;
    },
  };
}

test('property: encodeMembers gives the text of JSON.stringify', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.object())),
      async (value) => {
        const twice = { ...value, again: Object.values(value)[0], inner: { value } };
        expect(await encodeMembers(twice)).toBe(JSON.stringify(twice));
      },
    ),
  );
  const long = { list: Array.from({ length: 1001 }, (_, n) => (n % 3 === 0 ? undefined : { n })), none: [] };
  expect(await encodeMembers(long)).toBe(JSON.stringify(long));
  const odd = JSON.parse('{"__proto__":{"__proto__":1},"constructor":"\\ud800","-0":-0}');
  expect(await encodeMembers(odd)).toBe(JSON.stringify(odd));
});

test('others run while tens of thousands of small members are written', async () => {
  const others = countTurns();
  const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`member-${n}`, 1]));
  expect(await encodeMembers({ many })).toBe(JSON.stringify({ many }));
  // The names have eleven times the characters after which others run, the values less than one time.
  expect(others.end()).toBeGreaterThan(8);
});

test('others run while the answer with a large message is made', async () => {
  const bench = makeBench(new ManualClock());
  const data = Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'x'.repeat(20) }));
  await bench.runtime.journal.append([accepted(1), published(1)]);
  const { detail } = bench.runtime.messages;
  vi.spyOn(bench.runtime.messages, 'detail').mockImplementation(async (messageId) => ({
    ...(await detail(messageId)),
    envelope: { id: 'e', data },
    data,
    wire: { body: JSON.stringify(data) },
  }));
  const others = countTurns();
  const { result } = await ask<{ data: unknown }>(new Console(bench.deps), 'messages.get', {
    messageId: 'msg_1',
  });
  expect(result?.data).toEqual(data);
  // Its data alone have more than ten times the characters after which others run.
  expect(others.end()).toBeGreaterThan(10);
});
