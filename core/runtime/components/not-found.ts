/** Refusal for a pub/sub component that an app cannot use: it does not exist, or is not ready. */
import { Refusal } from '../../domain/refusal.ts';
import type { Components } from './components.ts';

export function pubsubNotFound(
  components: Components,
  asked: { readonly appId: string; readonly pubsubname: string; readonly topic: string },
): Refusal {
  const field = 'pubsubname';
  const reason = components.notReady(asked.appId, asked.pubsubname);
  return reason === undefined
    ? new Refusal('ERR_PUBSUB_NOT_FOUND', asked, { field })
    : new Refusal('ERR_PUBSUB_NOT_FOUND', { ...asked, reason }, { field, variant: 'not-ready' });
}
