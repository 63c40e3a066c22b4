/** The chip of a state: icon and word, never colour alone. */
import { theApps } from '../../core/contract/app-text.ts';
import {
  CircleAlert,
  CircleCheck,
  CircleParking,
  CirclePause,
  CircleSlash,
  Clock,
  EyeOff,
  Hand,
  Hourglass,
  MailX,
  RotateCw,
  Send,
  TimerOff,
  Unplug,
  type LucideIcon,
} from 'lucide-react';
import { memo, type ReactElement } from 'react';
import { LIST } from '../copy/messages.ts';
import { fill } from '../copy/fill.ts';
import { CHIP_MEANINGS, CHIP_WORDS, type ChipKind } from '../copy/states.ts';
import css from './Chip.module.css';

const ICONS: Readonly<Record<ChipKind, LucideIcon>> = {
  queued: Clock,
  held: CirclePause,
  attempting: Send,
  retrying: RotateCw,
  processed: CircleCheck,
  dropped: CircleSlash,
  expired: TimerOff,
  'dead-lettered': MailX,
  parked: CircleParking,
  none: Unplug,
  waiting: Hourglass,
  refused: CircleAlert,
  asked: Hand,
  unseen: EyeOff,
};

export interface ChipProps {
  readonly kind: ChipKind;
  /** Number of further deliveries of the same message. */
  readonly more?: number;
  /** Number of attempts, shown from two on. */
  readonly tries?: number | undefined;
  /** Name for assistive technology, if the word alone says too little. */
  readonly name?: string | undefined;
  /** Apps for the text "Waiting for app". */
  readonly apps?: readonly string[] | undefined;
  /** Tooltip that replaces the meaning of its kind. */
  readonly meaning?: string | undefined;
  /** Number after the word, for counts by state. */
  readonly amount?: string | undefined;
  /** Word that replaces that of its kind. */
  readonly word?: string | undefined;
}

/** Icon and word of a state. */
export const Chip = memo(function Chip({
  kind,
  more = 0,
  tries = 0,
  name,
  apps,
  meaning,
  amount,
  word = CHIP_WORDS[kind],
}: ChipProps): ReactElement {
  const Icon = ICONS[kind];
  return (
    <span
      className={css.chip}
      data-kind={kind}
      title={
        meaning ??
        fill(CHIP_MEANINGS[kind], {
          app: apps === undefined ? LIST.theApp : theApps(apps),
          n: apps?.length ?? 1,
        })
      }
    >
      <Icon aria-hidden size={12} className={css.icon} />
      <span className={css.word} aria-hidden={name !== undefined || undefined}>
        {word}
        {amount !== undefined && <span className={css.amount}> {amount}</span>}
      </span>
      {tries > 1 && (
        <span aria-hidden className={css.amount}>
          {fill(LIST.tries, { n: tries })}
        </span>
      )}
      {more > 0 && <span aria-hidden>{fill(LIST.more, { n: more })}</span>}
      {name !== undefined && <span className="visually-hidden">{name}</span>}
    </span>
  );
});
