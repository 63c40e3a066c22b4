/** Commands on many messages: replay with options, dead letters back where they came from, taking away. */
import type { MessageRow } from '../../core/contract/message.ts';
import { ACT_WHY, CONFIRM } from '../copy/acts.ts';
import { GROUPS } from '../copy/commands.ts';
import { fill } from '../copy/fill.ts';
import { DELETE, REPLAY_MANY } from '../copy/jobs.ts';
import { automationCall } from '../format/curl.ts';
import { count } from '../format/quantity.ts';
import type { Console } from '../state/console.ts';
import type { Command } from './command.ts';
import { subjectsNow } from './subjects.ts';

type What = { readonly messageIds: readonly string[] } | { readonly filter: string };

/** What commands on many are about: everything that matches, or the rows that are chosen. */
export function whatNow(console: Console): What | undefined {
  const { selected, allSelected, filter, total } = console.messages.store.getState();
  if (allSelected && selected.size < total) return { filter };
  const messageIds = selected.size > 0 ? [...selected] : subjectsNow(console).map(({ row }) => row.messageId);
  return messageIds.length === 0 ? undefined : { messageIds };
}

/** Opens the dialog of a replay of many. */
export function replayMany(console: Console, removes: boolean): void {
  const what = whatNow(console);
  if (what !== undefined) console.commands.open({ kind: 'replay-many', what, removes });
}

/** Takes messages away; asks first where they are many. */
export function deleteMany(console: Console, rows: readonly Pick<MessageRow, 'messageId' | 'topic'>[]): void {
  const messageIds = rows.map(({ messageId }) => messageId);
  const run = (): void => void console.jobs.remove({ messageIds });
  if (messageIds.length === 1) {
    run();
    return;
  }
  const topics = [...new Set(rows.map(({ topic }) => topic))].join(', ');
  ask(console, fill(DELETE.title, { n: count(messageIds.length) }), fill(DELETE.text, { topics }), run);
}

function ask(console: Console, title: string, text: string, run: () => void): void {
  console.commands.open({
    kind: 'confirm',
    question: { title, text, yes: DELETE.act, danger: true, run },
  });
}

function deleteNow(console: Console): void {
  const what = whatNow(console);
  if (what === undefined) return;
  if ('messageIds' in what) {
    const rows = subjectsNow(console).map(({ row }) => row);
    deleteMany(console, rows);
    return;
  }
  const { filter } = what;
  const said = fill(DELETE.filterText, { filter: filter === '' ? CONFIRM.everything : filter });
  ask(console, DELETE.filterTitle, said, () => void console.jobs.remove(what));
}

function needsSome(console: Console): string | undefined {
  return whatNow(console) === undefined ? ACT_WHY.noMessage : undefined;
}

/** Why going back to the original topic does not apply: it is for dead letters only. */
export function whyNotDeadLetters(console: Console): string | undefined {
  const subjects = subjectsNow(console);
  if (subjects.length === 0) return ACT_WHY.noMessage;
  return subjects.every(({ row }) => row.deadLetterOf !== undefined) ? undefined : REPLAY_MANY.notDeadLetters;
}

export const MANY_COMMANDS: readonly Command[] = [
  {
    id: 'replayMany',
    title: REPLAY_MANY.command,
    group: GROUPS.messages,
    keys: ['Shift+R'],
    scope: 'messages',
    method: 'messages.replayMany',
    when: needsSome,
    run: (console) => replayMany(console, false),
    call(console) {
      const what = whatNow(console);
      return what && automationCall('messages.replayMany', what);
    },
  },
  {
    id: 'replayToOriginal',
    title: REPLAY_MANY.toOriginal,
    group: GROUPS.messages,
    method: 'messages.replayMany',
    when: whyNotDeadLetters,
    run: (console) => replayMany(console, true),
    call(console) {
      const what = whatNow(console);
      return what && automationCall('messages.replayMany', { ...what, removeAfter: true });
    },
  },
  {
    id: 'delete',
    title: DELETE.act,
    group: GROUPS.messages,
    keys: ['Delete'],
    scope: 'messages',
    method: 'messages.delete',
    when: needsSome,
    run: deleteNow,
    call(console) {
      const what = whatNow(console);
      return what && automationCall('messages.delete', what);
    },
  },
];
