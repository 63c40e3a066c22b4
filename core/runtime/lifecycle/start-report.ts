/** Facts that a start found about the previous run, as counts and as sentences. */
import type { StartReport } from '../../contract/reports.ts';
import { counted } from '../../contract/count-text.ts';
import type { SettingValues } from '../../domain/settings.ts';

type JournalSync = SettingValues['journal.sync'];

export type StartCounts = Omit<StartReport, 'text' | 'at'>;

export const NOTHING_FOUND: StartCounts = {
  kept: 0,
  unfinished: 0,
  requeued: 0,
  republished: 0,
  wasCut: false,
  ended: 0,
  wentOn: 0,
  held: 0,
  parked: 0,
  none: 0,
  replayed: 0,
  damaged: 0,
};

/** What a report may promise. */
export interface Promised {
  /** How the journal is written; absent: `full`. */
  readonly sync?: JournalSync;
  /** True when records could not be taken in. */
  readonly mayMiss?: boolean | undefined;
}

/**
 * Makes the report.
 * @param at ISO 8601
 */
export function startReport(counts: StartCounts, at: string, promised: Promised = {}): StartReport {
  return { at, ...counts, text: textOf(counts, promised) };
}

function textOf(counts: StartCounts, promised: Promised): string {
  const { wasCut, kept, ended, wentOn, requeued, republished, held, parked, none, replayed, damaged } =
    counts;
  if (kept === 0) return 'There was no history.';
  const open = [
    part(requeued, 'was interrupted and is repeated', 'were interrupted and are repeated'),
    part(wentOn, 'goes on', 'go on'),
    part(republished, 'was published again', 'were published again'),
    part(held, 'is held', 'are held'),
    part(parked, 'is parked', 'are parked'),
    part(ended, 'was finished before', 'were finished before'),
    part(none, 'has no subscription', 'have no subscription'),
    part(replayed, 'had no subscription and was replayed', 'had no subscription and were replayed'),
  ].filter((text) => text !== undefined);
  const before = wasCut ? 'Sidelight did not end cleanly before this start' : 'Sidelight was restarted';
  const history = `the history has ${counted(kept, 'message')}`;
  const found = open.length === 0 ? '' : `. Of the messages and deliveries ${open.join(', ')}`;
  const loss =
    damaged === 0
      ? nothingLost(wasCut, promised)
      : `${counted(damaged, 'message could not be read as written and is', 'messages could not be read as written and are')} not delivered.`;
  return `${before}; ${history}${found}. ${loss}`;
}

/** A loss of power may take the last moments with it, without a trace, where the disk was not waited for. */
function nothingLost(wasCut: boolean, { sync = 'full', mayMiss = false }: Promised): string {
  if (mayMiss) return 'Messages may be missing: a warning says which file could not be read.';
  return wasCut && sync === 'normal'
    ? 'No message that Sidelight accepted is missing, unless the power failed: with journal.sync normal the last moments may be lost then.'
    : 'No message that Sidelight accepted is missing.';
}

function part(count: number, one: string, several: string): string | undefined {
  return count === 0 ? undefined : counted(count, one, several);
}
