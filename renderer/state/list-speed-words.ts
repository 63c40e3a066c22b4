/** Texts of a list that passes too fast to be read. */
import { fill } from '../copy/fill.ts';
import { LIST } from '../copy/messages.ts';
import { drawnOneIn, TOO_FAST, type ListSpeed } from './list-speed.ts';
import { count } from '../format/quantity.ts';

export interface FastList {
  readonly speed: Pick<ListSpeed, 'perSecond' | 'isFast'>;
  /** Rows that fit into the list. */
  readonly fitting: number;
  /** Each message has a row, and the newest one is followed. */
  readonly isLive: boolean;
  /** Repeats share lines because of the pace. */
  readonly isCollapsed: boolean;
}

/**
 * Notice that repeats share one line, or that rows pass faster than the list draws them; undefined: the list shows
 * each message.
 */
export function listSpeedText({ speed, fitting, isLive, isCollapsed }: FastList): string | undefined {
  if (isCollapsed) return fill(LIST.collapsed, { n: count(TOO_FAST.above) });
  const oneIn = isLive ? drawnOneIn(speed, fitting) : 0;
  return oneIn > 1 ? fill(LIST.sampled, { n: count(oneIn) }) : undefined;
}
