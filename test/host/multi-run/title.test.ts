/** The first line of a run of several apps. */
import { expect, test } from 'vitest';
import { titleOf } from '../../../core/host/multi-run/command.ts';

test.each([
  ['', '/shop/dapr.yaml', '/shop/dapr.yaml'],
  ['shop', '/shop/dapr.yaml', 'shop (/shop/dapr.yaml)'],
  ['', '-', 'standard input'],
  ['shop', '-', 'shop (standard input)'],
])('a run named %j of the file %j has the title %j', (name, file, title) => {
  expect(titleOf({ name, file })).toBe(title);
});
