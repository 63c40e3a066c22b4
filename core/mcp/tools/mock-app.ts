/** The tool that sets the answers of the mock app. */
import type { MockAppState } from '../../contract/mock-app.ts';
import { errorText } from '../../contract/error-text.ts';
import { rules } from '../../contract/scenario.ts';
import { wireSubscription } from '../../contract/subscription.ts';
import { extend, list, Optional } from '../../contract/schema.ts';
import { PUBSUB } from '../../scenario/acts.ts';
import { subscribeTo, topicsOfRules } from '../../scenario/prepare.ts';
import type { Rpc } from '../../scenario/rpc.ts';
import { counted } from '../../contract/count-text.ts';
import { paramsOf, tool } from '../tool.ts';

/**
 * Whether an app is a mock app. False: the rules are those of a tap, whose app chooses its own subscriptions.
 */
async function isMock(rpc: Rpc, appId: string): Promise<boolean> {
  const { items } = await rpc.call('apps.list', {});
  return items.some((app) => app.appId === appId && app.mock);
}

/**
 * Gives the mock app its rules and subscriptions of before: these may be set although the app could not be asked for them. Whatever fails, the
 * rest is tried.
 * @param first why; gets the errors of this as its cause, beside one that it has already
 */
async function putBack(
  rpc: Rpc,
  { appId, rules: rulesBefore, subscriptions }: MockAppState,
  first: unknown,
): Promise<void> {
  const failures: unknown[] = [];
  const attempt = (act: Promise<unknown>): Promise<unknown> => act.catch((error) => failures.push(error));
  await attempt(rpc.call('mockApp.setRules', { appId, rules: rulesBefore }));
  await attempt(putBackSubscriptions(rpc, { appId, subscriptions }));
  if (failures.length === 0 || !(first instanceof Error)) return;
  const causes = first.cause === undefined ? failures : [first.cause, ...failures];
  const text = [...new Set(causes.map(errorText))].join(', ');
  first.cause = causes.length === 1 ? causes[0] : new AggregateError(causes, text);
}

async function putBackSubscriptions(
  rpc: Rpc,
  { appId, subscriptions }: Pick<MockAppState, 'appId' | 'subscriptions'>,
): Promise<void> {
  const now = await rpc.call('mockApp.get', { appId });
  if (JSON.stringify(now.subscriptions) !== JSON.stringify(subscriptions))
    await rpc.call('mockApp.setSubscriptions', { appId, subscriptions });
}

const params = extend(paramsOf('mockApp.setRules'), {
  rules,
  subscriptions: Optional(list(wireSubscription, { maxItems: 1000 })),
});

export const setMockAnswers = tool({
  name: 'set_mock_answers',
  title: 'Set what the mock app answers',
  does: 'Replaces the answer rules of the mock app; the result has the rules before. Fail twice, then recover: rules [{match: {topic: "orders"}, answer: {kind: "sequence", steps: [{kind: "respond", status: 503}, {kind: "respond", status: 503}, {kind: "respond", status: 200}]}}]. Answers: respond {status, body}, hang, reset, ask (a person or `answer` answers). Topics of the rules are subscribed to, or give `subscriptions` whole.',
  params,
  hints: { destroys: true, idempotent: true },
  run: async ({ subscriptions, ...given }, context) => {
    const rpc = await context.rpc();
    const of = given.appId === undefined ? {} : { appId: given.appId };
    const before = await rpc.call('mockApp.get', of);
    // Whatever is refused, nothing is changed: rules are refused more often, so they come first.
    await rpc.call('mockApp.setRules', given);
    try {
      if (subscriptions !== undefined) await rpc.call('mockApp.setSubscriptions', { ...of, subscriptions });
      else if (await isMock(rpc, before.appId)) {
        const topics = topicsOfRules(given.rules).map((topic) => ({ pubsubname: PUBSUB, topic }));
        await subscribeTo(rpc, topics, before.appId);
      }
    } catch (error) {
      await putBack(rpc, before, error);
      throw error;
    }
    const after = await rpc.call('mockApp.get', of);
    return {
      text: `The mock app has ${counted(after.rules.length, 'rule')} now; it had ${before.rules.length}. The first one that matches answers.`,
      outside: {
        appId: after.appId,
        subscriptions: after.subscriptions
          .slice(0, 20)
          .map(({ pubsubname, topic }) => `${pubsubname}/${topic}`),
        rulesBefore: before.rules.slice(0, 20),
      },
    };
  },
});
