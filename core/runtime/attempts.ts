/** One call to the app for one delivery or for a batch: request, answer, verdict, record. */
import type { LastAnswer } from '../contract/message.ts';
import { readAnswer, readBulkAnswer } from '../domain/answer.ts';
import type { Wire } from '../domain/codec.ts';
import { judgeBulk, judgeSingle } from '../domain/verdict.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { ReceivedAnswer } from '../ports/app-channel.ts';
import type { App, Lane } from './app.ts';
import { batchBody, deliveryHeaders, singleBody } from './call.ts';
import type { Deliveries } from './delivery.ts';
import type { Holds } from './holds.ts';
import type { LiveDelivery } from './live.ts';
import type { Outcomes } from './outcome.ts';
import type { Policies } from './policies.ts';
import { recordAttempt, waitedSince } from './record.ts';
import type { StartedAttempt } from './record.ts';
import type { Shared } from './shared.ts';

/** What the console learns when an app stops or starts answering. */
export type ReachedListener = (app: App, answered: boolean) => void;

export class Attempts {
  readonly #shared: Shared;
  readonly #deliveries: Deliveries;
  readonly #outcomes: Outcomes;
  readonly #holds: Holds;
  readonly #policies: Policies;
  onReached: ReachedListener = () => undefined;

  constructor(shared: Shared, deliveries: Deliveries, outcomes: Outcomes, holds: Holds, policies: Policies) {
    this.#shared = shared;
    this.#deliveries = deliveries;
    this.#outcomes = outcomes;
    this.#holds = holds;
    this.#policies = policies;
  }

  async single(app: App, lane: Lane, d: LiveDelivery): Promise<void> {
    await this.#guarded([d], async () => {
      const wire = await this.#wire(d);
      const subscription = lane.active?.subscription;
      const attemptId = this.#start([d]);
      const body = singleBody(this.#shared, d, wire, subscription?.rawPayload ?? d.message.row.raw);
      const headers = deliveryHeaders(
        this.#shared,
        app,
        d,
        attemptId,
        wire,
        subscription?.metadata ?? {},
        false,
      );
      const { answer, durationMs, started } = await this.#call(app, [d], attemptId, headers, body);
      if (d.attemptId !== attemptId) return;
      await this.received(d, started, answer, durationMs, app);
    });
  }

  async bulk(app: App, lane: Lane, batch: readonly LiveDelivery[]): Promise<void> {
    await this.#guarded(batch, async () => {
      const wires = await Promise.all(batch.map(async (d) => this.#wire(d)));
      const subscription = lane.active?.subscription;
      const first = batch[0];
      if (first === undefined) return;
      const attemptId = this.#start(batch);
      const metadata = subscription?.metadata ?? {};
      const body = batchBody(this.#shared, batch, wires, subscription?.rawPayload ?? false, metadata);
      const headers = deliveryHeaders(this.#shared, app, first, attemptId, wires[0] ?? '', metadata, true);
      const { answer, durationMs, started } = await this.#call(app, batch, attemptId, headers, body);
      const verdicts = this.judgeBatch(answer, batch);
      for (const d of batch) {
        if (d.attemptId !== attemptId) continue;
        const own = {
          ...started,
          number: d.attemptCount,
          bulk: { entryId: d.entryId, batchSize: batch.length },
        };
        await this.received(
          d,
          { ...own, ...waitedSince(d, started.startedMs) },
          answer,
          durationMs,
          app,
          verdicts.get(d.entryId),
        );
      }
    });
  }

  /** Verdict per entryId; entries the app named that were not sent are logged and ignored. */
  judgeBatch(answer: ReceivedAnswer, batch: readonly LiveDelivery[]): ReadonlyMap<string, Verdict> {
    const entryIds = batch.map((d) => d.entryId);
    const read = answer.kind === 'none' ? answer : readBulkAnswer(answer.status, this.#text(answer));
    const { verdicts, unknown } = judgeBulk(read, entryIds);
    if (unknown.length > 0) {
      this.#shared.log.write(
        'warn',
        'delivery',
        `The app named ${unknown.length} entries that were not in the batch: ignored (${unknown.slice(0, 3).join(', ')}).`,
        { deliveryId: batch[0]?.deliveryId ?? '' },
      );
    }
    return verdicts;
  }

  judge(answer: ReceivedAnswer): Verdict {
    return judgeSingle(answer.kind === 'none' ? answer : readAnswer(answer.status, this.#text(answer)));
  }

  /** Applies an answer, or keeps it back when a hold at `response` catches it. */
  async received(
    d: LiveDelivery,
    started: StartedAttempt,
    answer: ReceivedAnswer,
    durationMs: number,
    app: App,
    judged?: Verdict,
  ): Promise<void> {
    const by = app.mock?.answeredBy(started.attemptId);
    const attempt = recordAttempt(
      started,
      answer,
      durationMs,
      this.#shared.codec,
      by && { ruleId: by.ruleId, ...(by.name === undefined ? {} : { name: by.name }) },
    );
    d.call = undefined;
    d.attemptId = undefined;
    d.lastEndMs = this.#shared.clock.now();
    d.lastDurationMs = attempt.durationMs;
    const verdict = judged ?? this.judge(answer);
    d.lastAnswer = lastAnswer(answer, verdict);
    const hold = this.#holds.any('response')
      ? this.#holds.atResponse(d, answer.kind === 'response' ? answer.status : undefined)
      : undefined;
    if (hold === undefined) {
      await this.#outcomes.settle(
        d,
        verdict,
        attempt,
        by?.byPerson === true ? 'A person gave this answer.' : undefined,
      );
      return;
    }
    d.heldAnswer = { answer, attempt };
    d.heldAt = 'response';
    d.heldBy = hold.holdId;
    void this.#deliveries.changed(d);
    if (hold.releaseAfterMs === undefined) return;
    const kept = d.heldAnswer;
    this.#shared.timers.at(this.#shared.clock.now() + hold.releaseAfterMs, () => {
      if (d.heldAnswer === kept) void this.releaseAnswer(d, undefined);
    });
  }

  /** Lets a held answer take effect, as it came or changed. */
  async releaseAnswer(d: LiveDelivery, changed: ReceivedAnswer | undefined): Promise<void> {
    const held = d.heldAnswer;
    if (held === undefined) return;
    d.heldAnswer = undefined;
    d.heldAt = undefined;
    d.heldBy = undefined;
    const answer = changed ?? held.answer;
    const verdict =
      held.attempt.bulk === undefined
        ? this.judge(answer)
        : (this.judgeBatch(answer, [d]).get(d.entryId) ?? this.judge(answer));
    d.lastAnswer = lastAnswer(answer, verdict);
    await this.#outcomes.settle(
      d,
      verdict,
      held.attempt,
      changed === undefined ? undefined : 'The answer was changed by hand.',
    );
  }

  #wire(d: LiveDelivery): Wire | Promise<Wire> {
    return d.changedWire ?? this.#shared.live.wire(d.message);
  }

  #text(answer: Extract<ReceivedAnswer, { kind: 'response' }>): string | undefined {
    return answer.body === undefined ? undefined : this.#shared.codec.toText(answer.body);
  }

  #start(batch: readonly LiveDelivery[]): string {
    const attemptId = this.#shared.ids.next('attempt');
    for (const d of batch) {
      const again = d.attemptCount > 0;
      d.attemptCount += 1;
      d.attemptId = attemptId;
      void this.#deliveries.apply(d, { type: 'start', again });
    }
    this.#shared.live.beginAttempt(attemptId, batch);
    return attemptId;
  }

  async #call(
    app: App,
    batch: readonly LiveDelivery[],
    attemptId: string,
    headers: Readonly<Record<string, string>>,
    body: Wire,
  ): Promise<{ answer: ReceivedAnswer; durationMs: number; started: StartedAttempt }> {
    const { clock, live } = this.#shared;
    const first = batch[0];
    const path = first?.route.path ?? '/';
    const startedMs = clock.now();
    const startedMono = clock.monotonic();
    const started: StartedAttempt = {
      attemptId,
      number: first?.attemptCount ?? 1,
      startedMs,
      startedMono,
      url: app.channel.url + path,
      headers,
      body,
      ...(first === undefined ? {} : waitedSince(first, startedMs)),
    };
    const timeoutMs = this.#policies.timeoutFor(first?.subscription.pubsubname ?? '');
    const call = app.channel.deliver({ path, headers, body, timeoutMs });
    for (const d of batch) d.call = call;
    const answer = await call.answer;
    live.endAttempt(attemptId);
    this.onReached(app, answer.kind === 'response' || answer.code !== 'refused');
    return { answer, durationMs: clock.monotonic() - startedMono, started };
  }

  /** A bug or an unreadable journal must not leave a delivery attempting for ever: it is parked with the reason. */
  async #guarded(batch: readonly LiveDelivery[], act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      for (const d of batch) {
        this.#shared.log.write('error', 'delivery', `The attempt could not be made: ${reason}`, {
          messageId: d.message.messageId,
          deliveryId: d.deliveryId,
        });
        if (d.state === 'queued')
          void this.#deliveries.apply(d, { type: 'start', again: d.attemptCount > 0 });
        if (d.state === 'attempting') {
          const verdict: Verdict = { outcome: 'retry', rule: 'policy.no-answer', log: 'warn' };
          void this.#deliveries.apply(
            d,
            { type: 'verdict', verdict },
            { note: `The attempt could not be made: ${reason}` },
          );
        }
        if (d.state === 'retrying')
          void this.#deliveries.apply(d, { type: 'exhausted', deadLetter: false }, { note: reason });
      }
    }
  }
}

function lastAnswer(answer: ReceivedAnswer, verdict: Verdict): LastAnswer {
  if (answer.kind === 'none') return { error: answer.code };
  return {
    status: answer.status,
    ...(verdict.word === undefined ? {} : { word: verdict.word.slice(0, 100) }),
  };
}
