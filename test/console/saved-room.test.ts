/** The room of saved lists: each item is measured once, and a list that is too large is refused. */
import { expect, test } from 'vitest';
import { mustHaveRoom } from '../../core/console/saved/room.ts';
import { Refusal } from '../../core/domain/refusal.ts';

/** An item that counts how often it is written. */
class Counted {
  written = 0;
  readonly #characters: number;

  constructor(characters: number) {
    this.#characters = characters;
  }

  toJSON(): string {
    this.written += 1;
    return 'x'.repeat(this.#characters - 2);
  }
}

const WORDS = { words: 'presets', field: 'rules' };
const MIB = 1024 * 1024;

test('a change of a list measures the item that is new, and no other', () => {
  const kept = [new Counted(10), new Counted(10)];
  mustHaveRoom([], kept, WORDS);
  const added = new Counted(10);
  mustHaveRoom(kept, [...kept, added], WORDS);
  mustHaveRoom([...kept, added], kept, WORDS);
  expect([...kept, added].map(({ written }) => written)).toEqual([1, 1, 1]);
});

test('a list of exactly the limit is kept, one character more is refused, and a smaller one is taken again', () => {
  const most = new Counted(32 * MIB - 2);
  mustHaveRoom([], [most], WORDS);
  const more = [new Counted(16 * MIB), new Counted(16 * MIB)];
  expect(() => mustHaveRoom([most], more, WORDS)).toThrow(Refusal);
  const larger = [...more, new Counted(10)];
  mustHaveRoom(larger, more, WORDS);
});
