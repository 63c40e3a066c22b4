/** Texts that must not be readable: tokens and secrets inside texts, users and passwords inside addresses. */
import { expect, test } from 'vitest';
import { maskAddress, SecretValues, secretsInAddress } from '../../core/domain/secret-values.ts';

test('given ones are masked however short, later ones from six characters; the longest goes as a whole', () => {
  const secrets = new SecretValues(['abc', '', 'token-1']);
  secrets.add(['12345', 'abcdef', 'abcdefghi']);
  expect(secrets.mask('abc abcdef abcdefghi 12345 token-1')).toBe('abc *** *** 12345 ***');
  expect(secrets.all).toEqual(['abcdefghi', 'token-1', 'abcdef']);
});

test.each([
  ['nats://me:p%40ssword@a:1, nats://t0ken-long@b', 'nats://***@a:1, nats://***@b'],
  ['http://a/b?c@d', 'http://a/b?c@d'],
  ['me@example.org', 'me@example.org'],
  ['redis://:secret@a', 'redis://***@a'],
])('address %s', (text, expected) => {
  expect(maskAddress(text)).toBe(expected);
});

test('the parts of an address that are secrets, as written and as meant', () => {
  expect(secretsInAddress('nats://me:p%40ssword@a, nats://100%@b')).toEqual([
    'p%40ssword',
    'p@ssword',
    '100%',
    '100%',
  ]);
  expect(secretsInAddress('127.0.0.1:6379')).toEqual([]);
});
