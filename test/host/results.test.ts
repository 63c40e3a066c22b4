/** Every method gives what its declaration says: each is called on a whole product, and its answer is held against the declared result. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { METHODS } from '../../core/contract/console.ts';
import type { Method, Params, Result } from '../../core/contract/console.ts';
import type { ProcessRow } from '../../core/contract/methods/processes.ts';
import { members, Num, Optional } from '../../core/contract/schema.ts';
import { inMemoryConsole } from '../console/in-memory-console.ts';
import { cloudEvent, eventually, readyExample, wholeProduct } from '../event-router/whole-product.ts';
import type { Whole } from '../event-router/whole-product.ts';
import { differenceFrom, mustBeDeclared } from '../support/declared-result.ts';

let whole: Whole;
const called = new Set<Method>();
beforeAll(async () => {
  whole = await wholeProduct({ mode: 'headless' });
});
afterAll(() => whole.stop());

/** Calls the method; `Whole.rpc` holds the answer against the declaration. */
async function call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
  const result = await whole.rpc(method, params);
  called.add(method);
  return result;
}

const PUBLISH = { pubsubname: 'pubsub', topic: 'orders', data: { n: 1 } };
const RULE = {
  enabled: true,
  match: {},
  answer: { kind: 'respond', status: 200, body: { status: 'SUCCESS' } },
} as const;

/** The delivery of the message, once it is in the state. */
function deliveryIn(messageId: string, state: string): Promise<string> {
  return eventually(async () => {
    const { deliveries } = await call('messages.get', { messageId });
    return deliveries.find((delivery) => delivery.state === state)?.deliveryId;
  }, `${messageId} is ${state}`);
}

/** Calls of one test; they throw for a result that is not declared. */
const CALLS: Readonly<Record<string, () => Promise<void>>> = {
  'the product, its probes, its log and its settings': async () => {
    await call('system.describe', {});
    await call('system.link', {});
    await call('system.revoke', {});
    await call('health.get', {});
    await call('health.call', { probe: 'healthz' });
    await call('health.simulate', { healthy: false });
    await call('health.simulate', { healthy: null });
    await call('settings.get', {});
    await call('settings.set', { key: 'delivery.retry', value: { maxAttempts: 1 } });
    await call('logs.list', {});
    await call('apps.list', {});
    await call('apps.add', { appId: 'second', sidecarPort: 0 });
    await call('apps.remove', { appId: 'second' });
    await call('taps.list', {});
    await call('taps.add', {
      appId: 'tapped',
      appUrl: 'http://127.0.0.1:9',
      sidecarUrl: 'http://127.0.0.1:9',
      appPort: 0,
      sidecarPort: 0,
    });
    await call('taps.remove', { appId: 'tapped' });
  },

  'processes of a run of several apps': async () => {
    const row: ProcessRow = {
      appId: 'app',
      command: ['node', 'app.js'],
      state: 'running',
      pid: 7,
      restarts: 0,
    };
    const asked: unknown[] = [];
    const act = (appId: string, by?: string) => {
      asked.push(by);
      return appId === row.appId ? Promise.resolve() : undefined;
    };
    const { processLink } = whole.product;
    processLink.attach({ rows: () => [row], banners: () => [], restart: act, stop: act, start: act });
    processLink.output('app', 'stdout', 'listening');
    for (const method of ['processes.restart', 'processes.stop', 'processes.start'] as const)
      await call(method, { appId: 'app' });
    // What ended a process names who asked for it; a start needs no reason.
    expect(asked).toEqual(['script', 'script', undefined]);
    expect((await call('processes.list', {})).items).toEqual([row]);
    const { items } = await call('processes.logs', { appId: 'app' });
    expect(items.map(({ text }) => text)).toEqual(['listening']);
  },

  'messages, deliveries and holds': async () => {
    await call('subscriptions.discover', {});
    const { holdId } = await call('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'all' });
    await call('messages.preview', PUBLISH);
    const own = { ...PUBLISH, data: { specversion: '0.3', source: 'shop', type: 't' } };
    const preview = await call('messages.preview', { ...own, contentType: 'application/cloudevents+json' });
    expect(preview).toMatchObject({ flags: [], problems: [{ field: 'id' }, { field: 'specversion' }] });
    const { messageId } = await call('messages.publish', PUBLISH);
    const held = await deliveryIn(messageId, 'held');
    await call('holds.list', {});
    await call('holds.queue', {});
    await call('holds.update', { holdId, enabled: false, name: null });
    await call('deliveries.release', { deliveryId: held, changes: { data: { n: 2 } } });
    await deliveryIn(messageId, 'processed');
    await call('holds.remove', { holdId });
    await call('holds.restore', { holdId });
    await call('holds.remove', { holdId });
    await call('mockApp.setRules', { rules: [{ ...RULE, answer: { kind: 'respond', status: 500 } }] });
    const failing = await call('messages.publish', PUBLISH);
    const parked = await deliveryIn(failing.messageId, 'parked');
    await call('deliveries.retry', { deliveryId: parked });
    await call('deliveries.reroute', { deliveryId: await deliveryIn(failing.messageId, 'parked') });
    await call('deliveries.deadLetter', {
      deliveryId: await deliveryIn(failing.messageId, 'parked'),
      topic: 'dead',
    });
    await call('mockApp.setRules', { rules: [{ ...RULE, answer: { kind: 'ask' } }] });
    const asked = await call('messages.publish', PUBLISH);
    const waiting = await eventually(
      async () => (await call('mockApp.waiting', {})).items[0]?.deliveryId,
      'a call waits for an answer',
    );
    await call('deliveries.answer', { deliveryId: waiting, answer: { kind: 'respond', status: 500 } });
    const dropped = await deliveryIn(asked.messageId, 'parked');
    await call('deliveries.drop', { deliveryId: dropped });
    await call('deliveries.undoDrop', { deliveryId: dropped });
    const cut = await call('messages.publish', PUBLISH);
    await eventually(async () => (await call('mockApp.waiting', {})).items[0], 'a call waits again');
    await call('deliveries.cancelAttempt', { deliveryId: await deliveryIn(cut.messageId, 'attempting') });
    await call('mockApp.setRules', { rules: [RULE] });
    await call('deliveries.hold', { filter: 'topic:orders' });
    await call('messages.publishBulk', {
      pubsubname: 'pubsub',
      topic: 'orders',
      entries: [{ entryId: '1', event: { n: 1 }, contentType: 'application/json' }],
    });
    await call('messages.replay', { messageId });
    await call('messages.update', { messageId, pinned: true, note: 'mine', tags: ['a'], read: false });
    await call('messages.markRead', {});
    await call('messages.list', {});
    await call('messages.payload', { messageId });
    await call('messages.values', { numbers: [1], paths: ['data.n'] });
    const job = await call('messages.replayMany', { messageIds: [messageId] });
    await call('jobs.get', { jobId: job.jobId });
    await call('jobs.cancel', { jobId: job.jobId });
    await call('jobs.list', {});
    const { undoToken } = await call('messages.delete', { messageIds: [asked.messageId] });
    await call('undo', { token: undoToken });
  },

  'what is loaded, and what explains it': async () => {
    await call('topics.list', {});
    await call('subscriptions.list', {});
    await call('components.list', {});
    await call('components.reload', {});
    await call('metrics.get', { rangeSeconds: 60 });
    await call('routes.explain', { pubsubname: 'pubsub', topic: 'orders', event: { type: 'a' } });
    await call('verdict.explain', { kind: 'single', status: 200, body: '{"status":"DROP"}' });
  },

  'the mock app and sample traffic': async () => {
    await call('mockApp.get', {});
    await call('mockApp.setSubscriptions', {
      subscriptions: [{ pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } }],
    });
    const { preset } = await call('mockApp.savePreset', { title: 'mine', rules: [RULE] });
    await call('mockApp.presets', {});
    await call('mockApp.usePreset', { preset });
    await call('mockApp.removePreset', { preset });
    await call('mockApp.resetCounters', {});
    await call('mockApp.turn', { on: false });
    await call('mockApp.turn', { on: true });
    await call('samples.add', {});
    await call('samples.remove', {});
  },

  'filters, views and events': async () => {
    await call('filter.check', { filter: 'stat:parked' });
    await call('filter.complete', { filter: 'to', cursor: 2 });
    const saved = await call('views.save', { name: 'mine', filter: 'topic:orders', groupBy: 'topic' });
    await call('views.list', {});
    await call('views.order', { savedViewIds: [saved.savedViewId] });
    await call('views.remove', { savedViewId: saved.savedViewId });
    const { viewId } = await call('view.open', { groupBy: 'topic' });
    await call('view.expand', { viewId, open: true });
    await call('view.rows', { viewId, from: 0, count: 500 });
    await call('view.find', { viewId, filter: 'topic:orders', from: 0 });
    await call('view.close', { viewId });
    await call('events.since', { sequence: 0, limit: 10_000 });
  },

  'the stream, which needs a connection': async () => {
    const { rpc, token } = whole.product.ready;
    const socket = new WebSocket(rpc.replace(/^http/, 'ws').replace(/rpc$/, 'stream'), {
      headers: { authorization: `Bearer ${token}` },
    });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const ask = <M extends Method>(method: M, params: Params<M>): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const take = (frame: Buffer): void => {
          const answer: { id?: unknown; result?: unknown; error?: unknown } = JSON.parse(frame.toString());
          if (answer.id !== method) return;
          socket.off('message', take);
          if (answer.error === undefined) resolve(answer.result);
          else reject(new Error(JSON.stringify(answer.error)));
        };
        socket.on('message', take);
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: method, method, params }));
      });
    for (const [method, params] of [
      ['stream.open', {}],
      ['stream.ack', { sequence: 0 }],
      ['stream.close', {}],
    ] as const) {
      mustBeDeclared(method, await ask(method, params));
      called.add(method);
    }
    socket.close();
  },

  'what a person keeps for publishing': async () => {
    const schema = await call('schemas.set', { name: 's', topic: 'orders', schema: { type: 'string' } });
    await call('schemas.list', {});
    await call('schemas.validate', { data: 1, topic: 'orders' });
    await call('schemas.remove', { schemaId: schema.schemaId });
    const { requestId } = await call('requests.save', { name: 'r', shortcut: 1, request: PUBLISH });
    await call('requests.variables', { variables: { a: 'b' } });
    await call('requests.resolve', { request: PUBLISH });
    await call('requests.run', { requestId });
    await call('requests.list', {});
    const { text } = await call('requests.export', {});
    await call('requests.remove', { requestId });
    await call('requests.import', { text });
    await call('drafts.set', { drafts: { a: 1 } });
    await call('drafts.get', {});
  },

  recordings: async () => {
    const { jobId } = await call('recordings.export', {});
    const { text } = await call('recordings.read', { jobId, part: 1 });
    const { recordingId } = await call('recordings.import', { name: 'a', text });
    await call('recordings.list', {});
    await call('recordings.replay', { recordingId, filter: 'topic:none' });
    await call('recordings.compare', { before: recordingId });
    await call('recordings.toTest', { filter: 'topic:none' });
    await call('recordings.close', { recordingId });
  },

  'the event router': async () => {
    const component = await readyExample(whole);
    called.add('eventRouter.create');
    await whole.invoke(component, { operation: 'create', data: cloudEvent('one') });
    const deliveryId = await eventually(
      async () =>
        (await call('eventRouter.deliveries', { component })).items.find((row) => row.state === 'processed')
          ?.deliveryId,
      'the delivery has ended',
    );
    await call('eventRouter.deliveries', { component, deliveryId });
    await call('eventRouter.act', { act: 'replay', deliveryId });
    await call('eventRouter.status', {});
    await call('eventRouter.handshake', { component, act: 'probe' });
    await call('eventRouter.emulate', { component, send: 'handshake' });
    await call('eventRouter.subscriptions', { component });
    await call('eventRouter.breakpoints', { add: { subjectBeginsWith: 'x' } });
    const topics = await call('eventRouter.topics', {});
    await call('eventRouter.token', { component });
    await call('eventRouter.certificate', { act: 'show' });
    await call('eventRouter.faults', { add: { target: 'ingress', times: 1, status: 503 } });
    await call('eventRouter.simulate', {});
    await call('eventRouter.reveal', { topic: topics.items[0]?.name ?? '' });
  },

  'a file of the component folder': async () => {
    const files = { 'a.yaml': 'kind: Component\n' };
    const own = await wholeProduct({ files, set: ['eventRouter.mode=off'] });
    const text = files['a.yaml'];
    for (const method of ['components.validate', 'components.save'] as const) {
      await own.rpc(method, { file: 'a.yaml', text });
      called.add(method);
    }
    await own.rpc('components.read', { file: 'a.yaml' });
    await own.rpc('components.list', {});
    called.add('components.read');
    await own.stop();
    // Only a desktop window shows a file in its folder.
    mustBeDeclared(
      'components.reveal',
      await inMemoryConsole().call('components.reveal', { file: 'a.yaml' }),
    );
    called.add('components.reveal');
  },
};

test.each(Object.entries(CALLS))('results of %s are as declared', async (_name, calls) => {
  await expect(calls()).resolves.toBeUndefined();
});

test('every method was called', () => {
  expect([...called].toSorted()).toEqual(Object.keys(METHODS).toSorted());
});

test('canary: a missing member, another one, and another type are differences', () => {
  const shape = members({ a: Num(), b: Optional(Num()) });
  expect(differenceFrom(shape, { a: 1 })).toBeUndefined();
  expect(differenceFrom(shape, { b: 1 })).toContain('a is missing');
  expect(differenceFrom(shape, { a: 1, c: 1 })).toContain('c is not known');
  expect(differenceFrom(shape, { a: '1' })).toContain('a must be a number');
});
