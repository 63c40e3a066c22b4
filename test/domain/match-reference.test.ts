// Match rules give what both releases of the reference give. Each row was run on releases 1.13.6 and 1.18.3.
import { describe, expect, test } from 'vitest';
import { readRuledEvent } from '../../core/domain/inbound.ts';
import { compileMatch } from '../../core/domain/match.ts';
import { ruleHints } from '../../core/domain/reference-rules.ts';
import { codec } from './node-codec.ts';

/**
 * Result of a rule for an event: true, false, or that it failed.
 * @param data JSON text of the member `v` of the data
 */
function said(rule: string, data: string, type = 'y'): boolean | 'error' {
  const compiled = compileMatch(rule);
  if (!compiled.ok) throw new Error(`${rule}: ${compiled.complaint.message}`);
  const read = readRuledEvent(`{"type":"${type}","data":{"v":${data},"list":[${data}]}}`, codec);
  if (!read.ok) throw new Error(read.reason);
  const result = compiled.value.evaluate(read.event);
  return 'error' in result ? 'error' : result.value;
}

const BIG = '9007199254740993';
const BELOW = '9007199254740992';
const ABOVE = '9007199254740994';

describe('numbers beyond 2^53 are compared as decimal numbers', () => {
  test.each([
    [`event.data.v == ${BIG}`, [true, true, false]],
    [`event.data.v != ${BIG}`, [false, false, true]],
    [`event.data.v < ${BIG}`, [false, false, false]],
    [`event.data.v <= ${BIG}`, [true, true, false]],
    [`event.data.v > ${BIG}`, [false, false, true]],
    [`event.data.v >= ${BIG}`, [true, true, true]],
    [`${BIG} == event.data.v`, [true, true, false]],
    [`${BIG} < event.data.v`, [false, false, true]],
    [`event.data.v == ${BIG}u`, [true, true, false]],
    [`event.data.v < ${BIG}u`, [false, false, false]],
    [`event.data.v in [1.5, ${BIG}]`, [true, true, false]],
    [`${BIG} in event.data.list`, [true, true, false]],
    [`event.data.list.exists(x, x == ${BIG})`, [true, true, false]],
    [`[event.data.v] == [${BIG}]`, [true, true, false]],
    [`{"a": event.data.v} == {"a": ${BIG}}`, [true, true, false]],
    [`-event.data.v == -${BIG}`, [true, true, false]],
    [`int(event.data.v) == ${BIG}`, [false, false, false]],
    [`int(event.data.v) == ${BELOW}`, [true, true, false]],
    [`event.data.v == ${BIG}.0`, [true, true, false]],
    [`dyn(${BIG}) == ${BELOW}.0`, [true, true, true]],
    [`dyn(${BIG}) == ${BELOW}`, [false, false, false]],
  ])('%s compares without loss', (rule, expected) => {
    expect([BELOW, BIG, ABOVE].map((value) => said(rule, value))).toEqual(expected);
    expect(ruleHints([{ match: rule }])).toEqual([]);
  });

  test('the largest numbers of 64 bits compare as on the reference', () => {
    expect(said('event.data.v == 9223372036854775807', '9223372036854775808')).toBe(true);
    expect(said('event.data.v > 9223372036854775806', '9223372036854775807')).toBe(false);
    expect(said('event.data.v == 18446744073709551615u', '18446744073709551616')).toBe(true);
    expect(said(`event.data.v == -${BIG}`, `-${BIG}`)).toBe(true);
  });
});

describe('conversions', () => {
  test.each([
    ['string(event.data.v) == "1e+06"', '1000000', true],
    ['string(event.data.v) == "1.234567e+06"', '1234567', true],
    ['string(event.data.v) == "1234567"', '1234567', false],
    ['string(int(event.data.v)) == "1234567"', '1234567', true],
    ['string(event.data.v) == "123456"', '123456', true],
    ['string(event.data.v) == "1e-05"', '0.00001', true],
    ['string(event.data.v) == "0.0001"', '0.0001', true],
    ['string(event.data.v) == "1e+21"', '1e21', true],
    ['string(event.data.v) == "-0"', '-0', true],
    ['string(event.data.v) == "-2.5"', '-2.5', true],
    ['int(event.data.v) == 0', '1e21', 'error'],
    ['int(event.data.v) == 0', '-9223372036854775808', 'error'],
    ['int(event.data.v) == 0', '""', 'error'],
    ['int(event.data.v) == 1', '"0b1"', 'error'],
    ['int(event.data.v) == 1', '"+1"', true],
    ['int(event.data.v) == -1', '-1.9', true],
    ['uint(event.data.v) == 1u', '"+1"', 'error'],
    ['uint(event.data.v) == 1u', '"1"', true],
    ['double(event.data.v) == 1.0', '"0x1"', 'error'],
    ['double(event.data.v) == 1.0', '"1.0"', true],
    ['double(event.data.v) == 1000.5', '"1_000.5"', true],
    ['double(event.data.v) == 10.0', '"1__0"', 'error'],
    ['double(event.data.v) == 10.0', '"_10"', 'error'],
    ['int(event.data.v) == 10', '"1_0"', 'error'],
    ['double(event.data.v) > 1.0', '"1e400"', 'error'],
    ['double(event.data.v) > 1.0', '"inf"', true],
    ['duration(event.data.v) == duration("0s")', '"-0"', true],
    ['duration(event.data.v) == duration("0s")', '"+0"', true],
    ['event.data.v / 0.0 > 5.0', '0', 'error'],
    ['event.data.v / 0.0 > 5.0', '1', true],
    ['int(timestamp(event.data.v)) == 1714979289', '"2024-05-06T07:08:09.9Z"', true],
    ['int(timestamp(event.data.v)) == -1', '"1969-12-31T23:59:59.5Z"', true],
    ['string(timestamp(event.data.v)) == event.data.v', '"2024-05-06T07:08:09Z"', true],
    ['string(timestamp(event.data.v)) == "2024-05-06T07:08:00.12Z"', '"2024-05-06T07:08:00.120Z"', true],
    ['string(duration(event.data.v)) == "90s"', '"1m30s"', true],
    ['string(duration(event.data.v)) == "-1.5s"', '"-1.5s"', true],
    ['string(duration(event.data.v)) == "0.000000001s"', '"1ns"', true],
    ['event.data.list[0u] == 1', '1', true],
    ['event.data.list[0x0U] == 1', '1', true],
    ['event.data.list[1u] == 1', '1', 'error'],
  ] as const)('%s of %s is %s', (rule, value, expected) => expect(said(rule, value)).toBe(expected));
});

describe('texts', () => {
  const REPLACED = 'a\ufffd';

  test.each(['event.type == "a\ud800"', 'event.type == a\udc00', String.raw`event.type == "a\udfff"`])(
    'half a surrogate is U+FFFD in the rule and in the event: %j',
    (rule) => {
      for (const type of [String.raw`a\ud800`, String.raw`a\udfff`, REPLACED])
        expect(said(rule, '1', type)).toBe(true);
      for (const type of ['a', String.raw`a\\ud800`, String.raw`a\ud83d\ude00`])
        expect(said(rule, '1', type)).toBe(false);
    },
  );

  test('half a surrogate is U+FFFD in the data and in names of members too', () => {
    expect(said('event.data.v == "\ufffd"', String.raw`"\ud800"`)).toBe(true);
    expect(said('event.data.v["\ufffd"] == 1', String.raw`{"\udc00":1}`)).toBe(true);
    expect(said('event.data.v == ["\ufffd"]', String.raw`["\ud800"]`)).toBe(true);
    expect(said('event.type == "😀"', '1', String.raw`\ud83d\ude00`)).toBe(true);
  });

  test('texts are ordered by characters, not by UTF-16 units', () => {
    expect(said('event.type > "\uffff"', '1', '😀')).toBe(true);
    expect(said('event.type < "\uffff"', '1', '😀')).toBe(false);
    expect(said('event.type < "😀"', '1', '\uffff')).toBe(true);
    expect(said('event.type < "😀"', '1', 'z')).toBe(true);
    expect(said('event.type <= "😀"', '1', '😀')).toBe(true);
    expect(said('"a" > ""', '1')).toBe(true);
  });
});
