/** No case begins before each component that its subscriptions name is served: a sidecar may serve one after the other. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Case } from './suite/case.ts';
import { isObject } from '../../core/domain/json.ts';
import { NAMES } from './suite/names.ts';
import type { CaseResult } from './suite/report.ts';
import { runCases } from './suite/run.ts';
import type { RunOptions } from './suite/run.ts';

/** Number of messages that a component loses before it is served. */
const LOST = 1;
const NAME = /^\/v1\.0\/publish\/([^/]+)\/([^/]+)$/;

/** A sidecar that is healthy at once, serves `pubsub` at once and `late` after some messages, and knows no other component. */
async function startSidecar(appUrl: string): ReturnType<RunOptions['start']> {
  const listed: unknown = await (await fetch(`${appUrl}${NAMES.dapr.discoveryPath}`)).json();
  let lost = 0;
  const routeOf = (component: string, topic: string): string | undefined => {
    const found = Array.isArray(listed)
      ? listed.find(
          (one: unknown) => isObject(one) && one['pubsubname'] === component && one['topic'] === topic,
        )
      : undefined;
    const routes = isObject(found) ? found['routes'] : undefined;
    return isObject(routes) ? String(routes['default']) : undefined;
  };
  const deliver = async (route: string, data: string): Promise<void> => {
    const body = JSON.stringify({ data });
    const headers = { 'content-type': 'application/cloudevents+json' };
    for (let tries = 0; tries < 3; tries += 1)
      if ((await fetch(appUrl + route, { method: 'POST', headers, body })).ok) return;
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const [, component = '', topic = ''] = NAME.exec(request.url ?? '') ?? [];
      const isKnown = component !== 'nope';
      response.writeHead(isKnown ? 204 : 404).end();
      const route = routeOf(component, topic);
      const isLost = component === 'late' && lost < LOST;
      if (isLost) lost += 1;
      else if (isKnown && route !== undefined) void deliver(route, Buffer.concat(parts).toString());
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => void server.close(done));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    appId: 'checkout',
    component: 'pubsub',
    running: { maxAttempts: 3 },
    lastWords: () => '',
    stop,
  };
}

const ONE: Case = {
  id: 'f1',
  title: 'a message of a component that is served later arrives',
  basis: 'R',
  rows: ['publish.route'],
  subscriptions: (own) => [
    own.subscription('t', { pubsubname: 'late' }),
    own.subscription('u', { pubsubname: 'nope' }),
  ],
  run: async (context) => {
    const answer = await context.sidecar.publish(context.topic(), 'hi', { component: 'late' });
    assert.equal(answer.status, 204);
    await context.arrive();
  },
  spoils: [],
};

test('a case begins once each component of its subscriptions that is there is served', async () => {
  const results: CaseResult[] = [];
  const configuration = { id: 'own', title: 'one case', needs: 'nothing', maxAttempts: 3, cases: [ONE] };
  await runCases({
    configuration,
    cases: [ONE],
    names: NAMES.dapr,
    component: 'pubsub',
    appPort: 0,
    red: false,
    patienceMs: 1_000,
    start: ({ url }) => startSidecar(url),
    done: (result) => results.push(result),
    limit: (work) => work(),
  });
  expect(results).toMatchObject([{ result: 'passed' }]);
});
