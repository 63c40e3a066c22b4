/** Acts of a person on a running call: cancel it, or answer instead of the app. */
import { allows } from '../../contract/acts.ts';
import type { Answer, WaitingAnswer } from '../../contract/mock-app.ts';
import { Refusal } from '../../domain/refusal.ts';
import { settingsOf } from '../state/app.ts';
import type { App } from '../state/app.ts';
import type { Apps } from '../state/apps.ts';
import { mustBeOurs, notAllowed } from '../state/delivery.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { Policies } from '../state/policies.ts';
import type { Serving } from '../apps/serving.ts';
import type { SharedServices } from '../common-services.ts';
import type { Targets } from './targets.ts';
import { iso } from '../time/time.ts';
import { noDelivery } from '../state/not-found.ts';

export interface RunningCallDependencies {
  readonly targets: Targets;
  readonly policies: Policies;
  readonly serving: Serving;
  readonly apps: Apps;
  /** Resolves when the delivery's running attempt has had its effect. */
  readonly settled: (d: LiveDelivery) => Promise<void>;
}

export class RunningCalls {
  readonly #shared: SharedServices;
  readonly #deps: RunningCallDependencies;

  constructor(shared: SharedServices, deps: RunningCallDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /** Cancels the call of a delivery, and so of its whole batch. Resolves with the number of these deliveries. */
  async cancel(deliveryId: string): Promise<{ changed: number }> {
    const d = await this.#one(deliveryId);
    mustBeOurs(d);
    const { call } = d;
    const isAllowed = d.state !== null && allows('cancel', { state: d.state });
    if (!isAllowed || call === undefined) throw notAllowed(d, 'user.cancel');
    const batch = d.attemptId === undefined ? [d] : this.#shared.live.ofAttempt(d.attemptId);
    call.cancel('cancelled by hand');
    await this.#deps.settled(d);
    return { changed: Math.max(1, batch.length) };
  }

  /** Gives the mock app's answer for a call that waits under an `ask` rule. */
  async answer(deliveryId: string, answer: Answer): Promise<{ changed: number }> {
    const d = await this.#one(deliveryId);
    const mock = this.#deps.apps.find(d.appId)?.mock;
    const { attemptId } = d;
    if (mock === undefined || attemptId === undefined || !mock.answer(attemptId, answer)) {
      throw new Refusal(
        'TRANSITION_NOT_ALLOWED',
        { reason: 'it waits for no answer' },
        { data: { state: d.state ?? 'queued', deliveryId } },
      );
    }
    const changed = Math.max(1, this.#shared.live.ofAttempt(attemptId).length);
    if (isGivenAtOnce(answer)) await this.#deps.settled(d);
    return { changed };
  }

  /** Calls that wait for a person's answer; without an id those of all apps. */
  waiting(appId?: string): readonly WaitingAnswer[] {
    return this.#deps.apps.all.flatMap((app) => {
      if (app.mock === undefined || (appId !== undefined && app.appId !== appId)) return [];
      return app.mock.waiting().flatMap((one) => this.#waitingAnswer(app, one) ?? []);
    });
  }

  #waitingAnswer(
    app: App,
    one: { attemptId: string; since: number; path: string },
  ): WaitingAnswer | undefined {
    const batch = this.#shared.live.ofAttempt(one.attemptId);
    const first = batch[0];
    if (first === undefined) return undefined;
    const timeoutMs = this.#deps.policies.timeoutFor(first.appId, first.subscription.pubsubname);
    const isBulk =
      batch.length > 1 || settingsOf(first, this.#deps.serving.laneOf(app, first))?.bulk !== undefined;
    return {
      deliveryId: first.deliveryId,
      messageId: first.message.messageId,
      number: first.message.row.number,
      appId: app.appId,
      topic: first.message.row.topic,
      path: one.path,
      attempt: first.attemptCount,
      since: iso(one.since),
      ...(timeoutMs > 0 ? { givesUpAt: iso(one.since + timeoutMs) } : {}),
      ...(isBulk ? { entries: batch.map(entryOf) } : {}),
    };
  }

  async #one(deliveryId: string): Promise<LiveDelivery> {
    const d = await this.#deps.targets.delivery(deliveryId);
    if (d === undefined) throw noDelivery(deliveryId);
    // An ended delivery was loaded only for this check, so it is forgotten again.
    this.#deps.targets.release(d.message);
    return d;
  }
}

function entryOf({
  entryId,
  deliveryId,
  message,
}: LiveDelivery): NonNullable<WaitingAnswer['entries']>[number] {
  return { entryId, deliveryId, number: message.row.number };
}

/** Whether the answer is sent without delay, so that the caller can wait for its effect. */
function isGivenAtOnce(answer: Answer): boolean {
  if (answer.kind === 'hang' || answer.kind === 'ask') return false;
  return !('delayMs' in answer) || answer.delayMs === undefined;
}
