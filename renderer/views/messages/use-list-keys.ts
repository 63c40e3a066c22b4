/** Keys of the list: moving, opening, selecting, groups. All others are commands. */
import { isByTime } from '../../format/groups.ts';
import { useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { stepOf, treeMove } from '../../components/grid/keys.ts';
import { ANCHORS, focusAnchor } from '../../keys/anchors.ts';
import { expandGroups } from '../../keys/list-commands.ts';
import { useConsole } from '../../state/context.ts';
import { isNewestFirst, turned } from '../../state/live-order.ts';

/** A line that the keyboard will be on once it is loaded. */
interface Going {
  readonly index: number;
  /** Keys that were pressed meanwhile for that line. */
  readonly then: (() => void)[];
}

/** Keys that act on the keyboard line. */
const ON_A_LINE = new Set(['Enter', ' ', 'x']);

interface Moves {
  /**
   * Moves to a line.
   * @param extend selects from the old line to it
   */
  readonly move: (to: number, extend: boolean) => void;
  /**
   * Moves to a line that has to be loaded first.
   * @param meanwhile line from which further keys count
   */
  readonly goLater: (meanwhile: number, wanted: Promise<number | undefined>, extendFrom?: string) => void;
  /** The line that is being loaded for the keyboard. */
  readonly goingTo: () => number | undefined;
  /** Runs `press` once the keyboard is on that line. */
  readonly whenThere: (press: () => void) => void;
  /** Cancels a pending move. */
  readonly stay: () => void;
  /** Makes the next range begin at the keyboard line. */
  readonly forgetRange: () => void;
}

/** Moves the keyboard to a line, also to one that is not loaded. */
function useMoves(): Moves {
  const { messages, navigation } = useConsole();
  /** Start of a range that is being selected by keys. */
  const anchor = useRef<string>(undefined);
  const going = useRef<Going>(undefined);

  function move(to: number, extend: boolean): void {
    const { total, current: from } = messages.store.getState();
    const index = Math.max(0, Math.min(total - 1, to));
    const id = messages.rows.idAt(index);
    messages.setFollow(false);
    going.current = undefined;
    if (id !== undefined) {
      arrive(index, id, extend ? from : undefined);
      return;
    }
    goLater(index, Promise.resolve(index), extend ? from : undefined);
  }

  function goLater(meanwhile: number, wanted: Promise<number | undefined>, extendFrom?: string): void {
    const mine: Going = { index: meanwhile, then: [] };
    const { current: from } = messages.store.getState();
    going.current = mine;
    const read = wanted.then(
      async (index) => index !== undefined && { index, id: await messages.idAt(index) },
    );
    read.then(
      (found) => {
        if (going.current !== mine) return;
        going.current = undefined;
        // A click or a command moved the keyboard meanwhile.
        if (found === false || found.id === undefined || messages.store.getState().current !== from) return;
        arrive(found.index, found.id, extendFrom);
        for (const press of mine.then) press();
      },
      // The row stays without the host's answer; the connection bar reports the error.
      () => {
        if (going.current === mine) going.current = undefined;
      },
    );
  }

  function arrive(index: number, id: string, from: string | undefined): void {
    messages.setCurrent(id);
    if (from === undefined) anchor.current = undefined;
    else {
      if (anchor.current === undefined || messages.store.getState().selected.size === 0)
        anchor.current = from;
      messages.select({ kind: 'range', from: anchor.current, to: id });
    }
    if (navigation.param('m') !== undefined && messages.rows.rowAt(index) !== undefined) {
      navigation.change({ m: id, d: undefined }, { replace: true });
    }
  }

  return {
    move,
    goLater,
    goingTo: () => going.current?.index,
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
  /** Last index of the keyboard row, from which the keys continue if the row is removed. */
  const stood = useRef<{ readonly id: string; readonly index: number }>(undefined);
  useLayoutEffect(() => {
    const { current } = messages.store.getState();
    const index = current === undefined ? undefined : messages.rows.indexOf(current);
    if (current !== undefined && index !== undefined) stood.current = { id: current, index };
  });

  /**
   * Left closes the group, or goes to the group of a message; Right opens it, then goes to its first message.
   */
  function moveInGroups(key: string, index: number): void {
    const group = messages.rows.groupAt(index);
    const to = treeMove(key, group?.isOpen);
    if (group !== undefined && (to === 'open' || to === 'close'))
      void expandGroups(console, group.groupId, to === 'open');
    else if (to === 'child') move(index + 1, false);
    else if (to === 'parent') {
      const above = messages.rows.groupOver(index);
      messages.setFollow(false);
      if (above !== undefined) move(above, false);
      else goLater(index, messages.groupOver(index));
    }
  }

  /**
   * Acts on the keyboard line.
   * @returns false: the list does not use the key
   */
  function act(key: string): boolean {
    const { current } = messages.store.getState();
    const index = current === undefined ? undefined : messages.rows.indexOf(current);
    const group = index === undefined ? undefined : messages.rows.groupAt(index);
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
    const held = current === undefined ? undefined : messages.rows.indexOf(current);
    const index = goingTo() ?? held;
    // The next row is now on the line of a row that was removed.
    const left = index === undefined && stood.current?.id === current ? stood.current?.index : undefined;
    const isTurned = isNewestFirst(console.ui.getState(), messages.store.getState());
    const line = (at: number): number => turned(at, total, isTurned);
    const entry = line(left ?? (groupBy === '' ? total - 1 : 0));
    const at = event.key === 'ArrowDown' ? index : (index ?? left);
    const steps = { at: at === undefined ? undefined : line(at), count: total, page: pageRows, entry };
    const toLine = stepOf(event.key, steps);
    const to = toLine === undefined ? undefined : line(toLine);
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    if (to !== undefined) {
      move(to, event.shiftKey);
      if (event.key === (isTurned ? 'Home' : 'End') && isByTime(groupBy) && !event.shiftKey)
        messages.setFollow(true);
    } else if (groupBy !== '' && index !== undefined && isSideways) moveInGroups(event.key, index);
    else if (groupBy !== '' && event.key === '*') void expandGroups(console, undefined, true);
    else if (goingTo() !== undefined && ON_A_LINE.has(event.key)) {
      // The row is being loaded, and the key is meant for it, not for the old one.
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
