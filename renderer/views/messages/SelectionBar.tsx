/** Acts on the selected messages; each button has the number of messages to which it applies. Acts that apply to none are in the menu. */
import { GitCompare, X } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Act } from '../../../core/contract/acts.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { ChoiceMenu, type MenuEntry } from '../../components/ChoiceMenu.tsx';
import { ACTS, ACT_WHY, SELECTION } from '../../copy/acts.ts';
import { COMPARE_TWO } from '../../copy/compare.ts';
import { DELETE, REPLAY_MANY } from '../../copy/jobs.ts';
import { RECORDINGS } from '../../copy/recordings.ts';
import { fill } from '../../copy/fill.ts';
import { whyNot, type ActSubject } from '../../format/act-targets.ts';
import { count } from '../../format/quantity.ts';
import { whyNotAny } from '../../keys/act-commands.ts';
import { commandOf } from '../../keys/commands.ts';
import { replayAndRemoveNow } from '../../keys/bulk-commands.ts';
import { goToTest } from '../../keys/recording-commands.ts';
import { subjectsNow } from '../../keys/subjects.ts';
import type { Console } from '../../state/console.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { selectedCount } from '../../state/selection.ts';
import { useSelected } from '../../state/store.ts';
import { ExportButton } from './ExportButton.tsx';
import css from './ListTools.module.css';

const BAR: readonly Act[] = ['retry', 'release', 'drop', 'deadLetter', 'hold'];

/** An act of the bar with the number of selected messages to which it applies, or why it applies to none. */
export interface OfferedAct {
  readonly act: Act;
  readonly n: number;
  readonly off: string | undefined;
}

/**
 * The acts with a button of their own, and those that apply to none of the selected messages, which are in the menu with the reason.
 * @param isPart whether some of the selection is not loaded, so that nothing can be counted
 */
export function offeredActs(
  subjects: readonly ActSubject[],
  isPart: boolean,
): { readonly buttons: readonly OfferedAct[]; readonly others: readonly OfferedAct[] } {
  const all = BAR.map((act) => ({
    act,
    n: subjects.filter((subject) => whyNot(act, subject) === undefined).length,
    off: isPart ? undefined : whyNotAny(act, subjects),
  }));
  return {
    buttons: all.filter(({ off }) => off === undefined),
    others: all.filter(({ off }) => off !== undefined),
  };
}

/** The acts on the selection. */
export function SelectionBar(): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  // The version in it makes the counts follow changes of the selected rows.
  const state = useSelected(console.messages.store, (now) => now);
  const { selected, allSelected, upTo, later } = state;
  const subjects = selected.size === 0 ? [] : subjectsNow(console);
  const n = selectedCount(state);
  // A selected row may have been unloaded since, or be gone.
  const more = n - subjects.length;
  const isPart = allSelected && more > 0;
  const titled = (title: string, able: number): string =>
    isPart ? title : fill(SELECTION.button, { title, n: count(able) });
  const { buttons, others } = offeredActs(subjects, isPart);
  const removing = replayAndRemoveNow(console);
  return (
    <div role="toolbar" aria-label={SELECTION.bar} className={css.foot} data-keys="messages">
      <span className={css.count}>
        {fill(more > 0 ? SELECTION.countNotLoaded : SELECTION.count, { n: count(n), more: count(more) })}
        {allSelected && later > 0 && fill(SELECTION.later, { n: count(later) })}
      </span>
      <IconButton
        icon={X}
        label={SELECTION.clear}
        onClick={() => console.messages.select({ kind: 'none' })}
      />
      <Button off={away} keys={['r']} onClick={() => commandOf('replay')?.run(console)}>
        {titled(ACTS.replay, selected.size)}
      </Button>
      {buttons.map(({ act, n: able }) => (
        <Button
          key={act}
          off={away}
          hint={
            isPart
              ? undefined
              : fill(SELECTION.applies, { title: ACTS[act], n: count(able), of: count(selected.size) })
          }
          onClick={() => commandOf(act)?.run(console)}
        >
          {titled(ACTS[act], able)}
        </Button>
      ))}
      {removing !== undefined && (
        <Button off={away} onClick={() => removing.run(console)}>
          {removing.title}
        </Button>
      )}
      {commandOf('compare')?.when?.(console) === undefined && (
        <Button
          icon={GitCompare}
          hint={COMPARE_TWO.command}
          keys={['=']}
          onClick={() => commandOf('compare')?.run(console)}
        >
          {COMPARE_TWO.short}
        </Button>
      )}
      <ExportButton />
      <MoreActs others={others} hasIds={!isPart || upTo.isFixed} />
    </div>
  );
}

/** The comparison where it has no button, because the selection does not name two messages: the reason says what to do. */
function compareEntry(console: Console): readonly MenuEntry[] {
  const off = commandOf('compare')?.when?.(console);
  return off === undefined ? [] : [{ id: 'compare', title: COMPARE_TWO.command, off, keys: ['='] }];
}

/** Acts on many messages that have no button of their own, and those that apply to none of them. */
function MoreActs({
  others,
  hasIds,
}: {
  readonly others: readonly OfferedAct[];
  /** Whether the id of every selected message is known. */
  readonly hasIds: boolean;
}): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  return (
    <ChoiceMenu
      title={ACTS.more}
      groups={[
        {
          entries: [
            {
              id: 'copyIds',
              title: ACTS.copyIds,
              off: hasIds ? undefined : SELECTION.notLoaded,
              run: () => void console.acting.copy([...console.messages.store.getState().selected].join('\n')),
            },
            {
              id: 'pin',
              title: ACTS.pin,
              off: away ?? commandOf('pin')?.when?.(console),
              keys: ['i'],
              run: () => commandOf('pin')?.run(console),
            },
            {
              id: 'replayMany',
              title: REPLAY_MANY.command,
              off: away,
              keys: ['Shift+R'],
              run: () => commandOf('replayMany')?.run(console),
            },
            ...compareEntry(console),
            {
              id: 'toTest',
              title: RECORDINGS.commandTest,
              off: console.readOnly === undefined ? away : undefined,
              run: () => goToTest(console),
            },
            {
              id: 'delete',
              title: DELETE.act,
              off: away,
              keys: ['Delete'],
              run: () => commandOf('delete')?.run(console),
            },
          ],
        },
        ...(others.length === 0
          ? []
          : [{ entries: others.map(({ act, off }) => ({ id: act, title: ACTS[act], off: away ?? off })) }]),
      ]}
    />
  );
}
