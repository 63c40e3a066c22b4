/**
 * Ends a recording whose history is gone: after a restart with another folder, its time would be one of a history that it never began in. And one
 * that a copy of a window has from the first window, in which it goes on.
 */
import { fill } from '../copy/fill.ts';
import { RECORDINGS } from '../copy/recordings.ts';
import { hereText } from '../format/since-here.ts';
import type { ConnectionState, ConnectionStore } from './connection.ts';
import type { Toasts } from './toasts.ts';
import type { UiStore } from './ui.ts';

/** What tells a history from others: its folder, or the start of the host that keeps none; '': not known yet. */
export function historyOf({ system, epoch }: Pick<ConnectionState, 'system' | 'epoch'>): string {
  if (system === undefined) return '';
  return system.dataDir ?? epoch ?? '';
}

interface Watched {
  readonly connection: ConnectionStore;
  readonly toasts: Pick<Toasts, 'news'>;
  readonly ui: UiStore;
}

/**
 * Looks at the history whenever the host tells something of itself.
 * @returns ends it
 */
export function endRecordingsOfOthers({ connection, toasts, ui }: Watched): () => void {
  return connection.subscribe((state) => {
    const history = historyOf(state);
    const { recordingSince: since, recorded, recordedIn } = ui.getState();
    if (history === '' || history === recordedIn || (since === '' && recorded.since === undefined)) return;
    if (recordedIn === '') {
      ui.setState({ recordedIn: history });
      return;
    }
    ui.setState({ recordingSince: '', recorded: {}, recordedIn: '' });
    if (since !== '') toasts.news(fill(RECORDINGS.otherHistory, { time: hereText(since) }));
  });
}

/** Ends the recording of a copy of a window. Its list shows what it showed, and can be brought back. */
export function endRecordingOfCopy({ toasts, ui }: Omit<Watched, 'connection'>): void {
  const { recordingSince: since } = ui.getState();
  ui.setState({ recordingSince: '', recorded: {}, recordedIn: '' });
  if (since !== '') toasts.news(fill(RECORDINGS.otherWindow, { time: hereText(since) }));
}
