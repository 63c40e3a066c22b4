/** State of the open message, and the sentence that explains it. */
import type { ReactElement } from 'react';
import type { Delivery, MessageDetail, MessageRow } from '../../../core/contract/message.ts';
import { Chip } from '../Chip.tsx';
import { CallDeadline } from '../CallDeadline.tsx';
import { DETAIL } from '../../copy/detail.ts';
import { chipOf, waitText } from '../../format/row.ts';
import { rowOfDetail } from '../../keys/subjects.ts';
import { useWaitingAnswersFor } from '../../state/waiting-answers.ts';
import css from './DetailHead.module.css';
import { WhyLine } from './WhyLine.tsx';

/** The state from the list's row, with room for the sentence that comes with the message. */
export function RowStateLine({ row }: { readonly row: MessageRow }): ReactElement {
  const chip = chipOf(row);
  const isAsked = useWaitingAnswersFor(row.messageId) !== undefined;
  return (
    <div className={css.state}>
      <span aria-live="polite">
        <Chip
          kind={isAsked ? 'asked' : chip.kind}
          app={row.waitingFor?.join(', ')}
          meaning={isAsked ? undefined : chip.meaning}
        />
      </span>
    </div>
  );
}

/** Time after which a running call is counted down. */
const SHOWN_AFTER_MS = 1000;

function isHeld({ state, heldAt }: Delivery): boolean {
  return state === 'held' || heldAt === 'response';
}

function beganAt({ transitions }: Delivery): number {
  return Date.parse(transitions.at(-1)?.at ?? '');
}

export interface StateLineProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery | undefined;
}

/** Shows chip and cause. */
export function StateLine({ message, delivery }: StateLineProps): ReactElement {
  const asked = useWaitingAnswersFor(message.messageId, delivery?.deliveryId);
  const chip = chipOf(rowOfDetail(message));
  const waits = delivery === undefined ? undefined : waitText(delivery);
  const kind = waits === undefined ? (delivery?.state ?? chip.kind) : 'waiting';
  const meaning = delivery === undefined ? chip.meaning : waits;
  return (
    <div className={css.state}>
      <span aria-live="polite">
        <Chip
          kind={asked === undefined ? kind : 'asked'}
          app={message.waitingFor?.join(', ')}
          meaning={asked === undefined ? meaning : undefined}
        />
      </span>
      <div className={css.cause}>
        {delivery?.heldAt === 'response' && <p className={css.note}>{DETAIL.answerHeld}</p>}
        {/* A call that waits for a person has its time beside the buttons that answer it. */}
        {delivery?.givesUpAt !== undefined && asked === undefined && (
          <p className={css.note}>
            <CallDeadline
              at={delivery.givesUpAt}
              isObserved={message.tap !== undefined}
              from={isHeld(delivery) ? 0 : beganAt(delivery) + SHOWN_AFTER_MS}
            />
          </p>
        )}
        <WhyLine message={message} delivery={delivery} />
      </div>
    </div>
  );
}
