/** How fast messages come into a followed list, and whether that is too fast to read. */
import { afterTimeout } from '../client/after-timeout.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { MessagesState } from './messages-state.ts';

/**
 * Messages per second above which a list is too fast, and below which it can be read again, after this many
 * checks in a row.
 */
export const TOO_FAST = { above: 200, below: 100, looks: 4 } as const;

export interface ListSpeed {
  readonly perSecond: number;
  readonly isFast: boolean;
  /** Checks in a row that contradict `isFast`. */
  readonly against: number;
  /** The filter of the checked list. */
  readonly filter: string;
}

export const AT_REST: ListSpeed = { perSecond: 0, isFast: false, against: 0, filter: '' };

/**
 * The pace after a check. One check changes nothing: a burst of a second is no flood, and a gap of a second
 * does not end one.
 */
export function afterLook({ isFast, against, filter }: ListSpeed, perSecond: number): ListSpeed {
  const isAgainst = isFast ? perSecond < TOO_FAST.below : perSecond > TOO_FAST.above;
  const looks = isAgainst ? against + 1 : 0;
  return looks < TOO_FAST.looks
    ? { perSecond, isFast, against: looks, filter }
    : { perSecond, isFast: !isFast, against: 0, filter };
}

/** Maximum number of reports per second that the host sends on a list that changes fast. */
const REPORTED_PER_SECOND = 10;

/**
 * Share of the messages that are drawn during a flood: one in this many; 1 or less: every message.
 * @param fitting rows that fit into the list
 */
export function drawnOneIn(
  { perSecond, isFast }: Pick<ListSpeed, 'perSecond' | 'isFast'>,
  fitting: number,
): number {
  return isFast ? Math.floor(perSecond / (fitting * REPORTED_PER_SECOND)) : 0;
}

/** Longest time between two checks of a fast list: the host reports nothing more once its figures rest. */
const REST_MS = 1000;

export interface ListSpeedWatch {
  readonly store: StoreApi<ListSpeed>;
  /**
   * Counts the messages since the last check, and checks a fast list that is followed again by itself where no other check comes.
   * A list that is being read, paused or sorted stays as it is; a list with another filter counts as slow at first.
   */
  look(): void;
  dispose(): void;
}

/** The parts of a list's store that the check reads. */
type CheckedList = Pick<
  StoreApi<Pick<MessagesState, 'arrived' | 'follow' | 'paused' | 'filter'>>,
  'getState' | 'subscribe'
>;

export interface ListSpeedPorts {
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Runs it after so many milliseconds. Returns the function that prevents it. */
  readonly after?: (delayMs: number, run: () => void) => () => void;
}

/**
 * Makes the check.
 * @param list its store: a list that is followed again is checked at once, because the host may report nothing more
 */
export function createListSpeed(
  list: CheckedList,
  { now = () => performance.now(), after = afterTimeout }: ListSpeedPorts = {},
): ListSpeedWatch {
  const store = createStore<ListSpeed>(() => AT_REST);
  let before = { arrived: 0, atMs: now() };
  let stop: (() => void) | undefined;

  function look(): void {
    stop?.();
    stop = undefined;
    const { arrived, follow, paused, filter } = list.getState();
    const isFollowed = follow && !paused;
    const atMs = now();
    const seconds = (atMs - before.atMs) / 1000;
    const came = arrived - before.arrived;
    before = { arrived, atMs };
    if (filter !== store.getState().filter) store.setState({ ...AT_REST, filter });
    else if (isFollowed && seconds > 0) store.setState((pace) => afterLook(pace, came / seconds));
    if (isFollowed && store.getState().isFast) stop = after(REST_MS, look);
  }

  const unfollow = list.subscribe((state, last) => {
    const isFollowed = state.follow && !state.paused;
    if (isFollowed && !(last.follow && !last.paused)) look();
  });
  const dispose = (): void => {
    unfollow();
    stop?.();
  };
  return { store, look, dispose };
}
