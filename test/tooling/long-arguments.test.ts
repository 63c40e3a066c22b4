// Arguments of npm run test:long: the value of an option is no file.
import { expect, test } from 'vitest';
import { longRunOf } from '../../scripts/long-arguments.ts';

const FILE = 'test/tap/kill.long.test.ts';
const JOURNEY = 'test/e2e/sweep.long.spec.ts';

test('without arguments everything runs', () => {
  expect(longRunOf([])).toEqual({ isAll: true, journeys: [], files: [], vitest: [], playwright: [] });
});

test.each([
  [[FILE, '-t', '1.18.3 with Redis']],
  [['-t', '1.18.3 with Redis', FILE]],
  [[FILE, '--testNamePattern', '1.18.3 with Redis']],
  [[FILE, '--testNamePattern=1.18.3 with Redis']],
])('%j is one file and the name of a test', (given) => {
  expect(longRunOf(given)).toMatchObject({
    isAll: false,
    files: [FILE],
    journeys: [],
    vitest: ['-t', '1.18.3 with Redis'],
  });
});

test('a name without a file is searched in all tests, and each tool gets it by its own option', () => {
  const name = 'test/e2e is no path here';
  for (const option of ['-t', '-g', '--grep'])
    expect(longRunOf([option, name])).toEqual({
      isAll: true,
      journeys: [],
      files: [],
      vitest: ['-t', name],
      playwright: ['-g', name],
    });
});

test('journeys are separated from other files, and options go to both', () => {
  expect(longRunOf([JOURNEY, FILE, '--reporter', 'dot', '--bail=1'])).toMatchObject({
    journeys: [JOURNEY],
    files: [FILE],
    vitest: ['--reporter', 'dot', '--bail=1'],
    playwright: ['--reporter', 'dot', '--bail=1'],
  });
});

test("the values of Playwright's own options are no files", () => {
  expect(longRunOf([JOURNEY, '--retries', '0', '--workers', '1'])).toMatchObject({
    journeys: [JOURNEY],
    files: [],
    playwright: ['--retries', '0', '--workers', '1'],
  });
});

test('an option without its value is refused', () => {
  expect(() => longRunOf([FILE, '-t'])).toThrow('-t needs a value');
});

test('a journey of the desktop runs with Playwright, and a test of it with Vitest', () => {
  const [journey, file] = ['test/electron/bridge.spec.ts', 'test/electron/package.long.test.ts'];
  expect(longRunOf([journey, file])).toMatchObject({ journeys: [journey], files: [file] });
});
