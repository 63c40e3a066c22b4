// Every mistake a filter can have: its sentence, and where it stands.
import { describe, expect, test } from 'vitest';
import { checkFilter, mistakeText } from '../../core/domain/filter/meant.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import type { FilterError } from '../../core/domain/filter/ast.ts';

function mistakeIn(text: string): FilterError {
  const parsed = parseFilter(text);
  if (parsed.ok) throw new Error(`no mistake in ${text}`);
  return parsed.error;
}

/** Text, position, length, sentence. */
type Row = [string, number, number, string];

describe('keys', () => {
  test.each<Row>([
    ['topik:x', 1, 5, 'Unknown key "topik" at 1–5. Did you mean "topic"?'],
    ['a Topic:x', 3, 5, 'Unknown key "Topic" at 3–7. Did you mean "topic"?'],
    ['stauts:404', 1, 6, 'Unknown key "stauts" at 1–6. Did you mean "status"?'],
    ['-att:3', 2, 3, 'Unknown key "att" at 2–4. Did you mean "attempts"?'],
    [
      'data:5',
      1,
      4,
      'Unknown key "data" at 1–4. Expected a path like "data.items[0].sku". To search the text, write "5" alone.',
    ],
    ['meta:5', 1, 4, 'Unknown key "meta" at 1–4. Expected a path like "meta.ttlInSeconds".'],
    ['not:parked', 1, 10, 'Unknown key "not" at 1–3. Did you mean "-state:parked"?'],
    ['a since:5m', 3, 8, 'Unknown key "since" at 3–7. Did you mean "age:<5m"?'],
    ['appId:shop', 1, 10, 'Unknown key "appId" at 1–5. Did you mean "app:shop"?'],
    ['eventtype:"a b"', 1, 9, 'Unknown key "eventtype" at 1–9. Did you mean "type"?'],
    ['appId: shop', 1, 5, 'Unknown key "appId" at 1–5. Did you mean "app"?'],
    ['payload.total: 5', 1, 13, 'Unknown key "payload.total" at 1–13. Did you mean "data.total"?'],
    ['not:"a b"', 1, 3, 'Unknown key "not" at 1–3. To search the text, write "not:" in quotes.'],
    ['since: 5m', 1, 5, 'Unknown key "since" at 1–5. To search the text, write "since:" in quotes.'],
    ['dta.x:5', 1, 5, 'Unknown key "dta.x" at 1–5. Did you mean "data.x"?'],
    ['data..x:5', 1, 7, 'Unknown key "data..x" at 1–7. Expected a path like "data.items[0].sku".'],
    ['data.a[x]:5', 1, 9, 'Unknown key "data.a[x]" at 1–9. Expected a path like "data.items[0].sku".'],
    ['meta.:5', 1, 5, 'Unknown key "meta." at 1–5. Expected a path like "meta.ttlInSeconds".'],
    ['http://…', 1, 4, 'Unknown key "http" at 1–4. To search the text, write "http://…" in quotes.'],
    [
      'see http://localhost/a',
      5,
      4,
      'Unknown key "http" at 5–8. To search the text, write "http://…" in quotes.',
    ],
    ['12:30', 1, 2, 'Unknown key "12" at 1–2. To search the text, write "12:30" in quotes.'],
    [
      'orderId:4',
      1,
      7,
      'Unknown key "orderId" at 1–7. For a member of the payload, write "data.orderId". To search the text, write "orderId:4" in quotes.',
    ],
    [
      '-items[0].sku:A1',
      2,
      12,
      'Unknown key "items[0].sku" at 2–13. For a member of the payload, write "data.items[0].sku". To search the text, write "items[0].sku:A1" in quotes.',
    ],
    [
      'it:1',
      1,
      2,
      'Unknown key "it" at 1–2. For a member of the payload, write "data.it". To search the text, write "it:1" in quotes.',
    ],
    [':x', 1, 1, 'Expected a key before ":" at 1. To search the text, write ":x" in quotes.'],
    [
      'level:warn',
      1,
      5,
      'Unknown key "level" at 1–5. For a member of the payload, write "data.level". To search the text, write "level:warn" in quotes.',
    ],
  ])('the mistake in %s has its position and sentence', (text, position, length, message) => {
    expect(mistakeIn(text)).toMatchObject({ position, length, message });
  });

  test('the suggestion stands beside the sentence', () => {
    expect(mistakeIn('topik:x')).toEqual({
      position: 1,
      length: 5,
      found: 'topik',
      expected: 'a known key',
      suggestion: 'topic',
      message: 'Unknown key "topik" at 1–5. Did you mean "topic"?',
    });
    expect(mistakeIn('http://x')).not.toHaveProperty('suggestion');
  });
});

describe('values', () => {
  test.each<Row>([
    ['attempts>abc', 10, 3, 'Expected a number after "attempts>" at 10, found "abc".'],
    ['attempts:>abc', 11, 3, 'Expected a number after "attempts:>" at 11, found "abc".'],
    ['a attempts:1,x', 14, 1, 'Expected a number after "attempts:1," at 14, found "x".'],
    ['attempts:"x y"', 10, 5, 'Expected a number after "attempts:" at 10, found "x y".'],
    ['attempts>', 10, 0, 'Expected a number after "attempts>" at 10, found nothing.'],
    ['attempts> 3', 10, 0, 'Expected a number after "attempts>" at 10, found nothing.'],
    ['attempts:5..1', 13, 1, 'Expected at least 5 after "attempts:5.." at 13, found "1".'],
    ['attempts>1..5', 10, 4, 'Expected a number after "attempts>" at 10, found "1..5".'],
    ['attempts:3x', 10, 2, 'Expected a number after "attempts:" at 10, found "3x".'],
    ['status:>5xx', 9, 3, 'Expected a number after "status:>" at 9, found "5xx".'],
    ['status:0xx', 8, 3, 'Expected a number after "status:" at 8, found "0xx".'],
    ['size:>5m', 7, 2, 'Expected a size after "size:>" at 7, found "5m".'],
    ['age:5', 5, 1, 'Expected a duration after "age:" at 5, found "5".'],
    [
      'time:>yesterday',
      7,
      9,
      'Expected a time such as 2026-01-31T14:30:00Z after "time:>" at 7, found "yesterday".',
    ],
    ['age:<5M', 6, 2, 'Expected a duration after "age:<" at 6, found "5M".'],
    ['topic:', 7, 0, 'Expected a value after "topic:" at 7, found nothing.'],
    ['topic: a', 7, 0, 'Expected a value after "topic:" at 7, found nothing.'],
    ['topic:,a', 7, 1, 'Expected a value after "topic:" at 7, found ",".'],
    ['topic:a,', 9, 0, 'Expected a value after "topic:a," at 9, found nothing.'],
    ['topic:a,,b', 9, 1, 'Expected a value after "topic:a," at 9, found ",".'],
    ['topic:(a OR b)', 7, 1, 'Expected a value after "topic:" at 7, found "(".'],
    ['topic!=', 8, 0, 'Expected a value after "topic!=" at 8, found nothing.'],
    ['state:', 7, 0, 'Expected a state after "state:" at 7, found nothing.'],
    [
      'state:parkd',
      7,
      5,
      'Expected a state after "state:" at 7, found "parkd". Did you mean "state:parked"?',
    ],
    [
      'state:done',
      7,
      4,
      'Expected a state after "state:" at 7, found "done". Did you mean "state:processed"?',
    ],
    ['state:!parked', 7, 7, 'Expected a state after "state:" at 7, found "!parked".'],
    ['state:-parked', 7, 7, 'Expected a state after "state:" at 7, found "-parked".'],
    ['state:xyz', 7, 3, 'Expected a state after "state:" at 7, found "xyz".'],
    ['cause:me', 7, 2, 'Expected a cause after "cause:" at 7, found "me".'],
    ['origin:web', 8, 3, 'Expected an origin after "origin:" at 8, found "web".'],
    [
      'is:new',
      4,
      3,
      'Expected one of unread, pinned, raw, bulk, replay, tapped, replayed after "is:" at 4, found "new". Did you mean "is:unread"?',
    ],
    ['data.x>null', 8, 4, 'Expected a number or a text after "data.x>" at 8, found "null".'],
    ['data.x>a*', 8, 2, 'Expected a number or a text after "data.x>" at 8, found "a*".'],
    ['meta.x<a*', 8, 2, 'Expected a number or a text after "meta.x<" at 8, found "a*".'],
    ['topic>a', 6, 1, 'Expected ":", "=" or "!=" after "topic" at 6, found ">".'],
    ['state:<=parked', 7, 2, 'Expected ":", "=" or "!=" after "state" at 7, found "<=".'],
  ])('the mistake in %s has its position and sentence', (text, position, length, message) => {
    expect(mistakeIn(text)).toMatchObject({ position, length, message });
  });
});

describe('shape', () => {
  test.each<Row>([
    ['(a b', 1, 1, 'Closing parenthesis missing; the one at 1 is open.'],
    ['(a) (b (c', 8, 1, 'Closing parenthesis missing; the one at 8 is open.'],
    ['((a)', 1, 1, 'Closing parenthesis missing; the one at 1 is open.'],
    ['(', 1, 1, 'Closing parenthesis missing; the one at 1 is open.'],
    ['a)', 2, 1, 'Opening parenthesis missing; the one at 2 closes nothing.'],
    [')', 1, 1, 'Opening parenthesis missing; the one at 1 closes nothing.'],
    ['()', 2, 1, 'Expected a term after "(" at 2, found ")".'],
    ['topic:orders OR', 14, 2, '"OR" at 14 has nothing on its right.'],
    ['a AND', 3, 3, '"AND" at 3 has nothing on its right.'],
    ['a AND OR b', 3, 3, '"AND" at 3 has nothing on its right.'],
    ['a NOT', 3, 3, '"NOT" at 3 has nothing on its right.'],
    ['(a OR) b', 4, 2, '"OR" at 4 has nothing on its right.'],
    ['OR a', 1, 2, '"OR" at 1 has nothing on its left.'],
    ['(AND a)', 2, 3, '"AND" at 2 has nothing on its left.'],
    ['a "b', 3, 1, 'Closing quote missing; the one at 3 is open.'],
    [String.raw`a "b\"`, 3, 1, 'Closing quote missing; the one at 3 is open.'],
    ['topic:a,"b', 9, 1, 'Closing quote missing; the one at 9 is open.'],
    ['topic="b', 7, 1, 'Closing quote missing; the one at 7 is open.'],
    ['(a http://x', 4, 4, 'Unknown key "http" at 4–7. To search the text, write "http://…" in quotes.'],
  ])('the mistake in %s has its position and sentence', (text, position, length, message) => {
    expect(mistakeIn(text)).toMatchObject({ position, length, message });
  });
});

describe('limits', () => {
  test('a filter of more than 10,000 characters is refused', () => {
    expect(parseFilter('a'.repeat(10_000)).ok).toBe(true);
    expect(mistakeIn('a'.repeat(10_001))).toMatchObject({
      position: 10_001,
      length: 1,
      message: 'The filter has 10001 characters; at most 10000 are read.',
    });
  });

  test.each([
    ['(', ')'],
    ['NOT ', ''],
  ])('more than 100 levels of %j are refused', (open, close) => {
    expect(parseFilter(`${open.repeat(100)}a${close.repeat(100)}`).ok).toBe(true);
    expect(mistakeIn(`${open.repeat(101)}a${close.repeat(101)}`)).toMatchObject({
      position: open.length * 100 + 1,
      message: `Too deeply nested at ${open.length * 100 + 1}: at most 100 levels are read.`,
    });
  });

  test.each([
    ['words', 'a OR '.repeat(50) + 'last', 'words and values to search payloads for', 50],
    ['values of the payload', `data.x:${'a,'.repeat(50)}last`, 'words and values to search payloads for', 50],
    ['values', `app:${'a,'.repeat(1000)}last`, 'values', 1000],
  ])('a filter with too many %s is refused', (_name, text, what, most) => {
    const parsed = parseFilter(text);
    expect(parsed).toMatchObject({ ok: false, error: { length: 4, position: text.length - 3 } });
    expect(!parsed.ok && parsed.error.expected).toBe(`at most ${most.toLocaleString('en-US')} ${what}`);
    expect(parseFilter(text.replace(/(?: OR |,)last$/, '')).ok).toBe(true);
  });

  test('a thousand brackets or negations in a row are not deep', () => {
    expect(parseFilter('(app:a) '.repeat(1000)).ok).toBe(true);
    expect(parseFilter('-app:a '.repeat(1000)).ok).toBe(true);
  });
});

test('filter.check gives the mistake, or ok', () => {
  expect(checkFilter('topic:a OR b')).toEqual({ ok: true });
  expect(checkFilter('')).toEqual({ ok: true });
  expect(checkFilter('topic:a OR')).toEqual({ ok: false, error: mistakeIn('topic:a OR') });
  expect(checkFilter('topik:a')).toEqual({ ok: false, error: mistakeIn('topik:a'), meant: 'topic:a' });
  expect(checkFilter('total>5')).toEqual({ ok: true, meant: 'data.total>5' });
});

describe('a refusal, for which no messages are looked at', () => {
  test.each([
    ['orderId:4', 'For a member of the payload, write "data.orderId".'],
    ['(total>100', 'For a member of the payload, write "(data.total>100)".'],
    ['payload.total: 5', 'Did you mean "data.total"?'],
    ['(payload.total>100', 'Did you mean "(data.total>100)"?'],
    ['topik:x', 'Did you mean "topic"?'],
    ['content-type:json', 'Did you mean "contenttype:*json*"?'],
  ])('names a member that only the form of %s suggests as one of two readings', (text, said) => {
    expect(mistakeText(text, mistakeIn(text))).toContain(said);
  });
});
