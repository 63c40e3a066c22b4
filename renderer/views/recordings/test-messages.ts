/** The messages for a test, and the expected state of each delivery. */
import { useEffect, useState } from 'react';
import { ENDED_STATES, type DeliveryState } from '../../../core/contract/delivery.ts';
import type { MessageRow } from '../../../core/contract/message.ts';
import type { RecordingChoice, ToTestResult } from '../../../core/contract/recording.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { fill } from '../../copy/fill.ts';
import { TEST_WIZARD } from '../../copy/recordings.ts';
import { idsFilter } from '../../format/cell-term.ts';
import { count } from '../../format/quantity.ts';
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

/** What the host said about messages: why a test cannot repeat one, undefined where it can. A message that is not there was not asked for. */
export type Repeats = ReadonlyMap<string, string | undefined>;

const NOTHING_KNOWN: Repeats = new Map();

/**
 * Which messages the host would leave out of a test, with its reasons. Only the wanted ones are asked for: those that a person left out may
 * be too large for an answer. What is known of others stays.
 */
export function useRepeats(wanted: readonly MessageRow[], recordingId: string | undefined): Repeats {
  const { call } = useConsole();
  const openings = useOpenings();
  const ids = wanted.map(({ messageId }) => messageId).join(' ');
  const [answer, setAnswer] = useState<{ readonly of: string | undefined; readonly repeats: Repeats }>();
  useEffect(() => {
    let isCurrent = true;
    const take = (skipped: Skipped): void => {
      if (!isCurrent) return;
      setAnswer((before) => {
        const known = before !== undefined && before.of === recordingId ? before.repeats : NOTHING_KNOWN;
        return { of: recordingId, repeats: withAnswer(known, ids.split(' '), skipped) };
      });
    };
    if (ids !== '')
      call('recordings.toTest', {
        messageIds: ids.split(' '),
        target: 'scenario',
        ...withoutUndefined({ recordingId }),
      }).then(
        ({ skipped }) => take(skipped),
        // Making the test asks again, and reports why that failed.
        () => take([]),
      );
    return () => {
      isCurrent = false;
    };
  }, [call, ids, openings, recordingId]);
  return answer !== undefined && answer.of === recordingId ? answer.repeats : NOTHING_KNOWN;
}

/** What is known once the host answered about some messages: the newest answer about each counts. */
export function withAnswer(known: Repeats, asked: readonly string[], skipped: Skipped): Repeats {
  const next = new Map(known);
  for (const messageId of asked) next.set(messageId, undefined);
  for (const { messageId, reason } of skipped) next.set(messageId, reason);
  return next;
}

/** The wanted messages that are in the test, and what is said of the others; undefined: nothing, or it is being worked out. */
export function repeatable<M extends Pick<MessageRow, 'messageId'>>(
  wanted: readonly M[],
  repeats: Repeats,
): { readonly taken: readonly M[] | undefined; readonly cannot: string | undefined } {
  if (wanted.some(({ messageId }) => !repeats.has(messageId))) return { taken: undefined, cannot: undefined };
  const reasons = wanted.flatMap(({ messageId }) => repeats.get(messageId) ?? []);
  const [reason] = reasons;
  const cannot = reason === undefined ? undefined : fill(TEST_WIZARD.cannot, { n: reasons.length, reason });
  return { taken: wanted.filter(({ messageId }) => repeats.get(messageId) === undefined), cannot };
}

/** How many messages the test has. */
export function amountText(offered: Offered | undefined, taken: number | undefined): string {
  if (offered === undefined || 'failure' in offered) return '';
  const { rows, total } = offered;
  if (taken === undefined) return fill(TEST_WIZARD.workingOut, { n: count(rows.length) });
  const words = { taken: count(taken), n: count(total), most: count(rows.length) };
  return fill(total > rows.length ? TEST_WIZARD.newest : TEST_WIZARD.taken, words);
}
