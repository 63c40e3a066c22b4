/** The filter field with its switch, the count, and the host's answer to the filter. */
import { CircleHelp, Star } from 'lucide-react';
import { useCallback, useState, type ReactElement } from 'react';
import { Button, IconButton } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Fields.tsx';
import { FilterField } from '../../components/FilterField.tsx';
import { useIsTight } from '../../components/use-narrow.ts';
import { fill } from '../../copy/fill.ts';
import { FILTER } from '../../copy/messages.ts';
import { SAVED_VIEWS } from '../../copy/saved-views.ts';
import { canCancel, countedText, searches } from '../../format/match-count.ts';
import { count } from '../../format/quantity.ts';
import { beyondListed } from '../../format/view-amount.ts';
import { ANCHORS } from '../../keys/anchors.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import css from './FilterRow.module.css';
import { useGroupBy } from './use-group-by.ts';

export interface FilterRowProps {
  /** Whether the text of the field can be read: the list shows that of an earlier one if not. */
  readonly isValid: boolean;
  /** Whether the field has a text that the list is still to be searched for. */
  readonly isTyped: boolean;
  readonly onChecked: (isValid: boolean) => void;
  /** Called with the text of the field after every keystroke. */
  readonly onDraft: (text: string) => void;
}

/** The row above the list. */
export function FilterRow({ isValid, isTyped, onChecked, onDraft }: FilterRowProps): ReactElement {
  const console = useConsole();
  const filter = useParam('f') ?? '';
  const off = useParam('off') !== undefined;
  const isGrouped = useParam('g') !== undefined;
  const isTight = useIsTight();
  const [isAsked, setAsked] = useState(false);
  const noteChecked = useCallback(
    (ok: boolean) => {
      setAsked(false);
      onChecked(ok);
    },
    [onChecked],
  );
  return (
    <search className={css.row}>
      <FilterField
        id={ANCHORS.filter}
        label={FILTER.label}
        value={filter}
        placeholder={isTight ? FILTER.placeholderShort : FILTER.placeholder}
        history
        onChecked={noteChecked}
        onDraft={(text) => {
          setAsked(true);
          onDraft(text);
        }}
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
        <span className={css.switch} title={FILTER.on}>
          <Checkbox
            label={FILTER.on}
            isSwitch
            checked={!off}
            onChange={(on) => console.navigation.change({ off: on ? undefined : '1' })}
          />
        </span>
      )}
      <Counted isRead={isValid || isAsked} isTyped={isTyped} />
    </search>
  );
}

/**
 * What a screen reader says of a filter: its first number of matches, once. The number beside the field goes on changing with the traffic.
 * @param isFound whether the search has ended
 */
function useFound(filter: string, total: number, isFound: boolean): string {
  const [said, setSaid] = useState({ filter, text: '' });
  if (isFound && said.filter !== filter)
    setSaid({ filter, text: filter === '' ? '' : fill(FILTER.found, { n: count(total) }) });
  return said.text;
}

interface CountedProps extends Pick<FilterRowProps, 'isTyped'> {
  /** False: the text of the field cannot be read, as far as the host has answered. */
  readonly isRead: boolean;
}

/**
 * Number of matches, or the progress of the search, which begins for a person with the first letter that is typed; nothing beside a text that
 * is no filter, because the list shows that of another one.
 */
function Counted({ isRead, isTyped }: CountedProps): ReactElement {
  const console = useConsole();
  const { total, filter, progress, status, groupBy, hasOpenGroups, sort, isOpening } = useMembers(
    console.messages.store,
    'total',
    'filter',
    'progress',
    'status',
    'groupBy',
    'hasOpenGroups',
    'sort',
    'isOpening',
    // Lines are loaded without another total.
    'version',
  );
  const { isByItself } = useGroupBy();
  const isAway = useSelected(console.connection, ({ link }) => link.status !== 'open');
  const isComing = isOpening || isTyped;
  const kept = useSelected(console.connection, ({ runtime }) => runtime?.kept);
  const beyond = useSelected(console.connection, ({ runtime }) =>
    console.readOnly === undefined ? beyondListed(total, filter, runtime) : undefined,
  );
  const counted = countedText({
    total,
    filter,
    progress,
    groupBy,
    hasOpenGroups,
    groups: hasOpenGroups ? console.messages.rows.groupCount() : undefined,
    isSorted: sort !== undefined,
    isOpening: isComing,
    isFirst: status === 'idle' || status === 'loading',
    isAway,
    kept,
  });
  const text = isRead ? counted : '';
  const isFound = text !== '' && !isComing && !searches(progress) && groupBy === '';
  const found = useFound(filter, total, isFound);
  function cancel(): void {
    if (sort !== undefined) void console.messages.setSort(undefined);
    else if (isByItself) console.ui.setState({ collapseRepeats: false });
    else if (groupBy !== '' && filter === '') console.navigation.change({ g: undefined });
    else console.navigation.change({ off: '1' });
  }

  return (
    <>
      <span className={css.count} data-filtered={filter !== '' || isComing || undefined}>
        {text}
        {isFound && beyond !== undefined && <> · {beyond}</>}
      </span>
      <span role="status" className="visually-hidden">
        {found}
      </span>
      {canCancel(progress, counted) && (
        // The text stays in the field; switching it on searches again.
        <Button onClick={cancel}>{FILTER.cancel}</Button>
      )}
    </>
  );
}
