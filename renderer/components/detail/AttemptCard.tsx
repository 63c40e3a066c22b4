/** One attempt: a head with the answer and its effect, and the exchange below. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState, type ReactElement } from 'react';
import type { Attempt, Delivery, LastAnswer, MessageDetail } from '../../../core/contract/message.ts';
import { judgedAnswer } from '../../../core/contract/answerer.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { Chip } from '../Chip.tsx';
import { ATTEMPTS } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { outcomeOf, usedUpBy } from '../../format/cause.ts';
import { answerTone } from '../../format/answer-tone.ts';
import { answerText } from '../../format/row.ts';
import { clockTime, utcTime } from '../../format/clock-time.ts';
import { duration } from '../../format/quantity.ts';
import { useWaitingAnswersFor } from '../../state/waiting-answers.ts';
import css from './AttemptCard.module.css';
import { CauseLine } from './CauseLine.tsx';
import { Exchange } from './Exchange.tsx';
import { WhatIf } from './WhatIf.tsx';

export interface AttemptCardProps {
  readonly attempt: Attempt;
  readonly delivery: Delivery;
  readonly message: MessageDetail;
  readonly startsOpen: boolean;
}

/** The answer that was judged, even if a person gave it instead of the app. */
function lastAnswerOf(attempt: Attempt): LastAnswer | undefined {
  const { protocol, word } = attempt;
  const { response, error } = judgedAnswer(attempt);
  if (response === undefined) return error && { error: error.code };
  const { status, statusText } = response;
  return {
    status,
    ...withoutUndefined({ protocol, statusText, word }),
  };
}

function mayAsk({ response, error }: Attempt): boolean {
  return response !== undefined || error !== undefined;
}

/** A card that can be opened and closed. */
export function AttemptCard({ attempt, delivery, message, startsOpen }: AttemptCardProps): ReactElement {
  const [open, setOpen] = useState(startsOpen);
  const id = useId();
  const outcome = outcomeOf(delivery, attempt);
  const given = lastAnswerOf(attempt);
  const answer = given === undefined ? ATTEMPTS.running : answerText(given);
  const usedUp = outcome === undefined ? undefined : usedUpBy(delivery, outcome);
  const asked = useWaitingAnswersFor([delivery]);
  const now = asked === undefined ? 'attempting' : 'asked';
  const next = usedUp?.to ?? outcome?.to ?? now;
  const name = fill(ATTEMPTS.name, { n: attempt.number, answer, state: CHIP_WORDS[next] });
  return (
    <article aria-label={name} className={css.card}>
      <div className={css.head}>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          className={css.toggle}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDown aria-hidden size={14} /> : <ChevronRight aria-hidden size={14} />}
          <span className={css.number}>{attempt.number}</span>
          <span className={css.time} title={utcTime(attempt.startedAt)}>
            {clockTime(attempt.startedAt)}
          </span>
          {attempt.durationMs !== undefined && (
            <span className={css.took}>{duration(attempt.durationMs)}</span>
          )}
          <span className={css.answer} data-tone={answerTone(given, outcome?.to)}>
            {answer}
          </span>
          <span className={css.ledTo}>
            {outcome !== undefined && <span aria-hidden>→</span>}
            <Chip kind={next} />
          </span>
        </button>
        {outcome !== undefined && (
          <p className={css.why}>
            <CauseLine transition={outcome} delivery={delivery} message={message} />
          </p>
        )}
      </div>
      {open && (
        <div id={id} className={css.body}>
          <Exchange attempt={attempt} />
          {mayAsk(attempt) && <WhatIf attempt={attempt} delivery={delivery} />}
        </div>
      )}
    </article>
  );
}
