/** The event-router component at work: create, handshake, refusals, events, probe. Conformance cases 116 to 124. */
import assert from 'node:assert/strict';
import type { Case, Context } from '../suite/case.ts';
import { listOf, objectOf, refused } from '../suite/checks.ts';
import { consoleOf } from '../suite/console-checks.ts';
import type { Json } from '../suite/checks.ts';
import { poll } from '../suite/context.ts';
import type { Delivery } from '../suite/deliveries.ts';
import type { Answer, Sending } from '../suite/http-client.ts';
import {
  lost,
  otherDelivery,
  otherDeliveryHeader,
  otherHeaderBeside,
  otherPath,
  otherStatus,
  otherStatusBeside,
  otherText,
  toldOtherwise,
  twice,
} from '../suite/spoiler.ts';

/** Longest wait for the component that the console makes, in ms. */
const READY_MS = 120_000;

/** `create` through the output side of `name`. */
const create = async (
  context: Context,
  name: string,
  data: unknown,
): ReturnType<Context['sidecar']['send']> =>
  context.sidecar.send(`/v1.0/bindings/${name}`, {
    method: 'POST',
    body: JSON.stringify({ operation: 'create', data }),
  });

const event = (context: Context): Json => ({
  specversion: '1.0',
  id: context.topic(),
  source: '/suite',
  type: 'suite.made',
  data: { a: [1, 'ü'] },
});

const componentOf = async (context: Context, component: string): Promise<Json> => {
  const status = await consoleOf(context).call('eventRouter.status', { component });
  return objectOf(listOf(status['components'])[0]);
};

/** The component that the console makes, once it is ready; made when it is not there. */
const example = async (context: Context): Promise<string> => {
  const { components } = await consoleOf(context).call('eventRouter.status', {});
  const isThere = listOf(components)
    .map(objectOf)
    .some(({ name }) => name === 'example');
  if (!isThere) await consoleOf(context).call('eventRouter.create', {});
  await poll(
    async () => objectOf((await componentOf(context, 'example'))['input'])['state'],
    (state) => state === 'ready',
    'the example is ready',
    // Not the case's patience: this is not what is looked at, and a slow machine must not look like a fault.
    Math.max(context.patienceMs, READY_MS),
  );
  return 'example';
};

/** The events of this case that the app got at the example's route. */
const arrived = async (context: Context, count = 1): Promise<readonly Delivery[]> => {
  const mine = (all: readonly Delivery[]): readonly Delivery[] =>
    all.filter(({ method, text }) => method === 'POST' && text.includes(`"${context.topic()}"`));
  const seen = await context.app.log.until(
    '/example',
    (all) => mine(all).length >= count,
    'the event',
    context.patienceMs,
  );
  return mine(seen);
};

/** A request to the example's webhook itself. */
const knock = async (context: Context, sending: Sending, path?: string): Promise<Answer> => {
  const { webhook } = objectOf((await componentOf(context, 'example'))['input']);
  const { address, path: own } = objectOf(webhook);
  return context.beside(`http://${String(address)}${path ?? String(own)}`, sending);
};

/** The way still works: an event created now reaches the app. */
const works = async (context: Context): Promise<void> => {
  const answer = await create(context, 'example', event(context));
  assert.deepEqual([answer.status, answer.text], [204, '']);
  await arrived(context);
};

const last = (context: Context, path: string): Delivery => {
  const posts = context.app.log.at(path).filter(({ method }) => method === 'POST');
  return posts.at(-1) ?? assert.fail(`nothing at ${path}`);
};

export const eventRouterCases: readonly Case[] = [
  {
    id: '116',
    title: 'create posts data as they are to topicEndpoint, with the key',
    basis: 'R',
    rows: [
      'binding.accessKey',
      'binding.topicEndpoint',
      'binding.create',
      'binding.type',
      'versions.binding',
    ],
    run: async (context) => {
      context.app.script('/topic', { status: 200 });
      const data = event(context);
      const answer = await create(context, 'out', data);
      assert.deepEqual([answer.status, answer.text], [204, '']);
      const posted = last(context, '/topic');
      assert.equal(posted.text, JSON.stringify(data));
      assert.equal(posted.headers['aeg-sas-key'], 'a-key-of-the-suite');
      assert.equal(posted.headers['content-type'], 'application/cloudevents+json');
    },
    spoils: [
      otherStatus(200),
      otherDeliveryHeader('aeg-sas-key', 'another'),
      otherDelivery('suite', 'other'),
    ],
  },
  {
    id: '117',
    title: 'an endpoint that answers 400, or anything but 200: 500 with its answer',
    basis: 'R',
    rows: ['binding.create'],
    run: async (context) => {
      for (const status of [400, 202]) {
        context.app.script('/topic', { status, body: '{"no":1}' });
        const body = refused(await create(context, 'out', {}), 500, 'ERR_INVOKE_OUTPUT_BINDING');
        assert.equal(
          body['message'],
          `error invoking output binding out: invalid status code (${status}) - response: {"no":1}`,
        );
      }
    },
    spoils: [otherStatus(204), otherText('status code', 'code')],
  },
  {
    id: '119',
    title: 'the handshake: 200, the origin echoed, any rate',
    basis: 'S',
    rows: ['binding.options.200', 'binding.handshakePort', 'binding.subscriberEndpoint'],
    needsConsole: true,
    run: async (context) => {
      await example(context);
      const answer = await knock(context, {
        method: 'OPTIONS',
        headers: { 'webhook-request-origin': 'some.origin' },
      });
      assert.deepEqual([answer.status, answer.text], [200, '']);
      assert.equal(answer.headers['webhook-allowed-origin'], 'some.origin');
      assert.equal(answer.headers['webhook-allowed-rate'], '*');
      await works(context);
    },
    spoils: [
      otherStatusBeside(200, 204),
      otherHeaderBeside('webhook-allowed-origin', 'other.origin'),
      otherHeaderBeside('webhook-allowed-rate', '120'),
      lost,
    ],
  },
  {
    id: '120',
    title: 'another method 405, another path 404, no token 401; none reaches the app',
    basis: 'R',
    rows: ['binding.authenticate'],
    needsConsole: true,
    run: async (context) => {
      await example(context);
      const body = JSON.stringify(event(context));
      assert.equal((await knock(context, {})).status, 405);
      assert.equal((await knock(context, { method: 'POST', body }, '/elsewhere')).status, 404);
      const bare = await knock(context, { method: 'POST', body });
      assert.deepEqual([bare.status, bare.text], [401, '401 Unauthorized']);
      const headers = { authorization: 'Bearer a.b.c' };
      assert.equal((await knock(context, { method: 'POST', body, headers })).status, 401);
      await works(context);
      assert.equal((await arrived(context)).length, 1);
    },
    spoils: [...[405, 404, 401].map((status) => otherStatusBeside(status, 200)), twice, lost],
  },
  {
    id: '121',
    title: 'an event reaches the app byte for byte; an app that answers 500 gets it again from the router',
    basis: 'R',
    rows: ['binding.events', 'binding.subscribe'],
    needsConsole: true,
    run: async (context) => {
      await example(context);
      context.app.script('/example', { status: 500, body: 'not now' }, { status: 200 });
      const data = event(context);
      const answer = await create(context, 'example', data);
      assert.deepEqual([answer.status, answer.text], [204, '']);
      const [first, second] = await arrived(context, 2);
      assert.equal(first?.text, JSON.stringify(data));
      assert.equal(second?.text, JSON.stringify(data));
      assert.equal(first?.headers['content-type'], 'application/json');
      assert.equal(first?.headers['aeg-event-type'], undefined);
    },
    spoils: [
      otherDelivery('suite.made', 'made'),
      otherDeliveryHeader('content-type', 'text/plain'),
      otherPath,
    ],
  },
  {
    id: '121r',
    title: 'an ingress that answers 503 is named; once it is fixed, what waited arrives',
    basis: 'S',
    rows: ['binding.options.503'],
    needsConsole: true,
    run: async (context) => {
      await example(context);
      await consoleOf(context).call('eventRouter.faults', { ingress: '503' });
      try {
        const { handshakes } = await consoleOf(context).call('eventRouter.handshake', {
          component: 'example',
          act: 'probe',
        });
        const { status, code } = objectOf(listOf(handshakes)[0]);
        assert.deepEqual([status, code], [503, 'EVR-ING-03']);
        assert.equal((await create(context, 'example', event(context))).status, 204);
      } finally {
        await consoleOf(context).call('eventRouter.faults', { ingress: 'none' });
      }
      await arrived(context);
    },
    spoils: [toldOtherwise('EVR-ING-03', 'EVR-ING-02'), lost],
  },
  {
    id: '122',
    title: 'the probe: 404 is no, 405 is yes, a direction of input asks nothing',
    basis: 'R',
    rows: ['behaviour 8.2', 'binding.direction'],
    needsConsole: true,
    run: async (context) => {
      const state = async (name: string): Promise<unknown> =>
        objectOf((await componentOf(context, name))['input'])['state'];
      await context.poll(
        async () => state('refusing'),
        (one) => one === 'not-subscribed',
        'not subscribed',
      );
      assert.notEqual(await state('asked'), 'not-subscribed');
      await context.app.log.until('/asked', (all) => all.length > 0, 'the probe', context.patienceMs);
      // The app is asked again when components are loaded again.
      const methods = (path: string): readonly string[] => [
        ...new Set(context.app.log.at(path).map(({ method }) => method)),
      ];
      assert.deepEqual(
        [methods('/asked'), methods('/refusing'), methods('/direct')],
        [['OPTIONS'], ['OPTIONS'], []],
      );
      await example(context);
      await works(context);
    },
    spoils: [toldOtherwise('"not-subscribed"', '"ready"'), lost],
  },
  {
    id: '124',
    title: 'a direction of output: no input, nothing listens',
    basis: 'S',
    rows: ['binding.direction'],
    needsConsole: true,
    run: async (context) => {
      const found = await componentOf(context, 'out');
      assert.deepEqual([found['direction'], found['input']], ['output', undefined]);
      const answer = await context.sidecar.send('/v1.0/metadata');
      const components = listOf(objectOf(answer.json())['components']).map(objectOf);
      const out = components.find(({ name }) => name === 'out');
      assert.deepEqual(out?.['capabilities'], ['OUTPUT_BINDING']);
    },
    spoils: [
      toldOtherwise('"direction":"output"', '"direction":"input, output"'),
      toldOtherwise('"direction":"output"', '"direction":"output","input":{}'),
      otherText('["OUTPUT_BINDING"]', '["INPUT_BINDING","OUTPUT_BINDING"]'),
    ],
  },
];
