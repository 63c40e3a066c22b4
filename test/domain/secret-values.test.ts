// Texts that must not be readable: tokens and secrets inside texts, users and passwords inside addresses.
import { expect, test } from 'vitest';
import { maskAddress, SecretValues, secretsInAddress } from '../../core/domain/secret-values.ts';

test('given secrets are masked however short, later ones from six characters, and the longest as a whole', () => {
  const secrets = new SecretValues(['abc', '', 'token-1']);
  secrets.add(['12345', 'abcdef', 'abcdefghi']);
  expect(secrets.mask('abc abcdef abcdefghi 12345 token-1')).toBe('abc *** *** 12345 ***');
  expect(secrets.all).toEqual(['abcdefghi', 'token-1', 'abcdef']);
});

test.each([
  ['the path /a/tok…: refused', 'the path /a/tok…: refused'],
  ['the path /a/token-1…: refused', 'the path /a/***…: refused'],
  ['token-12…token-1234 token-12 token-…', '***…*** token-12 ***…'],
  ['token-1x…', 'token-1x…'],
  ['token-token-1…', 'token-***…'],
])('what a cut left of a secret is masked: %s', (text, expected) => {
  expect(new SecretValues(['token-1234']).mask(text)).toBe(expected);
});

test.each([
  ['nats://me:p%40ssword@a:1, nats://t0ken-long@b', 'nats://***@a:1, nats://***@b'],
  ['http://me:p@ssword@a:1, http://b/c', 'http://***@a:1, http://b/c'],
  ['http://a/b?c@d', 'http://a/b?c@d'],
  ['me@example.org', 'me@example.org'],
  ['redis://:secret@a', 'redis://***@a'],
])('the secrets in the address %s are masked', (text, expected) => {
  expect(maskAddress(text)).toBe(expected);
});

test('the secrets in an address are found, encoded and decoded', () => {
  expect(secretsInAddress('nats://me:p%40ssword@a, nats://100%@b')).toEqual([
    'p%40ssword',
    'p@ssword',
    '100%',
    '100%',
  ]);
  expect(secretsInAddress('127.0.0.1:6379')).toEqual([]);
});

test('a long value without an address is searched at once', () => {
  const text = 'a'.repeat(2_000_000);
  expect(maskAddress(`${text} a://b:c@d`)).toBe(`${text} a://***@d`);
  expect(secretsInAddress(`${text}://b:c-long@d`)).toEqual(['c-long', 'c-long']);
});

test('a value is masked as settings read it, without the spaces around it, and as JSON writes it', () => {
  const secrets = new SecretValues();
  secrets.add([' hunter2-"quoted"\\pass\n']);
  expect(secrets.mask('got "hunter2-"quoted"\\pass"')).toBe('got "***"');
  expect(secrets.mask(`found ${JSON.stringify('hunter2-"quoted"\\pass')}`)).toBe('found "***"');
  expect(secrets.mask(JSON.stringify({ a: ' hunter2-"quoted"\\pass\n' }))).toBe('{"a":"***"}');
});
