// What a developer types first, beside payloads that were seen: each filter finds the message as it stands, leads to one that does, or is
// refused with a sentence that says what to write.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkFilter } from '../../core/domain/filter/meant.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import type { SeenMessages } from '../../core/domain/filter/seen-members.ts';
import { times } from '../support/extent.ts';
import { passes, type Sample } from './filter-sample.ts';

const SAMPLE: Sample = {
  row: { topic: 'orders', eventType: 'com.acme.order' },
  deliveries: [
    {
      state: 'parked',
      appId: 'mail',
      route: '/orders',
      attempts: [{ response: { status: 500 } }],
    },
  ],
  data: {
    orderId: 77,
    order: { id: 77, total: 2950, note: 'late fee' },
    customer: { name: 'Ada', email: 'ada@example.com' },
    items: [{ sku: 'A-1', qty: 2 }],
    answer: 'hello',
    status: 'paid',
    code: '1001',
    paid: true,
  },
};

const SEEN: SeenMessages = {
  values: {
    topic: ['orders', 'payments'],
    app: ['mail', 'shop'],
    pubsub: ['pubsub'],
    route: ['/orders'],
    type: ['com.acme.order'],
    source: ['shop-web'],
  },
  paths: [
    'orderId',
    'order',
    'order.id',
    'order.total',
    'order.note',
    'customer',
    'customer.name',
    'customer.email',
    'items',
    'items[0]',
    'items[0].sku',
    'items[0].qty',
    'answer',
    'status',
    'code',
    'paid',
  ],
  kinds: new Map([
    ['orderId', 'plain'],
    ['order.id', 'plain'],
    ['order.total', 'plain'],
    ['order.note', 'text'],
    ['customer.name', 'text'],
    ['customer.email', 'text'],
    ['items[0].sku', 'text'],
    ['items[0].qty', 'plain'],
    ['answer', 'text'],
    ['status', 'text'],
    ['code', 'text'],
    ['paid', 'plain'],
  ]),
};

/** A filter, and what is suggested for it; undefined: it is right as it stands. */
type Row = readonly [text: string, meant: string | undefined];

const TYPED: Readonly<Record<string, readonly Row[]>> = {
  'a value that is mistyped by a letter': [
    ['topic:order', 'topic:orders'],
    ['topic:oders', 'topic:orders'],
    ['topic:orderz', 'topic:orders'],
    ['app:mial', 'app:mail'],
    ['route:/order', 'route:/orders'],
  ],
  'a member that stands deeper': [
    ['total>2900', 'data.order.total>2900'],
    ['total > 2900', 'data.order.total>2900'],
    ['total >= 2900', 'data.order.total>=2900'],
    ['total>=2,900', 'data.order.total>=2900'],
    ['Total>2900', 'data.order.total>2900'],
    ['data.total>2900', 'data.order.total>2900'],
    ['order.total>2900', 'data.order.total>2900'],
    ['payload.order.total > 2900', 'data.order.total>2900'],
    ['$.order.total>2900', 'data.order.total>2900'],
    ['data.order.totl>2900', 'data.order.total>2900'],
    ['total between 2900 and 3000', 'data.order.total:2900..3000'],
    ['sku=A-1', 'data.items[0].sku=A-1'],
    ['items.sku:A-1', 'data.items[0].sku:A-1'],
    ['data.items.sku:A-1', 'data.items[0].sku:A-1'],
    ['name:Ada', 'data.customer.name:Ada'],
    ["customer.name = 'Ada'", 'data.customer.name="Ada"'],
    ['email:ada@example.com', 'data.customer.email:ada@example.com'],
    ['id:77', 'data.order.id:77'],
    ['data.order.total>2900', undefined],
    ['data.items[0].sku:A-1', undefined],
  ],
  'one of several values': [
    ['data.orderId=77,999', 'data.orderId:77,999'],
    ['orderId in (77, 999)', 'data.orderId:77,999'],
    ['orderId!=78,999', '-data.orderId:78,999'],
    ['data.orderId:77,999', undefined],
    ['topic!=a,b', '-topic:a,b'],
  ],
  'a number or a text': [
    ['orderId=77', 'data.orderId=77'],
    ['data.orderid:77', 'data.orderId:77'],
    ['data.orderId:"77"', 'data.orderId:77'],
    ['data.code:1001', 'data.code:"1001"'],
    ['data.code!=1002', 'data.code!="1002"'],
    ['paid=true', 'data.paid=true'],
    ['data.paid:"true"', 'data.paid:true'],
  ],
  'a key that is a member too': [
    ['answer:hello', 'data.answer:hello'],
    ['answer=hello', 'data.answer=hello'],
    ['status:paid', 'data.status:paid'],
    ['status = paid', 'data.status=paid'],
    ['answer:500', undefined],
    ['status:500', undefined],
  ],
  'a state': [
    ['parked', 'state:parked'],
    ['NOT processed', 'NOT state:processed'],
    ['not processed', 'NOT state:processed'],
    ['-processed', '-state:processed'],
    ['!processed', '-state:processed'],
    ['state=parked', undefined],
    ['state = parked', 'state=parked'],
    ['state==parked', 'state=parked'],
    ['state:PARKED', undefined],
    ['state is parked', 'state:parked'],
    ['STATE:parked', 'state:parked'],
  ],
  'a topic, a type, a route': [
    ['topic=orders', undefined],
    ['topic == "orders"', 'topic="orders"'],
    ['topic:Orders', 'topic:orders'],
    ['topic:order', 'topic:orders'],
    ['type:order', 'type:com.acme.order'],
    ['route:orders', 'route:/orders'],
    ['app=mail', undefined],
  ],
  'quotes that do not close': [
    ['"late fee', '"late fee"'],
    ["'late fee", '"late fee"'],
    ["topic:'orders", 'topic:"orders"'],
    ['customer.name:"Ada', 'data.customer.name:"Ada"'],
    ['late fee', undefined],
  ],
  'spaces around an operator': [
    ['attempts >= 1', 'attempts>=1'],
    ['attempts: >= 1', 'attempts:>=1'],
    ['status >= 500', 'status>=500'],
    ['age < 5 minutes', 'age<5m'],
    ['attempts>=1', undefined],
  ],
};

describe.each(Object.entries(TYPED))('%s', (_what, rows) => {
  test.each(rows)('%s is right, or means %s', (text, meant) => {
    const check = checkFilter(text, SEEN);
    expect(check.meant).toBe(meant);
    expect(passes(meant ?? text, SAMPLE)).toBe(true);
    expect(checkFilter(meant ?? text, SEEN)).toEqual({ ok: true });
    if (check.ok) return;
    const [, said] =
      /(?:Did you mean|For a member of the payload, write) "([^"]+)"/.exec(check.error.message) ?? [];
    expect(meant).toContain(said);
  });
});

test.each([
  ['topic>orders', 'Expected ":", "=" or "!=" after "topic" at 6, found ">".'],
  ['attempts:many', 'Expected a number after "attempts:" at 10, found "many".'],
  ['age:yesterday', 'Expected a duration after "age:" at 5, found "yesterday".'],
  ['topic:orders AND', '"AND" at 14 has nothing on its right.'],
  ['(state:parked', 'Closing parenthesis missing; the one at 1 is open. Did you mean "(state:parked)"?'],
])('%s is refused with a sentence that says what to write', (text, message) => {
  const check = checkFilter(text, SEEN);
  expect(check.ok ? undefined : check.error.message).toBe(message);
});

test('nothing else is suggested for a value that messages had, for a pattern, or without payloads', () => {
  for (const text of ['topic:payments', 'type:com.*', 'id:*', 'answer:RETRY', 'answer:grpc-7'])
    expect(checkFilter(text, SEEN)).toEqual({ ok: true });
  for (const text of ['answer:hello', 'data.total>5', 'id:A77', 'type:order'])
    expect(checkFilter(text)).toEqual({ ok: true });
});

test.each([
  ['id:77', 'id:#77'],
  ['#77', 'id:#77'],
  ['#1,234', 'id:#1234'],
  ['topic:orders (id:7,8 OR -id:9)', 'topic:orders (id:#7,#8 OR -id:#9)'],
  ['id:"77"', undefined],
  ['id:#77', undefined],
  ['id:77a', undefined],
  ['data.id:77', undefined],
])('the digits of %s are taken for the number of a message, if nothing else fits: %s', (text, meant) => {
  expect(checkFilter(text).meant).toBe(meant);
});

test.each([
  ['orders-dead', 'topic:orders-dead'],
  [' Orders-Dead ', 'topic:orders-dead'],
  ['late fees', 'topic:"late fees"'],
  ['orders-de', undefined],
  ['"orders-dead"', undefined],
])('a text that is the name of a topic is meant as the topic: %s', (text, meant) => {
  const seen = { values: { topic: ['orders-dead', 'late fees'] }, paths: [] };
  expect(checkFilter(text, seen).meant).toBe(meant);
});

test.each([
  ['Cannot', 'answer:Cannot'],
  ['"Cannot read"', 'answer:"Cannot read"'],
  ['Cannot read', 'answer:"Cannot read"'],
  ['topic:orders Cannot', 'topic:orders answer:Cannot'],
  ['error:Cannot', 'answer:Cannot'],
  ['error:refused', undefined],
  ['-Cannot', undefined],
  ['answer:Cannot', undefined],
  ['undefined', undefined],
  ['response:Cannot', 'answer:Cannot'],
  ['response:500', 'status:500'],
  ['errorMessage:Cannot', 'answer:Cannot'],
  ['body:Cannot', 'answer:Cannot'],
  ['body.total>5', 'data.total>5'],
])('words of an answer are looked for in answers: %s', (text, meant) => {
  const answers = ['{"error":"cannot read properties of null"}'];
  expect(checkFilter(text, { values: {}, paths: [], answers }).meant).toBe(meant);
});

test('a member of payloads that has the name of an answer is meant before it', () => {
  const seen = { values: {}, paths: ['body', 'total'], answers: ['cannot read'] };
  expect(checkFilter('body:Cannot', seen).meant).toBe('data.body:Cannot');
});

test('a text that is longer than anybody writes is not compared with payloads', () => {
  const text = `data.total>2900 ${'a'.repeat(1000)}`;
  expect(checkFilter(text, SEEN)).toEqual({ ok: true });
  expect(checkFilter(text.slice(0, 1000), SEEN).meant).toContain('data.order.total>2900');
});

test('whatever is suggested beside payloads can be read', () => {
  const parts = [
    'topic:',
    'total',
    'data.',
    'order',
    '.',
    '>',
    '=',
    '!=',
    '77',
    '"',
    ',',
    ' ',
    'NOT ',
    '(',
    ')',
  ];
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 8 });
  fc.assert(
    fc.property(texts, (text) => {
      const { meant } = checkFilter(text.join(''), SEEN);
      expect(parseFilter(meant ?? '')).toMatchObject({ ok: true });
    }),
    { numRuns: times(400, 1000) },
  );
});
