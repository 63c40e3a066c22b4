/** Content of a recording for one message: the row, the content, and every delivery with its history. */
import type { Attempt, Delivery, DeliveryRow, MessageRow, Transition } from '../../contract/message.ts';
import type { Wire } from '../codec.ts';

export interface RecordedMessage {
  readonly message: {
    /** Row of the message; its `deliveries` is []. */
    readonly row: MessageRow;
    readonly wire: Wire;
    readonly metadata: Readonly<Record<string, string>>;
    /** Content type as the publisher gave it; "" = none. */
    readonly givenContentType: string;
    readonly releasedFrom?: readonly string[];
  };
  readonly deliveries: readonly RecordedDelivery[];
}

export interface RecordedDelivery {
  readonly delivery: Omit<Delivery, 'attempts' | 'transitions'> & {
    readonly attemptCount: number;
    readonly roundStart: number;
    readonly releasedFrom?: readonly string[];
    readonly changedWire?: Wire;
    readonly edits?: DeliveryRow['edits'];
    readonly lastAnswer?: DeliveryRow['lastAnswer'];
    readonly lastDurationMs?: number;
    readonly span?: DeliveryRow['span'];
    readonly rule?: DeliveryRow['rule'];
  };
  readonly attempts: readonly Attempt[];
  readonly transitions: readonly Transition[];
}
