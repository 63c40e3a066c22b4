/** Answers the call in which this message waits, beside its data. */
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { WaitingAnswer } from '../../../core/contract/mock-app.ts';
import { AnswerButtons, useAnswering } from '../answers/AnswerButtons.tsx';
import { Button } from '../Button.tsx';
import { Ticking } from '../clock.ts';
import { fill } from '../../copy/fill.ts';
import { WAITING } from '../../copy/mock-app.ts';
import { waitsText } from '../../format/call-deadline.ts';
import { clockSpan } from '../../format/clock-time.ts';
import css from './DetailHead.module.css';

/** Buttons, the time since the call, and the time left at the sidecar. */
export function AnswerDock({ item }: { readonly item: WaitingAnswer }): ReactElement {
  const answering = useAnswering(item);
  const [, goTo] = useLocation();
  const { givesUpAt, since } = item;
  return (
    // The keys of the buttons work anywhere in this region.
    <section className={css.dock} aria-label={WAITING.dock} onKeyDown={answering.onKeyDown}>
      <p className={css.dockHead}>
        <strong>{WAITING.dock}</strong>
        <span aria-hidden>
          <Ticking text={(now) => fill(WAITING.waited, { t: clockSpan(now - Date.parse(since)) })} />
        </span>
        {givesUpAt !== undefined && (
          <span aria-hidden>
            <Ticking text={(now) => waitsText(givesUpAt, now)} />
          </span>
        )}
      </p>
      <div className={css.dockActs}>
        <AnswerButtons item={item} answering={answering} />
        <Button kind="quiet" className={css.dockWay} onClick={() => goTo('/mock')}>
          {WAITING.openMock}
        </Button>
      </div>
    </section>
  );
}
