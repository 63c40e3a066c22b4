/** A value of a cell as a term of the filter language: the language reads it back as it was. */
import { describe, expect, test } from 'vitest';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import { filterValue } from '../../renderer/format/cell-term.ts';

describe('a value that a click turns into a term is read as it was', () => {
  test.each([
    'orders',
    'a b',
    'a\tb',
    'a\nb',
    'say "hi"',
    String.raw`C:\new`,
    String.raw`\"`,
    '>5',
    'a,b',
    '(x)',
    '𝄞 é',
    '\u0001',
    '-',
  ])('the topic %j becomes a term and is read again', (topic) => {
    const expected = { key: 'topic', op: '=', values: [{ kind: 'string', value: topic }] };
    const parsed = parseFilter(`topic:${filterValue(topic)}`);
    expect(parsed).toMatchObject({ ok: true, filter: { root: expected } });
  });
});
