// Every rule of the filter language's grammar: what a text is read as.
import { describe, expect, test } from 'vitest';
import type { FilterNode, FilterValue, TermKey } from '../../core/domain/filter/ast.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import { printFilter } from '../../core/domain/filter/print.ts';
import { filterOf } from './filter-sample.ts';

const word = (value: string): FilterNode => ({ kind: 'text', value: { kind: 'string', value } });
const string = (value: string): FilterValue => ({ kind: 'string', value });
const pattern = (value: string): FilterValue => ({ kind: 'pattern', value });
const number = (value: number): FilterValue => ({ kind: 'number', value });
const range = (from: number, to: number): FilterValue => ({ kind: 'range', from, to });
const term = (key: TermKey, ...values: FilterValue[]): FilterNode => ({ kind: 'term', key, op: '=', values });
const and = (...nodes: FilterNode[]): FilterNode => ({ kind: 'and', nodes });
const or = (...nodes: FilterNode[]): FilterNode => ({ kind: 'or', nodes });
const not = (node: FilterNode): FilterNode => ({ kind: 'not', node });
const data = (path: (string | number)[], ...values: FilterValue[]): FilterNode => ({
  kind: 'term',
  key: 'data',
  path,
  op: '=',
  values,
});

const a = word('a');
const b = word('b');
const c = word('c');

describe('queries', () => {
  test.each<[string, FilterNode]>([
    ['a b', and(a, b)],
    ['a AND b', and(a, b)],
    ['a b AND c', and(a, b, c)],
    ['a OR b', or(a, b)],
    ['a OR b OR c', or(a, b, c)],
    ['a b OR c', or(and(a, b), c)],
    ['a OR b c', or(a, and(b, c))],
    ['(a OR b) c', and(or(a, b), c)],
    ['(a b) c', and(and(a, b), c)],
    ['a(b)c', and(a, b, c)],
    ['(a)', a],
    ['((a))', a],
    ['NOT a b', and(not(a), b)],
    ['NOT (a b)', not(and(a, b))],
    ['NOT a OR b', or(not(a), b)],
    ['a OR NOT b', or(a, not(b))],
    ['-a', not(a)],
    ['-(a OR b)', not(or(a, b))],
    ['-"a b"', not(word('a b'))],
    ['-topic:a', not(term('topic', string('a')))],
    ['NOT NOT a', not(not(a))],
    ['NOT -a', not(not(a))],
    // Only at the start of a term, and once.
    ['dead-lettered', word('dead-lettered')],
    ['state:dead-lettered', term('state', string('dead-lettered'))],
    ['topic:-a', term('topic', string('-a'))],
    ['--a', not(word('-a'))],
    ['-', word('-')],
    ['- a', and(word('-'), a)],
    // Operators only in capitals, and only as words of their own.
    ['a or b', and(a, word('or'), b)],
    ['a and b', and(a, word('and'), b)],
    ['not a', and(word('not'), a)],
    ['ORDER', word('ORDER')],
    ['ANDROID NOTE', and(word('ANDROID'), word('NOTE'))],
    ['"OR" a', and(word('OR'), a)],
    ['(a)OR(b)', or(a, b)],
    ['"a"OR"b"', or(a, b)],
    ['a\tb\nc', and(a, b, c)],
  ])('%s is parsed as a query', (text, root) => {
    expect(parseFilter(text)).toEqual({ ok: true, filter: { isEmpty: false, root } });
  });

  test.each(['', ' ', '\t\n '])('%j is the empty filter', (text) => {
    expect(parseFilter(text)).toEqual({ ok: true, filter: { isEmpty: true, root: and() } });
    expect(printFilter(filterOf(text))).toBe('');
  });
});

describe('words and quotes', () => {
  test.each<[string, FilterNode]>([
    ['late', word('late')],
    ['"late fee"', word('late fee')],
    [String.raw`"say \"hi\""`, word('say "hi"')],
    [String.raw`"C:\\temp"`, word(String.raw`C:\temp`)],
    [String.raw`"a\nb"`, word(String.raw`a\nb`)],
    ['""', word('')],
    ['"(a OR b)"', word('(a OR b)')],
    ['"http://x"', word('http://x')],
    ['foo*bar', { kind: 'text', value: { kind: 'pattern', value: 'foo*bar' } }],
    ['"foo*bar"', word('foo*bar')],
    ['a,b', word('a,b')],
    ['x=1', word('x=1')],
    ['größe', word('größe')],
    ['a"b c"', and(a, word('b c'))],
  ])('%s is parsed as a word', (text, root) => {
    expect(filterOf(text).root).toEqual(root);
  });
});

describe('terms', () => {
  test.each<[string, FilterNode]>([
    ['topic:orders', term('topic', string('orders'))],
    ['topic=orders', term('topic', string('orders'))],
    ['topic:=orders', term('topic', string('orders'))],
    ['topic!=orders', { kind: 'term', key: 'topic', op: '!=', values: [string('orders')] }],
    ['topic:!=orders', { kind: 'term', key: 'topic', op: '!=', values: [string('orders')] }],
    ['topic:a,b,c', term('topic', string('a'), string('b'), string('c'))],
    ['topic:a,"b,c",d*', term('topic', string('a'), string('b,c'), pattern('d*'))],
    ['topic=a,b', term('topic', string('a,b'))],
    ['topic:a:b', term('topic', string('a:b'))],
    ['topic:"a b"', term('topic', string('a b'))],
    ['topic:"*"', term('topic', string('*'))],
    ['topic:""', term('topic', string(''))],
    ['type:com.acme.*', term('type', pattern('com.acme.*'))],
    ['topic:1..5', term('topic', string('1..5'))],
    ['topic:a(b)', and(term('topic', string('a')), b)],
    ['state:parked,dead-lettered', term('state', string('parked'), string('dead-lettered'))],
    ['state:none', term('state', string('none'))],
    ['state:dead*', term('state', pattern('dead*'))],
    ['is:unread,pinned', term('is', string('unread'), string('pinned'))],
    ['attempts:3', term('attempts', number(3))],
    ['attempts:1,3..5', term('attempts', number(1), range(3, 5))],
    ['attempts:"3"', term('attempts', number(3))],
    ['attempts:-0', term('attempts', number(0))],
    ['status:404', term('status', number(404))],
    ['status:5xx', term('status', range(500, 599))],
    ['status:4XX,500', term('status', range(400, 499), number(500))],
    ['status=5xx', term('status', range(500, 599))],
    ['size:1000', term('size', number(1000))],
    ['size:10b', term('size', number(10))],
    ['size:10kb', term('size', number(10_240))],
    ['size:1.5MB', term('size', number(1_572_864))],
    ['size:1kb..2kb', term('size', range(1024, 2048))],
    ['age:250ms', term('age', number(250))],
    ['age:1.5s', term('age', number(1500))],
    ['age:2m', term('age', number(120_000))],
    ['age:2h', term('age', number(7_200_000))],
    ['age:1d', term('age', number(86_400_000))],
    ['age:1m..5m', term('age', range(60_000, 300_000))],
  ])('%s is parsed as a term', (text, root) => {
    expect(filterOf(text).root).toEqual(root);
  });

  test.each(['=', '!=', '>', '>=', '<', '<='] as const)(
    'comparison %s is read with and without a colon',
    (op) => {
      const root = { kind: 'term', key: 'attempts', op, values: [number(3)] };
      expect(filterOf(`attempts${op}3`).root).toEqual(root);
      expect(filterOf(`attempts:${op}3`).root).toEqual(root);
    },
  );
});

describe('paths', () => {
  test.each<[string, FilterNode]>([
    ['data.total:1', data(['total'], number(1))],
    ['data.items[0].sku:"A 1"', data(['items', 0, 'sku'], string('A 1'))],
    ['data.m[0][12]:x', data(['m', 0, 12], string('x'))],
    ['data[0].sku:x', data([0, 'sku'], string('x'))],
    ['data.a-b.$c.ü:x', data(['a-b', '$c', 'ü'], string('x'))],
    ['data.x:*', data(['x'], pattern('*'))],
    ['data.x:true,false,null', data(['x'], kindOf(true), kindOf(false), { kind: 'null' })],
    ['data.x:"true"', data(['x'], string('true'))],
    ['data.x:True', data(['x'], string('True'))],
    ['data.x:-5', data(['x'], number(-5))],
    ['data.x:1.5e3', data(['x'], number(1500))],
    ['data.x:"5"', data(['x'], string('5'))],
    ['data.x:1e999', data(['x'], string('1e999'))],
    ['data.x:1..5', data(['x'], range(1, 5))],
    ['data.x:-5..-1', data(['x'], range(-5, -1))],
    ['data.x:a..b', data(['x'], string('a..b'))],
    ['data.x>100', { kind: 'term', key: 'data', path: ['x'], op: '>', values: [number(100)] }],
    ['data.x>abc', { kind: 'term', key: 'data', path: ['x'], op: '>', values: [string('abc')] }],
    [
      'meta.ttlInSeconds:60',
      { kind: 'term', key: 'meta', path: ['ttlInSeconds'], op: '=', values: [string('60')] },
    ],
    [
      'meta.cloudevent.type:x',
      { kind: 'term', key: 'meta', path: ['cloudevent.type'], op: '=', values: [string('x')] },
    ],
    ['meta.n:1..5', { kind: 'term', key: 'meta', path: ['n'], op: '=', values: [range(1, 5)] }],
    ['meta.n>5', { kind: 'term', key: 'meta', path: ['n'], op: '>', values: [number(5)] }],
  ])('%s is parsed as a path', (text, root) => {
    expect(filterOf(text).root).toEqual(root);
  });

  function kindOf(value: boolean): FilterValue {
    return { kind: 'boolean', value };
  }
});

test('a filter is plain JSON', () => {
  const filter = filterOf('a OR -data.x[0]>=1.5 state:parked "b c" size:1kb..2kb data.y:null,true');
  expect(JSON.parse(JSON.stringify(filter))).toEqual(filter);
});

test.each([
  ['--a*', '--a*'],
  ['NOT --a*', 'NOT --a*'],
  ['topic=a,b*', 'topic=a,b*'],
  ['topic==a*', 'topic==a*'],
  ['topic=>a*', 'topic=>a*'],
  ['topic!=a,b*', 'topic!=a,b*'],
  ['age:<1.5h', 'age<5400000ms'],
  ['status:5xx', 'status:500..599'],
  ['a AND (b OR c) -d', 'a (b OR c) NOT d'],
  ['data.x:"5",5,"a b"', 'data.x:"5",5,"a b"'],
])('%s is printed as %s', (text, printed) => {
  expect(printFilter(filterOf(text))).toBe(printed);
  expect(filterOf(printed)).toEqual(filterOf(text));
});
