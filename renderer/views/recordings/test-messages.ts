/** The messages for a test, and the expected state of each delivery. */
import { useEffect, useState } from 'react';
import { ENDED_STATES, type DeliveryState } from '../../../core/contract/delivery.ts';
import type { MessageRow } from '../../../core/contract/message.ts';
import type { RecordingChoice } from '../../../core/contract/recording.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { filterValue } from '../../format/cell-term.ts';
import { useConsole, useOpenings } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';

/** Maximum number of messages of a test; a larger one would say little about any of them. */
export const MAX_MESSAGES = 50;

/** Final states of a delivery, for which a test can wait. */
export const END_STATES = [...ENDED_STATES, 'parked'] as const;

export type Offered =
  | { readonly rows: readonly MessageRow[]; readonly total: number }
  | { readonly failure: string };

/** The filter of a choice; ids are listed. */
export function filterOf({ filter, messageIds }: RecordingChoice): string {
  if (messageIds === undefined) return filter ?? '';
  return messageIds
    .slice(0, MAX_MESSAGES)
    .map((id) => `id:${filterValue(id)}`)
    .join(' OR ');
}

/** Loads the newest messages of a choice, again when it changes; undefined until they are loaded. */
export function useOffered({ recordingId, ...choice }: RecordingChoice): {
  readonly offered: Offered | undefined;
  readonly again: () => void;
} {
  const { call } = useConsole();
  const openings = useOpenings();
  const filter = filterOf(choice);
  const [asked, setAsked] = useState(0);
  const [answer, setAnswer] = useState<{ readonly of: string; readonly offered: Offered }>();
  const of = `${recordingId} ${filter}`;
  useEffect(() => {
    let isCurrent = true;
    call('messages.list', withoutUndefined({ filter, recordingId, limit: MAX_MESSAGES })).then(
      ({ items: rows, total }) => isCurrent && setAnswer({ of, offered: { rows, total } }),
      (reason: unknown) => isCurrent && setAnswer({ of, offered: { failure: asFailure(reason).message } }),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, filter, recordingId, of, asked, openings]);
  return {
    offered: answer?.of === of ? answer.offered : undefined,
    again: () => setAsked(asked + 1),
  };
}

/** Expected states that differ from the recorded ones, for the deliveries of the test. */
export function expectedOf(
  rows: readonly MessageRow[],
  wanted: Readonly<Record<string, DeliveryState>>,
): Readonly<Record<string, DeliveryState>> {
  const differ = rows
    .flatMap(({ deliveries }) => deliveries)
    .flatMap(({ deliveryId, state }) => {
      const next = wanted[deliveryId];
      return next === undefined || next === state ? [] : [[deliveryId, next] as const];
    });
  return Object.fromEntries(differ);
}
