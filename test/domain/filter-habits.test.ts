// Filters in the habits of other tools: each is right as it stands, or leads to one that is, and sentence and suggestion agree.
import { describe, expect, test } from 'vitest';
import { checkFilter, meantFilter } from '../../core/domain/filter/meant.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';

const FAILED = 'state:parked,dead-lettered,dropped';
const UNFINISHED = 'state:queued,held,attempting,retrying';
const ERRORS = '(error:* OR status:4xx,5xx)';
const RETRIED = '(state:retrying OR attempts>1)';

/** A filter of a new user, and what is suggested for it; undefined: it is right as it stands. */
type Row = readonly [text: string, meant: string | undefined];

const HABITS: Readonly<Record<string, readonly Row[]>> = {
  'asks what was slow': [
    ['took>500ms', undefined],
    ['took>500', 'took>500ms'],
    ['took:2s', 'took:>=2s'],
    ['took:', 'took:>1s'],
    ['duration>500ms', 'took>500ms'],
    ['latency>1s', 'took>1s'],
    ['latency > 200', 'took>200ms'],
    ['duration_ms>=200', 'took>=200ms'],
    ['duration:long', 'data.duration:long'],
  ],
  'writes a state as words': [
    ['waiting', 'state:waiting'],
    ['Waiting', 'state:waiting'],
    ['no subscription', 'state:none'],
    ['No subscription', 'state:none'],
    ['dead letter', 'state:dead-lettered'],
    ['dead letters', 'state:dead-lettered'],
    ['Dead-lettered', 'state:dead-lettered'],
    ['topic:orders no subscription', undefined],
  ],
  'mistypes and misplaces': [
    ['total: >100', 'data.total:>100'],
    ['status: >= 500', 'status:>=500'],
    ['attempts: > 2', 'attempts:>2'],
    ['dta:5', 'data.dta:5'],
    ['mta:5', 'data.mta:5'],
    ['topic orders', 'topic:orders'],
    ['topic orders and status 500', 'topic:orders AND status:500'],
    ['topic:orders, status:500', 'topic:orders status:500'],
    ['topic:orders; status:500', 'topic:orders status:500'],
    ['topic:!orders', '-topic:orders'],
    ['topic=orders,payments', 'topic:orders,payments'],
    ['state=parked,dropped', 'state:parked,dropped'],
  ],
  'names a member of the payload that is the name of a key elsewhere': [
    ['code:abc', 'data.code:abc'],
    ['-code:E42', '-data.code:E42'],
    ['code = "abc"', 'data.code="abc"'],
    ['code:!abc', 'data.code:!abc'],
    ['outcome:win', 'data.outcome:win'],
    ['result:>5', 'data.result:>5'],
    ['retry:yes', 'data.retry:yes'],
    ['attempt:abc', 'data.attempt:abc'],
    ['length:abc', 'data.length:abc'],
    ['http:foo', 'data.http:foo'],
    ['code:500', 'status:500'],
    ['code:500,404', 'status:500,404'],
    ['code:"500"', 'status:"500"'],
    ['bytes:>1k', 'size:>1kb'],
    ['result:failed', FAILED],
  ],
  'knows the network panel of DevTools': [
    ['status-code:404', 'status:404'],
    ['-status-code:200', '-status:200'],
    ['larger-than:1k', 'size>1kb'],
    ['is:running', UNFINISHED],
    ['/ord.*/', 'ord*'],
    ['url:/orders', 'route:/orders'],
    ['mime-type:application/json', 'contenttype:application/json*'],
    ['scheme:grpc', 'protocol:grpc'],
  ],
  'writes a part of a content type, or one without its parameters': [
    ['content-type:json', 'contenttype:*json*'],
    ['content-type:application/json', 'contenttype:application/json*'],
    ['content-type="application/json"', 'contenttype=application/json*'],
    ['-content-type:json', '-contenttype:*json*'],
    ['content-type:json,xml', 'contenttype:*json*,*xml*'],
    ['content-type:*json*', 'contenttype:*json*'],
    ['content-type:application/cloudevents+json', 'contenttype:application/cloudevents+json*'],
    ['contenttype:json', 'contenttype:*json*'],
    ['contenttype:application/json', undefined],
  ],
  'knows Kafka UI': [
    ['record.value.total > 100', 'data.total>100'],
    ['value.customer.name == "Ada"', 'data.customer.name="Ada"'],
    ['topic.contains("ord")', 'topic:*ord*'],
    ['record.value.sku.startsWith("A-")', 'data.sku:A-*'],
    ['timestamp > 2026-01-31 14:30:00', 'time>2026-01-31T14:30:00Z'],
    ['consumer:shop', 'app:shop'],
    ['queue:orders', 'topic:orders'],
  ],
  'knows Temporal': [
    ['ExecutionStatus = "Failed"', FAILED],
    [
      "ExecutionStatus IN ('Running', 'Failed')",
      `state:queued,held,attempting,retrying,parked,dead-lettered,dropped`,
    ],
    ["WorkflowType = 'com.acme.order'", 'type="com.acme.order"'],
    ['StartTime > "2026-01-31T14:30:00Z"', 'time>2026-01-31T14:30:00Z'],
    ["WorkflowId STARTS_WITH 'ord'", 'id:ord*'],
    ['status:completed', 'state:processed'],
    ['status:terminated', 'state:dropped'],
  ],
  'knows Linear and GitHub': [
    ['is:open', UNFINISHED],
    ['is:closed', 'state:processed'],
    ['status:open', UNFINISHED],
    ['created:<7d', 'age:<7d'],
    ['created:>2026-01-31', 'time:>2026-01-31'],
    ['created:2026-01-31..2026-02-01', 'time:2026-01-31..2026-02-01'],
    ['no:subscription', 'state:none'],
    ['no:total', '-data.total:*'],
  ],
  'knows JavaScript': [
    ['total === 5', 'data.total=5'],
    ['total !== 5', 'data.total!=5'],
    ['data.total === 5', 'data.total=5'],
    ['topic =~ /ord.*/i', 'topic:*ord*'],
    ['topic =~ /^ord/', 'topic:*ord*'],
    ['topic matches /ord[0-9]+/', 'topic:*ord*'],
    [`name = 'O"Neil'`, String.raw`data.name="O\"Neil"`],
  ],
  'knows jq': [
    ['.total > 100', 'data.total>100'],
    ['select(.total > 100)', '(data.total>100)'],
    ['.[] | select(.total > 100 and .sku == "A")', '(data.total>100 AND data.sku="A")'],
    ["jq '.total > 100'", 'data.total>100'],
    ['.items[].sku == "A"', 'data.items[0].sku="A"'],
    ['.total', 'data.total:*'],
    ['$.total > 100', 'data.total>100'],
  ],
  'knows SQL': [
    ["time > '2026-01-31 14:30:00'", 'time>2026-01-31T14:30:00Z'],
    ["select * from messages where topic = 'orders'", 'topic="orders"'],
    ['where total > 100', 'data.total>100'],
    ["topic in ('orders', 'payments')", 'topic:"orders","payments"'],
    ["topic not in ('orders', 'payments')", '-topic:"orders","payments"'],
    ["topic like 'ord%'", 'topic:ord*'],
    ["topic not like '%dead'", '-topic:*dead'],
    ['total between 1 and 5', 'data.total:1..5'],
    ['total is null', '-data.total:*'],
    ['total is not null', 'data.total:*'],
    ["topic <> 'orders'", 'topic!="orders"'],
    ["topic = 'orders' and total > 100 order by total desc", 'topic="orders" AND data.total>100'],
    ['created_at >= now() - interval 5 minutes', 'age:<5m'],
  ],
  'knows grep and the shell': [
    ['-i orders', 'orders'],
    ['grep -rn foo', 'foo'],
    ['grep -c foo', 'foo'],
    ['-v processed', '-state:processed'],
    ['grep -i "late fee"', '"late fee"'],
    ['orders | grep failed', `orders ${FAILED}`],
    ['orders|payments', '(orders OR payments)'],
    ['^orders', 'orders'],
    ['topic:^ord', 'topic:ord*'],
    ['topic:orders|payments', 'topic:orders,payments'],
    ['--topic orders', 'topic=orders'],
    ['--state=parked', 'state=parked'],
    ['total -gt 100', 'data.total>100'],
  ],
  'knows Lucene, Kibana or Datadog': [
    ['-total:[1 TO 5]', '-data.total:1..5'],
    ['topic=~/ord.*/', 'topic:*ord*'],
    ['topic:(orders OR payments)', 'topic:orders,payments'],
    ['total:[100 TO 200]', 'data.total:100..200'],
    ['total:[100 TO *]', 'data.total>=100'],
    ['_exists_:total', 'data.total:*'],
    ['+topic:orders', 'topic:orders'],
    ['@timestamp:>now-5m', 'age:<5m'],
    ['@http.status_code:500', 'status:500'],
    ['service:shop', 'app:shop'],
    ['level:error', ERRORS],
    ['status:5*', 'status:5xx'],
    ['status:500-599', 'status:500..599'],
    ['topic:/ord.*/', 'topic:*ord*'],
    ['topic ~ ord', 'topic:*ord*'],
  ],
  'knows mail and chat': [
    ['from:shop', 'app:shop'],
    ['in:orders', 'topic:orders'],
    ['newer_than:5m', 'age:<5m'],
    ['older_than:1d', 'age:>1d'],
    ['larger:1m', 'size>1mb'],
    ['before:2026/01/31', 'time:<=2026-01-31'],
    ['has:attachment', 'data.attachment:*'],
    ['message:late', 'late'],
  ],
  speaks: [
    ['last 5 minutes', 'age:<5m'],
    ['in the last 2 hours', 'age:<2h'],
    ['older than 1 day', 'age:>1d'],
    ['5 minutes ago', 'age:<5m'],
    ['age < 5 minutes', 'age<5m'],
    ['total greater than 100', 'data.total>100'],
    ['total is at least 100', 'data.total>=100'],
    ['state is parked', 'state:parked'],
    ['state is not parked', 'state!=parked'],
    ['100 < total', 'data.total>100'],
    ['100 <= total < 200', 'data.total>=100 data.total<200'],
    ['200 > total > 100', 'data.total<200 data.total>100'],
    ['created > 5 minutes ago', 'age:<5m'],
    ['state parked and not topic orders', 'state:parked AND NOT topic:orders'],
    ['status 500 orders', 'status:500 orders'],
    ['text:500', '"500"'],
    ['msg:parked', '"parked"'],
    ['payload:50', '50'],
    ['total:100-200', 'data.total:100..200'],
    ['total:100..', 'data.total>=100'],
    ['attempts:3+', 'attempts>=3'],
    ['size > 1 KiB', 'size>1kb'],
    ['size:>1gb', 'size:>1024mb'],
    ['open', UNFINISHED],
    ['today', 'age:<1d'],
    ['unread', 'is:unread'],
    ['redelivered', RETRIED],
    ['!(topic:orders or topic:payments)', '-(topic:orders OR topic:payments)'],
    ['topic:orders & status:500', 'topic:orders AND status:500'],
  ],
  pastes: [
    ['{orderId:1001,total:120}', 'data.orderId:1001 data.total:120'],
    ['"orderId": 1001', 'data.orderId:1001'],
    ['{"total": 100}', 'data.total:100'],
    ['ce-type:com.acme.order', 'type:com.acme.order'],
    [
      'traceparent:00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'trace:0af7651916cd43dd8448eb211c80319c',
    ],
    ['time:2026-01-31T14:30', 'time:>=2026-01-31T14:30Z'],
    ['pubsub_name:pubsub', 'pubsub:pubsub'],
    ['ECONNREFUSED', 'error:refused'],
  ],
};

/** Texts that are right and must stay as they are. */
const RIGHT: readonly string[] = [
  'new order open',
  'order is late',
  'a in b',
  'fee between friends',
  'type:com.acme.*',
  'route:/orders/',
  'data.path:/api/orders',
  'subject:/x/y',
  'data.url:/a/b/c',
  'data.path:/api/images',
  'data.note:late?',
  'data.phone:0123-456-789',
  'data.discount:10%',
  'topic:orders,payments',
  'state:"parked"',
  'time:>=2026-01-31T14:30:00Z',
  '/orders/late fee',
  'a|',
  '$100 fee',
  '-topic:orders -orders',
  'id:7f3a-11',
  'late  fee ',
];

describe.each(Object.entries(HABITS))('a person who %s', (_who, rows) => {
  test.each(rows)('%s is right, or means %s', (text, meant) => {
    expect(meantFilter(text)).toBe(meant);
    expect(parseFilter(meant ?? text).ok).toBe(true);
    // Nothing else is suggested for what was suggested.
    expect(meantFilter(meant ?? text)).toBeUndefined();
  });

  test.each(rows)('the sentence about %s says nothing else than the suggestion', (text) => {
    const check = checkFilter(text);
    if (check.ok) return;
    const [, said] = /Did you mean "(.*)"\?/.exec(check.error.message) ?? [];
    expect(check.meant).toContain(said ?? '');
    const says = / (?:Did you mean|For a member of the payload, write) "/;
    expect(check.error.message).toMatch(check.meant === undefined ? '' : says);
    expect(check.error.message).not.toContain('Expected a path');
  });
});

test('a text whose word would be a term is suggested in quotes', () => {
  expect(checkFilter('msg:500')).toMatchObject({
    meant: '"500"',
    error: { message: 'Unknown key "msg" at 1–3. Did you mean "500" in quotes?' },
  });
});

test('a term whose value in parentheses has other keys is not completed', () => {
  expect(checkFilter('topic:(a AND type:b)')).not.toHaveProperty('meant');
});

test.each(RIGHT)('nothing else is suggested for %s', (text) => {
  expect(meantFilter(text)).toBeUndefined();
});

test('a text that nobody writes by hand is not looked at for forms of other tools', () => {
  expect(meantFilter(`topic in ('${'a'.repeat(100)}')`)).toBe(`topic:"${'a'.repeat(100)}"`);
  expect(meantFilter(`topic in ('${'a'.repeat(300)}')`)).toMatch(/^topic in /);
});
