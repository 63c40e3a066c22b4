/** The menu of a column head. */
import type { MenuGroup } from '../../components/ChoiceMenu.tsx';
import { COLUMN_CHOICE } from '../../copy/columns.ts';
import type { Column } from '../../format/columns.ts';
import { showColumn, stepColumn } from '../../state/columns.ts';
import type { Console } from '../../state/console.ts';
import type { MessagesState } from '../../state/messages-state.ts';

/** Puts the newest row of the live list on the first or on the last line, and follows it. */
export function turnList({ messages, ui }: Console, newestFirst: boolean): void {
  if (messages.store.getState().sort !== undefined) void messages.setSort(undefined);
  ui.setState({ newestFirst });
  messages.setFollow(true);
}

/**
 * Entries for sorting, width and position; disabled ones have a reason.
 * @param drawn ids of the columns of the list, in order
 */
export function columnMenu(
  console: Console,
  { id, isUnsorted }: Column,
  drawn: readonly string[],
  { sort, groupBy }: Pick<MessagesState, 'sort' | 'groupBy'>,
): readonly MenuGroup[] {
  const { messages, ui, commands } = console;
  const why =
    isUnsorted === true ? COLUMN_CHOICE.whyUnsorted : groupBy === '' ? undefined : COLUMN_CHOICE.whyGrouped;
  const sortBy = (isDown: boolean): (() => void) => {
    if (id === 'time' || id === 'number') return () => turnList(console, isDown);
    return () => void messages.setSort({ by: id, isDown });
  };
  const sorting: MenuGroup = {
    entries: [
      { id: 'up', title: COLUMN_CHOICE.sortUp, off: why, run: sortBy(false) },
      { id: 'down', title: COLUMN_CHOICE.sortDown, off: why, run: sortBy(true) },
      ...(sort?.by === id
        ? [{ id: 'none', title: COLUMN_CHOICE.sortOff, run: () => void messages.setSort(undefined) }]
        : []),
    ],
  };
  return [
    sorting,
    {
      entries: [
        {
          id: 'width',
          title: COLUMN_CHOICE.menuWidth,
          run: () => commands.open({ kind: 'column-width', column: id }),
        },
        {
          id: 'left',
          title: COLUMN_CHOICE.left,
          off: drawn[0] === id ? COLUMN_CHOICE.isFirst : undefined,
          run: () => stepColumn(ui, id, -1, drawn),
        },
        {
          id: 'right',
          title: COLUMN_CHOICE.right,
          off: drawn.at(-1) === id ? COLUMN_CHOICE.isLast : undefined,
          run: () => stepColumn(ui, id, 1, drawn),
        },
        { id: 'hide', title: COLUMN_CHOICE.hide, run: () => showColumn(ui, id, false) },
      ],
    },
  ];
}
