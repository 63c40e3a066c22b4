/** kill -9 right after the answer to an act: an answered act is kept. The long suite kills after each act. */
import { expect, test } from 'vitest';
import { METHODS } from '../../core/contract/console.ts';
import { LATE, lostActs, NOT_TRIED, TRIED } from './answered-acts.ts';

/** Methods that change nothing that is kept. */
const READS = [
  /^system\.(describe|link)$/,
  /^(topics|subscriptions|routes|verdict|stream|events|logs|metrics|health|filter|view|jobs)\./,
  /\.(list|get|values|preview|queue|validate|read|payload|reveal|reload|presets|waiting|resolve|export|status|reveal)$/,
  /^mockApp\.(turn|resetCounters)$/,
  // Acts on processes of apps are not stored.
  /^processes\.(restart|stop|start|logs)$/,
  /^recordings\.(close|compare|import|toTest)$/,
  /^eventRouter\.(handshake|subscriptions|deliveries|topics|token|certificate|simulate)$/,
];

test('every act is tried, or listed with the reason why not', () => {
  const tried = new Set<string>([...TRIED.map(({ method }) => method), ...Object.keys(NOT_TRIED)]);
  // The key of the folder is no part of the history: it is a file of its own, and nothing else has to be waited for.
  const kept = new Set<string>(['system.revoke']);
  const settling = Object.entries(METHODS).flatMap(([method, { settles }]) =>
    settles || kept.has(method) ? [method] : [],
  );
  expect([...tried].toSorted()).toEqual(settling.toSorted());
  const others = Object.keys(METHODS).filter((method) => !tried.has(method));
  expect(others.filter((method) => !READS.some((read) => read.test(method)))).toEqual([]);
});

test('no answered act is lost in a kill', async () => {
  const late = TRIED.filter(({ method }) => LATE.has(method));
  expect(late.length).toBeGreaterThan(LATE.size);
  expect(await lostActs(late, 0)).toEqual([]);
}, 120_000);
