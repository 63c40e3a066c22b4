/** Records from a moment on: Sidelight keeps everything anyway, so this marks the beginning, and ends with an export. */
import { Circle, Download, Square } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { RECORDINGS } from '../../copy/recordings.ts';
import { hereOf, hereText } from '../../format/since-here.ts';
import { commandOf } from '../../keys/commands.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';

export function RecordPart(): ReactElement {
  const console = useConsole();
  const here = useSelected(console.messages.store, ({ filter }) => hereOf(filter));
  return (
    <section aria-label={RECORDINGS.record} className={page.box}>
      <h2>{RECORDINGS.record}</h2>
      <p role="status">
        {here === undefined ? RECORDINGS.recordHint : fill(RECORDINGS.recording, { time: hereText(here) })}
      </p>
      <div className={page.bar}>
        {here === undefined ? (
          <Button icon={Circle} onClick={() => commandOf('fromHere')?.run(console)}>
            {RECORDINGS.recordStart}
          </Button>
        ) : (
          <>
            <Button icon={Download} kind="primary" onClick={() => console.commands.open({ kind: 'export' })}>
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
