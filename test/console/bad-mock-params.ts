/** Parameters that do not fit, for the methods of the mock app. */
import type { Method } from '../../core/contract/console.ts';
import type { Bad } from './bad-saved-params.ts';

const APP: readonly Bad[] = [
  [{ appId: 1 }, 'appId', 'string', 'appId must be a string of at most 1000 characters, got 1'],
  [{ app: 'a' }, 'app', 'one of appId', 'app is not known: expected one of appId'],
];

export const BAD_MOCK = {
  'mockApp.get': APP,
  'mockApp.setSubscriptions': [
    [
      { subscriptions: [{ pubsubname: 'p', topic: 't', routes: { rules: [{}] } }] },
      'subscriptions[0].routes.rules[0].path',
      'string',
      'subscriptions[0].routes.rules[0].path is missing: it must be a string',
    ],
  ],
  'mockApp.setRules': [
    [
      { rules: [{ enabled: true, match: {}, answer: { kind: 'respond', status: 200, delayMs: [1] } }] },
      'rules[0].answer.delayMs',
      'array 2',
      'rules[0].answer.delayMs must be a list of 2 items, got a list of 1',
    ],
  ],
  'mockApp.presets': APP,
  'mockApp.usePreset': [
    [{}, 'preset', 'string', 'preset is missing: it must be a string of at most 200 characters'],
  ],
  'mockApp.savePreset': [
    [{ rules: [] }, 'title', 'string', 'title is missing: it must be a string of 1 to 200 characters'],
  ],
  'mockApp.removePreset': [
    [{}, 'preset', 'string', 'preset is missing: it must be a string of at most 200 characters'],
  ],
  'mockApp.resetCounters': APP,
  'mockApp.turn': [[{ on: 1 }, 'on', 'boolean', 'on must be true or false, got 1']],
  'mockApp.waiting': APP,
} satisfies Partial<Record<Method, readonly Bad[]>>;
