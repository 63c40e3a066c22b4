// Comparisons of each key: one message that passes and one that does not, per rule.
import { describe, expect, test } from 'vitest';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import { needsData, needsText } from '../../core/domain/filter/evaluate.ts';
import { filterOf, passes } from './filter-sample.ts';
import type { Sample } from './filter-sample.ts';

/** Filter, a message that passes, a message that does not. */
type Row = [string, Sample, Sample];

/** A message whose app answered with a body. */
const said = (body: string, status = 500): Sample => ({
  deliveries: [{ attempts: [{ response: { status: 404 } }, { response: { status, body } }] }],
});
const bytes = (body: string): { status: number; body: string; bodyBase64: boolean } => ({
  status: 500,
  body,
  bodyBase64: true,
});

/** A message whose app answered with a status word. */
const answeredWith = (word: string): Sample => ({
  deliveries: [{ attempts: [{ response: { status: 200 }, word }] }],
});

describe('text keys', () => {
  test.each<Row>([
    ['topic:orders', { row: { topic: 'orders' } }, { row: { topic: 'Orders' } }],
    ['topic:orders', { row: { topic: 'orders' } }, { row: { topic: 'orders/new' } }],
    ['topic:orders*', { row: { topic: 'orders/new' } }, { row: { topic: 'my-orders' } }],
    ['topic:*/new', { row: { topic: 'orders/new' } }, { row: { topic: 'orders/newer' } }],
    ['topic:a*b*c', { row: { topic: 'a-b-b-c' } }, { row: { topic: 'acb' } }],
    ['topic:ab*ba', { row: { topic: 'abba' } }, { row: { topic: 'aba' } }],
    ['topic:a,b*', { row: { topic: 'bb' } }, { row: { topic: 'ab' } }],
    ['topic:"a*"', { row: { topic: 'a*' } }, { row: { topic: 'ab' } }],
    ['topic!=a', { row: { topic: 'b' } }, { row: { topic: 'a' } }],
    ['pubsub:redis', { row: { pubsubname: 'redis' } }, {}],
    ['app:shop', { row: { appId: 'shop' } }, { row: { appId: 'other' } }],
    ['app:mail', { deliveries: [{ appId: 'mail' }] }, { deliveries: [{ appId: 'other' }] }],
    ['route:/orders', { deliveries: [{ route: '/a' }, { route: '/orders' }] }, { deliveries: [{}] }],
    ['type:com.acme.*', { row: { eventType: 'com.acme.order' } }, { row: {} }],
    ['source:shop-web', { source: 'shop-web' }, { source: 'shop' }],
    ['source:binding', { row: { source: 'binding' } }, { row: { source: 'http' } }],
    ['origin:bulk', { row: { source: 'bulk' } }, { source: 'bulk' }],
    [
      'contenttype:application/*',
      { row: { contentType: 'application/json; charset=utf-8' } },
      { row: { contentType: 'text/plain' } },
    ],
    ['contenttype:text/plain', { row: { contentType: 'text/plain' } }, {}],
    ['batch:b1', { row: { batchId: 'b1' } }, { row: { batchId: 'b10' } }],
    [
      'answeredby:"fail twice"',
      { deliveries: [{ attempts: [{}, { answeredBy: { ruleId: 'rul_1', name: 'fail twice' } }] }] },
      { deliveries: [{ attempts: [{ answeredBy: { ruleId: 'rul_1' } }] }] },
    ],
    ['answeredby:rul_1', { deliveries: [{ attempts: [{ answeredBy: { ruleId: 'rul_1' } }] }] }, {}],
    ['answer:RETRY', answeredWith('RETRY'), answeredWith('DROP')],
    ['answer:retry', answeredWith('RETRY'), { deliveries: [{ attempts: [{ response: { status: 200 } }] }] }],
    ['answer:RETRY', answeredWith('retry'), answeredWith('SUCCESS')],
    ['answer:Drop,retry', answeredWith('DROP'), answeredWith('SUCCESS')],
    ['answer!=RETRY', answeredWith('SUCCESS'), answeredWith('RETRY')],
    [
      'answer:503',
      { deliveries: [{ attempts: [{ response: { status: 503 } }, {}] }] },
      answeredWith('RETRY'),
    ],
    [
      'answer:5xx,RETRY',
      { deliveries: [{ attempts: [{ response: { status: 503 } }] }] },
      answeredWith('DROP'),
    ],
    [
      'answer:unavailable',
      { deliveries: [{ attempts: [{ protocol: 'grpc', response: { status: 14 } }] }] },
      { deliveries: [{ attempts: [{ response: { status: 14 } }] }] },
    ],
    [
      'answer:"ok"',
      answeredWith('OK'),
      { deliveries: [{ attempts: [{ protocol: 'grpc', response: { status: 0 } }] }] },
    ],
    ['answer:may*', answeredWith('MAYBE'), answeredWith('RETRY')],
    ['answer:Cannot', said('{"error":"cannot read"}'), said('{"error":"timed out"}')],
    ['answer:"Cannot read"', said('{"error":"Cannot read"}'), said('{"read":"Cannot"}')],
    ['answer:cannot*undefined', said('Cannot read undefined.'), said('undefined cannot')],
    ['answer:cannot,5xx', said('Cannot read', 200), said('timed out', 404)],
    ['answer!=cannot', said('timed out'), said('Cannot read')],
    // A status word is searched in no body, and neither are bytes.
    ['answer:retry', answeredWith('RETRY'), said('retry later')],
    ['answer:s*', answeredWith('SUCCESS'), said('so it failed')],
    ['answer:abc', said('xabcx'), { deliveries: [{ attempts: [{ response: bytes('xabcx') }] }] }],
    [
      'answer:*',
      { deliveries: [{ attempts: [{ response: { status: 200 } }] }] },
      { deliveries: [{ attempts: [{}] }] },
    ],
    [
      'protocol:grpc',
      { deliveries: [{ attempts: [{ protocol: 'grpc', response: { status: 0 } }] }] },
      { deliveries: [{ attempts: [{ response: { status: 200 } }] }] },
    ],
    ['protocol:grpc', { row: { source: 'grpc-bulk' } }, { row: { source: 'console' } }],
    ['protocol:http', { row: { source: 'http' } }, { row: { source: 'grpc' } }],
    [
      'status:deadline_exceeded',
      { deliveries: [{ attempts: [{ protocol: 'grpc', response: { status: 4 } }] }] },
      { deliveries: [{ attempts: [{ response: { status: 4 } }] }] },
    ],
    [
      'status:grpc-14',
      { deliveries: [{ attempts: [{ protocol: 'grpc', response: { status: 14 } }] }] },
      { deliveries: [{ attempts: [{ protocol: 'grpc', response: { status: 13 } }] }] },
    ],
    [
      'status<600',
      { deliveries: [{ attempts: [{ response: { status: 500 } }] }] },
      { deliveries: [{ attempts: [{ protocol: 'grpc', response: { status: 14 } }] }] },
    ],
    [
      'lastrule:user.dead-letter',
      { deliveries: [{}, { rule: 'user.dead-letter' }] },
      { deliveries: [{ rule: 'policy.exhausted' }] },
    ],
    [
      'lastrule:parked/policy.no-route',
      { deliveries: [{ state: 'processed' }, { state: 'parked', rule: 'policy.no-route' }] },
      // The rule is that of another delivery.
      {
        deliveries: [
          { state: 'parked', rule: 'policy.route-error' },
          { state: 'dropped', rule: 'policy.no-route' },
        ],
      },
    ],
    [
      'took>500ms',
      { deliveries: [{}, { lastDurationMs: 500.1 }] },
      { deliveries: [{ lastDurationMs: 500 }] },
    ],
    ['took:1s..2s', { deliveries: [{ lastDurationMs: 2000 }] }, { deliveries: [{}] }],
    ['took<1s', { deliveries: [{ lastDurationMs: 0 }] }, {}],
    ['replayof:msg_1', { row: { replayOf: 'msg_1' } }, {}],
    ['trace:4bf9*', { row: { traceId: '4bf92f' } }, {}],
    ['trace:*', { row: { traceId: 'x' } }, {}],
    ['subject:s1', { row: { subject: 's1' } }, { row: { subject: 'S1' } }],
  ])('%s matches one message and not the other', (text, yes, no) => {
    expect(passes(text, yes)).toBe(true);
    expect(passes(text, no)).toBe(false);
  });
});

describe('id', () => {
  test.each<Row>([
    ['id:msg_1', { row: { messageId: 'msg_1f' } }, { row: { messageId: 'msg_2' } }],
    ['id:dlv_4', { deliveries: [{ deliveryId: 'dlv_1' }, { deliveryId: 'dlv_42' }] }, { deliveries: [{}] }],
    ['id:A-1', { row: { eventId: 'A-1' } }, { row: { eventId: 'A-10' } }],
    ['id:#29', { row: { number: 29 } }, { row: { number: 290 } }],
    ['id:#29', { row: { eventId: '#29' } }, { row: { eventId: '29' } }],
    ['id:A-1,#29', { row: { number: 29 } }, {}],
    ['id:29', { row: { eventId: '29' } }, { row: { number: 29 } }],
    ['id:A-*', { row: { eventId: 'A-10' } }, { row: { eventId: 'B-10' } }],
    ['id:*1f', { row: { messageId: 'msg_1f' } }, { row: { messageId: 'msg_1f0' } }],
  ])('%s matches one message and not the other', (text, yes, no) => {
    expect(passes(text, yes)).toBe(true);
    expect(passes(text, no)).toBe(false);
  });
});

describe('state', () => {
  test.each(DELIVERY_STATES)('%s matches if any delivery has that state', (state) => {
    const other = state === 'processed' ? 'queued' : 'processed';
    expect(passes(`state:${state}`, { deliveries: [{ state: other }, { state }] })).toBe(true);
    expect(passes(`state:${state}`, { deliveries: [{ state: other }] })).toBe(false);
  });

  test.each(['held', 'dropped', 'expired', 'waiting', 'refused'] as const)(
    '%s matches a message in that stage',
    (stage) => {
      expect(passes(`state:${stage}`, { row: { stage } })).toBe(true);
      expect(passes(`state:${stage}`, {})).toBe(false);
    },
  );

  test('waiting matches a delivery that waits for its subscription', () => {
    const waits = { pubsubname: 'pubsub', topic: 'orders' };
    const waiting: Sample = { deliveries: [{}, { state: 'queued', waitsFor: waits }] };
    for (const filter of [
      'state:waiting',
      'state:Waiting',
      'state:queued',
      'state:wait*',
      '-state:none',
      'state!=parked',
    ])
      expect(passes(filter, waiting)).toBe(true);
    expect(passes('state!=waiting', waiting)).toBe(false);
    expect(passes('state:waiting', { deliveries: [{ state: 'queued' }] })).toBe(false);
  });

  test('none matches a message without a subscription', () => {
    expect(passes('state:none', {})).toBe(true);
    expect(passes('state:none -is:replayed', {})).toBe(true);
    expect(passes('state:none -is:replayed', { row: { replayedAs: 'msg_1' } })).toBe(false);
    expect(passes('state:none', { row: { stage: 'waiting' } })).toBe(false);
    expect(passes('state:none', { deliveries: [{}] })).toBe(false);
  });

  test('!= matches if no delivery has that state', () => {
    expect(passes('state!=parked', { deliveries: [{ state: 'parked' }, { state: 'queued' }] })).toBe(false);
    expect(passes('state!=parked', { deliveries: [{ state: 'queued' }] })).toBe(true);
  });
});

describe('history of the deliveries', () => {
  const answered = (status: number): Sample => ({
    deliveries: [{ attempts: [], transitions: [] }, { attempts: [{ response: { status } }] }],
  });
  const failed: Sample = {
    deliveries: [
      { attempts: [{ error: { code: 'refused', message: 'connect ECONNREFUSED 127.0.0.1:6001' } }] },
    ],
  };
  const moved: Sample = { deliveries: [{ transitions: [{ rule: 'single.404', cause: 'app' }] }] };

  test.each<Row>([
    ['status:404', answered(404), answered(200)],
    ['status:5xx', answered(503), answered(404)],
    ['status:400..404', answered(404), answered(405)],
    ['status>=500', answered(500), answered(499)],
    ['status!=404', answered(200), answered(404)],
    ['error:*refused*', failed, answered(500)],
    ['error:refused', failed, {}],
    ['error:*econnrefused*', failed, {}],
    ['error:*', failed, answered(500)],
    ['rule:single.404', moved, {}],
    ['rule:single.*', moved, {}],
    ['cause:app,user', moved, {}],
    ['attempts:2', { deliveries: [{ attempts: [{}, {}] }] }, { deliveries: [{ attempts: [{}] }] }],
    ['attempts:>=1', { deliveries: [{ attempts: [] }, { attempts: [{}] }] }, {}],
    ['attempts:0', {}, { deliveries: [{ attempts: [{}] }] }],
  ])('%s matches one message and not the other', (text, yes, no) => {
    expect(passes(text, yes)).toBe(true);
    expect(passes(text, no)).toBe(false);
  });
});

const MOVED = { rule: 'policy.attempt', cause: 'policy' } as const;

describe('measures', () => {
  test.each<Row>([
    ['size:1000', {}, { row: { sizeBytes: 1001 } }],
    ['size:>10kb', { row: { sizeBytes: 10_241 } }, { row: { sizeBytes: 10_240 } }],
    ['size:1kb..2kb', { row: { sizeBytes: 2048 } }, { row: { sizeBytes: 2049 } }],
    ['age:<5m', { row: { at: '2026-03-01T10:00:00.000Z' } }, { row: { at: '2026-03-01T09:56:00.000Z' } }],
    ['age:>=1m', { row: { at: '2026-03-01T10:00:00.000Z' } }, { row: { at: '2026-03-01T10:00:00.001Z' } }],
    ['age:1m', { row: { at: '2026-03-01T10:00:00.000Z' } }, { row: { at: '2026-03-01T10:00:01.000Z' } }],
    [
      'time:>=2026-03-01T10:00:00Z',
      { row: { at: '2026-03-01T10:00:00.000Z' } },
      { row: { at: '2026-03-01T09:59:59.999Z' } },
    ],
    [
      'time:2026-03-01T11:00:00+01:00..2026-03-01T10:00:30Z',
      { row: { at: '2026-03-01T10:00:30.000Z' } },
      { row: { at: '2026-03-01T10:00:30.001Z' } },
    ],
    [
      'changed:>=2026-03-01T10:00:00Z',
      {
        row: { at: '2026-03-01T09:00:00.000Z' },
        deliveries: [{ transitions: [{ ...MOVED, at: '2026-03-01T10:00:00.000Z' }] }],
      },
      {
        row: { at: '2026-03-01T09:00:00.000Z' },
        deliveries: [{ transitions: [{ ...MOVED, at: '2026-03-01T09:59:59.999Z' }] }],
      },
    ],
    [
      'changed:>=2026-03-01T10:00:00Z',
      { row: { at: '2026-03-01T10:00:00.000Z' } },
      { row: { at: '2026-03-01T09:59:59.999Z' } },
    ],
    ['is:unread', { row: { unread: true } }, { row: { unread: false } }],
    ['is:pinned', { row: { pinned: true } }, {}],
    ['is:raw', { row: { raw: true } }, {}],
    ['is:bulk', { row: { batchId: 'b' } }, {}],
    ['is:bulk', { row: { source: 'bulk' } }, {}],
    ['is:replay', { row: { replayOf: 'msg_0' } }, {}],
    ['is:replay', { row: { source: 'replay' } }, {}],
    ['is:raw,pinned', { row: { pinned: true } }, { row: { unread: true } }],
  ])('%s matches one message and not the other', (text, yes, no) => {
    expect(passes(text, yes)).toBe(true);
    expect(passes(text, no)).toBe(false);
  });
});

describe('data', () => {
  const order = {
    total: 120,
    id: '120',
    paid: true,
    note: null,
    empty: '',
    items: [{ sku: 'A 1' }, { sku: 'B' }],
    'a-b': 1,
    nested: { items: { length: 3 } },
  };

  test.each<[string, boolean]>([
    ['data.total:120', true],
    ['data.total:"120"', false],
    ['data.id:120', false],
    ['data.id:"120"', true],
    ['data.total>100', true],
    ['data.total>120', false],
    ['data.total<=120', true],
    ['data.total:100..120', true],
    ['data.total:121..130', false],
    ['data.id>"11"', true],
    ['data.id>5', false],
    ['data.paid:true', true],
    ['data.paid:false', false],
    ['data.paid:"true"', false],
    ['data.note:null', true],
    ['data.missing:null', false],
    ['data.note:*', true],
    ['data.empty:*', true],
    ['data.empty:""', true],
    ['data.missing:*', false],
    ['data.items:*', true],
    ['data.items[0].sku:"A 1"', true],
    ['data.items[1].sku:A*,B', true],
    ['data.items[2].sku:*', false],
    ['data.items.length:2', false],
    ['data.nested.items.length:3', true],
    ['data.total.x:*', false],
    ['data.a-b:1', true],
    ['data.total:1*', false],
    ['data.total!=5', true],
    ['data.total!=120', false],
    ['data.missing!=5', true],
    ['data.toString:*', false],
    ['data.__proto__:*', false],
    ['data.constructor.name:*', false],
  ])('%s is %s', (text, holds) => {
    expect(passes(text, { data: order })).toBe(holds);
  });

  test('a payload that is no object has no members', () => {
    expect(passes('data.length:*', { data: 'text' })).toBe(false);
    expect(passes('data[0]:1', { data: [1] })).toBe(true);
    expect(passes('data[0]:*', { data: 'text' })).toBe(false);
    expect(passes('data.x:*', { wire: 'not JSON' })).toBe(false);
  });

  test('a member named __proto__ is a member like any other', () => {
    expect(passes('data.__proto__.x:1', { wire: '{"data":{"__proto__":{"x":1}}}' })).toBe(true);
  });
});

describe('meta', () => {
  const metadata = { ttlInSeconds: '60', 'cloudevent.type': 'a.b', empty: '', word: 'x' };
  test.each<[string, boolean]>([
    ['meta.ttlInSeconds:60', true],
    ['meta.ttlInSeconds:"60"', true],
    ['meta.ttlInSeconds:60.0', false],
    ['meta.ttlInSeconds>9', true],
    ['meta.ttlInSeconds:50..60', true],
    ['meta.ttlInSeconds>60', false],
    ['meta.cloudevent.type:a.*', true],
    ['meta.empty:*', true],
    ['meta.empty:0..1', false],
    ['meta.word>w', true],
    ['meta.word>1', false],
    ['meta.missing:*', false],
    ['meta.toString:*', false],
    ['meta.ttlInSeconds!=60', false],
  ])('%s is %s', (text, holds) => {
    expect(passes(text, { metadata })).toBe(holds);
  });
});

describe('free text', () => {
  test.each<[string, boolean]>([
    ['late', true],
    ['LATE', true],
    ['"Late Fee"', true],
    ['"fee late"', false],
    ['l*fee', true],
    ['fee*late', false],
    ['"l*fee"', false],
    ['über', true],
  ])('%s is %s', (text, holds) => {
    expect(passes(text, { data: { note: 'a late FEE', more: 'ÜBER' } })).toBe(holds);
  });
});

test('a filter shows whether it needs the data or the text', () => {
  expect(needsData(filterOf('topic:a state:parked'))).toBe(false);
  expect(needsData(filterOf('topic:a OR NOT data.x:1'))).toBe(true);
  expect(needsData(filterOf('source:x'))).toBe(true);
  expect(needsText(filterOf('topic:a data.x:1'))).toBe(false);
  expect(needsText(filterOf('topic:a OR NOT (state:parked b)'))).toBe(true);
});

describe('the examples of the help sheet', () => {
  test.each<Row>([
    [
      'topic:orders state:retrying type:com.acme.* data.total>100 "late fee"',
      {
        row: { eventType: 'com.acme.order' },
        deliveries: [{ state: 'retrying' }],
        data: { total: 101, note: 'Late fee' },
      },
      {
        row: { eventType: 'com.acme.order' },
        deliveries: [{ state: 'retrying' }],
        data: { total: 100, note: 'Late fee' },
      },
    ],
    [
      'state:parked,dead-lettered -app:mock',
      { deliveries: [{ state: 'dead-lettered' }] },
      { deliveries: [{ state: 'parked', appId: 'mock' }] },
    ],
    [
      '(status:5xx OR error:*) age:<10m',
      { deliveries: [{ attempts: [{ error: { code: 'reset', message: '' } }] }] },
      { deliveries: [{ attempts: [{ response: { status: 200 } }] }] },
    ],
    [
      'NOT is:replay data.items[0].sku:"A 1"',
      { data: { items: [{ sku: 'A 1' }] } },
      { row: { replayOf: 'msg_0' }, data: { items: [{ sku: 'A 1' }] } },
    ],
  ])('%s matches one message and not the other', (text, yes, no) => {
    expect(passes(text, yes)).toBe(true);
    expect(passes(text, no)).toBe(false);
  });
});
