/**
 * The dialog "Edit and release": changes a message held at publish, the body of one held delivery, or the
 * held answer of the app.
 */
import { useState, type ReactElement } from 'react';
import { allows } from '../../../core/contract/acts.ts';
import type { Attempt, Delivery, MessageDetail } from '../../../core/contract/message.ts';
import { isAnswerStatus } from '../../../core/contract/rule-bounds.ts';
import { grpcOfHttp, httpOfGrpc } from '../../../core/contract/status-pairs.ts';
import { Button } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { TextArea, TextField } from '../../components/Fields.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { useNoteSent } from '../../components/own-dialog.ts';
import { useRefused } from '../../components/use-refused.ts';
import { useVerdicts, type Verdict } from '../../components/use-verdicts.ts';
import { leadsTo, type Lead } from '../../components/detail/what-if.ts';
import { ACT_DONE, ACT_WHY, EDIT } from '../../copy/acts.ts';
import { rowOfDetail } from '../../keys/subjects.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { EditForm } from './EditForm.tsx';
import { useRefusedEdit } from './edited-fields.ts';
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
    return <AnswerForm delivery={delivery} attempt={answered} response={answered.response} />;
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
  const noteSent = useNoteSent(value);
  const isFilled = useDiffers(value);
  const refused = useRefusedEdit();

  function release(): void {
    const mayClose = noteSent();
    const row = rowOfDetail(message);
    const subject = deliveryId === undefined ? { row } : { row, deliveryId };
    // The dialog stays open after a refusal, and where more was typed before the answer, with everything that was typed.
    void refused
      .once(() => acting.release(subject, changesOf(original, value), refused.take))
      .then((isDone) => isDone && mayClose() && commands.close());
  }

  return (
    <Overlay
      title={EDIT.releaseTitle}
      wide
      onClose={commands.close}
      isFilled={isFilled}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={<Foot off={away} pending={refused.pending} onRelease={release} />}
    >
      <EditForm
        original={original}
        value={value}
        onChange={setValue}
        refusedAt={refused.ofField}
        target={deliveryId === undefined ? 'topic' : 'none'}
      />
    </Overlay>
  );
}

/** What the fields of an answer lead to, also on the last attempt; undefined: not known. */
function useLead(
  delivery: Delivery,
  attempt: Attempt,
  answer: { readonly status: number; readonly body: string } | undefined,
): { readonly verdict: Verdict; readonly lead: Lead } | undefined {
  const { topology } = useConsole();
  const { value: subscriptions } = useResource(topology.subscriptions);
  const protocol = attempt.protocol ?? 'http';
  const entryId = attempt.bulk?.entryId;
  const of = entryId === undefined ? ({ kind: 'single' } as const) : ({ kind: 'bulk', entryId } as const);
  const asked = answer && { ...answer, protocol };
  const verdict = useVerdicts(asked === undefined ? [] : [{ ...of, ...asked }])?.[0];
  if (verdict === undefined || asked === undefined || subscriptions === undefined) return undefined;
  const question = { id: '', title: '', ...asked };
  const lead = leadsTo({ verdict, question }, { delivery, attempt, subscriptions: subscriptions.items });
  return { verdict, lead };
}

interface AnswerFormProps {
  readonly delivery: Delivery;
  readonly attempt: Attempt;
  readonly response: NonNullable<Attempt['response']>;
}

/** Status and body of the held answer. Unchanged, the app's own answer is released, with its headers and its bytes. */
function AnswerForm({ delivery, attempt, response }: AnswerFormProps): ReactElement {
  const { commands, call } = useConsole();
  const refused = useRefused(['answer.status', 'answer.body']);
  const away = useAway(ACT_WHY.away);
  const isGrpc = attempt.protocol === 'grpc';
  // Answers are written with HTTP statuses, whatever protocol the app speaks.
  const [original] = useState(() => ({
    status: String(isGrpc ? httpOfGrpc(response.status) : response.status),
    body: response.body,
  }));
  const [status, setStatus] = useState(original.status);
  const [body, setBody] = useState(original.body);
  const fields = { status, body };
  const noteSent = useNoteSent(fields);
  const isFilled = useDiffers(fields);
  const isChanged = status.trim() !== original.status || body !== original.body;
  const code = Number(status);
  const isCode = isAnswerStatus(code);
  const isCut = response.bodyTruncated === true;
  const isKnown = isCode && (isChanged || !isCut);
  const said = { status: isGrpc ? grpcOfHttp(code) : code, body };
  const led = useLead(delivery, attempt, isKnown ? said : undefined);

  function release(): void {
    const { deliveryId } = delivery;
    const work = async (): Promise<string> => {
      const answer = { kind: 'respond', status: code, body } as const;
      await call('deliveries.release', isChanged ? { deliveryId, answer } : { deliveryId });
      return ACT_DONE.release;
    };
    const mayClose = noteSent();
    void refused.run('release', work).then((isDone) => isDone && mayClose() && commands.close());
  }

  return (
    <Overlay
      title={EDIT.releaseTitle}
      onClose={commands.close}
      isFilled={isFilled}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={
        <Foot
          off={away ?? (isCode ? undefined : EDIT.statusRange)}
          pending={refused.pending}
          onRelease={release}
        />
      }
    >
      <div className={page.stack}>
        <TextField
          label={EDIT.answerStatus}
          inputMode="numeric"
          value={status}
          error={isCode ? refused.at('answer.status') : EDIT.statusRange}
          onChange={setStatus}
        />
        <TextArea
          label={EDIT.answerBody}
          error={refused.at('answer.body')}
          hint={response.bodyBase64 === true ? EDIT.notText : isCut ? EDIT.cut : undefined}
          value={body}
          onChange={setBody}
          rows={8}
        />
        <p role="status">{led !== undefined && <LeadsTo {...led} />}</p>
      </div>
    </Overlay>
  );
}

function LeadsTo({ verdict, lead }: { readonly verdict: Verdict; readonly lead: Lead }): ReactElement {
  return (
    <>
      {EDIT.leadsTo} <Chip kind={lead.state} /> <code>{verdict.rule}</code>{' '}
      {lead.usedUp !== undefined && <code>{lead.usedUp.rule}</code>}
    </>
  );
}

interface FootProps {
  readonly off: string | undefined;
  readonly pending: boolean;
  readonly onRelease: () => void;
}

function Foot({ off, pending, onRelease }: FootProps): ReactElement {
  return (
    <>
      <CancelButton />
      <Button kind="primary" off={off} pending={pending} onClick={onRelease}>
        {EDIT.release}
      </Button>
    </>
  );
}
