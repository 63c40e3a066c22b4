/** Everything that the head of a message knows, in full: reason, facts and related messages. */
import { Info } from 'lucide-react';
import type { ReactElement } from 'react';
import { DETAIL, FACTS } from '../../copy/detail.ts';
import { tookWords } from '../../format/duration-bar.ts';
import { Facts } from '../Facts.tsx';
import { PopoverPanel } from '../PopoverPanel.tsx';
import type { DeliveryTabProps } from './AttemptsTab.tsx';
import css from './DetailHead.module.css';
import { headFacts } from './HeadFacts.tsx';
import { KinInFull } from './Kin.tsx';
import { Reason } from './Reason.tsx';

export interface AllFactsProps extends DeliveryTabProps {
  /** Whether the message is no longer kept. */
  readonly isGone: boolean;
}

/** The button at the end of the reason, which has two lines, and the panel that it opens. */
export function AllFacts({ message, delivery, isGone }: AllFactsProps): ReactElement {
  return (
    <PopoverPanel
      align="end"
      title={DETAIL.allFacts}
      trigger={
        <button type="button" className={css.more} aria-label={DETAIL.allFacts} title={DETAIL.allFacts}>
          <Info aria-hidden size={14} />
        </button>
      }
    >
      <InFull message={message} delivery={delivery} isGone={isGone} />
    </PopoverPanel>
  );
}

function InFull({ message, delivery, isGone }: AllFactsProps): ReactElement {
  const facts = headFacts(message, delivery).map(
    ({ title, value, whole, inFull }) =>
      [title, inFull ?? (whole === '' ? value || FACTS.none : whole)] as const,
  );
  const took = delivery === undefined ? [] : tookWords(message, delivery);
  return (
    <>
      <div>
        <Reason message={message} delivery={delivery} />
      </div>
      <Facts facts={took.length === 0 ? facts : [...facts, [FACTS.took, took.join(' · ')]]} />
      <KinInFull message={message} delivery={delivery} isGone={isGone} />
    </>
  );
}
