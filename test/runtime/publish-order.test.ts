/**
 * With one call at a time an app gets messages in the order in which they were given to its sidecar, however each of them is kept and sent.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { times } from '../support/extent.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { Stand, subscribe } from '../support/runtime-stand.ts';

type Step =
  /** So many publishes in one turn. */
  | { readonly type: 'publish'; readonly count: number; readonly bytes: number }
  | { readonly type: 'bulk'; readonly count: number }
  /** The app hangs with its next calls, or answers them at once. */
  | { readonly type: 'hang'; readonly calls: number }
  /** The app publishes in the middle of its next calls. */
  | { readonly type: 'echo'; readonly calls: number }
  | { readonly type: 'answer' | 'turn' };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        type: fc.constant('publish' as const),
        count: fc.integer({ min: 1, max: 5 }),
        bytes: fc.constantFrom(1, 100, 5000),
      }),
    },
    fc.record({ type: fc.constant('bulk' as const), count: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ type: fc.constant('hang' as const), calls: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ type: fc.constant('echo' as const), calls: fc.integer({ min: 1, max: 3 }) }),
    { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('answer' as const, 'turn' as const) }) },
  ),
  { minLength: 2, maxLength: 30 },
);

/** Numbers of messages in the order in which the app got them, and in which they were given. */
async function given(list: readonly Step[], journal: LastingJournal): Promise<[number[], number[]]> {
  // Most bodies have to be read back where the journal is durable.
  const stand = new Stand({ journal, bodyBudgetBytes: 6000 });
  subscribe(stand, { topic: 'orders', route: '/orders' });
  stand.set('delivery.concurrency', 1);
  await stand.start();
  const asked: Promise<unknown>[] = [];
  let last = 0;
  let echoes = 0;
  const order: number[] = [];
  const next = (): number => {
    last += 1;
    order.push(last);
    return last;
  };
  const sidecar = stand.runtime.sidecar('app');
  const more = { pubsubname: 'pubsub', topic: 'orders', metadata: {}, source: 'http' } as const;
  const publish = (bytes: number): void => {
    const body = JSON.stringify({ n: next(), pad: 'x'.repeat(bytes) });
    asked.push(Promise.resolve(sidecar.publish({ ...more, body, contentType: 'application/json' })));
  };
  const publishBulk = (count: number): void => {
    const entries = Array.from({ length: count }, (_, at) => ({
      entryId: `${at}`,
      event: { n: next() },
      contentType: 'application/json',
    }));
    asked.push(sidecar.publishBulk({ ...more, body: JSON.stringify(entries) }));
  };
  stand.app.answerWith = () => {
    echoes -= 1;
    if (echoes >= 0) publish(1);
    return 200;
  };
  for (const step of list) {
    if (step.type === 'publish') for (let n = 0; n < step.count; n += 1) publish(step.bytes);
    else if (step.type === 'bulk') {
      publishBulk(step.count);
      // A bulk publish waits for its turn before anything of it is published.
      await stand.settle();
    } else if (step.type === 'hang')
      stand.app.next.push(...Array.from({ length: step.calls }, () => 'hang' as const));
    else if (step.type === 'echo') echoes = step.calls;
    else if (step.type === 'answer') stand.app.open[0]?.answer(200);
    else await stand.settle();
  }
  stand.app.next.length = 0;
  for (let n = 0; n < 40; n += 1) {
    for (const call of stand.app.open) call.answer(200);
    await stand.pass(300);
  }
  await Promise.all(asked);
  const got = stand.app.calls.map((call) => (call.json()['data'] as { n: number }).n);
  expect(stand.app.mostInFlight).toBe(got.length === 0 ? 0 : 1);
  await stand.stop();
  return [got, order];
}

test.each([
  ['takes records at once', { takesAtOnce: true }],
  ['takes its time', {}],
  ['lets records gather', { lingers: true }],
  ['has to give bodies back', { durable: true }],
])(
  'property: messages are published in the order of their numbers, with a journal that %s',
  async (_what, options) => {
    const inOrder = fc.asyncProperty(steps, async (list) => {
      const [got, order] = await given(list, new LastingJournal(options));
      expect(got).toEqual(order);
    });
    await fc.assert(inOrder, { numRuns: times(25, 60), seed: 60 });
  },
);
