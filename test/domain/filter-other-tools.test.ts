// Filters in the syntax of other query languages: each leads to one of this language that means the same.
import { describe, expect, test } from 'vitest';
import { checkFilter, meantFilter } from '../../core/domain/filter/meant.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';

/** A filter of another tool, and what is suggested for it. */
type Row = readonly [text: string, meant: string];

const LANGUAGES: Readonly<Record<string, readonly Row[]>> = {
  Lucene: [
    ['topic:(a AND b)', '(topic:a AND topic:b)'],
    ['topic:(ord* AND NOT orders)', '(topic:ord* AND NOT topic:orders)'],
    ['topic:(a AND (b OR c))', '(topic:a AND (topic:b OR topic:c))'],
    ['topic:(+a -b)', '(topic:a -topic:b)'],
    ['total:(>5 AND <10)', '(data.total:>5 AND data.total:<10)'],
    ['-topic:(a AND b)', '-(topic:a AND topic:b)'],
    ['total:{1 TO 5}', 'data.total>1 data.total<5'],
    ['total:[1 TO 5}', 'data.total>=1 data.total<5'],
    ['total:{1 TO 5]', 'data.total>1 data.total<=5'],
    ['total:{1 TO *}', 'data.total>1'],
    ['-total:{1 TO 5}', '-(data.total>1 data.total<5)'],
    ['topic:orders^2', 'topic:orders'],
    ['topic:orders~1', 'topic:orders'],
    ['"late fee"~3', '"late fee"'],
    ['topic:or?ers', 'topic:or*ers'],
    ['topic.keyword:orders', 'topic:orders'],
    ['*:late', 'late'],
    ['*:*', 'id:*'],
    ['topic:"ord*"', 'topic:ord*'],
    ['timestamp:[now-1h TO now]', 'age:<1h'],
    ['topic.str:orders', 'data.topic.str:orders'],
  ],
  KQL: [
    ['not topic: orders', 'NOT topic:orders'],
    ['topic: (orders or payments) and not total > 5', 'topic:orders,payments AND NOT data.total>5'],
    ['total >= 100 and total < 200', 'data.total>=100 AND data.total<200'],
  ],
  Kusto: [
    ['messages | where topic == "orders"', 'topic="orders"'],
    ['messages | where topic == "orders" | where total > 5 | take 10', 'topic="orders" data.total>5'],
    [
      'messages | where topic == "a" or topic == "b" | where total > 5',
      '(topic="a" OR topic="b") data.total>5',
    ],
    ['topic has "ord"', 'topic:*ord*'],
    ['topic !contains "ord"', '-topic:*ord*'],
    ['topic !startswith "ord"', '-topic:ord*'],
    ['topic hasprefix "ord"', 'topic:ord*'],
    ['topic in~ ("orders", "payments")', 'topic:"orders","payments"'],
    ['topic !in ("orders", "payments")', '-topic:"orders","payments"'],
    ['isnotempty(total)', 'data.total:*'],
    ['isempty(total)', '-data.total:*'],
    ['tolower(topic) == "orders"', 'topic="orders"'],
    ['timestamp > ago(5m)', 'age:<5m'],
    ['total between (1 .. 5)', 'data.total:1..5'],
  ],
  SQL: [
    ['topic in (a, b)', 'topic:a,b'],
    ['not topic = a', 'NOT topic=a'],
    ['state = "processed" and total > 5', 'state="processed" AND data.total>5'],
    ["topic = 'a' or 'b'", 'topic:"a","b"'],
    ['topic = a or b', 'topic:a,b'],
    ['topic = a or total > 5', 'topic=a OR data.total>5'],
    ["topic != 'a' and 'b'", '-topic:"a","b"'],
    ["data->>'total'", 'data.total:*'],
    ["data->>'total' = '5'", 'data.total="5"'],
    ["(data->>'total')::int > 5", 'data.total>5'],
    ["data->'items'->0->>'sku' = 'A'", 'data.items[0].sku="A"'],
    ["JSON_EXTRACT(data, '$.order.total') > 5", 'data.order.total>5'],
    ["lower(topic) = 'orders'", 'topic="orders"'],
    ['cast(total as int) > 5', 'data.total>5'],
    ["topic regexp '^ord'", 'topic:*ord*'],
    ["topic ~* 'ord'", 'topic:*ord*'],
    ["`topic` = 'orders'", 'topic="orders"'],
    ["[topic] = 'orders'", 'topic="orders"'],
    ["m.topic = 'orders'", 'topic="orders"'],
    ['total > 1,000', 'data.total>1000'],
    ['total > $100', 'data.total>100'],
    ['total is 5', 'data.total:5'],
    ["SELECT * FROM c WHERE c.topic = 'orders'", 'topic="orders"'],
  ],
  'jq, JSON paths and JavaScript': [
    ['$.data.total', 'data.total:*'],
    ['$.data.total > 5', 'data.total>5'],
    ['@topic', 'topic:*'],
    ['.[] | select(.topic | startswith("ord"))', '(topic:ord*)'],
    ['select(has("total"))', '(data.total:*)'],
    ['.total? > 5', 'data.total>5'],
    ['.["total"] > 5', 'data.total>5'],
    ['data["order"]["total"] > 5', 'data.order.total>5'],
    ['data.total', 'data.total:*'],
    ['"x" in data.tags', 'data.tags:*x*'],
    ['topic=="orders"&&total>5', 'topic="orders" AND data.total>5'],
    ['?topic=orders&total=5', 'topic=orders AND data.total=5'],
    ['m => m.topic === "orders"', 'topic="orders"'],
    ['messages.filter(m => m.topic === "orders")', 'topic="orders"'],
  ],
  GitHub: [
    ['state:parked sort:created-desc', 'state:parked'],
    ['created:*..2026-01-31', 'time<=2026-01-31'],
    ['is unread', 'is:unread'],
    ['is not pinned', '-is:pinned'],
  ],
  Datadog: [
    ['@http.response.status_code:500', 'status:500'],
    ['-@topic:orders', '-topic:orders'],
    ['@total:[100 TO 200]', 'data.total:100..200'],
    ['service.name:shop', 'app:shop'],
    ['level = error', '(error:* OR status:4xx,5xx)'],
  ],
  Splunk: [
    ['search topic=orders | head 10', 'topic=orders'],
    ['index=main topic=orders total>5 | stats count by topic', 'topic=orders data.total>5'],
    ['topic=orders earliest=-5m', 'topic=orders age:<5m'],
    ['topic=orders earliest=-15m@m latest=now', 'topic=orders age:<15m'],
    ['match(topic, "^ord")', 'topic:*ord*'],
    ['like(topic, "ord%")', 'topic:ord*'],
    ['isnotnull(total)', 'data.total:*'],
  ],
  'CloudWatch Insights': [
    ['fields topic | filter topic = "orders" | limit 20', 'topic="orders"'],
    ['filter topic = "orders"', 'topic="orders"'],
  ],
  Wireshark: [
    ['http.request.uri contains "orders"', 'route:*orders*'],
    ['http.response.code == 500', 'status=500'],
    ['frame.len > 100', 'size>100'],
    ['topic contains "ord"', 'topic:*ord*'],
    ['total in {1, 2, 3}', 'data.total:1,2,3'],
    ['!(topic == "orders")', '-(topic="orders")'],
  ],
  LogQL: [
    ['{topic="orders"}', 'topic="orders"'],
    ['{topic="orders", state!="parked"}', 'topic="orders" state!="parked"'],
    ['{topic=~"ord.*"} |= "late fee"', 'topic:*ord* "late fee"'],
    ['{topic="orders"} != "debug"', 'topic="orders" -"debug"'],
    ['{topic="orders"} |= "late" | json | total > 100', 'topic="orders" "late" data.total>100'],
    ['{topic="orders"} |~ "late.*fee"', 'topic="orders" late*fee'],
    ['|= "late"', '"late"'],
    ['{error="timeout, code=5", topic="a"}', 'error="timeout, code=5" topic="a"'],
  ],
  MongoDB: [
    ['{ topic: "orders", total: 5 }', 'topic:"orders" data.total:5'],
    ['{ total: { $gt: 100 } }', 'data.total>100'],
    ['{ "total": { "$gte": 100, "$lt": 200 } }', 'data.total>=100 data.total<200'],
    ['{ topic: { $in: ["a", "b"] } }', 'topic:"a","b"'],
    ['{ topic: { $nin: ["a", "b"] } }', '-topic:"a","b"'],
    ['{ topic: { $ne: "a" } }', 'topic!="a"'],
    ['{ error: { $exists: true } }', 'error:*'],
    ['{ total: { $exists: false } }', '-data.total:*'],
    ['{ topic: { $regex: "^ord" } }', 'topic:*ord*'],
    ['{ $or: [{ topic: "a" }, { total: { $gt: 5 } }] }', '(topic:"a" OR data.total>5)'],
    [
      '{ $or: [{ topic: "a }, { b" }, { error: "late, code: 5" }] }',
      '(topic:"a }, { b" OR error:"late, code: 5")',
    ],
    ['db.messages.find({ topic: "orders", total: { $gt: 5 } })', 'topic:"orders" data.total>5'],
  ],
  'plain words': [
    ['200 > total >= 100', 'data.total<200 data.total>=100'],
    ['error is timeout', 'error:timeout'],
    ['past hour', 'age:<1h'],
    ['type ~ order*', 'type:*order*'],
    ['type ~ order.*', 'type:*order*'],
  ],
};

/** Texts that look like a query, and are right as they stand. */
const RIGHT: readonly string[] = [
  'topic:orders OR late',
  'orders has arrived',
  'order is unreadable',
  'data.url:x?y',
  'route:/orders?x=1',
  'route:/orders?x=1&y=2',
  'http://x/?a=1&b=2',
  '@ada',
  'a->b',
  'a =>',
  'late~',
  'it is 1,000',
];

describe.each(Object.entries(LANGUAGES))('the words of %s', (_tool, rows) => {
  test.each(rows)('%s means %s', (text, meant) => {
    expect(meantFilter(text)).toBe(meant);
    expect(parseFilter(meant).ok).toBe(true);
    // Nothing else is suggested for what was suggested.
    expect(meantFilter(meant)).toBeUndefined();
  });

  test.each(rows)('the sentence about %s says nothing else than the suggestion', (text) => {
    const check = checkFilter(text);
    if (check.ok) return;
    const [, said] = /Did you mean "(.*)"\?/.exec(check.error.message) ?? [];
    expect(check.meant).toContain(said ?? '');
  });
});

test.each(RIGHT)('nothing else is suggested for %s', (text) => {
  expect(meantFilter(text)).toBeUndefined();
});

test('a document without its last bracket is read in one way', () => {
  // Each sign could also be a part of the value before it, so that every further one would double the ways to read the text.
  expect(checkFilter(`total:{${'$gt:1'.repeat(50)}`).ok).toBe(false);
});
