/**
 * One recording with the list and detail of the Messages screen, read-only; without a recording the
 * Recordings screen.
 */
import { ArrowLeft, FlaskConical, GitCompare, Send, X } from 'lucide-react';
import { useEffect, type ReactElement } from 'react';
import type { Recording } from '../../core/contract/recording.ts';
import { Button } from '../components/Button.tsx';
import { Loading } from '../components/States.tsx';
import { ACT_WHY } from '../copy/acts.ts';
import { COMPARE_RECORDINGS } from '../copy/compare.ts';
import { fill } from '../copy/fill.ts';
import { RECORDINGS } from '../copy/recordings.ts';
import { count } from '../format/quantity.ts';
import { recordingProblems } from '../format/recording-problems.ts';
import type { Confirmation } from '../state/commands.ts';
import type { Console } from '../state/console.ts';
import { ConsoleProvider, useAway, useConsole, useParam, useResource } from '../state/context.ts';
import { consoleOfRecording } from '../state/shown-console.ts';
import { MessagesView } from '../views/messages/MessagesView.tsx';
import { RecordingsView } from '../views/recordings/RecordingsView.tsx';
import css from './RecordingScreen.module.css';

/** The screen, or the recording in the address. */
export function RecordingScreen(): ReactElement {
  const { recordings } = useConsole();
  const wanted = useParam('r');
  const { value } = useResource(recordings.list);
  // Scripts and other windows open recordings too, without an event.
  useEffect(() => void recordings.list.refresh(), [recordings]);
  if (wanted === undefined) return <RecordingsView />;
  if (value === undefined) return <Loading text={RECORDINGS.loading} />;
  const found = value.items.find(({ recordingId }) => recordingId === wanted);
  return found === undefined ? <RecordingsView /> : <OneRecording recording={found} />;
}

function OneRecording({ recording }: { readonly recording: Recording }): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const scoped = consoleOfRecording(console, recording.recordingId);
  const { name } = recording;
  useEffect(() => scoped.messages.setFollow(false), [scoped]);

  return (
    <div className={css.screen}>
      <div className={css.bar}>
        <Button icon={ArrowLeft} onClick={() => console.navigation.go('/recordings')}>
          {RECORDINGS.back}
        </Button>
        <strong>
          <bdi>{fill(RECORDINGS.name, { name })}</bdi>
        </strong>
        <span className={css.badge}>{RECORDINGS.readOnly}</span>
        {recordingProblems(recording).map((text) => (
          <span key={text} className={css.problem}>
            {text}
          </span>
        ))}
        <span className={css.space} />
        <Button
          icon={Send}
          off={away}
          onClick={() =>
            console.commands.open({ kind: 'confirm', question: replayQuestion(scoped, recording) })
          }
        >
          {RECORDINGS.again}
        </Button>
        <Button
          icon={GitCompare}
          onClick={() => console.navigation.go('/recordings', { part: 'compare', a: recording.recordingId })}
        >
          {COMPARE_RECORDINGS.short}
        </Button>
        <Button
          icon={FlaskConical}
          onClick={() => console.navigation.go('/recordings', { part: 'test', from: recording.recordingId })}
        >
          {RECORDINGS.test}
        </Button>
        <Button icon={X} onClick={() => void close(console, recording.recordingId)}>
          {RECORDINGS.close}
        </Button>
      </div>
      <ConsoleProvider value={scoped}>
        <MessagesView />
      </ConsoleProvider>
    </div>
  );
}

/** The question before a replay: about the selected messages, else those that match the filter, else all. */
function replayQuestion(
  { jobs, messages }: Console,
  { recordingId, messages: all }: Recording,
): Confirmation {
  const { filter, selected, allSelected, total } = messages.store.getState();
  const isSelected = selected.size > 0 && !allSelected;
  const is = isSelected ? 'selected' : filter === '' ? 'all' : 'filter';
  const n = count({ all, filter: total, selected: selected.size }[is]);
  const choice = { all: {}, filter: { filter }, selected: { messageIds: [...selected] } }[is];
  return {
    title: fill(RECORDINGS.againTitle, { n }),
    text: fill(RECORDINGS.againText, { n, what: fill(RECORDINGS.againWhat[is], { filter }) }),
    yes: RECORDINGS.againYes,
    danger: false,
    run: () => void jobs.replayRecording({ recordingId, ...choice }),
  };
}

async function close(console: Console, recordingId: string): Promise<void> {
  await console.acting.run('recordings.close', async () => {
    await console.call('recordings.close', { recordingId });
    console.recordings.forget(recordingId);
    console.navigation.go('/recordings');
    await console.recordings.list.refresh();
    return undefined;
  });
}
