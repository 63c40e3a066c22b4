/** The methods by which a person changes something that is kept: each is answered once the change is on disk. */
import type { Method } from '../contract/console.ts';

export const ACTS = [
  'messages.publish',
  'messages.publishBulk',
  'messages.replay',
  'messages.replayMany',
  'messages.update',
  'messages.markRead',
  'messages.delete',
  'undo',
  'deliveries.retry',
  'deliveries.drop',
  'deliveries.hold',
  'deliveries.release',
  'deliveries.deadLetter',
  'deliveries.cancelAttempt',
  'deliveries.answer',
  'holds.add',
  'holds.update',
  'holds.remove',
  'mockApp.setSubscriptions',
  'mockApp.setRules',
  'mockApp.usePreset',
  'mockApp.savePreset',
  'mockApp.removePreset',
  'components.save',
  'apps.add',
  'apps.remove',
  'settings.set',
  'samples.add',
  'samples.remove',
  'schemas.set',
  'schemas.remove',
  'requests.save',
  'requests.remove',
  'requests.variables',
  'requests.import',
  'requests.run',
  'drafts.set',
  'views.save',
  'views.remove',
  'views.order',
  'recordings.replay',
  'eventRouter.create',
  'eventRouter.emulate',
  'eventRouter.act',
  'eventRouter.breakpoints',
  'eventRouter.faults',
] as const satisfies readonly Method[];

const KNOWN: ReadonlySet<string> = new Set(ACTS);

export function isAct(method: Method): boolean {
  return KNOWN.has(method);
}
