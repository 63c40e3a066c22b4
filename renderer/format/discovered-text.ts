/** The notification after a discovery; the first load has it, so the words of the Subscriptions screen are not imported here. */
import { theApp } from '../../core/contract/app-text.ts';
import { clause } from '../../core/contract/error-text.ts';
import type { AppDiscovery } from '../../core/contract/subscription.ts';
import { fill } from '../copy/fill.ts';
import { HOLDS } from '../copy/holds.ts';
import type { Toasts } from '../state/toasts.ts';

/** Tells the result of a discovery that a person asked for: why it failed, and what the apps answered that gave a list. */
export function reportDiscovered(
  toasts: Pick<Toasts, 'done' | 'failed'>,
  discovery: readonly AppDiscovery[],
): void {
  const failures = discovery.flatMap(({ appId, state, error, url }) =>
    state === 'failed'
      ? fill(HOLDS.discoveryFailed, { app: theApp(appId), reason: clause(error ?? ''), url })
      : [],
  );
  if (failures.length > 0) toasts.failed(failures.join(' '));
  const done = discovery.filter(({ state }) => state === 'done');
  if (done.length === 0) return;
  const text = fill(HOLDS.discovered, { n: done.reduce((sum, { count }) => sum + count, 0) });
  const unused = done.reduce((sum, each) => sum + (each.unused ?? 0), 0);
  toasts.done(unused === 0 ? text : fill(HOLDS.discoveredUnusable, { text, n: unused }));
}
