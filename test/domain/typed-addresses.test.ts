/** Refusals of typed addresses: no password is repeated, in whatever form it was typed, nor taken in with the address. */
import { expect, test } from 'vitest';

import { addressHint, isAppAddress, noAddress, withScheme } from '../../core/domain/names.ts';

const PREFIXES = [
  '',
  'http://',
  'https://',
  'grpc://',
  'h2c://',
  'htp://',
  'http:/',
  'http:',
  'http//',
  'http:///',
  'HTTP://',
  'http:\\\\',
  'ht\ttp://',
  'app=',
  '//',
  'localhost:',
];
const BLANKS = ['', ' ', '\t', '\n', '\u00a0', '\u0001'];
const USERS = [
  'me:S3cr3tpw',
  'S3cr3tpw',
  'me:S3cr3tpw@x',
  'me:a/S3cr3tpw',
  'me:a?S3cr3tpw',
  'me:a#S3cr3tpw',
  'me:a S3cr3tpw',
  'me:S3cr3tpw:1',
  'S3cr3tpw:80',
];
const PLACES = ['localhost:8080', 'localhost', '127.0.0.1:99999', 'host:80/p', 'host:80?q=a@b', '8080', ''];

test('no form of an address with a password is an address, and no refusal repeats the password', () => {
  const wrong: string[] = [];
  for (const blank of BLANKS)
    for (const prefix of PREFIXES)
      for (const user of USERS)
        for (const place of PLACES) {
          const text = `${blank}${prefix}${user}@${place}${blank}`;
          const hint = addressHint(text, 'grpc', ['mock', 'none']);
          if (`${noAddress(text)} ${hint}`.includes('S3cr3tpw') || isAppAddress(withScheme(text, 'http')))
            wrong.push(text);
        }
  expect(wrong).toEqual([]);
});

test.each([
  ['http://localhost/a@b?x', ''],
  ['localhost/a@b', ''],
  ['http://box:80/a@b?x', '; an address has no user name, ? or #: write http://box:80/a@b'],
])('a sign @ in the path of %s makes no other host', (text, hint) => {
  expect(addressHint(text, 'http', [])).toBe(hint);
});

test('blanks around an address are no part of it', () => {
  expect(withScheme(' localhost:8080\n', 'http')).toBe('http://localhost:8080');
  expect(isAppAddress(' http://localhost:80 ')).toBe(true);
});
