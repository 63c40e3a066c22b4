/** The time of the answer to a component: at the end of the message, or at once if it could not deliver it again anyway. */
import { expect, test } from 'vitest';
import type { InboundMessage, PubSub, Taken } from '../../core/ports/pubsub.ts';
import { component } from '../support/listed-components.ts';
import { started, subscribe } from '../support/runtime-stand.ts';

/** Hands each message over as it is published, and notes what is answered. */
function handingOver(redelivers: boolean, answers: Taken[]): PubSub {
  let take: ((message: InboundMessage) => Promise<Taken>) | undefined;
  return {
    features: {
      bulkPublish: false,
      bulkSubscribe: false,
      ttl: false,
      wildcards: false,
      keepsHistory: false,
      redelivers,
    },
    capabilities: [],
    start: async () => undefined,
    close: async () => undefined,
    publish: async ({ messageId, topic, wire, metadata }) => {
      void take?.({ messageId, topic, wire, metadata }).then((taken) => answers.push(taken));
    },
    subscribe: async (_topic, _options, took) => {
      take = took;
      return { close: async () => undefined };
    },
  };
}

test.each([
  ['hands over again what was not ended is answered at its end', true, [[], ['done']]],
  ['keeps nothing is answered at once', false, [['done'], ['done']]],
] as const)('a component that %s', async (_, redelivers, [before, after]) => {
  const answers: Taken[] = [];
  const stand = await started({}, (it) => {
    it.components.components = [component('pubsub', 'pubsub.own')];
    it.components.own.set('pubsub', () => handingOver(redelivers, answers));
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  stand.app.answerWith = () => 'hang';
  const id = await stand.publish('orders');
  expect(await stand.states(id)).toEqual(['attempting']);
  expect(answers).toEqual(before);
  stand.app.last.answer(200);
  await stand.settle();
  expect(await stand.states(id)).toEqual(['processed']);
  expect(answers).toEqual(after);
});
