/** The list of a mock app's requests keeps the newest, and little of each, whatever is sent to the mock app. */
import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import type { MockRequest } from '../../core/contract/mock-app.ts';
import { CHARACTERS_KEPT, RequestLog, REQUESTS_KEPT } from '../../core/mock-app/request-log.ts';
import { openMockApp } from '../support/mock-app-parts.ts';

const LINE: MockRequest = {
  at: '2026-01-02T03:04:05.000Z',
  method: 'POST',
  path: '/orders',
  kind: 'delivery',
};
const LONG = 'x'.repeat(5000);

test('the newest lines are kept, and a dropped one takes no more facts', () => {
  const log = new RequestLog();
  const adds = Array.from({ length: 3 * REQUESTS_KEPT }, (_, n) => log.open({ ...LINE, path: `/${n}` }));
  adds[0]?.({ status: 500 });
  adds.at(-1)?.({ status: 204, note: 'answered' });
  const lines = log.lines();
  expect(lines).toHaveLength(REQUESTS_KEPT);
  expect(lines[0]?.path).toBe(`/${2 * REQUESTS_KEPT}`);
  expect(lines.at(-1)).toMatchObject({ path: `/${3 * REQUESTS_KEPT - 1}`, status: 204, note: 'answered' });
  expect(log.count).toBe(3 * REQUESTS_KEPT);
});

test('long texts of a line are cut, and many lines with long texts are fewer', () => {
  const log = new RequestLog();
  for (let n = 0; n < REQUESTS_KEPT; n += 1) {
    const add = log.open({ ...LINE, path: `/${n}/${LONG}`, topic: LONG, eventId: `${n}${LONG}` });
    add({ note: LONG });
  }
  const lines = log.lines();
  const last = lines.at(-1);
  expect(last?.path).toHaveLength(1001);
  expect(last?.path).toMatch(new RegExp(`^/${REQUESTS_KEPT - 1}/x+…$`));
  expect([last?.topic, last?.eventId, last?.note].map((text) => text?.length)).toEqual([1001, 1001, 1001]);
  expect(JSON.stringify(lines).length).toBeLessThan(CHARACTERS_KEPT + 200 * lines.length);
  expect(lines.length).toBeGreaterThan(100);
});

test('few dropped lines stay in memory', () => {
  class Answered {
    readonly ruleId = 'r';
  }
  const log = new RequestLog();
  for (let n = 0; n < REQUESTS_KEPT; n += 1)
    log.open({ ...LINE, path: `/${n}/${LONG}`, topic: LONG, eventId: LONG, answeredBy: new Answered() });
  const lines = log.lines().length;
  expect(lines).toBeLessThan(REQUESTS_KEPT / 4);
  expect(queryObjects(Answered, { format: 'count' })).toBeLessThanOrEqual(2 * lines);
  expect(log.count).toBe(REQUESTS_KEPT);
});

test('a request with an id of megabytes leaves a short line', async () => {
  const app = await openMockApp();
  const id = 'i'.repeat(3_000_000);
  const body = JSON.stringify({ specversion: '1.0', id, topic: `t${id}` });
  await fetch(`${app.url}/orders`, { method: 'POST', body });
  const [line] = app.state().requests;
  expect([line?.eventId?.length, line?.topic?.length]).toEqual([1001, 1001]);
});
