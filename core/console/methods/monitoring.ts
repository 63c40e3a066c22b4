/** `filter.*`, `view.*`, `stream.*`, `events.*`: how a client watches. */
import { completeFilter } from '../../domain/filter/complete.ts';
import { checkFilter } from '../../domain/filter/meant.ts';
import { neverMatching } from '../../domain/filter/never.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { MONITORING } from '../../contract/methods/monitoring.ts';
import type { Caller, MethodsOf } from '../caller.ts';
import type { Subscriber } from '../stream/stream.ts';
import type { MethodDependencies } from './dependencies.ts';

export function monitoringMethods({
  longPoll,
  seen,
  savedViews,
}: MethodDependencies): MethodsOf<typeof MONITORING> {
  return {
    // An empty filter has nothing to compare with messages, so none are read.
    'filter.check': async ({ filter, recordingId, at }) => {
      if (filter.trim() === '') return { ok: true };
      const never = at === undefined ? [] : neverMatching(filter, at);
      const check = checkFilter(filter, await seen.sources(recordingId));
      return never.length === 0 ? check : { ...check, never };
    },
    'filter.complete': async ({ filter, cursor, recordingId }) => ({
      items: completeFilter(filter, cursor, await seen.sources(recordingId)),
    }),
    'views.list': () => savedViews.list(),
    'views.save': (params) => savedViews.save(params),
    'views.remove': (params) => savedViews.remove(params),
    'views.order': (params) => savedViews.order(params),
    'view.open': (params, { views, afterAnswer }) => views.open(params, afterAnswer),
    'view.rows': (params, { views, afterAnswer }) => views.rows(params, afterAnswer),
    'view.find': (params, { views }) => views.find(params),
    'view.expand': (params, { views }) => views.expand(params),
    'view.close': (params, { views }) => views.close(params),
    'stream.open': (params, caller) => subscriberOf(caller, 'stream.open').start(params, caller.afterAnswer),
    'stream.ack': ({ sequence }, caller) => {
      subscriberOf(caller, 'stream.ack').acknowledge(sequence);
      return null;
    },
    'stream.close': (_params, caller) => {
      subscriberOf(caller, 'stream.close').close();
      return null;
    },
    'events.since': (params, { signal }) => longPoll.since(params, signal),
  };
}

/** Throws Refusal METHOD_NOT_FOUND where nothing can be pushed to the caller. */
function subscriberOf({ subscriber }: Caller, method: string): Subscriber {
  if (subscriber !== undefined) return subscriber;
  const expected = 'a WebSocket (/stream) or the desktop window; over POST /rpc use events.since';
  throw new Refusal('METHOD_NOT_FOUND', { method }, { expected, data: { method } });
}
