/** The filter field with its switch, the count, and the host's answer to the filter. */
import { CircleHelp, Star } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button, IconButton } from '../../components/Button.tsx';
import { Tick } from '../../components/Fields.tsx';
import { FilterField } from '../../components/FilterField.tsx';
import { fill } from '../../copy/fill.ts';
import { FILTER, LIST } from '../../copy/messages.ts';
import { SAVED_VIEWS } from '../../copy/saved-views.ts';
import { count } from '../../format/quantity.ts';
import { ANCHORS } from '../../keys/anchors.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import css from './FilterRow.module.css';
import { useGroupBy } from './use-group-by.ts';

/** The row above the list. */
export function FilterRow(): ReactElement {
  const console = useConsole();
  const filter = useParam('f') ?? '';
  const off = useParam('off') !== undefined;
  const isGrouped = useParam('g') !== undefined;
  return (
    <search className={css.row}>
      <FilterField
        id={ANCHORS.filter}
        label={FILTER.label}
        value={filter}
        placeholder={FILTER.placeholder}
        history
        onApply={(text) =>
          console.navigation.change({ f: text, off: undefined, ...(text === '' ? { v: undefined } : {}) })
        }
      />
      <IconButton
        icon={CircleHelp}
        label={FILTER.help}
        onClick={() => console.commands.open({ kind: 'filter-help' })}
      />
      {(filter !== '' || isGrouped) && (
        <IconButton
          icon={Star}
          label={SAVED_VIEWS.save}
          hint={SAVED_VIEWS.saveHint}
          onClick={() => console.commands.open({ kind: 'save-view' })}
        />
      )}
      {filter !== '' && (
        <Tick
          label={FILTER.on}
          isSwitch
          checked={!off}
          onChange={(on) => console.navigation.change({ off: on ? undefined : '1' })}
        />
      )}
      <Counted />
    </search>
  );
}

/** Number of matches, or the progress of the search. */
function Counted(): ReactElement {
  const console = useConsole();
  const { total, filter, progress, status, groupBy, sort, isOpening } = useMembers(
    console.messages.store,
    'total',
    'filter',
    'progress',
    'status',
    'groupBy',
    'sort',
    'isOpening',
  );
  const underWay =
    sort !== undefined
      ? FILTER.sorting
      : groupBy !== '' && filter === ''
        ? FILTER.grouping
        : FILTER.searching;
  const { isByItself } = useGroupBy();
  const isOne = total === 1;
  const counted = groupBy === '' ? (isOne ? LIST.countedOne : LIST.counted) : isOne ? LIST.line : LIST.lines;
  const kept = useSelected(console.connection, ({ runtime }) => runtime?.kept);
  if (status === 'idle' || status === 'loading') return <span className={css.count} />;
  const isSearching = progress !== undefined && progress.done < progress.of;
  if (isOpening || (isSearching && progress.done === 0 && underWay === FILTER.searching))
    return <span className={css.count}>{FILTER.search}</span>;
  const text = isSearching
    ? fill(underWay, { done: count(progress.done), of: count(progress.of) })
    : filter === '' || kept === undefined || groupBy !== ''
      ? fill(counted, { n: count(total) })
      : fill(LIST.countOf, { n: count(total), kept: count(kept) });
  function cancel(): void {
    if (sort !== undefined) void console.messages.setSort(undefined);
    else if (isByItself) console.ui.setState({ collapseRepeats: false });
    else if (groupBy !== '' && filter === '') console.navigation.change({ g: undefined });
    else console.navigation.change({ off: '1' });
  }

  return (
    <>
      <span className={css.count}>{text}</span>
      {isSearching && (
        // The text stays in the field; switching it on searches again.
        <Button onClick={cancel}>{FILTER.cancel}</Button>
      )}
    </>
  );
}
