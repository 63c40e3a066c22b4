/** The words of a chip find the messages that have it, however a person writes them into the filter. */
import { expect, test } from 'vitest';
import { meantFilter } from '../../core/domain/filter/meant.ts';
import { printFilter } from '../../core/domain/filter/print.ts';
import { CHIP_WORDS } from '../../renderer/copy/states.ts';
import { filterOf } from '../domain/filter-sample.ts';

const finds = (text: string): string => printFilter(filterOf(meantFilter(text) ?? text));

test.each(Object.entries(CHIP_WORDS))('%s is found by the words of its chip: %s', (kind, words) => {
  // The app has the call that waits for a person.
  const term = `state:${kind === 'asked' ? 'attempting' : kind}`;
  const hyphened = words.replaceAll(' ', '-');
  const written = [
    `state:${hyphened}`,
    `state:${hyphened.toLowerCase()}`,
    `state:"${words}"`,
    `state:${words}`,
    words,
    words.toUpperCase(),
  ];
  for (const text of written) expect([text, finds(text)]).toEqual([text, term]);
});
