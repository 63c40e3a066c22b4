/** A form for any answer to a waiting delivery. */
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { Answer } from '../../../core/contract/mock-app.ts';
import { Button } from '../../components/Button.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { ACT_WHY, CONFIRM } from '../../copy/acts.ts';
import { WAITING } from '../../copy/mock-app.ts';
import type { TakesFailure } from '../../state/acting.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { EMPTY_ANSWER, readAnswer } from './answer-draft.ts';
import { AnswerFields } from './AnswerFields.tsx';

export interface OtherAnswerProps {
  /** Id of the delivery whose call waits. */
  readonly deliveryId: string;
  readonly onAnswer: (answer: Answer, refused: TakesFailure) => Promise<boolean>;
  readonly onClose: () => void;
}

/**
 * Says why the dialog is gone when the call stops waiting under it.
 * @returns notes whether the person has answered or closed the dialog, which then needs no word
 */
function useReportOver(deliveryId: string): (isDone: boolean) => void {
  const { mockApps, toasts } = useConsole();
  const isDoneHere = useRef(false);
  useEffect(
    () => () => {
      if (isDoneHere.current) return;
      // The report that no call waits removes the dialog before the list of calls is known to be empty.
      void mockApps.waiting.refresh().then(() => {
        const { value } = mockApps.waiting.store.getState();
        const isOver = value?.items.every((item) => item.deliveryId !== deliveryId) === true;
        if (isOver) toasts.failed(WAITING.over);
      });
    },
    [deliveryId, mockApps, toasts],
  );
  return (isDone) => {
    isDoneHere.current = isDone;
  };
}

/** Fields for status, body and delay. */
export function OtherAnswer({ deliveryId, onAnswer, onClose }: OtherAnswerProps): ReactElement {
  const [draft, setDraft] = useState(EMPTY_ANSWER);
  const refused = useRefused();
  const away = useAway(ACT_WHY.away);
  const read = readAnswer(draft);
  const noteDone = useReportOver(deliveryId);

  function close(): void {
    noteDone(true);
    onClose();
  }

  async function give(): Promise<void> {
    if (!read.ok) return;
    const { answer } = read;
    // The call may leave the list before the host's answer comes.
    noteDone(true);
    const isGiven = await refused.once(() => onAnswer(answer, refused.take));
    // The dialog stays open after a refusal, with everything that was typed.
    if (isGiven) onClose();
    else noteDone(false);
  }

  return (
    <Overlay
      title={WAITING.other}
      onClose={close}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={
        <>
          <Button onClick={close}>{CONFIRM.cancel}</Button>
          <Button
            kind="primary"
            off={away ?? (read.ok ? undefined : read.message)}
            pending={refused.pending}
            onClick={() => void give()}
          >
            {WAITING.answer}
          </Button>
        </>
      }
    >
      <AnswerFields draft={draft} onChange={setDraft} />
    </Overlay>
  );
}
