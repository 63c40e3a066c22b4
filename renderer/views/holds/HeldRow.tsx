/** One held message: its facts, the time since which it is held, and its acts. */
import type { ReactElement } from 'react';
import type { HeldItem } from '../../../core/contract/hold.ts';
import type { DeliveryRow } from '../../../core/contract/message.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { cx } from '../../components/class-names.ts';
import { Ticking } from '../../components/clock.ts';
import { CallDeadline } from '../../components/CallDeadline.tsx';
import { GridRow } from '../../components/grid/Grid.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { HOLDS } from '../../copy/holds.ts';
import { ObservedMark } from '../../components/ObservedMark.tsx';
import { PreviewLine } from '../../components/PreviewLine.tsx';
import { rowName } from '../../format/row.ts';
import { clockTime } from '../../format/clock-time.ts';
import { duration, elapsed } from '../../format/quantity.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { payloadVersion } from '../../format/preview.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import { AnswerMenu } from './AnswerMenu.tsx';
import { editHeld, heldActs } from './held-acts.ts';
import css from './Holds.module.css';

/** Key of an item: a delivery that is held again, elsewhere or later, is another item. */
export function heldId({ row, deliveryId, heldAt, since }: HeldItem): string {
  return `held-${heldAt}-${deliveryId ?? row.messageId}-${since}`;
}

/** Id of the part of the row that has the payload. */
function previewId(item: HeldItem): string {
  return `${heldId(item)}-preview`;
}

export interface HeldRowProps {
  readonly item: HeldItem;
  readonly index: number;
  readonly top: number | undefined;
  readonly isCurrent: boolean;
  readonly measure: ((element: Element | null) => void) | undefined;
}

/** A line. The keyboard row is shown in full, with named buttons. */
export function HeldRow({ item, index, top, isCurrent, measure }: HeldRowProps): ReactElement {
  return (
    <GridRow
      ref={measure}
      index={index}
      top={top}
      isCurrent={isCurrent}
      id={heldId(item)}
      aria-label={rowName(item.row, { unread: false })}
      aria-describedby={previewId(item)}
      className={css.held}
    >
      <HeldFacts item={item} isCurrent={isCurrent} />
      <HeldButtons item={item} isCurrent={isCurrent} />
    </GridRow>
  );
}

function HeldFacts({ item, isCurrent }: Pick<HeldRowProps, 'item' | 'isCurrent'>): ReactElement {
  const { holds } = useConsole();
  const { value: known } = useResource(holds.list);
  const { row, deliveryId, answer, since, heldBy, givesUpAt } = item;
  const by = known?.items.find(({ holdId }) => holdId === heldBy);
  const hold = by?.name ?? (by?.filter === '' ? undefined : by?.filter);
  const delivery = row.deliveries.find((each) => each.deliveryId === deliveryId);
  return (
    <div role="gridcell" className={cx(css.line, answer !== undefined && css.answered)}>
      <span id={previewId(item)} className={css.preview}>
        <PreviewLine number={row.number} version={payloadVersion(row)} />
      </span>
      <strong className={css.topic}>{visibleShort(row.topic)}</strong>
      {row.tap !== undefined && <ObservedMark tap={row.tap} small={!isCurrent} />}
      {row.eventType !== undefined && (
        <bdi className={cx(css.muted, css.type)}>{visibleShort(row.eventType)}</bdi>
      )}
      {delivery === undefined ? (
        <span className={cx(css.muted, css.long)}>{HOLDS.heldAtPublish}</span>
      ) : (
        <span className={cx(css.time, css.long)}>{heldTo(item, delivery)}</span>
      )}
      <span className={css.muted} aria-hidden title={clockTime(row.at)}>
        <Ticking text={(now) => fill(HOLDS.held, { t: elapsed(now - Date.parse(since)) })} />
      </span>
      {isCurrent && hold !== undefined && (
        <span className={css.muted}>{fill(HOLDS.heldByHold, { hold })}</span>
      )}
      {givesUpAt !== undefined && (
        <span className={css.muted}>
          <CallDeadline at={givesUpAt} isObserved={row.tap !== undefined} />
        </span>
      )}
      {answer !== undefined && (
        <span>{fill(HOLDS.answered, { status: answer.statusText ?? answer.status })}</span>
      )}
      {row.expiresAt !== undefined && (
        <span className={css.muted} aria-hidden>
          <Ticking text={(now) => expiryText(row.expiresAt ?? '', now)} />
        </span>
      )}
      <bdi className={cx(css.time, css.muted, css.id)} title={row.eventId}>
        {visibleShort(row.eventId ?? row.messageId)}
      </bdi>
    </div>
  );
}

/** App and route of a held delivery: "shop → /orders"; a stream has no route. */
export function heldTo(
  { stream }: Pick<HeldItem, 'stream'>,
  { appId: app, route }: Pick<DeliveryRow, 'appId' | 'route'>,
): string {
  if (stream === true) return fill(HOLDS.heldAtStream, { app });
  return fill(route === undefined ? HOLDS.heldWithoutRoute : HOLDS.heldAtDelivery, { app, route });
}

/** Text of the expiry; empty once it is over. */
function expiryText(expiresAt: string, nowMs: number): string {
  const left = Date.parse(expiresAt) - nowMs;
  return left > 0 ? fill(HOLDS.expires, { t: duration(Math.ceil(left / 1000) * 1000) }) : '';
}

function HeldButtons({ item, isCurrent }: Pick<HeldRowProps, 'item' | 'isCurrent'>): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  // The acts that wait for the host's answer are read by heldActs.
  useSelected(console.commands.store, ({ pending }) => pending);
  return (
    <div role="gridcell" className={css.acts}>
      {heldActs(console, item).map(({ title, icon, key, off, pending, asksHost, isMain, run }) => {
        const why = (asksHost ? away : undefined) ?? off;
        return isCurrent ? (
          <Button
            key={title}
            kind={isMain === true ? 'primary' : 'plain'}
            off={why}
            pending={pending}
            once
            keys={[key]}
            onClick={run}
          >
            {title}
          </Button>
        ) : (
          <IconButton key={title} icon={icon} label={title} off={why} pending={pending} once onClick={run} />
        );
      })}
      {item.heldAt === 'response' && <AnswerMenu item={item} onOther={() => editHeld(console, item)} />}
      {item.heldAt === 'delivery' && item.row.tap !== undefined && <AnswerMenu item={item} />}
    </div>
  );
}
