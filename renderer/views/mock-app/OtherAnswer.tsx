/** A form for any answer to a waiting delivery. */
import { useState, type ReactElement } from 'react';
import type { Answer } from '../../../core/contract/mock-app.ts';
import { Button } from '../../components/Button.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { ACT_WHY, CONFIRM } from '../../copy/acts.ts';
import { WAITING } from '../../copy/mock-app.ts';
import type { TakesFailure } from '../../state/acting.ts';
import { useAway } from '../../state/context.ts';
import { EMPTY_ANSWER, readAnswer } from './answer-draft.ts';
import { AnswerFields } from './AnswerFields.tsx';

export interface OtherAnswerProps {
  readonly onAnswer: (answer: Answer, refused: TakesFailure) => Promise<boolean>;
  readonly onClose: () => void;
}

/** Fields for status, body and delay. */
export function OtherAnswer({ onAnswer, onClose }: OtherAnswerProps): ReactElement {
  const [draft, setDraft] = useState(EMPTY_ANSWER);
  const refused = useRefused();
  const away = useAway(ACT_WHY.away);
  const read = readAnswer(draft);

  function give(): void {
    if (!read.ok) return;
    const { answer } = read;
    // The dialog stays open after a refusal, with everything that was typed.
    void refused.once(() => onAnswer(answer, refused.take)).then((isGiven) => isGiven && onClose());
  }

  return (
    <Overlay
      title={WAITING.other}
      onClose={onClose}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={
        <>
          <Button onClick={onClose}>{CONFIRM.cancel}</Button>
          <Button
            kind="primary"
            off={away ?? (read.ok ? undefined : read.message)}
            pending={refused.pending}
            onClick={give}
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
