import { expect, test } from 'vitest';
import { startedAs } from '../../core/host/started-as.ts';

const CLONE = { npm_package_name: 'sidelight', npm_lifecycle_event: 'start' };

test.each([
  ['the installed command', '/usr/bin/sidelight', {}, 'sidelight'],
  ['npm start in a clone', '/clone/dist/program/host/cli.js', CLONE, 'npm start --'],
  [
    'the script of another package',
    '/other/node_modules/.bin/sidelight',
    { ...CLONE, npm_package_name: 'shop' },
    'sidelight',
  ],
  ['the program of a clone', '/clone/bin/sidelight.mjs', {}, 'node bin/sidelight.mjs'],
  ['the program of a clone elsewhere', '/a b/bin/sidelight.mjs', {}, "node '/a b/bin/sidelight.mjs'"],
  ['no program', undefined, {}, 'sidelight'],
])('%s is named as it was started', (_what, program, env, expected) => {
  expect(startedAs({ program, cwd: '/clone', env })).toBe(expected);
});
