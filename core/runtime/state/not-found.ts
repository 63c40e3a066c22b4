/** Refusals for names that do not exist. */
import { Refusal } from '../../domain/refusal.ts';

export function noApp(appId: string): Refusal {
  return new Refusal('NOT_FOUND', { reason: `There is no app ${appId}.` }, { field: 'appId' });
}

/** A run that only watches sidecars of others has no app of its own. */
export function noOwnApp(): Refusal {
  const reason =
    'This run has no sidecar of its own. A message that a tap observed can be replayed through its sidecar.';
  return new Refusal('NOT_FOUND', { reason }, { field: 'appId' });
}

export function noDelivery(deliveryId: string): Refusal {
  return new Refusal('NOT_FOUND', { reason: `There is no delivery ${deliveryId}.` }, { field: 'deliveryId' });
}
