/** The head of the open message: name, state and acts. */
import { ArrowDown, ArrowUp, Copy, ExternalLink, Pin, PinOff, X } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Delivery, MessageDetail, MessageRow } from '../../../core/contract/message.ts';
import { IconButton } from '../Button.tsx';
import { ACTS, ACT_WHY } from '../../copy/acts.ts';
import { DETAIL } from '../../copy/detail.ts';
import { PANEL } from '../../copy/detail-panel.ts';
import { titleOf } from '../../format/message-title.ts';
import { ALL_DELIVERIES } from '../../keys/subjects.ts';
import { useAway, useConsole, useParam } from '../../state/context.ts';
import { useWaitingAnswersFor } from '../../state/waiting-answers.ts';
import { isNewestFirst } from '../../state/live-order.ts';
import { ChoiceMenu } from '../ChoiceMenu.tsx';
import { copyMenu } from '../copy-menu.ts';
import { linkTo } from '../row-menu.ts';
import { useWalkFocus } from './detail-focus.ts';
import { ObservedMark } from '../ObservedMark.tsx';
import { BackToList } from './BackToList.tsx';
import css from './DetailHead.module.css';
import { AnswerDock } from './AnswerDock.tsx';
import { HeadActs } from './HeadActs.tsx';
import { HeadFacts, RowFacts } from './HeadFacts.tsx';
import { Kin } from './Kin.tsx';
import { RowStateLine, StateLine } from './StateLine.tsx';

export interface DetailHeadProps {
  readonly row: MessageRow;
  /** Undefined while the message loads: the head is made of the list's row then. */
  readonly message: MessageDetail | undefined;
  readonly delivery: Delivery | undefined;
  /** True: the message is shown instead of the list. */
  readonly narrow: boolean;
  /** Text if the message is no longer kept. */
  readonly gone?: string | undefined;
}

/**
 * Title, cause, facts and buttons, each with a height of its own. The whole is as high on every tab and in every state, so that
 * nothing moves under the pointer; what has no room is in the panel of all facts. Its buttons stay when the message arrives: a press would be
 * lost with the button that it began on.
 */
export function DetailHead({ row, message, delivery, narrow, gone }: DetailHeadProps): ReactElement {
  const isAll = useParam('d') === ALL_DELIVERIES;
  const asked = useWaitingAnswersFor(isAll || delivery === undefined ? row.deliveries : [delivery]);
  return (
    <header className={css.head}>
      <TitleLine row={row} narrow={narrow} gone={gone} />
      {message === undefined ? (
        <RowStateLine row={row} />
      ) : (
        <StateLine message={message} delivery={delivery} gone={gone} />
      )}
      {message === undefined ? <RowFacts row={row} /> : <HeadFacts message={message} delivery={delivery} />}
      <div className={css.actsLine}>
        {asked !== undefined && <AnswerDock item={asked} />}
        <HeadActs
          subject={delivery === undefined || isAll ? { row } : { row, deliveryId: delivery.deliveryId }}
          delivery={delivery}
          isAsked={asked !== undefined}
          gone={gone}
        />
        {/* Beside the answers there is no room for the links, which the panel of all facts has too. Those of a message that is gone may lead nowhere. */}
        {message !== undefined && asked === undefined && gone === undefined && (
          <Kin message={message} delivery={delivery} />
        )}
      </div>
    </header>
  );
}

function TitleLine({ row, narrow, gone }: Pick<DetailHeadProps, 'row' | 'narrow' | 'gone'>): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const isPinned = row.pinned === true;
  return (
    <div className={css.line}>
      {narrow && <BackToList />}
      <h2 className={css.title} title={titleOf(row)}>
        <bdi>{titleOf(row)}</bdi>
      </h2>
      {row.tap !== undefined && <ObservedMark tap={row.tap} />}
      <Walk step={-1} />
      <Walk step={1} />
      <ChoiceMenu
        icon={Copy}
        kind="quiet"
        label={DETAIL.copyAs}
        groups={() => [{ entries: copyMenu(console, row.messageId, linkTo(row.messageId)).entries ?? [] }]}
      />
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
        off={away ?? gone}
        onClick={() => void console.acting.pin(row)}
      />
      <IconButton
        icon={X}
        label={PANEL.close}
        keys={['Escape']}
        onClick={() => console.navigation.change({ m: undefined, d: undefined, t: undefined })}
      />
    </div>
  );
}

/** Opens the previous or next message of the list. */
function Walk({ step }: { readonly step: 1 | -1 }): ReactElement {
  const console = useConsole();
  const { ref, pressed, onBlur } = useWalkFocus(step);
  return (
    <IconButton
      ref={ref}
      steps
      onBlur={onBlur}
      icon={step === 1 ? ArrowDown : ArrowUp}
      label={step === 1 ? DETAIL.next : DETAIL.previous}
      onClick={() => {
        const { rows } = console.messages;
        const index = rows.indexOf(console.navigation.param('m') ?? '');
        const isTurned = isNewestFirst(console.ui.getState(), console.messages.store.getState());
        const row = index === undefined ? undefined : rows.rowAt(index + (isTurned ? -step : step));
        if (row === undefined) return;
        pressed();
        console.navigation.change({ m: row.messageId, d: undefined }, { replace: true });
      }}
    />
  );
}
