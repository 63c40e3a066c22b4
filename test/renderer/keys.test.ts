/** Key bindings: how presses are read and caps are drawn. */
import { describe, expect, test } from 'vitest';
import { createChordReader, isSingleKey, keyCaps, stepOf, type KeyPress } from '../../renderer/keys/chord.ts';

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  return { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held };
}

describe('steps', () => {
  test.each([
    [press('r'), 'r'],
    [press('K', { ctrlKey: true, shiftKey: false }), 'Mod+K'],
    [press('k', { ctrlKey: true }), 'Mod+K'],
    [press('U', { shiftKey: true }), 'Shift+U'],
    [press('?', { shiftKey: true }), '?'],
    [press('/'), '/'],
    [press('\\', { ctrlKey: true }), 'Mod+\\'],
    [press('F6', { shiftKey: true }), 'Shift+F6'],
    [press('ArrowUp', { altKey: true }), 'Alt+ArrowUp'],
    [press(' '), 'Space'],
  ])('%o is the step %s', (event, step) => expect(stepOf(event)).toBe(step));

  test.each([
    ['r', true],
    ['g m', true],
    ['?', true],
    ['Shift+U', true],
    ['Mod+K', false],
    ['Alt+ArrowUp', false],
    ['F1', false],
  ])('%s works without a modifier: %s', (binding, single) => expect(isSingleKey(binding)).toBe(single));

  test('keys are shown as caps', () => {
    expect(keyCaps('g m')).toEqual(['g', 'm']);
    expect(keyCaps('Escape')).toEqual(['Esc']);
    expect(keyCaps('Shift+ArrowUp')).toEqual(['Shift ↑']);
  });
});

describe('chords', () => {
  const bindings = new Set(['g m', 'g ,', 'm', 'r']);

  test('two steps within a second are one binding', () => {
    let now = 0;
    const reader = createChordReader(() => now);
    expect(reader.read(press('g'), bindings)).toBeUndefined();
    now = 900;
    expect(reader.read(press('m'), bindings)).toBe('g m');
    expect(reader.read(press('m'), bindings)).toBe('m');
  });

  test('later, the second step stands alone', () => {
    let now = 0;
    const reader = createChordReader(() => now);
    reader.read(press('g'), bindings);
    now = 1000;
    expect(reader.read(press('m'), bindings)).toBe('m');
  });

  test('another key in between ends the chord', () => {
    const reader = createChordReader(() => 0);
    reader.read(press('g'), bindings);
    expect(reader.read(press('r'), bindings)).toBe('r');
    expect(reader.read(press(','), bindings)).toBeUndefined();
  });
});
