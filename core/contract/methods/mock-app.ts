/** Methods of the mock app: its answers, the requests it received, and sample traffic. */
import { app, id, name } from '../bounds.ts';
import { act, actAtOnce, query } from '../method.ts';
import { givenRule, mockAppState, preset, responseRule, waitingAnswer } from '../mock-app.ts';
import { MAX_RULES } from '../rule-bounds.ts';
import { Bool, extend, list, members, none, Num, Optional, Text, whole } from '../schema.ts';
import { appDiscovery, problem, wireSubscription } from '../subscription.ts';

export const MOCK_APP = {
  'mockApp.get': query({
    does: 'gives the subscriptions, answer rules and requests of a mock app',
    params: app,
    result: mockAppState,
  }),
  'mockApp.setSubscriptions': act({
    does: 'sets the subscriptions that the mock app reports; Sidelight asks for them again at once',
    params: members({
      appId: Optional(name),
      subscriptions: list(wireSubscription, { maxItems: 10_000 }),
    }),
    result: extend(mockAppState, {
      problems: list(problem),
      /** How the app answered. */
      discovery: list(appDiscovery),
      /** Number of subscriptions that cannot be used; absent: none. */
      unused: Optional(Num()),
    }),
  }),
  'mockApp.setRules': act({
    does: 'sets the answer rules, in order. Defaults: `enabled` is true, `then` of a sequence is `repeat-last`',
    params: members({ appId: Optional(name), rules: list(givenRule, { maxItems: MAX_RULES }) }),
    result: mockAppState,
  }),
  'mockApp.presets': query({
    does: 'lists named sets of rules',
    params: app,
    result: whole(preset),
  }),
  'mockApp.usePreset': act({
    does: 'replaces the answer rules with those of a preset',
    params: members({ appId: Optional(name), preset: id }),
    result: mockAppState,
  }),
  'mockApp.savePreset': act({
    does: 'saves a set of rules of your own, or changes one; its group is `own`',
    params: members({
      title: Text({ minLength: 1, maxLength: 200 }),
      rules: list(responseRule, { maxItems: MAX_RULES }),
      preset: Optional(id),
    }),
    result: preset,
  }),
  'mockApp.removePreset': act({
    does: 'deletes a set of rules of your own',
    params: members({ preset: id }),
    result: preset,
  }),
  'mockApp.resetCounters': actAtOnce({
    does: 'sets all hits to 0 and starts sequences at their first answer again',
    params: app,
    result: mockAppState,
  }),
  'mockApp.turn': actAtOnce({
    does: 'switches the mock app on or off; while it is off, its port is closed, as if the app were down',
    params: members({ appId: Optional(name), on: Bool() }),
    result: mockAppState,
  }),
  'mockApp.waiting': query({
    does: 'lists calls that wait for your answer',
    params: app,
    result: whole(waitingAnswer),
  }),
  'samples.add': act({
    does: 'sends the sample traffic',
    params: none,
    result: members({
      added: list(Text()),
      messageIds: list(Text()),
    }),
  }),
  'samples.remove': act({
    does: 'removes the sample traffic',
    params: none,
    result: members({
      removed: list(Text()),
    }),
  }),
};
