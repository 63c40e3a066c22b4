/** Other answers for a held one, each released at once; any other answer needs the editor. */
import type { ReactElement } from 'react';
import type { HeldItem } from '../../../core/contract/hold.ts';
import type { Answer } from '../../../core/contract/mock-app.ts';
import { STATUS_WORDS, type StatusWord } from '../../../core/contract/status-words.ts';
import { ChoiceMenu, type MenuEntry } from '../../components/ChoiceMenu.tsx';
import { ACT_DONE, ACT_WHY } from '../../copy/acts.ts';
import { HOLDS } from '../../copy/holds.ts';
import { useAway, useConsole } from '../../state/context.ts';

const CODES = [404, 503] as const;

export interface AnswerMenuProps {
  readonly item: HeldItem;
  /** Opens the editor; absent: only the answers of the menu can be given. */
  readonly onOther?: (() => void) | undefined;
}

/** A button with a menu. */
export function AnswerMenu({ item, onOther }: AnswerMenuProps): ReactElement {
  const { acting, call, holds } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { deliveryId = '', entryId } = item;

  function entry(title: string, answer: Answer): MenuEntry {
    const run = (): void =>
      void acting.run('release', async () => {
        await call('deliveries.release', { deliveryId, answer });
        await holds.queue.refresh();
        return ACT_DONE.release;
      });
    return { id: title, title, off: away, run };
  }

  const ofWord = (word: StatusWord): Answer =>
    entryId === undefined
      ? { kind: 'respond', status: 200, body: { status: word } }
      : { kind: 'respond-bulk', status: 200, statuses: { '*': word } };
  return (
    <ChoiceMenu
      title={HOLDS.answer}
      groups={[
        {
          title: HOLDS.answerAs,
          entries: [
            ...STATUS_WORDS.map((word) => entry(word, ofWord(word))),
            ...CODES.map((status) => entry(String(status), { kind: 'respond', status })),
            ...(onOther === undefined
              ? []
              : [{ id: 'other', title: HOLDS.answerOther, off: away, run: onOther }]),
          ],
        },
      ]}
    />
  );
}
