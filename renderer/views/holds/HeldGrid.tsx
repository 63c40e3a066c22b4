/** The queue of held messages; the keyboard stays on its place when one leaves. */
import { useEffect, useState, type KeyboardEvent, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { MessageRow } from '../../../core/contract/message.ts';
import { Button } from '../../components/Button.tsx';
import { useNow } from '../../components/clock.ts';
import { ACTS, ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { HOLDS } from '../../copy/holds.ts';
import type { ActSubject } from '../../format/acts.ts';
import { rowName } from '../../format/row.ts';
import { clockSpan, clockTime, count, duration } from '../../format/quantity.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { HELD_FILTER } from '../../state/holds.ts';
import css from './Holds.module.css';

export interface HeldGridProps {
  readonly rows: readonly MessageRow[];
  readonly total: number;
}

/** The held delivery of a message, or the message where it is held before its fan-out. */
export function subjectOf(row: MessageRow): ActSubject {
  const held = row.deliveries.find(({ state }) => state === 'held');
  return held === undefined ? { row } : { row, deliveryId: held.deliveryId };
}

/** Held messages, oldest first. */
export function HeldGrid({ rows, total }: HeldGridProps): ReactElement {
  const { acting, commands, places } = useConsole();
  const [place, setPlace] = useState(0);
  const current = rows[Math.min(place, rows.length - 1)];

  useEffect(() => {
    setPlace((now) => Math.min(now, Math.max(0, rows.length - 1)));
  }, [rows.length]);

  function edit(row: MessageRow): void {
    const { deliveryId } = subjectOf(row);
    const of = deliveryId === undefined ? {} : { deliveryId };
    commands.open({ kind: 'edit-release', messageId: row.messageId, ...of });
  }

  function onKey(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget || current === undefined) return;
    switch (event.key) {
      case 'ArrowDown':
        setPlace(Math.min(rows.length - 1, place + 1));
        break;
      case 'ArrowUp':
        setPlace(Math.max(0, place - 1));
        break;
      case 'Enter':
        acting.act('release', [subjectOf(current)]);
        break;
      case 'e':
        edit(current);
        break;
      case 'd':
        acting.act('drop', [subjectOf(current)]);
        break;
      case 'l':
        acting.act('deadLetter', [subjectOf(current)]);
        break;
      case 'o':
        places.go('/messages', { m: current.messageId });
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <>
      <div
        role="grid"
        tabIndex={0}
        aria-label={HOLDS.grid}
        aria-rowcount={total}
        aria-activedescendant={current === undefined ? undefined : `held-${current.messageId}`}
        className={css.grid}
        onKeyDown={onKey}
        onClick={(event) => {
          const row = event.target instanceof Element ? event.target.closest('[aria-rowindex]') : null;
          if (row !== null) setPlace(Number(row.getAttribute('aria-rowindex')) - 1);
        }}
      >
        {rows.map((row, index) => (
          <Held
            key={row.messageId}
            row={row}
            index={index}
            isCurrent={row === current}
            onEdit={() => edit(row)}
          />
        ))}
      </div>
      {total > rows.length && (
        <p>
          <Link href={`/messages?f=${encodeURIComponent(HELD_FILTER)}`}>
            {fill(HOLDS.moreInList, { n: count(total - rows.length) })}
          </Link>
        </p>
      )}
    </>
  );
}

interface HeldProps {
  readonly row: MessageRow;
  readonly index: number;
  readonly isCurrent: boolean;
  readonly onEdit: () => void;
}

function Held({ row, index, isCurrent, onEdit }: HeldProps): ReactElement {
  const { acting } = useConsole();
  const away = useAway(ACT_WHY.away);
  const now = useNow();
  const subject = subjectOf(row);
  const delivery = row.deliveries.find(({ deliveryId }) => deliveryId === subject.deliveryId);
  const left = row.expiresAt === undefined ? undefined : Date.parse(row.expiresAt) - now;
  return (
    <div
      role="row"
      id={`held-${row.messageId}`}
      aria-rowindex={index + 1}
      aria-selected={isCurrent}
      aria-label={rowName(row, { unread: false })}
      className={css.held}
    >
      <div role="gridcell" className={css.line}>
        <span className={css.time}>{clockTime(row.at)}</span>
        <strong>{row.topic}</strong>
        <span className={css.time}>
          {delivery === undefined
            ? HOLDS.heldAtPublish
            : fill(HOLDS.heldAtDelivery, { app: delivery.appId, route: delivery.route ?? '' })}
        </span>
        <span className={css.muted} aria-hidden>
          {fill(HOLDS.held, { t: clockSpan(now - Date.parse(row.at)) })}
        </span>
        {left !== undefined && left > 0 && (
          <span className={css.muted} aria-hidden>
            {fill(HOLDS.expires, { t: duration(Math.ceil(left / 1000) * 1000) })}
          </span>
        )}
      </div>
      <div role="gridcell" className={css.acts}>
        <Button off={away} keys={['Enter']} onClick={() => acting.act('release', [subject])}>
          {ACTS.release}
        </Button>
        <Button off={away} keys={['e']} onClick={onEdit}>
          {ACTS.editRelease}
        </Button>
        <Button off={away} keys={['d']} onClick={() => acting.act('drop', [subject])}>
          {ACTS.drop}
        </Button>
        <Button
          off={away ?? (delivery === undefined ? HOLDS.heldAtPublish : undefined)}
          keys={['l']}
          onClick={() => acting.act('deadLetter', [subject])}
        >
          {ACTS.deadLetter}
        </Button>
        <Button kind="quiet" onClick={() => acting.show(row.messageId)}>
          {ACTS.open}
        </Button>
      </div>
    </div>
  );
}
