/** Keys inside the list: moving, opening, selecting, groups. The rest are commands. */
import { isByTime } from '../../format/groups.ts';
import { useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { stepOf, treeMove } from '../../components/grid/keys.ts';
import { ANCHORS, focusAnchor } from '../../keys/anchors.ts';
import { expandGroups } from '../../keys/list-commands.ts';
import { useConsole } from '../../state/context.ts';
import { isNewestFirst, turned } from '../../state/live-order.ts';

/** A line that is being read to be stood on. */
interface Going {
  readonly place: number;
  /** What was pressed for it meanwhile. */
  readonly then: (() => void)[];
}

/** Keys that act on the line of the keyboard. */
const ON_A_LINE = new Set(['Enter', ' ', 'x']);

interface Moves {
  /** Goes to a line. @param extend selects from the line before to it */
  readonly move: (to: number, extend: boolean) => void;
  /** Goes to a line that must be read first. @param meanwhile the line that further keys count from */
  readonly goLater: (meanwhile: number, wanted: Promise<number | undefined>, extendFrom?: string) => void;
  /** The line that is being read to be stood on. */
  readonly goingTo: () => number | undefined;
  /** Does `press` on that line, once the keyboard stands on it. */
  readonly whenThere: (press: () => void) => void;
  /** Goes nowhere any more. */
  readonly stay: () => void;
  /** The next range begins where the keyboard is. */
  readonly forgetRange: () => void;
}

/** How the keyboard gets to a line, also to one that is not loaded. */
function useMoves(): Moves {
  const { messages, navigation } = useConsole();
  /** Where a range that is being selected by keys began. */
  const anchor = useRef<string>(undefined);
  const going = useRef<Going>(undefined);

  function move(to: number, extend: boolean): void {
    const { total, current: from } = messages.store.getState();
    const place = Math.max(0, Math.min(total - 1, to));
    const id = messages.rows.idAt(place);
    messages.setFollow(false);
    going.current = undefined;
    if (id !== undefined) {
      arrive(place, id, extend ? from : undefined);
      return;
    }
    goLater(place, Promise.resolve(place), extend ? from : undefined);
  }

  function goLater(meanwhile: number, wanted: Promise<number | undefined>, extendFrom?: string): void {
    const mine: Going = { place: meanwhile, then: [] };
    const { current: from } = messages.store.getState();
    going.current = mine;
    const read = wanted.then(
      async (place) => place !== undefined && { place, id: await messages.idAt(place) },
    );
    read.then(
      (found) => {
        if (going.current !== mine) return;
        going.current = undefined;
        // A click, or a command that went elsewhere, came after the key.
        if (found === false || found.id === undefined || messages.store.getState().current !== from) return;
        arrive(found.place, found.id, extendFrom);
        for (const press of mine.then) press();
      },
      // Without the host's answer the row stays as it is; the connection bar says why.
      () => {
        if (going.current === mine) going.current = undefined;
      },
    );
  }

  function arrive(place: number, id: string, from: string | undefined): void {
    messages.setCurrent(id);
    if (from === undefined) anchor.current = undefined;
    else {
      if (anchor.current === undefined || messages.store.getState().selected.size === 0)
        anchor.current = from;
      messages.select({ kind: 'range', from: anchor.current, to: id });
    }
    if (navigation.param('m') !== undefined && messages.rows.rowAt(place) !== undefined) {
      navigation.change({ m: id, d: undefined }, { replace: true });
    }
  }

  return {
    move,
    goLater,
    goingTo: () => going.current?.place,
    whenThere: (press) => going.current?.then.push(press),
    stay: () => {
      going.current = undefined;
    },
    forgetRange: () => {
      anchor.current = undefined;
    },
  };
}

/**
 * The key handler of the grid.
 * @param pageRows rows that Page Up and Page Down move by
 */
export function useListKeys(pageRows: number): (event: KeyboardEvent) => void {
  const console = useConsole();
  const { messages, navigation } = console;
  const { move, goLater, goingTo, whenThere, stay, forgetRange } = useMoves();
  /** Where the row of the keyboard was last seen: it may leave the list, and the keys go on from there. */
  const stood = useRef<{ readonly id: string; readonly place: number }>(undefined);
  useLayoutEffect(() => {
    const { current } = messages.store.getState();
    const place = current === undefined ? undefined : messages.rows.placeOf(current);
    if (current !== undefined && place !== undefined) stood.current = { id: current, place };
  });

  /** Left closes the group, or goes to the one a message is in; Right opens it, then goes to its first message. */
  function moveInGroups(key: string, place: number): void {
    const group = messages.rows.groupAt(place);
    const to = treeMove(key, group?.isOpen);
    if (group !== undefined && (to === 'open' || to === 'close'))
      void expandGroups(console, group.groupId, to === 'open');
    else if (to === 'child') move(place + 1, false);
    else if (to === 'parent') {
      const above = messages.rows.groupOver(place);
      messages.setFollow(false);
      if (above !== undefined) move(above, false);
      else goLater(place, messages.groupOver(place));
    }
  }

  /** What is done with the line of the keyboard. @returns false: the key is none of the list's */
  function act(key: string): boolean {
    const { current } = messages.store.getState();
    const place = current === undefined ? undefined : messages.rows.placeOf(current);
    const group = place === undefined ? undefined : messages.rows.groupAt(place);
    if (current === undefined || !ON_A_LINE.has(key)) return false;
    if (group !== undefined) {
      void expandGroups(console, group.groupId, !group.isOpen);
      forgetRange();
    } else if (key !== 'Enter') messages.select({ kind: 'toggle', messageId: current });
    else if (navigation.param('m') === current) focusAnchor(ANCHORS.detail);
    else navigation.change({ m: current, d: undefined });
    return true;
  }

  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { current, total, selected, allSelected, groupBy } = messages.store.getState();
    const held = current === undefined ? undefined : messages.rows.placeOf(current);
    const place = goingTo() ?? held;
    // In the place of a row that left the list stands the one that was after it.
    const left = place === undefined && stood.current?.id === current ? stood.current?.place : undefined;
    const isTurned = isNewestFirst(console.ui.getState(), messages.store.getState());
    const line = (at: number): number => turned(at, total, isTurned);
    const entry = line(left ?? (groupBy === '' ? total - 1 : 0));
    const at = event.key === 'ArrowDown' ? place : (place ?? left);
    const steps = { at: at === undefined ? undefined : line(at), count: total, page: pageRows, entry };
    const toLine = stepOf(event.key, steps);
    const to = toLine === undefined ? undefined : line(toLine);
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    if (to !== undefined) {
      move(to, event.shiftKey);
      if (event.key === (isTurned ? 'Home' : 'End') && isByTime(groupBy) && !event.shiftKey)
        messages.setFollow(true);
    } else if (groupBy !== '' && place !== undefined && isSideways) moveInGroups(event.key, place);
    else if (groupBy !== '' && event.key === '*') void expandGroups(console, undefined, true);
    else if (goingTo() !== undefined && ON_A_LINE.has(event.key)) {
      // The row is on its way: what is pressed is meant for it, not for the one before.
      const { key } = event;
      whenThere(() => void act(key));
    } else if (event.key === 'Escape') {
      stay();
      if (selected.size > 0 || allSelected) messages.select({ kind: 'none' });
      else navigation.change({ m: undefined, d: undefined, t: undefined });
    } else if (!act(event.key)) return;
    event.preventDefault();
  };
}
