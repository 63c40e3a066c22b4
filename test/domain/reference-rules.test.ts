// Hints about match rules, beside what release 1.13.6 of the reference did with each of them when it was run.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { compileMatch } from '../../core/domain/match.ts';
import { newHintRoom, ruleHints } from '../../core/domain/reference-rules.ts';

const idOf = (match: string): string | undefined => ruleHints([{ match }])[0]?.id;

/** Health stayed at 500 and nothing was delivered. */
const HANGS = [
  'event.data.s.lowerAscii() == "x"',
  'event.type.upperAscii() == "x"',
  'event.data.s.trim() == "Abc"',
  '"a" in event.data.s.split("b")',
  'event.data.l.join(",") == "a,b"',
  'event.type.substring(1) == "x"',
  'event.data.s.re2matches("A")',
  'bytes(event.type).base64() == "x"',
  'bytes(event.type).hex() == "x"',
  'bytes(event.type).at(0) == 1',
  'bytes("{}").json().a == 1',
  'event.type.indexOf("x") == 1',
  'event.type.lastIndexOf("x") == 1',
  'cel.bind(x, event.data.n, x > 1)',
  'event.data.l.exists(x, x.trim() == "a")',
  // The type of what an unknown function gives is not known there, so it has no complaint about the comparison.
  'event.type.indexOf("x") > 1.0',
];

/** All subscriptions of the app were lost. */
const REFUSED: readonly (readonly [rule: string, part: string])[] = [
  ['double(event.data.n) > 100', ''],
  ['event.data.n * 1.0 > 100', ''],
  ['event.data.n - 1.0 > 5', ''],
  ['event.data.n + 1 > 5.0', ''],
  ['size(event.data.items) > 1.0', ''],
  ['event.type.size() > 1.0', ''],
  ['(size(event.type)) > (1.0)', ''],
  ['1 < double(event.data.n)', ''],
  ['int(event.data.n) > 100.5', ''],
  ['uint(event.data.n) > 100', ''],
  ['-double(event.data.n) > 1', ''],
  ['event.time.getHours() > 1.0', ''],
  ['[1,2][0] > 1.5', ''],
  ['{"a": 1}.a > 1.5', ''],
  ['event.data.n > 1 && size(event.type) < 3.5', 'size(event.type) < 3.5'],
  ['has(event.data.n) && double(event.data.n) >= 5', 'double(event.data.n) >= 5'],
  ['1 < 2 && 2 <= 3 && size(event.data.items) == 2 && 2u > 1', '2u > 1'],
  ['!(double(event.data.n) < 5)', 'double(event.data.n) < 5'],
  ['9223372036854775808 > 0', '9223372036854775808'],
  ['-9223372036854775809 < 0', '9223372036854775809'],
  ['0xFFFFFFFFFFFFFFFF > 0', '0xFFFFFFFFFFFFFFFF'],
  ['event.type.startsWith(5)', ''],
  ['event.data.n.matches(5)', ''],
  ['event.data.items.all(x, x.startsWith(5))', 'x.startsWith(5)'],
  ['{"a": 1}[1] == 1', '{"a": 1}[1]'],
  ['{"a": 1, "b": 2}[event.data.n > 1] == 1', '{"a": 1, "b": 2}[event.data.n > 1]'],
  ['{1: 2}["a"] == 2', '{1: 2}["a"]'],
  ['{1: 1, -1: 2}["a"] == 1', '{1: 1, -1: 2}["a"]'],
  ['[{"a": 1}][0][1] == 1', '[{"a": 1}][0][1]'],
  ['{"a": {"b": 1}}["a"][1] == 1', '{"a": {"b": 1}}["a"][1]'],
  ['size(event.type) > 1 && (true ? {"a": 1} : {"b": 2})[1] == 1', ''],
  ['{null: 1}[null] == 1', '{null: 1}[null]'],
  ['event.data.items.all(x, {"a": 1}[1] == 1)', '{"a": 1}[1]'],
  ['{"a": 1}[true ? 1 : 2] == 1', '{"a": 1}[true ? 1 : 2]'],
  ['{"a": 1}["a"] == 1 && {1: 2}[1u] == 2', '{1: 2}[1u]'],
  ['0XFF == 255', '0XFF'],
  ['event.data.n == 0XFFu', '0XFFu'],
  ['event.all(k, k != "")', ''],
  ['event.exists(k, k == "type") || event.type == "x"', 'event.exists(k, k == "type")'],
  ['event.exists_one(k, k == "type")', ''],
  ['event.map(k, k).size() > 1', 'event.map(k, k)'],
  ['event.filter(k, k == "type") == ["type"]', 'event.filter(k, k == "type")'],
  ['(true ? event : event).all(k, k != "")', ''],
  ['[event].all(e, e.all(k, k != ""))', 'e.all(k, k != "")'],
  ['[[event]].all(l, l.all(e, e.all(k, k != "")))', 'e.all(k, k != "")'],
  ['[event, {"a": "b"}].all(e, e.all(k, k != ""))', 'e.all(k, k != "")'],
  ['[event][0].all(k, k != "")', ''],
  ['{"a": event}.a.all(k, k != "")', ''],
  ['{"a": event}["a"].all(k, k != "")', ''],
  ['[1].all(x, event.all(k, k != ""))', 'event.all(k, k != "")'],
  ['event.data.n > 1 ? event.data.n < 300 ? true : false : false', ''],
  ['true ? (1 < 2) ? true : false : false', ''],
  ['event.data.a == 1 ? event.data.b == 2 ? true : (false) : false', ''],
  ['true ? event.type == ")" ? true : false : false', ''],
  [String.raw`event.type == r"\""`, String.raw`r"\""`],
  [String.raw`event.type == R'\''`, String.raw`R'\''`],
  // Before the first macro the check is strict, from there on it is not.
  ['size(event.type) > 1.0 && event.data.items.exists(x, x == 1)', 'size(event.type) > 1.0'],
  ['[size(event.type) > 1.0].exists(x, x)', 'size(event.type) > 1.0'],
  // The complaint about the comparison comes before it hangs.
  ['event.type.trim() == "a" && double(event.data.n) > 100', 'double(event.data.n) > 100'],
];

/** The subscriptions stood, and the rule gave what it gives here. */
const FINE = [
  'event.type == "x"',
  'event.type == "a.trim()" || event.type == "lowerAscii"',
  "event.type == 'double(x) > 100'",
  'event.data["trim()"] == 1',
  'event.trim == "x"',
  'event.type == "a" // size(event.type) > 1.0',
  'event.data.n > 100',
  'event.data.n >= double(1)',
  'event.data.n in [1, 200]',
  'event.data.items[0] > 1',
  'double(event.data.n) > 100.0',
  'double(event.data.n) + event.data.n > 5.0',
  'uint(event.data.n) > 100u',
  'size(event.data.items) > 1',
  'dyn(1) > 1.0',
  'true > false',
  'bool("true")',
  'matches(event.type, "x")',
  'event.type.matches("x")',
  'type(event.data.n) == double',
  'google.protobuf.Timestamp == type(event.time)',
  'timestamp(event.time) > timestamp(0)',
  'timestamp(event.time).getHours("UTC") >= 0',
  'duration("1h") > duration("1m")',
  '{"a": 1, "b": "c"}.a == 1',
  '{"a": 1}["a"] == 1',
  '{"a": 1}[event.type] == 1',
  '{"a": 1, 1: 2}[1] == 2',
  '{event.type: 1, "a": 2}[1] == 2',
  '{1: 2}[event.data.n] == 2',
  '{"a": 1}[dyn(1)] == 1',
  '[1, "a"].size() == 2',
  '-9223372036854775808 < 0',
  '18446744073709551615u > 0u',
  'int(timestamp(event.time)) > 0',
  'string(timestamp(event.time)) == "2024-05-06T07:08:09Z"',
  'string(duration("90s")) == "90s"',
  'event.data.items[0u] == 1',
  'b"abc" == bytes("abc")',
  'event.data.items.all(x, x > 1.0)',
  'event.data.all(k, k != "")',
  'event.data.o.exists(k, k == "a")',
  'dyn(event).all(k, k != "")',
  'event.data.l.all(event, event.size() > 0)',
  'event.data.m.all(event, event.all(k, k == "k"))',
  '[event].all(e, e.type == "x")',
  '[event.data].all(e, e.all(k, k != ""))',
  '{"a": event.data}.a.all(k, k != "")',
  '[event].all(e, [1].all(e, e > 0))',
  'event["data"].all(k, k != "")',
  'event.data.n > 1 ? (event.data.n < 300 ? true : false) : false',
  'event.data.n > 1 ? true : event.data.n < 300 ? true : false',
  '(true ? true : false) ? true : false',
  'event.data.n > 1 ? (event.type == ")" ? true : false) : false',
  "event.data.n > 1 ? (event.type != '(' && event.data[')'] == 1 ? true : false) : false",
  'int == int',
  String.raw`event.type == r"\'"`,
  String.raw`event.type == r""`,
  String.raw`event.type == r"""a\"b"""`,
  String.raw`event.type == "\""`,
  'event.data.n > 1 && string != double',
  '0xFF == 255',
  'event.data.items.all(x, double(x) > 5)',
  'event.data.items.exists_one(x, x == 1)',
  'event.data.items.exists(x, size(event.type) > 1.0)',
  'event.data.items.exists(x, x == 1) && size(event.type) > 1.0',
  'event.data.items.filter(x, x > 1).size() > 1.0',
  '[1,2].map(x, x > 1, x * 2).size() == 1',
  '',
  '  ',
];

/** The rule failed with every message, or never held. */
const UNQUOTED: readonly (readonly [rule: string, word: string])[] = [
  ['event.type == order', 'order'],
  ['event.type == order.created', 'order.created'],
  ['event.type == a/b', 'a/b'],
  ['event.type == a-b', 'a-b'],
  ['event.type == string', 'string'],
  ['event.data.n > 1 && event.source != shop', 'shop'],
  ['event.type == event.created', 'event.created'],
  ['event.type == v1+json', 'v1+json'],
  ['event.type == -5', '-5'],
  ['event.type == !x', '!x'],
  ['event.type == a<b', 'a<b'],
];

describe('rules that Sidelight accepts', () => {
  test.each([...HANGS, ...REFUSED.map(([rule]) => rule), ...FINE, ...UNQUOTED.map(([rule]) => rule)])(
    '%s is accepted here',
    (rule) => expect(compileMatch(rule).ok).toBe(true),
  );

  test.each(HANGS)('%s hangs the reference', (rule) => expect(idOf(rule)).toBe('rule-extension-function'));

  test.each(REFUSED)('%s is refused by the reference', (rule, part) => {
    const [hint] = ruleHints([{ match: rule }]);
    expect(hint?.id).toBe('rule-refused');
    expect(hint?.found).toBe(part === '' ? `rule 1: ${rule}` : `rule 1, at ${part}: ${rule}`);
  });

  test.each(UNQUOTED)('%s is not text on the reference', (rule, word) => {
    const [hint] = ruleHints([{ match: rule }]);
    expect(hint).toMatchObject({ id: 'rule-unquoted-word', found: `rule 1, at ${word}: ${rule}` });
  });

  test.each(FINE)('%s has no hint', (rule) => expect(idOf(rule)).toBeUndefined());
});

describe('a plain event type', () => {
  test.each(['order:created', 'package', 'ns/type'])(
    '%s without quotes is no expression on the reference',
    (word) => expect(idOf(`event.type == ${word}`)).toBe('rule-refused'),
  );

  test.each(['123', 'true', 'null'])('%s has a hint exactly if it is read as text here', (word) => {
    const rule = `event.type == ${word}`;
    const compiled = compileMatch(rule);
    const result = compiled.ok ? compiled.value.evaluate({ type: word }) : { error: 'refused' };
    const isText = 'value' in result && result.value;
    expect(idOf(rule)).toBe(isText ? 'rule-unquoted-word' : undefined);
  });
});

test('each rule has its own hint, with its number and index', () => {
  const rules = ['event.type.trim() == "a"', 'event.type == "b"', 'size(event.type) > 1.0'];
  expect(ruleHints(rules.map((match) => ({ match })))).toMatchObject([
    { id: 'rule-extension-function', rule: 0, found: `rule 1, at trim(): ${rules[0]}` },
    { id: 'rule-refused', rule: 2, found: `rule 3: ${rules[2]}` },
  ]);
});

test('a long rule is repeated in part, and deep nesting is looked at whole', () => {
  const long = `${'event.type == "a" || '.repeat(100)}size(event.type) > 1.0`;
  const [hint] = ruleHints([{ match: long }]);
  expect(hint?.found.length).toBeLessThan(300);
  expect(hint?.found).toContain('size(event.type) > 1.0');
});

describe('hints have bounds of their own', () => {
  const notCompared = 'rule-not-compared';

  test('a rule of more than 4,000 characters is not read for them', () => {
    const long = (length: number): string => 'event.type.trim() == "a"'.padEnd(length);
    expect(idOf(long(4000))).toBe('rule-extension-function');
    expect(idOf(long(4001))).toBe(notCompared);
    // Too deep for a recursive walk.
    expect(idOf(`1${'+1'.repeat(4900)} == 1`)).toBe(notCompared);
  });

  test('a rule of choices within choices is divided once, however many values it has', () => {
    let rule = `1 in [${'1,'.repeat(900)}1]`;
    for (let level = 0; level < 60; level += 1) rule = `true?((${rule})?true:false):true`;
    const slice = vi.spyOn(String.prototype, 'slice');
    onTestFinished(() => slice.mockRestore());
    expect(idOf(rule)).toBeUndefined();
    expect(slice.mock.calls.length).toBeLessThan(20_000);
  });

  test('rules are read until an app has used up its room', () => {
    const room = newHintRoom();
    const match = 'event.type.trim() == "a"'.padEnd(4000);
    const ids = Array.from({ length: 26 }, () => ruleHints([{ match }], room)[0]?.id);
    expect(new Set(ids.slice(0, 25))).toEqual(new Set(['rule-extension-function']));
    expect(ids[25]).toBe(notCompared);
  });
});
