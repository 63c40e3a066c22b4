/** Shows what works here and would fail or differ on the reference sidecar; no other part of the console shows such hints. */
import { CircleAlert, Info } from 'lucide-react';
import type { ReactElement } from 'react';
import type { SubscriptionRow } from '../../../core/contract/subscription.ts';
import { fill } from '../../copy/fill.ts';
import { ON_REFERENCE } from '../../copy/topics.ts';
import { foundHints, type FoundHint } from '../../format/on-reference.ts';
import page from '../page.module.css';
import css from './OnReference.module.css';

/** Number of uses beyond which they are only counted. */
const MAX_USES = 20;

export interface OnReferenceProps {
  readonly rows: readonly SubscriptionRow[];
  /** Release of the reference that the hints concern. */
  readonly release: string;
}

/** A box below the grid; nothing without hints. */
export function OnReference({ rows, release }: OnReferenceProps): ReactElement | null {
  const found = foundHints(rows);
  if (found.length === 0) return null;
  return (
    <section aria-label={ON_REFERENCE.title} className={page.box}>
      <h2>{ON_REFERENCE.title}</h2>
      <p className={page.muted}>{fill(ON_REFERENCE.about, { release: release })}</p>
      <ul className={css.hints}>
        {found.map((each) => (
          <Hint key={each.hint.id} found={each} />
        ))}
      </ul>
    </section>
  );
}

function Hint({ found: { hint, uses } }: { readonly found: FoundHint }): ReactElement {
  const Icon = hint.effect === 'fails' ? CircleAlert : Info;
  const more = uses.length - MAX_USES;
  return (
    <li className={css.hint} data-effect={hint.effect}>
      <Icon aria-hidden size={14} className={css.icon} />
      <div className={css.words}>
        <h3>
          <span className={css.effect}>{ON_REFERENCE.effects[hint.effect]}</span> {hint.title}
        </h3>
        <ul aria-label={fill(ON_REFERENCE.places, { title: hint.title })} className={css.places}>
          {uses.slice(0, MAX_USES).map(({ where, found }) => (
            <li key={`${where} ${found}`}>
              <bdi>{where}</bdi> <code className={css.found}>{found}</code>
            </li>
          ))}
          {more > 0 && <li className={page.muted}>{fill(ON_REFERENCE.more, { n: more })}</li>}
        </ul>
        <dl className={css.facts}>
          <dt>{ON_REFERENCE.there}</dt>
          <dd>
            <Marked text={hint.reference} />
          </dd>
          <dt>{ON_REFERENCE.here}</dt>
          <dd>
            <Marked text={hint.here} />
          </dd>
          <dt>{ON_REFERENCE.documented}</dt>
          <dd>
            <code>{hint.documented}</code>
          </dd>
        </dl>
      </div>
    </li>
  );
}

/** A text in which names of settings are between backticks. */
function Marked({ text }: { readonly text: string }): ReactElement {
  return (
    <>
      {text.split('`').map((part, index) =>
        // oxlint-disable-next-line react/no-array-index-key -- the text never changes
        index % 2 === 1 ? <code key={index}>{part}</code> : part,
      )}
    </>
  );
}
