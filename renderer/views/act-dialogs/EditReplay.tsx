/** The dialog "Edit and replay": a new message from an old one. */
import { useState, type KeyboardEvent, type ReactElement } from 'react';
import type { MessageDetail } from '../../../core/contract/message.ts';
import type { PublishParams, ReplayChanges } from '../../../core/contract/publish.ts';
import { Button } from '../../components/Button.tsx';
import { Radios, Checkbox } from '../../components/Fields.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { useNoteSent } from '../../components/own-dialog.ts';
import { ACT_WHY, EDIT } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { titleOf } from '../../format/message-title.ts';
import { chosenDelivery } from '../../format/chosen-delivery.ts';
import { targetOf } from '../../components/detail/HeadFacts.tsx';
import { SaveDialog } from '../../components/SaveDialog.tsx';
import css from './EditForm.module.css';
import { EditForm } from './EditForm.tsx';
import { useRefusedEdit } from './edited-fields.ts';
import { changesOf, editableOf, readLines, type EditedMessage } from './edit-message.ts';
import { MessageLoading } from './MessageLoading.tsx';
import { useMessage } from './use-message.ts';
import { randomId } from '../../client/random-id.ts';

export interface EditReplayProps {
  readonly messageId: string;
  readonly deliveryId: string | undefined;
}

/** Loads the message, then shows the form. */
export function EditReplay({ messageId, deliveryId }: EditReplayProps): ReactElement {
  const { commands } = useConsole();
  const { message, data = '', failure, reading } = useMessage(messageId, true);
  if (message === undefined) {
    return (
      <Overlay title={EDIT.title} wide onClose={commands.close}>
        <MessageLoading failure={failure} reading={reading} />
      </Overlay>
    );
  }
  return <Form message={message} data={data} deliveryId={deliveryId} />;
}

function Form({
  message,
  data,
  deliveryId,
}: {
  readonly message: MessageDetail;
  /** Formatted data. */
  readonly data: string;
  readonly deliveryId: string | undefined;
}): ReactElement {
  const { commands, acting, ui } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [original] = useState(() => editableOf(message, data));
  const [value, setValue] = useState(original);
  const [to, setTo] = useState<'topic' | 'delivery'>('topic');
  const [newEventId, setNewEventId] = useState(() => ui.getState().newEventId);
  const [saves, setSaves] = useState(false);
  const refused = useRefusedEdit();
  const fields = { ...value, to, newEventId };
  const noteSent = useNoteSent(fields);
  const isFilled = useDiffers(fields);
  const delivery = chosenDelivery(message, deliveryId);

  function replay(): void {
    if (away !== undefined) return;
    const isOnly = to === 'delivery' && delivery !== undefined;
    // Fields that are hidden for one delivery keep their values.
    const kept = isOnly ? { ...value, pubsubname: original.pubsubname, topic: original.topic } : value;
    const edited = changesOf(original, kept);
    const changes = newEventId && !message.raw ? withNewId(edited) : edited;
    const target = isOnly ? { deliveryId: delivery.deliveryId, route: delivery.route.path } : {};
    const mayClose = noteSent();
    // The dialog stays open after a refusal, and where more was typed before the answer, with everything that was typed.
    void refused
      .once(() => acting.replay([message], { ...target, changes }, refused.take))
      .then((isDone) => isDone && mayClose() && commands.close());
  }

  function onKey(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey)) return;
    if (event.key === 'Enter') replay();
    else if (event.key.toLowerCase() === 's') setSaves(true);
    else return;
    event.preventDefault();
  }

  return (
    <Overlay
      title={fill(EDIT.titleOf, { title: EDIT.title, of: titleOf(message) })}
      wide
      onClose={commands.close}
      isFilled={isFilled}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={<Foot off={away} pending={refused.pending} onSave={() => setSaves(true)} onReplay={replay} />}
    >
      <div onKeyDown={onKey} className={css.form}>
        <div className={css.choices}>
          {delivery !== undefined && (
            <Radios
              label={EDIT.to}
              value={to}
              onChange={setTo}
              options={[
                { value: 'topic', title: EDIT.toTopic },
                { value: 'delivery', title: fill(EDIT.toDelivery, { to: targetOf(delivery) }) },
              ]}
            />
          )}
          {!message.raw && <Checkbox label={EDIT.newEventId} checked={newEventId} onChange={setNewEventId} />}
        </div>
        <EditForm
          original={original}
          value={value}
          onChange={setValue}
          refusedAt={refused.ofField}
          target={to === 'topic' ? 'component' : 'none'}
        />
      </div>
      {saves && <SaveDialog request={requestOf(message, value)} onClose={() => setSaves(false)} />}
    </Overlay>
  );
}

interface FootProps {
  readonly off: string | undefined;
  readonly pending: boolean;
  readonly onSave: () => void;
  readonly onReplay: () => void;
}

function Foot({ off, pending, onSave, onReplay }: FootProps): ReactElement {
  return (
    <>
      <Button keys={['Mod+S']} onClick={onSave}>
        {EDIT.saveRequest}
      </Button>
      <CancelButton />
      <Button kind="primary" off={off} pending={pending} keys={['Mod+Enter']} onClick={onReplay}>
        {EDIT.replay}
      </Button>
    </>
  );
}

function withNewId(changes: ReplayChanges): ReplayChanges {
  return { ...changes, attributes: { ...changes.attributes, id: randomId() } };
}

/** The content of the form as a separate publish. */
function requestOf({ appId, raw }: MessageDetail, value: EditedMessage): PublishParams {
  const metadata = { ...readLines(value.metadata), ...(raw ? { rawPayload: 'true' } : {}) };
  const { pubsubname, topic, data, contentType } = value;
  return { pubsubname, appId, topic, data, contentType, metadata };
}
