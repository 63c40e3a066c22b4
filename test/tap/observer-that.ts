/** An observer of a tap to which publishes are told, and nothing else. */
import type { ObservedPublish, SeenPublish, TapObserver } from '../../core/ports/tap.ts';
import { unexpected } from './unexpected.ts';

export function observerThat(published: (seen: SeenPublish) => ObservedPublish): TapObserver {
  const never = (): never => {
    throw new Error('nothing is delivered here');
  };
  return {
    stopsOf: () => ({ delivery: false, response: false }),
    published,
    delivering: never,
    missed: 0,
    missedWhy: '',
    connect: () => undefined,
    catchUp: () => undefined,
    reportFailed: unexpected,
    unfinished: () => 0,
  };
}
