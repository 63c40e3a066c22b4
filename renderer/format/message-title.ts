/** The title of a message: in the head of its detail, in its label, and in the titles of dialogs about it. */
import type { MessageDetail } from '../../core/contract/message.ts';
import { PANEL } from '../copy/detail-panel.ts';
import { fill } from '../copy/fill.ts';
import { visibleShort } from './visible-text.ts';

/** "orders · com.acme.order.created" */
export function titleOf({
  topic,
  eventType,
  raw,
}: Pick<MessageDetail, 'topic' | 'eventType' | 'raw'>): string {
  const name = visibleShort(topic);
  if (raw) return fill(PANEL.titleRaw, { topic: name });
  return eventType === undefined ? name : fill(PANEL.title, { topic: name, type: visibleShort(eventType) });
}
