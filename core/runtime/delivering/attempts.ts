/** One call to the app for one delivery or for a batch: request, answer, verdict, record. */
import { counted } from '../../contract/count-text.ts';
import { errorText } from '../../contract/error-text.ts';
import type { Protocol } from '../../contract/grpc.ts';
import { CHANGED_ANSWER, KEPT_ANSWER } from '../../contract/cause-sentences.ts';
import type { Attempt } from '../../contract/message.ts';
import type { Mutable } from '../../contract/mutable.ts';
import { SENDER_WAITS_MS } from '../../domain/binding-invoke.ts';
import { envelopeBytes, mostBulkBytes, splitBySize } from '../../domain/bulk.ts';
import { cutText } from '../../domain/codec.ts';
import type { Wire } from '../../domain/codec.ts';
import type { Caught } from '../../domain/hold.ts';
import { lastMade, SMALL_BODY_BYTES } from '../../domain/last-made.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { AppChannel, PendingAnswer, ReceivedAnswer } from '../../ports/app-channel.ts';
import type { MockApp } from '../../ports/mock-app.ts';
import type { App, Lane } from '../state/app.ts';
import type { BeforeAttempt } from './before-attempt.ts';
import { BindingReplies } from './binding-reply.ts';
import { batchRequest, singleRequest, withoutSecret } from './call.ts';
import { channelOf, noteSettings } from './request.ts';
import type { CallTarget, Request } from './request.ts';
import { judgeAnswer, judgeEntries } from './judging.ts';
import { answerText } from './answer-body.ts';
import { AttemptsUnderWay } from './attempts-under-way.ts';
import { bulkEntryBytes, reserveBodies } from './call-size.ts';
import type { BatchAnswers } from '../apps/batch-answers.ts';
import type { CallAnswers } from '../apps/call-answers.ts';
import type { MissingRoutes } from '../apps/missing-routes.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { Holds } from '../state/holds.ts';
import { isStartable, sentBytes } from '../state/live.ts';
import type { HeldAnswer, LiveDelivery } from '../state/live.ts';
import type { Outcomes } from './outcome.ts';
import type { Policies } from '../state/policies.ts';
import { rejudged, lastAnswer, recordAttempt, recordResponse, waitedSince } from '../state/attempt-record.ts';
import type { EndedCall, StartedAttempt } from '../state/attempt-record.ts';
import { RequestRecords } from '../state/request-records.ts';
import type { SharedServices } from '../common-services.ts';

/** A resolved promise: `then` runs a callback after the current code. */
const NOW = Promise.resolve();

/** Rule of the mock app that answered. */
type AnsweredBy = ReturnType<MockApp['answeredBy']>;

const BY_PERSON = 'A person gave this answer.';

export interface Received extends EndedCall {
  readonly started: StartedAttempt;
  readonly verdict: Verdict;
  /** Bytes of the message, if a hold needs them and they were not in memory. */
  readonly payload: Wire | undefined;
  /** Nobody waits for the answer any longer, so no hold keeps it back. */
  readonly isTooLate?: boolean;
}

/** A running call. */
interface MadeCall {
  readonly app: App;
  readonly channel: AppChannel;
  /** First delivery of the batch; undefined: the batch is empty. */
  readonly first: LiveDelivery | undefined;
  readonly started: StartedAttempt;
  readonly pending: PendingAnswer;
  /** `times` of the app's route answers when it began. */
  readonly times: number;
}

/** An answer that came. */
interface Answered {
  readonly answer: ReceivedAnswer;
  /** Time of the answer on the monotonic clock; absent: now. */
  readonly endMono?: number;
}

/** A delivery whose call can be made without waiting. */
interface AtOnce {
  readonly app: App;
  readonly lane: Lane;
  readonly d: LiveDelivery;
  readonly wire: Wire;
  /** Memory reserved for its body. */
  readonly bytes: number;
  readonly over: () => void;
}

export interface AttemptDependencies {
  readonly deliveries: Deliveries;
  readonly outcomes: Outcomes;
  readonly holds: Holds;
  readonly policies: Policies;
  readonly beforeAttempt: BeforeAttempt;
  readonly missingRoutes: MissingRoutes;
  readonly batchAnswers: BatchAnswers;
  readonly callAnswers: CallAnswers;
}

export class Attempts {
  readonly #shared: SharedServices;
  readonly #deliveries: Deliveries;
  readonly #outcomes: Outcomes;
  readonly #holds: Holds;
  readonly #policies: Policies;
  readonly #beforeAttempt: BeforeAttempt;
  readonly #missingRoutes: MissingRoutes;
  readonly #batchAnswers: BatchAnswers;
  readonly #callAnswers: CallAnswers;
  readonly #underWay = new AttemptsUnderWay();
  readonly #bindingReplies: BindingReplies;
  readonly #requests = new RequestRecords();

  constructor(
    shared: SharedServices,
    { deliveries, outcomes, holds, policies, beforeAttempt, ...notes }: AttemptDependencies,
  ) {
    this.#shared = shared;
    this.#deliveries = deliveries;
    this.#outcomes = outcomes;
    this.#holds = holds;
    this.#policies = policies;
    this.#beforeAttempt = beforeAttempt;
    this.#missingRoutes = notes.missingRoutes;
    this.#batchAnswers = notes.batchAnswers;
    this.#callAnswers = notes.callAnswers;
    this.#bindingReplies = new BindingReplies(shared);
  }

  /** Resolves when the delivery's running attempt has had its effect, or its answer is held; at once if none is running. */
  settled = (d: LiveDelivery): Promise<void> => this.#underWay.over(d);

  /**
   * Makes a call for one delivery. If its body is in memory and there is room for it, only the answer is awaited: each message passes here,
   * and promises for steps that take no time cost as much as the steps.
   * @param over called once when the attempt has had its effect, never before this returns
   */
  single(app: App, lane: Lane, d: LiveDelivery, over: () => void): void {
    const wire = this.#wireAtHand(d);
    if (wire === undefined || !app.bodies.enterNow(sentBytes(d)))
      void this.#guarded(app, lane, [d], () => this.#single(app, lane, d)).then(over);
    else this.#singleAtOnce({ app, lane, d, wire, over, bytes: sentBytes(d) });
  }

  /** Does what `#guarded` does with `#single` inside. */
  #singleAtOnce({ app, lane, d, wire, bytes, over }: AtOnce): void {
    const leaves = this.#underWay.begin([d]);
    const end = (): void => {
      app.bodies.leave(bytes);
      leaves();
      over();
    };
    const call = this.#tryBegin(app, lane, d, wire);
    if (call === undefined) {
      // `end` never runs at once: the lane, which starts many deliveries in a loop, must not be called back within it.
      void NOW.then(end);
      return;
    }
    const failed = (error: unknown): void => {
      this.#park(d, error);
      end();
    };
    const apply = (answered: Answered): void => {
      let effect: Promise<void> | undefined;
      try {
        effect = this.#answered(app, call, d, answered);
      } catch (error) {
        failed(error);
        return;
      }
      if (effect === undefined) end();
      else effect.then(end, failed);
    };
    call.pending.answer.then((answer) => {
      const waits = this.#waitsForTurn(answer);
      if (waits === undefined) apply({ answer });
      else waits.then(apply, failed);
    }, failed);
  }

  /** Resolves in a turn that has time for a large answer, of which many may end at the same moment; undefined: it is read now. */
  #waitsForTurn(answer: ReceivedAnswer): Promise<Answered> | undefined {
    const { bodyTurns, clock } = this.#shared;
    const bytes = answer.kind === 'response' ? (answer.body?.length ?? 0) : 0;
    const room = bodyTurns.roomForAnswer(bytes);
    if (room === undefined) return undefined;
    const endMono = clock.monotonic();
    return room.then(() => ({ answer, endMono }));
  }

  /** The answer of a call, in a turn that has time for it. */
  async #answerOf({ pending }: MadeCall): Promise<Answered> {
    const answer = await pending.answer;
    return (await this.#waitsForTurn(answer)) ?? { answer };
  }

  /** Starts the call; undefined: it may not start now, or it failed to start and the delivery is parked. */
  #tryBegin(app: App, lane: Lane, d: LiveDelivery, wire: Wire): MadeCall | undefined {
    try {
      if (mayCall(app, lane)) return this.#begin(app, lane, d, wire);
      if (isStartable(d)) lane.offer(d);
    } catch (error) {
      this.#park(d, error);
    }
    return undefined;
  }

  /** Body to send, if it is in memory and no hold has to see it first. */
  #wireAtHand(d: LiveDelivery): Wire | undefined {
    if (this.#beforeAttempt.mustRead(d)) return undefined;
    return d.changed === undefined ? d.message.wire : d.changed.wire;
  }

  /** Delivers a batch, split into several calls where it is too large for one. */
  async bulk(app: App, lane: Lane, batch: readonly LiveDelivery[]): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    const { protocol = 'http' } = channelOf({ app, lane });
    const { pubsubname } = first.subscription;
    const beside = envelopeBytes({ pubsubname, topic: first.message.row.topic, path: first.route.path });
    const mostBytes = mostBulkBytes(this.#shared.settings.current['delivery.bulkBytes'], protocol) - beside;
    const sizeOf = (d: LiveDelivery): number => bulkEntryBytes(lane, d, this.#shared.profile, protocol);
    const calls = splitBySize(batch, sizeOf, mostBytes);
    for (const d of calls.slice(1).flat()) app.waitingForEarlierCall.add(d);
    for (const call of calls) {
      for (const d of call) app.waitingForEarlierCall.delete(d);
      await this.#guarded(app, lane, call, () => this.#bulk(app, lane, call));
    }
  }

  async #single(app: App, lane: Lane, d: LiveDelivery): Promise<void> {
    const given = this.#wire(d);
    const wire = given instanceof Promise ? await given : given;
    if (wire === undefined || !isStartable(d)) return;
    if (!mayCall(app, lane)) return lane.offer(d);
    const call = this.#begin(app, lane, d, wire);
    const effect = this.#answered(app, call, d, await this.#answerOf(call));
    if (effect !== undefined) await effect;
  }

  #begin(app: App, lane: Lane, d: LiveDelivery, wire: Wire): MadeCall {
    const batch = [d];
    const target = { app, lane, attemptId: this.#start(batch, lane) };
    return this.#call(target, batch, singleRequest(this.#shared, target, d, wire));
  }

  /** Applies an answer to its delivery; undefined: it has had its effect. */
  #answered(app: App, call: MadeCall, d: LiveDelivery, answered: Answered): Promise<void> | undefined {
    const ended = this.#ended(call, answered);
    const asked = this.#holds.payloadAtResponse(d);
    if (asked === undefined) return this.#judged(app, call, d, ended, undefined);
    return asked.then((payload) => this.#judged(app, call, d, ended, payload));
  }

  #judged(
    app: App,
    { started, times }: MadeCall,
    d: LiveDelivery,
    { answer, response, durationMs }: EndedCall,
    payload: Wire | undefined,
  ): Promise<void> | undefined {
    const { attemptId, protocol } = started;
    if (d.attemptId !== attemptId) return undefined;
    const verdict = this.#judge(d, answer, protocol);
    const received = { started, answer, response, durationMs, verdict, payload };
    const by = app.mock?.answeredBy(attemptId);
    if (times === app.routeAnswers.times) this.#missingRoutes.answered(app, d, answer, verdict, by);
    return this.received(d, received, by);
  }

  async #bulk(app: App, lane: Lane, batch: readonly LiveDelivery[]): Promise<void> {
    const given = await Promise.all(batch.map(async (d) => ({ d, wire: await this.#entryWire(d) })));
    const ready = given.flatMap(({ d, wire }) => (wire !== undefined && isStartable(d) ? [{ d, wire }] : []));
    if (ready.length === 0) return;
    const sent = ready.map(({ d }) => d);
    if (!mayCall(app, lane)) {
      for (const d of sent) lane.offer(d);
      return;
    }
    const attemptId = this.#start(sent, lane);
    const wires = ready.map(({ wire }) => wire);
    const request = batchRequest(this.#shared, { app, lane, attemptId }, sent, wires);
    if (request === undefined) return;
    const call = this.#call({ app, lane, attemptId }, sent, request);
    const { started, times } = call;
    const ended = this.#ended(call, await this.#answerOf(call));
    const verdicts = this.#judgeBatch(ended.answer, sent, started.protocol);
    const [first] = sent;
    if (first !== undefined && isOfApp(call)) this.#batchAnswers.answered(app, first, [...verdicts.values()]);
    await Promise.all(
      sent.map(async (d) => {
        const verdict = verdicts.get(d.entryId);
        const payload = await this.#holds.payloadAtResponse(d);
        if (d.attemptId !== attemptId || verdict === undefined) return;
        const own: StartedAttempt = {
          ...started,
          number: d.attemptCount,
          bulk: { entryId: d.entryId, batchSize: sent.length },
          ...waitedSince(d.lastEndMs, started.startedMs),
        };
        const by = app.mock?.answeredBy(attemptId);
        if (times === app.routeAnswers.times) this.#missingRoutes.answered(app, d, ended.answer, verdict, by);
        await this.received(d, { started: own, ...ended, verdict, payload }, by);
      }),
    );
  }

  /** Applies a held answer, changed or unchanged. */
  async releaseAnswer(delivery: LiveDelivery, changed: ReceivedAnswer | undefined): Promise<void> {
    const held = delivery.heldAnswer;
    if (held === undefined) return;
    const verdict =
      changed === undefined ? held.verdict : this.#judgeChanged(delivery, held.attempt, changed);
    delivery.releaseAnswer(changed && lastAnswer(changed, verdict));
    const kept = held.note === undefined ? KEPT_ANSWER : `${held.note} ${KEPT_ANSWER}`;
    const note = changed === undefined ? kept : CHANGED_ANSWER;
    const attempt =
      changed === undefined ? held.attempt : rejudged(held.attempt, changed, verdict, this.#shared.codec);
    await this.#outcomes.settle(delivery, verdict, { attempt, note });
    this.#shared.signals.emit('answerReleased', { d: delivery, changed });
  }

  /** Verdict per entryId; entries the app named that were not sent are logged and ignored. */
  #judgeBatch(
    answer: ReceivedAnswer,
    batch: readonly LiveDelivery[],
    protocol: Protocol,
  ): ReadonlyMap<string, Verdict> {
    const entryIds = batch.map((d) => d.entryId);
    const { verdicts, unknown } = judgeEntries(answer, entryIds, protocol, this.#shared.codec);
    if (unknown.length > 0) {
      this.#shared.log.write(
        'warn',
        'delivery',
        `The app named ${counted(unknown.length, 'entry', 'entries')} not in the batch: ignored (${cutText(unknown.slice(0, 3).join(', '), 200)}).`,
        { deliveryId: batch[0]?.deliveryId ?? '' },
      );
    }
    return verdicts;
  }

  #judge(d: LiveDelivery, answer: ReceivedAnswer, protocol: Protocol): Verdict {
    return judgeAnswer(answer, d.subscription.source === 'binding', protocol, this.#shared);
  }

  #judgeChanged(d: LiveDelivery, { bulk, protocol = 'http' }: Attempt, answer: ReceivedAnswer): Verdict {
    const inBatch = bulk === undefined ? undefined : this.#judgeBatch(answer, [d], protocol).get(d.entryId);
    return inBatch ?? this.#judge(d, answer, protocol);
  }

  /**
   * Applies an answer, or holds it if a hold at `response` catches it.
   * @param by who gave the answer, if not the app
   * @returns undefined: it has had its effect
   */
  received(delivery: LiveDelivery, received: Received, by: AnsweredBy): Promise<void> | undefined {
    const { started, answer, verdict, payload } = received;
    const attempt = recordAttempt(
      started,
      received,
      by && { ruleId: by.ruleId, ...(by.name === undefined ? {} : { name: by.name }) },
    );
    const endMs = received.atMs ?? this.#shared.clock.now();
    delivery.answered(started, endMs, attempt.durationMs, lastAnswer(answer, verdict));
    if (delivery.subscription.source === 'binding') {
      delivery.noteBindingError(answerText(answer, this.#shared.codec));
      this.#bindingReplies.look(delivery, answer);
    }
    const note = by?.byPerson === true ? BY_PERSON : undefined;
    const caught =
      received.isTooLate !== true && this.#holds.any('response')
        ? this.#holds.atResponse(delivery, answer.kind === 'response' ? answer.status : undefined, payload)
        : undefined;
    if (caught === undefined)
      return this.#outcomes.settle(delivery, verdict, { attempt, note, atMs: received.atMs });
    this.#hold(delivery, { answer, attempt, verdict, note }, caught);
    return undefined;
  }

  #hold(delivery: LiveDelivery, held: HeldAnswer, { hold, undecided }: Caught): void {
    if (undecided !== undefined) this.#deliveries.flag(delivery.message, undecided);
    delivery.holdAnswer(held, hold.holdId);
    void this.#deliveries.changed(delivery);
    if (hold.releaseAfterMs === undefined) return;
    const { clock, timers } = this.#shared;
    const dueMs = clock.now() + hold.releaseAfterMs;
    delivery.arm(timers, dueMs, () => void this.releaseAnswer(delivery, undefined));
  }

  /** Body to send; undefined: a hold that had to read it caught it, or the attempt may not start any more. */
  #wire(d: LiveDelivery): Wire | Promise<Wire | undefined> {
    if (this.#beforeAttempt.mustRead(d)) return this.#admitted(d);
    return this.#shared.live.wireOf(d);
  }

  async #admitted(d: LiveDelivery): Promise<Wire | undefined> {
    const { live } = this.#shared;
    const [wire, sent] = await Promise.all([live.wire(d.message), live.wireOf(d)]);
    return isStartable(d) && this.#beforeAttempt.admit(d, wire) ? sent : undefined;
  }

  /** Bytes of one entry of a batch. An entry that cannot be read is parked, and the batch goes without it. */
  async #entryWire(d: LiveDelivery): Promise<Wire | undefined> {
    try {
      return await this.#wire(d);
    } catch (error) {
      this.#park(d, error);
      return undefined;
    }
  }

  #start(batch: readonly LiveDelivery[], lane: Lane): string {
    const attemptId = this.#shared.ids.next('attempt');
    for (const delivery of batch) {
      const again = delivery.beginAttempt(attemptId);
      noteSettings(delivery, lane);
      this.#deliveries.move(delivery, { type: 'start', again });
    }
    this.#shared.live.beginAttempt(attemptId, batch);
    return attemptId;
  }

  #call(
    target: CallTarget,
    batch: readonly LiveDelivery[],
    { path, headers, body, message }: Request,
  ): MadeCall {
    const { clock, codec } = this.#shared;
    const first = batch[0];
    const { app, attemptId } = target;
    const channel = channelOf(target);
    const { protocol = 'http' } = channel;
    const startedMs = clock.now();
    const startedMono = clock.monotonic();
    const timeoutMs =
      first?.subscription.source === 'binding'
        ? SENDER_WAITS_MS
        : this.#policies.timeoutFor(app.appId, first?.subscription.pubsubname ?? '');
    const started: Mutable<StartedAttempt> = {
      attemptId,
      number: first?.attemptCount ?? 1,
      startedMs,
      startedMono,
      protocol,
      request: this.#requests.of(
        {
          method: protocol === 'grpc' ? path : 'POST',
          url: channel.url + path,
          headers: withoutSecret(headers, this.#shared.profile.tokenHeader),
          body,
        },
        codec,
      ),
    };
    if (timeoutMs > 0) started.givesUpMs = startedMs + timeoutMs;
    if (first?.lastEndMs !== undefined) Object.assign(started, waitedSince(first.lastEndMs, startedMs));
    const pending = channel.deliver(
      message === undefined
        ? { path, headers, body, timeoutMs }
        : { path, headers, body, timeoutMs, message },
    );
    if (body.length <= SMALL_BODY_BYTES) lastMade.startedAttempt = started;
    for (const delivery of batch) delivery.beginCall(started, pending);
    return { app, channel, first, started, pending, times: app.routeAnswers.times };
  }

  #ended(call: MadeCall, { answer, endMono }: Answered): EndedCall {
    const { app, channel, first, started } = call;
    const { clock, live, codec } = this.#shared;
    live.endAttempt(started.attemptId);
    // A call that was cut or timed out says nothing about the other calls; a port where no program listens does.
    if (answer.kind !== 'none' || answer.code === 'refused')
      this.#shared.backpressure.called(app.appId, answer.kind !== 'none', first?.counted.lane ?? '');
    if (answer.kind === 'none' && answer.code === 'refused' && channel === app.channel)
      this.#shared.signals.emit('refused', app);
    if (isOfApp(call)) this.#callAnswers.ended(app, answer, first);
    const durationMs = (endMono ?? clock.monotonic()) - started.startedMono;
    if (first !== undefined) this.#shared.metrics.called(first.counted, durationMs);
    return { answer, response: recordResponse(answer, codec), durationMs };
  }

  /**
   * Makes an attempt once there is room for its bodies. A bug or an unreadable journal must not leave a delivery attempting for ever:
   * it is parked with the reason.
   */
  async #guarded(
    app: App,
    lane: Lane,
    batch: readonly LiveDelivery[],
    act: () => Promise<void>,
  ): Promise<void> {
    const over = this.#underWay.begin(batch);
    const entered = reserveBodies(app, batch);
    const leave = entered instanceof Promise ? await roomFor(app, batch, entered) : entered;
    try {
      if (mayCall(app, lane)) await act();
      else for (const d of batch) if (isStartable(d)) lane.offer(d);
    } catch (error) {
      for (const d of batch) this.#park(d, error);
    } finally {
      leave();
      over();
    }
  }

  #park(delivery: LiveDelivery, error: unknown): void {
    const reason = errorText(error);
    const note = `Sidelight could not make the attempt: ${reason}`;
    const { messageId, isRemoved } = delivery.message;
    const { deliveryId } = delivery;
    // A person removed the message while its body was read: nothing is wrong.
    if (!isRemoved) this.#shared.log.write('error', 'delivery', note, { messageId, deliveryId });
    // A call that could not be made gets no answer, so its attempt is ended here.
    if (delivery.attemptId !== undefined) this.#shared.live.endAttempt(delivery.attemptId);
    delivery.endCall();
    if (delivery.state === 'queued')
      this.#deliveries.move(delivery, { type: 'start', again: delivery.attemptCount > 0 });
    if (delivery.state === 'attempting') {
      const verdict: Verdict = { outcome: 'retry', rule: 'policy.no-answer', log: 'warn' };
      this.#deliveries.move(delivery, { type: 'verdict', verdict }, { note });
    }
    if (delivery.state === 'retrying')
      this.#deliveries.move(delivery, { type: 'exhausted', deadLetter: false }, { note: reason });
  }
}

/**
 * Whether a call says something about the app of now: it was made at its present address, since it may have been started anew, and no mock
 * app answered.
 */
function isOfApp({ app, channel, started, times }: MadeCall): boolean {
  if (channel !== app.channel || times !== app.routeAnswers.times || app.isMocked) return false;
  return app.mock?.answeredBy(started.attemptId) === undefined;
}

/** Waits for memory for the bodies of a call, and meanwhile marks its deliveries as waiting for it. */
async function roomFor<T>(app: App, batch: readonly LiveDelivery[], entered: Promise<T>): Promise<T> {
  for (const d of batch) app.waitingForRoom.set(d, batch);
  try {
    return await entered;
  } finally {
    for (const d of batch) app.waitingForRoom.delete(d);
  }
}

/** Whether the call may still start: while bodies were read or waited for room, the subscription or the app may have changed. */
function mayCall(app: App, lane: Lane): boolean {
  return lane.mayAttempt && app.mayStart(0, lane);
}
