/** The messages for a test, and the expected state of each delivery. */
import { useEffect, useState } from 'react';
import { ENDED_STATES, type DeliveryState } from '../../../core/contract/delivery.ts';
import type { MessageRow } from '../../../core/contract/message.ts';
import type { RecordingChoice, ToTestResult } from '../../../core/contract/recording.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { fill } from '../../copy/fill.ts';
import { TEST_WIZARD } from '../../copy/recordings.ts';
import { idsFilter } from '../../format/cell-term.ts';
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
  return idsFilter(messageIds.slice(-MAX_MESSAGES));
}

/** Loads the newest messages of a choice, again when it changes; undefined until they are loaded. */
export function useOffered({ recordingId, ...choice }: RecordingChoice): {
  readonly offered: Offered | undefined;
  readonly again: () => void;
} {
  const { call } = useConsole();
  const openings = useOpenings();
  const filter = filterOf(choice);
  const { upTo, messageIds } = choice;
  const named = messageIds?.length ?? 0;
  const [asked, setAsked] = useState(0);
  const [answer, setAnswer] = useState<{ readonly of: string; readonly offered: Offered }>();
  const of = `${recordingId} ${upTo} ${named} ${filter}`;
  useEffect(() => {
    let isCurrent = true;
    call('messages.list', withoutUndefined({ filter, upTo, recordingId, limit: MAX_MESSAGES })).then(
      ({ items: rows, total }) =>
        isCurrent && setAnswer({ of, offered: { rows, total: named > MAX_MESSAGES ? named : total } }),
      (reason: unknown) => isCurrent && setAnswer({ of, offered: { failure: asFailure(reason).message } }),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, filter, upTo, named, recordingId, of, asked, openings]);
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

type Skipped = ToTestResult['skipped'];

const NONE: Skipped = [];

/**
 * Messages that the host would leave out of a test, with its reasons. Only the wanted ones are asked for: those that a person left out may
 * be too large for an answer. What is known of others stays until the next answer.
 */
export function useUnrepeatable(wanted: readonly MessageRow[], recordingId: string | undefined): Skipped {
  const { call } = useConsole();
  const openings = useOpenings();
  const ids = wanted.map(({ messageId }) => messageId).join(' ');
  const [answer, setAnswer] = useState<{ readonly of: string | undefined; readonly skipped: Skipped }>();
  useEffect(() => {
    let isCurrent = true;
    if (ids !== '')
      call('recordings.toTest', {
        messageIds: ids.split(' '),
        target: 'scenario',
        ...withoutUndefined({ recordingId }),
      }).then(
        ({ skipped }) => isCurrent && setAnswer({ of: recordingId, skipped }),
        // Making the test asks again, and reports why that failed.
        () => undefined,
      );
    return () => {
      isCurrent = false;
    };
  }, [call, ids, openings, recordingId]);
  return answer !== undefined && answer.of === recordingId ? answer.skipped : NONE;
}

/** The wanted messages that are in the test, and what is said of the others; undefined: there are none. */
export function repeatable<M extends Pick<MessageRow, 'messageId'>>(
  wanted: readonly M[],
  skipped: Skipped,
): { readonly taken: readonly M[]; readonly cannot: string | undefined } {
  const out = skipped.filter((each) => wanted.some(({ messageId }) => messageId === each.messageId));
  const [first] = out;
  const cannot =
    first === undefined ? undefined : fill(TEST_WIZARD.cannot, { n: out.length, reason: first.reason });
  const taken = wanted.filter(({ messageId }) => out.every((each) => each.messageId !== messageId));
  return { taken, cannot };
}
