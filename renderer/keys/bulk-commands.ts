/** Commands on many messages: replay with options, return dead letters to their topic, remove. */
import { foremost } from '../../core/contract/attention.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { ACT_DONE, ACT_WHY } from '../copy/acts.ts';
import { COMMAND_WHY, GROUPS } from '../copy/commands.ts';
import { fill } from '../copy/fill.ts';
import { CLEAR, DELETE, REPLAY_MANY } from '../copy/jobs.ts';
import { automationCall } from '../format/curl.ts';
import { count } from '../format/quantity.ts';
import { distinct } from '../state/act-question.ts';
import { openerAfter, type Overlay, type ReplayManyOf } from '../state/commands.ts';
import type { Console } from '../state/console.ts';
import type { What } from '../state/messages-state.ts';
import { isSelectionOf } from '../state/selection.ts';
import type { Command } from './command.ts';
import { subjectsNow, whatNow, whyNoSubject } from './subjects.ts';

/** Opens the dialog for replaying many. */
function replayMany(console: Console, removes: ReplayManyOf['removes']): void {
  const what = whatNow(console);
  if (what !== undefined) console.commands.open({ kind: 'replay-many', what, removes });
}

/** Removes dead-letter copies, or messages of which some may have a copy that stays. */
function removedNow(console: Console): ReplayManyOf['removes'] {
  const rows = subjectsNow(console).map(({ row }) => row);
  if (rows.some(isCopy)) return 'copies';
  return rows.some(({ deliveries }) => deliveries.some(({ state }) => state === 'dead-lettered'))
    ? 'dead-lettered'
    : 'messages';
}

/**
 * Removes messages; asks first if there are many, or one that is not in sight.
 * @param rows those of the messages that are loaded
 */
export function deleteMany(
  console: Console,
  messageIds: readonly string[],
  rows: readonly Pick<MessageRow, 'topic'>[],
): void {
  const run = (): void => void remove(console, { messageIds });
  if (messageIds.length === 1 && rows.length === 1) {
    run();
    return;
  }
  const topics = distinct(rows.map(({ topic }) => topic));
  const text = topics === '' ? DELETE.textNotLoaded : DELETE.text;
  console.commands.open(
    questionOf(
      fill(DELETE.title, { n: count(messageIds.length) }),
      fill(text, { n: count(messageIds.length), topics }),
      run,
    ),
  );
}

/**
 * Removes messages, which ends their selection; the keyboard moves to the row after them, unless it has left
 * them meanwhile.
 */
async function remove(console: Console, what: What): Promise<void> {
  const { messages } = console;
  const messageIds = 'messageIds' in what ? what.messageIds : [];
  const next = neighbourOf(console, new Set(messageIds));
  if (!(await console.jobs.remove(what))) return;
  if (isSelectionOf(what, messages.store.getState())) messages.select({ kind: 'none' });
  if (next !== undefined && messageIds.includes(messages.store.getState().current ?? ''))
    messages.setCurrent(next);
}

/** The row after the removed ones, else the one before; undefined: the keyboard is at none of them. */
function neighbourOf({ messages }: Console, going: ReadonlySet<string>): string | undefined {
  const { current, total } = messages.store.getState();
  const index = current === undefined || !going.has(current) ? undefined : messages.rows.indexOf(current);
  if (index === undefined) return undefined;
  const stays = (at: number): boolean => !going.has(messages.rows.idAt(at) ?? '');
  let at = index + 1;
  while (at < total && !stays(at)) at += 1;
  if (at >= total) for (at = index - 1; at >= 0 && !stays(at);) at -= 1;
  return messages.rows.idAt(at);
}

function questionOf(title: string, text: string, run: () => void): Overlay {
  return { kind: 'confirm', question: { title, text, yes: DELETE.act, danger: true, run } };
}

function deleteNow(console: Console): void {
  const what = whatNow(console);
  if (what === undefined) return;
  if ('messageIds' in what) {
    const rows = subjectsNow(console).map(({ row }) => row);
    deleteMany(console, what.messageIds, rows);
  } else void deleteMatching(console, what);
}

/** Asks with the number of matches that the host has counted, if these are still selected by then. */
async function deleteMatching(
  console: Console,
  what: Extract<What, { readonly filter: string }>,
): Promise<void> {
  const open = openerAfter(console, DELETE.act);
  await console.acting.run('delete', async () => {
    const { total } = await console.call('messages.list', { ...what, limit: 1 });
    if (!isSelectionOf(what, console.messages.store.getState())) {
      console.toasts.failed(ACT_DONE.selectionChanged);
      return undefined;
    }
    if (total === 0) throw new Error(ACT_WHY.noneLeft);
    const { filter } = what;
    const n = count(total);
    const text = fill(filter === '' ? DELETE.allText : DELETE.filterText, { n, filter });
    open(questionOf(fill(DELETE.title, { n }), text, () => void remove(console, what)));
    return undefined;
  });
}

/** Filter for everything that is not pinned. */
const NOT_PINNED = 'NOT is:pinned';

async function clearAll(console: Console): Promise<void> {
  const open = openerAfter(console, CLEAR.act);
  await console.acting.run('clear', async () => {
    const [{ total }, pinned] = await Promise.all([
      console.call('messages.list', { limit: 1 }),
      console.call('messages.list', { filter: 'is:pinned', limit: 1 }),
    ]);
    const n = total - pinned.total;
    if (n <= 0) return CLEAR.nothing;
    const kept = fill(CLEAR.pinned, { n: count(pinned.total) });
    const text = fill(CLEAR.text, { n: count(n) });
    open({
      kind: 'confirm',
      question: {
        title: CLEAR.title,
        text: pinned.total === 0 ? text : `${text} ${kept}`,
        yes: CLEAR.act,
        danger: true,
        run: () => void console.jobs.remove({ filter: NOT_PINNED }),
        before: {
          title: CLEAR.exportFirst,
          run: () => console.commands.open({ kind: 'export', isAll: true }),
        },
      },
    });
    return undefined;
  });
}

function needsSome(console: Console): string | undefined {
  return whatNow(console) === undefined ? whyNoSubject(console) : undefined;
}

/**
 * Whether a message can return to its topic: a dead letter, or a message that ended in a state that needs
 * attention.
 */
function goesBack({ deadLetterOf, deliveries }: MessageRow): boolean {
  const state = foremost(deliveries)?.state;
  return deadLetterOf !== undefined || state === 'dead-lettered' || state === 'parked' || state === 'expired';
}

/** Whether the message is a copy on a dead-letter topic, whose replay goes to another topic than its own. */
function isCopy({ deadLetterOf }: MessageRow): boolean {
  return deadLetterOf !== undefined;
}

/** Why replaying with removal does not apply; it is for dead letters and messages that need attention. */
function whyNotBack(console: Console): string | undefined {
  const subjects = subjectsNow(console);
  if (subjects.length === 0) return whyNoSubject(console);
  return subjects.every(({ row }) => goesBack(row)) ? undefined : REPLAY_MANY.notDeadLetters;
}

/** Why returning to the original topic does not apply: only a copy on a dead-letter topic has another one. */
function whyNotCopies(console: Console): string | undefined {
  const why = whyNotBack(console);
  return why ?? (subjectsNow(console).some(({ row }) => isCopy(row)) ? undefined : REPLAY_MANY.notCopies);
}

/** Why replaying with removal has to be named otherwise, or does not apply. */
function whyNotOriginals(console: Console): string | undefined {
  const why = whyNotBack(console);
  return why ?? (subjectsNow(console).some(({ row }) => isCopy(row)) ? REPLAY_MANY.onlyCopies : undefined);
}

/** The command of replaying with removal that applies to the selection, by its id; undefined: none does. */
export function replayAndRemoveNow(console: Console): Command | undefined {
  return REMOVING.find(({ when }) => when?.(console) === undefined);
}

function removingCommand(id: string, title: string, when: NonNullable<Command['when']>): Command {
  return {
    id,
    title,
    group: GROUPS.messages,
    method: 'messages.replayMany',
    when,
    run: (console) => replayMany(console, removedNow(console)),
    call(console) {
      const what = whatNow(console);
      return what && automationCall('messages.replayMany', { ...what, removeAfter: true });
    },
  };
}

/** One act with two names, because a message that is no copy has no other topic to return to. */
const REMOVING: readonly Command[] = [
  removingCommand('replayToOriginal', REPLAY_MANY.toOriginal, whyNotCopies),
  removingCommand('replayAndRemove', REPLAY_MANY.andRemove, whyNotOriginals),
];

export const BULK_COMMANDS: readonly Command[] = [
  {
    id: 'replayMany',
    title: REPLAY_MANY.command,
    group: GROUPS.messages,
    keys: ['Shift+R'],
    scope: 'messages',
    method: 'messages.replayMany',
    when: needsSome,
    run: (console) => replayMany(console, undefined),
    call(console) {
      const what = whatNow(console);
      return what && automationCall('messages.replayMany', what);
    },
  },
  ...REMOVING,
  {
    id: 'clear',
    title: CLEAR.command,
    group: GROUPS.messages,
    method: 'messages.delete',
    when: (console) =>
      console.connection.getState().runtime?.kept === 0 ? COMMAND_WHY.nothingKept : undefined,
    run: (console) => void clearAll(console),
    call: () => automationCall('messages.delete', { filter: NOT_PINNED }),
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
