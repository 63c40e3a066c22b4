/** The open message in full; the last fifty are kept for going back and forth. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { isEndedState } from '../../core/contract/delivery.ts';
import type { ConsoleEvent } from '../../core/contract/console.ts';
import type { MessageDetail } from '../../core/contract/message.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import type { RpcClient, RpcFailure } from '../client/rpc-client.ts';
import { APART_BYTES, contentKey } from './payloads.ts';
import { asFailure } from './resource.ts';

export interface DetailState {
  readonly messageId: string | undefined;
  readonly status: 'idle' | 'loading' | 'ready' | 'failed' | 'gone';
  readonly value: MessageDetail | undefined;
  readonly failure: RpcFailure | undefined;
  /** What may have ended the message: a limit of the history, or a removal by hand. Absent: nothing that is known. */
  readonly endedBy?: 'limit' | 'removed' | undefined;
  /** When the host answered that the message is gone, ms since 1970. */
  readonly goneAt?: number;
}

/** A message that is being loaded. */
interface Asked {
  readonly messageId: string;
  /** True: something changed since, so that it is loaded once more. */
  again: boolean;
}

export interface DetailStore {
  readonly store: StoreApi<DetailState>;
  open(messageId: string | undefined): void;
  /** Data of a message that is not open, or about to be opened. */
  kept(messageId: string): MessageDetail | undefined;
  /**
   * Loads a message in advance, because the list's cursor rests on it or a button is pressed on it.
   * @param restMs wait before it is loaded; a held key passes its rows faster than the default
   */
  near(messageId: string, restMs?: number): void;
  refresh(): void;
  /** Takes a note that was saved here, before the host is asked for the message again. */
  noted(messageId: string, saved: Pick<MessageDetail, 'note' | 'tags'>): void;
  onEvents(events: readonly ConsoleEvent[]): void;
  /** Called with each report of the host: a message outside the list's window is loaded again. */
  onTick(): void;
}

const KEPT = 50;
const REST_MS = 80;
/** Time in which an event may still tell what ended a message that is known to be gone. A later one tells of other messages. */
const LATE_MS = 2_000;

function isEnded(message: MessageDetail): boolean {
  return message.deliveries.every(({ state }) => isEndedState(state));
}

/**
 * The known value if the new one is equal, so that nothing is drawn again. Where only its deliveries changed, its content stays the known
 * one: the bytes say all of that, and comparing them costs far less than writing megabytes of data as text.
 */
function unlessSame(before: MessageDetail | undefined, now: MessageDetail): MessageDetail {
  if (before === undefined || !isSameContent(before, now)) return now;
  const { wire, data, envelope, dataBase64, ...known } = before;
  const { wire: _wire, data: _data, envelope: _envelope, dataBase64: _bytes, ...rest } = now;
  if (JSON.stringify(known) === JSON.stringify(rest)) return before;
  return { ...rest, wire, ...withoutUndefined({ data, envelope, dataBase64 }) };
}

/** A body that was cut may differ behind the cut, unless the payload is read apart. */
function isSameContent(before: MessageDetail, now: MessageDetail): boolean {
  const [one, other] = [before.wire, now.wire];
  const isCut = one.bodyTruncated === true || other.bodyTruncated === true;
  const isApart = before.payloadApart === true && now.payloadApart === true;
  if (isCut && !(isApart && contentKey(before) === contentKey(now))) return false;
  return one.body === other.body && one.bodyBase64 === other.bodyBase64;
}

/** The message; a long payload is read apart from it. */
function load(rpc: RpcClient, messageId: string): Promise<MessageDetail> {
  return rpc.call('messages.get', { messageId, payloadUpTo: APART_BYTES });
}

/** Loads a message before it is opened. A failure is ignored: opening the message loads it again and reports the error. */
function loadAhead(rpc: RpcClient, messageId: string): Promise<MessageDetail | undefined> {
  return load(rpc, messageId).catch(() => undefined);
}

/** The message that an event is about, as far as its detail may show it. */
function messageOf(event: ConsoleEvent): string | undefined {
  if (event.type === 'delivery.changed') return event.messageId;
  return event.type === 'message.added' ? event.row.messageId : undefined;
}

/** Whether the host may have removed the open message with those that an event tells of. One that is known to be gone is not asked for again. */
function mayHaveRemoved(event: ConsoleEvent, state: DetailState): boolean {
  return state.status !== 'gone' && endedBy(event, state) !== undefined;
}

/** What removed the messages that an event tells of, if the open one may be among them. Only retention removes those before a number. */
function endedBy(event: ConsoleEvent, { value }: DetailState): DetailState['endedBy'] {
  if (event.type !== 'messages.pruned') return undefined;
  if (event.beforeSequence === 0) return 'removed';
  return event.beforeSequence > (value?.number ?? 0) ? 'limit' : undefined;
}

/** Keeps a message as the newest of those that were open. */
function keepIn(kept: Map<string, MessageDetail>, message: MessageDetail): void {
  kept.delete(message.messageId);
  kept.set(message.messageId, message);
  const oldest = kept.keys().next();
  if (kept.size > KEPT && oldest.done !== true) kept.delete(oldest.value);
}

/**
 * Notes what may have ended the open message. The answer that it is gone may come a little before the event that says why. Nothing is known of
 * a message that was never loaded: the host may never have had it.
 */
function noteEnd(store: StoreApi<DetailState>, events: readonly ConsoleEvent[]): void {
  const state = store.getState();
  const { status, value, goneAt = 0 } = state;
  const isOpen = status !== 'gone' || (state.endedBy === undefined && Date.now() - goneAt <= LATE_MS);
  if (value === undefined || !isOpen) return;
  const by = events.map((event) => endedBy(event, state)).findLast((one) => one !== undefined);
  if (by !== undefined) store.setState({ endedBy: by });
}

/** The state after an answer with the message. What was removed before it were other messages, unless something changed since it was asked for. */
function readyState(value: MessageDetail, { again }: Asked): Partial<DetailState> {
  return { status: 'ready', value, failure: undefined, ...(again ? {} : { endedBy: undefined }) };
}

/** The state after a refusal. */
function failedState(failure: RpcFailure): Partial<DetailState> {
  return failure.code === 'NOT_FOUND'
    ? { status: 'gone', failure, goneAt: Date.now() }
    : { status: 'failed', failure };
}

/** Makes the store of the open message. */
export function createDetailStore(rpc: RpcClient): DetailStore {
  const store = createStore<DetailState>(() => ({
    messageId: undefined,
    status: 'idle',
    value: undefined,
    failure: undefined,
  }));
  const kept = new Map<string, MessageDetail>();
  /** The message that is being loaded; another one, or the same one opened again, does not wait for its answer. */
  let asking: Asked | undefined;
  let resting: ReturnType<typeof setTimeout> | undefined;

  async function ask(): Promise<void> {
    const { messageId } = store.getState();
    if (messageId === undefined) return;
    if (asking?.messageId === messageId) {
      asking.again = true;
      return;
    }
    const mine: Asked = { messageId, again: false };
    asking = mine;
    do {
      mine.again = false;
      await askOnce(mine);
      // Another message was opened meanwhile, and loads itself.
      if (asking !== mine) return;
    } while (mine.again);
    asking = undefined;
  }

  /** Loads a message once. An older answer never replaces a newer one. */
  async function askOnce(mine: Asked): Promise<void> {
    const { messageId } = mine;
    const isNewest = (): boolean => asking === mine;
    try {
      const found = await load(rpc, messageId);
      if (!isNewest() && kept.has(messageId)) return;
      const value = unlessSame(kept.get(messageId), found);
      keepIn(kept, value);
      if (store.getState().messageId === messageId) store.setState(readyState(value, mine));
    } catch (reason) {
      if (store.getState().messageId !== messageId || !isNewest()) return;
      const failure = asFailure(reason);
      if (failure.code === 'CONNECTION_LOST' && store.getState().value !== undefined) return;
      store.setState(failedState(failure));
    }
  }

  return {
    store,
    kept: (messageId) => kept.get(messageId),
    near(messageId, restMs = REST_MS) {
      clearTimeout(resting);
      resting = setTimeout(() => {
        if (kept.has(messageId) || store.getState().messageId === messageId) return;
        // A message that was opened meanwhile has a newer answer.
        void loadAhead(rpc, messageId).then((found) => found && !kept.has(messageId) && keepIn(kept, found));
      }, restMs);
    },
    open(messageId) {
      clearTimeout(resting);
      if (messageId === store.getState().messageId) return;
      const value = messageId === undefined ? undefined : kept.get(messageId);
      const status = messageId === undefined ? 'idle' : value === undefined ? 'loading' : 'ready';
      store.setState({ messageId, value, status, failure: undefined, endedBy: undefined });
      if (messageId !== undefined) void ask();
    },
    refresh: () => void ask(),
    noted(messageId, saved) {
      const known = kept.get(messageId);
      if (known === undefined) return;
      const value = { ...known, ...saved };
      keepIn(kept, value);
      if (store.getState().messageId === messageId) store.setState({ value });
    },
    onEvents(events) {
      const state = store.getState();
      const { messageId } = state;
      noteEnd(store, events);
      if (events.some((event) => messageOf(event) === messageId || mayHaveRemoved(event, state))) void ask();
    },
    onTick() {
      const { value, status } = store.getState();
      if (status === 'ready' && value !== undefined && !isEnded(value)) void ask();
    },
  };
}
