/** Which hosts and addresses are of the loopback interface. */
import { expect, test } from 'vitest';
import { isLoopbackAddress, isLoopbackHost } from '../../core/domain/loopback.ts';

test.each<[string, isAddress: boolean, isHost: boolean]>([
  ['127.0.0.1', true, true],
  ['127.255.0.9', true, true],
  ['::1', true, true],
  ['[::1]', true, true],
  ['localhost', false, true],
  ['router.localhost', false, true],
  ['LOCALHOST', false, true],
  ['.localhost', false, false],
  ['mylocalhost', false, false],
  ['localhost.example.com', false, false],
  ['127.0.0.1.example.com', false, false],
  ['127.example.com', false, false],
  ['0.0.0.0', false, false],
  ['::', false, false],
  ['10.0.0.1', false, false],
])('%s', (host, isAddress, isHost) => {
  expect(isLoopbackAddress(host)).toBe(isAddress);
  expect(isLoopbackHost(host)).toBe(isHost);
});
