/** What a person is told of the process before. */
import type { Runtime } from '../runtime/runtime.ts';

/** A person is told when the process before was cut off: what happened to its messages. */
export function restartBanner({
  resources: { began },
}: Runtime): { id: string; text: string; level: 'info' | 'warn' }[] {
  if (began.kept === 0 || !(began.wasCut || began.damaged > 0)) return [];
  return [{ id: 'restart', text: began.text, level: began.damaged > 0 ? 'warn' : 'info' }];
}
