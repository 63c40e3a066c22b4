/** Payloads that mean harm: each goes through publish, delivery, history, view and export exactly as it came, and does nothing. */
import { expect, test } from 'vitest';
import { ProductStand } from './product.ts';

const stand = new ProductStand(() => ['--set', 'http.maxBodyBytes=0']);

const deep = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;

/** Name -> JSON text of the data. */
const PAYLOADS: readonly (readonly [string, string])[] = [
  ['markup', JSON.stringify({ a: `<img src=x onerror="alert(1)"><script>alert(2)</script>` })],
  [
    'a script address',
    JSON.stringify({ href: 'javascript:alert(1)', src: 'data:text/html,<script>1</script>' }),
  ],
  ['a template', JSON.stringify({ a: '{{7*7}} ${7*7} <%= 7*7 %> #{7*7}' })],
  [
    'members of every object',
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1}',
  ],
  ['a member twice', '{"a":1,"a":2}'],
  [
    'numbers no float can hold',
    '{"n":12345678901234567890,"f":0.1000000000000000055511151231257827,"e":1e400}',
  ],
  ['deep lists', deep(100)],
  ['bidi and invisible', JSON.stringify({ file: 'user\u202egnp.exe\u202c\u2066x\u2069\u200b\ufeff' })],
  ['control characters', '{"c":"\\u0000\\u0007\\u001b[31m\\u007f\\u2028\\u2029"}'],
  ['half a surrogate', '{"s":"\\ud800"}'],
  ['a huge text', JSON.stringify({ big: 'x'.repeat(3_000_000) })],
  [
    'very many members',
    JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, n]))),
  ],
  [
    'what a filter or a shell would read',
    JSON.stringify({ a: `" OR 1=1; DROP TABLE message; -- $(reboot) \`x\` *` }),
  ],
  [
    'a formula',
    JSON.stringify({ a: '=HYPERLINK("http://evil.example","x")', b: '@SUM(1)', c: '+1', d: '-1' }),
  ],
];

/** A page of this text and the members of it that matter here. */
interface Detail {
  readonly data: unknown;
  readonly wire: { readonly body: string; readonly bodyTruncated?: boolean };
  readonly deliveries: readonly { readonly state: string }[];
}

test.each(PAYLOADS)('the payload %s is delivered unchanged', async (name, text) => {
  const { running } = stand;
  const topic = `p-${name.replaceAll(/\W+/g, '-')}`;
  await subscribe(topic);
  const answer = await fetch(`${running.sidecar}/v1.0/publish/pubsub/${topic}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
  });
  expect(answer.status).toBe(204);
  await expect
    .poll(async () => (await list(`topic:${topic} state:processed`)).length, { timeout: 15_000 })
    .toBe(1);
  const [messageId = ''] = await list(`topic:${topic}`);

  // The envelope has the text as written, not parsed and written again.
  const detail = (await running.call('messages.get', { messageId })) as Detail;
  expect(detail.deliveries.map(({ state }) => state)).toEqual(['processed']);
  const whole = detail.wire.bodyTruncated !== true;
  expect(detail.wire.body).toContain(`"data":${whole ? text : text.slice(0, 10_000)}`);

  // A view of the console, and an export of one message.
  const view = (await running.call('view.open', { filter: `topic:${topic}` })) as { viewId: string };
  const { rows } = (await running.call('view.rows', { viewId: view.viewId, from: 0, count: 10 })) as {
    rows: readonly { messageId: string }[];
  };
  expect(rows.map((row) => row.messageId)).toEqual([messageId]);
  await running.call('view.close', { viewId: view.viewId });
  // A recording holds the envelope as a text of its own.
  expect(await stand.exported('recording', `topic:${topic}`)).toContain(JSON.stringify(text).slice(1, -1));

  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  const health = await fetch(`${running.sidecar}/v1.0/healthz`);
  expect(health.status).toBe(204);
});

test('lists too deep for JSON are kept as the text they are', async () => {
  const { running } = stand;
  const text = deep(100_000);
  const address = `${running.sidecar}/v1.0/publish/pubsub/p-too-deep`;
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(address, { method: 'POST', headers, body: text });
  expect(answer.status).toBe(204);
  const [messageId = ''] = await list('topic:p-too-deep');
  const detail = (await running.call('messages.get', { messageId })) as Detail;
  expect(detail.wire.body).toContain(`"data":"${text}"`);
});

test('no cell of a CSV export begins like a formula', async () => {
  const lines = (await stand.exported('csv')).split('\r\n');
  expect(lines.length).toBeGreaterThan(5);
  for (const cell of lines.flatMap((line) => line.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? []))
    expect(cell.replace(/^"/, '')).not.toMatch(/^[=@](?!$)/);
});

test('hostile metadata and topics are kept as texts', async () => {
  const { running } = stand;
  const query = new URLSearchParams({ 'metadata.__proto__': 'p', 'metadata.constructor': 'c' });
  const topic = encodeURIComponent('<b>__proto__</b>\u202e');
  const answer = await fetch(`${running.sidecar}/v1.0/publish/pubsub/${topic}?${query.toString()}`, {
    method: 'POST',
    body: 'x',
  });
  expect(answer.status).toBe(204);
  const [messageId = ''] = await list('pubsub:pubsub "__proto__"');
  const { metadata, topic: kept } = (await running.call('messages.get', { messageId })) as {
    metadata: object;
    topic: string;
  };
  expect(kept).toBe('<b>__proto__</b>\u202e');
  expect(Object.entries(metadata).toSorted()).toEqual([
    ['__proto__', 'p'],
    ['constructor', 'c'],
  ]);
});

async function subscribe(topic: string): Promise<void> {
  const { subscriptions } = (await stand.running.call('mockApp.get', {})) as { subscriptions: unknown[] };
  await stand.running.call('mockApp.setSubscriptions', {
    subscriptions: [...subscriptions, { pubsubname: 'pubsub', topic, route: '/hostile' }],
  });
}

async function list(filter: string): Promise<string[]> {
  const { items } = (await stand.running.call('messages.list', { filter, limit: 10 })) as {
    items: readonly { messageId: string }[];
  };
  return items.map(({ messageId }) => messageId);
}
