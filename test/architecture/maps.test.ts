/** The maps in docs/maps, and docs/life-of-a-message.md, name files and folders that exist. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SCREENS } from '../../renderer/copy/names.ts';
import { ROOT, filesOf, sourceFiles } from './graph.ts';

const MAPS = /^docs\/(?:maps\/[\w-]+|life-of-a-message)\.md$/;
const SOURCES = [...sourceFiles(), ...filesOf(ROOT, (file) => file.endsWith('.css'))];
const FILE = /\.(?:tsx?|mjs|css)$/;

/** Paths in code marks: files by their ending, folders by a slash. Each is the end of a path of the tree, or a part of it. */
function missingIn(text: string, sources: readonly string[] = SOURCES): string[] {
  const named = [...text.matchAll(/`([a-z][\w.-]*(?:\/[\w.-]+)*)`/g)].flatMap((match) => match[1] ?? []);
  const paths = named.filter((name) => FILE.test(name) || name.includes('/'));
  return paths.filter((name) =>
    FILE.test(name)
      ? !sources.some((file) => file === name || file.endsWith(`/${name}`))
      : !sources.some((file) => `/${file}`.includes(`/${name}/`)),
  );
}

test('every file and folder that a map names exists', () => {
  const maps = filesOf(ROOT, (file) => MAPS.test(file));
  expect(maps.length).toBeGreaterThan(4);
  const missing = maps.flatMap((map) =>
    missingIn(readFileSync(path.join(ROOT, map), 'utf8')).map((name) => `${map} names ${name}`),
  );
  expect(missing).toEqual([]);
});

/** Screens without a row in the table of screens. */
function screensWithoutRow(map: string, titles: readonly string[]): readonly string[] {
  return titles.filter((title) => !new RegExp(`^\\| ${title}(?: \\(|,| \\|)`, 'm').test(map));
}

test('the map of the renderer has a row for each screen', () => {
  const map = readFileSync(path.join(ROOT, 'docs/maps/renderer.md'), 'utf8');
  const titles = SCREENS.map(({ title }) => title);
  expect(titles.length).toBeGreaterThan(10);
  expect(screensWithoutRow(map, titles)).toEqual([]);
});

test('canary: a screen without a row is found', () => {
  const map = '| Topics (Graph) | `a.ts` |\n| Publish | `b.ts` |\n| Applications | `c.ts` |\n';
  expect(screensWithoutRow(map, ['Topics', 'Publish', 'App'])).toEqual(['App']);
});

test('where-to-look.md names whole paths', () => {
  const text = readFileSync(path.join(ROOT, 'docs/maps/where-to-look.md'), 'utf8');
  const named = [...text.matchAll(/`([a-z][\w.-]*\/[\w./-]+|[\w-]+\.tsx?)`/g)].flatMap(
    (match) => match[1] ?? [],
  );
  expect(named.length).toBeGreaterThan(200);
  expect(
    named.filter((name) => !SOURCES.some((file) => file === name || file.startsWith(`${name}/`))),
  ).toEqual([]);
});

test('canary: a missing name is found, and an existing one is not', () => {
  const sources = ['core/local-router/engine/engine.ts'];
  const text = '`engine/engine.ts` `engine.ts` `local-router/engine` `engine/gone.ts` `gone/engine` `word`';
  expect(missingIn(text, sources)).toEqual(['engine/gone.ts', 'gone/engine']);
});
