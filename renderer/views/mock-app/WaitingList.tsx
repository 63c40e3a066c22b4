/** Deliveries that wait for a person's answer, oldest first. */
import { ExternalLink } from 'lucide-react';
import { useEffect, useRef, type ReactElement } from 'react';
import type { WaitingAnswer } from '../../../core/contract/mock-app.ts';
import { IconButton } from '../../components/Button.tsx';
import { AnswerButtons, useAnswering } from '../../components/answers/AnswerButtons.tsx';
import { Ticking } from '../../components/clock.ts';
import { PreviewLine } from '../../components/PreviewLine.tsx';
import { fill } from '../../copy/fill.ts';
import { ACTS } from '../../copy/acts.ts';
import { WAITING } from '../../copy/mock-app.ts';
import { waitsText } from '../../format/call-deadline.ts';
import { clockSpan } from '../../format/clock-time.ts';
import { count } from '../../format/quantity.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { useConsole, useResource } from '../../state/context.ts';
import css from './MockApp.module.css';

export interface WaitingListProps {
  /** True: what is above it needs most of the height. */
  readonly isLow?: boolean;
}

/** The queue; nothing while none waits. */
export function WaitingList({ isLow = false }: WaitingListProps): ReactElement | null {
  const { mockApps } = useConsole();
  const { value } = useResource(mockApps.waiting);
  const items = value?.items ?? [];
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef<number>(undefined);
  // The next delivery gets the focus when the focused one was answered.
  useEffect(() => {
    if (focused.current === undefined || document.activeElement !== document.body) return;
    const rest = list.current?.children;
    const next = rest?.item(Math.min(focused.current, rest.length - 1));
    next?.querySelector<HTMLElement>('[data-answers] button, button')?.focus();
  }, [items.length]);
  if (items.length === 0) return null;
  return (
    <section className={css.waiting} aria-label={WAITING.list} data-low={isLow || undefined}>
      <h2>
        {WAITING.list} <span className={css.amount}>{count(items.length)}</span>
      </h2>
      <ul
        ref={list}
        className={css.items}
        aria-label={WAITING.list}
        onFocus={({ target }) => {
          const item = target.closest('li');
          focused.current =
            item === null ? undefined : items.findIndex((_, at) => list.current?.children[at] === item);
        }}
      >
        {items.map((item) => (
          <Item key={item.deliveryId} item={item} />
        ))}
      </ul>
    </section>
  );
}

function Item({ item }: { readonly item: WaitingAnswer }): ReactElement {
  const { acting } = useConsole();
  const answering = useAnswering(item);
  const { givesUpAt, since } = item;

  return (
    <li className={css.item} onKeyDown={answering.onKeyDown}>
      {/* Each entry of a batch has its own preview, beside its answer. */}
      {item.entries === undefined && (
        <span className={css.preview}>
          <PreviewLine number={item.number} version={undefined} />
        </span>
      )}
      {item.attempt > 1 && <span>{fill(WAITING.attempt, { n: item.attempt })}</span>}
      <strong>
        {fill(WAITING.item, { topic: visibleShort(item.topic), path: visibleShort(item.path) })}
      </strong>
      <span className={css.muted} aria-hidden>
        <Ticking text={(now) => fill(WAITING.waited, { t: clockSpan(now - Date.parse(since)) })} />
      </span>
      {givesUpAt !== undefined && (
        <span className={css.muted} aria-hidden>
          <Ticking text={(now) => waitsText(givesUpAt, now)} />
        </span>
      )}
      <AnswerButtons item={item} answering={answering} />
      <IconButton icon={ExternalLink} label={ACTS.open} onClick={() => acting.show(item.messageId)} />
    </li>
  );
}
