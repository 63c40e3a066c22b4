/** Bindings: invoking output sides, and events of input sides as messages with one delivery to the app (reference 8). */
import { readAnswer } from '../domain/answer.ts';
import {
  notInvoked,
  readInvoke,
  readSides,
  unknownBinding,
  unsupportedOperation,
} from '../domain/binding-invoke.ts';
import { refusalOf } from '../domain/refusal.ts';
import { judgeBinding } from '../domain/verdict.ts';
import type { BindingEvent, BindingListener, BindingReply } from '../ports/binding.ts';
import { ATTEMPT_HEADER } from '../ports/mock-app.ts';
import type { App } from './app.ts';
import type { Components } from './components.ts';
import type { Deliveries } from './delivery.ts';
import type { Intake } from './intake.ts';
import type { LiveDelivery } from './live.ts';
import { sayVerdict } from './log-lines.ts';
import type { Publisher } from './publisher.ts';
import { recordAttempt } from './record.ts';
import type { Shared } from './shared.ts';

const PROBE_TIMEOUT_MS = 10_000;
/** One call to the app for a binding event; the sender decides itself whether to send again. */
const CALL_TIMEOUT_MS = 25_000;

export interface BindingParts {
  readonly components: Components;
  readonly publisher: Publisher;
  readonly deliveries: Deliveries;
  readonly intake: Intake;
}

interface Listening {
  readonly name: string;
  readonly appId: string;
  readonly binding: object;
  readonly listener: BindingListener;
}

export class Bindings {
  readonly #shared: Shared;
  readonly #parts: BindingParts;
  #listening: Listening[] = [];

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
      if (binding.listen === undefined || !binding.hasInput || !sides.input) continue;
      if (this.#listening.some((one) => one.binding === binding)) continue;
      const path = `/${(spec.metadata['route'] ?? spec.name).replace(/^\/+/, '')}`;
      if (!sides.explicit && !(await this.#wanted(app, path))) {
        this.#shared.log.write(
          'info',
          'bindings',
          `App ${app.appId} does not take events of binding ${spec.name} (OPTIONS ${path}).`,
        );
        continue;
      }
      try {
        const listener = await binding.listen((event) => this.#deliver(app, spec.name, path, event));
        this.#listening.push({ name: spec.name, appId: app.appId, binding, listener });
        this.#shared.log.write(
          'info',
          'bindings',
          `Binding ${spec.name} delivers to ${app.appId} at ${path}.`,
        );
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#shared.log.write('error', 'bindings', `Binding ${spec.name} could not be read: ${reason}`);
      }
    }
  }

  /** Stops listening on bindings that are gone or replaced; all of them without names. */
  async close(names?: ReadonlySet<string>): Promise<void> {
    const closing = this.#listening.filter((one) => names === undefined || names.has(one.name));
    this.#listening = this.#listening.filter((one) => !closing.includes(one));
    await Promise.all(closing.map((one) => one.listener.close()));
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

  /** One event, one call, no retry of ours: `binding.2xx` or `binding.refused`. */
  async #deliver(
    app: App,
    name: string,
    path: string,
    event: BindingEvent,
  ): Promise<{ accepted: boolean; status?: number; error?: string }> {
    const { clock, ids, codec, live } = this.#shared;
    const message = await this.#parts.publisher.adopt({
      appId: app.appId,
      pubsubname: name,
      topic: name,
      source: 'binding',
      wrapped: { kind: 'raw', wire: event.data, contentType: 'application/json', flags: [] },
      givenContentType: '',
      metadata: event.metadata,
    });
    const d = this.#delivery(app, name, path, message);
    void this.#parts.deliveries.apply(d, { type: 'accept' });
    const attemptId = ids.next('attempt');
    d.attemptCount = 1;
    d.attemptId = attemptId;
    void this.#parts.deliveries.apply(d, { type: 'start', again: false });
    live.beginAttempt(attemptId, [d]);
    const headers: Record<string, string> = {
      ...lowerCased(event.metadata),
      'content-type': 'application/json',
      ...this.#token(),
    };
    if (app.mock !== undefined) headers[ATTEMPT_HEADER] = attemptId;
    const started = {
      attemptId,
      number: 1,
      startedMs: clock.now(),
      startedMono: clock.monotonic(),
      url: app.channel.url + path,
      headers,
      body: event.data,
    };
    const call = app.channel.deliver({ path, headers, body: event.data, timeoutMs: CALL_TIMEOUT_MS });
    d.call = call;
    const answer = await call.answer;
    live.endAttempt(attemptId);
    const attempt = recordAttempt(
      started,
      answer,
      clock.monotonic() - started.startedMono,
      codec,
      app.mock?.answeredBy(attemptId),
    );
    const text =
      answer.kind === 'response' && answer.body !== undefined ? codec.toText(answer.body) : undefined;
    const verdict = judgeBinding(answer.kind === 'none' ? answer : readAnswer(answer.status, text));
    d.call = undefined;
    d.attemptId = undefined;
    d.lastDurationMs = attempt.durationMs;
    d.lastAnswer = answer.kind === 'none' ? { error: answer.code } : { status: answer.status };
    if (verdict.log !== undefined) {
      this.#shared.log.write(verdict.log, 'bindings', sayVerdict(verdict, attempt), {
        messageId: message.messageId,
        deliveryId: d.deliveryId,
        rule: verdict.rule,
      });
    }
    // The state may have moved on: a shutdown cuts calls.
    if (d.state === 'attempting')
      await this.#parts.deliveries.apply(d, { type: 'verdict', verdict }, { attempt });
    if (answer.kind === 'none') return { accepted: false, error: answer.message };
    return { accepted: verdict.outcome === 'processed', status: answer.status };
  }

  #delivery(app: App, name: string, path: string, message: LiveDelivery['message']): LiveDelivery {
    const d = this.#parts.intake.blank(
      app,
      { pubsubname: name, topic: name, source: 'binding' },
      message,
      undefined,
    );
    d.route = { path };
    d.maxAttempts = 1;
    this.#shared.live.addDelivery(d);
    return d;
  }
}

function lowerCased(metadata: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key.toLowerCase(), value]));
}
