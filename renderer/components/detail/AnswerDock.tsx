/** Answers the call in which this message waits, where its other acts stand. */
import type { ReactElement } from 'react';
import type { WaitingAnswer } from '../../../core/contract/mock-app.ts';
import { ALL_SUCCESS, AnswerButtons, useAnswering } from '../answers/AnswerButtons.tsx';
import { Button } from '../Button.tsx';
import { PopoverPanel } from '../PopoverPanel.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { WAITING } from '../../copy/mock-app.ts';
import { useAway } from '../../state/context.ts';
import css from './DetailHead.module.css';

/** The buttons of the answers. A batch has a choice for each entry, in a panel, because they are too many for one line. */
export function AnswerDock({ item }: { readonly item: WaitingAnswer }): ReactElement {
  const answering = useAnswering(item);
  const away = useAway(ACT_WHY.away);
  return (
    // The keys of the buttons work anywhere in this region.
    <section className={css.dock} aria-label={WAITING.dock} onKeyDown={answering.onKeyDown}>
      {item.entries === undefined ? (
        <AnswerButtons item={item} answering={answering} />
      ) : (
        <>
          <Button off={away} pending={answering.isPending} once onClick={() => answering.answer(ALL_SUCCESS)}>
            {WAITING.allSuccess}
          </Button>
          <PopoverPanel title={WAITING.entries} trigger={<Button off={away}>{WAITING.eachEntry}</Button>}>
            <AnswerButtons item={item} answering={answering} />
          </PopoverPanel>
        </>
      )}
    </section>
  );
}
