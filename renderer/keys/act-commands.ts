/** Commands on messages and deliveries. */
import { ACT_DONE, ACTS, ACT_WHY, SELECTION } from '../copy/acts.ts';
import { GROUPS } from '../copy/commands.ts';
import { fill } from '../copy/fill.ts';
import { WHAT_IF } from '../copy/what-if.ts';
import { publishAgainOf } from '../state/publish-again.ts';
import { APART_BYTES } from '../state/payloads.ts';
import { publishCurl } from '../format/repeat-request.ts';
import { count } from '../format/quantity.ts';
import { sidecarTarget } from '../format/sidecar-target.ts';
import { automationCall } from '../format/curl.ts';
import {
  deliveriesFor,
  isEditedHeld,
  isForMessage,
  whyNoDelivery,
  whyNot,
  type ActSubject,
} from '../format/act-targets.ts';
import type { Act } from '../../core/contract/acts.ts';
import { foremost } from '../../core/contract/attention.ts';
import type { Method } from '../../core/contract/console.ts';
import type { MessageChanges } from '../../core/contract/publish.ts';
import type { Console } from '../state/console.ts';
import { openerAfter } from '../state/commands.ts';
import { rowsById } from '../state/rows-by-id.ts';
import { isSelectionOf, selectedCount } from '../state/selection.ts';
import type { Command } from './command.ts';
import {
  everythingNow,
  singleNow,
  subjectNow,
  subjectsNow,
  unreadNow,
  whatNow,
  whyNoSubject,
} from './subjects.ts';

const METHODS = {
  retry: 'deliveries.retry',
  hold: 'deliveries.hold',
  release: 'deliveries.release',
  drop: 'deliveries.drop',
  deadLetter: 'deliveries.deadLetter',
  cancel: 'deliveries.cancelAttempt',
} as const satisfies Readonly<Record<Act, Method>>;

/** Why an act applies to none of the subjects; undefined: it applies to at least one. */
export function whyNotAny(act: Act, subjects: readonly ActSubject[]): string | undefined {
  const [first] = subjects;
  if (first === undefined) return ACT_WHY.noMessage;
  if (subjects.some((subject) => whyNot(act, subject) === undefined)) return undefined;
  if (subjects.length === 1) return whyNot(act, first);
  return fill(ACT_WHY.noneOfSelection, { title: ACTS[act] });
}

/** Why an act does not apply now. */
function whyNotNow(console: Console, act: Act): string | undefined {
  // Messages that are not loaded may allow it: the host says so.
  const isPart = everythingNow(console) !== undefined || unreadNow(console).length > 0;
  if (act !== 'cancel' && isPart) return undefined;
  return whyNotLoaded(console, act);
}

/** Why an act applies to none of the loaded messages. */
function whyNotLoaded(console: Console, act: Act): string | undefined {
  const subjects = subjectsNow(console);
  return subjects.length === 0 ? whyNoSubject(console) : whyNotAny(act, subjects);
}

/** Opens a dialog about the message, and its delivery if one is chosen. */
function openForSubject(console: Console, kind: 'edit-replay' | 'what-if'): void {
  const subject = singleNow(console);
  if (subject === undefined) return;
  const { row, deliveryId } = subject;
  const of = deliveryId === undefined ? {} : { deliveryId };
  console.commands.open({ kind, messageId: row.messageId, ...of });
}

function doAct(console: Console, act: Act): void {
  const everything = everythingNow(console);
  const unread = unreadNow(console);
  if (act !== 'cancel' && unread.length > 0) {
    void actOnceRead(console, act, unread);
    return;
  }
  if (everything === undefined || act === 'cancel') {
    actOnSubjects(console, act);
    return;
  }
  const isMeant = (): boolean => isSelectionOf(everything, console.messages.store.getState());
  void console.acting.actOnFilter(act, everything, isMeant);
}

/** Does an act on the selection once the rows are read that are not loaded, unless it has changed by then. */
async function actOnceRead(console: Console, act: Act, unread: readonly string[]): Promise<void> {
  const { acting, messages } = console;
  const messageIds = [...messages.store.getState().selected];
  const open = openerAfter(console, ACTS[act]);
  await acting.run(act, async () => {
    const read = await rowsById(console.call, unread);
    const state = messages.store.getState();
    if (!state.allSelected || !isSelectionOf({ messageIds }, state)) {
      console.toasts.failed(ACT_DONE.selectionChanged);
      return undefined;
    }
    const subjects = subjectsNow(console, read);
    if (subjects.length > 0) acting.act(act, subjects, open);
    reportMissing(console, subjects);
    return undefined;
  });
}

/** Does an act on the messages that are loaded, and tells of those that are not. */
function actOnSubjects(console: Console, act: Act): void {
  const subjects = subjectsNow(console);
  console.acting.act(act, subjects);
  reportMissing(console, subjects);
}

function reportMissing(console: Console, subjects: readonly ActSubject[]): void {
  const state = console.messages.store.getState();
  const missing = state.selected.size === 0 ? 0 : selectedCount(state) - subjects.length;
  if (missing > 0) console.toasts.failed(fill(ACT_DONE.missing, { n: count(missing) }));
}

function callOf(console: Console, act: Act): string | undefined {
  const subject = subjectNow(console);
  if (subject === undefined) return undefined;
  if (isForMessage(act, subject)) return automationCall(METHODS[act], { messageId: subject.row.messageId });
  const [deliveryId] = deliveriesFor(act, subject);
  return deliveryId === undefined ? undefined : automationCall(METHODS[act], { deliveryId });
}

function actCommand(act: Act, keys: readonly string[]): Command {
  return {
    id: act,
    title: ACTS[act],
    group: GROUPS.messages,
    keys,
    scope: 'messages',
    method: METHODS[act],
    when: (console) => whyNotNow(console, act),
    run: (console) => doAct(console, act),
    call: (console) => callOf(console, act),
  };
}

/** Data that a person would edit; known only for the open message, and if they are not long. */
function changesOf(console: Console, messageId: string): MessageChanges {
  const { value } = console.detail.store.getState();
  if (value?.messageId !== messageId || value.dataBase64 !== undefined) return {};
  return value.payloadApart === true ? {} : { data: value.data };
}

function needsMessage(console: Console): string | undefined {
  return whatNow(console) === undefined ? whyNoSubject(console) : undefined;
}

/** Why messages cannot be pinned: that takes each one by its row, so everything selected has to be loaded. */
function whyNotPin(console: Console): string | undefined {
  const state = console.messages.store.getState();
  const n = subjectsNow(console).length;
  if (n === 0) return whyNoSubject(console);
  return state.allSelected && n < selectedCount(state) ? SELECTION.notLoaded : undefined;
}

/** Pins the messages that are loaded, and tells of those that are not. */
function pinSubjects(console: Console): void {
  const subjects = subjectsNow(console);
  for (const { row } of subjects) void console.acting.pin(row);
  reportMissing(console, subjects);
}

/** Why a command on one message has none. */
function needsOne(console: Console): string | undefined {
  return singleNow(console) === undefined ? whyNoSubject(console) : undefined;
}

/** The question what the app would answer is about a delivery. */
function whyNoQuestion(subject: ActSubject | undefined): string | undefined {
  if (subject === undefined) return ACT_WHY.noMessage;
  const { row } = subject;
  return row.deliveries.length === 0 ? whyNoDelivery(WHAT_IF.command, row) : undefined;
}

/** Copies the publish of a message as curl; loads the whole message first. */
async function copyAsCurl(console: Console, messageId: string): Promise<void> {
  await console.acting.run('copyCurl', async () => {
    const message = await console.call('messages.get', { messageId, payloadUpTo: APART_BYTES });
    const sidecar = sidecarTarget(console.connection.getState().system, message.appId);
    await console.acting.copy(publishCurl(sidecar, await publishAgainOf(console, message)), sidecar.token);
    return undefined;
  });
}

/**
 * Maximum number of messages that are replayed at once. More, or ones that are not loaded, go through the dialog with its pace and
 * progress.
 */
const AT_ONCE = 50;

/** Whether there are too many messages for a replay at once, or some of them are not loaded. */
function isMoreThan(messageIds: readonly string[], rows: readonly unknown[]): boolean {
  return messageIds.length > AT_ONCE || messageIds.length > rows.length;
}

function replayNow(console: Console): void {
  const what = whatNow(console);
  const rows = subjectsNow(console).map(({ row }) => row);
  const isApart = what !== undefined && ('filter' in what || isMoreThan(what.messageIds, rows));
  if (isApart) {
    console.commands.open({ kind: 'replay-many', what, removes: undefined });
  } else void console.acting.replay(rows);
}

/** What "Edit and release" is about: the chosen delivery, else one that can be released; without any the message itself. */
function releasedOf(subject: ActSubject): { readonly deliveryId?: string } {
  const deliveryId = subject.deliveryId ?? deliveriesFor('release', subject)[0];
  return deliveryId === undefined ? {} : { deliveryId };
}

function openRelease({ commands }: Console, subject: ActSubject): void {
  commands.open({ kind: 'edit-release', messageId: subject.row.messageId, ...releasedOf(subject) });
}

function releaseCall(console: Console, subject: ActSubject): string {
  const { messageId } = subject.row;
  const { deliveryId } = releasedOf(subject);
  const target = deliveryId === undefined ? { messageId } : { deliveryId };
  return automationCall('deliveries.release', { ...target, changes: changesOf(console, messageId) });
}

function replayCall(console: Console, { row: { messageId } }: ActSubject): string {
  const changes = changesOf(console, messageId);
  return automationCall('messages.replay', { messageId, to: 'topic', changes });
}

/** Act of the key `h`: it holds what may be held, or releases what is held. */
function holdOrRelease(console: Console): Act {
  return whyNotAny('release', subjectsNow(console)) === undefined ? 'release' : 'hold';
}

export const ACT_COMMANDS: readonly Command[] = [
  {
    id: 'replay',
    title: ACTS.replay,
    group: GROUPS.messages,
    keys: ['r'],
    scope: 'messages',
    method: 'messages.replay',
    when: needsMessage,
    run: replayNow,
    call(console) {
      const subject = subjectNow(console);
      return subject && automationCall('messages.replay', { messageId: subject.row.messageId, to: 'topic' });
    },
  },
  {
    id: 'edit',
    title: `${ACTS.editReplay} / ${ACTS.editRelease}`,
    group: GROUPS.messages,
    keys: ['e'],
    scope: 'messages',
    method: 'messages.replay',
    when: needsOne,
    run(console) {
      const subject = singleNow(console);
      if (subject !== undefined && isEditedHeld(subject)) openRelease(console, subject);
      else openForSubject(console, 'edit-replay');
    },
    call(console) {
      const subject = singleNow(console);
      if (subject === undefined) return undefined;
      return isEditedHeld(subject) ? releaseCall(console, subject) : replayCall(console, subject);
    },
  },
  {
    id: 'editReplay',
    title: ACTS.editReplay,
    group: GROUPS.messages,
    scope: 'messages',
    method: 'messages.replay',
    when: needsOne,
    run(console) {
      openForSubject(console, 'edit-replay');
    },
    call(console) {
      const subject = singleNow(console);
      return subject && replayCall(console, subject);
    },
  },
  actCommand('retry', ['t']),
  {
    id: 'holdOrRelease',
    title: `${ACTS.hold} / ${ACTS.release}`,
    group: GROUPS.messages,
    keys: ['h'],
    scope: 'messages',
    method: 'deliveries.hold',
    when: (console) => whyNotNow(console, holdOrRelease(console)),
    run: (console) => doAct(console, holdOrRelease(console)),
    call: (console) => callOf(console, holdOrRelease(console)),
  },
  actCommand('hold', []),
  actCommand('release', []),
  actCommand('drop', ['d']),
  actCommand('cancel', ['k']),
  actCommand('deadLetter', ['l']),
  {
    id: 'editRelease',
    title: ACTS.editRelease,
    group: GROUPS.messages,
    method: 'deliveries.release',
    when: (console) => whyNotLoaded(console, 'release'),
    run(console) {
      const subject = subjectNow(console);
      if (subject !== undefined) openRelease(console, subject);
    },
    call(console) {
      const subject = subjectNow(console);
      return subject && releaseCall(console, subject);
    },
  },
  {
    id: 'whatIf',
    title: WHAT_IF.command,
    reads: true,
    group: GROUPS.messages,
    keys: ['w'],
    scope: 'messages',
    method: 'verdict.explain',
    when: (console) => whyNoQuestion(singleNow(console)),
    run(console) {
      openForSubject(console, 'what-if');
    },
    call(console) {
      const last = foremost(singleNow(console)?.row.deliveries ?? [])?.lastAnswer;
      return automationCall('verdict.explain', { kind: 'single', status: last?.status ?? 200, body: '' });
    },
  },
  {
    id: 'copyCurl',
    title: ACTS.copyCurl,
    reads: true,
    group: GROUPS.messages,
    keys: ['c'],
    scope: 'messages',
    method: 'messages.get',
    when: needsOne,
    call(console) {
      const messageId = singleNow(console)?.row.messageId;
      return messageId === undefined ? undefined : automationCall('messages.get', { messageId });
    },
    run(console) {
      const subject = singleNow(console);
      if (subject !== undefined) void copyAsCurl(console, subject.row.messageId);
    },
  },
  {
    id: 'pin',
    title: ACTS.pin,
    group: GROUPS.messages,
    keys: ['i'],
    scope: 'messages',
    method: 'messages.update',
    when: whyNotPin,
    run: pinSubjects,
    call(console) {
      const row = subjectNow(console)?.row;
      if (row === undefined) return undefined;
      return automationCall('messages.update', { messageId: row.messageId, pinned: row.pinned !== true });
    },
  },
];
