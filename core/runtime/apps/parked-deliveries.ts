/** The line of the log about messages that an app has left parked, for the moment at which it answers again. */
import { theAppFirst } from '../../contract/app-text.ts';
import { counted } from '../../contract/count-text.ts';
import { printText } from '../../domain/filter/print.ts';
import type { App } from '../state/app.ts';
import type { SharedServices } from '../common-services.ts';

/** Ids of the messages of which the last line about each app told. */
export type ParkedTold = WeakMap<App, ReadonlySet<string>>;

/** @returns undefined: none of its deliveries is parked, or only those of which its last line told */
export function parkedLine(
  { live }: Pick<SharedServices, 'live'>,
  app: App,
  told: ParkedTold,
): string | undefined {
  const { appId } = app;
  const parked = new Set<string>();
  for (const d of live.deliveries())
    if (d.appId === appId && d.state === 'parked') parked.add(d.message.messageId);
  const known = told.get(app);
  told.set(app, parked);
  if ([...parked].every((id) => known?.has(id) === true)) return undefined;
  const [wait, them] = parked.size === 1 ? ['waits', 'it'] : ['wait', 'them'];
  const filter = `app:${printText(appId)} state:parked`;
  return `${theAppFirst(appId)} is back. ${counted(parked.size, 'parked message')} ${wait} for you: filter by ${filter} in the console, and retry ${them}.`;
}
