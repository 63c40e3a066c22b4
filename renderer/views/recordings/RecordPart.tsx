/** Records from a moment on: Sidelight keeps everything anyway, so this marks the beginning, and ends with an export. */
import { Circle, Download, Square } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { RECORDINGS } from '../../copy/recordings.ts';
import { filterFor } from '../../format/filter-for.ts';
import { hereOf, hereText, withHere } from '../../format/since-here.ts';
import { commandOf } from '../../keys/commands.ts';
import { appliedFilter } from '../../keys/list-commands.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';

/** What is being recorded, and what the list shows of it: its filter and the chosen app may leave some out. */
function recordText(here: string, filter: string, appId: string): string {
  const began = fill(RECORDINGS.recording, { time: hereText(here) });
  if (hereOf(filter) !== here) return `${began} ${RECORDINGS.recordBeside}`;
  const rest = filterFor(withHere(filter, undefined), appId);
  const shown = rest === '' ? RECORDINGS.recordList : fill(RECORDINGS.recordNarrow, { filter: rest });
  return `${began} ${shown}`;
}

export function RecordPart(): ReactElement {
  const console = useConsole();
  const appId = useSelected(console.ui, (state) => state.appId);
  const filter = appliedFilter(console);
  const running = useSelected(console.ui, ({ recordingSince }) => recordingSince);
  const here = running === '' ? undefined : running;
  const isEmpty = useSelected(console.connection, ({ runtime }) => runtime?.kept === 0);
  return (
    <section aria-label={RECORDINGS.record} className={page.box}>
      <h2>{RECORDINGS.record}</h2>
      <p role="status">{here === undefined ? RECORDINGS.recordHint : recordText(here, filter, appId)}</p>
      <div className={page.bar}>
        {here === undefined ? (
          <Button
            icon={Circle}
            kind={isEmpty ? 'primary' : 'plain'}
            onClick={() => commandOf('fromHere')?.run(console)}
          >
            {RECORDINGS.recordStart}
          </Button>
        ) : (
          <>
            <Button
              icon={Download}
              kind="primary"
              onClick={() => console.commands.open({ kind: 'export', record: { since: here } })}
            >
              {RECORDINGS.recordExport}
            </Button>
            <Button icon={Square} onClick={() => commandOf('everything')?.run(console)}>
              {RECORDINGS.recordStop}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}
