/** Small messages, deliveries and transitions for tests of the renderer. */
import type { DeliveryState, RuleId } from '../../core/contract/delivery.ts';
import type {
  Attempt,
  Delivery,
  DeliveryRow,
  MessageDetail,
  MessageRow,
  Transition,
} from '../../core/contract/message.ts';

export const AT = '2026-03-01T14:32:08.412Z';

/** A row with this id. */
export function rowNamed(messageId: string, change: Partial<MessageRow> = {}): MessageRow {
  return {
    messageId,
    number: 1,
    at: AT,
    pubsubname: 'pubsub',
    topic: 'orders',
    appId: 'app',
    source: 'http',
    contentType: 'application/json',
    sizeBytes: 412,
    raw: false,
    deliveries: [],
    ...change,
  };
}

/** A delivery in this state. */
export function deliveryIn(state: DeliveryState, change: Partial<DeliveryRow> = {}): DeliveryRow {
  return { deliveryId: `dlv_${state}`, appId: 'app', state, attempts: 1, ...change };
}

/** An attempt that was answered with this. */
export function attemptWith(change: Partial<Attempt> = {}): Attempt {
  return {
    attemptId: 'att_1',
    number: 1,
    startedAt: '2026-03-01T14:32:08.500Z',
    endedAt: '2026-03-01T14:32:08.512Z',
    durationMs: 12,
    request: { method: 'POST', url: 'http://127.0.0.1:6001/orders', headers: {}, body: '{}' },
    response: { status: 503, headers: {}, body: '' },
    ...change,
  };
}

/** The transition that ended an attempt. */
export function transitionBy(rule: RuleId, to: DeliveryState, change: Partial<Transition> = {}): Transition {
  return {
    from: 'attempting',
    to,
    at: '2026-03-01T14:32:08.513Z',
    sequence: 3,
    cause: 'app',
    rule,
    ...change,
  };
}

/** A whole delivery. */
export function wholeDelivery(change: Partial<Delivery> = {}): Delivery {
  return {
    deliveryId: 'dlv_1',
    messageId: 'msg_1',
    appId: 'app',
    subscription: { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' },
    route: { path: '/orders' },
    state: 'retrying',
    attempts: [attemptWith()],
    transitions: [],
    maxAttempts: 10,
    ...change,
  };
}

/** A whole message. */
export function wholeMessage(change: Partial<MessageDetail> = {}): MessageDetail {
  const { deliveries: _deliveries, ...row } = rowNamed('msg_1');
  return {
    ...row,
    data: { orderId: 1 },
    wire: { body: '{}' },
    metadata: {},
    deliveries: [wholeDelivery()],
    ...change,
  };
}
