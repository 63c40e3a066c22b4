/** Which delivery of a message the detail and its dialogs are about. */
import { foremost } from '../../core/contract/attention.ts';
import type { Delivery, MessageDetail } from '../../core/contract/message.ts';

/** The delivery in the address, else the one that needs attention most. */
export function chosenDelivery(message: MessageDetail, deliveryId: string | undefined): Delivery | undefined {
  const named = message.deliveries.find((delivery) => delivery.deliveryId === deliveryId);
  return named ?? foremost(message.deliveries);
}
