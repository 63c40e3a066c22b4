/** Acts on a held message, for its buttons and for the keys of the queue. */
import { CircleSlash, ExternalLink, MailX, Pencil, Play, type LucideIcon } from 'lucide-react';
import type { HeldItem } from '../../../core/contract/hold.ts';
import { ACT_WHY, ACTS } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { whyNot, type ActSubject } from '../../format/act-targets.ts';
import { pendingAct } from '../../state/acting.ts';
import type { CommandsState } from '../../state/commands.ts';
import type { Console } from '../../state/console.ts';

export interface HeldAct {
  readonly title: string;
  readonly icon: LucideIcon;
  readonly key: string;
  /** Why the act is disabled for this message. */
  readonly off?: string | undefined;
  /** True while the host has not answered this act. */
  readonly pending?: boolean;
  /** True if the act calls the host, so that it is disabled without a connection. */
  readonly asksHost: boolean;
  /** True for the main act. */
  readonly isMain?: true;
  readonly run: () => void;
}

function subjectOf({ row, deliveryId }: HeldItem): ActSubject {
  return deliveryId === undefined ? { row } : { row, deliveryId };
}

/** Whether the host has not answered an act on a held message. */
export function isHeldPending(
  { pending }: CommandsState,
  which: 'release' | 'drop' | 'deadLetter',
  item: HeldItem,
): boolean {
  return pending.has(pendingAct(which, subjectOf(item)));
}

/** Releases a held message, whatever point it is held at, unless that is under way. */
export function releaseHeld(
  { acting, commands }: Pick<Console, 'acting' | 'commands'>,
  item: HeldItem,
): void {
  if (!isHeldPending(commands.store.getState(), 'release', item)) acting.act('release', [subjectOf(item)]);
}

/** Opens the form that changes a held message and releases it. */
export function editHeld({ commands }: Pick<Console, 'commands'>, { row, deliveryId }: HeldItem): void {
  const of = deliveryId === undefined ? {} : { deliveryId };
  commands.open({ kind: 'edit-release', messageId: row.messageId, ...of });
}

/** The acts of one held message, in the order of its buttons. */
export function heldActs(console: Console, item: HeldItem): readonly HeldAct[] {
  const { acting } = console;
  const subject = subjectOf(item);
  const state = console.commands.store.getState();
  const atPublish =
    item.deliveryId === undefined
      ? fill(ACT_WHY.withoutDelivery.held, { title: ACTS.deadLetter })
      : undefined;
  return [
    {
      title: ACTS.release,
      icon: Play,
      key: 'Enter',
      asksHost: true,
      isMain: true,
      pending: isHeldPending(state, 'release', item),
      run: () => releaseHeld(console, item),
    },
    { title: ACTS.editRelease, icon: Pencil, key: 'e', asksHost: true, run: () => editHeld(console, item) },
    {
      title: ACTS.drop,
      icon: CircleSlash,
      key: 'd',
      asksHost: true,
      off: whyNot('drop', subject),
      pending: isHeldPending(state, 'drop', item),
      run: () => acting.act('drop', [subject]),
    },
    {
      title: ACTS.deadLetter,
      icon: MailX,
      key: 'l',
      asksHost: true,
      off: atPublish ?? whyNot('deadLetter', subject),
      pending: isHeldPending(state, 'deadLetter', item),
      run: () => acting.act('deadLetter', [subject]),
    },
    {
      title: ACTS.open,
      icon: ExternalLink,
      key: 'o',
      asksHost: false,
      run: () => acting.show(item.row.messageId),
    },
  ];
}
