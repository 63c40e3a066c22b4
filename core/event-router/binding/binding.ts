/**
 * The event-router component: an output side that publishes with a key, and an input side that receives
 * events through a webhook.
 */
import type { InputReport, OutputCall, OutputReport } from '../../contract/event-router/components.ts';
import type { Profile } from '../../contract/profile.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { readEventRouterFields } from '../rules/component-fields.ts';
import type { ComponentFields, FieldsRead, InputFields, OutputFields } from '../rules/component-fields.ts';
import { isObject, tryParse } from '../../domain/json.ts';
import type { Binding, BindingListener, BindingNotice, TakeEvent } from '../../ports/binding.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { RouterAccess, RouterGuest } from '../client/router-access.ts';
import { InputSide } from './input-side.ts';
import { PART } from './input-dependencies.ts';
import { createPublisher, refusalOfAnswer, requestTrouble } from '../client/publisher.ts';
import { Recent } from './recent.ts';
import { TrustedClient } from '../client/trusted-client.ts';

export interface EventRouterOptions {
  readonly component: string;
  /** Settings of the component with secrets and templates resolved. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly profile: Profile;
  /** Namespace of the router in scopes. */
  readonly namespace: string;
  readonly access: RouterAccess;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Whether the health routes wait until the input is ready. */
  readonly strict: () => boolean;
  readonly changed?: () => void;
  readonly closed?: () => void;
}

const OPERATION = 'create';
const MAX_CALLS = 50;

/** Makes the component. Nothing is opened before `start` and `listen`. */
export function createEventRouterBinding(options: EventRouterOptions): EventRouterBinding {
  return new EventRouterBinding(options);
}

export class EventRouterBinding implements Binding {
  readonly operations: readonly string[];
  readonly hasInput: boolean;
  readonly component: string;
  readonly input: InputSide | undefined;
  readonly #options: EventRouterOptions;
  readonly #client: TrustedClient;
  #read: FieldsRead;
  readonly #calls = new Recent<OutputCall>(MAX_CALLS);
  readonly #ended = new AbortController();
  #prepared: Promise<unknown> | undefined;

  constructor(options: EventRouterOptions) {
    const { component, metadata, access, clock, log } = options;
    this.#options = options;
    this.#read = readFields(options, metadata);
    this.component = component;
    this.operations = this.fields?.output === undefined ? [] : [OPERATION];
    this.hasInput = this.fields?.input !== undefined;
    this.#client = new TrustedClient(() => access.anchors());
    const input = this.fields?.input;
    if (input !== undefined) {
      this.input = new InputSide({
        component,
        fields: input,
        guest: this.guest,
        explicit: this.#read.sides.explicit,
        access,
        client: this.#client,
        clock,
        log,
        changed: () => options.changed?.(),
      });
    }
  }

  get fields(): ComponentFields | undefined {
    return this.#read.fields;
  }

  get notes(): readonly string[] {
    return this.#read.notes;
  }

  /** Facts about this component for the router. */
  get guest(): RouterGuest {
    return guestOf(this.component, this.fields);
  }

  /**
   * Applies new settings. Only the side whose settings differ restarts; the next `create` uses the new key.
   */
  change(metadata: Readonly<Record<string, string>>): boolean {
    const next = readFields(this.#options, metadata);
    const { input, output } = next.fields ?? {};
    const before = this.fields;
    const isBad = next.problems.some(({ severity }) => severity === 'error');
    const sameSides =
      (input === undefined) === (before?.input === undefined) &&
      (output === undefined) === (before?.output === undefined) &&
      next.sides.explicit === this.#read.sides.explicit;
    // A change of the app's path or of the sides is left to the runtime.
    if (isBad || !sameSides || input?.route !== before?.input?.route) return false;
    const isOther = !sameFields(input, before?.input);
    this.#read = next;
    this.#prepared = undefined;
    if (isOther && input !== undefined) this.input?.change(input, this.guest);
    this.#options.changed?.();
    return true;
  }

  /**
   * Starts the component. Rejects with all mistakes in the settings. It does not wait for a router, which the
   * steps do.
   */
  async start(): Promise<void> {
    const errors = this.#read.problems.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
    const { log, component } = this.#options;
    for (const note of this.notes) log.write('info', PART, `Component ${component}: ${note}`);
    if (this.fields?.output !== undefined) void this.#prepare();
  }

  async invoke(operation: string, given: Uint8Array | string): Promise<undefined> {
    const data = typeof given === 'string' ? given : Buffer.from(given).toString('utf8');
    const output = this.fields?.output;
    if (operation !== OPERATION || output === undefined)
      throw new Error(`binding ${this.component} does not support operation ${operation}`);
    const { clock } = this.#options;
    const started = clock.monotonic();
    const eventId = idIn(data);
    const call = (rest: Pick<OutputCall, 'status' | 'error'>): void => {
      const durationMs = Math.round((clock.monotonic() - started) * 10) / 10;
      const at = new Date(clock.now()).toISOString();
      this.#calls.add({ at, durationMs, ...withoutUndefined({ eventId }), ...rest });
    };
    try {
      const answer = await this.#publish(output, data);
      const refusal = refusalOfAnswer(answer.status, answer.body);
      call({ status: answer.status, ...withoutUndefined({ error: refusal }) });
      if (refusal !== undefined) throw new Error(refusal);
    } catch (error) {
      if (error instanceof NotSent) call({ error: error.message });
      throw error;
    }
    return undefined;
  }

  notice(notice: BindingNotice): void {
    this.input?.notice(notice);
  }

  async listen(take: TakeEvent): Promise<BindingListener> {
    const { input } = this;
    if (input === undefined) throw new Error(`component ${this.component} has no input side`);
    return input.listen(take);
  }

  trouble(): string | undefined {
    const state = this.input?.steps.state;
    if (state === undefined || state === 'ready' || state === 'not-subscribed' || !this.#options.strict())
      return undefined;
    return `its input is not ready: ${state}`;
  }

  async close(): Promise<void> {
    this.#ended.abort(new Error('the component is being closed'));
    await this.input?.close();
    await this.#client.close();
    this.#options.closed?.();
  }

  report(): { readonly input?: InputReport; readonly output?: OutputReport } {
    const { input, fields } = this;
    return {
      ...(input === undefined ? {} : { input: input.report() }),
      ...(fields?.output === undefined
        ? {}
        : {
            output: {
              topicEndpoint: fields.output.topicEndpoint,
              operations: this.operations,
              calls: this.#calls.list(),
            },
          }),
    };
  }

  async #publish(output: OutputFields, data: string): Promise<{ status: number; body: string }> {
    const { version } = this.#options;
    try {
      await this.#prepare();
      const publisher = createPublisher(this.#client, version);
      const body = Buffer.from(data, 'utf8');
      return await publisher.publish(
        new URL(output.topicEndpoint),
        output.accessKey,
        body,
        this.#ended.signal,
      );
    } catch (error) {
      throw new NotSent(requestTrouble(error), { cause: error });
    }
  }

  /** Opens the router of this machine if it is needed. A failure is reported by the call that follows. */
  #prepare(): Promise<unknown> {
    const { access, log, component } = this.#options;
    this.#prepared ??= access.prepare(this.guest).catch((error: unknown) => {
      this.#prepared = undefined;
      const reason = errorText(error);
      log.write('warn', PART, `Component ${component}: no router is available yet: ${reason}`);
    });
    return this.#prepared;
  }
}

/** Error of a request without an answer. */
class NotSent extends Error {}

function readFields(
  { component, profile, namespace }: EventRouterOptions,
  metadata: Readonly<Record<string, string>>,
): FieldsRead {
  const given = Object.entries(metadata).map(([name, value]) => ({ name, value }));
  return readEventRouterFields(given, { component, profile, namespace });
}

/**
 * Whether two sets of fields are equal. Secrets are compared by their values, because they print as `***`.
 */
function sameFields(a: InputFields | undefined, b: InputFields | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return JSON.stringify(a) === JSON.stringify(b) && a.clientSecret.reveal() === b.clientSecret.reveal();
}

function guestOf(component: string, fields: ComponentFields | undefined): RouterGuest {
  const { input, output } = fields ?? {};
  return {
    component,
    ...withoutUndefined({ output }),
    ...(input === undefined
      ? {}
      : {
          input: {
            tenantId: input.tenantId,
            subscriptionId: input.subscriptionId,
            clientId: input.clientId,
            clientSecret: input.clientSecret,
            scope: input.scope.text,
            subscriberEndpoint: input.subscriberEndpoint,
            handshakePort: input.handshakePort,
          },
        }),
  };
}

function idIn(data: string): string | undefined {
  const value = tryParse(data)?.value;
  const id = isObject(value) ? value['id'] : undefined;
  return typeof id === 'string' ? id.slice(0, 300) : undefined;
}
