/** Parameters that do not fit, for the methods on saved views. */
import type { Method } from '../../core/contract/console.ts';
import type { Bad } from './bad-saved-params.ts';

const NONE: readonly Bad[] = [[{ x: 1 }, 'x', 'no parameters', 'x is not known: expected no parameters']];

export const BAD_VIEWS: Readonly<
  Record<
    Extract<
      Method,
      `views.${string}` | 'messages.markRead' | 'messages.values' | 'view.expand' | 'view.find'
    >,
    readonly Bad[]
  >
> = {
  'messages.markRead': [
    [{ filter: 1 }, 'filter', 'string', 'filter must be a string of at most 10000 characters, got 1'],
  ],
  'view.find': [
    [{ viewId: 'v', from: -1 }, 'from', 'integer 0..', 'from must be an integer of at least 0, got -1'],
  ],
  'view.expand': [[{ viewId: 'v' }, 'open', 'boolean', 'open is missing: it must be true or false']],
  'messages.values': [
    [
      { numbers: [1], paths: Array.from({ length: 6 }, () => 'data.a') },
      'paths',
      'array 0..5',
      'paths must be a list of at most 5 items, got a list of 6',
    ],
  ],
  'views.list': NONE,
  'views.save': [
    [
      { name: '', filter: '' },
      'name',
      'string 1..100',
      'name must be a string of 1 to 100 characters, got ""',
    ],
  ],
  'views.remove': [
    [{}, 'savedViewId', 'string', 'savedViewId is missing: it must be a string of at most 200 characters'],
  ],
  'views.order': [
    [
      { savedViewIds: [] },
      'savedViewIds',
      'array 1..50',
      'savedViewIds must be a list of 1 to 50 items, got a list of 0',
    ],
  ],
};
