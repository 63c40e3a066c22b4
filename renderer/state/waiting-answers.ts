/** Calls that wait for a person's answer under "ask me", by their message. */
import { useEffect } from 'react';
import type { WaitingAnswer } from '../../core/contract/mock-app.ts';
import { useConsole } from './context.ts';
import { useSelected } from './store.ts';

const NOBODY: readonly WaitingAnswer[] = [];

/** Whether a call concerns this message, and this delivery if one is named. */
function isAbout(item: WaitingAnswer, messageId: string, deliveryId: string | undefined): boolean {
  if (deliveryId === undefined) return item.messageId === messageId;
  return (
    item.deliveryId === deliveryId || (item.entries ?? []).some((entry) => entry.deliveryId === deliveryId)
  );
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

/** The waiting call for a message; undefined: there is none. */
export function useWaitingAnswersFor(messageId: string, deliveryId?: string): WaitingAnswer | undefined {
  return useWaitingAnswers().find((item) => isAbout(item, messageId, deliveryId));
}
