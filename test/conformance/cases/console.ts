/** Cases that only the console's RPC can show or do: states, a retry by hand, a cut call. Method names: docs/automation.md, Methods. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case, Context } from '../suite/case.ts';
import { accepted, listOf, objectOf, staysAt } from '../suite/checks.ts';
import { consoleOf, cutByHand, untilState } from '../suite/console-checks.ts';
import type { Json } from '../suite/checks.ts';
import { heardRetry, heardSuccess, lost, queryLost } from '../suite/spoiler.ts';

/** Cause and rule of the last transition of the message's delivery. */
const lastTransition = async (context: Context, row: Json): Promise<readonly [unknown, unknown]> => {
  const detail = await consoleOf(context).call('messages.get', { messageId: row['messageId'] });
  const transitions = listOf(objectOf(listOf(detail['deliveries'])[0])['transitions']).map(objectOf);
  return [transitions.at(-1)?.['cause'], transitions.at(-1)?.['rule']];
};

interface StateRow {
  readonly id: string;
  readonly title: string;
  readonly answer: { readonly status: number; readonly body?: string };
  readonly query?: string;
  readonly state: string;
  readonly last: readonly [string, string];
  /** The rule in the newer release, where it is another one. */
  readonly newer?: string;
  readonly spoil: (typeof heardRetry)[];
}

const STATES: readonly StateRow[] = [
  {
    id: '82z',
    title: '200 without a body',
    answer: { status: 200 },
    state: 'processed',
    last: ['app', 'single.2xx.empty'],
    spoil: [heardRetry],
  },
  {
    id: '83z',
    title: 'DROP',
    answer: { status: 200, body: '{"status":"DROP"}' },
    state: 'dropped',
    last: ['app', 'single.2xx.drop'],
    spoil: [heardSuccess],
  },
  {
    id: '86z',
    title: '404',
    answer: { status: 404 },
    state: 'dropped',
    last: ['app', 'single.404'],
    newer: 'single.404.drop',
    spoil: [heardSuccess],
  },
  {
    id: '89z',
    title: 'attempts used up',
    answer: { status: 500 },
    state: 'parked',
    last: ['policy', 'policy.exhausted'],
    spoil: [heardSuccess],
  },
  {
    id: '34z',
    title: 'a TTL of 0',
    answer: { status: 200 },
    query: 'metadata.ttlInSeconds=0',
    state: 'expired',
    last: ['ttl', 'ttl.expired'],
    spoil: [queryLost],
  },
];

export const consoleCases: readonly Case[] = [
  ...STATES.map((row): Case => ({
    id: row.id,
    title: `${row.title}: the state is ${row.state}, the rule ${row.last[1]}`,
    basis: 'Take',
    rows: ['behaviour 5.3', 'behaviour 5.4'],
    needsConsole: true,
    subscriptions: one,
    run: async (context) => {
      context.app.script(context.path(), row.answer);
      const query = row.query === undefined ? {} : { query: row.query };
      accepted(await context.sidecar.publish(context.topic(), 'hi', query));
      const [cause, rule] = row.last;
      const expected = [cause, context.names.isNewer ? (row.newer ?? rule) : rule];
      assert.deepEqual(await lastTransition(context, await untilState(context, row.state)), expected);
    },
    spoils: row.spoil,
  })),
  {
    id: '69c',
    title: 'no route: dropped, cause policy',
    basis: 'R',
    rows: ['behaviour 4.4'],
    needsConsole: true,
    subscriptions: (own) => [
      own.subscription('t', { routes: { rules: [{ match: 'event.type == "a"', path: own.path() }] } }),
    ],
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const row = await untilState(context, 'dropped');
      assert.deepEqual(await lastTransition(context, row), ['policy', 'policy.no-route']);
    },
    spoils: [
      {
        name: 'the type is a on the way',
        request: (request) => ({ ...request, target: `${request.target}?metadata.cloudevent.type=a` }),
      },
    ],
  },
  {
    id: '70z',
    title: 'an error in a match: parked at once',
    basis: 'Take',
    rows: ['behaviour 4.4', 'behaviour 5.4'],
    needsConsole: true,
    subscriptions: (own) => [
      own.subscription('t', { routes: { rules: [{ match: 'event.data.missing == 1', path: own.path() }] } }),
    ],
    run: async (context) => {
      const contentType = 'application/json';
      accepted(await context.sidecar.publish(context.topic(), '{"n":1}', { contentType }));
      const row = await untilState(context, 'parked');
      assert.deepEqual(await lastTransition(context, row), ['policy', 'policy.route-error']);
    },
    spoils: [
      {
        name: 'the member is there on the way',
        request: (request) => ({ ...request, body: Buffer.from('{"missing":1}') }),
      },
    ],
  },
  {
    id: '89c',
    title: 'parked, then retried by hand: delivered again',
    basis: 'Take',
    rows: ['behaviour 5.4'],
    needsConsole: true,
    subscriptions: one,
    run: async (context) => {
      const { maxAttempts } = context.running;
      context.app.script(context.path(), ...Array.from({ length: maxAttempts }, () => ({ status: 500 })), {
        status: 200,
      });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const row = await untilState(context, 'parked');
      const { changed } = await consoleOf(context).call('deliveries.retry', { messageId: row['messageId'] });
      assert.equal(changed, 1);
      await untilState(context, 'processed');
      await staysAt(context, maxAttempts + 1);
    },
    spoils: [heardSuccess, lost],
  },
  {
    id: '93c',
    title: 'a hanging call is cut by hand: tried again',
    basis: 'Take',
    rows: ['behaviour 5.4'],
    needsConsole: true,
    subscriptions: one,
    run: async (context) => {
      await cutByHand(context);
      await context.arrive(2);
      await untilState(context, 'processed');
    },
    spoils: [heardSuccess, lost],
  },
];
