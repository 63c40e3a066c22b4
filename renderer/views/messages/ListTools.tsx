/** The row between filter and list: follow and pause, or the acts on what is selected. */
import { ArrowDownToLine, Pause, Play, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button, IconButton } from '../../components/Button.tsx';
import { ACTS, ACT_WHY, SELECTION } from '../../copy/acts.ts';
import { DELETE, REPLAY_MANY } from '../../copy/jobs.ts';
import { FIRST_RUN, LIST } from '../../copy/messages.ts';
import { fill } from '../../copy/fill.ts';
import { whyNot, type Act } from '../../format/acts.ts';
import { count } from '../../format/quantity.ts';
import { whyNotAny } from '../../keys/act-commands.ts';
import { commandOf } from '../../keys/commands.ts';
import { whyNotDeadLetters } from '../../keys/many-commands.ts';
import { removeSamples } from '../../keys/frame-commands.ts';
import { subjectsNow } from '../../keys/subjects.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import { ColumnChoice } from './ColumnChoice.tsx';
import css from './ListTools.module.css';

/** Follow, pause, and the selection bar. */
export function ListTools(): ReactElement {
  const console = useConsole();
  const { follow, paused, newer, size, lookedAt, newest } = useMembers(
    console.messages.store,
    ({ follow, paused, newer, selected, lookedAt, newestNumber }) => ({
      follow,
      paused,
      newer,
      size: selected.size,
      lookedAt,
      newest: newestNumber,
    }),
  );
  const samples = useSelected(console.ui, (state) => state.samples);
  if (size > 0) return <SelectionBar />;
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
      <ColumnChoice />
      <span role="status" className={css.paused}>
        {paused ? fill(LIST.paused, { n: count(newer) }) : ''}
      </span>
      {lookedAt > 0 && newest > lookedAt && (
        <span className={css.since}>
          {fill(LIST.newSince, { n: count(newest - lookedAt) })}{' '}
          <Button keys={['Shift+U']} kind="quiet" onClick={() => commandOf('markAllRead')?.run(console)}>
            {LIST.markAllRead}
          </Button>
        </span>
      )}
      {samples.length > 0 && (
        <Button kind="quiet" hint={FIRST_RUN.sampleNote} onClick={() => void removeSamples(console)}>
          {FIRST_RUN.remove}
        </Button>
      )}
    </div>
  );
}

const BAR: readonly Act[] = ['retry', 'release', 'drop', 'deadLetter', 'hold'];

function SelectionBar(): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const { selected, allSelected, total } = useMembers(
    console.messages.store,
    // The version makes the counts follow what happens to the selected rows.
    ({ selected, allSelected, total, version }) => ({ selected, allSelected, total, version }),
  );
  const subjects = subjectsNow(console);
  const more = allSelected ? total - selected.size : 0;
  return (
    <div role="toolbar" aria-label={SELECTION.bar} className={css.tools} data-keys="messages">
      <span className={css.count}>
        {more > 0
          ? fill(SELECTION.countNotLoaded, { n: count(total), more: count(more) })
          : fill(SELECTION.count, { n: count(selected.size) })}
      </span>
      <Button off={away} keys={['r']} onClick={() => commandOf('replay')?.run(console)}>
        {fill(SELECTION.button, { title: ACTS.replay, n: count(subjects.length) })}
      </Button>
      {BAR.map((act) => {
        const n = subjects.filter((subject) => whyNot(act, subject) === undefined).length;
        return (
          <Button
            key={act}
            off={away ?? whyNotAny(act, subjects)}
            onClick={() => commandOf(act)?.run(console)}
          >
            {fill(SELECTION.button, { title: ACTS[act], n: count(n) })}
          </Button>
        );
      })}
      <Button off={away} keys={['Shift+R']} onClick={() => commandOf('replayMany')?.run(console)}>
        {REPLAY_MANY.command}
      </Button>
      {whyNotDeadLetters(console) === undefined && (
        <Button off={away} onClick={() => commandOf('replayToOriginal')?.run(console)}>
          {REPLAY_MANY.toOriginal}
        </Button>
      )}
      <Button off={away} keys={['Delete']} onClick={() => commandOf('delete')?.run(console)}>
        {DELETE.act}
      </Button>
      <Button onClick={() => void console.acting.copy([...selected].join('\n'))}>{ACTS.copyIds}</Button>
      <Button off={away} onClick={() => commandOf('pin')?.run(console)}>
        {ACTS.pin}
      </Button>
      <IconButton
        icon={X}
        label={SELECTION.clear}
        onClick={() => console.messages.select({ kind: 'none' })}
      />
    </div>
  );
}
