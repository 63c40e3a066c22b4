/** Single delivery: what each answer of the app leads to. Conformance cases 82 to 87 and 92. */
import assert from 'node:assert/strict';
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
  ...([400, 401, 403, 405, 408, 410, 429, 500, 502, 503] as const).map(
    (status, at) => [`87${'abcdefghij'.charAt(at)}`, 'S', 'single.other', { status }] as const,
  ),
  ['87k', 'S', 'single.other', { status: 500, body: '{"status":"SUCCESS"}' }],
  ['87l', 'R', 'behaviour 5.2', { status: 503, headers: { 'retry-after': '3600' } }],
];

const title = (answer: Responding): string => {
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

export const deliveryAnswerCases: readonly Case[] = [...processedCases, ...retriedCases, ...redirectCases];
