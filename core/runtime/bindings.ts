/** Bindings: invoking output sides, and events of input sides as messages with one delivery to the app (reference 8). */
import {
  notInvoked,
  readInvoke,
  readSides,
  unknownBinding,
  unsupportedOperation,
} from '../domain/binding-invoke.ts';
import { refusalOf } from '../domain/refusal.ts';
import type { Binding, BindingEvent, BindingListener, BindingReply } from '../ports/binding.ts';
import type { ComponentSpec } from '../ports/component-source.ts';
import type { App } from './app.ts';
import type { Components } from './components.ts';
import type { Deliveries } from './delivery.ts';
import type { Intake } from './intake.ts';
import type { LiveDelivery } from './live.ts';
import type { Publisher } from './publisher.ts';
import type { Shared } from './shared.ts';

const PROBE_TIMEOUT_MS = 10_000;
/** How long the sender of an event waits; then it decides itself whether to send again. */
const LONGEST_MS = 25_000;

type TakeEvent = Parameters<NonNullable<Binding['listen']>>[0];
type Taken = Awaited<ReturnType<TakeEvent>>;

export interface BindingParts {
  readonly components: Components;
  readonly publisher: Publisher;
  readonly deliveries: Deliveries;
  readonly intake: Intake;
}

interface Listening {
  readonly name: string;
  readonly listener: BindingListener;
}

/** Somebody outside who waits for what becomes of an event. */
interface Sender {
  readonly name: string;
  readonly tell: (taken: Taken) => void;
}

export class Bindings {
  readonly #shared: Shared;
  readonly #parts: BindingParts;
  #listening: Listening[] = [];
  /** Bindings that are listened on, or about to be: by one app each. */
  readonly #taken = new WeakSet<Binding>();
  readonly #senders = new Set<Sender>();
  #isClosed = false;

  constructor(shared: Shared, parts: BindingParts) {
    this.#shared = shared;
    this.#parts = parts;
  }

  /** Throws Refusal ERR_MALFORMED_REQUEST (400) or ERR_INVOKE_OUTPUT_BINDING (500), texts of reference 8.1. */
  async invoke(
    appId: string,
    name: string,
    body: Uint8Array | string,
    trace: { traceparent?: string; tracestate?: string },
  ): Promise<BindingReply | undefined> {
    const read = readInvoke(name, body, this.#shared.codec);
    if (!read.ok) throw refusalOf(read.complaint, { name });
    const found = this.#parts.components.bindings(appId).find(({ spec }) => spec.name === name);
    if (
      found === undefined ||
      found.binding.operations.length === 0 ||
      !readSides(found.spec.metadata).output
    ) {
      throw refusalOf(unknownBinding(name), { name });
    }
    const { operation, data, metadata } = read.value;
    const unsupported = unsupportedOperation(name, operation, found.binding.operations);
    if (unsupported !== undefined) throw refusalOf(unsupported, { name });
    try {
      return await found.binding.invoke(operation, data, { ...metadata, ...trace });
    } catch (error) {
      throw refusalOf(notInvoked(name, error instanceof Error ? error.message : String(error)), { name });
    }
  }

  /** Starts the input sides an app wants; called when the app has been discovered. */
  async listenFor(app: App): Promise<void> {
    for (const { spec, binding } of this.#parts.components.bindings(app.appId)) {
      const sides = readSides(spec.metadata);
      if (!binding.hasInput || !sides.input || this.#taken.has(binding)) continue;
      this.#taken.add(binding);
      if (!(await this.#listenTo(app, spec, binding, sides.explicit))) this.#taken.delete(binding);
    }
  }

  /** Stops listening on bindings that are gone or replaced; all of them, for good, without names. */
  async close(names?: ReadonlySet<string>): Promise<void> {
    if (names === undefined) this.#isClosed = true;
    const isMeant = ({ name }: { readonly name: string }): boolean => names === undefined || names.has(name);
    const closing = this.#listening.filter(isMeant);
    this.#listening = this.#listening.filter((one) => !closing.includes(one));
    for (const sender of [...this.#senders].filter(isMeant)) {
      sender.tell({ accepted: false, error: 'the binding is being closed' });
    }
    await Promise.all(closing.map((one) => one.listener.close()));
  }

  /** True: its events come to this app from now on. */
  async #listenTo(app: App, spec: ComponentSpec, binding: Binding, isExplicit: boolean): Promise<boolean> {
    const { name } = spec;
    const path = `/${(spec.metadata['route'] ?? name).replace(/^\/+/, '')}`;
    const say = (level: 'info' | 'error', text: string): void =>
      this.#shared.log.write(level, 'bindings', text);
    if (!isExplicit && !(await this.#wanted(app, path))) {
      say('info', `App ${app.appId} does not take events of binding ${name} (OPTIONS ${path}).`);
      return false;
    }
    try {
      const listener = await binding.listen?.((event) => this.#deliver(app, name, path, event));
      if (listener === undefined) return false;
      if (this.#isClosed) await listener.close();
      else this.#listening.push({ name, listener });
      say('info', `Binding ${name} delivers to ${app.appId} at ${path}.`);
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      say('error', `Binding ${name} could not be read: ${reason}`);
      return false;
    }
  }

  /** Subscribed if 2xx or 405. */
  async #wanted(app: App, path: string): Promise<boolean> {
    const call = app.channel.deliver({
      path,
      method: 'OPTIONS',
      headers: { 'content-type': 'application/json', ...this.#token() },
      body: '',
      timeoutMs: PROBE_TIMEOUT_MS,
    });
    const answer = await call.answer;
    if (answer.kind === 'none') {
      this.#shared.log.write(
        'warn',
        'bindings',
        `App ${app.appId} did not answer OPTIONS ${path}: ${answer.message}`,
      );
      return false;
    }
    return (answer.status >= 200 && answer.status < 300) || answer.status === 405;
  }

  #token(): Record<string, string> {
    const { appApiToken, profile } = this.#shared;
    return appApiToken === undefined ? {} : { [profile.tokenHeader]: appApiToken };
  }

  /** One event, one call, no retry of ours: `binding.2xx` or `binding.refused`. Held longer than the sender waits: refused. */
  async #deliver(app: App, name: string, path: string, event: BindingEvent): Promise<Taken> {
    const { publisher, intake, deliveries } = this.#parts;
    const message = await publisher.adopt({
      appId: app.appId,
      pubsubname: name,
      topic: name,
      source: 'binding',
      wrapped: { kind: 'raw', wire: event.data, contentType: 'application/json', flags: [] },
      givenContentType: '',
      metadata: event.metadata,
    });
    const of = { pubsubname: name, topic: name, source: 'binding' } as const;
    const d = intake.blank(app, of, message, undefined);
    d.route = { path };
    d.maxAttempts = 1;
    this.#shared.live.addDelivery(d);
    const ended = new Promise<Taken>((taken) => d.done.push(() => taken(takenOf(d))));
    void deliveries.apply(d, { type: 'accept' });
    return this.#inTime(name, d, ended);
  }

  /** The first of: it ended, the sender waits no longer, the binding is closed. */
  async #inTime(name: string, d: LiveDelivery, ended: Promise<Taken>): Promise<Taken> {
    const { clock, timers } = this.#shared;
    let tell: Sender['tell'] = () => undefined;
    const cutShort = new Promise<Taken>((told) => (tell = told));
    const sender: Sender = { name, tell };
    this.#senders.add(sender);
    const isHeld = (): boolean => d.state === 'held' || d.heldAnswer !== undefined;
    const stopTimer = timers.at(clock.now() + LONGEST_MS, () =>
      tell({ accepted: false, error: isHeld() ? 'held by developer' : 'no answer yet' }),
    );
    const taken = await Promise.race([ended, cutShort]);
    stopTimer();
    this.#senders.delete(sender);
    return taken;
  }
}

function takenOf(d: LiveDelivery): Taken {
  const { status, error } = d.lastAnswer ?? {};
  const accepted = d.state === 'processed';
  if (status !== undefined) return { accepted, status };
  return { accepted, error: error ?? 'it was not given to the app' };
}
