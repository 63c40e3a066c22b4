/**
 * A whole product in trouble: an app that is away for longer than the schedule, events that wait in the queue, health that waits for the
 * binding.
 */
import { createServer } from 'node:net';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import type { RouterDeliveryRow } from '../../core/contract/event-router/local-router.ts';
import { freePort } from '../support/free-port.ts';
import { cloudEvent, eventually, readyExample, wholeProduct } from './whole-product.ts';
import type { Whole } from './whole-product.ts';

const running: Whole[] = [];
afterEach(async () => {
  for (const whole of running.splice(0)) await whole.stop();
});

async function whole(how: Parameters<typeof wholeProduct>[0] = {}): Promise<Whole> {
  const made = await wholeProduct(how);
  running.push(made);
  return made;
}

async function created(it: Whole, name: string, id: string): Promise<void> {
  const answer = await it.invoke(name, { operation: 'create', data: cloudEvent(id) });
  expect(answer).toEqual({ status: 204, text: '' });
}

const rows = async (it: Whole): Promise<readonly RouterDeliveryRow[]> =>
  (await it.rpc('eventRouter.deliveries', { limit: 500 })).items;

test('events for an app that is away longer than the schedule expire visibly, and arrive once a person retries them', async () => {
  const it = await whole();
  const name = await readyExample(it);
  const refuse = {
    enabled: true,
    match: {},
    answer: { kind: 'respond' as const, status: 503, body: 'away' },
  };
  await it.rpc('mockApp.setRules', { rules: [refuse] });
  // A day of the schedule in less than two seconds.
  await it.rpc('eventRouter.faults', { timeScale: 0.00002 });
  for (const id of ['a', 'b']) await created(it, name, id);
  const expired = await eventually(async () => {
    const found = (await rows(it)).filter(({ state }) => state === 'expired');
    return found.length === 2 ? found : undefined;
  }, 'both expired');
  for (const row of expired)
    expect(row).toMatchObject({ rule: 'router.expired', lastOutcome: 'Aborted', lastStatus: 500 });
  const [first] = expired;
  const { delivery } = await it.rpc('eventRouter.deliveries', { deliveryId: first?.deliveryId ?? '' });
  expect(delivery?.history).toHaveLength(first?.attempts ?? 0);
  expect(delivery?.history.at(-1)?.response?.body).toContain('status code: 503 body: away');
  const { router } = await it.rpc('eventRouter.status', {});
  expect(router?.counts).toMatchObject({ expired: 2 });
  // Each attempt that reached the app is a message, and says what the app answered.
  const { items } = await it.rpc('messages.list', { filter: `origin:binding id:${first?.eventId ?? ''}` });
  expect(items).toHaveLength(first?.attempts ?? 0);
  expect(new Set(items.map(({ deliveries }) => deliveries[0]?.state))).toEqual(new Set(['dropped']));
  await it.rpc('mockApp.setRules', { rules: [] });
  await it.rpc('eventRouter.faults', { timeScale: 0.01 });
  expect(await it.rpc('eventRouter.act', { act: 'retry', matching: { states: ['expired'] } })).toEqual({
    changed: 2,
  });
  await eventually(
    async () => ((await rows(it)).every(({ state }) => state === 'processed') ? true : undefined),
    'both delivered',
  );
});

test('the methods of the console set breakpoints, act in bulk and send changed copies', async () => {
  const it = await whole();
  const name = await readyExample(it);
  const { items } = await it.rpc('eventRouter.breakpoints', { add: { includedEventTypes: ['test.made'] } });
  for (const id of ['a', 'b', 'c']) await created(it, name, id);
  const held = await rows(it);
  expect(held.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(['held 0', 'held 0', 'held 0']);
  await it.rpc('eventRouter.act', { act: 'drop', matching: { states: ['held'], text: '"eventId":"b"' } });
  expect(await it.rpc('eventRouter.act', { act: 'release', matching: {} })).toEqual({ changed: 2 });
  await eventually(async () => {
    const states = (await rows(it)).map(({ eventId, state }) => `${eventId} ${state}`).toSorted();
    return states.join() === 'a processed,b dropped,c processed' ? true : undefined;
  }, 'released and dropped');
  expect(await it.rpc('eventRouter.breakpoints', { remove: items[0]?.breakpointId ?? '' })).toEqual({
    items: [],
  });
  const [b] = (await rows(it)).filter(({ eventId }) => eventId === 'b');
  const event = JSON.stringify({ ...cloudEvent('b'), data: { changed: true } });
  const deliveryId = b?.deliveryId ?? '';
  expect(await it.refused('eventRouter.act', { act: 'replay', deliveryId, event: '[]' })).toContain(
    'JSON object',
  );
  await it.rpc('eventRouter.act', { act: 'replay', deliveryId, event });
  const copy = await eventually(async () => {
    const { items: found } = await it.rpc('messages.list', { filter: 'origin:binding' });
    return found.find(({ eventId }) => !['a', 'c'].includes(eventId ?? ''));
  }, 'the changed copy');
  const message = await it.rpc('messages.get', { messageId: copy.messageId });
  expect(message.data).toMatchObject({ data: { changed: true } });
});

test('with health.strictBindings the health routes wait for the input and name it, and without it they do not', async () => {
  const files = { 'empty.yaml': '' };
  const strict = await whole({ files, set: ['eventRouter.health.strictBindings=true'] });
  const lax = await whole({ files });
  const health = async (it: Whole): Promise<number> =>
    (await fetch(`${it.sidecar}/v1.0/healthz/outbound`)).status;
  for (const it of [strict, lax]) expect(await health(it)).toBe(204);
  for (const it of [strict, lax]) await it.rpc('eventRouter.faults', { ingress: '503' });
  // One after the other: two that look for a free port at the same moment find the same.
  for (const it of [strict, lax]) {
    await it.rpc('eventRouter.create', {});
    await eventually(async () => {
      const { components } = await it.rpc('eventRouter.status', {});
      return components[0]?.input?.steps.some(({ code }) => code === 'EVR-ING-03') === true
        ? true
        : undefined;
    }, 'the probe has failed');
  }
  expect([await health(strict), await health(lax)]).toEqual([500, 204]);
  expect((await fetch(`${strict.sidecar}/v1.0/healthz`)).status).toBe(500);
  // Before there is a subscription a retry by hand has nothing to show of it, and is no error.
  const shaken = await strict.rpc('eventRouter.handshake', { component: 'example', act: 'retry' });
  expect(shaken).toMatchObject({ component: 'example', routerHandshakes: [] });
  await strict.rpc('eventRouter.faults', { ingress: 'none' });
  await eventually(async () => ((await health(strict)) === 204 ? true : undefined), 'it is healthy again');
});

test('T27: browser mode and headless mode store the same for the same events', async () => {
  const kept: unknown[] = [];
  for (const mode of ['headless', 'browser'] as const) {
    const it = await whole({ mode });
    const name = await readyExample(it);
    for (const id of ['a', 'b']) await created(it, name, id);
    const found = await eventually(async () => {
      const { items } = await it.rpc('messages.list', { filter: 'origin:binding state:processed' });
      return items.length === 2 ? items : undefined;
    }, `two messages in ${mode} mode`);
    const messages = await Promise.all(found.map(({ messageId }) => it.rpc('messages.get', { messageId })));
    kept.push(
      messages
        .map(({ source, pubsubname, topic, eventId, eventType, contentType, data, deliveries }) => ({
          ...{ source, pubsubname, topic, eventId, eventType, contentType, data },
          transitions: deliveries.map(({ transitions }) => transitions.map(({ to, rule }) => ({ to, rule }))),
        }))
        .toSorted((a, b) => (a.eventId ?? '').localeCompare(b.eventId ?? '')),
    );
  }
  expect(kept[0]).toEqual(kept[1]);
  expect(kept[0]).toHaveLength(2);
});

test('without its ingress no example is added, and the refusal says why it does not listen', async () => {
  const port = await freePort();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const it = await whole({ set: [`eventRouter.listen.ingress=localhost:${port}`] });
  const refused: unknown = JSON.parse(await it.refused('eventRouter.create', {}));
  expect(refused).toMatchObject({
    message: expect.stringMatching(
      `The ingress of the embedded router does not listen: .*localhost:${port}: port ${port} is in use`,
    ),
    data: { evr: 'EVR-ING-01' },
  });
  const { components } = await it.rpc('eventRouter.status', {});
  expect(components).toEqual([]);
});

test('a taken port of the router is reported, and the component is ready once it is free', async () => {
  const port = await freePort();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
  const it = await whole({ set: [`eventRouter.listen.router=localhost:${port}`] });
  const refused = await it.refused('eventRouter.create', {});
  expect(refused).toContain(`cannot listen on localhost:${port}: port ${port} is in use`);
  expect((await it.rpc('eventRouter.status', {})).routerError).toMatchObject({ code: 'EVR-NET-01' });
  await new Promise<void>((resolve) => taken.close(() => resolve()));
  const name = await readyExample(it);
  const { router, routerError } = await it.rpc('eventRouter.status', {});
  expect([router?.addresses.router, routerError]).toEqual([`https://localhost:${port}`, undefined]);
  await created(it, name, 'a');
  await eventually(async () => ((await rows(it))[0]?.state === 'processed' ? true : undefined), 'delivered');
});
