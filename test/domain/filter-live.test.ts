// The work of the filters of holds and mock rules for one message is limited, and ends with an error.
import { expect, test } from 'vitest';
import { compileFilter } from '../../core/domain/filter/evaluate.ts';
import { LIVE_STEPS } from '../../core/domain/filter/live-bounds.ts';
import { OutOfSteps, Steps } from '../../core/domain/steps.ts';
import { filterOf, NOW_MS, sampleSubject } from './filter-sample.ts';

/** As long as a message may be. */
const LARGE = 3_900_000;
/** A test at a tenth of the size proves the same and takes a tenth of the time. */
const TENTH = LARGE / 10;
/** Each nearly fits at every place of a text of "a". */
const HOSTILE = Array.from({ length: 10 }, (_, nth) => `${'a'.repeat(300 + nth)}b`);

function passes(filter: string, data: unknown, steps?: Steps): boolean {
  return compileFilter(filterOf(filter))(sampleSubject({ data, steps }), NOW_MS);
}

test.each([
  ['words', HOSTILE.join(' OR ')],
  ['values with *', `data.text:${HOSTILE.map((word) => `*${word}*`).join(',')}`],
  ['values of other texts', `source:${HOSTILE.map((word) => `*${word}*`).join(',')}`],
  ['words that are ruled out', HOSTILE.map((word) => `NOT ${word}`).join(' ')],
])('ten hostile %s against a large message need too many steps', (_, filter) => {
  const text = 'a'.repeat(TENTH);
  const steps = new Steps(LIVE_STEPS / 10);
  const ask = (): boolean =>
    compileFilter(filterOf(filter))(sampleSubject({ data: { text }, source: text, steps }), NOW_MS);
  expect(ask).toThrow(OutOfSteps);
  expect(ask).toThrow('more than 300,000 steps');
});

test('ten ordinary words against a large message are answered', () => {
  const text = 'lorem ipsum '.repeat(LARGE / 12);
  const words = 'error failed urgent refund cancel return broken missing wrong shipped';
  const steps = new Steps(LIVE_STEPS);
  expect(passes(words.replaceAll(' ', ' OR '), { text }, steps)).toBe(false);
  expect(passes('ipsum', { text }, new Steps(LIVE_STEPS))).toBe(true);
});

test('equal messages take equal steps, and a search over the history is not counted', () => {
  const counts = [1, 2].map(() => {
    const steps = new Steps(LIVE_STEPS);
    passes('data.a:1 word OR data.text:x*', { text: 'a'.repeat(10_000) }, steps);
    return steps.used;
  });
  expect(counts[0]).toBeGreaterThan(500);
  expect(counts[1]).toBe(counts[0]);
  expect(passes(HOSTILE.join(' OR '), { text: 'a'.repeat(TENTH) })).toBe(false);
});

// With lists that were joined at every level this took longer than a test may.
test('a payload of many texts below many levels is made searchable', () => {
  const wire = `{"data":${'['.repeat(900)}"\\"here",${'"",'.repeat(800_000)}1${']'.repeat(900)}}`;
  expect(compileFilter(filterOf(String.raw`"\"here"`))(sampleSubject({ wire }), NOW_MS)).toBe(true);
});
