/**
 * The dialog "Edit and release": changes a message held at publish, the body of one held delivery, or the
 * held answer of the app.
 */
import { useState, type ReactElement } from 'react';
import { allows } from '../../../core/contract/acts.ts';
import type { Attempt, Delivery, MessageDetail } from '../../../core/contract/message.ts';
import { isAnswerStatus } from '../../../core/contract/rule-bounds.ts';
import { Button } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { TextArea, TextField } from '../../components/Fields.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { useVerdicts } from '../../components/use-verdicts.ts';
import { ACT_DONE, ACT_WHY, CONFIRM, EDIT } from '../../copy/acts.ts';
import { rowOfDetail } from '../../keys/subjects.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { EditForm } from './EditForm.tsx';
import { changesOf, editableOf } from './edit-message.ts';
import { MessageLoading } from './MessageLoading.tsx';
import page from '../page.module.css';
import { useMessage } from './use-message.ts';

export interface EditReleaseProps {
  readonly messageId: string;
  readonly deliveryId: string | undefined;
}

/** Loads the message, then shows the form for what is held. */
export function EditRelease({ messageId, deliveryId }: EditReleaseProps): ReactElement {
  const { commands } = useConsole();
  const { message, data = '', failure, reading } = useMessage(messageId, true);
  if (message === undefined) {
    return (
      <Overlay title={EDIT.releaseTitle} wide onClose={commands.close}>
        <MessageLoading failure={failure} reading={reading} />
      </Overlay>
    );
  }
  const delivery =
    message.deliveries.find((each) => each.deliveryId === deliveryId) ??
    message.deliveries.find((each) => allows('release', each));
  const answered = delivery?.heldAt === 'response' ? delivery.attempts.at(-1) : undefined;
  if (delivery !== undefined && answered?.response !== undefined) {
    return <AnswerForm delivery={delivery} response={answered.response} />;
  }
  return <MessageForm message={message} data={data} deliveryId={delivery?.deliveryId} />;
}

function MessageForm({
  message,
  data,
  deliveryId,
}: {
  readonly message: MessageDetail;
  /** Formatted data. */
  readonly data: string;
  readonly deliveryId: string | undefined;
}): ReactElement {
  const { commands, acting } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [original] = useState(() => editableOf(message, data));
  const [value, setValue] = useState(original);

  const refused = useRefused();

  function release(): void {
    const row = rowOfDetail(message);
    const subject = deliveryId === undefined ? { row } : { row, deliveryId };
    refused.clear();
    // The dialog stays open after a refusal, with everything that was typed.
    void acting
      .release(subject, changesOf(original, value), refused.take)
      .then((isDone) => isDone && commands.close());
  }

  return (
    <Overlay
      title={EDIT.releaseTitle}
      wide
      onClose={commands.close}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={<Foot off={away} onRelease={release} />}
    >
      <EditForm
        original={original}
        value={value}
        onChange={setValue}
        target={deliveryId === undefined ? 'topic' : 'none'}
      />
    </Overlay>
  );
}

function AnswerForm({
  delivery,
  response,
}: {
  readonly delivery: Delivery;
  readonly response: NonNullable<Attempt['response']>;
}): ReactElement {
  const { commands, call } = useConsole();
  const refused = useRefused();
  const away = useAway(ACT_WHY.away);
  const [status, setStatus] = useState(String(response.status));
  const [body, setBody] = useState(response.body);
  const code = Number(status);
  const isCode = isAnswerStatus(code);
  const entryId = delivery.attempts.at(-1)?.bulk?.entryId;
  const of = entryId === undefined ? ({ kind: 'single' } as const) : ({ kind: 'bulk', entryId } as const);
  const verdict = useVerdicts(isCode ? [{ ...of, status: code, body }] : [])?.[0];

  function release(): void {
    const work = async (): Promise<string> => {
      await call('deliveries.release', {
        deliveryId: delivery.deliveryId,
        answer: { kind: 'respond', status: code, body },
      });
      return ACT_DONE.release;
    };
    void refused.run('release', work).then((isDone) => isDone && commands.close());
  }

  return (
    <Overlay
      title={EDIT.releaseTitle}
      onClose={commands.close}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={<Foot off={away ?? (isCode ? undefined : EDIT.statusRange)} onRelease={release} />}
    >
      <div className={page.stack}>
        <TextField
          label={EDIT.answerStatus}
          inputMode="numeric"
          value={status}
          error={isCode ? undefined : EDIT.statusRange}
          onChange={setStatus}
        />
        <TextArea label={EDIT.answerBody} value={body} onChange={setBody} rows={8} />
        <p role="status">
          {verdict !== undefined && (
            <>
              {EDIT.leadsTo} <Chip kind={verdict.state} /> <code>{verdict.rule}</code>
            </>
          )}
        </p>
      </div>
    </Overlay>
  );
}

function Foot({
  off,
  onRelease,
}: {
  readonly off: string | undefined;
  readonly onRelease: () => void;
}): ReactElement {
  const { commands } = useConsole();
  return (
    <>
      <Button onClick={commands.close}>{CONFIRM.cancel}</Button>
      <Button kind="primary" off={off} onClick={onRelease}>
        {EDIT.release}
      </Button>
    </>
  );
}
