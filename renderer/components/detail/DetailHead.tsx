/** The head of the open message: what it is, where it stands, what can be done. */
import { ArrowDown, ArrowUp, ExternalLink, Pin, PinOff, X } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Delivery, MessageDetail, MessageRow } from '../../../core/contract/message.ts';
import { IconButton } from '../Button.tsx';
import { Chip } from '../Chip.tsx';
import { Choice } from '../Choice.tsx';
import { ACTS } from '../../copy/acts.ts';
import { DETAIL } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { visibleShort } from '../../format/visible.ts';
import { ALL_DELIVERIES, rowOfDetail } from '../../keys/subjects.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { linkTo } from '../row-menu.ts';
import { useWalkFocus } from './detail-focus.ts';
import css from './DetailHead.module.css';
import { HeadActs } from './HeadActs.tsx';
import { RowStateLine, StateLine } from './StateLine.tsx';
import { WhyLine } from './WhyLine.tsx';

/** "orders · com.acme.order.created" */
export function titleOf({
  topic,
  eventType,
  raw,
}: Pick<MessageDetail, 'topic' | 'eventType' | 'raw'>): string {
  const name = visibleShort(topic);
  if (raw) return fill(DETAIL.titleRaw, { topic: name });
  return eventType === undefined ? name : fill(DETAIL.title, { topic: name, type: visibleShort(eventType) });
}

export interface DetailHeadProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery | undefined;
}

/** Title, state line and buttons. */
export function DetailHead({ message, delivery }: DetailHeadProps): ReactElement {
  const row = rowOfDetail(message);
  const tab = useParam('t');
  const isAll = useParam('d') === ALL_DELIVERIES;
  const isSaidBelow = delivery !== undefined && (tab === 'attempts' || tab === 'timeline');
  return (
    <header className={css.head}>
      <TitleLine row={row} />
      <StateLine message={message} delivery={delivery} />
      {isSaidBelow || <WhyLine message={message} delivery={delivery} />}
      {(message.flags ?? []).map((flag) => (
        <p key={flag} className={css.flag}>
          {flag}
        </p>
      ))}
      <HeadActs
        subject={delivery === undefined || isAll ? { row } : { row, deliveryId: delivery.deliveryId }}
        delivery={delivery}
      />
      {message.deliveries.length > 1 && <DeliveryChoice message={message} delivery={delivery} />}
    </header>
  );
}

/** The head as the row of the list knows it, until the message is here. */
export function RowHead({ row }: { readonly row: MessageRow }): ReactElement {
  const tab = useParam('t');
  const hasReason = row.deliveries.length > 0 && tab !== 'attempts' && tab !== 'timeline';
  return (
    <header className={css.head}>
      <TitleLine row={row} />
      <RowStateLine row={row} />
      {/* The room of the sentence that comes with the message. */}
      {hasReason && <p aria-hidden>{'\u00a0'}</p>}
      <HeadActs subject={{ row }} delivery={undefined} />
    </header>
  );
}

function TitleLine({ row }: { readonly row: MessageRow }): ReactElement {
  const console = useConsole();
  const isPinned = row.pinned === true;
  return (
    <div className={css.line}>
      <h2 className={css.title}>
        <bdi>{titleOf(row)}</bdi>
      </h2>
      <Walk step={-1} />
      <Walk step={1} />
      {console.opensWindows && (
        <IconButton
          icon={ExternalLink}
          label={DETAIL.openApart}
          onClick={() => window.open(linkTo(row.messageId), '_blank', 'noopener')}
        />
      )}
      <IconButton
        icon={isPinned ? PinOff : Pin}
        label={isPinned ? ACTS.unpin : ACTS.pin}
        keys={['i']}
        onClick={() => void console.acting.pin(row)}
      />
      <IconButton
        icon={X}
        label={DETAIL.close}
        keys={['Escape']}
        onClick={() => console.navigation.change({ m: undefined, d: undefined, t: undefined })}
      />
    </div>
  );
}

function DeliveryChoice({ message, delivery }: DetailHeadProps): ReactElement {
  const { navigation } = useConsole();
  const isAll = useParam('d') === ALL_DELIVERIES;
  const total = message.deliveries.length;
  return (
    <Choice
      label={DETAIL.delivery}
      value={isAll ? ALL_DELIVERIES : (delivery?.deliveryId ?? '')}
      onChange={(d) => navigation.change({ d }, { replace: true })}
      options={[
        ...message.deliveries.map((each, index) => ({
          value: each.deliveryId,
          title: fill(DETAIL.deliveryOf, { app: each.appId, n: index + 1, total }),
          note: <Chip kind={each.state} />,
        })),
        { value: ALL_DELIVERIES, title: fill(DETAIL.allDeliveries, { total }) },
      ]}
    />
  );
}

/** To the message before or after in the list, without leaving the panel. */
function Walk({ step }: { readonly step: 1 | -1 }): ReactElement {
  const console = useConsole();
  const { ref, pressed, onBlur } = useWalkFocus(step);
  return (
    <IconButton
      ref={ref}
      onBlur={onBlur}
      icon={step === 1 ? ArrowDown : ArrowUp}
      label={step === 1 ? DETAIL.next : DETAIL.previous}
      onClick={() => {
        const { rows } = console.messages;
        const place = rows.placeOf(console.navigation.param('m') ?? '');
        const row = place === undefined ? undefined : rows.rowAt(place + step);
        if (row === undefined) return;
        pressed();
        console.navigation.change({ m: row.messageId, d: undefined }, { replace: true });
      }}
    />
  );
}
