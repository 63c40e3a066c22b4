/** A sample of the hostile requests; the long suite sends many more. */
import { expect, test } from 'vitest';
import { fuzz, judge } from './fuzz-run.ts';
import { hostileRequest } from './fuzz-requests.ts';

const SEED = 20_240_501;

test('equal seeds give equal hostile requests', () => {
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  const hex = (seed: number): string[] => numbers.map((n) => hostileRequest(seed, n).bytes.toString('hex'));
  expect(hex(SEED)).toEqual(hex(SEED));
  expect(hex(SEED)).not.toEqual(hex(SEED + 1));
});

test.each([
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', true, true],
  ['400', 'HTTP/1.1 400 Bad Request\r\n\r\n', true, true],
  ['500', 'HTTP/1.1 500 x\r\n\r\n{"errorCode":"ERR_PUBSUB_CLOUD_EVENTS_SER"}', true, true],
  ['500', 'HTTP/1.1 500 x\r\n\r\n{"failedEntries":[],"errorCode":"x"}', true, true],
  ['500', 'HTTP/1.1 500 x\r\n\r\n{"errorCode":"INTERNAL"}', true, false],
  ['503', 'HTTP/1.1 503 x\r\n\r\n', true, false],
  ['none', 'no end', false, false],
  ['none', '', true, false],
  ['none', '', false, true],
])('an answer %s %j to a whole request (%s) is right: %s', (status, answer, isWhole, isRight) => {
  expect(judge(status, answer, isWhole) === undefined).toBe(isRight);
});

test('2,000 hostile requests cause no crash and no 5xx outside the table, and the product still works', async () => {
  const result = await fuzz(SEED, 2_000);
  expect(result.findings).toEqual([]);
  expect(result.isWell).toBe(true);
  // The requests really reach the routes: the good, the refused and the broken ones.
  const seldom = ['204', '400', '403', '404', '500'].filter((status) => (result.statuses[status] ?? 0) < 10);
  expect(seldom).toEqual([]);
}, 120_000);
