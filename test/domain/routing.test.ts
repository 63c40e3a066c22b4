// The condition of a rule, and the route an event gets.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeReading } from '../../core/domain/match-rewrite.ts';
import { compileMatch } from '../../core/domain/match.ts';
import type { MatchValue } from '../../core/domain/match.ts';
import { chooseRoute, compileRoutes, explainRoutes } from '../../core/domain/routing.ts';
import { anyText } from './node-codec.ts';

const event = {
  type: 'order',
  source: 'shop',
  data: {
    x: 5,
    amount: 150,
    n: null,
    color: 'red',
    items: ['a', 'b'],
    text: 'int',
    big: 'a'.repeat(31) + '!',
  },
};

function evaluate(text: string, on: unknown = event): MatchValue {
  const compiled = compileMatch(text);
  if (!compiled.ok) throw new Error(`${text}: ${compiled.complaint.message}`);
  return compiled.value.evaluate(on);
}

describe('match', () => {
  test.each([
    ['event.type == "order"', true],
    ["event['type'] == 'order'", true],
    ['event.type != "order"', false],
    ['event.data.color == "red"', true],
    ['has(event.data.important) && event.data.important == true', false],
    ['int(event.data.amount) > 100', true],
    ['event.data.amount > 100', true],
    ['event.data.x == 5 && event.data.x in [1, 5, "a"]', true],
    ['event.type == 5', false],
    ['"q" in event.data', false],
    ['event.type.startsWith("or") && event.type.endsWith("er") && event.type.contains("rde")', true],
    ['size(event.data.items) == 2 && event.data.items.size() == 2', true],
    ['event.data.items.exists(i, i == "b")', true],
    ['event.data.items.all(i, i.matches("^[ab]$"))', true],
    ['event.data.x > 3 ? event.type == "order" : false', true],
    ['event.missing == "a" || event.type == "order"', true],
    ['event.type == "b" && event.missing == "a"', false],
    ['has(event.data.n)', true],
    ['matches(event.type, "^o")', true],
    ['(event.type).matches("^x")', false],
    ['event.data.x == 1e-12', false],
    ['type(event.data.x) == double', true],
    ['', true],
    ['  ', true],
  ])('the rule %s is %s', (text, value) => {
    expect(evaluate(text)).toEqual({ value });
  });

  test.each([
    ['event.type == order', true],
    ['event.type != order', false],
    ['event.type == other || event.type == order', true],
    ['!(event.type == (order))', false],
    ['event.data.text == int', true],
    ['event.data.items.exists(i, i == a)', true],
    ['event.data.items.exists(a, "b" == a)', true],
  ])('an unquoted word is text: %s is %s', (text, value) => {
    expect(evaluate(text)).toEqual({ value });
  });

  test.each(['com.acme.order', 'order-created', 'a/b.c-1', 'v1'])(
    'the value %s is text without quotes',
    (word) => {
      expect(evaluate(`event.type == ${word}`, { type: word })).toEqual({ value: true });
      expect(evaluate(`event.type == ${word} && event.type != x${word}`, { type: word })).toEqual({
        value: true,
      });
    },
  );

  test.each([
    ...['order:created', 'ns/type', 'package', 'order.2024', 'event.created', '123', 'true', 'null', 'in'],
    ...['a-b', '-5', '!x', 'grün', 'a\\b', 'a+b', 'a//b', 'a==b', 'a<b', '#', 'event.type', 'event'],
  ])('event.type == %s compares with that text, always', (text) => {
    for (const rule of [`event.type == ${text}`, `event.type==${text}`, `  event.type  ==  ${text} `]) {
      expect(evaluate(rule, { type: text, created: 'other' })).toEqual({ value: true });
      expect(evaluate(rule, { type: `${text}x`, created: `${text}x` })).toEqual({ value: false });
      expect(describeReading(rule)).toBe(`compares event.type with the text ${text}`);
    }
  });

  test('such a rule fails as any other on an event without a type', () => {
    expect(evaluate('event.type == 123', { data: 1 })).toHaveProperty('error');
    expect(evaluate('event.type == 123', 'raw text')).toHaveProperty('error');
    expect(evaluate('event.type == 123', { type: 123 })).toEqual({ value: false });
  });

  test.each([
    ...['event.type == "order"', "event.type == 'order'", 'event.type != order', 'event.source == order'],
    ...['event.type == order || true', 'event.type == f(x)', 'event.type == a[0]', 'event.type == a,b'],
    ...[
      'event.type == a?b:c',
      'event.type == a&&b',
      'event.type == a|b',
      'event.type === a',
      'event.type ==',
    ],
    ...['event.type == `a`', 'event.type == {}', 'event.type == order created', '(event.type == order)', ''],
  ])('%s keeps the meaning of its expression', (rule) => {
    expect(describeReading(rule)).toBeUndefined();
  });

  test('other rules with the same values are expressions', () => {
    expect(evaluate('event.source == event.type', { type: 'a', source: 'a' })).toEqual({ value: true });
    expect(evaluate('event.type != 123', { type: '123' })).toEqual({ value: true });
    expect(compileMatch('event.type != order:created').ok).toBe(false);
  });

  test.each([
    ['event.data.missing == 1', 'No such key: missing', 11],
    ['event.data.n + 1 == 2', 'no such overload: dyn<null> + int', 0],
    ['order == event.type', 'Unknown variable: order', 0],
    ['event.type', 'the result of match expression event.type was not a boolean', undefined],
    ['event.constructor == 1', 'No such key: constructor', 6],
    ['event.__proto__ == 1', 'No such key: __proto__', 6],
  ])('the rule %s is an error with its position, and not false', (text, error, position) => {
    expect(evaluate(text)).toEqual({ error, ...(position === undefined ? {} : { position }) });
  });

  test('an event that is no object is an error', () => {
    expect(evaluate('event.type == "a"', 'raw text')).toHaveProperty('error');
  });

  test.each([
    ['event.type == ', 14],
    ['event.type = "a"', 11],
    ['event.type == "a', 14],
    ['event.type == order created', 20],
    ['((((', 4],
  ])('the rule %s does not compile, and the error has its position', (text, position) => {
    expect(compileMatch(text)).toMatchObject({ ok: false, complaint: { position } });
  });

  test.each([
    '1 == "a"',
    '"a" + 1 == "b"',
    'foo(event.type)',
    `${'('.repeat(400)}true${')'.repeat(400)}`,
    `event.type == "${'x'.repeat(10_000)}"`,
  ])('the rule %.20s is refused at load', (text) => {
    expect(compileMatch(text).ok).toBe(false);
  });

  test('a pattern made to hang does not, and one that cannot be linear is an error', () => {
    expect(evaluate('event.data.big.matches("^(a+)+$")')).toEqual({ value: false });
    expect(evaluate('event.type.matches("(?=o)")')).toHaveProperty('error');
    expect(evaluate('event.type.matches("[")')).toHaveProperty('error');
  });

  test('a comment cannot smuggle a pattern past the linear engine', () => {
    expect(compileMatch('event.type //matches\n.matches("^(a+)+$")').ok).toBe(false);
  });

  test('more than 256 patterns one after another still work', () => {
    const compiled = compileMatch('event.type.matches(event.pattern)');
    const results = Array.from({ length: 600 }, (_, i) =>
      compiled.ok ? compiled.value.evaluate({ type: `t${i % 300}`, pattern: `^t${i % 300}$` }) : undefined,
    );
    expect(results.every((result) => result !== undefined && 'value' in result && result.value)).toBe(true);
  });

  test('property: any quoted text matches itself and nothing else', () => {
    fc.assert(
      fc.property(anyText, fc.string(), (type, other) => {
        const text = `event.type == ${JSON.stringify(type)}`;
        const compiled = compileMatch(text);
        fc.pre(compiled.ok);
        expect(evaluate(text, { type })).toEqual({ value: true });
        expect(evaluate(text, { type: other })).toEqual({ value: other === type });
      }),
    );
  });

  test('property: no text throws, at load or on an event', () => {
    const words = fc.constantFrom(
      'event',
      '.type',
      '.data',
      ' == ',
      '"a"',
      'order',
      '(',
      ')',
      '&&',
      '||',
      '!',
      '.matches(',
      '[',
      ']',
      ' in ',
      '1',
      '+',
      '-',
      '?',
      ':',
      '//',
      '\n',
      'has(',
      ',',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 14 }), (parts) => {
        const compiled = compileMatch(parts.join(''));
        const result = compiled.ok ? compiled.value.evaluate(event) : { error: compiled.complaint.message };
        expect('value' in result || typeof result.error === 'string').toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('route', () => {
  const routes = compileRoutes({
    rules: [
      { match: 'event.type == "a"', path: '/a' },
      { match: 'event.type == "b"', path: '/b' },
      { match: 'event.data.x == 1', path: '/x' },
      { match: '', path: '/always' },
    ],
    defaultPath: '/default',
  });

  test.each([
    [{ type: 'a' }, { kind: 'path', path: '/a', rule: { match: 'event.type == "a"', index: 0 } }],
    [{ type: 'b' }, { kind: 'path', path: '/b', rule: { match: 'event.type == "b"', index: 1 } }],
    [
      { type: 'c', data: { x: 1 } },
      { kind: 'path', path: '/x', rule: { match: 'event.data.x == 1', index: 2 } },
    ],
    [
      { type: 'c', data: { x: 2 } },
      { kind: 'path', path: '/always', rule: { match: '', index: 3 } },
    ],
    [
      { type: 'c' },
      { kind: 'error', index: 2, match: 'event.data.x == 1', error: 'No such key: data', position: 6 },
    ],
  ])('the route of %j is chosen', (on, choice) => {
    expect(chooseRoute(routes, on)).toEqual(choice);
  });

  test('the default path is chosen where no rule holds, and none without a default', () => {
    const rules = [{ match: 'event.type == "a"', path: '/a' }];
    expect(chooseRoute(compileRoutes({ rules, defaultPath: '/d' }), { type: 'x' })).toEqual({
      kind: 'path',
      path: '/d',
    });
    expect(chooseRoute(compileRoutes({ rules }), { type: 'x' })).toEqual({ kind: 'none' });
    expect(chooseRoute(compileRoutes({ rules: [] }), { type: 'x' })).toEqual({ kind: 'none' });
  });

  test('routes with a rule need the event, and a blank rule does not', () => {
    expect(routes.needsEvent).toBe(true);
    expect(compileRoutes({ rules: [{ match: ' ', path: '/a' }], defaultPath: '/d' }).needsEvent).toBe(false);
  });

  test('a rule that does not compile is an error per event', () => {
    const broken = compileRoutes({ rules: [{ match: 'event.', path: '/a' }], defaultPath: '/d' });
    expect(chooseRoute(broken, { type: 'x' })).toMatchObject({ kind: 'error', index: 0 });
  });

  test('every rule is accounted for', () => {
    expect(explainRoutes(routes, { type: 'b' })).toEqual({
      rules: [
        { index: 0, match: 'event.type == "a"', path: '/a', value: 'false', chosen: false },
        { index: 1, match: 'event.type == "b"', path: '/b', value: 'true', chosen: true },
        { index: 2, match: 'event.data.x == 1', path: '/x', value: 'not looked at', chosen: false },
        { index: 3, match: '', path: '/always', value: 'not looked at', chosen: false },
      ],
      default: { path: '/default', chosen: false },
      path: '/b',
    });
    const failed = explainRoutes(routes, { type: 'c' });
    expect(failed.rules.map(({ value }) => value)).toEqual(['false', 'false', 'error', 'not looked at']);
    expect(failed.rules[2]).toMatchObject({ error: 'No such key: data', column: 7 });
    expect(failed).not.toHaveProperty('path');
    const byDefault = explainRoutes(
      compileRoutes({ rules: [{ match: 'false', path: '/n' }], defaultPath: '/d' }),
      {},
    );
    expect([byDefault.default, byDefault.path]).toEqual([{ path: '/d', chosen: true }, '/d']);
  });
});
