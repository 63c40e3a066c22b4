/** The line of the log about messages that an app has left parked, for the moment at which it answers again. */
import { theAppFirst } from '../../contract/app-text.ts';
import { counted } from '../../contract/count-text.ts';
import { printText } from '../../domain/filter/print.ts';
import type { SharedServices } from '../common-services.ts';

/** @returns undefined: none of its deliveries is parked */
export function parkedLine({ live }: Pick<SharedServices, 'live'>, appId: string): string | undefined {
  const parked = new Set<string>();
  for (const d of live.deliveries())
    if (d.appId === appId && d.state === 'parked') parked.add(d.message.messageId);
  if (parked.size === 0) return undefined;
  const [wait, them] = parked.size === 1 ? ['waits', 'it'] : ['wait', 'them'];
  const filter = `app:${printText(appId)} state:parked`;
  return `${theAppFirst(appId)} is back. ${counted(parked.size, 'parked message')} ${wait} for you: filter by ${filter} in the console, and retry ${them}.`;
}
