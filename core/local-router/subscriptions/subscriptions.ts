/** The event subscriptions: put, validated, delivering, removed; every change is stored. */
import type { RouterHandshake } from '../../contract/event-router/local-router.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { readAllowedRate } from '../rules/handshake.ts';
import type { FullProperties } from '../rules/record-body.ts';
import { recordId, scopeTakesTopic } from '../../router-protocol/scope.ts';
import type { Scope } from '../../router-protocol/scope.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import { hasDigest } from '../secrets.ts';
import type { RouterStore } from '../store/store.ts';
import { WireError } from '../rules/wire-error.ts';
import { CallbackLimit } from './callback-limit.ts';
import { isKeptSubscription, isOver, needsHandshake } from './stored-subscription.ts';
import type { StoredSubscription } from './stored-subscription.ts';
import type { Operation, Operations } from './operations.ts';
import type { ValidationResult } from './validation.ts';

export interface SubscriptionsDependencies {
  readonly store: RouterStore;
  readonly clock: Clock;
  readonly operations: Operations;
  readonly namespace: string;
  readonly revalidateOnPut: boolean;
  readonly strictConflicts: boolean;
  readonly validate: (kept: StoredSubscription, isCurrent: () => boolean) => Promise<ValidationResult>;
  readonly record: (handshake: RouterHandshake) => void;
  /** Called when properties, state or error of a subscription changed. */
  readonly changed: (kept: StoredSubscription) => void;
  readonly removed: (kept: StoredSubscription) => void;
}

const MAX_PER_SCOPE = 500;
const SUPERSEDED = { code: 'Canceled', message: 'The operation was superseded.' };

/**
 * The registry. It makes one change at a time per record; a newer one waits for the handshake of the one
 * before.
 */
export class Subscriptions {
  readonly #deps: SubscriptionsDependencies;
  readonly #kept = new Map<string, StoredSubscription>();
  /** The running change by key. */
  readonly #running = new Map<string, Promise<void>>();
  /** Number of changes by key, so that a handshake knows whether it is still wanted. */
  readonly #versions = new Map<string, number>();
  readonly #awaiting = new Map<string, { readonly url: string; readonly operation?: string; stop: Cancel }>();
  readonly #callbacks = new CallbackLimit();
  #stopped = false;

  constructor(deps: SubscriptionsDependencies) {
    this.#deps = deps;
    for (const { key, value } of deps.store.kept('subscription')) {
      if (isKeptSubscription(value)) this.#kept.set(key, value);
    }
  }

  list(): readonly StoredSubscription[] {
    return [...this.#kept.values()];
  }

  get(id: string): StoredSubscription | undefined {
    return this.#kept.get(id.toLowerCase());
  }

  find(scope: Scope, name: string): StoredSubscription | undefined {
    return this.get(recordId(scope, this.#deps.namespace, name));
  }

  /** Subscriptions to which a topic's events go now. */
  targets(topicResourceId: string): readonly (StoredSubscription & { readonly active: FullProperties })[] {
    return this.list().filter(
      (kept): kept is StoredSubscription & { active: FullProperties } =>
        kept.active !== undefined &&
        scopeTakesTopic(kept.scope, topicResourceId) &&
        !isOver(kept, this.#deps.clock.now()),
    );
  }

  /**
   * Creates or updates a subscription; the handshake runs after this has resolved.
   * @throws WireError 409 if another change runs (strict) or the scope has 500 already
   */
  async put(
    scope: Scope,
    name: string,
    properties: FullProperties,
  ): Promise<{ readonly kept: StoredSubscription; readonly operation: Operation }> {
    const id = recordId(scope, this.#deps.namespace, name);
    const key = id.toLowerCase();
    if (this.#running.has(key) && this.#deps.strictConflicts)
      throw new WireError(409, 'Conflict', 'Another operation on this event subscription is in progress.');
    // The loop does not wait if nothing runs: two changes at the same time must see each other.
    while (this.#running.has(key)) await this.#running.get(key);
    const before = this.#kept.get(key);
    if (before === undefined) this.#mustHaveRoom(scope);
    const awaited = this.#awaiting.get(key)?.operation;
    if (awaited !== undefined) this.#deps.operations.end(awaited, SUPERSEDED);
    const operation = this.#deps.operations.start();
    const same =
      before?.state === 'Succeeded' && JSON.stringify(before.desired) === JSON.stringify(properties);
    const handshake =
      needsHandshake(before?.active, properties) ||
      before?.state !== 'Succeeded' ||
      this.#deps.revalidateOnPut;
    this.#stopAwaiting(key);
    const { error: _error, callback: _callback, ...rest } = before ?? { id, key, name, scope };
    const kept: StoredSubscription = {
      ...rest,
      desired: properties,
      state: before === undefined ? 'Creating' : 'Updating',
    };
    if (!handshake || (same && !this.#deps.revalidateOnPut)) {
      this.#set({ ...kept, active: properties, state: 'Succeeded' });
      this.#deps.operations.end(operation.id);
      return { kept, operation };
    }
    // Properties that need no consent of the endpoint apply at once.
    this.#set(needsHandshake(before?.active, properties) ? kept : { ...kept, active: properties });
    this.#run(key, operation.id);
    return { kept, operation };
  }

  #mustHaveRoom(scope: Scope): void {
    if (this.list().filter((kept) => kept.scope.key === scope.key).length < MAX_PER_SCOPE) return;
    const text = `Quota limit reached: ${MAX_PER_SCOPE} event subscriptions per scope.`;
    throw new WireError(409, 'QuotaLimitReached', text);
  }

  /** Repeats the handshake unchanged; resolves when it ended or waits for a person. */
  async revalidate(id: string): Promise<StoredSubscription | undefined> {
    const kept = this.get(id);
    if (kept === undefined) return undefined;
    while (this.#running.has(kept.key)) await this.#running.get(kept.key);
    this.#stopAwaiting(kept.key);
    this.#set({ ...kept, state: kept.active === undefined ? 'Creating' : 'Updating' });
    this.#run(kept.key);
    await this.#running.get(kept.key);
    return this.get(id);
  }

  /** Removes a subscription; false: it does not exist. */
  remove(id: string): boolean {
    const kept = this.get(id);
    if (kept === undefined) return false;
    this.#bump(kept.key);
    this.#stopAwaiting(kept.key);
    this.#kept.delete(kept.key);
    this.#deps.store.keep('subscription', kept.key, undefined);
    this.#deps.removed(kept);
    return true;
  }

  /** URL for validation by hand; undefined: none is awaited. */
  validationUrl(id: string): string | undefined {
    return this.#awaiting.get(id.toLowerCase())?.url;
  }

  /**
   * Handles a call of the validation URL.
   * @throws WireError 400 wrong, used or expired; 429 too often
   */
  callback(name: string, given: { readonly id: string; readonly token: string }, rate?: string): void {
    const named = this.list().filter((kept) => kept.name.toLowerCase() === name.toLowerCase());
    const bad = new WireError(
      400,
      'BadRequest',
      'The validation URL is not valid, was used already, or has expired.',
    );
    for (const kept of named) this.#callbacks.count(kept.key, this.#deps.clock.now());
    const now = this.#deps.clock.now();
    const found = named.find((kept) => kept.callback?.id === given.id);
    const callback = found?.callback;
    if (found === undefined || callback === undefined || callback.untilMs <= now) throw bad;
    if (!hasDigest(given.token, callback.digest)) throw bad;
    const verdict = readAllowedRate(rate);
    const operation = this.#awaiting.get(found.key)?.operation;
    this.#stopAwaiting(found.key);
    this.#deps.record({
      at: new Date(now).toISOString(),
      kind: 'callback',
      subscriptionId: found.id,
      url: found.desired.destination.properties.endpointBaseUrl ?? '',
      origin: 'callback',
      token: 'omitted',
      attempt: 1,
      consent: verdict.kind === 'validated' ? 'yes' : 'no',
    });
    this.#finish(
      found.key,
      verdict.kind === 'validated' ? verdict : { kind: 'failed', message: 'invalid allowed rate' },
      operation,
    );
    if (verdict.kind !== 'validated') throw bad;
  }

  /** Continues what a stop or a crash left unfinished, and sets timers for expirations. */
  resume(): void {
    for (const kept of this.list()) {
      if (kept.state === 'Creating' || kept.state === 'Updating') this.#run(kept.key);
      // Only the digest of the URL is stored, so a person asks for a new handshake when the time is up.
      else if (kept.state === 'AwaitingManualAction' && kept.callback !== undefined) {
        this.#await(kept.key, { url: '', untilMs: kept.callback.untilMs });
      }
    }
  }

  stop(): void {
    this.#stopped = true;
    for (const key of this.#awaiting.keys()) this.#stopAwaiting(key);
  }

  #run(key: string, operation?: string): void {
    const version = this.#bump(key);
    const isCurrent = (): boolean => !this.#stopped && this.#versions.get(key) === version;
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    const run = this.#deps
      .validate(kept, isCurrent)
      .catch((error: unknown): ValidationResult => ({ kind: 'failed', message: String(error) }))
      .then((result) => {
        this.#running.delete(key);
        if (isCurrent()) this.#finish(key, result, operation);
        else if (operation !== undefined) {
          this.#deps.operations.end(operation, {
            code: 'Canceled',
            message: 'The operation was superseded.',
          });
        }
      });
    this.#running.set(key, run);
  }

  #finish(key: string, result: ValidationResult, operation: string | undefined): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    const { error: _error, callback: _callback, allowedRate: _rate, ...rest } = kept;
    switch (result.kind) {
      case 'validated': {
        const rate = result.rate === undefined ? {} : { allowedRate: result.rate };
        this.#set({ ...rest, ...rate, active: kept.desired, state: 'Succeeded' });
        if (operation !== undefined) this.#deps.operations.end(operation);
        return;
      }
      case 'awaiting':
        this.#set({ ...rest, callback: result.callback, state: 'AwaitingManualAction' });
        this.#await(key, {
          url: result.url,
          untilMs: result.callback.untilMs,
          ...withoutUndefined({ operation }),
        });
        return;
      case 'failed': {
        const error = { code: 'Url validation', message: result.message };
        const before = kept.allowedRate === undefined ? {} : { allowedRate: kept.allowedRate };
        this.#set({ ...rest, ...before, error, state: 'Failed' });
        if (operation !== undefined) this.#deps.operations.end(operation, error);
        return;
      }
      case 'superseded':
    }
  }

  #await(
    key: string,
    facts: { readonly url: string; readonly untilMs: number; readonly operation?: string },
  ): void {
    const { url, operation } = facts;
    const stop = this.#deps.clock.at(facts.untilMs, () => {
      this.#awaiting.delete(key);
      const message =
        'Webhook validation handshake failed: the validation URL was not called within 5 minutes.';
      this.#finish(key, { kind: 'failed', message }, operation);
    });
    this.#awaiting.set(key, { url, stop, ...withoutUndefined({ operation }) });
  }

  #stopAwaiting(key: string): void {
    this.#awaiting.get(key)?.stop();
    this.#awaiting.delete(key);
  }

  #bump(key: string): number {
    const version = (this.#versions.get(key) ?? 0) + 1;
    this.#versions.set(key, version);
    return version;
  }

  #set(kept: StoredSubscription): void {
    this.#kept.set(kept.key, kept);
    this.#deps.store.keep('subscription', kept.key, kept);
    this.#deps.changed(kept);
  }
}
