/** Twenty questions that people ask an agent, each answered by at most four calls of its tools. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, wholeProduct } from '../event-router/whole-product.ts';
import type { Whole } from '../event-router/whole-product.ts';
import { agentAt, firstOf } from './agent.ts';
import type { Agent, Answered } from './agent.ts';

let whole: Whole;
let agent: Agent;

const respond = (status: number, body?: unknown) =>
  ({ kind: 'respond', status, ...(body === undefined ? {} : { body }) }) as const;

beforeAll(async () => {
  whole = await wholeProduct({
    set: [
      'delivery.retry={"maxAttempts":3,"firstDelayMs":1}',
      'delivery.retryByTopic={"pubsub/stuck":{"firstDelayMs":600000,"maxDelayMs":600000}}',
    ],
  });
  const plain = (topic: string) => ({ pubsubname: 'pubsub', topic, routes: { default: `/${topic}` } });
  await whole.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      ...['orders', 'payments', 'stuck', 'asks', 'held', 'bills-dead'].map(plain),
      { ...plain('bills'), deadLetterTopic: 'bills-dead' },
      {
        pubsubname: 'pubsub',
        topic: 'shapes',
        routes: { rules: [{ match: 'event.type == "circle"', path: '/circles' }], default: '/others' },
      },
    ],
  });
  const failing = (topic: string) => ({ match: { topic }, answer: respond(503) });
  await whole.rpc('mockApp.setRules', {
    rules: [
      {
        match: { filter: 'data.orderId:17' },
        answer: { kind: 'sequence', steps: [respond(503), respond(200)] },
      },
      ...['payments', 'stuck', 'bills'].map(failing),
    ],
  });
  const publish = (topic: string, data: unknown) =>
    whole.rpc('messages.publish', { pubsubname: 'pubsub', topic, data });
  await publish('orders', { orderId: 17 });
  for (const topic of ['payments', 'stuck', 'bills', 'nobody']) await publish(topic, { orderId: 18 });
  await eventually(async () => {
    const { total } = await whole.rpc('messages.list', {
      filter: 'state:parked OR state:dead-lettered OR topic:orders state:processed',
    });
    return total === 4 ? true : undefined;
  }, 'all have ended, the copy on the dead-letter topic too');
  agent = await agentAt(whole.product);
});
afterAll(async () => {
  await agent.close();
  await whole.stop();
});

type Ask = (name: string, args?: Readonly<Record<string, unknown>>) => Promise<Answered>;

/** Each gives the text in which the answer stands. */
const QUESTIONS: Readonly<
  Record<string, { readonly ask: (ask: Ask) => Promise<Answered>; readonly answer: RegExp }>
> = {
  'why was order 17 retried?': {
    ask: async (ask) => {
      const listed = await ask('list_messages', { filter: 'data.orderId:17' });
      return ask('explain_message', { messageId: firstOf(listed, 'messageId') });
    },
    answer: /attempt 1: .*single\.other[\s\S]*attempt 2: .*single\.2xx\.empty/,
  },
  'which messages are parked, and why?': {
    ask: async (ask) => {
      const listed = await ask('list_messages', { filter: 'state:parked topic:payments' });
      return ask('explain_message', { messageId: firstOf(listed, 'messageId') });
    },
    answer: /message \d+ on payments[\s\S]*parked after 3 attempts[\s\S]*policy\.exhausted/,
  },
  'what ended on a dead-letter topic?': {
    ask: async (ask) => {
      const listed = await ask('list_messages', { filter: 'state:dead-lettered' });
      return ask('explain_message', { messageId: firstOf(listed, 'messageId') });
    },
    answer: /policy\.dead-letter[\s\S]*"deadLetter": \{\s*"topic": "bills-dead"/,
  },
  'why did nobody get the message on the topic nobody?': {
    ask: async (ask) => {
      const listed = await ask('list_messages', { filter: 'topic:nobody' });
      return ask('explain_message', { messageId: firstOf(listed, 'messageId') });
    },
    answer: /no subscription matched its topic/,
  },
  'why is the message on stuck not there yet?': {
    ask: (ask) => ask('wait_for', { filter: 'topic:stuck state:processed', timeout: '0s' }),
    answer: /^Not in time[\s\S]*nearest, but not state:processed \(msg_\w+\):[\s\S]*single\.other/,
  },
  'make the app fail twice, then check it recovers': {
    ask: async (ask) => {
      const steps = [respond(503), respond(503), respond(200)];
      await ask('set_mock_answers', {
        rules: [{ match: { topic: 'orders' }, answer: { kind: 'sequence', steps } }],
      });
      const published = await ask('publish', { topic: 'orders', data: { orderId: 20 } });
      await ask('wait_for', { filter: 'data.orderId:20 state:processed attempts:3' });
      return ask('explain_message', { messageId: /as (\S+)\.$/.exec(published.text)?.[1] });
    },
    answer: /processed after 3 attempts/,
  },
  'the app is repaired: does the parked payment go through now?': {
    ask: async (ask) => {
      await ask('set_mock_answers', { rules: [] });
      await ask('retry', { filter: 'topic:payments state:parked' });
      return ask('wait_for', { filter: 'topic:payments state:processed' });
    },
    answer: /^They match: 1 of at least 1/,
  },
  'where would a circle go, and where a square?': {
    ask: async (ask) => {
      const event = { specversion: '1.0', id: '1', source: '/t', type: 'square' };
      await ask('explain_route', { pubsubname: 'pubsub', topic: 'shapes', event });
      return ask('explain_route', {
        pubsubname: 'pubsub',
        topic: 'shapes',
        event: { ...event, type: 'circle' },
      });
    },
    answer: /1 would get it[\s\S]*"path": "\/circles"\s*\}\s*\]/,
  },
  'what happens when my app answers 404?': {
    ask: (ask) => ask('explain_verdict', { kind: 'single', status: 404 }),
    answer: /^dropped by rule single\.404\./,
  },
  'and when it answers {"status":"RETRY"}?': {
    ask: (ask) => ask('explain_verdict', { kind: 'single', status: 200, body: '{"status":"RETRY"}' }),
    answer: /^retrying by rule single\.2xx\.retry\./,
  },
  'stop the next message before the app gets it, look at it, and let it go': {
    ask: async (ask) => {
      await ask('hold', { filter: 'topic:held data.n:1', times: 1 });
      await ask('publish', { topic: 'held', data: { n: 1 } });
      const held = await ask('wait_for', { filter: 'topic:held state:held' });
      return ask('release', { deliveryId: firstOf(held, 'deliveryId') });
    },
    answer: /^Released: 1\./,
  },
  'what if the payload of that message had been different?': {
    ask: async (ask) => {
      const listed = await ask('list_messages', { filter: 'topic:held' });
      await ask('replay', { messageId: firstOf(listed, 'messageId'), changes: { data: { n: 2 } } });
      return ask('wait_for', { filter: 'topic:held is:replay data.n:2 state:processed' });
    },
    answer: /^They match: 1/,
  },
  'let me answer for the app: it says DROP': {
    ask: async (ask) => {
      await ask('set_mock_answers', { rules: [{ match: { topic: 'asks' }, answer: { kind: 'ask' } }] });
      await ask('publish', { topic: 'asks', data: {} });
      const waits = await ask('wait_for', { filter: 'topic:asks state:attempting' });
      return ask('answer', {
        deliveryId: firstOf(waits, 'deliveryId'),
        answer: respond(200, { status: 'DROP' }),
      });
    },
    answer: /^Answered: 1\./,
  },
  'what became of the message that was answered with DROP?': {
    ask: async (ask) => {
      const dropped = await ask('wait_for', { filter: 'topic:asks state:dropped' });
      return ask('explain_message', { messageId: firstOf(dropped, 'messageId') });
    },
    answer: /single\.2xx\.drop/,
  },
  'get rid of what is stuck in retrying': {
    ask: async (ask) => {
      await ask('drop', { filter: 'topic:stuck state:retrying' });
      return ask('list_messages', { filter: 'state:retrying' });
    },
    answer: /^0 messages match/,
  },
  'send five orders at once: are all processed?': {
    ask: async (ask) => {
      const entries = [1, 2, 3, 4, 5].map((orderId) => ({ event: { orderId: 100 + orderId } }));
      await ask('publish_bulk', { topic: 'orders', entries });
      return ask('wait_for', { filter: 'topic:orders is:bulk state:processed', count: 5 });
    },
    answer: /^They match: 5 of at least 5/,
  },
  'is my app reachable, and what does it subscribe to?': {
    ask: (ask) => ask('topology'),
    answer: /"channel": "answering"[\s\S]*"topic": "shapes"[\s\S]*"path": "\/circles"/,
  },
  'which warnings were logged?': {
    ask: (ask) => ask('logs', { level: 'warn' }),
    answer: /"level": "warn"[\s\S]*503/,
  },
  'what have agents done here?': {
    ask: (ask) => ask('logs', { level: 'info', filter: '"by an agent"' }),
    answer: /messages\.publishBulk by an agent: topic \\"orders\\"/,
  },
  'does an order that fails once still come through, from scratch?': {
    ask: (ask) =>
      ask('run_scenario', {
        text: `name: fails once
settings: { delivery.retry: { maxAttempts: 2, firstDelayMs: 1 } }
mock:
  - { match: { topic: orders }, times: 1, answer: { kind: respond, status: 500 } }
steps:
  - publish: { topic: orders, data: { orderId: 1 } }
  - expect: data.orderId:1
    state: processed
    attempts: 2
`,
      }),
    answer: /^The scenario passed: 2 steps, 0 failed\./,
  },
};

test('there are twenty questions', () => expect(Object.keys(QUESTIONS)).toHaveLength(20));

test.each(Object.entries(QUESTIONS))('an agent can answer: %s', async (_question, { ask, answer }) => {
  let calls = 0;
  const last = await ask(async (name, args) => {
    calls += 1;
    const answered = await agent.call(name, args);
    if (answered.isError) throw new Error(answered.text);
    return answered;
  });
  expect(last.text).toMatch(answer);
  expect(calls).toBeLessThanOrEqual(4);
});
