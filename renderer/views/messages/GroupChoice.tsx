/** Choice of the list's grouping, and buttons that open and close all groups. */
import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import type { ReactElement } from 'react';
import { GROUPINGS } from '../../../core/contract/words.ts';
import { IconButton } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { GROUPS_OF_LIST } from '../../copy/groups.ts';
import { groupByOf, groupingOf } from '../../format/groups.ts';
import { expandGroups } from '../../keys/list-commands.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './ListTools.module.css';

/** A select, and two buttons while the list is grouped. */
export function GroupChoice(): ReactElement {
  const console = useConsole();
  const groupBy = useParam('g') ?? '';
  const path = useSelected(console.ui, (state) => state.correlationPath);
  const choices = ['none', ...GROUPINGS] as const;
  return (
    <span className={css.grouping}>
      <Choice
        label={GROUPS_OF_LIST.by}
        value={groupingOf(groupBy)}
        options={choices.map((value) => ({
          value,
          title: value === 'none' ? GROUPS_OF_LIST.noGroups : GROUPS_OF_LIST[value],
        }))}
        onChange={(value) => {
          const chosen = choices.find((each) => each === value) ?? 'none';
          console.navigation.change({ g: groupByOf(chosen, path) });
        }}
      />
      {groupBy !== '' && (
        <>
          <IconButton
            icon={ChevronsUpDown}
            label={GROUPS_OF_LIST.openAll}
            onClick={() => void expandGroups(console, undefined, true)}
          />
          <IconButton
            icon={ChevronsDownUp}
            label={GROUPS_OF_LIST.closeAll}
            onClick={() => void expandGroups(console, undefined, false)}
          />
        </>
      )}
    </span>
  );
}
