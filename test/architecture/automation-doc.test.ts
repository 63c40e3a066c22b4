/** docs/automation.md names every method, flag and setting there is, and no other. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { HELP } from '../../core/host/help.ts';
import { SETTINGS } from '../../core/host/setting-table.ts';

/** Where the rows of the contract's methods stand. */
const METHOD_FILES = [
  'core/contract/console.ts',
  'core/contract/event-router/methods.ts',
  'core/contract/jobs.ts',
  'core/contract/saved.ts',
  'core/contract/recording.ts',
  'core/contract/view.ts',
];
const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const doc = read('docs/automation.md');
const readme = read('README.md');

/** First cells of a table under a heading, without the code marks. */
function firstCells(heading: string): string[] {
  const section = doc.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].flatMap((match) => match[1] ?? []);
}

describe('docs/automation.md', () => {
  test('lists the methods of the contract, in both directions', () => {
    const methods = [
      ...METHOD_FILES.map(read)
        .join('\n')
        .matchAll(/^ {2}'?([a-zA-Z]+\.[a-zA-Z]+|undo)'?: \{/gm),
    ].flatMap((match) => match[1] ?? []);
    const events = new Set(['stream.batch', 'stream.reset', 'view.changed', 'runtime.changed']);
    const wanted = methods.filter((name) => !events.has(name));
    expect(wanted.length).toBeGreaterThan(40);
    expect(firstCells('Methods').toSorted()).toEqual(wanted.toSorted());
  });

  test('lists the settings with their defaults, in both directions', () => {
    expect(firstCells('Settings').toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
    for (const [key, row] of Object.entries(SETTINGS)) {
      expect(doc).toContain(`| \`${key}\` | \`${JSON.stringify(row.default)}\` |`);
    }
  });

  test('the flags of --help stand in the README, and no other', () => {
    const flags = (text: string): string[] => [...new Set(text.match(/--[a-z][a-z-]+/g))].toSorted();
    const table = readme.split('## Flags\n')[1]?.split('\n## ')[0] ?? '';
    expect(flags(table)).toEqual(flags(HELP));
  });
});
