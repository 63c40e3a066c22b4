/** Choice of messages for an export or a test. */
import type { Recording, RecordingChoice } from '../../../core/contract/recording.ts';
import { fill } from '../../copy/fill.ts';
import { RECORDINGS } from '../../copy/recordings.ts';
import { count } from '../../format/quantity.ts';
import { hereText, recordedFilter, type Recorded } from '../../format/since-here.ts';
import type { Console } from '../../state/console.ts';
import { everythingOf, selectedCount } from '../../state/selection.ts';

export interface What {
  readonly value: string;
  readonly title: string;
  readonly choice: RecordingChoice;
}

/**
 * The present choices: everything, what the list shows, what is selected in it.
 * @param asked a record, which is the first choice then: it is what its export was asked for
 * @param ended the last record that was stopped, which is the last choice
 */
export function whatsNow(
  { messages }: Pick<Console, 'messages'>,
  asked: Recorded = {},
  ended: Recorded = {},
): readonly What[] {
  const state = messages.store.getState();
  const { filter, selected, allSelected, upTo } = state;
  const whats: What[] = [{ value: 'all', title: RECORDINGS.whats.all, choice: {} }];
  const recorded = recordedFilter(asked);
  if (recorded === undefined) whats.push(...whatsRecorded(ended));
  if (filter !== '' && filter !== recorded) {
    const title = fill(RECORDINGS.whats.filter, { filter });
    whats.unshift({ value: 'filter', title, choice: { filter } });
  }
  if (selected.size > 0 || allSelected) {
    const n = selectedCount(state);
    // Lines of a grouped list are not messages.
    const isPart = state.groupBy === '' && n < state.total;
    const title = fill(isPart ? RECORDINGS.whats.part : RECORDINGS.whats.selected, {
      n: count(n),
      total: count(state.total),
    });
    const choice = allSelected && !upTo.isFixed ? everythingOf(state) : { messageIds: [...selected] };
    whats.unshift({ value: 'selected', title, choice });
  }
  return [...whatsRecorded(asked), ...whats];
}

/** The choice of a record, if there is one. */
function whatsRecorded(record: Recorded): readonly What[] {
  const { since, until } = record;
  const filter = recordedFilter(record);
  if (since === undefined || filter === undefined) return [];
  const title = fill(until === undefined ? RECORDINGS.whats.recorded : RECORDINGS.whats.recordedUntil, {
    time: hereText(since),
    until: until === undefined ? undefined : hereText(until),
  });
  return [{ value: 'recorded', title, choice: { filter } }];
}

/** Choices from an open recording, whose list has its own filter and selection. */
export function whatsOf({ recordings }: Console, { recordingId, name }: Recording): readonly What[] {
  return whatsNow(recordings.lists(recordingId)).map(({ value, title, choice }) => ({
    value: `${recordingId} ${value}`,
    title: value === 'all' ? name : fill(RECORDINGS.whats.of, { name, what: title }),
    choice: { ...choice, recordingId },
  }));
}
