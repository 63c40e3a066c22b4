/**
 * The strip below the rows: acts on the selection, or what separates the list from the present. It does not
 * move any row.
 */
import { FlaskConicalOff } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { FIRST_RUN, LIST } from '../../copy/messages.ts';
import { clockSeconds } from '../../format/clock-time.ts';
import { ALL_COLUMNS, ownColumn } from '../../format/columns.ts';
import { groupsNote } from '../../format/groups.ts';
import { newSince } from '../../format/new-since.ts';
import { count } from '../../format/quantity.ts';
import { hereOf } from '../../format/since-here.ts';
import { commandOf } from '../../keys/commands.ts';
import { removeSamples } from '../../keys/frame-commands.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { hasSelection } from '../../state/selection.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import css from './ListTools.module.css';
import { NarrowedStrip, RecordStrip } from './RecordStrip.tsx';
import { SelectionBar } from './SelectionBar.tsx';

const NONE: readonly never[] = [];

/** The strip; nothing while the list is live and not in groups, and nothing is selected. */
export function ListFoot(): ReactElement {
  const console = useConsole();
  const { store } = console.messages;
  const { paused, newer, sortedAt, sort } = useMembers(store, 'paused', 'newer', 'sortedAt', 'sort');
  const inGroups = useSelected(store, ({ groupBy }) => groupsNote(groupBy));
  const isSelecting = useSelected(store, hasSelection);
  const { rows, isUnread } = console.messages;
  const since = useSelected(store, (list) => newSince(list, rows, isUnread));
  // Samples are live messages: a recording of them is not what the button removes.
  const samples = useSelected(console.ui, (state) => (console.readOnly === undefined ? state.samples : NONE));
  const filter = useParam('f') ?? '';
  const begun = useSelected(console.ui, ({ recordingSince }) => recordingSince);
  // Nothing is recorded into an opened recording.
  const running = console.readOnly === undefined && begun !== '' ? begun : undefined;
  const isApplied = useParam('off') === undefined;
  const here = isApplied ? hereOf(filter) : undefined;
  const isMarked = running !== undefined || here !== undefined;
  if (isSelecting)
    return (
      <div>
        {/* A person who selects rows for an act still has to see that a recording goes on. */}
        {running !== undefined && (
          <div className={css.foot}>
            <RecordStrip here={running} />
          </div>
        )}
        <SelectionBar />
      </div>
    );
  const isShown = paused || inGroups !== undefined || since !== undefined || samples.length > 0 || isMarked;
  return (
    <div className={isShown ? css.foot : undefined}>
      <span role="status" className={css.paused}>
        {paused ? pausedText(newer, sortedAt, sort?.by) : ''}
      </span>
      {paused && (
        <Button kind="quiet" onClick={() => console.messages.setPaused(false)}>
          {LIST.backToLive}
        </Button>
      )}
      {inGroups !== undefined && <span className={css.groups}>{inGroups}</span>}
      {running !== undefined && <RecordStrip here={running} />}
      {running === undefined && here !== undefined && <NarrowedStrip here={here} />}
      {since !== undefined && (
        <span className={css.since}>
          {fill(LIST.newSince, { n: since })}{' '}
          <Button keys={['Shift+U']} kind="quiet" onClick={() => commandOf('markAllRead')?.run(console)}>
            {LIST.markAllRead}
          </Button>
        </span>
      )}
      {samples.length > 0 && (
        <Button
          kind="quiet"
          icon={FlaskConicalOff}
          hint={FIRST_RUN.removeHint}
          onClick={() => void removeSamples(console)}
        >
          {FIRST_RUN.remove}
        </Button>
      )}
    </div>
  );
}

/** State of a paused list: "Sorted by Last call as of 13:27:40 · 3 newer messages", "Paused · 1 newer message" */
export function pausedText(newer: number, sortedAt: number, by: string | undefined): string {
  const state = sortedAt > 0 ? sortedText(sortedAt, by) : LIST.paused;
  if (newer === 0) return state;
  return `${state} · ${fill(LIST.newer, { n: count(newer) })}`;
}

/** The column is named, because an open message may hide it together with its arrow. */
function sortedText(sortedAt: number, by = ''): string {
  const time = clockSeconds(new Date(sortedAt).toISOString());
  const column = (ALL_COLUMNS.find(({ id }) => id === by) ?? ownColumn(by))?.title;
  return column === undefined ? fill(LIST.sorted, { time }) : fill(LIST.sortedBy, { column, time });
}
