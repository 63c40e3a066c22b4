/** Names of machines: one that nobody has is told from one for which nobody could be asked. */
import { expect, test } from 'vitest';
import { systemHostNames } from '../../core/adapters/host-names.ts';

function failing(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(code), { code }));
}

test.each([
  ['ENOTFOUND', 'unknown'],
  ['EAI_AGAIN', 'unanswered'],
  ['EAI_FAIL', undefined],
])('%s means %s', async (code, mistake) => {
  expect(await systemHostNames(failing(code)).mistakeOf('nosuch.invalid')).toBe(mistake);
});

test('an address needs no look, and the name of this machine leads to it', async () => {
  const names = systemHostNames(failing('ENOTFOUND'));
  expect(await names.mistakeOf('127.0.0.1')).toBeUndefined();
  expect(await names.mistakeOf('[::1]')).toBeUndefined();
  expect(await systemHostNames().mistakeOf('localhost')).toBeUndefined();
});
