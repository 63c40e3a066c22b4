/** One attempt: the call, its record, and its effect on lane and deliveries. */
import type { EvrCode } from '../../contract/event-router/wire.ts';
import type { RouterAttempt } from '../../contract/event-router/local-router.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { decide } from '../rules/answer-table.ts';
import type { AnswerDecision } from '../rules/answer-table.ts';
import type { FullProperties } from '../rules/record-body.ts';
import { redactHeaders } from '../../domain/redact.ts';
import { retryAfterSeconds } from '../rules/schedule.ts';
import type { RouterDeliverySettings } from '../options.ts';
import type { OutboundAnswer } from '../outbound/outbound.ts';
import type { StoredSubscription } from '../subscriptions/stored-subscription.ts';
import { callWithin, prepareCall } from './call.ts';
import type { CallDependencies, PreparedCall } from './call.ts';
import type { Endings } from './endings.ts';
import { iso } from './entry.ts';
import type { Entry } from './entry.ts';
import type { Lane } from './lane.ts';
import type { Ledger } from './ledger.ts';
import type { Records } from './records.ts';

export interface AttemptsDependencies extends CallDependencies {
  readonly records: Records;
  readonly ledger: Ledger;
  readonly endings: Endings;
  readonly settings: RouterDeliverySettings;
  readonly scale: () => number;
  readonly textOf: (entry: Entry) => string;
  readonly forgetToken: (tenantId: string, application: string) => void;
  readonly queue: (entry: Entry) => void;
  readonly note: (text: string) => void;
}

interface Done {
  readonly answer: OutboundAnswer;
  readonly decision: AnswerDecision;
}

const FAILURES_BEFORE_DELAY = 10;

export class Attempts {
  readonly #deps: AttemptsDependencies;

  constructor(deps: AttemptsDependencies) {
    this.#deps = deps;
  }

  /** Makes an attempt; never rejects. `kept.active` has the properties for it. */
  async run(entries: readonly Entry[], lane: Lane, kept: StoredSubscription): Promise<void> {
    const { active } = kept;
    if (active === undefined) return;
    try {
      let done = await this.#once(entries, kept, active);
      if (this.#mayRepeat(done, active)) done = await this.#once(entries, kept, active);
      this.#judge(entries, lane, done);
    } catch (error) {
      const message = errorText(error);
      this.#deps.note(`An attempt failed before it was made: ${message}.`);
      const answer: OutboundAnswer = { kind: 'none', outcome: 'SocketError', code: 'INTERNAL', message };
      this.#judge(entries, lane, { answer, decision: decide(answer) });
    }
  }

  async #once(entries: readonly Entry[], kept: StoredSubscription, active: FullProperties): Promise<Done> {
    const { clock } = this.#deps;
    const startedMs = clock.now();
    const [first] = entries;
    const count = first?.attempts ?? 0;
    for (const entry of entries) {
      entry.attempts += 1;
      entry.lastAttemptMs = startedMs;
    }
    const texts = entries.map((entry) => this.#deps.textOf(entry));
    const call = await prepareCall(this.#deps, { subscriptionName: kept.name, active, texts, count });
    for (const warning of call.warnings) this.#deps.note(warning);
    const answer = await callWithin(this.#deps, call.request, (late) => this.#late(entries, late));
    const evr: { readonly evr?: EvrCode } =
      answer.kind === 'none' && answer.evr !== undefined ? { evr: answer.evr } : {};
    const decision = decide(
      answer.kind === 'response' ? { status: answer.status } : { outcome: answer.outcome, ...evr },
    );
    for (const entry of entries) {
      if (answer.kind === 'response') entry.lastStatus = answer.status;
      else delete entry.lastStatus;
      if (evr.evr === undefined) delete entry.lastCode;
      else entry.lastCode = evr.evr;
      this.#deps.records.attempt(
        entry,
        this.#record(entry, { call, answer, decision, startedMs, batch: entries.length }),
      );
    }
    const { azureActiveDirectoryTenantId: tenant, azureActiveDirectoryApplicationIdOrUri: application } =
      active.destination.properties;
    const refused = answer.kind === 'response' && answer.status === 401;
    if (refused && tenant !== undefined && application !== undefined) {
      this.#deps.forgetToken(tenant, application);
    }
    return { answer, decision };
  }

  #mayRepeat({ answer }: Done, active: FullProperties): boolean {
    const secured = active.destination.properties.azureActiveDirectoryTenantId !== undefined;
    return this.#deps.settings.retry401Once && secured && answer.kind === 'response' && answer.status === 401;
  }

  #judge(entries: readonly Entry[], lane: Lane, { answer, decision }: Done): void {
    const { clock } = this.#deps;
    const now = clock.now();
    this.#probation(lane, decision, now);
    const header = answer.kind === 'response' ? answer.headers['retry-after'] : undefined;
    const asks = answer.kind === 'response' && (answer.status === 429 || answer.status === 503);
    const retryAfterS = asks ? retryAfterSeconds(header, now) : undefined;
    const hint = decision.kind === 'again' ? decision.hint : undefined;
    const note =
      answer.kind === 'none'
        ? `${answer.message}${answer.evr === undefined ? '' : ` (${answer.evr})`}`
        : hint;
    for (const entry of entries) {
      // A person may have ended the delivery during the attempt.
      if (entry.state !== 'attempting') continue;
      const again = this.#deps.endings.apply(entry, {
        decision,
        ...withoutUndefined({ retryAfterS, note }),
      });
      if (again) this.#deps.queue(entry);
    }
  }

  #probation(lane: Lane, decision: AnswerDecision, now: number): void {
    if (decision.kind === 'processed') {
      lane.failuresInRow = 0;
      return;
    }
    lane.failuresInRow += 1;
    if (!this.#deps.settings.probation) return;
    const refused = decision.kind === 'never' && ['Unauthorized', 'Forbidden'].includes(decision.outcome);
    const seconds = decision.kind === 'again' ? decision.probationS : refused ? 300 : 0;
    const delayed = lane.failuresInRow >= FAILURES_BEFORE_DELAY ? 300 : 0;
    const untilMs = now + Math.max(seconds, delayed) * 1000 * this.#deps.scale();
    lane.pausedUntilMs = Math.max(lane.pausedUntilMs, untilMs);
  }

  /** Takes an answer after the timeout: a success ends the deliveries that still wait. */
  #late(entries: readonly Entry[], answer: OutboundAnswer): void {
    if (answer.kind !== 'response' || decide({ status: answer.status }).kind !== 'processed') return;
    for (const entry of entries) {
      if (entry.state !== 'retrying' && entry.state !== 'queued') continue;
      entry.lastStatus = answer.status;
      const note = 'The answer came after the timeout.';
      this.#deps.ledger.move(entry, 'processed', { cause: 'app', rule: 'router.processed', note });
    }
  }

  #record(
    entry: Entry,
    facts: Done & { readonly call: PreparedCall; readonly startedMs: number; readonly batch: number },
  ): RouterAttempt {
    const { answer, decision, call } = facts;
    const endedMs = this.#deps.clock.now();
    return {
      attemptId: this.#deps.ids.next('attempt'),
      number: entry.attempts,
      startedAt: iso(facts.startedMs),
      endedAt: iso(endedMs),
      durationMs: endedMs - facts.startedMs,
      batchSize: facts.batch,
      request: call.shown,
      ...(answer.kind === 'response'
        ? {
            response: {
              status: answer.status,
              headers: redactHeaders(answer.headers),
              body: answer.body,
              ...(answer.bodyTruncated ? { bodyTruncated: true } : {}),
            },
          }
        : {
            error: {
              code: answer.code,
              message: answer.message,
              ...withoutUndefined({ evr: answer.evr }),
            },
          }),
      ...(decision.kind === 'processed' ? {} : { outcome: decision.outcome }),
      rule: decision.rule,
      ...(call.token === undefined ? {} : { token: call.token.shown }),
    };
  }
}
