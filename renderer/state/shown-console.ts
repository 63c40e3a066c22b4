/** The console of what is on the screen: in an open recording it reads that one, and cannot change anything. */
import { RECORDINGS } from '../copy/recordings.ts';
import type { Overlay } from './commands.ts';
import type { Console } from './console.ts';
import type { RecordingLists } from './recordings.ts';

/** Overlays that a recording allows: they change nothing in it. Most others act on its messages. */
const OPENS: ReadonlySet<Overlay['kind']> = new Set([
  'palette',
  'shortcuts',
  'filter-help',
  'column-width',
  'save-view',
  'hold',
  'rule',
]);

/** Consoles that were limited to a recording, by its lists: views keep the same one. */
const limited = new WeakMap<RecordingLists, Console>();

/** A console limited to this recording: its own list and detail, without acts. */
export function consoleOfRecording(console: Console, recordingId: string): Console {
  const lists = console.recordings.lists(recordingId);
  const known = limited.get(lists);
  if (known !== undefined) return known;
  const refuse = (): void => console.toasts.failed(RECORDINGS.refused);
  const refuseLater = async (): Promise<void> => refuse();
  const refuseWork = async (): Promise<boolean> => {
    refuse();
    return false;
  };
  const made: Console = {
    ...console,
    ...lists,
    acting: {
      ...console.acting,
      act: refuse,
      actOnFilter: refuseLater,
      replay: refuseWork,
      deadLetterTo: refuseWork,
      release: refuseWork,
      pin: refuseLater,
    },
    commands: {
      ...console.commands,
      open(overlay: Overlay): void {
        if (overlay.kind === 'compare')
          console.commands.open({ ...overlay, leftIn: recordingId, rightIn: recordingId });
        else if (overlay.kind === 'what-if') console.commands.open({ ...overlay, recordingId });
        else if (overlay.kind === 'export') console.commands.open({ ...overlay, from: recordingId });
        else if (OPENS.has(overlay.kind)) console.commands.open(overlay);
        else refuse();
      },
    },
    opensWindows: false,
    readOnly: RECORDINGS.refused,
    recordingId,
  };
  limited.set(lists, made);
  return made;
}

/** The console that keys and the palette act on: that of the open recording, else the one of the live history. */
export function shownConsole(console: Console): Console {
  const { navigation, recordings } = console;
  const wanted = navigation.store.getState().path === '/recordings' ? navigation.param('r') : undefined;
  const open = recordings.list.store.getState().value?.items ?? [];
  return wanted !== undefined && open.some(({ recordingId }) => recordingId === wanted)
    ? consoleOfRecording(console, wanted)
    : console;
}
