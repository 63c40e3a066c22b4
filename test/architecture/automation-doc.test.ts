/** docs/automation.md names every method, flag and setting there is, and no other. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { METHODS } from '../../core/contract/console.ts';
import { messageRow } from '../../core/contract/message.ts';
import {
  dictionary,
  Integer,
  list,
  members,
  none,
  oneOf,
  Optional,
  orNull,
  Text,
  Unknown,
} from '../../core/contract/schema.ts';
import type { TSchema } from '../../core/contract/schema.ts';
import { FLAGS } from '../../core/host/flags.ts';
import { HELP } from '../../core/host/help.ts';
import { REFERENCE_FLAGS } from '../../core/host/reference-flags.ts';
import { checkSetting, SETTINGS } from '../../core/host/setting-table.ts';
import { methodsTable, typeLines, typeText, withMethods } from './methods-table.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const doc = read('docs/automation.md');
const readme = read('README.md');

const FLAG = /--[a-z][a-z-]+/g;
const flagTable = readme.split('## Flags\n')[1]?.split('\n## ')[0] ?? '';
/** The flag of each row of that table. */
const rowsOfFlags = [...flagTable.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, flag]) => flag ?? '');

/** Different flags of a text. */
function flagsOf(text: string): readonly string[] {
  return [...new Set(text.match(FLAG))];
}

/** First cells of a table under a heading, without the code marks. */
function firstCells(heading: string): string[] {
  const section = doc.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].flatMap((match) => match[1] ?? []);
}

/** Both limits of a number, as its complaint names them, as cells of a table. */
function limitsOf(key: string, wrong: unknown): string {
  const read = checkSetting(key, wrong);
  const expected = read.ok ? '' : read.complaint.expected;
  return / from (\S+ to \S+)$/.exec(expected)?.[1]?.replace(' to ', ' | ') ?? expected;
}

describe('docs/automation.md', () => {
  test('has the table of methods of the declarations', () => {
    expect(withMethods(doc), 'the table is old: npm run methods writes it again').toBe(doc);
    expect(firstCells('Methods')).toEqual(Object.keys(METHODS));
  });

  test('canary: a parameter, a result or a phrase that changed makes the table old', () => {
    const { 'messages.get': get } = METHODS;
    for (const change of [
      { params: none },
      { result: none },
      { does: 'something else' },
      { kind: 'act' as const },
    ]) {
      const table = methodsTable({ ...METHODS, 'messages.get': { ...get, ...change } });
      expect(withMethods(doc, table)).not.toBe(doc);
    }
    expect(() => withMethods('# Automation')).toThrow('lacks');
  });

  test('writes a schema as its type', () => {
    const shape: TSchema = members({
      limit: Optional(Integer({ minimum: 1, maximum: 500 })),
      rows: list(messageRow, { maxItems: 3 }),
      order: oneOf(['newest', 'oldest']),
      note: orNull(Text()),
      marks: dictionary(Unknown()),
    });
    expect(typeText(shape)).toBe(
      "{ limit?: integer 1..500; rows: MessageRow[] (at most 3); order: 'newest' | 'oldest'; note: string | null; marks: Record<string, unknown> }",
    );
  });

  test('keeps the rows of the table short, and puts long types under it', () => {
    const rows = doc.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.filter((row) => row.length > 640)).toEqual([]);
    const shape: TSchema = members({
      words: list(oneOf(['a'.repeat(60), 'b'.repeat(60)])),
      note: Optional(Text()),
    });
    expect(typeLines(shape)).toBe(
      `{\n  words: (\n    | '${'a'.repeat(60)}'\n    | '${'b'.repeat(60)}'\n  )[];\n  note?: string;\n}`,
    );
  });

  test('lists the settings with their defaults, in both directions', () => {
    expect(firstCells('Settings').toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
    for (const [key, row] of Object.entries(SETTINGS)) {
      const text = JSON.stringify(row.default);
      // A value that is too long for a cell is below the table, in lines.
      const below = `\`${key}\` by default:\n\n\`\`\`json\n${JSON.stringify(row.default, null, 2)}\n\`\`\``;
      expect(doc).toContain(text.length <= 200 ? `| \`${key}\` | \`${text}\` |` : below);
    }
  });

  test('lists the limits of each number', () => {
    const rows = Object.entries(SETTINGS).flatMap(([key, { default: value }]): [string, string][] => {
      if (typeof value === 'number') return [[`\`${key}\``, limitsOf(key, -1)]];
      if (typeof value !== 'object' || Array.isArray(value) || key === 'eventRouter') return [];
      const numbers = Object.entries(value).filter(([, one]) => typeof one === 'number');
      return numbers.map(([name]) => [`\`${key}\` \`${name}\``, limitsOf(key, { [name]: -1 })]);
    });
    const section = doc.split('| number | from | to |\n|---|---|---|\n')[1]?.split('\n\n')[0] ?? '';
    expect(section.trim().split('\n')).toEqual(rows.map(([name, limits]) => `| ${name} | ${limits} |`));
  });

  test('the flags of --help stand in the README, and no other, each in its own row and in the same order', () => {
    expect(flagsOf(flagTable).toSorted()).toEqual(flagsOf(HELP).toSorted());
    const listed = [...HELP.matchAll(/^ {2}--.*/gm)].flatMap(
      ([line]) => line.split(/ {2,}/)[1]?.match(FLAG) ?? [],
    );
    // A start without a window is in the second line of the help.
    expect(rowsOfFlags).toEqual(['--headless', ...listed]);
  });

  test('sidelight run --help has the flags of the reference in the order of the README', () => {
    const places = Object.entries(REFERENCE_FLAGS).flatMap(([name, { means }]) => {
      if (means.kind === 'own') return [rowsOfFlags.indexOf(`--${means.flag}`)];
      return name in FLAGS ? [rowsOfFlags.indexOf(`--${name}`)] : [];
    });
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});
