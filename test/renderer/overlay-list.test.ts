/** Every dialog, menu and panel of the console is opened and looked at somewhere: a new one that is not fails here. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ELSEWHERE, OVERLAYS } from '../e2e/overlay-list.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const RENDERER = path.join(ROOT, 'renderer');
/** Components that open over the page. */
const OPENS =
  /<(?:Overlay|Question|ChoiceMenu|PopoverPanel|Dialog\.Root|AlertDialog\.Root|ContextMenu\.Root|Menu\.Root|Popover\.Root)(?=[\s>/])/;
/** The parts themselves: never drawn but by one of the others. */
const PARTS = ['components/Overlay.tsx', 'components/ChoiceMenu.tsx', 'components/PopoverPanel.tsx'];

const openers = readdirSync(RENDERER, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.tsx') && !PARTS.includes(file))
  .filter((file) => OPENS.test(readFileSync(path.join(RENDERER, file), 'utf8')));

test('canary: the search finds the files that open overlays', () => {
  expect(openers).toContain('views/act-dialogs/ReplayMany.tsx');
  expect(openers).toContain('frame/Bell.tsx');
  expect(openers).not.toContain('views/logs/LogLine.tsx');
});

test('the lists have every file that opens an overlay, and no other', () => {
  const listed = [...OVERLAYS.map(({ file }) => file), ...Object.keys(ELSEWHERE)];
  expect([...new Set(listed)].toSorted()).toEqual(openers.toSorted());
});

test.each(Object.entries(ELSEWHERE))('%s is opened and checked by %s', (_file, spec) => {
  const text = readFileSync(path.join(ROOT, 'test', 'e2e', spec), 'utf8');
  expect(text).toContain('await accessible()');
});
