/** Methods of the mock app: its answers, the requests it received, and sample traffic. */
import { app, id, name } from '../bounds.ts';
import { act, actAtOnce, query } from '../method.ts';
import { givenRule, mockAppState, preset, responseRule, waitingAnswer } from '../mock-app.ts';
import { Bool, extend, list, members, none, Optional, Text, whole } from '../schema.ts';
import { problem, wireSubscription } from '../subscription.ts';

export const MOCK_APP = {
  'mockApp.get': query({
    does: 'subscriptions, answer rules, requests',
    params: app,
    result: mockAppState,
  }),
  'mockApp.setSubscriptions': act({
    does: 'what the mock app answers to discovery; asked again at once',
    params: members({
      appId: Optional(name),
      subscriptions: list(wireSubscription, { maxItems: 10_000 }),
    }),
    result: extend(mockAppState, {
      problems: list(problem),
    }),
  }),
  'mockApp.setRules': act({
    does: 'the ordered answer rules; `enabled` is true and `then` of a sequence `repeat-last` where they are absent',
    params: members({ appId: Optional(name), rules: list(givenRule, { maxItems: 1000 }) }),
    result: mockAppState,
  }),
  'mockApp.presets': query({
    does: 'named rule sets',
    params: app,
    result: whole(preset),
  }),
  'mockApp.usePreset': act({
    does: 'takes one',
    params: members({ appId: Optional(name), preset: id }),
    result: mockAppState,
  }),
  'mockApp.savePreset': act({
    does: 'saves a rule set of your own, or changes one; its group is `own`',
    params: members({
      title: Text({ minLength: 1, maxLength: 200 }),
      rules: list(responseRule, { maxItems: 500 }),
      preset: Optional(id),
    }),
    result: preset,
  }),
  'mockApp.removePreset': act({
    does: 'deletes a rule set of your own',
    params: members({ preset: id }),
    result: preset,
  }),
  'mockApp.resetCounters': actAtOnce({
    does: 'hits start at 0, sequences at their first answer',
    params: app,
    result: mockAppState,
  }),
  'mockApp.turn': actAtOnce({
    does: "off: its port is closed, as an app's that is down",
    params: members({ appId: Optional(name), on: Bool() }),
    result: mockAppState,
  }),
  'mockApp.waiting': query({
    does: 'calls that wait for a person',
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
    does: 'takes it away again',
    params: none,
    result: members({
      removed: list(Text()),
    }),
  }),
};
