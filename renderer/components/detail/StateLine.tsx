/** State of the open message, and the sentence that explains it. */
import { useRef, useState, type ReactElement } from 'react';
import type { Delivery, MessageDetail, MessageRow } from '../../../core/contract/message.ts';
import { DETAIL } from '../../copy/detail.ts';
import { Chip } from '../Chip.tsx';
import { chipOf, waitText } from '../../format/row.ts';
import { rowOfDetail } from '../../keys/subjects.ts';
import { useWaitingAnswersFor } from '../../state/waiting-answers.ts';
import { AllFacts } from './AllFacts.tsx';
import css from './DetailHead.module.css';
import { Reason } from './Reason.tsx';
import { useCut } from '../use-cut.ts';

/** The state from the list's row, with room for the sentence that comes with the message. */
export function RowStateLine({ row }: { readonly row: MessageRow }): ReactElement {
  const chip = chipOf(row);
  const isAsked = useWaitingAnswersFor(row.deliveries) !== undefined;
  return (
    <div className={css.state}>
      <span aria-live="polite">
        <Chip
          kind={isAsked ? 'asked' : chip.kind}
          apps={row.waitingFor}
          meaning={isAsked ? undefined : chip.meaning}
        />
      </span>
    </div>
  );
}

export interface StateLineProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery | undefined;
  /** Text if the message is no longer kept. It stands in the line, so that nothing moves while it is read. */
  readonly gone?: string | undefined;
}

/** Shows chip and reason, which can be opened in place where it is longer than its two lines, and leads to all facts. */
export function StateLine({ message, delivery, gone }: StateLineProps): ReactElement {
  const asked = useWaitingAnswersFor(delivery === undefined ? message.deliveries : [delivery]);
  const chip = chipOf(rowOfDetail(message));
  const waits = delivery === undefined ? undefined : waitText(delivery);
  const kind = waits === undefined ? (delivery?.state ?? chip.kind) : 'waiting';
  const meaning = delivery === undefined ? chip.meaning : waits;
  const lines = useRef<HTMLDivElement>(null);
  // Another message begins closed.
  const subject = `${message.messageId} ${delivery?.deliveryId ?? ''}`;
  const [opened, setOpened] = useState<string>();
  const isOpen = opened === subject;
  const isCut = useCut(lines, isOpen);
  return (
    // A link below the second line scrolls into sight when it gets the focus, and the chip out of it.
    <div
      ref={lines}
      className={css.state}
      data-open={isOpen || undefined}
      onBlur={({ currentTarget }) => {
        currentTarget.scrollTop = 0;
      }}
    >
      <AllFacts message={message} delivery={delivery} isGone={gone !== undefined} />
      {isCut && (
        <button
          type="button"
          className={css.unfold}
          aria-expanded={isOpen}
          onClick={() => setOpened(isOpen ? undefined : subject)}
        >
          {isOpen ? DETAIL.lessReason : DETAIL.wholeReason}
        </button>
      )}
      <span aria-live="polite">
        <Chip
          kind={asked === undefined ? kind : 'asked'}
          apps={message.waitingFor}
          meaning={asked === undefined ? meaning : undefined}
        />
      </span>{' '}
      <div className={css.reason}>
        <p role="status" className={css.gone}>
          {gone}
        </p>
        <Reason message={message} delivery={delivery} />
      </div>
    </div>
  );
}
