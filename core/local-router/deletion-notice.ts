/** Sends an endpoint of the event schema one notice, without retries, that its subscription was deleted. */
import { redactUrl } from '../domain/redact.ts';
import type { RouterDependencies } from './dependencies.ts';
import type { StoredSubscription } from './subscriptions/stored-subscription.ts';

const ANSWER_MS = 10_000;

/** Sends the notice. Never rejects: an error is noted. */
export async function sendDeletionNotice(deps: RouterDependencies, kept: StoredSubscription): Promise<void> {
  const { active } = kept;
  if (active?.eventDeliverySchema !== 'EventGridSchema') return;
  const { clock, ids } = deps.options;
  const event = {
    id: ids.uuid(),
    topic: kept.scope.text,
    subject: '',
    data: { eventSubscriptionId: kept.id },
    eventType: 'Microsoft.EventGrid.SubscriptionDeletedEvent',
    eventTime: new Date(clock.now()).toISOString(),
    metadataVersion: '1',
    dataVersion: '1',
  };
  const { endpointUrl } = active.destination.properties;
  const call = deps.outbound.send({
    method: 'POST',
    url: endpointUrl,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'aeg-event-type': 'SubscriptionDeletion',
      'aeg-subscription-name': kept.name.toUpperCase(),
    },
    body: Buffer.from(JSON.stringify([event])),
  });
  const stop = clock.at(clock.now() + ANSWER_MS, () => call.cancel());
  const answer = await call.answer;
  stop();
  if (answer.kind === 'none') {
    deps.note(`${redactUrl(endpointUrl)} was not told that ${kept.name} was deleted: ${answer.message}`);
  }
}
