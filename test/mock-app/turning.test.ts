/** A mock app that is turned off and on, its counters, and the variables of its answers. */
import { expect, test } from 'vitest';

import { responseOf, send, single, channelToMock, openMockApp } from '../support/mock-app-parts.ts';

test('a mock app that is off does not listen, and turned on it answers on the same port', async () => {
  const app = await openMockApp({ rules: [{ enabled: true, match: {}, answer: { kind: 'hang' } }] });
  const channel = channelToMock(app);
  const hanging = send(channel, single()).answer;
  expect(app.state().on).toBe(true);
  await app.turn(false);
  expect(await hanging).toMatchObject({ kind: 'none' });
  expect(app.state().on).toBe(false);
  expect(await send(channel, single()).answer).toMatchObject({ kind: 'none', code: 'refused' });
  await app.turn(false);
  app.setRules([]);
  await app.turn(true);
  expect(responseOf(await send(channel, single()).answer).status).toBe(200);
});

test('a mock app that is off closes like any other', async () => {
  const app = await openMockApp();
  await app.turn(false);
  await expect(app.close()).resolves.toBeUndefined();
});

test('a reset clears hits, sequences, counts of the default answer, and received requests', async () => {
  const app = await openMockApp({
    rules: [
      {
        enabled: true,
        match: { topic: 'orders' },
        times: 1,
        answer: { kind: 'respond', status: 503 },
      },
    ],
  });
  const channel = channelToMock(app);
  const twice = async (): Promise<number[]> => [
    responseOf(await send(channel, single()).answer).status,
    responseOf(await send(channel, single()).answer).status,
  ];
  expect(await twice()).toEqual([503, 200]);
  expect(app.state()).toMatchObject({ rules: [{ hits: 1 }], defaultHits: 1, received: 2 });
  app.resetCounters();
  expect(app.state()).toMatchObject({ rules: [{ hits: 0 }], defaultHits: 0, received: 0 });
  expect(app.state().rules[0]).not.toHaveProperty('lastAt');
  expect(await twice()).toEqual([503, 200]);
});

test("variables of an answer's body are filled in, and other braces stay", async () => {
  const body = String.raw`{"n":{{counter}},"at":"{{now}}","free":"{{order.id}} \{{uuid}}"}`;
  const app = await openMockApp({
    rules: [{ enabled: true, match: {}, answer: { kind: 'respond', status: 200, body } }],
  });
  const channel = channelToMock(app);
  const got = responseOf(await send(channel, single()).answer);
  expect(got.headers['content-type']).toBe('application/json');
  expect(JSON.parse(got.text)).toEqual({
    n: 1,
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    free: '{{order.id}} {{uuid}}',
  });
  app.setRules([
    { enabled: true, match: {}, answer: { kind: 'respond', status: 200, body: { id: '{{uuid}}' } } },
  ]);
  const again = responseOf(await send(channel, single()).answer);
  expect(JSON.parse(again.text).id).toMatch(/^[0-9a-f-]{36}$/);
});
