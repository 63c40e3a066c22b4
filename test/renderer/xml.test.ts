/** XML that is well-formed, and where a text stops being so. */
import { describe, expect, test } from 'vitest';
import { readText } from '../../renderer/format/text-facts.ts';
import { xmlMistake } from '../../renderer/format/xml-mistake.ts';

describe('well-formed', () => {
  test.each([
    '<a/>',
    '\uFEFF<a></a>',
    '<?xml version="1.0" encoding="UTF-8"?>\n<!-- first -->\n<a x="1" y=\'2\'>text &amp; &#228; &#xE4;</a>\n<?end here?>',
    '<!DOCTYPE note [<!ENTITY who "<b>">]>\n<note>&who;</note>',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1.dtd"><html/>',
    '<a><![CDATA[<not> & read ]] ]]></a>',
    '<s:Envelope xmlns:s="urn:s"><s:Body s:x="1" xml:lang="en"><order xmlns="urn:o"/></s:Body></s:Envelope>',
    '<größe ä="1"><b><c/></b  ></größe>',
    '<a b="a > b"/>',
  ])('%j is well-formed', (text) => expect(xmlMistake(text)).toBeUndefined());
});

describe('the first mistake', () => {
  test.each([
    ['', 1, 1, 'document must contain a root element'],
    ['hello', 1, 6, 'text data outside of root node'],
    ['{"a":1}', 1, 8, 'text data outside of root node'],
    ['<a>', 1, 4, 'unclosed tag: a'],
    ['<a>\n  <b>\n</a>', 3, 1, 'unexpected close tag'],
    ['<a></a></b>', 1, 8, 'unmatched closing tag: b'],
    ['<a/><b/>', 1, 7, 'documents may contain only one root'],
    ['<a/>x', 1, 6, 'text data outside of root node'],
    ['<a>a & b</a>', 1, 6, '& must be written as &amp;'],
    ['<a>\r\n<b>&amp;</b>\r\n<c x="&y"/></a>', 3, 7, '& must be written as &amp;'],
    ['<a><![CDATA[&]]>&</a>', 1, 17, '& must be written as &amp;'],
    ['<a><!-- & --><b></a>', 1, 17, 'unexpected close tag'],
    ['<a>&nbsp;</a>', 1, 9, 'undefined entity'],
    ['<a>&#0;</a>', 1, 7, 'malformed character entity'],
    ['<a>1 < 2</a>', 1, 7, 'disallowed character in tag name'],
    ['<a x=1/>', 1, 6, 'unquoted attribute value'],
    ['<a x/>', 1, 5, 'disallowed character in attribute name'],
    ['<a x="1" x="2"/>', 1, 1, 'duplicate attribute: x'],
    ['<a x="1"y="2"/>', 1, 9, 'no whitespace between attributes'],
    ['<a x="<"/>', 1, 7, 'disallowed character'],
    ['<a x="1/>', 1, 10, 'unexpected end'],
    ['<a x="1"', 1, 9, 'unexpected end'],
    ['<a><!-- b -- c --></a>', 1, 13, 'malformed comment'],
    ['<a><!-- b </a>', 1, 15, 'unclosed tag: a'],
    ['<a>]]></a>', 1, 6, 'the string "]]>" is disallowed in char data'],
    ['<a><![CDATA[x</a>', 1, 18, 'unclosed tag: a'],
    ['<![CDATA[x]]>', 1, 9, 'text data outside of root node'],
    [' <?xml version="1.0"?><a/>', 1, 7, 'an XML declaration must be at the start of the document'],
    ['<a><?x</a>', 1, 7, 'disallowed character in processing instruction name'],
    ['<a/><!DOCTYPE a>', 1, 13, 'inappropriately located doctype declaration'],
    ['<!DOCTYPE a [<a/>', 1, 18, 'document must contain a root element'],
    ['<p:a/>', 1, 1, 'unbound namespace prefix: "p"'],
    ['<a><b xmlns:p="u"/><c p:x="1"/></a>', 1, 20, 'unbound namespace prefix: "p"'],
    ['<a>\u0001</a>', 1, 4, 'disallowed character'],
    ['<a></a', 1, 7, 'unclosed tag: a'],
  ])('the first mistake of %s is found', (text, line, column, message) =>
    expect(xmlMistake(text)).toEqual({ line, column, message }),
  );
});

test('a mistake far behind the first piece that is read is at its line', () => {
  const line = '<order n="12345678901234567890"/>\n';
  expect(xmlMistake(`<all>\n${line.repeat(5000)}</al>`)).toMatchObject({ line: 5002, column: 1 });
});

describe('facts of a text', () => {
  const json = JSON.stringify(Array.from({ length: 1000 }, (_, n) => ({ n })));
  const xml = `<all>${'<order id="1">text</order>'.repeat(1000)}</all>`;

  test('JSON is laid out only where that is wanted', () => {
    expect(readText({ text: '{"a":1}', kind: 'json' })).toEqual({});
    expect(readText({ text: '{"a":1}', kind: 'json', lays: true })).toEqual({ laidOut: '{\n  "a": 1\n}' });
    expect(readText({ text: '{"a":', kind: 'json', lays: true }).mistake).toMatchObject({ column: 6 });
  });

  test.each([
    ['json', json],
    ['xml', xml],
  ] as const)('%s tells now and then how far it is', (kind, text) => {
    const shares: number[] = [];
    readText({ text, kind, lays: true }, (share) => shares.push(share));
    expect(shares.length).toBeGreaterThan(10);
    expect(shares.length).toBeLessThan(21);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBeLessThanOrEqual(1);
  });
});
