/** Commands on recordings, which open the dialog or the screen that does the rest. */
import type { Method, Params } from '../../core/contract/console.ts';
import type { RecordingChoice } from '../../core/contract/recording.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import { GROUPS } from '../copy/commands.ts';
import { COMPARE_RECORDINGS } from '../copy/compare.ts';
import { screenOf } from '../copy/names.ts';
import { RECORDINGS } from '../copy/recordings.ts';
import { automationCall } from '../format/curl.ts';
import type { Console } from '../state/console.ts';
import { everythingOf } from '../state/selection.ts';
import type { Command } from './command.ts';

/** Whether a list of messages is on the screen, so that its filter and selection are what a person sees. */
function showsList({ navigation, recordingId }: Console): boolean {
  return recordingId !== undefined || screenOf(navigation.store.getState().path).id === 'messages';
}

/** Opens the export over the present screen: of what its list shows, else of everything. */
export function openExport(console: Console): void {
  console.commands.open(showsList(console) ? { kind: 'export' } : { kind: 'export', isAll: true });
}

/** The selection, else the messages of the list. */
function choiceNow({ messages, recordingId }: Console): RecordingChoice {
  const state = messages.store.getState();
  const { filter, selected, allSelected, upTo } = state;
  const from = withoutUndefined({ recordingId });
  if (allSelected && !upTo.isFixed) return { ...from, ...everythingOf(state) };
  if (selected.size > 0) return { ...from, messageIds: [...selected] };
  return filter === '' ? from : { ...from, filter };
}

/** Opens the part of the screen that makes tests, of the open recording if there is one. */
export function goToTest({ navigation, recordingId }: Console): void {
  navigation.go('/recordings', { part: 'test', from: recordingId });
}

function recordingCommand<M extends Method>(
  method: M,
  title: string,
  params: (console: Console) => Params<M>,
): Command {
  return {
    id: method,
    title,
    group: GROUPS.messages,
    reads: true,
    method,
    run: (console) => console.navigation.go('/recordings'),
    call: (console) => automationCall(method, params(console)),
  };
}

export const RECORDING_COMMANDS: readonly Command[] = [
  {
    ...recordingCommand('recordings.export', RECORDINGS.commandExport, (console) => ({
      ...(showsList(console) ? choiceNow(console) : {}),
      format: 'recording',
      maskHeaders: true,
    })),
    words: RECORDINGS.exportWords,
    run: openExport,
  },
  recordingCommand('recordings.import', RECORDINGS.commandImport, () => ({
    name: RECORDINGS.exampleName,
    text: '',
  })),
  {
    ...recordingCommand('recordings.compare', COMPARE_RECORDINGS.command, ({ recordings }) => {
      const before = recordings.list.store.getState().value?.items[0]?.recordingId;
      return before === undefined ? {} : { before };
    }),
    run: ({ navigation }) => navigation.go('/recordings', { part: 'compare' }),
  },
  {
    ...recordingCommand('recordings.toTest', RECORDINGS.commandTest, (console) => ({
      ...choiceNow(console),
      target: 'scenario',
    })),
    run: goToTest,
  },
];
