/** XML that is well-formed, and where a text stops being so. */
import { describe, expect, test } from 'vitest';
import { readText } from '../../renderer/format/text-facts.ts';
import { xmlMistake } from '../../renderer/format/xml-position.ts';

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
  ])('%s', (text) => expect(xmlMistake(text)).toBeUndefined());
});

describe('the first mistake', () => {
  test.each([
    ['', 1, 1, 'there is no root element'],
    ['hello', 1, 1, 'text outside of the root element'],
    ['{"a":1}', 1, 1, 'text outside of the root element'],
    ['<a>', 1, 4, '</a> is missing'],
    ['<a>\n  <b>\n</a>', 3, 1, 'expected </b>'],
    ['<a></a></b>', 1, 8, '</b> closes nothing'],
    ['<a/><b/>', 1, 5, 'a second root element'],
    ['<a/>x', 1, 5, 'text outside of the root element'],
    ['<a>a & b</a>', 1, 6, '& must be written as &amp;'],
    ['<a>&nbsp;</a>', 1, 4, 'entity nbsp is not known'],
    ['<a>&#0;</a>', 1, 4, 'a reference to a character that XML does not allow'],
    ['<a>1 < 2</a>', 1, 6, '< must be written as &lt;'],
    ['<a x=1/>', 1, 6, 'the value of x must stand in quotes'],
    ['<a x/>', 1, 5, 'expected = after x'],
    ['<a x="1" x="2"/>', 1, 10, 'attribute x is there twice'],
    ['<a x="1"y="2"/>', 1, 9, 'expected a space, > or />'],
    ['<a x="<"/>', 1, 7, '< must be written as &lt;'],
    ['<a x="1/>', 1, 6, 'the value of x is never closed'],
    ['<a x="1"', 1, 1, '<a is never closed'],
    ['<a><!-- b -- c --></a>', 1, 11, '-- cannot stand in a comment'],
    ['<a><!-- b </a>', 1, 4, 'the comment is never closed'],
    ['<a>]]></a>', 1, 4, ']]> must be written as ]]&gt;'],
    ['<a><![CDATA[x</a>', 1, 4, 'the CDATA section is never closed'],
    ['<![CDATA[x]]>', 1, 1, 'text outside of the root element'],
    [' <?xml version="1.0"?><a/>', 1, 2, 'the XML declaration has its place at the very beginning'],
    ['<a><?x</a>', 1, 4, 'the processing instruction is never closed'],
    ['<a/><!DOCTYPE a>', 1, 5, 'a document type has its place before the root element'],
    ['<!DOCTYPE a [<a/>', 1, 1, 'the document type is never closed'],
    ['<p:a/>', 1, 2, 'namespace prefix p is not declared'],
    ['<a><b xmlns:p="u"/><c p:x="1"/></a>', 1, 23, 'namespace prefix p is not declared'],
    ['<a>\u0001</a>', 1, 4, 'a character that XML does not allow'],
    ['<a></a', 1, 7, 'expected >'],
  ])('of %s', (text, line, column, message) => expect(xmlMistake(text)).toEqual({ line, column, message }));
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
