/** Parameters that do not fit, for the methods on jobs, schemas and saved requests. */
import type { JOBS } from '../../core/contract/methods/jobs.ts';
import type { SAVED } from '../../core/contract/methods/saved.ts';

export type Bad = readonly [params: unknown, field: string | undefined, expected: string, message: string];

const NONE: readonly Bad[] = [[{ x: 1 }, 'x', 'no parameters', 'x is not known: expected no parameters']];

function idMissing(name: string): Bad {
  return [{}, name, 'string', `${name} is missing: it must be a string of at most 200 characters`];
}

export const BAD_SAVED: Readonly<Record<keyof typeof JOBS | keyof typeof SAVED, readonly Bad[]>> = {
  'messages.replayMany': [
    [
      { messageIds: [] },
      'messageIds',
      'array 1..10000',
      'messageIds must be a list of 1 to 10000 items, got a list of 0',
    ],
    [
      { filter: '', ratePerSecond: 0 },
      'ratePerSecond',
      'number 0.01..100000',
      'ratePerSecond must be a number 0.01 to 100000, got 0',
    ],
  ],
  'messages.delete': [
    [{ filter: 1 }, 'filter', 'string', 'filter must be a string of at most 10000 characters, got 1'],
  ],
  undo: [idMissing('token')],
  'jobs.get': [idMissing('jobId')],
  'jobs.list': NONE,
  'jobs.cancel': [idMissing('jobId')],
  'schemas.list': NONE,
  'schemas.set': [
    [
      { name: '', topic: 't', schema: {} },
      'name',
      'string 1..1000',
      'name must be a string of 1 to 1000 characters, got ""',
    ],
  ],
  'schemas.remove': [idMissing('schemaId')],
  'schemas.validate': [
    [{ data: 1, topic: 2 }, 'topic', 'string', 'topic must be a string of at most 1000 characters, got 2'],
  ],
  'requests.list': NONE,
  'requests.save': [
    [
      { name: 'n', request: { pubsubname: 'p', topic: 't' }, shortcut: 10 },
      'shortcut',
      'integer 1..9',
      'shortcut must be an integer 1 to 9, got 10',
    ],
  ],
  'requests.remove': [idMissing('requestId')],
  'requests.variables': [
    [{ variables: { a: 1 } }, 'variables.a', 'string', 'variables.a must be a string, got 1'],
  ],
  'requests.export': [
    [{ requestIds: 'r' }, 'requestIds', 'array', 'requestIds must be a list of at most 1000 items, got "r"'],
  ],
  'requests.import': [[{}, 'text', 'string', 'text is missing: it must be a string']],
  'drafts.get': NONE,
  'drafts.set': [[{}, 'drafts', 'any', 'drafts is missing: it must be a value']],
  'requests.resolve': [
    [
      { request: { topic: 't' } },
      'request.pubsubname',
      'string',
      'request.pubsubname is missing: it must be a string',
    ],
  ],
  'requests.run': [
    [{ requestId: 1 }, 'requestId', 'string', 'requestId must be a string of at most 200 characters, got 1'],
  ],
};
