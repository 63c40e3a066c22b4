/** A form for any answer to a waiting delivery. */
import { useState, type ReactElement } from 'react';
import type { Answer } from '../../../core/contract/mock-app.ts';
import { Button } from '../../components/Button.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { CONFIRM } from '../../copy/acts.ts';
import { WAITING } from '../../copy/mock-app.ts';
import { EMPTY_ANSWER, readAnswer } from './answer-draft.ts';
import { AnswerFields } from './AnswerFields.tsx';

export interface OtherAnswerProps {
  readonly onAnswer: (answer: Answer) => void;
  readonly onClose: () => void;
}

/** Fields for status, body and delay. */
export function OtherAnswer({ onAnswer, onClose }: OtherAnswerProps): ReactElement {
  const [draft, setDraft] = useState(EMPTY_ANSWER);
  const read = readAnswer(draft);
  return (
    <Overlay
      title={WAITING.other}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{CONFIRM.cancel}</Button>
          <Button
            kind="primary"
            off={read.ok ? undefined : read.message}
            onClick={() => {
              onClose();
              if (read.ok) onAnswer(read.answer);
            }}
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
