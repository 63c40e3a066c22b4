/** A form for any answer to a waiting delivery. */
import { useEffect, useState, type ReactElement } from 'react';
import type { MessageDetail } from '../../../core/contract/message.ts';
import { useGiveAnswer } from '../../components/answers/AnswerButtons.tsx';
import { Button } from '../../components/Button.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import type { Asked } from '../../components/detail/what-if.ts';
import { closerOfThis, useNoteSent } from '../../components/own-dialog.ts';
import { useRefused } from '../../components/use-refused.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { WAITING } from '../../copy/mock-app.ts';
import { useAway, useConsole, useOpenings, useResource } from '../../state/context.ts';
import { EMPTY_ANSWER, readAnswer } from './answer-draft.ts';
import { APART_BYTES } from '../../state/payloads.ts';
import { AnswerFields } from './AnswerFields.tsx';
import { LeadsTo } from './LeadsTo.tsx';
import css from './MockApp.module.css';
import { toOneMessage } from './predictions.ts';

export interface OtherAnswerProps {
  /** Id of the delivery whose call waits. */
  readonly deliveryId: string;
}

/** The waiting call of a delivery, as its message has it; undefined: not known yet. */
function useCallOf(deliveryId: string, messageId: string | undefined): Asked | undefined {
  const { call, topology } = useConsole();
  const openings = useOpenings();
  const { value: subscriptions } = useResource(topology.subscriptions);
  const [message, setMessage] = useState<MessageDetail>();
  useEffect(() => {
    if (messageId === undefined) return undefined;
    let isCurrent = true;
    call('messages.get', { messageId, payloadUpTo: APART_BYTES }).then(
      (found) => isCurrent && setMessage(found),
      // Nothing is foreseen without the message; that it is gone, or the host is, stands beside the button.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [call, messageId, openings]);
  const delivery = message?.deliveries.find((each) => each.deliveryId === deliveryId);
  if (delivery === undefined || subscriptions === undefined) return undefined;
  return { delivery, attempt: delivery.attempts.at(-1), subscriptions: subscriptions.items };
}

/** Fields for status, body and delay. They stay when the call stops waiting, with everything that was typed. */
export function OtherAnswer({ deliveryId }: OtherAnswerProps): ReactElement {
  const { commands, mockApps } = useConsole();
  const [draft, setDraft] = useState(EMPTY_ANSWER);
  const noteSent = useNoteSent(draft);
  const isFilled = useDiffers(draft);
  const refused = useRefused();
  const away = useAway(ACT_WHY.away);
  const give = useGiveAnswer(deliveryId);
  const { value: waiting } = useResource(mockApps.waiting);
  const read = readAnswer(draft);
  const item = waiting?.items.find((each) => each.deliveryId === deliveryId);
  const isWaiting = waiting === undefined || item !== undefined;
  const asked = useCallOf(deliveryId, item?.messageId);
  // The call leaves the list with the answer that was given here.
  const over = isWaiting || refused.pending ? undefined : WAITING.over;

  async function answer(): Promise<void> {
    if (!read.ok) return;
    const close = closerOfThis(commands);
    const mayClose = noteSent();
    const isGiven = await refused.once(() => give(read.answer, refused.take));
    // The dialog stays open after a refusal, with everything that was typed, and where more was typed before the host took the answer.
    if (isGiven && mayClose()) close();
  }

  return (
    <Overlay
      title={WAITING.other}
      onClose={commands.close}
      isFilled={isFilled}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={
        <>
          <p role="status" className={css.predicted}>
            {asked !== undefined && (
              <LeadsTo
                answer={read.ok ? toOneMessage(read.answer) : undefined}
                protocol={asked.attempt?.protocol ?? 'http'}
                asked={asked}
              />
            )}
          </p>
          <CancelButton />
          <Button
            kind="primary"
            off={away ?? over ?? (read.ok ? undefined : read.message)}
            pending={refused.pending}
            onClick={() => void answer()}
          >
            {WAITING.answer}
          </Button>
        </>
      }
    >
      <p role="status" className={css.over}>
        {over}
      </p>
      <AnswerFields draft={draft} onChange={setDraft} />
    </Overlay>
  );
}
