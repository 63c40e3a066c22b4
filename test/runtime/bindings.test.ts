/** Bindings: events of input sides reach the app once, output sides are invoked. */
import { describe, expect, test } from 'vitest';
import { Bell, belled } from '../support/bell.ts';
import { component } from '../support/listed-components.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

async function only(stand: Stand): Promise<string> {
  const { items } = await stand.journal.page({ order: 'oldest', limit: 10, nowMs: stand.clock.now() });
  const [first, ...more] = items;
  if (first === undefined || more.length > 0) throw new Error(`${items.length} messages`);
  return first.messageId;
}

describe('an event', () => {
  test("is posted unchanged to the binding's route, and the sender gets the answer of the app", async () => {
    const { stand, bell } = await belled();
    expect(await bell.ring()).toEqual({ accepted: true, status: 200, messageId: 'msg_1' });
    expect(stand.app.calls).toHaveLength(1);
    expect(stand.app.last).toMatchObject({ method: 'POST', path: '/bell', text: '{"n":1}' });
    expect(stand.app.last.headers).toMatchObject({
      'content-type': 'application/json',
      tone: 'high',
      'sidecar-api-token': 'secret',
    });
    const id = await only(stand);
    expect(await stand.message(id)).toMatchObject({ source: 'binding', pubsubname: 'bell', topic: 'bell' });
    expect(await stand.way(id)).toEqual([
      'queued policy.accepted (policy)',
      'attempting policy.attempt (policy)',
      'processed binding.2xx (app)',
    ]);
    expect((await stand.delivery(id)).subscription).toEqual({
      pubsubname: 'bell',
      topic: 'bell',
      source: 'binding',
    });
    // The message went to the app directly, through no topic.
    expect(stand.runtime.topology.topics().map(({ topic }) => topic)).not.toContain('bell');
  });

  test.each([
    [404, { accepted: false, status: 404, body: '' }],
    [500, { accepted: false, status: 500, body: '' }],
    ['reset', { accepted: false, error: 'the connection was reset' }],
  ] as const)('answered with %j is refused, and not tried again by us', async (answer, taken) => {
    const { stand, bell } = await belled();
    stand.app.next.push(answer);
    expect(await bell.ring()).toEqual({ ...taken, messageId: 'msg_1' });
    await stand.pass(60_000);
    expect(stand.app.calls).toHaveLength(1);
    expect((await stand.way(await only(stand))).at(-1)).toBe('dropped binding.refused (app)');
  });

  test('is posted to the route of the setting', async () => {
    const { stand, bell } = await belled({ direction: 'input', route: '/custom/route' });
    await bell.ring();
    expect(stand.app.last.path).toBe('/custom/route');
  });

  test('is refused after 25 s without an answer of the app', async () => {
    const { stand, bell } = await belled();
    stand.app.next.push('hang');
    const taken = bell.ring();
    await stand.pass(25_000);
    expect(await taken).toMatchObject({ accepted: false });
    expect((await stand.way(await only(stand))).at(-1)).toBe('dropped binding.refused (app)');
  });

  test('is refused to its sender after 25 s in a hold, and stays held', async () => {
    const { stand, bell } = await belled();
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const taken = bell.ring();
    await stand.settle();
    await stand.pass(25_000);
    expect(await taken).toEqual({ accepted: false, error: 'held by developer' });
    const id = await only(stand);
    expect(await stand.states(id)).toEqual(['held']);
    await stand.runtime.deliveryActions.release({ messageId: id });
    await stand.settle();
    expect((await stand.way(id)).at(-1)).toBe('processed binding.2xx (app)');
  });

  test('can be retried by hand after a refusal, as the binding sends it', async () => {
    const { stand, bell } = await belled();
    stand.app.next.push(500);
    await bell.ring();
    await stand.runtime.deliveryActions.retry({ messageId: await only(stand) });
    await stand.settle();
    expect(stand.app.calls).toHaveLength(2);
    expect(stand.app.last.headers).toMatchObject({ 'content-type': 'application/json', tone: 'high' });
    expect((await stand.way(await only(stand))).at(-1)).toBe('processed binding.2xx (app)');
  });

  test('is refused if a stop cancels it, and does not continue at the next start', async () => {
    const { stand, bell } = await belled();
    stand.app.next.push('hang');
    const taken = bell.ring();
    await stand.settle();
    await stand.stop();
    expect(await taken).toMatchObject({ accepted: false });
    await stand.start();
    await stand.pass(1000);
    expect(stand.app.calls).toHaveLength(1);
    expect((await stand.way(await only(stand))).at(-1)).toBe('dropped binding.refused (app)');
  });
});

test('a reload does not wait for a held event, and listens to the new binding', async () => {
  const { stand, bell } = await belled();
  await stand.runtime.holds.add({ at: 'delivery', filter: '' });
  const taken = bell.ring();
  await stand.settle();
  stand.components.components = [component('bell', 'bindings.bell', { direction: 'input', changed: 'yes' })];
  const next = new Bell();
  stand.components.own.set('bell', () => next);
  await stand.runtime.resources.reload();
  expect(await taken).toEqual({ accepted: false, error: 'the binding is being closed' });
  expect(next.listening).toBeDefined();
});

describe('invoking', () => {
  const invoke = (stand: Stand, name: string, body: unknown): Promise<unknown> =>
    stand.runtime.sidecar('app').invokeBinding(name, JSON.stringify(body), { traceparent: 'tp' });

  test('passes data, metadata and trace', async () => {
    const { stand, bell } = await belled();
    await invoke(stand, 'bell', { operation: 'create', data: { n: 1 }, metadata: { k: 'v' } });
    expect(bell.invoked).toEqual([
      { operation: 'create', data: '{"n":1}', metadata: { k: 'v', traceparent: 'tp' } },
    ]);
  });

  test('is refused in the words of the reference', async () => {
    const { stand } = await belled();
    const refusal = (message: string): object => ({ code: 'ERR_INVOKE_OUTPUT_BINDING', message });
    await expect(invoke(stand, 'nope', { operation: 'create' })).rejects.toMatchObject(
      refusal("error invoking output binding nope: couldn't find output binding nope"),
    );
    await expect(invoke(stand, 'bell', { operation: 'get' })).rejects.toMatchObject(
      refusal(
        'error invoking output binding bell: binding bell does not support operation get. supported operations:create',
      ),
    );
    await expect(invoke(stand, 'bell', { data: 1 })).rejects.toMatchObject(
      refusal('error invoking output binding bell: operation field is missing from request'),
    );
    await expect(invoke(stand, 'bell', { operation: 'create', data: 'fail' })).rejects.toMatchObject(
      refusal('error invoking output binding bell: the other side said no'),
    );
  });
});

test('an app that takes events of bindings and messages has both', async () => {
  const bell = new Bell();
  const stand = await started({}, (it) => {
    it.components.components.push(component('bell', 'bindings.bell', { direction: 'input' }));
    it.components.own.set('bell', () => bell);
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  await stand.publish('orders');
  await bell.ring();
  expect(stand.app.calls.map(({ path }) => path)).toEqual(['/orders', '/bell']);
});

test('an input binding that an app may no longer use feeds the app that may', async () => {
  const scopedTo = (scopes: readonly string[]) =>
    component('bell', 'bindings.bell', { direction: 'input' }, { scopes });
  let bell = new Bell();
  const stand = await started({ apps: ['one', 'two'] }, (it) => {
    it.components.components = [scopedTo(['one', 'two'])];
    it.components.own.set('bell', () => (bell = new Bell()));
  });
  const received = (): readonly number[] => ['one', 'two'].map((appId) => stand.appOf(appId).calls.length);
  await bell.ring();
  expect(received()).toEqual([1, 0]);
  stand.components.components = [scopedTo(['two'])];
  await stand.runtime.resources.reload();
  await stand.settle();
  await bell.ring();
  expect(received()).toEqual([1, 1]);
  const running = bell;
  stand.components.components = [scopedTo(['two', 'one'])];
  await stand.runtime.resources.reload();
  await bell.ring();
  expect(bell).toBe(running);
  expect(received()).toEqual([1, 2]);
});
