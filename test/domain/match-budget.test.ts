// A match rule has a budget of steps: what a message makes of it cannot hold up the process.
import { Environment } from '@marcbachmann/cel-js';
import { describe, expect, test } from 'vitest';
import { FUNCTION_PRICES, MACROS } from '../../core/domain/match-cost.ts';
import { compileMatch, MATCH_STEPS } from '../../core/domain/match.ts';
import type { MatchValue } from '../../core/domain/match.ts';
import { chooseRoute, compileRoutes } from '../../core/domain/routing.ts';
import { Steps } from '../../core/domain/steps.ts';

const TOO_MANY = { error: 'the rule needed more than 200,000 steps' };
/** Result of an evaluation of one rule. */
interface Told {
  readonly result: MatchValue;
  readonly used: number;
}

function evaluate(text: string, data: unknown, limit = MATCH_STEPS): Told {
  const compiled = compileMatch(text);
  if (!compiled.ok) throw new Error(`${text}: ${compiled.complaint.message}`);
  const steps = new Steps(limit);
  return { result: compiled.value.evaluate({ type: 'order', data }, steps), used: steps.used };
}

function items(count: number): { sku: string; qty: number }[] {
  return Array.from({ length: count }, (_, index) => ({ sku: `s${index}`, qty: index }));
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

const members = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, index]));
const long = 'a'.repeat(1_000_000);
const LARGE = {
  items: items(40_000),
  members,
  twin: { ...members },
  long,
  other: `${long}b`,
  part: `b${'a'.repeat(10_000)}`,
  texts: Array.from({ length: 1000 }, () => 'a'.repeat(100)),
  digits: '1'.repeat(5000),
  groups: `1${'_1'.repeat(250_000)}`,
  grouped: '(a)'.repeat(10_000),
  longest: 'a'.repeat(3_500_000),
  half: long.slice(0, 300_000),
  // Another text of the same characters.
  half2: `${long.slice(0, 299_999)}a`,
  few: [1, {}],
  many: [1, members],
  ranges: `(?i)[${String.raw`A-\377`.repeat(400)}]`,
};

/** A rule that compares two long values of bytes for each item. */
function bytesOf(condition: string): string {
  return `[bytes(event.data.half)].exists(a, [bytes(event.data.half2)].exists(b, event.data.texts.exists(i, ${condition})))`;
}

describe('the budget of a rule', () => {
  test.each([10_000, 40_000])('each of %i items looked for among all of them is an error', (count) => {
    const text = 'event.data.items.all(a, event.data.items.exists_one(b, b.sku == a.sku))';
    expect(evaluate(text, { items: items(count) }).result).toEqual(TOO_MANY);
  });

  test.each([
    ['all in all', 'event.data.items.all(a, event.data.items.all(b, b.sku != "x"))'],
    ['exists in exists', 'event.data.items.exists(a, event.data.items.exists(b, b.sku == "x"))'],
    ['one in one', 'event.data.items.exists_one(a, event.data.items.exists_one(b, b.sku == "x"))'],
    ['map in map', 'event.data.items.map(a, event.data.items.map(b, b.qty)).size() == 1'],
    ['filter in filter', 'event.data.items.filter(a, event.data.items.filter(b, true) == []).size() == 1'],
    ['errors that others make up for', 'event.data.items.exists(a, a.none == 1 || event.type == "x")'],
    ['errors within errors', 'event.data.items.all(a, event.data.items.exists(b, b.none == a.none))'],
    ['members of an object', 'event.data.items.exists(a, event.data.members.exists(k, false))'],
    ['the type of an object', 'event.data.items.exists(a, a == event.data.members)'],
    ['objects compared', 'event.data.members == event.data.twin'],
    ['an object in a list', 'event.data.items.exists(a, event.data.twin in event.data.items)'],
    ['lists made longer', 'event.data.items.exists(a, (event.data.items + event.data.items).size() == 1)'],
    ['texts made longer', 'event.data.items.exists(a, event.data.long + a.sku == "x")'],
    [
      'the type of an object that is no condition',
      'event.data.items.exists(a, event.data.members || a.sku == "x")',
    ],
    [
      'an object of few members and one of many',
      'event.data.items.exists(a, event.data.few == event.data.many)',
    ],
    ['bytes compared', bytesOf('a == b && i == "x"')],
    ['bytes looked for in a list', bytesOf('a in [b] && i == "x"')],
    ['texts compared', 'event.data.items.exists(a, event.data.other < event.data.long)'],
    ['texts that nearly hold a long part', 'event.data.long.lastIndexOf(event.data.part) == 1'],
    ['a text cut to pieces', 'event.data.items.exists(a, event.data.long.split("").size() == 1)'],
    ['pieces put together', 'event.data.items.exists(a, event.data.texts.join(event.data.part) == "x")'],
    ['characters counted', 'event.data.items.exists(a, event.data.long.size() == 1)'],
    ['a number in many groups of digits', 'double(event.data.groups) == 1.0'],
    ['a duration of many digits', 'duration(event.data.digits) == duration("1s")'],
    ['time zones', 'event.data.items.exists(a, timestamp("2024-01-01T00:00:00Z").getHours("CET") == 99)'],
    [
      'a long text in the place of a time zone',
      'timestamp("2024-01-01T00:00:00Z").getHours(event.data.longest) == 1',
    ],
    ['a pattern on a long text', String.raw`event.data.long.matches("^(a+)+b$")`],
    ['a pattern with many instructions', String.raw`event.data.part.matches("[a-f]{900}x")`],
    ['a range of characters with other cases', String.raw`"x".matches("(?i)[\\x{42}-\\x{1e942}]")`],
    ['a pattern of thousands of groups', 'event.type.matches(event.data.grouped)'],
    ['many ranges of characters with other cases', 'event.type.matches(event.data.ranges)'],
    ['a new pattern each time', String.raw`event.data.items.exists(a, "x".matches(a.sku + "\\pL{20}"))`],
  ])('a rule with %s exceeds its budget', (_name, text) => {
    expect(evaluate(text, LARGE).result).toEqual(TOO_MANY);
  });

  test('a value that is nested too deeply is refused', () => {
    const tooDeep = { error: 'a value is nested deeper than 64 levels, more than a rule may compare' };
    expect(
      evaluate('event.data[0] == event.data[1]', [
        [1, nested(90)],
        [1, nested(90)],
      ]).result,
    ).toEqual(tooDeep);
    expect(evaluate('event.data == event.data', nested(60)).result).toEqual({ value: true });
  });

  test('the type of a value names three levels, however deep the value is', () => {
    const pairs = (depth: number): unknown => (depth === 0 ? 1 : { a: [pairs(depth - 1)] });
    expect(evaluate('event.data == 1', nested(5000)).result).toEqual({ value: false });
    const type = 'dyn<map<string, list<map<dyn, dyn>>>>';
    expect(evaluate('event.data + 1 == 1', pairs(20)).result).toMatchObject({
      error: `no such overload: ${type} + int`,
    });
  });

  test('lists, objects, bytes cannot be keys, however long they are', () => {
    const noKey = { error: 'lists, objects, bytes cannot be keys' };
    const data = { key: ['a'], map: { a: 1 }, none: {}, text: 'a' };
    for (const text of [
      'event.data.map[event.data.key] == 1',
      'event.data.map[event.data.map] == 1',
      'event.data.map[bytes("a")] == 1',
      'event.data.key[event.data.key] == "a"',
      'event.data.key in event.data.none',
      'size({event.data.text: 1, event.data.key: 2}) == 2',
    ])
      expect(evaluate(text, data).result).toEqual(noKey);
    expect(evaluate('event.data.map[event.data.text] == 1 && event.data.key[0] == "a"', data).result).toEqual(
      {
        value: true,
      },
    );
    expect(evaluate('{event.data.text: 5, "b": 2}.b == 2', data).result).toEqual({ value: true });
  });

  test('an object may have members with the names of what every object has', () => {
    const car = { constructor: { name: Array.from({ length: 50_000 }, () => 1) }, wheels: 4 };
    const race = { constructor: 'Lotus', valueOf: 3, toString: 'x', laps: [1, 2] };
    const data = { car, race, twin: { ...race }, races: [race, race], other: { ...race, laps: [1] } };
    for (const text of [
      'event.data.car.wheels == 4',
      'event.data.race.constructor == "Lotus" && event.data.race["valueOf"] == 3',
      'event.data.races.all(r, r.laps.size() == 2 && "constructor" in r && has(r.toString))',
      'event.data.race == event.data.twin && event.data.races[0] == event.data.twin',
      'event.data.race != event.data.other && [event.data.race] == [event.data.twin]',
      'event.data.race in event.data.races && !(event.data.other in event.data.races)',
      'size(event.data.race) == 4 && event.data.race.exists(name, name == "laps")',
      'event.data.race != 1',
    ])
      expect([text, evaluate(text, data).result]).toEqual([text, { value: true }]);
    expect(evaluate('event.data.car.constructor.name.exists(n, event.data.car == n)', data).result).toEqual(
      TOO_MANY,
    );
  });

  test('honest rules keep their meaning on large events', () => {
    expect(evaluate('event.data.items.exists(i, i.sku == "s9999")', { items: items(10_000) }).result).toEqual(
      {
        value: true,
      },
    );
    expect(
      evaluate('event.data.long.startsWith("a") && event.data.long.contains("b")', { long }).result,
    ).toEqual({
      value: false,
    });
    expect(evaluate('event.data.long == "x" || event.type == "order"', { long }).result).toEqual({
      value: true,
    });
    expect(evaluate('"ÄRGER".matches("(?i)^[à-ÿ]+[a-z]+$")', {}).result).toEqual({ value: true });
    expect(
      evaluate('"k7" in event.data', Object.fromEntries(Object.entries(members).slice(0, 1000))).result,
    ).toEqual({
      value: true,
    });
  });

  test('equal work takes equal steps, and ends at the same step', () => {
    const text = 'event.data.items.all(a, event.data.items.exists_one(b, b.sku == a.sku))';
    const [one, two] = [evaluate(text, { items: items(30) }), evaluate(text, { items: items(30) })];
    expect(one).toEqual(two);
    expect(one.result).toEqual({ value: true });
    expect(evaluate(text, { items: items(30) }, one.used).result).toEqual({ value: true });
    expect(evaluate(text, { items: items(30) }, one.used - 1).result).toHaveProperty('error');
  });

  test('a rule that ran out of steps is forgotten by the next', () => {
    const compiled = compileMatch('event.data.items.all(a, event.data.items.all(b, true))');
    if (!compiled.ok) throw new Error('it does not compile');
    expect(compiled.value.evaluate({ data: { items: items(10_000) } })).toEqual(TOO_MANY);
    expect(compiled.value.evaluate({ data: { items: items(10) } })).toEqual({ value: true });
  });

  test('the rules of one subscription share it, and the error names the one in which it was used up', () => {
    const rule = { match: 'event.data.items.exists(i, i.sku == "x")', path: '/x' };
    const routes = compileRoutes({ rules: [rule, rule, rule, rule], defaultPath: '/' });
    expect(chooseRoute(routes, { data: { items: items(10_000) } })).toEqual({
      kind: 'error',
      index: 3,
      match: rule.match,
      ...TOO_MANY,
    });
    expect(chooseRoute(routes, { data: { items: items(100) } })).toEqual({ kind: 'path', path: '/' });
  });

  test.each(['!', '-'])('thousands of %s are refused with a reason', (sign) => {
    const compiled = compileMatch(`${sign.repeat(9000)}true`);
    expect(compiled).toEqual({ ok: false, complaint: { message: 'nested too deeply' } });
  });

  test('an error that quotes the event is cut', () => {
    const { result } = evaluate('event.data[event.data.long] == 1', { long });
    expect('error' in result && result.error).toMatch(/^No such key: a{487}…$/);
  });

  test('every function of the library has its price', () => {
    const known = new Environment().getDefinitions().functions.map(({ name }) => name);
    const macros = new Set([...MACROS, 'has', 'bind']);
    // Optional values, which are switched off.
    for (const name of ['hasValue', 'value', 'none', 'of', 'or', 'orValue']) macros.add(name);
    expect(known.filter((name) => !macros.has(name) && !Object.hasOwn(FUNCTION_PRICES, name))).toEqual([]);
    expect(known.length).toBeGreaterThan(50);
  });
});
