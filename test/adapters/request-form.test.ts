/** The head of a call to the app. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headOf } from '../../core/adapters/http-app-channel/request-form.ts';

const FACTS = { method: 'POST', host: 'app.test:6001', target: '/orders', bodyBytes: 3 };
const DEFAULTS = { 'user-agent': 'sidelight', 'accept-encoding': 'gzip' };

test('the head of a request has the request line, the given headers, the defaults and the length', () => {
  expect(headOf(FACTS, { 'Content-Type': 'text/plain', 'user-agent': 'mine', host: 'other' }, DEFAULTS)).toBe(
    'POST /orders HTTP/1.1\r\nhost: app.test:6001\r\nconnection: keep-alive\r\nContent-Type: text/plain\r\n' +
      'user-agent: mine\r\naccept-encoding: gzip\r\ncontent-length: 3\r\n\r\n',
  );
});

test('property: a head is the same whichever headers the call before had', () => {
  const name = fc.constantFrom('a', 'A', 'b', 'host', 'Expect', 'user-agent', 'User-Agent', 'not a name', '');
  const text = fc.constantFrom('', 'x', 'tab\t', 'line\r\nend', '\u00fc', '\u20ac');
  const headers = fc.array(fc.tuple(name, text), { maxLength: 5 }).map((all) => Object.fromEntries(all));
  // A value that is not plain in front of the others leads past the form that is kept.
  const odd = 'x-odd: \u00c3\u00bc\r\n';
  fc.assert(
    fc.property(fc.array(headers, { maxLength: 6 }), (calls) => {
      for (const given of calls) {
        const wanted = headOf(FACTS, { 'x-odd': '\u00fc', ...given }, DEFAULTS);
        expect(wanted).toContain(odd);
        expect(headOf(FACTS, given, DEFAULTS)).toBe(wanted.replace(odd, ''));
        expect(headOf(FACTS, given, DEFAULTS)).toBe(wanted.replace(odd, ''));
      }
    }),
  );
});
