/** What can be done with the open message; what cannot says why. */
import type { ReactElement } from 'react';
import { allows } from '../../../core/contract/acts.ts';
import type { Act } from '../../../core/contract/acts.ts';
import type { Delivery } from '../../../core/contract/message.ts';
import { Button } from '../Button.tsx';
import { ChoiceMenu } from '../ChoiceMenu.tsx';
import { ACTS, ACT_WHY } from '../../copy/acts.ts';
import { DETAIL } from '../../copy/detail.ts';
import { whyNot, type ActSubject } from '../../format/acts.ts';
import { commandOf } from '../../keys/commands.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import { copyMenu } from '../copy-menu.ts';
import { linkTo, rowMenu } from '../row-menu.ts';
import css from './DetailHead.module.css';

const SHOWN: readonly Act[] = ['retry', 'hold', 'drop', 'deadLetter'];

/** The row of buttons. */
export function HeadActs({
  subject,
  delivery,
}: {
  readonly subject: ActSubject;
  readonly delivery: Delivery | undefined;
}): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const pending = useSelected(console.commands.store, (state) => state.pending);
  const { row, deliveryId } = subject;
  const isHeld = whyNot('release', subject) === undefined;
  const shown = SHOWN.map((act): Act => (act === 'hold' && isHeld ? 'release' : act));
  const copies = copyMenu(console, row.messageId, linkTo(row.messageId));
  const of = deliveryId === undefined ? {} : { deliveryId };
  return (
    <div className={css.acts}>
      <Button
        off={away}
        pending={pending.has('replay')}
        keys={['r']}
        onClick={() => void console.acting.replay([row])}
      >
        {ACTS.replay}
      </Button>
      <Button
        off={away}
        keys={['e']}
        onClick={() => console.commands.open({ kind: 'edit-replay', messageId: row.messageId, ...of })}
      >
        {ACTS.editReplay}
      </Button>
      {shown.map((act) => (
        <Button
          key={act}
          off={away ?? whyNot(act, subject)}
          pending={pending.has(act)}
          keys={commandOf(act === 'release' || act === 'hold' ? 'holdOrRelease' : act)?.keys}
          onClick={() => console.acting.act(act, [subject])}
        >
          {ACTS[act]}
        </Button>
      ))}
      {isHeld && (
        <Button
          off={away}
          onClick={() => console.commands.open({ kind: 'edit-release', messageId: row.messageId, ...of })}
        >
          {ACTS.editRelease}
        </Button>
      )}
      {delivery !== undefined && allows('cancel', delivery) && (
        <Button off={away} keys={['k']} onClick={() => console.acting.act('cancel', [subject])}>
          {ACTS.cancel}
        </Button>
      )}
      <ChoiceMenu title={DETAIL.copyAs} groups={[{ entries: copies.entries ?? [] }]} label={DETAIL.copyAs} />
      <ChoiceMenu title={ACTS.more} groups={rowMenu(console, row)} label={ACTS.more} />
    </div>
  );
}
