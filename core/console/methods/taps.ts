/** Taps of this run. */
import type { TAPS } from '../../contract/methods/taps.ts';
import type { MethodsOf } from '../caller.ts';
import { whole } from './dependencies.ts';
import type { MethodDependencies } from './dependencies.ts';

export function tapMethods({ taps }: MethodDependencies): MethodsOf<typeof TAPS> {
  return {
    'taps.list': () => whole(taps.list()),
    'taps.add': (request) => taps.add(request),
    'taps.remove': ({ appId }) => taps.remove(appId),
  };
}
