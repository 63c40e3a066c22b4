/** Addresses of apps as a person types them. */
import { expect, test } from 'vitest';
import { wholeAddress } from '../../renderer/format/addresses.ts';

test.each([
  ['localhost:8080', 'http://localhost:8080'],
  [' 127.0.0.1:8080 ', 'http://127.0.0.1:8080'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['8080', 'http://127.0.0.1:8080'],
  ['grpc://localhost:50051', 'grpc://localhost:50051'],
  ['https://shop.test/base', 'https://shop.test/base'],
  ['http:/127.0.0.1:28080', 'http://127.0.0.1:28080'],
  ['nonsense', 'nonsense'],
])('the address %s is completed to %s', (typed, whole) => {
  expect(wholeAddress(typed)).toBe(whole);
});
