/** Acts of a person on messages and deliveries: the calls that they make, and their reports. */
import { allows, type Act } from '../../core/contract/acts.ts';
import { foremost } from '../../core/contract/attention.ts';
import { isEndedState } from '../../core/contract/delivery.ts';
import type { Changed, DeliveryTarget, RerouteTarget, Result } from '../../core/contract/console.ts';
import type { DeliveryRow, MessageRow } from '../../core/contract/message.ts';
import { MAX_ACT_IDS } from '../../core/contract/page-bounds.ts';
import type { MessageChanges, ReplayChanges } from '../../core/contract/publish.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import type { RpcClient, RpcFailure } from '../client/rpc-client.ts';
import { ACT_DONE, ACT_WHY, ACTS, CONFIRM } from '../copy/acts.ts';
import { fill } from '../copy/fill.ts';
import { deliveriesFor, isForMessage, whyNot, type ActSubject } from '../format/act-targets.ts';
import { count } from '../format/quantity.ts';
import type { TokenFrom } from '../format/sidecar-target.ts';
import { visibleShort } from '../format/visible-text.ts';
import { openerAfter, type CommandsStore, type Confirmation, type Overlay } from './commands.ts';
import type { HeldNext } from './held-next.ts';
import type { What } from './messages-state.ts';
import type { Navigation } from './navigation.ts';
import type { UiStore } from './ui.ts';
import { askOfFilter, distinct } from './act-question.ts';
import { inTurn, type Outcome } from './acts-in-turn.ts';
import { asFailure } from './resource.ts';
import type { ToastAction, Toasts } from './toasts.ts';
import { copyText } from '../client/clipboard.ts';
import { randomId } from '../client/random-id.ts';

export interface Acting {
  /**
   * Publishes the messages again; with a delivery id in `to`, one message to that delivery only. False: it was refused and reported.
   * @param refused receives the reason, for a form that shows it itself
   */
  replay(
    rows: readonly Pick<MessageRow, 'messageId' | 'topic'>[],
    to?: ReplayTo,
    refused?: TakesFailure,
  ): Promise<boolean>;
  /**
   * Does one act on the deliveries that allow it; asks first if there are many.
   * @param open opens the question; absent: at once, whatever else is open
   */
  act(act: Act, subjects: readonly ActSubject[], open?: (overlay: Overlay) => void): void;
  /**
   * Does an act on everything that matches a filter, after a question.
   * @param isMeant whether the question is still to be asked when the host has counted
   * @param none why nothing matches
   */
  actOnFilter(
    act: Act,
    what: Extract<What, { readonly filter: string }>,
    isMeant?: () => boolean,
    none?: string,
  ): Promise<void>;
  /**
   * Moves deliveries to a dead-letter topic. False: it was refused and reported.
   * @param refused receives the reason, for a form that shows it itself
   */
  deadLetterTo(topic: string, subjects: readonly ActSubject[], refused?: TakesFailure): Promise<boolean>;
  /**
   * Releases with changes. False: it was refused and reported.
   * @param refused receives the reason, for a form that shows it itself
   */
  release(subject: ActSubject, changes: MessageChanges, refused?: TakesFailure): Promise<boolean>;
  /** Sends the deliveries of an app's problem, or single ones, to the present routes of their app. */
  reroute(...targets: readonly RerouteTarget[]): Promise<void>;
  pin(row: Pick<MessageRow, 'messageId' | 'pinned'>): Promise<void>;
  /**
   * Copies a text, and says so.
   * @param token a variable that the copied code reads, which is named then
   */
  copy(text: string, token?: TokenFrom): Promise<void>;
  /**
   * Runs something and reports the result.
   * @param refused receives the reason of a failure, for a form that shows it itself
   */
  run(id: string, work: () => Promise<string | undefined>, refused?: TakesFailure): Promise<boolean>;
  show(messageId: string): void;
}

export type TakesFailure = (failure: RpcFailure) => void;

export interface ReplayTo {
  readonly deliveryId?: string;
  readonly route?: string;
  readonly changes?: ReplayChanges;
}

export interface ActingDependencies {
  readonly call: RpcClient['call'];
  readonly toasts: Toasts;
  readonly commands: CommandsStore;
  readonly navigation: Navigation;
  readonly ui: UiStore;
  readonly heldNext: Pick<HeldNext, 'watch' | 'forget' | 'released' | 'isAnnounced'>;
}

type ReplayRow = Pick<MessageRow, 'messageId' | 'topic'>;
type Replayed = Result<'messages.replay'>;

/**
 * Tells which of several calls the host refused and why, and which were not sent because the connection was lost.
 * @param refusedText names what was refused
 */
function reportRest(
  toasts: Toasts,
  refusedText: string,
  { refused, broken }: Pick<Outcome<unknown, unknown>, 'refused' | 'broken'>,
): void {
  const reasons = distinct(refused.map(({ message }) => message));
  if (refused.length > 0) toasts.failed(fill(refusedText, { n: count(refused.length), reason: reasons }));
  if (broken === undefined) return;
  const { failure, notSent } = broken;
  const rest = notSent.length === 0 ? '' : ` ${fill(ACT_DONE.notSent, { n: count(notSent.length) })}`;
  toasts.failed(failure.message + rest);
}

/** Publishes messages again, one after another. */
function replayWith(
  { call, toasts, ui }: ActingDependencies,
  run: Acting['run'],
  show: Acting['show'],
): Acting['replay'] {
  return async (rows, to = {}, refused) => {
    const { deliveryId, route, changes: wanted } = to;
    // A dialog has its own choice. For a raw message without an event id the host ignores the setting.
    const isOwn = wanted === undefined && ui.getState().newEventId;
    let outcome: Outcome<ReplayRow, Replayed> | undefined;
    const work = async (): Promise<undefined> => {
      const found = await inTurn(rows.slice(0, MAX_ACT_IDS), async ({ messageId }) => {
        const changes = isOwn ? { attributes: { id: randomId() } } : wanted;
        const target = deliveryId ?? 'topic';
        const params = { messageId, to: target, ...withoutUndefined({ changes }) };
        return await call('messages.replay', params);
      });
      const failure = found.refused[0] ?? found.broken?.failure;
      // The refusal of a single one belongs into the form from which it was sent.
      if (rows.length === 1 && failure !== undefined) throw failure;
      outcome = found;
      return undefined;
    };
    const isRun = await run('replay', work, refused);
    if (!isRun || outcome === undefined) return false;
    reportRest(toasts, ACT_DONE.notReplayed, outcome);
    const { done } = outcome;
    const made = done.at(-1);
    if (made === undefined) return false;
    const shown: ToastAction = { title: ACT_DONE.show, isLink: true, run: () => show(made.messageId) };
    const topic = visibleShort(wanted?.topic ?? rows[0]?.topic ?? '');
    if (rows.length > 1) toasts.done(replayedManyText(done), shown);
    else if (deliveryId === undefined) toasts.done(replayedText(topic, made.passedHolds), shown);
    else if (route === undefined || route === '') toasts.done(ACT_DONE.replayHereOnly, shown);
    else toasts.done(fill(ACT_DONE.replayHere, { route }), shown);
    return true;
  };
}

function replayedText(topic: string, passedHolds: readonly string[] = []): string {
  if (passedHolds.length === 0) return fill(ACT_DONE.replay, { topic });
  return fill(ACT_DONE.replayPast, { topic, holds: quoted(passedHolds), n: count(passedHolds.length) });
}

function replayedManyText(made: readonly Replayed[]): string {
  const n = count(made.length);
  const holds = [...new Set(made.flatMap(({ passedHolds = [] }) => passedHolds))];
  if (holds.length === 0) return fill(ACT_DONE.replayMany, { n });
  return fill(ACT_DONE.replayManyPast, { n, holds: quoted(holds), m: count(holds.length) });
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `“${visibleShort(name)}”`).join(', ');
}

/** Does one act on `ids`, the deliveries of `subjects`, or on the messages that have none. */
type Perform = (which: Act, subjects: readonly ActSubject[], ids: readonly string[]) => Promise<void>;

type RefusedDeliveries = NonNullable<Changed['refused']>;

function reasonOf({ code, reason, state }: RefusedDeliveries[number]): string {
  if (code === 'NOT_FOUND') return ACT_DONE.notThere;
  return reason ?? state;
}

/** Deliveries that an act could not change: the reason of each, or the state that it is in. */
function refusedText(refused: RefusedDeliveries): string {
  const reason = distinct(refused.map(reasonOf));
  return fill(ACT_DONE.refused, { n: count(refused.length), reason });
}

/** Tells of deliveries that an act could not change. */
function reportRefused(toasts: Toasts, refused: RefusedDeliveries): void {
  if (refused.length > 0) toasts.failed(refusedText(refused));
}

/** Makes the toast's undo of a drop: the deliveries return to their earlier state, and no app is called. */
function undoDropWith({ call, toasts }: ActingDependencies): (ids: readonly string[]) => Promise<void> {
  return async (deliveryIds) => {
    try {
      const { changed, refused = [] } = await call('deliveries.undoDrop', { deliveryIds });
      if (changed > 0) toasts.done(fill(ACT_DONE.dropUndone, { n: count(changed) }));
      reportRefused(toasts, refused);
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    }
  };
}

/** Id of an act on one delivery, or on a message without one, while it waits for the host's answer. */
export function pendingAct(which: Act, { row, deliveryId }: ActSubject): string {
  return `${which} ${deliveryId ?? row.messageId}`;
}

/** Calls of an act: one for each message without a delivery, and one for all deliveries; a call is cancelled by itself. */
function targetsOf(
  which: Act,
  messageIds: readonly string[],
  ids: readonly string[],
): readonly DeliveryTarget[] {
  const each = messageIds.map((messageId): DeliveryTarget => ({ messageId }));
  if (which === 'cancel' || ids.length === 1)
    return [...each, ...ids.map((deliveryId): DeliveryTarget => ({ deliveryId }))];
  return ids.length === 0 ? each : [...each, { deliveryIds: ids }];
}

/** What was not sent, one for each delivery. */
function inDeliveries(
  broken: Outcome<DeliveryTarget, Changed>['broken'],
): Outcome<unknown, unknown>['broken'] {
  if (broken === undefined) return undefined;
  const notSent = broken.notSent.flatMap<unknown>((target) => target.deliveryIds ?? [target]);
  return { ...broken, notSent };
}

function needsTopic(which: Act, { field }: RpcFailure): boolean {
  return which === 'deadLetter' && field === 'topic';
}

function performWith(deps: ActingDependencies, replay: Acting['replay']): Perform {
  const { call, toasts, commands, heldNext } = deps;
  const undoDrop = undoDropWith(deps);

  async function perform(which: Act, subjects: readonly ActSubject[], ids: readonly string[]): Promise<void> {
    const messages = subjects
      .filter((subject) => isForMessage(which, subject))
      .map(({ row }) => row.messageId);
    const only = subjects.length === 1 ? subjects[0] : undefined;
    if (only !== undefined && which === 'release') heldNext.watch(only.row.messageId, only.row.heldBy);
    else for (const { row } of subjects) heldNext.forget(row.messageId);
    try {
      const targets = targetsOf(which, messages, ids);
      const ask = async (): Promise<Outcome<DeliveryTarget, Changed>> => {
        const [single] = targets;
        // The refusal of a single call may ask for more.
        if (single !== undefined && targets.length === 1)
          return { done: [await send(call, which, single)], refused: [], broken: undefined };
        return inTurn(targets, (target) => send(call, which, target));
      };
      const outcome = await commands.during(which, () =>
        only === undefined ? ask() : commands.during(pendingAct(which, only), ask),
      );
      const topicless = outcome.refused.find((failure) => needsTopic(which, failure));
      if (topicless !== undefined) throw topicless;
      const changed = outcome.done;
      const refused = changed.flatMap((each) => each.refused ?? []);
      const n = changed.reduce((sum, each) => sum + each.changed, 0);
      const isReported =
        only !== undefined && which === 'release' && heldNext.isAnnounced(only.row.messageId);
      if (only !== undefined && which === 'release') heldNext.released(only.row.messageId);
      // Failures stay, and return after the report of what was done, which would not stay beside them.
      reportRefused(toasts, refused);
      reportRest(toasts, ACT_DONE.refused, { ...outcome, broken: inDeliveries(outcome.broken) });
      if (n > 0 && !isReported)
        toasts.done(
          atPublishText(which, n, isAllDone(outcome) ? messages.length : 0) ?? doneText(which, n, only),
          reverse(which, subjects, isAllDone(outcome)) ?? wayTo(deps, which, only),
        );
    } catch (reason) {
      if (only !== undefined) heldNext.forget(only.row.messageId);
      const failure = asFailure(reason);
      if (needsTopic(which, failure)) commands.open({ kind: 'dead-letter', subjects });
      else toasts.failed(failure.message);
    }
  }

  /**
   * The toast's undo of an act. The host checks the state again when the person undoes.
   * @param isAll false: some of them were not changed, and a replay would publish those a second time
   */
  function reverse(which: Act, subjects: readonly ActSubject[], isAll: boolean): ToastAction | undefined {
    const ids = subjects.flatMap((subject) => deliveriesFor(which, subject));
    if (ids.length === 0 && which === 'drop' && isAll) {
      const rows = subjects.map(({ row }) => row);
      // A replay makes new messages, so that the command that undoes leaves it alone.
      return { title: ACTS.replay, isLink: true, run: () => void replay(rows) };
    }
    if (ids.length === 0) return undefined;
    if (which === 'drop') return { title: ACT_DONE.undo, run: () => void undoDrop(ids) };
    if (which !== 'hold') return undefined;
    return { title: ACTS.release, run: () => void perform('release', subjects, ids) };
  }

  return perform;
}

/** Finds the deliveries to which an act applies, and asks first if there are many. */
function actWith({ toasts, commands }: ActingDependencies, perform: Perform): Acting['act'] {
  return (which, subjects, open = commands.open) => {
    const able = subjects.filter((subject) => whyNot(which, subject) === undefined);
    const first = subjects[0];
    if (first === undefined) {
      toasts.failed(ACT_WHY.noMessage);
      return;
    }
    if (able.length === 0) {
      toasts.failed(whyNone(which, first, subjects.length));
      return;
    }
    const ids = able.flatMap((subject) => deliveriesFor(which, subject));
    if (ids.length > MAX_ACT_IDS) {
      toasts.failed(fill(ACT_WHY.tooMany, { title: ACTS[which], n: MAX_ACT_IDS }));
      return;
    }
    const run = (): void => void perform(which, able, ids);
    const isWide = able.length > 1;
    if (isWide && (which === 'drop' || which === 'deadLetter')) {
      open({ kind: 'confirm', question: { ...wideQuestion(which, able, ids.length), run } });
    } else run();
  };
}

/** Why an act applies to none of `n` subjects. */
function whyNone(which: Act, first: ActSubject, n: number): string {
  const title = ACTS[which];
  return (n > 1 ? fill(ACT_WHY.noneOfSelection, { title }) : whyNot(which, first)) ?? ACT_WHY.noMessage;
}

/** The question before many deliveries end. */
function wideQuestion(
  which: 'drop' | 'deadLetter',
  able: readonly ActSubject[],
  n: number,
): Omit<Confirmation, 'run'> {
  const isDrop = which === 'drop';
  return {
    title: fill(isDrop ? CONFIRM.dropTitle : CONFIRM.deadLetterTitle, { n: count(n) }),
    text: fill(isDrop ? CONFIRM.dropText : CONFIRM.deadLetterText, {
      n: count(n),
      topics: distinct(able.map(({ row }) => row.topic)),
      apps: distinct(able.flatMap(({ row }) => row.deliveries.map(({ appId }) => appId))),
    }),
    yes: ACTS[which],
    danger: true,
  };
}

/** Runs something as a command, and reports the result. */
function runWith({ commands, toasts }: ActingDependencies): Acting['run'] {
  return async (id, work, refused = ({ message }) => toasts.failed(message)) => {
    try {
      const text = await commands.during(id, work);
      if (text !== undefined) toasts.done(text);
      return true;
    } catch (reason) {
      refused(asFailure(reason));
      return false;
    }
  };
}

/** Moves deliveries to a dead-letter topic that a person named. */
function deadLetterWith({ call, toasts }: ActingDependencies, run: Acting['run']): Acting['deadLetterTo'] {
  return (topic, subjects, refused) => {
    const ids = subjects.flatMap((subject) => deliveriesFor('deadLetter', subject));
    const work = async (): Promise<string> => {
      const [only] = ids;
      // The host refuses a single delivery with its reason.
      const target = only !== undefined && ids.length === 1 ? { deliveryId: only } : { deliveryIds: ids };
      const { changed, refused: others = [] } = await call('deliveries.deadLetter', { ...target, topic });
      if (changed === 0) throw new Error(refusedText(others));
      reportRefused(toasts, others);
      return changed === 1
        ? fill(ACT_DONE.deadLetter, { topic })
        : fill(ACT_DONE.deadLetterMany, { n: count(changed) });
    };
    return run('deadLetter', work, refused);
  };
}

/** Does an act on what a filter finds, after a question with the number of the host. */
function onFilterWith(
  { call, toasts, commands }: ActingDependencies,
  run: Acting['run'],
): Acting['actOnFilter'] {
  return async (which, what, isMeant = () => true, none = ACT_WHY.noneLeft) => {
    const open = openerAfter({ commands, toasts }, ACTS[which]);
    try {
      const question = await askOfFilter(call, which, what);
      if (!isMeant()) {
        toasts.failed(ACT_DONE.selectionChanged);
        return;
      }
      if (question === undefined) {
        toasts.failed(none);
        return;
      }
      const { title, text } = question;
      open({
        kind: 'confirm',
        question: {
          title,
          text,
          yes: ACTS[which],
          danger: which === 'drop' || which === 'deadLetter',
          run: () =>
            void run(which, async () => {
              const { changed, refused = [] } = await send(call, which, what);
              // The act cannot apply to most of what a filter finds; only a reason is news.
              reportRefused(
                toasts,
                refused.filter(({ reason }) => reason !== undefined),
              );
              return doneText(which, changed, undefined);
            }),
        },
      });
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    }
  };
}

/** Makes the acts with the stores of one window. */
export function createActing(deps: ActingDependencies): Acting {
  const { call, toasts, navigation, heldNext } = deps;
  const run = runWith(deps);
  function show(messageId: string): void {
    navigation.go('/messages', { m: messageId });
  }
  const replay = replayWith(deps, run, show);

  return {
    replay,
    act: actWith(deps, performWith(deps, replay)),
    run: run,
    show,
    actOnFilter: onFilterWith(deps, run),
    deadLetterTo: deadLetterWith(deps, run),
    async release(subject, changes, refused) {
      const { row, deliveryId } = subject;
      const target = isForMessage('release', subject)
        ? { messageId: row.messageId }
        : { deliveryId: deliveryId ?? deliveriesFor('release', subject)[0] ?? '' };
      heldNext.watch(row.messageId, row.heldBy);
      const work = async (): Promise<undefined> => {
        const isChanged = Object.keys(changes).length > 0;
        await call('deliveries.release', isChanged ? { ...target, changes } : target);
        if (!heldNext.isAnnounced(row.messageId))
          toasts.done(ACT_DONE.release, wayTo(deps, 'release', subject));
        return undefined;
      };
      const done = await run('release', work, refused);
      if (done) heldNext.released(row.messageId);
      else heldNext.forget(row.messageId);
      return done;
    },
    async reroute(...targets) {
      await run('reroute', async () => {
        let sum = 0;
        let refusals = 0;
        for (const target of targets) {
          const { changed, refused = [] } = await call('deliveries.reroute', target);
          reportRefused(toasts, refused);
          sum += changed;
          refusals += refused.length;
        }
        if (sum > 0) return fill(ACT_DONE.rerouted, { n: count(sum) });
        return refusals > 0 ? undefined : ACT_DONE.reroutedNone;
      });
    },
    async pin({ messageId, pinned }) {
      await run('pin', async () => {
        await call('messages.update', { messageId, pinned: pinned !== true });
        return pinned === true ? ACT_DONE.unpinned : ACT_DONE.pinned;
      });
    },
    async copy(text, token) {
      try {
        await copyText(text);
        toasts.done(
          token === undefined
            ? ACT_DONE.copied
            : fill(ACT_DONE.copiedWithToken, { variable: token.variable }),
        );
      } catch {
        // The browser only throws that it is not allowed; the toast reports it to the person.
        toasts.failed(ACT_DONE.notCopied);
      }
    },
  };
}

/** The way to a message that was released, unless it is open already. */
function wayTo(
  { navigation }: Pick<ActingDependencies, 'navigation'>,
  which: Act,
  only: ActSubject | undefined,
): ToastAction | undefined {
  const messageId = only?.row.messageId;
  if (which !== 'release' || messageId === undefined || navigation.param('m') === messageId) return undefined;
  return {
    title: ACT_DONE.show,
    isLink: true,
    run: () => navigation.go('/messages', { m: messageId }),
  };
}

function send(call: RpcClient['call'], act: Act, target: DeliveryTarget): Promise<Changed> {
  switch (act) {
    case 'retry':
      return call('deliveries.retry', target);
    case 'hold':
      return call('deliveries.hold', target);
    case 'release':
      return call('deliveries.release', target);
    case 'drop':
      return call('deliveries.drop', target);
    case 'deadLetter':
      return call('deliveries.deadLetter', target);
    case 'cancel':
      return call('deliveries.cancelAttempt', { deliveryId: target.deliveryId ?? '' });
  }
}

/** The delivery that a retry of the subject is about: the chosen one, else the one that the row shows. */
function retriedOf({ row, deliveryId }: ActSubject): DeliveryRow | undefined {
  const chosen = row.deliveries.find((each) => each.deliveryId === deliveryId);
  return chosen ?? foremost(row.deliveries.filter((each) => allows('retry', each)));
}

function isAllDone({ done, refused, broken }: Outcome<unknown, Changed>): boolean {
  return refused.length === 0 && broken === undefined && done.every((each) => each.refused === undefined);
}

/**
 * Names the way back of messages that were dropped while they were held at publish; undefined: there are none.
 * @param of their number, among the `n` that were dropped
 */
function atPublishText(act: Act, n: number, of: number): string | undefined {
  if (act !== 'drop' || of === 0) return undefined;
  if (of < n) return fill(ACT_DONE.dropPartlyAtPublish, { n: count(n), of: count(of) });
  return n === 1 ? ACT_DONE.dropAtPublish : fill(ACT_DONE.dropManyAtPublish, { n: count(n) });
}

function doneText(act: Act, n: number, only: ActSubject | undefined): string {
  const many = { n: count(n) };
  switch (act) {
    case 'retry': {
      const retried = only === undefined ? undefined : retriedOf(only);
      if (n !== 1 || retried === undefined) return fill(ACT_DONE.retryMany, many);
      const isOver = retried.state === 'parked' || isEndedState(retried.state);
      return fill(isOver ? ACT_DONE.retryRound : ACT_DONE.retry, { n: retried.attempts + 1 });
    }
    case 'hold':
      return n === 1 ? ACT_DONE.hold : fill(ACT_DONE.holdMany, many);
    case 'release':
      return n === 1 ? ACT_DONE.release : fill(ACT_DONE.releaseMany, many);
    case 'drop':
      return n === 1 ? ACT_DONE.drop : fill(ACT_DONE.dropMany, many);
    case 'deadLetter':
      return n === 1
        ? fill(ACT_DONE.deadLetter, { topic: ACT_DONE.deadLetterTopic })
        : fill(ACT_DONE.deadLetterMany, many);
    case 'cancel':
      return ACT_DONE.cancel;
  }
}
