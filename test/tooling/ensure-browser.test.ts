// Which browser the journeys get, if several are there.
import { expect, test } from 'vitest';
import { wantsCheaper } from '../../scripts/ensure-browser.ts';

const WHOLE = '/usr/bin/chromium';
const SHELL = '/usr/bin/chromium-headless-shell';

test.each([
  ['a machine of CI with a whole browser', true, [WHOLE], true],
  ['a machine of CI with one without windows', true, [WHOLE, SHELL], false],
  ['a machine of CI without any: that one is looked for elsewhere first', true, [], false],
  ['the machine of a person', false, [WHOLE], false],
])('whether a cheaper browser is installed on %s', (_name, isCi, found, wanted) => {
  expect(wantsCheaper(isCi, found)).toBe(wanted);
});
