/** The life of a delivery as one bar; long waits are folded, so that short calls stay visible. */
import type { ReactElement } from 'react';
import type { DeliveryState } from '../../../core/contract/delivery.ts';
import { ENDED_STATES } from '../../../core/contract/delivery.ts';
import type { Delivery, MessageDetail } from '../../../core/contract/message.ts';
import { useNow } from '../../components/clock.ts';
import { TIMELINE } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { duration } from '../../format/quantity.ts';
import css from './TimelineTab.module.css';

interface Stretch {
  readonly state: DeliveryState;
  readonly ms: number;
  readonly sequence: number;
}

/** How long the delivery stood in each state, in order; an ended one has no last stretch. */
export function stretchesOf(delivery: Pick<Delivery, 'transitions'>, now: number): readonly Stretch[] {
  const { transitions } = delivery;
  return transitions.flatMap(({ to, at, sequence }, index) => {
    const next = transitions[index + 1];
    if (next === undefined && ENDED_STATES.some((ended) => ended === to)) return [];
    const end = next === undefined ? Math.max(now, Date.parse(at)) : Date.parse(next.at);
    return [{ state: to, ms: Math.max(0, end - Date.parse(at)), sequence }];
  });
}

/** Widths in percent: no stretch is drawn longer than five times the longest call. */
export function widthsOf(stretches: readonly Stretch[]): readonly number[] {
  const longestCall = Math.max(
    1,
    ...stretches.filter(({ state }) => state === 'attempting').map(({ ms }) => ms),
  );
  const drawn = stretches.map(({ ms }) => Math.min(Math.max(ms, 1), 5 * longestCall));
  const sum = drawn.reduce((total, each) => total + each, 0);
  return drawn.map((each) => (100 * each) / sum);
}

/** The bar; the table below says the same in words. */
export function Waterfall({
  delivery,
}: {
  readonly message: MessageDetail;
  readonly delivery: Delivery;
}): ReactElement {
  const isOver = ENDED_STATES.some((ended) => ended === delivery.state);
  const now = useNow(!isOver);
  const stretches = stretchesOf(delivery, now);
  const widths = widthsOf(stretches);
  const total = stretches.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <div className={css.picture} aria-hidden>
      <div className={css.bar}>
        {stretches.map(({ state, ms, sequence }, index) => (
          <span
            key={sequence}
            className={css.part}
            data-kind={state}
            style={{ inlineSize: `${widths[index] ?? 0}%` }}
            title={`${CHIP_WORDS[state]}, ${duration(ms)}`}
          />
        ))}
      </div>
      <p className={css.caption}>{fill(TIMELINE.picture, { t: duration(total) })}</p>
    </div>
  );
}
