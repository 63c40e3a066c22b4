/** Keys inside the list: moving, opening, selecting, groups. The rest are commands. */
import { useRef, type KeyboardEvent } from 'react';
import type { GroupRow } from '../../../core/contract/view.ts';
import { ANCHORS, focusAnchor } from '../../keys/anchors.ts';
import { expandGroups } from '../../keys/list-commands.ts';
import { useConsole } from '../../state/context.ts';

/**
 * The key handler of the grid.
 * @param pageRows rows that Page Up and Page Down move by
 */
export function useGridKeys(pageRows: number): (event: KeyboardEvent) => void {
  const console = useConsole();
  const { messages, places } = console;
  /** Where a range that is being selected by keys began. */
  const anchor = useRef<string>(undefined);

  function move(to: number, extend: boolean): void {
    const { total, current, selected } = messages.store.getState();
    const place = Math.max(0, Math.min(total - 1, to));
    const id = messages.rows.idAt(place);
    messages.setFollow(false);
    if (id === undefined) {
      messages.ensure(Math.max(0, place - 50), place + 50);
      return;
    }
    if (extend && current !== undefined) {
      if (anchor.current === undefined || selected.size === 0) anchor.current = current;
      messages.select({ kind: 'range', from: anchor.current, to: id });
    } else anchor.current = undefined;
    messages.setCurrent(id);
    if (places.param('m') !== undefined && messages.rows.rowAt(place) !== undefined) {
      places.change({ m: id, d: undefined }, { replace: true });
    }
  }

  /** Left closes the group, or goes to the one a message is in; Right opens it, then goes to its first message. */
  function moveInGroups(key: string, place: number): void {
    const group = messages.rows.groupAt(place);
    const isRight = key === 'ArrowRight';
    if (group !== undefined && group.isOpen !== isRight) void expandGroups(console, group.groupId, isRight);
    else if (group !== undefined && isRight) move(place + 1, false);
    else if (group === undefined && !isRight) {
      let above = place - 1;
      while (above > 0 && messages.rows.groupAt(above) === undefined) above -= 1;
      move(above, false);
    }
  }

  function onGroup(key: string, group: GroupRow): boolean {
    if (key !== 'Enter' && key !== ' ' && key !== 'x') return false;
    void expandGroups(console, group.groupId, !group.isOpen);
    return true;
  }

  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { current, total, selected, allSelected, groupBy } = messages.store.getState();
    const place = current === undefined ? undefined : messages.rows.placeOf(current);
    const from = place ?? total;
    const steps: Readonly<Record<string, number>> = {
      ArrowUp: from - 1,
      ArrowDown: place === undefined ? (groupBy === '' ? total - 1 : 0) : from + 1,
      PageUp: from - pageRows,
      PageDown: from + pageRows,
      Home: 0,
    };
    const to = steps[event.key];
    const group = place === undefined ? undefined : messages.rows.groupAt(place);
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    if (to !== undefined) move(to, event.shiftKey);
    else if (event.key === 'End') {
      move(total - 1, event.shiftKey);
      if (groupBy === '' && !event.shiftKey) messages.setFollow(true);
    } else if (groupBy !== '' && place !== undefined && isSideways) moveInGroups(event.key, place);
    else if (groupBy !== '' && event.key === '*') void expandGroups(console, undefined, true);
    else if (group !== undefined && onGroup(event.key, group)) anchor.current = undefined;
    else if (event.key === 'Enter' && current !== undefined) {
      if (places.param('m') === current) focusAnchor(ANCHORS.detail);
      else places.change({ m: current, d: undefined });
    } else if ((event.key === ' ' || event.key === 'x') && current !== undefined) {
      messages.select({ kind: 'toggle', messageId: current });
    } else if (event.key === 'Escape') {
      if (selected.size > 0 || allSelected) messages.select({ kind: 'none' });
      else places.change({ m: undefined, d: undefined, t: undefined });
    } else return;
    event.preventDefault();
  };
}
