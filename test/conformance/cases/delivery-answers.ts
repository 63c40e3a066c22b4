/** Single delivery: what each answer of the app leads to. Conformance cases 82 to 87 and 92. */
import assert from 'node:assert/strict';
import { brotliCompressSync } from 'node:zlib';
import type { Responding } from '../suite/app-answer.ts';
import { one } from '../suite/case.ts';
import type { Case } from '../suite/case.ts';
import { accepted, staysAt } from '../suite/checks.ts';
import { heardRetry, heardSuccess } from '../suite/spoiler.ts';

const big = (status: string): string => `{"status":"${status}","pad":"${'x'.repeat(5_000_000)}"}`;

/** Answers after which the message is processed: one delivery, no other. */
const PROCESSED: readonly (readonly [id: string, basis: 'S' | 'R', row: string, answer: Responding])[] = [
  ['82a', 'S', 'single.2xx.empty', { status: 200 }],
  ['82b', 'S', 'single.2xx.empty', { status: 204 }],
  ['82c', 'S', 'single.2xx.invalid', { status: 201, body: 'thanks' }],
  ['82d', 'S', 'single.2xx.empty', { status: 200, body: '{}' }],
  ['82e', 'R', 'behaviour 5.2', { status: 200, body: 'null' }],
  ['82f', 'R', 'behaviour 5.2', { status: 200, body: '[]' }],
  ['82g', 'R', 'behaviour 5.2', { status: 200, body: '"x"' }],
  ['82h', 'R', 'behaviour 5.2', { status: 200, body: '{"status":""}' }],
  ['82i', 'R', 'behaviour 5.2', { status: 200, body: '{"status":null}' }],
  ['82j', 'R', 'single.2xx.invalid', { status: 200, body: '{"status":5}' }],
  ['82k', 'R', 'single.2xx.invalid', { status: 200, body: '{"status":{}}' }],
  ['82l', 'R', 'single.2xx.invalid', { status: 200, body: '{"status":"RETRY"' }],
  ['82m', 'S', 'single.2xx.empty', { status: 299, body: '{"other":"RETRY"}' }],
  ['82n', 'S', 'single.2xx.invalid', { status: 200, body: '<html>RETRY</html>' }],
  ['82o', 'S', 'single.2xx.invalid', { status: 200, body: '{"status":"RETRY"}', cut: true }],
  ['82p', 'S', 'single.2xx.invalid', { status: 201, cut: true }],
  [
    '82q',
    'S',
    'single.2xx.invalid',
    { status: 200, headers: { 'content-encoding': 'gzip' }, body: '{"status":"RETRY"}' },
  ],
  [
    '82r',
    'R',
    'behaviour 5.2',
    { status: 200, headers: { 'content-encoding': 'br' }, body: brotliCompressSync('{"status":"RETRY"}') },
  ],
  ['83a', 'S', 'single.2xx.success', { status: 200, body: '{"status":"SUCCESS"}' }],
  ['92', 'R', 'behaviour 5.2', { status: 200, body: big('RETRY') }],
];

/** Answers after which the message comes again. */
const RETRIED: readonly (readonly [id: string, basis: 'S' | 'R', row: string, answer: Responding])[] = [
  ['83b', 'S', 'single.2xx.retry', { status: 200, body: '{"status":"RETRY"}' }],
  ['84a', 'S', 'single.2xx.other', { status: 200, body: '{"status":"success"}' }],
  ['84b', 'S', 'single.2xx.other', { status: 200, body: '{"status":"WAT"}' }],
  ['84c', 'R', 'behaviour 5.2', { status: 200, body: '{"status":" SUCCESS"}' }],
  ['84d', 'R', 'behaviour 5.2', { status: 200, body: '{"status":"RETRY"} and more' }],
  [
    '84e',
    'R',
    'behaviour 5.2',
    { status: 200, headers: { 'content-encoding': 'br' }, body: '{"status":"RETRY"}' },
  ],
  ...([400, 401, 403, 405, 408, 410, 429, 500, 502, 503] as const).map(
    (status, at) => [`87${'abcdefghij'.charAt(at)}`, 'S', 'single.other', { status }] as const,
  ),
  ['87k', 'S', 'single.other', { status: 500, body: '{"status":"SUCCESS"}' }],
  ['87l', 'R', 'behaviour 5.2', { status: 503, headers: { 'retry-after': '3600' } }],
];

const END = 'Connection: close\r\n\r\n';
const RETRY = '{"status":"RETRY"}';
const CHUNKED = `${RETRY.length.toString(16)}\r\n${RETRY}\r\n0\r\n\r\n`;
const [OK_LINE, LENGTH] = ['HTTP/1.1 200 OK\r\n', `Content-Length: ${RETRY.length}\r\n`];

/** Heads that are read although HTTP has them otherwise: the payload behind them counts. */
const READ_HEADS: readonly (readonly [id: string, words: string, head: string, body?: string])[] = [
  ['83d', 'lines that end with LF alone', `${OK_LINE}${LENGTH}${END}`.replaceAll('\r', '')],
  ['83e', 'a header in two lines', `${OK_LINE}X-Note: one\r\n  two\r\n${LENGTH}${END}`],
  ['83f', 'the same content-length twice', `${OK_LINE}${LENGTH}${LENGTH}${END}`],
  [
    '83g',
    'a content-length beside chunks',
    `${OK_LINE}${LENGTH}Transfer-Encoding: chunked\r\n${END}`,
    CHUNKED,
  ],
];

/** Heads that are none: the call is tried again although the status is 200. */
const OTHER_HEADS: readonly (readonly [id: string, words: string, head: string])[] = [
  ['87p', 'two content-lengths', `${OK_LINE}${LENGTH}Content-Length: 3\r\n${END}`],
  ['87q', 'a header without a colon', `${OK_LINE}X-Note\r\n${LENGTH}${END}`],
  ['87r', 'a content-length that is no number', `${OK_LINE}Content-Length: many\r\n${END}`],
];

const title = (answer: Responding): string => {
  if (answer.body instanceof Uint8Array)
    return `${answer.status} RETRY in an encoding that was not asked for`;
  const body = String(answer.body ?? 'without a body').slice(0, 40);
  const encoding = answer.headers?.['content-encoding'];
  return `${answer.status} ${body}${answer.cut === true ? ', cut off' : ''}${encoding === undefined ? '' : `, not ${encoding}`}`;
};

const processedCases = PROCESSED.map(([id, basis, row, answer]): Case => ({
  id,
  title: `${title(answer)}: processed`,
  basis,
  rows: [row],
  subscriptions: one,
  run: async (context) => {
    context.app.script(context.path(), answer);
    accepted(await context.sidecar.publish(context.topic(), 'hi'));
    await staysAt(context, 1);
  },
  spoils: [heardRetry],
}));

const retriedCases = RETRIED.map(([id, basis, row, answer]): Case => ({
  id,
  title: `${title(answer)}: tried again, with the same body`,
  basis,
  rows: [row],
  subscriptions: one,
  run: async (context) => {
    context.app.script(context.path(), answer, { status: 200 });
    accepted(await context.sidecar.publish(context.topic(), 'hi'));
    const [first, second] = await staysAt(context, 2);
    assert.equal(second?.text, first?.text);
  },
  spoils: [heardSuccess],
}));

const readHeadCases = READ_HEADS.map(([id, words, head, body = RETRY]): Case => ({
  id,
  title: `200 with ${words}: its RETRY counts, and so does its DROP`,
  basis: 'R',
  rows: ['behaviour 5.1', 'single.2xx.retry'],
  subscriptions: one,
  run: async (context) => {
    const drop = { status: 200, head, body: body.replace('RETRY"', 'DROP" ') };
    context.app.script(context.path(), { status: 200, head, body }, drop);
    accepted(await context.sidecar.publish(context.topic(), 'hi'));
    await staysAt(context, 2);
  },
  spoils: [heardRetry, heardSuccess],
}));

const otherHeadCases = OTHER_HEADS.map(([id, words, head]): Case => ({
  id,
  title: `200 with ${words} is no answer: tried again`,
  basis: 'R',
  rows: ['behaviour 5.1'],
  subscriptions: one,
  run: async (context) => {
    context.app.script(context.path(), { status: 200, head, body: '{"status":"DROP"}' }, { status: 200 });
    accepted(await context.sidecar.publish(context.topic(), 'hi'));
    await staysAt(context, 2);
  },
  spoils: [heardSuccess],
}));

const redirectCases = [301, 302, 307].map((status, at): Case => ({
  id: `87${'mno'.charAt(at)}`,
  title: `${status} is not followed: tried again at the same path`,
  basis: 'R',
  rows: ['single.other', 'behaviour 5.2'],
  subscriptions: one,
  run: async (context) => {
    context.app.script(
      context.path(),
      { status, headers: { location: context.path('elsewhere') } },
      { status: 200 },
    );
    accepted(await context.sidecar.publish(context.topic(), 'hi'));
    await staysAt(context, 2);
    assert.equal(context.seen('elsewhere').length, 0);
  },
  spoils: [heardSuccess],
}));

export const deliveryAnswerCases: readonly Case[] = [
  ...processedCases,
  ...retriedCases,
  ...readHeadCases,
  ...otherHeadCases,
  ...redirectCases,
];
