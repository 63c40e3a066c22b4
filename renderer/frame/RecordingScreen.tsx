/**
 * One recording with the list and detail of the Messages screen, read-only; without a recording the
 * Recordings screen.
 */
import { ArrowLeft, FlaskConical, GitCompare, Send, X } from 'lucide-react';
import { useEffect, useMemo, type KeyboardEvent, type ReactElement } from 'react';
import type { Recording } from '../../core/contract/recording.ts';
import { Button } from '../components/Button.tsx';
import { Loading } from '../components/States.tsx';
import { ACT_WHY } from '../copy/acts.ts';
import { COMPARE_RECORDINGS } from '../copy/compare.ts';
import { fill } from '../copy/fill.ts';
import { RECORDINGS } from '../copy/recordings.ts';
import { count } from '../format/quantity.ts';
import type { Confirmation, Overlay } from '../state/commands.ts';
import { stepOf } from '../keys/chord.ts';
import { isTyping } from '../keys/use-keys.ts';
import { commandOf, COMMANDS } from '../keys/commands.ts';
import type { Console } from '../state/console.ts';
import { ConsoleProvider, useAway, useConsole, useParam, useResource } from '../state/context.ts';
import { MessagesView } from '../views/messages/MessagesView.tsx';
import { RecordingsView } from '../views/recordings/RecordingsView.tsx';
import css from './RecordingScreen.module.css';

/** Overlays that a recording allows: they change nothing in it. All others act on its messages. */
const OPENS: ReadonlySet<Overlay['kind']> = new Set([
  'palette',
  'shortcuts',
  'filter-help',
  'column-width',
  'hold',
  'rule',
]);
/** Commands on messages that a recording allows, by their keys. */
const ALLOWED = ['compare', 'whatIf'].flatMap((id) => commandOf(id) ?? []);
/** Keys of commands that would act on the live list. */
const LIVE_KEYS = new Set(
  COMMANDS.filter(({ scope }) => scope === 'messages').flatMap(({ keys = [] }) => keys),
);

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

/** A console limited to this recording: its own list and detail, without acts. */
function useScoped(recordingId: string): Console {
  const console = useConsole();
  return useMemo(() => {
    const refuse = (): void => console.toasts.failed(RECORDINGS.refused);
    const refuseLater = async (): Promise<void> => refuse();
    const refuseWork = async (): Promise<boolean> => {
      refuse();
      return false;
    };
    const acting = {
      ...console.acting,
      act: refuse,
      actOnFilter: refuseLater,
      replay: refuseWork,
      deadLetterTo: refuseWork,
      release: refuseWork,
      pin: refuseLater,
    };
    const commands = {
      ...console.commands,
      open(overlay: Overlay): void {
        if (overlay.kind === 'compare')
          console.commands.open({ ...overlay, leftIn: recordingId, rightIn: recordingId });
        else if (overlay.kind === 'what-if') console.commands.open({ ...overlay, recordingId });
        else if (overlay.kind === 'export') console.commands.open({ ...overlay, from: recordingId });
        else if (OPENS.has(overlay.kind)) console.commands.open(overlay);
        else refuse();
      },
    };
    return {
      ...console,
      ...console.recordings.lists(recordingId),
      acting,
      commands,
      opensWindows: false,
      readOnly: RECORDINGS.refused,
      recordingId,
    };
  }, [console, recordingId]);
}

function OneRecording({ recording }: { readonly recording: Recording }): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const scoped = useScoped(recording.recordingId);
  const { name } = recording;
  useEffect(() => scoped.messages.setFollow(false), [scoped]);

  function onKeyDown(event: KeyboardEvent): void {
    const step = stepOf(event.nativeEvent);
    if (!LIVE_KEYS.has(step)) return;
    event.stopPropagation();
    const command = ALLOWED.find(({ keys = [] }) => keys.includes(step));
    if (command === undefined || !(event.target instanceof Element) || isTyping(event.target)) return;
    if (command.when?.(scoped) === undefined) command.run(scoped);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keeps keys of the live list from acting here
    <div className={css.screen} onKeyDown={onKeyDown}>
      <div className={css.bar}>
        <Button icon={ArrowLeft} onClick={() => console.navigation.go('/recordings')}>
          {RECORDINGS.back}
        </Button>
        <strong>
          <bdi>{fill(RECORDINGS.name, { name })}</bdi>
        </strong>
        <span className={css.badge}>{RECORDINGS.readOnly}</span>
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
