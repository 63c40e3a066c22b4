/** Why a message is in its state, in sentences: one after the other in the head, each on its own line in the panel of all facts. */
import type { ReactElement } from 'react';
import type { Delivery, MessageDetail } from '../../../core/contract/message.ts';
import type { WaitingAnswer } from '../../../core/contract/mock-app.ts';
import { CallDeadline } from '../CallDeadline.tsx';
import { Ticking } from '../clock.ts';
import { DETAIL } from '../../copy/detail.ts';
import { waitSentence } from '../../format/call-deadline.ts';
import { useWaitingAnswersFor } from '../../state/waiting-answers.ts';
import type { DeliveryTabProps } from './AttemptsTab.tsx';
import css from './DetailHead.module.css';
import { WhyLine } from './WhyLine.tsx';

/** Time after which a running call is counted down. */
const SHOWN_AFTER_MS = 1000;

function isHeld({ state, heldAt }: Delivery): boolean {
  return state === 'held' || heldAt === 'response';
}

function beganAt({ transitions }: Delivery): number {
  return Date.parse(transitions.at(-1)?.at ?? '');
}

/** Notes about a running call, the sentence with its rule, and remarks about the message. */
export function Reason({ message, delivery }: DeliveryTabProps): ReactElement {
  // Where all went well, a remark says more than that it did; the head of a message has room for two lines.
  const isFirst = delivery?.state === 'processed';
  return (
    <>
      {delivery !== undefined && <CallNotes message={message} delivery={delivery} />}
      {isFirst && <Flags message={message} />}
      <WhyLine message={message} delivery={delivery} />
      {!isFirst && <Flags message={message} />}
    </>
  );
}

/** Remarks about the message. */
function Flags({ message }: Pick<DeliveryTabProps, 'message'>): readonly ReactElement[] {
  return (message.flags ?? []).map((flag) => (
    <p key={flag} className={css.flag}>
      {flag}
    </p>
  ));
}

interface CallNotesProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery;
}

/** Whether an answer is held, and the times of a call that waits for a person, or runs. */
function CallNotes({ message, delivery }: CallNotesProps): ReactElement {
  const asked = useWaitingAnswersFor([delivery]);
  const { givesUpAt, heldAt } = delivery;
  return (
    <>
      {heldAt === 'response' && <p className={css.note}>{DETAIL.answerHeld}</p>}
      {asked !== undefined && <WaitTimes item={asked} />}
      {givesUpAt !== undefined && asked === undefined && (
        <p className={css.note}>
          <CallDeadline
            at={givesUpAt}
            isObserved={message.tap !== undefined}
            isSentence
            from={isHeld(delivery) ? 0 : beganAt(delivery) + SHOWN_AFTER_MS}
          />
        </p>
      )}
    </>
  );
}

/** Time since the call, and the time left at the sidecar. Assistive technology gets no ticking text. */
function WaitTimes({ item }: { readonly item: WaitingAnswer }): ReactElement {
  return (
    <p aria-hidden className={css.note}>
      <Ticking text={(now) => waitSentence(item, now)} />
    </p>
  );
}
