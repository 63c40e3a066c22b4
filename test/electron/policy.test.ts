// Window and browser mode serve the page under one policy; only the socket's address is more in the browser.
import { expect, test } from 'vitest';
import { NONCE_PLACEHOLDER, pagePolicy } from '../../core/console/csp.ts';
import { contentPolicy } from '../../electron/page.ts';

const directives = (policy: string): string[] => policy.split('; ').sort();

test('the window and browser policies have equal directives and sources', () => {
  expect(directives(contentPolicy('abc'))).toEqual(directives(pagePolicy('abc')));
});

test('canary: an additional source is found', () => {
  expect(directives(contentPolicy('abc'))).not.toEqual(directives(pagePolicy('abc', 'ws://127.0.0.1:1')));
});

test('the window and browser pages have the nonce in the same place', () =>
  expect(NONCE_PLACEHOLDER).toBe('__NONCE__'));
