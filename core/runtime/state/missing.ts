/** Refusals of what is named and not there. */
import { Refusal } from '../../domain/refusal.ts';

export function noApp(appId: string): Refusal {
  return new Refusal('NOT_FOUND', { reason: `There is no app ${appId}.` }, { field: 'appId' });
}

export function noMessage(messageId: string): Refusal {
  return new Refusal('NOT_FOUND', { reason: `There is no message ${messageId}.` }, { field: 'messageId' });
}
