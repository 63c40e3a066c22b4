/** Bindings: invoking output sides, and events of input sides as messages with one delivery to the app (behaviour 8). */
import { errorText } from '../contract/error-text.ts';
import { APP_METHODS } from '../contract/grpc.ts';
import { theApp, theAppFirst } from '../contract/app-text.ts';
import {
  notInvoked,
  readInvoke,
  readSides,
  SENDER_WAITS_MS,
  unknownBinding,
  unsupportedOperation,
} from '../domain/binding-invoke.ts';
import { backoffMs } from '../domain/backoff.ts';
import { listValueIn } from '../domain/answer.ts';
import { isObject } from '../domain/json.ts';
import { refusalOf } from '../domain/refusal.ts';
import type { Binding, BindingEvent, BindingListener, BindingReply, BindingTaken } from '../ports/binding.ts';
import type { Cancel } from '../ports/clock.ts';
import type { ReceivedAnswer } from '../ports/app-channel.ts';
import type { ComponentSpec } from '../ports/component-source.ts';
import type { App } from './state/app.ts';
import type { Components } from './components/components.ts';
import type { Deliveries } from './state/delivery.ts';
import type { Intake } from './delivering/intake.ts';
import type { LiveDelivery } from './state/live.ts';
import type { Acceptance } from './publishing/acceptance.ts';
import type { SharedServices } from './common-services.ts';

const PROBE_TIMEOUT_MS = 10_000;
const GRPC_PROBE_TIMEOUT_MS = 3_000;

const FIRST_WAIT_MS = 1_000;
/** Maximum wait between probes without an answer: 1 s, 2 s, 4 s … 30 s. */
const MAX_WAIT_MS = 30_000;

export interface BindingDependencies {
  readonly components: Components;
  readonly acceptance: Acceptance;
  readonly deliveries: Deliveries;
  readonly intake: Intake;
}

interface OperationCall {
  readonly operation: string;
  readonly data: Uint8Array | string;
  readonly metadata: Readonly<Record<string, string>>;
}

interface InvokeRequest {
  readonly body: Uint8Array | string;
  readonly trace: { traceparent?: string; tracestate?: string };
  /** True: the body exceeds its limit, and only its start is here. */
  readonly isBeginning: boolean;
}

interface Listening {
  readonly name: string;
  readonly app: App;
  readonly binding: Binding;
  readonly listener: BindingListener;
}

/** A binding that an app may want. */
interface Offer {
  readonly app: App;
  readonly spec: ComponentSpec;
  readonly binding: Binding;
}

/** The outside source of an event, which waits for its outcome. */
interface Sender {
  readonly name: string;
  readonly cutShortWith: (taken: BindingTaken) => void;
}

export class Bindings {
  readonly #shared: SharedServices;
  readonly #deps: BindingDependencies;
  #listening: Listening[] = [];
  /** Bindings that an app listens on or is about to; one app each. */
  readonly #taken = new WeakSet<Binding>();
  readonly #senders = new Set<Sender>();
  /** Probes to repeat of apps that did not answer, by component. */
  readonly #again = new Map<string, { readonly of: Offer; readonly cancel: Cancel }>();
  #isClosed = false;

  constructor(shared: SharedServices, deps: BindingDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /** Throws Refusal ERR_MALFORMED_REQUEST (400) or ERR_INVOKE_OUTPUT_BINDING (500), texts of behaviour 8.1. */
  async invoke(
    appId: string,
    name: string,
    { body, trace, isBeginning }: InvokeRequest,
  ): Promise<BindingReply | undefined> {
    const { codec, profile } = this.#shared;
    const read = readInvoke(name, body, codec, { ...profile.differences, isBeginning });
    if (!read.ok) throw refusalOf(read.complaint, { name });
    const { operation, data, metadata } = read.value;
    return this.invokeOperation(appId, name, { operation, data, metadata: { ...metadata, ...trace } });
  }

  /** Invokes an operation with a parsed request. Throws Refusal ERR_INVOKE_OUTPUT_BINDING. */
  async invokeOperation(
    appId: string,
    name: string,
    { operation, data, metadata }: OperationCall,
  ): Promise<BindingReply | undefined> {
    if (operation === '')
      throw refusalOf(notInvoked(name, 'operation field is missing from request'), { name });
    const found = this.#deps.components.bindings(appId).find(({ spec }) => spec.name === name);
    if (
      found === undefined ||
      found.binding.operations.length === 0 ||
      !readSides(found.spec.metadata).output
    ) {
      throw refusalOf(unknownBinding(name), { name });
    }
    const unsupported = unsupportedOperation(name, operation, found.binding.operations);
    if (unsupported !== undefined) throw refusalOf(unsupported, { name });
    try {
      return await found.binding.invoke(operation, data, metadata);
    } catch (error) {
      throw refusalOf(notInvoked(name, errorText(error)), { name });
    }
  }

  /** Starts the input sides an app wants; called when the app has been discovered. */
  async listenFor(app: App): Promise<void> {
    if (app.isRemoved) return;
    for (const { spec, binding } of this.#deps.components.bindings(app.appId)) {
      const sides = readSides(spec.metadata);
      if (!binding.hasInput || !sides.input || this.#taken.has(binding)) continue;
      this.#taken.add(binding);
      await this.#offer({ app, spec, binding }, sides.explicit, 1);
    }
  }

  /** Stops listening on bindings that were removed or replaced; without names on all of them, for good. */
  async close(names?: ReadonlySet<string>): Promise<void> {
    if (names === undefined) this.#isClosed = true;
    const isMeant = ({ name }: { readonly name: string }): boolean => names === undefined || names.has(name);
    for (const [name, { cancel }] of this.#again) {
      if (!isMeant({ name })) continue;
      cancel();
      this.#again.delete(name);
    }
    const closing = this.#listening.filter(isMeant);
    this.#listening = this.#listening.filter((one) => !closing.includes(one));
    for (const sender of [...this.#senders].filter(isMeant)) {
      sender.cutShortWith({ accepted: false, error: 'the binding is being closed' });
    }
    await Promise.all(closing.map((one) => one.listener.close()));
  }

  /** Stops listening on the bindings of this app; another app may take them over. */
  async leave(app: App): Promise<void> {
    for (const [name, { of, cancel }] of this.#again) {
      if (of.app !== app) continue;
      cancel();
      this.#again.delete(name);
      this.#taken.delete(of.binding);
    }
    const closing = this.#listening.filter((one) => one.app === app);
    this.#listening = this.#listening.filter((one) => one.app !== app);
    for (const { binding } of closing) this.#taken.delete(binding);
    await Promise.all(closing.map((one) => one.listener.close()));
  }

  /** Asks the app if necessary, then listens. An app that does not answer is asked again later; the caller does not wait for that. */
  async #offer(offer: Offer, isExplicit: boolean, tries: number): Promise<void> {
    const { app, spec, binding } = offer;
    const path = routeOf(spec);
    const { appId } = app;
    if (!isExplicit) {
      binding.notice?.({ kind: 'probing', appId, path });
      const asked = await this.#ask(app, path);
      if (app.isRemoved) this.#taken.delete(binding);
      if (app.isRemoved || !this.#isThere(offer)) return;
      if (asked.kind === 'none') {
        const { clock, timers } = this.#shared;
        const againMs = clock.now() + backoffMs(tries, FIRST_WAIT_MS, MAX_WAIT_MS);
        binding.notice?.({ kind: 'no-answer', appId, message: asked.message, againMs });
        this.#log('warn', `${theAppFirst(appId)} did not answer ${questionOf(app, path)}: ${asked.message}`);
        const cancel = timers.at(againMs, () => {
          this.#again.delete(spec.name);
          void this.#offer(offer, isExplicit, tries + 1);
        });
        this.#again.set(spec.name, { of: offer, cancel });
        return;
      }
      const { status } = asked;
      if (!this.#wants(asked, spec.name)) {
        this.#taken.delete(binding);
        binding.notice?.({ kind: 'not-subscribed', appId, status });
        this.#log(
          'info',
          `${theAppFirst(appId)} does not want the events of binding ${spec.name} (${questionOf(app, path)}).`,
        );
        return;
      }
      binding.notice?.({ kind: 'subscribed', appId, path, status });
    } else binding.notice?.({ kind: 'subscribed', appId, path });
    if (!(await this.#listenTo(offer, path))) this.#taken.delete(binding);
  }

  /**
   * Starts to listen.
   * @returns true: the binding's events are delivered to this app
   */
  async #listenTo({ app, spec: { name }, binding }: Offer, path: string): Promise<boolean> {
    try {
      const listener = await binding.listen?.((event) => this.#deliver(app, name, path, event));
      if (listener === undefined) return false;
      if (this.#isClosed || app.isRemoved) await listener.close();
      else this.#listening.push({ name, app, binding, listener });
      this.#log('info', `Binding ${name} delivers to ${theApp(app.appId)} at ${path}.`);
      return true;
    } catch (error) {
      const reason = errorText(error);
      this.#log('error', `Sidelight could not read from binding ${name}: ${reason}`);
      return false;
    }
  }

  /** Whether the binding still exists: it may be replaced while the app is asked. */
  #isThere({ app, binding }: Offer): boolean {
    if (this.#isClosed) return false;
    return this.#deps.components.bindings(app.appId).some((one) => one.binding === binding);
  }

  /** Whether an app's answer says that it takes the events of this binding. */
  #wants(answer: Extract<ReceivedAnswer, { kind: 'response' }>, name: string): boolean {
    const { status } = answer;
    if (answer.protocol !== 'grpc') return (status >= 200 && status < 300) || status === 405;
    const reply =
      status === 0 && answer.body ? listValueIn(this.#shared.codec.toText(answer.body)) : undefined;
    const names = isObject(reply?.value) ? reply.value['bindings'] : undefined;
    return Array.isArray(names) && names.includes(name);
  }

  #ask(app: App, path: string): Promise<ReceivedAnswer> {
    if (app.channel.protocol === 'grpc')
      return app.channel.get(APP_METHODS.listInputBindings, this.#token(app), GRPC_PROBE_TIMEOUT_MS);
    const call = app.channel.deliver({
      path,
      method: 'OPTIONS',
      headers: { 'content-type': 'application/json', ...this.#token(app) },
      body: '',
      timeoutMs: PROBE_TIMEOUT_MS,
    });
    return call.answer;
  }

  #log(level: 'info' | 'warn' | 'error', text: string): void {
    this.#shared.log.write(level, 'bindings', text);
  }

  #token(app: App): Record<string, string> {
    const { appApiToken, profile } = this.#shared;
    const token = app.token(appApiToken);
    return token === undefined ? {} : { [profile.tokenHeader]: token };
  }

  /**
   * Delivers an event with one call and no retry: `binding.2xx` or `binding.refused`. An event held longer than its sender waits is
   * refused.
   */
  async #deliver(app: App, name: string, path: string, event: BindingEvent): Promise<BindingTaken> {
    const { acceptance, intake, deliveries } = this.#deps;
    const topic = path.slice(1);
    const message = await acceptance.adopt({
      appId: app.appId,
      pubsubname: name,
      topic,
      source: 'binding',
      wrapped: {
        kind: 'raw',
        wire: event.data,
        contentType: 'application/json',
        flags: [],
        ...event.about,
      },
      givenContentType: '',
      metadata: event.metadata,
    });
    const of = { pubsubname: name, topic, source: 'binding' } as const;
    const delivery = intake.blank(app, of, message, event.headers);
    delivery.beginOnce({ path });
    this.#shared.live.addDelivery(delivery);
    const ended = new Promise<BindingTaken>((taken) => delivery.whenEnded(() => taken(outcomeOf(delivery))));
    deliveries.move(delivery, { type: 'accept' });
    return this.#inTime(name, delivery, ended);
  }

  /** Resolves with the first of these: the delivery ends, the sender's time is over, or the binding is closed. */
  async #inTime(name: string, d: LiveDelivery, ended: Promise<BindingTaken>): Promise<BindingTaken> {
    const { clock, timers } = this.#shared;
    let cutShortWith: Sender['cutShortWith'] = () => undefined;
    const cutShort = new Promise<BindingTaken>((resolveCut) => (cutShortWith = resolveCut));
    const sender: Sender = { name, cutShortWith: cutShortWith };
    this.#senders.add(sender);
    const isHeld = (): boolean => d.state === 'held' || d.heldAnswer !== undefined;
    const stopTimer = timers.at(clock.now() + SENDER_WAITS_MS, () =>
      cutShortWith({ accepted: false, error: isHeld() ? 'held by developer' : 'no answer yet' }),
    );
    const taken = await Promise.race([ended, cutShort]);
    stopTimer();
    this.#senders.delete(sender);
    return taken;
  }
}

/** Call that asks an app whether it takes a binding's events. */
function questionOf(app: App, path: string): string {
  return app.channel.protocol === 'grpc' ? 'ListInputBindings' : `OPTIONS ${path}`;
}

function outcomeOf(d: LiveDelivery): BindingTaken {
  const { status, error } = d.lastAnswer ?? {};
  const accepted = d.state === 'processed';
  const { messageId } = d.message;
  if (status !== undefined)
    return {
      accepted,
      status,
      messageId,
      ...(d.bindingErrorText === undefined ? {} : { body: d.bindingErrorText }),
    };
  return { accepted, messageId, error: d.bindingErrorText ?? error ?? 'the app did not get it' };
}

/** Path of the app for the events: the setting `route`, or the component's name. */
function routeOf({ name, metadata }: ComponentSpec): string {
  return `/${(metadata['route'] ?? name).replace(/^\/+/, '')}`;
}
