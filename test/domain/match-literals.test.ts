// Literals and sums that the library of the rule language does not read as the reference does. Each row was run on release 1.13.6.
import { describe, expect, test } from 'vitest';
import { compileMatch } from '../../core/domain/match.ts';
import { ruleHints } from '../../core/domain/reference-rules.ts';

const EVENT = { type: 'y', time: '2024-05-06T07:08:09Z', data: { n: 0.5, s: 'é', l: [0.5] } };

function said(rule: string): boolean | string {
  const compiled = compileMatch(rule);
  if (!compiled.ok) return `refused: ${compiled.complaint.message}`;
  const result = compiled.value.evaluate(EVENT);
  return 'error' in result ? `error: ${result.error}` : result.value;
}

describe('a number that begins with its point', () => {
  test.each([
    'event.data.n == .5',
    'event.data.n==.5',
    '.5 == event.data.n',
    'event.data.n > .4e0 && event.data.n < .6E+0',
    'event.data.n in [.4, .5]',
    '-.5 < event.data.n',
    '(.5) == event.data.l[0]',
    'event.data.n == (event.type == "y" ? .5 : .6)',
    'event.data.n == .5 // .5 "',
    'event.data.s + ".5" == "é.5"',
    'size(".5") == 2 && event.data.n == .5',
  ])('%s holds', (rule) => {
    expect(said(rule)).toBe(true);
    expect(ruleHints([{ match: rule }])).toEqual([]);
  });

  test.each(['event.5 == 1', 'event.data.l[0].5 == 1', '1 .5 == 1', '1..5 == 1', 'event.data.n == .'])(
    '%s is refused',
    (rule) => expect(said(rule)).toMatch(/^refused: /),
  );
});

describe('bytes', () => {
  test.each([
    'b"a" < b"b"',
    'b"a" <= b"a" && b"b" > b"a" && b"b" >= b"b"',
    'b"a" < b"aa" && !(b"aa" < b"a") && !(b"a" < b"a")',
    String.raw`b"\xff" > b"\x01"`,
    'bytes(event.type) < b"z"',
    'b"" < bytes(event.data.s)',
    'br"x" == b"x"',
    'bR"x" == b"x" && Br"x" == b"x" && BR"x" == b"x"',
    String.raw`br"\d" == b"\\d" && size(br"\d") == 2`,
    String.raw`br'\' == b"\\"`,
    'br"""a"b""" == b\'a"b\'',
    'b"é" == bytes("é") && size(b"é") == 2',
    String.raw`br"\é" == bytes("\\é")`,
    'bytes(event.data.s) == b"é"',
    'size(b"😀") == 4',
    'event.data.s == "é" && "b\\"é" != "b"',
  ])('%s holds', (rule) => {
    expect(said(rule)).toBe(true);
    expect(ruleHints([{ match: rule }])).toEqual([]);
  });

  test.each(['rb"x" == b"x"', String.raw`b"\é" == b"x"`, String.raw`b"\u00e9" == b"x"`, 'b"a" < "b"'])(
    '%s is refused',
    (rule) => expect(said(rule)).toMatch(/^refused: /),
  );
});

describe('the sum of a span and a moment', () => {
  test.each([
    'duration("1h") + timestamp(event.time) > timestamp(event.time)',
    'duration("1h") + timestamp(event.time) == timestamp(event.time) + duration("1h")',
    'duration("1h") + (duration("1m") + timestamp(event.time)) > timestamp("2024-05-06T08:08:00Z")',
    'duration("1h") + duration("1m") + timestamp(event.time) > timestamp("2024-05-06T08:08:00Z")',
    '(duration("1h") + timestamp(event.time)).getHours() == 8',
    'duration("1h") + dyn(timestamp(event.time)) > timestamp(event.time)',
    'dyn(duration("1h")) + timestamp(event.time) > timestamp(event.time)',
    '[1].all(x, duration("1h") + timestamp(event.time) > timestamp(event.time))',
    'string(duration("1h") + timestamp(event.time)) == "2024-05-06T08:08:09Z"',
    'duration("1h") + duration("1m") > duration("1h")',
  ])('%s holds', (rule) => {
    expect(said(rule)).toBe(true);
    expect(ruleHints([{ match: rule }])).toEqual([]);
  });

  test.each([
    'duration("1h") + timestamp(event.time) > duration("1h")',
    'duration("1h") - timestamp(event.time) > timestamp(0)',
  ])('%s is refused', (rule) => expect(said(rule)).toMatch(/^refused: /));
});

describe('a message', () => {
  test.each([
    ['google.protobuf.Int32Value{value: 1} == 1', 0, 'google.protobuf.Int32Value', 'the value alone'],
    [
      'event.data.n == .google.protobuf.DoubleValue {value: 0.5}',
      16,
      '.google.protobuf.DoubleValue',
      'the value alone',
    ],
    [
      'event.time > "" && google.protobuf.Duration{seconds: 1} == duration("1s")',
      19,
      'google.protobuf.Duration',
      'duration(',
    ],
    ['google.protobuf.Empty{} == 1', 0, 'google.protobuf.Empty', 'no messages in rules'],
    ['google.protobuf.Struct{} == {}', 0, 'google.protobuf.Struct', 'a map'],
  ])('%s is refused with what to write instead', (rule, position, name, instead) => {
    const compiled = compileMatch(rule);
    expect(compiled).toMatchObject({ ok: false, complaint: { position } });
    const message = compiled.ok ? '' : compiled.complaint.message;
    expect(message).toContain(`${name}{…} makes a message. The reference takes it`);
    expect(message).toContain(instead);
  });

  test.each(['a.b.C{x: 1} == 1', 'google.protobuf.Nothing{} == 1', '"google.protobuf.Value{" == event.'])(
    'of %s nothing is said that is not so',
    (rule) => expect(said(rule)).toMatch(/^refused: (?!.*makes a message)/),
  );
});

test('a mistake behind a literal that is read in another form is told with its place', () => {
  for (const [rule, position] of [
    ['event.data.n == .5 && )', 22],
    ['br"\\d" == b"é" && )', 18],
    ['.5 + "a" == .5', 0],
  ] as const)
    expect([rule, compileMatch(rule)]).toMatchObject([rule, { ok: false, complaint: { position } }]);
});

test('a hint about a rule with such a literal shows the rule as it is written', () => {
  const [hint] = ruleHints([{ match: 'size(event.type) > .5' }]);
  expect(hint).toMatchObject({ id: 'rule-refused', found: 'rule 1: size(event.type) > .5' });
});
