/** Keys inside the list: moving, opening, selecting. The rest are commands. */
import type { KeyboardEvent } from 'react';
import { useConsole } from '../../state/context.ts';
import { ANCHORS, focusAnchor } from '../../keys/anchors.ts';

/**
 * The key handler of the grid.
 * @param pageRows rows that Page Up and Page Down move by
 */
export function useGridKeys(pageRows: number): (event: KeyboardEvent) => void {
  const console = useConsole();
  const { messages, places } = console;

  function move(to: number, extend: boolean): void {
    const { total, current } = messages.store.getState();
    const place = Math.max(0, Math.min(total - 1, to));
    const row = messages.rows.rowAt(place);
    messages.setFollow(false);
    if (row === undefined) {
      messages.ensure(Math.max(0, place - 50), place + 50);
      return;
    }
    if (extend && current !== undefined) {
      const { selected } = messages.store.getState();
      if (selected.size === 0) messages.select({ kind: 'only', messageId: current });
      messages.select({ kind: 'toggle', messageId: row.messageId });
    }
    messages.setCurrent(row.messageId);
    if (places.param('m') !== undefined) {
      places.change({ m: row.messageId, d: undefined }, { replace: true });
    }
  }

  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { current, total, selected } = messages.store.getState();
    const place = current === undefined ? undefined : messages.rows.placeOf(current);
    const from = place ?? total;
    const steps: Readonly<Record<string, number>> = {
      ArrowUp: from - 1,
      ArrowDown: place === undefined ? total - 1 : from + 1,
      PageUp: from - pageRows,
      PageDown: from + pageRows,
      Home: 0,
    };
    const to = steps[event.key];
    if (to !== undefined) move(to, event.shiftKey);
    else if (event.key === 'End') {
      move(total - 1, false);
      messages.setFollow(true);
    } else if (event.key === 'Enter' && current !== undefined) {
      if (places.param('m') === current) focusAnchor(ANCHORS.detail);
      else places.change({ m: current, d: undefined });
    } else if ((event.key === ' ' || event.key === 'x') && current !== undefined) {
      messages.select({ kind: 'toggle', messageId: current });
    } else if (event.key === 'Escape') {
      if (selected.size > 0) messages.select({ kind: 'none' });
      else places.change({ m: undefined, d: undefined, t: undefined });
    } else return;
    event.preventDefault();
  };
}
