/** Text from a message as one line of the page shows it. */
import { expect, test } from 'vitest';
import { visible, visibleShort } from '../../renderer/format/visible-text.ts';

test.each([
  ['orders', 'orders'],
  ['o\u202erders', 'o⟨U+202E⟩rders'],
  ['a\u0000b\nc', 'a⟨U+0000⟩b⟨U+000A⟩c'],
  ['zero\u200bwidth\ufeff', 'zero⟨U+200B⟩width⟨U+FEFF⟩'],
  ['<b>ü 漢 👩</b>', '<b>ü 漢 👩</b>'],
  ['👩\u200d👧 👩🏽\u200d💻 🏳️\u200d🌈', '👩\u200d👧 👩🏽\u200d💻 🏳️\u200d🌈'],
  ['a\u200db 👩\u200d \u200d👧', 'a⟨U+200D⟩b 👩⟨U+200D⟩ ⟨U+200D⟩👧'],
])('%j is shown as %s', (text, shown) => expect(visible(text)).toBe(shown));

test('a long text is cut and says how long it is', () => {
  expect(visibleShort('t'.repeat(300))).toBe('t'.repeat(300));
  expect(visibleShort('t'.repeat(10_000))).toBe(`${'t'.repeat(300)}… (10,000)`);
});

test('a long text is cut before a character that the cut would halve', () => {
  expect(visibleShort(`${'t'.repeat(299)}👩${'t'.repeat(99)}`)).toBe(`${'t'.repeat(299)}… (400)`);
  expect(visibleShort(`${'t'.repeat(298)}👩${'t'.repeat(99)}`)).toBe(`${'t'.repeat(298)}👩… (399)`);
});
