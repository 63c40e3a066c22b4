/** What set_mock_answers leaves behind where the instance refuses a part of it. */
import { expect, test } from 'vitest';
import type { MockAppState } from '../../core/contract/mock-app.ts';
import { setMockAnswers } from '../../core/mcp/tools/mock-app.ts';
import type { ToolContext } from '../../core/mcp/tool.ts';
import type { Rpc } from '../../core/scenario/rpc.ts';

const BEFORE = [{ pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } }];
const RULES = [{ match: {}, answer: { kind: 'respond', status: 404 } }];

/** An instance that sets subscriptions before it asks the app for them, which fails. */
function instance(
  failures: readonly (string | Error)[],
  ofRules: readonly string[] = [],
): { context: ToolContext; state: () => object } {
  const [left, leftOfRules] = [[...failures], [...ofRules]];
  let [rules, subscriptions]: [unknown, unknown] = [[], BEFORE];
  const state = (): object => ({ rules, subscriptions });
  const call = async (method: string, params: object): Promise<object> => {
    if (method === 'mockApp.setRules') {
      const failure = leftOfRules.shift();
      if (failure !== undefined && failure !== '') throw new Error(failure);
      ({ rules } = params as { rules: unknown });
    }
    if (method === 'mockApp.setSubscriptions') {
      ({ subscriptions } = params as { subscriptions: unknown });
      const failure = left.shift();
      if (failure !== undefined) throw failure instanceof Error ? failure : new Error(failure);
    }
    return { appId: 'app', requests: [], ...state() } satisfies Partial<Record<keyof MockAppState, unknown>>;
  };
  const rpc = { call } as unknown as Rpc;
  return { context: { rpc: async () => rpc } as unknown as ToolContext, state };
}

/** Sets other rules and subscriptions; the error with which that ends. */
async function failureOf(context: Parameters<typeof setMockAnswers.call>[1]): Promise<Error | undefined> {
  const subscriptions = [{ pubsubname: 'pubsub', topic: 'other', route: '/other' }];
  const set = setMockAnswers.call({ rules: RULES, subscriptions }, context, new AbortController().signal);
  return set.then(
    () => undefined,
    (thrown: unknown) => thrown as Error,
  );
}

test.each([
  ['and nothing more fails', ['not asked'], undefined],
  [
    'and the app cannot be asked for those of before either',
    ['not asked', 'nor again'],
    new Error('nor again'),
  ],
])('an app that cannot be asked keeps its rules and subscriptions, %s', async (_, failures, cause) => {
  const { context, state } = instance(failures);
  const error = await failureOf(context);
  expect([error?.message, error?.cause]).toEqual(['not asked', cause]);
  expect(state()).toEqual({ rules: [], subscriptions: BEFORE });
});

test.each([
  ['the subscriptions are put back', ['not asked'], new Error('no rules')],
  [
    'both failures are in the error',
    ['not asked', 'nor again'],
    new AggregateError([new Error('no rules'), new Error('nor again')], 'no rules, nor again'),
  ],
])('where the rules cannot be put back, %s', async (_, failures, cause) => {
  const { context, state } = instance(failures, ['', 'no rules']);
  const error = await failureOf(context);
  expect([error?.message, error?.cause]).toEqual(['not asked', cause]);
  expect(state()).toEqual({ rules: RULES, subscriptions: BEFORE });
});

test('a failure that has a cause keeps it beside those of putting the rest back', async () => {
  const [cause, again] = [new Error('gone'), new Error('nor again')];
  const { context } = instance([new Error('not asked', { cause }), again]);
  const error = await failureOf(context);
  expect(error?.cause).toEqual(new AggregateError([cause, again], 'gone, nor again'));
});
