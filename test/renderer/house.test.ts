/** Rules of the renderer's own house: texts, styles, carriers, commands. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SCREENS } from '../../renderer/copy/names.ts';
import { CHIP_MEANINGS, CHIP_WORDS } from '../../renderer/copy/states.ts';
import { COMMANDS } from '../../renderer/keys/commands.ts';

const ROOT = fileURLToPath(new URL('../../renderer/', import.meta.url));

const FILES = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return { path, name: relative(ROOT, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') };
  });
const SOURCES = FILES.filter(({ name }) => /\.tsx?$/.test(name));
const VIEWS = SOURCES.filter(({ name }) => name.endsWith('.tsx'));
const STYLES = FILES.filter(({ name }) => name.endsWith('.css'));

describe('texts of screens', () => {
  /** Words between tags, and values of attributes that people read or hear. */
  const LITERAL =
    />\s*[A-Za-z][a-z]+[^<>{}=;]*<\/|(?:aria-label|title|placeholder|label|hint|alt|text)="[^"]*[A-Za-z]{2}/;

  test('canary: the pattern finds what it should', () => {
    expect(LITERAL.test('<p>Nothing here</p>')).toBe(true);
    expect(LITERAL.test('<Button aria-label="Close it" />')).toBe(true);
    expect(LITERAL.test('<p>{COPY.text}</p>')).toBe(false);
  });

  test.each(VIEWS.map(({ name, text }) => [name, text] as const))(
    '%s has no text outside the copy files',
    (_name, text) => {
      const found = text.split('\n').filter((line) => LITERAL.test(line));
      expect(found).toEqual([]);
    },
  );

  test('every chip has a word and a meaning', () => {
    expect(Object.keys(CHIP_MEANINGS)).toEqual(Object.keys(CHIP_WORDS));
  });

  test('no text blames or shouts', () => {
    const copy = SOURCES.filter(({ name }) => /(^|\/)copy\//.test(name));
    const bad = copy.flatMap(({ name, text }) =>
      [...text.matchAll(/'((?:[^'\\]|\\.)*)'|"([^"]*)"/g)]
        .map(([, a, b]) => a ?? b ?? '')
        .filter((said) => said.includes('!') || /\b(consumer group|failed to|oops|sorry)\b/i.test(said))
        .map((said) => `${name}: ${said}`),
    );
    expect(bad).toEqual([]);
  });
});

test('texts in addresses go through addressPart, which no name makes throw', () => {
  const own = SOURCES.filter(({ text }) => text.includes('encodeURIComponent')).map(({ name }) => name);
  expect(own).toEqual([]);
});

describe('grids', () => {
  /** The roles of a grid and its rows as they are given, not looked for, and the library that measures rows. */
  const OWN_GRID = /(?<!\[)role[=:] ?["'](?:grid|treegrid|row|rowgroup)["']|@tanstack\/react-virtual/;

  test('canary: the pattern finds what it should', () => {
    expect(OWN_GRID.test('<div role="treegrid" tabIndex={0}>')).toBe(true);
    expect(OWN_GRID.test("role: 'row',")).toBe(true);
    expect(OWN_GRID.test('<span role="gridcell">')).toBe(false);
    expect(OWN_GRID.test('closest(\'[role="grid"]\')')).toBe(false);
  });

  test('every screen uses the one grid', () => {
    const own = SOURCES.filter(({ text }) => OWN_GRID.test(text)).map(({ name }) => name);
    expect(own.filter((name) => !name.startsWith('components/grid/'))).toEqual([]);
    expect(own).toContain('components/grid/Grid.tsx');
  });
});

describe('styles', () => {
  const ORDER = '@layer reset, tokens, base, parts, screens;';

  test.each(STYLES.map(({ name, text }) => [name, text] as const))(
    '%s states the order of layers',
    (_name, text) => {
      expect(text).toContain(ORDER);
    },
  );

  const modules = VIEWS.flatMap(({ name, path, text }) =>
    [...text.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)].map(([, local, from]) => ({
      name,
      local: local ?? '',
      file: join(dirname(path), from ?? ''),
      text,
    })),
  );

  test('some views use modules', () => expect(modules.length).toBeGreaterThan(30));

  test.each(modules.map((each) => [`${each.name} as ${each.local}`, each] as const))(
    '%s uses only existing classes',
    (_title, { file, local, text }) => {
      const css = readFileSync(file, 'utf8');
      const used = new Set(
        [...text.matchAll(new RegExp(`(?<![./\\w-])${local}\\.([a-zA-Z]\\w*)`, 'g'))].map(
          ([, name]) => name ?? '',
        ),
      );
      const missing = [...used].filter((name) => !new RegExp(`\\.${name}\\b`).test(css));
      expect(missing).toEqual([]);
    },
  );

  test('colours come from tokens', () => {
    const own = STYLES.filter(({ name }) => name.endsWith('.module.css')).filter(({ text }) =>
      /#[0-9a-f]{3,8}\b|rgb\(|hsl\(/i.test(text),
    );
    expect(own.map(({ name }) => name)).toEqual([]);
  });

  test('only logical properties are used, so that the layout can be mirrored', () => {
    const physical =
      /^\s*(margin|padding|border)-(left|right|top|bottom)|^\s*(left|right|top|bottom|width|height):/m;
    expect(STYLES.filter(({ text }) => physical.test(text)).map(({ name }) => name)).toEqual([]);
  });
});

/** A type that says nothing; `unknown` must be looked at before use. */
const ANY = /[:<,|&(]\s*any\b(?!\s*:)|\bas any\b|\bany\[\]/;
/** Names of what carries text between page and host. */
const CARRIER = /WebSocket|window\.sidelight|pipes\//;
/** Ways to make markup or code out of text. */
const MARKUP = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|new Function|\beval\(/;
describe('walls', () => {
  test.each([
    [ANY, 'const a: any = 1;', 'const a: unknown = 1;'],
    [ANY, 'f(x as any)', "/** Takes any of them. */ const many = 'any: of these';"],
    [ANY, 'const list: Map<string, any>', 'const company: string'],
    [CARRIER, "new WebSocket('ws://x')", 'const link = createLink(ports);'],
    [CARRIER, 'window.sidelight.send(text)', "const name = 'sidelight';"],
    [MARKUP, '<p dangerouslySetInnerHTML={{ __html: data }} />', '<p>{data}</p>'],
    [MARKUP, 'element.insertAdjacentHTML("beforeend", data)', 'element.append(data)'],
  ])('canary: %s finds what it should and nothing else', (pattern, bad, good) => {
    expect(pattern.test(bad)).toBe(true);
    expect(pattern.test(good)).toBe(false);
  });

  test('there is no any', () => {
    const code = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'[^'\n]*'/g, '');
    expect(SOURCES.filter(({ text }) => ANY.test(code(text))).map(({ name }) => name)).toEqual([]);
  });

  test('only client/ and the entry know a carrier', () => {
    const knowing = SOURCES.filter(({ text }) => CARRIER.test(text))
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('client/'));
    expect(knowing).toEqual(['main.tsx']);
  });

  test('payloads never become markup, and nothing is built from text', () => {
    const risky = SOURCES.filter(({ text }) => MARKUP.test(text));
    expect(risky.map(({ name }) => name)).toEqual([]);
  });

  test('the nonce of the page has its place', () => {
    const page = FILES.find(({ name }) => name === 'index.html')?.text ?? '';
    expect(page).toContain('<meta name="csp-nonce" content="__NONCE__" />');
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(page).not.toContain('<style');
  });
});

describe('commands', () => {
  const keys = COMMANDS.flatMap((command) => (command.keys ?? []).map((key) => [key, command.id] as const));

  test('ids and keys are given once', () => {
    expect(new Set(COMMANDS.map(({ id }) => id)).size).toBe(COMMANDS.length);
    expect(new Set(keys.map(([key]) => key)).size).toBe(keys.length);
  });

  test('no command has a key that a browser or desktop owns', () => {
    const owned = /^Mod\+[NTWRL]$|^Mod\+Shift\+[PNT]$|^Alt\+\d$|^F(5|11)$/;
    expect(keys.filter(([key]) => owned.test(key))).toEqual([]);
  });

  test('no single key is the first step of a chord', () => {
    const starts = new Set(keys.filter(([key]) => key.includes(' ')).map(([key]) => key.split(' ')[0]));
    expect(keys.filter(([key]) => starts.has(key))).toEqual([]);
  });

  test('every screen has its chord', () => {
    expect(SCREENS.map((screen) => keys.some(([key]) => key === screen.keys))).toEqual(
      SCREENS.map(() => true),
    );
  });
});
