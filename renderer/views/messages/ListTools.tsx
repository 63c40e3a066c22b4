/** The row between filter and list: follow and pause, or the acts on what is selected. */
import type { Act } from '../../../core/contract/acts.ts';
import { ArrowDownToLine, Download, FlaskConicalOff, Pause, Play, Trash2, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button, IconButton } from '../../components/Button.tsx';
import { ChoiceMenu } from '../../components/ChoiceMenu.tsx';
import { ACTS, ACT_WHY, SELECTION } from '../../copy/acts.ts';
import { COMMAND_WHY } from '../../copy/commands.ts';
import { CLEAR, DELETE, REPLAY_MANY } from '../../copy/jobs.ts';
import { FIRST_RUN, LIST } from '../../copy/messages.ts';
import { fill } from '../../copy/fill.ts';
import { whyNot } from '../../format/acts.ts';
import { count } from '../../format/quantity.ts';
import { whyNotAny } from '../../keys/act-commands.ts';
import { commandOf } from '../../keys/commands.ts';
import { whyNotDeadLetters } from '../../keys/many-commands.ts';
import { removeSamples } from '../../keys/frame-commands.ts';
import { subjectsNow } from '../../keys/subjects.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import { ColumnChoice } from './ColumnChoice.tsx';
import { GroupChoice } from './GroupChoice.tsx';
import css from './ListTools.module.css';

/** Follow, pause, and the selection bar. */
export function ListTools(): ReactElement {
  const console = useConsole();
  const { follow, paused, newer, isSelecting, since } = useMembers(
    console.messages.store,
    ({ follow, paused, newer, selected, allSelected, lookedAt, newestNumber }) => ({
      follow,
      paused,
      newer,
      isSelecting: selected.size > 0 || allSelected,
      since: lookedAt > 0 ? Math.max(0, newestNumber - lookedAt) : 0,
    }),
  );
  const away = useAway(ACT_WHY.away);
  const isEmpty = useSelected(console.connection, ({ runtime }) => runtime?.kept === 0);
  const clearWhy = isEmpty ? COMMAND_WHY.nothingKept : undefined;
  const samples = useSelected(console.ui, (state) => state.samples);
  if (isSelecting) return <SelectionBar />;
  return (
    <div className={css.tools}>
      <Button
        icon={ArrowDownToLine}
        aria-pressed={follow}
        aria-label={LIST.follow}
        keys={['f']}
        hint={LIST.follow}
        onClick={() => console.messages.setFollow(!follow)}
      >
        {LIST.followShort}
      </Button>
      <Button
        icon={paused ? Play : Pause}
        aria-pressed={paused}
        keys={['s']}
        hint={LIST.pause}
        onClick={() => console.messages.setPaused(!paused)}
      >
        {paused ? LIST.resume : LIST.pause}
      </Button>
      <GroupChoice />
      <ColumnChoice />
      <ExportButton />
      <Button icon={Trash2} off={away ?? clearWhy} onClick={() => commandOf('clear')?.run(console)}>
        {CLEAR.button}
      </Button>
      <span role="status" className={css.paused}>
        {paused ? fill(LIST.paused, { n: count(newer) }) : ''}
      </span>
      {since > 0 && (
        <span className={css.since}>
          {fill(LIST.newSince, { n: count(since) })}{' '}
          <Button keys={['Shift+U']} kind="quiet" onClick={() => commandOf('markAllRead')?.run(console)}>
            {LIST.markAllRead}
          </Button>
        </span>
      )}
      {samples.length > 0 && (
        <Button
          kind="quiet"
          icon={FlaskConicalOff}
          aria-label={FIRST_RUN.remove}
          hint={FIRST_RUN.removeHint}
          className={css.short}
          onClick={() => void removeSamples(console)}
        >
          {FIRST_RUN.remove}
        </Button>
      )}
    </div>
  );
}

/** Leads to the screen that writes files, which takes up what the list shows or what is selected. */
function ExportButton(): ReactElement {
  const { navigation } = useConsole();
  return (
    <Button
      icon={Download}
      aria-label={LIST.export}
      hint={LIST.export}
      className={css.short}
      onClick={() => navigation.go('/recordings')}
    >
      {LIST.export}
    </Button>
  );
}

const BAR: readonly Act[] = ['retry', 'release', 'drop', 'deadLetter', 'hold'];

function SelectionBar(): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const { selected, allSelected, total, groupBy } = useMembers(
    console.messages.store,
    // The version makes the counts follow what happens to the selected rows.
    ({ selected, allSelected, total, groupBy, version }) => ({
      selected,
      allSelected,
      total,
      groupBy,
      version,
    }),
  );
  const subjects = selected.size === 0 ? [] : subjectsNow(console);
  // Only the host knows how many messages of a grouped list match.
  const isUncounted = allSelected && groupBy !== '';
  const more = allSelected ? total - selected.size : 0;
  const isPart = isUncounted || more > 0;
  const titled = (title: string, n: number): string =>
    isPart ? title : fill(SELECTION.button, { title, n: count(n) });
  return (
    <div role="toolbar" aria-label={SELECTION.bar} className={css.tools} data-keys="messages">
      <span className={css.count}>
        {isUncounted
          ? SELECTION.everything
          : more > 0
            ? fill(SELECTION.countNotLoaded, { n: count(total), more: count(more) })
            : fill(SELECTION.count, { n: count(selected.size) })}
      </span>
      <IconButton
        icon={X}
        label={SELECTION.clear}
        onClick={() => console.messages.select({ kind: 'none' })}
      />
      <Button off={away} keys={['r']} onClick={() => commandOf('replay')?.run(console)}>
        {titled(ACTS.replay, selected.size)}
      </Button>
      {BAR.map((act) => {
        const n = subjects.filter((subject) => whyNot(act, subject) === undefined).length;
        return (
          <Button
            key={act}
            off={away ?? (isPart ? undefined : whyNotAny(act, subjects))}
            onClick={() => commandOf(act)?.run(console)}
          >
            {titled(ACTS[act], n)}
          </Button>
        );
      })}
      {whyNotDeadLetters(console) === undefined && (
        <Button off={away} onClick={() => commandOf('replayToOriginal')?.run(console)}>
          {REPLAY_MANY.toOriginal}
        </Button>
      )}
      <ExportButton />
      <Button
        off={isPart ? SELECTION.notLoaded : undefined}
        onClick={() => void console.acting.copy([...selected].join('\n'))}
      >
        {ACTS.copyIds}
      </Button>
      <Button
        off={away ?? (isPart ? SELECTION.notLoaded : undefined)}
        onClick={() => commandOf('pin')?.run(console)}
      >
        {ACTS.pin}
      </Button>
      <MoreActs />
    </div>
  );
}

/** Acts on many messages that have no button of their own. */
function MoreActs(): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  return (
    <ChoiceMenu
      title={ACTS.more}
      groups={[
        {
          entries: [
            {
              id: 'replayMany',
              title: REPLAY_MANY.command,
              off: away,
              keys: ['Shift+R'],
              run: () => commandOf('replayMany')?.run(console),
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
      ]}
    />
  );
}
