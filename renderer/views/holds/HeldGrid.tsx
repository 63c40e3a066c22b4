/** The queue of held messages; the keyboard stays on its place when one leaves. */
import { CircleSlash, ExternalLink, MailX, Pencil, Play, type LucideIcon } from 'lucide-react';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { HeldItem } from '../../../core/contract/hold.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { cx } from '../../components/class-names.ts';
import { useNow } from '../../components/clock.ts';
import { ACTS, ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { HOLDS } from '../../copy/holds.ts';
import { whyNot, type ActSubject } from '../../format/acts.ts';
import { rowName } from '../../format/row.ts';
import { clockSpan, clockTime, count, duration } from '../../format/quantity.ts';
import { useAway, useConsole } from '../../state/context.ts';
import type { Console } from '../../state/console.ts';
import { HELD_FILTER } from '../../state/holds.ts';
import { AnswerMenu } from './AnswerMenu.tsx';
import css from './Holds.module.css';

export interface HeldGridProps {
  readonly items: readonly HeldItem[];
  readonly total: number;
}

function subjectOf({ row, deliveryId }: HeldItem): ActSubject {
  return deliveryId === undefined ? { row } : { row, deliveryId };
}

/** Key of an item: a delivery that is held again, elsewhere or later, is another item. */
function idOf({ row, deliveryId, heldAt, since }: HeldItem): string {
  return `held-${heldAt}-${deliveryId ?? row.messageId}-${since}`;
}

const ROW_PX = 36;

function keyAt(items: readonly HeldItem[], index: number): string | number {
  const item = items[index];
  return item === undefined ? index : idOf(item);
}

/** Lets one go, whatever point it is held at. */
export function releaseHeld({ acting }: Pick<Console, 'acting'>, item: HeldItem): void {
  acting.act('release', [subjectOf(item)]);
}

/** Held messages, oldest first. */
export function HeldGrid({ items, total }: HeldGridProps): ReactElement {
  const console = useConsole();
  const { acting, commands, navigation } = console;
  const [chosen, setChosen] = useState({ place: 0, id: '' });
  // Where the chosen one has gone, its place is kept; where others went, it keeps its own.
  const found = items.findIndex((item) => idOf(item) === chosen.id);
  const place = found === -1 ? Math.min(chosen.place, items.length - 1) : found;
  const current = items[place];

  function setPlace(next: number): void {
    const item = items[next];
    if (item === undefined) return;
    setChosen({ place: next, id: idOf(item) });
    virtual.scrollToIndex(next);
  }

  useEffect(() => {
    const item = items[place];
    if (item !== undefined) setChosen({ place, id: idOf(item) });
  }, [items, place]);

  const host = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => host.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => keyAt(items, index),
    gap: 4,
    overscan: 4,
    // The chosen row is always there: the grid's active descendant must exist.
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range);
      return current === undefined || seen.includes(place)
        ? seen
        : [...seen, place].toSorted((a, b) => a - b);
    },
  });

  function edit({ row, deliveryId }: HeldItem): void {
    const of = deliveryId === undefined ? {} : { deliveryId };
    commands.open({ kind: 'edit-release', messageId: row.messageId, ...of });
  }

  function onKey(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget || current === undefined) return;
    switch (event.key) {
      case 'ArrowDown':
        setPlace(Math.min(items.length - 1, place + 1));
        break;
      case 'ArrowUp':
        setPlace(Math.max(0, place - 1));
        break;
      case 'Home':
        setPlace(0);
        break;
      case 'End':
        setPlace(items.length - 1);
        break;
      case 'Enter':
        releaseHeld(console, current);
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
        navigation.go('/messages', { m: current.row.messageId });
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
        ref={host}
        role="grid"
        tabIndex={0}
        aria-label={HOLDS.grid}
        aria-rowcount={total}
        aria-activedescendant={current === undefined ? undefined : idOf(current)}
        className={css.grid}
        onKeyDown={onKey}
        onClick={(event) => {
          const row = event.target instanceof Element ? event.target.closest('[aria-rowindex]') : null;
          if (row !== null) setPlace(Number(row.getAttribute('aria-rowindex')) - 1);
        }}
      >
        <div role="rowgroup" className={css.heldRows} style={{ blockSize: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const item = items[index];
            if (item === undefined) return null;
            return (
              <div
                key={key}
                role="presentation"
                ref={virtual.measureElement}
                data-index={index}
                className={css.heldPlace}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Held item={item} index={index} isCurrent={item === current} onEdit={() => edit(item)} />
              </div>
            );
          })}
        </div>
      </div>
      {total > items.length && (
        <p>
          <Link href={`/messages?f=${encodeURIComponent(HELD_FILTER)}`}>
            {fill(HOLDS.moreInList, { n: count(total - items.length) })}
          </Link>
        </p>
      )}
    </>
  );
}

interface HeldAct {
  readonly title: string;
  readonly icon: LucideIcon;
  readonly key: string;
  readonly off: string | undefined;
  readonly run: () => void;
}

interface HeldProps {
  readonly item: HeldItem;
  readonly index: number;
  readonly isCurrent: boolean;
  readonly onEdit: () => void;
}

function Held({ item, index, isCurrent, onEdit }: HeldProps): ReactElement {
  const console = useConsole();
  const { acting } = console;
  const away = useAway(ACT_WHY.away);
  const now = useNow();
  const { row, heldAt, answer, since } = item;
  const subject = subjectOf(item);
  const delivery = row.deliveries.find(({ deliveryId }) => deliveryId === subject.deliveryId);
  const left = row.expiresAt === undefined ? undefined : Date.parse(row.expiresAt) - now;
  const acts: readonly HeldAct[] = [
    { title: ACTS.release, icon: Play, key: 'Enter', off: away, run: () => releaseHeld(console, item) },
    { title: ACTS.editRelease, icon: Pencil, key: 'e', off: away, run: onEdit },
    {
      title: ACTS.drop,
      icon: CircleSlash,
      key: 'd',
      off: away ?? whyNot('drop', subject),
      run: () => acting.act('drop', [subject]),
    },
    {
      title: ACTS.deadLetter,
      icon: MailX,
      key: 'l',
      off: away ?? (delivery === undefined ? HOLDS.heldAtPublish : whyNot('deadLetter', subject)),
      run: () => acting.act('deadLetter', [subject]),
    },
    { title: ACTS.open, icon: ExternalLink, key: 'o', off: undefined, run: () => acting.show(row.messageId) },
  ];
  return (
    <div
      role="row"
      id={idOf(item)}
      aria-rowindex={index + 1}
      aria-selected={isCurrent}
      aria-label={rowName(row, { unread: false })}
      className={css.held}
    >
      <div role="gridcell" className={css.line}>
        <span className={css.time}>{clockTime(row.at)}</span>
        <strong className={css.topic}>{row.topic}</strong>
        {row.eventType !== undefined && <bdi className={cx(css.muted, css.type)}>{row.eventType}</bdi>}
        <span className={cx(css.time, css.long)}>
          {delivery === undefined
            ? HOLDS.heldAtPublish
            : fill(HOLDS.heldAtDelivery, { app: delivery.appId, route: delivery.route ?? '' })}
        </span>
        <span className={css.muted} aria-hidden>
          {fill(HOLDS.held, { t: clockSpan(now - Date.parse(since)) })}
        </span>
        {answer !== undefined && <span>{fill(HOLDS.answered, { status: answer.status })}</span>}
        {left !== undefined && left > 0 && (
          <span className={css.muted} aria-hidden>
            {fill(HOLDS.expires, { t: duration(Math.ceil(left / 1000) * 1000) })}
          </span>
        )}
      </div>
      <div role="gridcell" className={css.acts}>
        {acts.map(({ title, icon, key, off, run }) =>
          isCurrent ? (
            <Button key={title} off={off} keys={[key]} onClick={run}>
              {title}
            </Button>
          ) : (
            <IconButton key={title} icon={icon} label={title} off={off} onClick={run} />
          ),
        )}
        {heldAt === 'response' && <AnswerMenu item={item} onOther={onEdit} />}
      </div>
    </div>
  );
}
