/** Answers whose status came and whose body cannot be read: the status decides, and the attempt says what was wrong. */
import { expect, test } from 'vitest';
import type { UnreadBody } from '../../core/ports/app-channel.ts';
import { started, subscribe } from '../support/runtime-stand.ts';

const UNREAD: readonly UnreadBody[] = [
  { reason: 'cut-off', message: 'The body ended after 3 bytes.' },
  { reason: 'encoding', message: 'The body is not gzip.' },
  { reason: 'too-large', message: 'The body is larger than 5 bytes.' },
];

test.each(UNREAD)('a 2xx whose body is unread ($reason) is processed in one attempt', async (unread) => {
  const stand = await started();
  stand.app.answerWith = () => ({ status: 202, unread });
  const id = await stand.publish('orders');
  expect((await stand.way(id)).at(-1)).toBe('processed single.2xx.invalid (app)');
  const { attempts } = await stand.delivery(id);
  expect(attempts).toMatchObject([
    { response: { status: 202, bodyError: unread.message, bodyTruncated: true, body: '{"status":"RETRY"}' } },
  ]);
});

test.each([
  [500, 'retrying single.other (app)'],
  [404, 'dropped single.404 (app)'],
])('a %i whose body is cut off is judged by its status', async (status, end) => {
  const stand = await started();
  stand.app.next.push({ status, unread: { reason: 'cut-off', message: 'The body ended.' } });
  expect((await stand.way(await stand.publish('orders'))).at(-1)).toBe(end);
});

test.each(UNREAD)('a 2xx to a batch whose body is unread ($reason) retries every entry', async (unread) => {
  const stand = await started({}, (it) =>
    subscribe(it, { topic: 'orders', route: '/orders', bulkSubscribe: { maxMessagesCount: 2 } }),
  );
  stand.app.next.push({ unread });
  const ids = [await stand.publish('orders', 1), await stand.publish('orders', 2)];
  for (const id of ids) {
    expect((await stand.way(id)).at(-1)).toBe('retrying bulk.2xx.missing (app)');
    expect((await stand.delivery(id)).attempts).toMatchObject([{ response: { bodyError: unread.message } }]);
  }
});
