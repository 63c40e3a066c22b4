// Compiled patterns of match rules: kept for the next event, but never more of them than take little memory.
import { expect, test } from 'vitest';
import { MatchPatterns } from '../../core/domain/match-patterns.ts';
import { compileMatch, MATCH_STEPS } from '../../core/domain/match.ts';
import { OutOfSteps, Steps } from '../../core/domain/steps.ts';

const fresh = (): Steps => new Steps(MATCH_STEPS);

test('a pattern is compiled once', () => {
  const patterns = new MatchPatterns();
  const [first, second] = [fresh(), fresh()];
  expect(patterns.test('order', '^o', first)).toBe(true);
  expect(patterns.test('other', '^o', second)).toBe(true);
  expect(second.used).toBeLessThan(first.used);
  expect(patterns.size).toBe(1);
});

test('of small patterns 256 are kept', () => {
  const patterns = new MatchPatterns();
  for (let each = 0; each < 256; each += 1) patterns.test('x', `a${each}`, fresh());
  expect(patterns.size).toBe(256);
  patterns.test('x', 'one more', fresh());
  expect(patterns.size).toBe(1);
});

test('of patterns with thousands of instructions few are kept', () => {
  const patterns = new MatchPatterns();
  let most = 0;
  for (let each = 0; each < 256; each += 1) {
    patterns.test('x', `a{1000}b{100}${each}`, fresh());
    most = Math.max(most, patterns.size);
  }
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(60);
});

test('a pattern is forgotten with what it has kept of long texts', () => {
  const patterns = new MatchPatterns();
  const used = Array.from({ length: 100 }, () => {
    const steps = fresh();
    patterns.test('é'.repeat(20_000), 'foo', steps);
    return steps.used;
  });
  const least = Math.min(...used);
  const compiled = used.filter((each) => each > least);
  expect(compiled.length).toBeGreaterThan(5);
  expect(compiled.length).toBeLessThan(50);
});

test('a pattern that was compiled and has no steps left to run counts all the same', () => {
  const patterns = new MatchPatterns();
  for (let each = 0; each < 100; each += 1) {
    const pattern = `${'a'.repeat(2000)}${each}`;
    expect(() => patterns.test('x'.repeat(1000), pattern, fresh())).toThrow(OutOfSteps);
    expect(patterns.size).toBeLessThan(6);
  }
});

test('the length of the patterns that a rule writes never makes it an error for some events alone', () => {
  const pattern = (letter: string): string => `^(${Array(600).fill(`${letter}b`).join('|')})c$`;
  const one = (letter: string): string => `event.data.matches("${pattern(letter)}")`;
  const rule = compileMatch(`${one('x')} || ${one('y')}`);
  if (!rule.ok) throw new Error(rule.complaint.message);
  const results = new Set<string>();
  for (let each = 0; each < 300; each += 1)
    results.add(JSON.stringify(rule.value.evaluate({ data: each % 2 === 0 ? 'zbc' : 'ybc' })));
  expect([...results].toSorted()).toEqual(['{"value":false}', '{"value":true}']);
});

test('of long patterns that rules write few are kept too', () => {
  const patterns = new MatchPatterns();
  let most = 0;
  for (let each = 0; each < 20; each += 1) {
    const pattern = `${'a'.repeat(2000)}${each}`;
    patterns.within(new Set([pattern]), () => patterns.test('', pattern, fresh()));
    most = Math.max(most, patterns.size);
  }
  expect(most).toBeLessThan(6);
});

test('one event does not pay for compiling a hundred long patterns that rules write', () => {
  const patterns = new MatchPatterns();
  const event = fresh();
  const written = Array.from({ length: 100 }, (_, each) => `${'a'.repeat(2000)}${each}`);
  let compiled = 0;
  const all = (): void => {
    for (const pattern of written) {
      patterns.within(new Set(written), () => patterns.test('', pattern, event));
      compiled += 1;
    }
  };
  expect(all).toThrow(OutOfSteps);
  expect(compiled).toBeGreaterThan(4);
  expect(compiled).toBeLessThan(12);
});
