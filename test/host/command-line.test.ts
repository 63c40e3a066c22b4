/** Command lines of one command: what is a flag and what is its value. */
import { expect, test } from 'vitest';
import { commandLine } from '../../core/host/command-flags.ts';

const OPTIONS = {
  token: { type: 'string' },
  json: { type: 'boolean' },
  timeout: { type: 'string' },
  help: { type: 'boolean' },
} as const;
const read = (...argv: readonly string[]) => commandLine('wait', argv, OPTIONS);

test.each([
  [['--token', '-Xy'], { token: '-Xy' }, []],
  [['--token', '--Xy', 'a'], { token: '--Xy' }, ['a']],
  [['--token=-Xy', '--json'], { token: '-Xy', json: true }, []],
  [['--timeout', '-5s', 'topic:x'], { timeout: '-5s' }, ['topic:x']],
  [['--json', '--', '--token', '-Xy'], { json: true }, ['--token', '-Xy']],
  [['-h'], { help: true }, []],
  [['--token', '-h'], { token: '-h' }, []],
  [['--', '-h'], {}, ['-h']],
])('%j is parsed', (argv, values, positionals) => {
  const { values: found, positionals: words } = read(...argv);
  expect([{ ...found }, words]).toEqual([values, positionals]);
});

test.each([
  [['--token', '--json'], '--token needs a value (sidelight wait --help lists the flags)'],
  [['--token', '--'], '--token needs a value (sidelight wait --help lists the flags)'],
  [['--timeout'], '--timeout needs a value (sidelight wait --help lists the flags)'],
  [['--json=1'], '--json takes no value (sidelight wait --help lists the flags)'],
  [
    ['-topic:x'],
    'unknown flag -topic:x: after --, a word that begins with a dash is not a flag (sidelight wait --help lists the flags)',
  ],
  [['--tokn', 'x'], 'unknown flag --tokn, did you mean --token? (sidelight wait --help lists the flags)'],
])('%j is refused', (argv, text) => {
  expect(() => read(...argv)).toThrow(text);
});
