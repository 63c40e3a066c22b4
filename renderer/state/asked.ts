/** Calls that wait for a person's answer under "ask me", by the message that they are about. */
import { useEffect } from 'react';
import type { WaitingAnswer } from '../../core/contract/mock-app.ts';
import { useConsole } from './context.ts';
import { useSelected } from './store.ts';

const NOBODY: readonly WaitingAnswer[] = [];

/** Whether a call is about this message, and about this delivery where one is named. */
function isAbout(item: WaitingAnswer, messageId: string, deliveryId: string | undefined): boolean {
  if (deliveryId === undefined) return item.messageId === messageId;
  return (
    item.deliveryId === deliveryId || (item.entries ?? []).some((entry) => entry.deliveryId === deliveryId)
  );
}

/** The calls that wait; they are asked for only while the host says that there are some. */
export function useAsked(): readonly WaitingAnswer[] {
  const { connection, mockApps, readOnly } = useConsole();
  const isAsking = useSelected(connection, ({ runtime }) => (runtime?.waiting ?? 0) > 0);
  const items = useSelected(mockApps.waiting.store, ({ value }) => value?.items ?? NOBODY);
  const isWanted = isAsking && readOnly === undefined;
  useEffect(() => (isWanted ? mockApps.waiting.watch() : undefined), [mockApps, isWanted]);
  return isWanted ? items : NOBODY;
}

/** The call about a message that waits for an answer; undefined: none does. */
export function useAskedFor(messageId: string, deliveryId?: string): WaitingAnswer | undefined {
  return useAsked().find((item) => isAbout(item, messageId, deliveryId));
}
