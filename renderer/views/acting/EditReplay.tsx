/** The dialog "Edit and replay": a new message from an old one. */
import { useState, type KeyboardEvent, type ReactElement } from 'react';
import type { MessageDetail } from '../../../core/contract/message.ts';
import { Button } from '../../components/Button.tsx';
import { Radios } from '../../components/Fields.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { Failed, Loading } from '../../components/States.tsx';
import { ACT_WHY, CONFIRM, EDIT } from '../../copy/acts.ts';
import { DETAIL } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { chosenDelivery } from '../../parts/detail/Detail.tsx';
import { EditForm } from './EditForm.tsx';
import { changesOf, editableOf } from './edit-message.ts';
import { useMessage } from './use-message.ts';

export interface EditReplayProps {
  readonly messageId: string;
  readonly deliveryId: string | undefined;
}

/** Loads the message, then shows the form. */
export function EditReplay({ messageId, deliveryId }: EditReplayProps): ReactElement {
  const { commands } = useConsole();
  const { message, failure } = useMessage(messageId);
  if (message !== undefined) return <Form message={message} deliveryId={deliveryId} />;
  return (
    <Overlay title={EDIT.title} wide onClose={commands.close}>
      {failure === undefined ? (
        <Loading text={DETAIL.loading} />
      ) : (
        <Failed text={fill(DETAIL.failed, { message: failure.message.replace(/\.$/, '') })} />
      )}
    </Overlay>
  );
}

function Form({
  message,
  deliveryId,
}: {
  readonly message: MessageDetail;
  readonly deliveryId: string | undefined;
}): ReactElement {
  const { commands, acting } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [original] = useState(() => editableOf(message));
  const [value, setValue] = useState(original);
  const [to, setTo] = useState<'topic' | 'delivery'>('topic');
  const delivery = chosenDelivery(message, deliveryId);

  function replay(): void {
    if (away !== undefined) return;
    commands.close();
    const changes = changesOf(original, value);
    const target =
      to === 'delivery' && delivery !== undefined
        ? { deliveryId: delivery.deliveryId, route: delivery.route.path }
        : {};
    void acting.replay([message], { ...target, changes });
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      replay();
    }
  }

  return (
    <Overlay
      title={EDIT.title}
      wide
      onClose={commands.close}
      foot={
        <>
          <Button onClick={commands.close}>{CONFIRM.cancel}</Button>
          <Button kind="primary" off={away} keys={['Mod+Enter']} onClick={replay}>
            {EDIT.replay}
          </Button>
        </>
      }
    >
      <div onKeyDown={onKey}>
        {delivery !== undefined && (
          <Radios
            label={EDIT.to}
            value={to}
            onChange={setTo}
            options={[
              { value: 'topic', title: EDIT.toTopic },
              { value: 'delivery', title: fill(EDIT.toDelivery, { route: `POST ${delivery.route.path}` }) },
            ]}
          />
        )}
        <EditForm original={original} value={value} onChange={setValue} withTopic={to === 'topic'} />
      </div>
    </Overlay>
  );
}
