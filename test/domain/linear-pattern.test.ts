// Patterns of payload schemas: the same answers as the language's own, in linear time, and precise refusals.
import { describe, expect, test } from 'vitest';
import { createSchemaRules } from '../../core/adapters/json-schema/rules.ts';
import { linearPattern } from '../../core/domain/linear-pattern.ts';

describe('patterns', () => {
  test('a pattern that backtracks without end answers at once', () => {
    const { check, problemOf } = createSchemaRules();
    const schema = { type: 'string', pattern: '^(a+)+$' };
    expect(problemOf(schema)).toBeUndefined();
    expect(check(schema, `${'a'.repeat(50_000)}!`)).toHaveLength(1);
    expect(check(schema, 'a'.repeat(50_000))).toEqual([]);
    const byName = { patternProperties: { '^(x+x+)+y$': { type: 'number' } } };
    expect(check(byName, { ['x'.repeat(20_000)]: 'free' })).toEqual([]);
  });

  test.each([
    String.raw`^\d{3}-\w+$`,
    String.raw`\u00e9|\u{1F600}|\uD83D\uDE01`,
    String.raw`^[\s\-.]+$`,
    String.raw`\S+\s\S`,
    '^.$',
    String.raw`^(?<year>\d{4})$`,
    String.raw`^\p{Lu}\p{Script=Greek}*$`,
    String.raw`[[a]`,
    String.raw`^\/a\.b\cJ?$`,
    '^[^a-z]$',
    '(?:ab|cd)+?$',
  ])('%s matches as in JavaScript', (pattern) => {
    const own = new RegExp(pattern, 'u');
    const ours = linearPattern(pattern);
    const texts = [
      '123-ab',
      'é',
      '😀',
      '😁',
      '\u00a0.-',
      'a\u2003b',
      '\u2028',
      '\n',
      'x',
      'X',
      '2026',
      'Ωα',
      'Aα',
    ];
    for (const text of [...texts, '[', 'a', '/a.b', '/a.b\n', 'abcd', '-', '', 'a b']) {
      expect([text, ours.test(text)]).toEqual([text, own.test(text)]);
    }
  });

  test.each([
    ['(?=a)b', '#/properties/a~b/pattern: the pattern "(?=a)b" looks ahead or behind'],
    ['(?<!a)b', 'looks ahead or behind, which cannot be checked in linear time'],
    [String.raw`(a)\1`, 'refers back to a group'],
    ['a{1,2000}', 'cannot be checked in linear time ('],
    ['a(', 'is not a regular expression ('],
  ])('%s is refused with its place and the reason', (pattern, reason) => {
    const { problemOf } = createSchemaRules();
    const problem = problemOf({ properties: { 'a~b': { pattern } } });
    expect(problem).toContain(reason);
    expect(problem).toContain('#/properties/a~b/pattern: ');
  });

  test('a name of patternProperties is reported with its place', () => {
    const { problemOf } = createSchemaRules();
    const schema = { allOf: [{ patternProperties: { '(?=x)': {} } }] };
    expect(problemOf(schema)).toContain('#/allOf/0/patternProperties: ');
  });
});
