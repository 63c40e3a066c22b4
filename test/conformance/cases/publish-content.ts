/** The envelope of a published body: content type, data, verbs. Conformance cases 1 to 13. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case } from '../suite/case.ts';
import { accepted, delivered, refused } from '../suite/checks.ts';
import { otherDelivery, otherStatus, otherText } from '../suite/spoiler.ts';

interface ContentRow {
  readonly id: string;
  readonly basis: 'S' | 'R';
  readonly rows: readonly string[];
  readonly contentType: string;
  readonly body: string;
  readonly data: unknown;
}

const CONTENT: readonly ContentRow[] = [
  {
    id: '4',
    basis: 'S',
    rows: ['publish.datacontenttype', 'publish.content-type.json'],
    contentType: 'application/json',
    body: '{"n":1}',
    data: { n: 1 },
  },
  {
    id: '5',
    basis: 'R',
    rows: ['behaviour 1.3', 'behaviour 1.4'],
    contentType: 'application/json; charset=utf-8',
    body: '{"n":1}',
    data: { n: 1 },
  },
  {
    id: '6',
    basis: 'R',
    rows: ['behaviour 1.4'],
    contentType: 'APPLICATION/JSON',
    body: '{"n":1}',
    data: { n: 1 },
  },
  {
    id: '7',
    basis: 'R',
    rows: ['behaviour 1.4'],
    contentType: 'application/json',
    body: '{bad',
    data: '{bad',
  },
  { id: '8', basis: 'R', rows: ['behaviour 1.4'], contentType: 'application/json', body: '', data: '' },
  {
    id: '10a',
    basis: 'R',
    rows: ['behaviour 1.4'],
    contentType: 'application/json',
    body: 'null',
    data: null,
  },
  {
    id: '10b',
    basis: 'R',
    rows: ['behaviour 1.4'],
    contentType: 'application/json',
    body: 'true',
    data: true,
  },
  {
    id: '10c',
    basis: 'R',
    rows: ['behaviour 1.4'],
    contentType: 'application/json',
    body: '[1]',
    data: [1],
  },
  {
    id: '10d',
    basis: 'R',
    rows: ['behaviour 1.4'],
    contentType: 'application/json',
    body: '"s"',
    data: 's',
  },
  {
    id: '10e',
    basis: 'R',
    rows: ['behaviour 1.4'],
    contentType: 'application/json',
    body: '{"n":1} and more',
    data: { n: 1 },
  },
  {
    id: '11',
    basis: 'R',
    rows: ['behaviour 1.4'],
    contentType: 'application/vnd.acme+json',
    body: '{"a":1}',
    data: '{"a":1}',
  },
  {
    id: '13a',
    basis: 'R',
    rows: ['behaviour 1.4'],
    contentType: 'text/xml',
    body: '<a>ü</a>',
    data: '<a>ü</a>',
  },
  {
    id: '13b',
    basis: 'R',
    rows: ['behaviour 1.4'],
    contentType: 'application/x-www-form-urlencoded',
    body: 'a=1&b=2',
    data: 'a=1&b=2',
  },
  {
    id: '13c',
    basis: 'R',
    rows: ['behaviour 1.4'],
    contentType: 'application/json ;x',
    body: '{"n":1}',
    data: '{"n":1}',
  },
  {
    id: '13d',
    basis: 'R',
    rows: ['behaviour 1.4'],
    contentType: 'nonsense',
    body: '{"n":1}',
    data: '{"n":1}',
  },
];

const contentCases: readonly Case[] = CONTENT.map((row) => ({
  id: row.id,
  title: `${row.contentType} with body ${JSON.stringify(row.body)}`,
  basis: row.basis,
  rows: row.rows,
  subscriptions: one,
  run: async (context) => {
    const event = await delivered(context, row.body, { contentType: row.contentType });
    assert.deepEqual(event['data'], row.data);
    assert.ok(!('data_base64' in event));
    assert.equal(event['datacontenttype'], row.contentType);
  },
  spoils: [
    otherStatus(500),
    otherDelivery('"data":', '"data":"spoilt","was":'),
    otherDelivery('"datacontenttype":"', '"datacontenttype":"x'),
  ],
}));

export const publishContentCases: readonly Case[] = [
  {
    id: '1a',
    title: 'text without Content-Type: 204 without a body',
    basis: 'S',
    rows: ['publish.route', 'versions.v1', 'publish.204'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await context.arrive();
    },
    spoils: [otherStatus(200), otherStatus(500)],
  },
  {
    id: '1b',
    title: 'text without Content-Type: the default is text/plain',
    basis: 'S',
    rows: ['publish.content-type.default', 'publish.envelope'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'hi');
      assert.deepEqual([event['datacontenttype'], event['data']], ['text/plain', 'hi']);
    },
    spoils: [otherDelivery('text/plain', 'text/html'), otherDelivery('"hi"', '"ho"')],
  },
  {
    id: '1c',
    title: 'an empty Content-Type counts as absent',
    basis: 'R',
    rows: ['behaviour 1.3'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'hi', { headers: { 'content-type': '' } });
      assert.equal(event['datacontenttype'], 'text/plain');
    },
    spoils: [otherDelivery('text/plain', '')],
  },
  {
    id: '2',
    title: 'PUT publishes as POST does',
    basis: 'R',
    rows: ['behaviour 1.1'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'hi', { method: 'PUT' });
      assert.equal(event['data'], 'hi');
    },
    spoils: [otherStatus(404), otherDelivery('"hi"', '"ho"')],
  },
  ...(['GET', 'DELETE', 'PATCH'] as const).map((method, at): Case => ({
    id: `3${'abc'.charAt(at)}`,
    title: `${method} on the publish path is 404 with an errorCode`,
    basis: 'R',
    rows: ['behaviour 1.1', 'behaviour 1.7'],
    run: async (context) => {
      const answer = await context.sidecar.send(`/v1.0/publish/${context.component}/${context.topic()}`, {
        method,
      });
      refused(answer, 404, 'ERR_DIRECT_INVOKE');
    },
    spoils: [otherStatus(405), otherText('ERR_DIRECT_INVOKE', 'ERR_OTHER')],
  })),
  ...contentCases,
  {
    id: '9',
    title: 'a number of any length keeps its digits',
    basis: 'R',
    rows: ['behaviour 1.4'],
    subscriptions: one,
    run: async (context) => {
      accepted(
        await context.sidecar.publish(context.topic(), '12345678901234567890', {
          contentType: 'application/json',
        }),
      );
      const [delivery] = await context.arrive();
      assert.match(delivery?.text ?? '', /"data": ?12345678901234567890[,}]/);
    },
    spoils: [otherDelivery('12345678901234567890', '12345678901234567000')],
  },
  {
    id: '12',
    title: 'application/octet-stream becomes data_base64',
    basis: 'R',
    rows: ['behaviour 1.4'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, Uint8Array.of(0, 255), {
        contentType: 'application/octet-stream',
      });
      assert.equal(event['data_base64'], 'AP8=');
      assert.ok(!('data' in event));
      assert.equal(event['datacontenttype'], 'application/octet-stream');
    },
    spoils: [otherDelivery('AP8=', 'AP8'), otherDelivery('"data_base64"', '"data":1,"data_base64"')],
  },
  {
    id: '13e',
    title: 'bytes of a text that are no UTF-8 become U+FFFD',
    basis: 'R',
    rows: ['behaviour 1.4'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, Uint8Array.of(0x61, 0xff, 0x62), { contentType: 'image/png' });
      assert.equal(event['data'], 'a\uFFFDb');
    },
    spoils: [otherDelivery('\uFFFD', '')],
  },
];
