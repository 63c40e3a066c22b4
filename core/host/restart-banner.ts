/** The banner about the end of the previous process. */
import type { Runtime } from '../runtime/runtime.ts';

/** Says what happened to the messages if the previous process was cut off; otherwise there is no banner. */
export function restartBanner({
  resources: { began },
}: Runtime): { id: string; text: string; level: 'info' | 'warn' }[] {
  if (began.kept === 0 || !(began.wasCut || began.damaged > 0)) return [];
  return [{ id: 'restart', text: began.text, level: began.damaged > 0 ? 'warn' : 'info' }];
}
