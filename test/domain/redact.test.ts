// Secrets in addresses and headers are masked.
import { expect, test } from 'vitest';
import { redactHeaders, redactUrl } from '../../core/domain/redact.ts';

test.each([
  ['http://h/p?code=a&x=1#f', 'http://h/p?code=***&x=1#f'],
  ['http://h/p?a=1&access_token=b/c;d=e&x=1', 'http://h/p?a=1&access_token=***&x=1'],
  [
    'http://h/p?password=a&api-key=b&sig=c&client_secret=d',
    'http://h/p?password=***&api-key=***&sig=***&client_secret=***',
  ],
  // As a server reads them.
  ['http://h/p?%70assword=a&x=1', 'http://h/p?%70assword=***&x=1'],
  ['http://h/p?%70%61%73%73%77%6F%72%64=a', 'http://h/p?%70%61%73%73%77%6F%72%64=***'],
  ['http://h/p?access%5ftoken=a&c%6Fde=b', 'http://h/p?access%5ftoken=***&c%6Fde=***'],
  ['http://h/p?user[%74oken]=a&user%5Bpwd%5D=b', 'http://h/p?user[%74oken]=***&user%5Bpwd%5D=***'],
  ['http://h/p?pwd=a&db_pwd=b&dbpwd=c&DB-PWD=d', 'http://h/p?pwd=***&db_pwd=***&dbpwd=***&DB-PWD=***'],
  ['http://h/p?a=1;%73ig=b&x=1', 'http://h/p?a=1;%73ig=***&x=1'],
  ['http://h/p?a=%ff&%ff%74oken=b', 'http://h/p?a=%ff&%ff%74oken=***'],
  // No secrets.
  [
    'http://h/p?zip-code=1&%7Acode=2&tokens=3&x=%70assword=4',
    'http://h/p?zip-code=1&%7Acode=2&tokens=3&x=%70assword=4',
  ],
  ['http://h/p?cwd=1&pwds=2&pwd-rules=3', 'http://h/p?cwd=1&pwds=2&pwd-rules=3'],
  ['no address: code=1, key=2', 'no address: code=1, key=2'],
])('%s is shown as %s', (text, shown) => {
  expect(redactUrl(text)).toBe(shown);
});

test('an address in a header is masked too, and a long text costs its length', () => {
  expect(redactHeaders({ referer: 'http://h/?%74oken=a', cookie: 'b' })).toEqual({
    referer: 'http://h/?%74oken=***',
    cookie: '***',
  });
  const long = ';a='.repeat(300_000);
  expect(redactUrl(`?x=1${long}`)).toHaveLength(long.length + 4);
});
