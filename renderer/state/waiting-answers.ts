/** Calls that wait for a person's answer under "ask me", by their message. */
import { useEffect } from 'react';
import type { WaitingAnswer } from '../../core/contract/mock-app.ts';
import type { DeliveryRow } from '../../core/contract/message.ts';
import { useConsole } from './context.ts';
import { useSelected } from './store.ts';

type DeliveryId = Pick<DeliveryRow, 'deliveryId'>;

const NOBODY: readonly WaitingAnswer[] = [];

/** Deliveries that a call brings: one, or those of a batch. */
export function deliveriesOf({ deliveryId, entries = [] }: WaitingAnswer): readonly string[] {
  return [deliveryId, ...entries.flatMap((entry) => entry.deliveryId ?? [])];
}

/** The waiting calls; they are requested only while the host reports some. */
export function useWaitingAnswers(): readonly WaitingAnswer[] {
  const { connection, mockApps, readOnly } = useConsole();
  const isAsking = useSelected(connection, ({ runtime }) => (runtime?.waiting ?? 0) > 0);
  const items = useSelected(mockApps.waiting.store, ({ value }) => value?.items ?? NOBODY);
  const isWanted = isAsking && readOnly === undefined;
  useEffect(() => (isWanted ? mockApps.waiting.watch() : undefined), [mockApps, isWanted]);
  return isWanted ? items : NOBODY;
}

/** The waiting call that brings one of these deliveries; undefined: there is none. */
export function useWaitingAnswersFor(deliveries: readonly DeliveryId[]): WaitingAnswer | undefined {
  const ids = new Set(deliveries.map(({ deliveryId }) => deliveryId));
  return useWaitingAnswers().find((item) => deliveriesOf(item).some((id) => ids.has(id)));
}
