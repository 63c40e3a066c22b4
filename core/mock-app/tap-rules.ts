/** Rules in front of a tapped app: a matching rule answers a delivery, all others go to the app. */
import { grpcCode, grpcCodeName } from '../contract/grpc.ts';
import type { Protocol } from '../contract/grpc.ts';
import { grpcOfHttp } from '../contract/status-pairs.ts';
import { answersIn } from '../contract/rule-answers.ts';
import type { MockAppState, Preset, ResponseRule } from '../contract/mock-app.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { isObject, tryParse } from '../domain/json.ts';
import { Refusal } from '../domain/refusal.ts';
import type { ReceivedAnswer } from '../ports/app-channel.ts';
import type { Cancel, Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { MockApp } from '../ports/mock-app.ts';
import type { RuledAnswer, RuledCall, TapRules } from '../ports/tap.ts';
import { giveAnswer } from './answers/registry.ts';
import { checkRules } from './check-rules.ts';
import type { Incoming } from './incoming.ts';
import { PendingRequests } from './pending-requests.ts';
import { presetNamed, PRESETS } from './presets.ts';
import type { Reply } from './reply.ts';
import { RequestLog } from './request-log.ts';
import type { AddFacts } from './request-log.ts';
import { RuleBook } from './rule-book.ts';
import type { RuleBookPorts } from './rule-book.ts';
import { RuleRoom } from './rule-room.ts';
import { UnderWay } from './under-way.ts';

/** Milliseconds for which reports on deliveries are collected; changes by a person are reported at once. */
const NOTIFY_DELAY_MS = 100;

export interface TapRulesOptions extends RuleBookPorts {
  /** Address of the app. */
  readonly url: string;
  readonly log: Log;
  /** Room for rules that all apps and taps share; default: room of its own. */
  readonly room?: RuleRoom;
}

/** Rules in front of a tapped app, which are set, shown and counted like those of a mock app. */
export class AppRules implements MockApp, TapRules {
  readonly appId: string;
  readonly url: string;
  readonly isOn = true;
  readonly #options: TapRulesOptions;
  readonly #book: RuleBook;
  readonly #log = new RequestLog();
  readonly #pending: PendingRequests;
  readonly #listeners = new Set<() => void>();
  readonly #setListeners = new Set<() => void>();
  readonly #underWay = new UnderWay(() => this.#notifySoon());
  #counter = 0;
  #cancelNotify: Cancel | undefined;

  constructor(options: TapRulesOptions) {
    const { appId, room = new RuleRoom() } = options;
    this.appId = appId;
    this.url = options.url;
    this.#options = options;
    const mustFit = (rules: readonly ResponseRule[]): void =>
      room.keep(`rules of the tap of ${appId}`, rules, 'rules');
    this.#book = new RuleBook(options, mustFit, room.messages);
    this.#pending = new PendingRequests(options, () => undefined);
  }

  get any(): boolean {
    return this.#book.hasEnabled;
  }

  answerTo(call: RuledCall): RuledAnswer | undefined {
    const incoming: Incoming = { ...call, body: Buffer.from(call.body) };
    const chosen = this.#book.choose(incoming);
    if (chosen === undefined) return undefined;
    const { clock, ids, random, log } = this.#options;
    const { ruleId, name, undecided } = chosen;
    const by = { ruleId, ...withoutUndefined({ name }) };
    if (undecided !== undefined) log.write('warn', 'tap', undecided);
    const add = this.#log.open({
      at: new Date(clock.now()).toISOString(),
      method: 'POST',
      path: call.path,
      kind: call.kind,
      answeredBy: by,
      ...withoutUndefined({ topic: call.topic }),
    });
    const reply = new Captured(call, this.#underWay.until(ruleId, add), clock);
    const counter = (): number => (this.#counter += 1);
    giveAnswer(chosen.answer, {
      incoming,
      reply,
      ports: { clock, random, ids, pending: this.#pending, counter },
    });
    // A call that is answered later changes nothing yet but that it waits.
    this.#notifySoon();
    return { by, answer: reply.answer, gone: () => reply.gone() };
  }

  state(): MockAppState {
    return {
      appId: this.appId,
      url: this.url,
      subscriptions: [],
      rules: this.#underWay.without(this.#book.rules()),
      requests: this.#log.lines(),
      underWay: this.#underWay.calls(),
      received: this.#log.count,
      on: true,
      tap: true,
    };
  }

  setSubscriptions(): void {
    throw notOurs('it declares its own subscriptions');
  }

  /** Checks rules. `ask` is refused, because a person who wants to answer holds the delivery. Throws Refusal INVALID_PARAMS. */
  checkRules(rules: readonly ResponseRule[]): void {
    checkRules(rules);
    const asking = rules.findIndex(({ answer }) => answersIn(answer).some(({ kind }) => kind === 'ask'));
    if (asking >= 0) {
      const field = `rules[${asking}].answer`;
      const expected = 'an answer that is not ask: hold the delivery to answer it by hand';
      throw new Refusal('INVALID_PARAMS', { reason: `${field} must be ${expected}.` }, { field, expected });
    }
  }

  /** Throws Refusal INVALID_PARAMS, TOO_LARGE. */
  setRules(rules: readonly ResponseRule[]): void {
    this.checkRules(rules);
    this.#book.set(rules);
    for (const set of this.#setListeners) set();
    this.#notify();
  }

  presets(): readonly Preset[] {
    return PRESETS;
  }

  usePreset(preset: string): void {
    this.setRules(presetNamed(preset).rules);
  }

  resetCounters(): void {
    this.#book.reset();
    this.#log.count = 0;
    this.#notify();
  }

  turn(): Promise<void> {
    return Promise.reject(notOurs('Sidelight does not control its port'));
  }

  waiting(): ReturnType<MockApp['waiting']> {
    return [];
  }

  answer(): boolean {
    return false;
  }

  answeredBy(): undefined {
    return undefined;
  }

  onChange(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  onSet(set: () => void): void {
    this.#setListeners.add(set);
  }

  async close(): Promise<void> {
    this.#cancelNotify?.();
    this.#cancelNotify = undefined;
    this.#listeners.clear();
    this.#setListeners.clear();
    this.#book.close();
  }

  #notifySoon(): void {
    const { clock } = this.#options;
    this.#cancelNotify ??= clock.at(clock.now() + NOTIFY_DELAY_MS, () => this.#notify());
  }

  #notify(): void {
    this.#cancelNotify?.();
    this.#cancelNotify = undefined;
    for (const changed of this.#listeners) changed();
  }
}

function notOurs(why: string): Refusal {
  return new Refusal(
    'INVALID_PARAMS',
    { reason: `The app is behind a tap: ${why}.` },
    { field: 'appId', expected: 'id of a mock app' },
  );
}

/** Captures an answer for the tap, instead of sending it on a connection, and updates the request's line in the log. */
class Captured implements Reply {
  readonly answer: Promise<ReceivedAnswer>;
  readonly #call: RuledCall;
  readonly #add: AddFacts;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #closed: (() => void)[] = [];
  #isOver = false;
  #settle: (answer: ReceivedAnswer) => void = () => undefined;

  constructor(call: RuledCall, add: AddFacts, clock: Clock) {
    this.#call = call;
    this.#add = add;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    this.answer = new Promise((settle) => (this.#settle = settle));
  }

  send(status: number, headers: Readonly<Record<string, string>>, body: string | undefined): void {
    this.#end({ status });
    const given = { kind: 'response', headers, body: Buffer.from(body ?? '') } as const;
    this.#settle(this.#call.protocol === 'grpc' ? overGrpc(status, body, this.#call) : { ...given, status });
  }

  reset(): void {
    this.#end({ note: 'reset' });
    this.#settle({ kind: 'none', code: 'reset', message: 'a rule reset the connection' });
  }

  onClosed(done: () => void): void {
    this.#closed.push(done);
  }

  note(text: string): void {
    this.#add({ note: text });
  }

  /** Ends the wait, because the sidecar waits no longer. */
  gone(): void {
    for (const done of this.#closed.splice(0)) done();
    if (!this.#isOver) this.#end({ note: 'the caller closed the connection' });
  }

  #end(facts: { readonly status?: number; readonly note?: string }): void {
    this.#isOver = true;
    this.#add({ ...facts, durationMs: Math.round(this.#clock.monotonic() - this.#startedAt) });
  }
}

/**
 * Translates an answer for gRPC, because rules are written with HTTP statuses whatever protocol the app uses.
 */
function overGrpc(
  status: number,
  body: string | undefined,
  { kind }: { readonly kind: RuledCall['kind']; readonly protocol: Protocol },
): ReceivedAnswer {
  const code = grpcOfHttp(status);
  const text = code === grpcCode('OK') && kind === 'bulk' ? namedForGrpc(body) : (body ?? '');
  return {
    kind: 'response',
    protocol: 'grpc',
    status: code,
    statusText: grpcCodeName(code),
    headers: {},
    body: Buffer.from(text),
  };
}

/** The answer to a batch in the form of gRPC apps: entries are named by `entry_id`. */
function namedForGrpc(body: string | undefined): string {
  const said = tryParse(body ?? '')?.value;
  const statuses = isObject(said) ? said['statuses'] : undefined;
  if (!Array.isArray(statuses)) return body ?? '';
  const named = (statuses as readonly unknown[]).map((one) =>
    isObject(one) ? { entry_id: one['entryId'], status: one['status'] } : one,
  );
  return JSON.stringify({ statuses: named });
}
