/** An app whose answers a test writes down beforehand, or gives call by call. Times out as the real channel does. */
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { APP_METHODS, isGrpcType } from '../../core/contract/grpc.ts';
import type { PortProtocol, Protocol } from '../../core/contract/grpc.ts';
import type { AttemptErrorCode } from '../../core/contract/message.ts';
import type { WireSubscription } from '../../core/contract/subscription.ts';
import { textOf } from '../../core/domain/codec.ts';
import type {
  AppCall,
  AppChannel,
  PendingAnswer,
  ReceivedAnswer,
  UnreadBody,
} from '../../core/ports/app-channel.ts';
import type { Clock } from '../../core/ports/clock.ts';

/**
 * A number is a status without a body, a word the body `{"status": word}`; an object with `body` is sent as JSON unless it is text.
 * `unread`: the status comes, its body cannot be read; `came` is what was received of it. `foreign`: bytes of another protocol come.
 */
export type Scripted =
  | number
  | 'SUCCESS'
  | 'RETRY'
  | 'DROP'
  | 'hang'
  | 'reset'
  | 'foreign'
  | 'refused'
  | { readonly status?: number; readonly body: unknown; readonly contentType?: string }
  | {
      readonly status?: number;
      readonly unread: UnreadBody;
      readonly came?: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface SeenCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly atMs: number;
  /** The body as JSON; throws when it is none. */
  json(): Record<string, unknown>;
  answered: boolean;
  /** Answers a call that hangs. */
  answer(scripted: Scripted): void;
}

export class ScriptedApp implements AppChannel {
  /** Where it is; a test may turn it elsewhere. */
  url: string;
  /** `grpc`: numbers are gRPC codes, and each reply is empty. */
  protocol: Protocol = 'http';
  readonly #clock: Clock;
  /** Deliveries and probes of bindings, in their order. */
  readonly calls: SeenCall[] = [];
  /** Requests of the discovery route and of health paths. */
  readonly asked: { readonly path: string; readonly headers: Readonly<Record<string, string>> }[] = [];
  /** Whether the port accepts connections. */
  isOpen = true;
  subscriptions: readonly (WireSubscription | object)[] = [];
  /** Answers of the discovery route before `subscriptions` is given, one per request. */
  readonly discoveryAnswers: Scripted[] = [];
  /** How long the discovery route thinks. */
  slowMs = 0;
  /** Answer of the discovery route of another profile. */
  otherProfile: Scripted = 404;
  /** Address on which a program listens while this port is closed. */
  beside: string | undefined;
  /** A call over gRPC is answered in plain HTTP. */
  isForeign = false;
  /** What the port really speaks. */
  spoken: PortProtocol | undefined;
  /** How long the look for that scheme takes: seconds at a port that is silent. */
  spokenAfterMs = 0;
  health: Scripted = 200;
  /** Used up first, one per call; then `answerWith`. */
  readonly next: Scripted[] = [];
  answerWith: (call: SeenCall) => Scripted = () => 200;
  inFlight = 0;
  mostInFlight = 0;
  isClosed = false;
  /** The discovery route that was asked first. */
  #ownRoute: string | undefined;

  constructor(clock: Clock, url = 'http://app.test:6001') {
    this.#clock = clock;
    this.url = url;
  }

  get last(): SeenCall {
    const call = this.calls.at(-1);
    if (call === undefined) throw new Error('the app was not called');
    return call;
  }

  /** Calls that hang. */
  get open(): readonly SeenCall[] {
    return this.calls.filter((call) => !call.answered);
  }

  deliver(call: AppCall): PendingAnswer {
    let settle: (answer: ReceivedAnswer) => void = () => undefined;
    const answer = new Promise<ReceivedAnswer>((resolve) => (settle = resolve));
    const text = textOf(call.body, bufferCodec);
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    let stopTimer: () => void = () => undefined;
    const end = (received: ReceivedAnswer): void => {
      if (seen.answered) return;
      seen.answered = true;
      this.inFlight -= 1;
      stopTimer();
      settle(received);
    };
    const seen: SeenCall = {
      method: call.method ?? 'POST',
      path: call.path,
      headers: call.headers,
      text,
      atMs: this.#clock.now(),
      json: () => asObject(JSON.parse(text)),
      answered: false,
      answer: (scripted) => end(this.#received(scripted)),
    };
    this.calls.push(seen);
    const scripted = this.isOpen ? (this.next.shift() ?? this.answerWith(seen)) : 'refused';
    if (scripted !== 'hang') end(this.#received(scripted));
    else if (call.timeoutMs !== undefined && call.timeoutMs > 0) {
      stopTimer = this.#clock.at(this.#clock.now() + call.timeoutMs, () =>
        end(none('timeout', `no answer within ${call.timeoutMs} ms`)),
      );
    }
    return { answer, cancel: (reason) => end(none('cancelled', reason)) };
  }

  #received(scripted: Scripted): ReceivedAnswer {
    return this.protocol === 'grpc' && typeof scripted === 'number'
      ? reply(scripted, {})
      : received(scripted);
  }

  async get(
    path: string,
    headers: Readonly<Record<string, string>>,
    timeoutMs: number,
  ): Promise<ReceivedAnswer> {
    this.asked.push({ path, headers });
    if (!this.isOpen) return received('refused');
    if (path === APP_METHODS.listTopicSubscriptions && this.isForeign) return foreign();
    if (path === APP_METHODS.listTopicSubscriptions) return reply(0, { subscriptions: this.subscriptions });
    if (path.endsWith('/subscribe')) {
      this.#ownRoute ??= path;
      if (path !== this.#ownRoute) return received(this.otherProfile);
      if (this.slowMs > 0)
        await new Promise<void>((done) => void this.#clock.at(this.#clock.now() + this.slowMs, done));
      const scripted = this.discoveryAnswers.shift() ?? { status: 200, body: this.subscriptions };
      if (scripted !== 'hang') return received(scripted);
      await new Promise<void>((done) => void this.#clock.at(this.#clock.now() + timeoutMs, done));
      return none('timeout', `No answer within ${timeoutMs} ms.`);
    }
    return received(this.health);
  }

  async probe(): Promise<boolean> {
    return this.isOpen;
  }

  async openBeside(): Promise<string | undefined> {
    return this.beside;
  }

  async protocolOfPort(): Promise<PortProtocol | undefined> {
    if (this.spokenAfterMs > 0)
      await new Promise<void>((done) => void this.#clock.at(this.#clock.now() + this.spokenAfterMs, done));
    return this.spoken;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

/** Code of a page that is not there. */
const UNIMPLEMENTED = 12;

function foreign(): ReceivedAnswer {
  return { ...response(UNIMPLEMENTED, 'not gRPC'), protocol: 'grpc', isForeign: true };
}

function received(scripted: Scripted): ReceivedAnswer {
  if (scripted === 'foreign') return { ...none('reset', 'the answer is not HTTP'), isForeign: true };
  if (typeof scripted === 'number') return response(scripted, '');
  if (typeof scripted === 'object') {
    const { status = 200 } = scripted;
    if ('unread' in scripted) {
      const { unread, came = '{"status":"RETRY"}', headers = {} } = scripted;
      const bodyStart = bufferCodec.fromText(came);
      return { kind: 'response', status, headers, body: undefined, bodyStart, unread };
    }
    const { body, contentType } = scripted;
    const answer = response(status, typeof body === 'string' ? body : JSON.stringify(body));
    if (contentType === undefined) return answer;
    const typed = { ...answer, headers: { 'content-type': contentType } };
    return isGrpcType(contentType) ? { ...typed, isForeign: true } : typed;
  }
  switch (scripted) {
    case 'SUCCESS':
    case 'RETRY':
    case 'DROP':
      return response(200, JSON.stringify({ status: scripted }));
    case 'hang':
    case 'reset':
      return none('reset', 'the connection was reset');
    case 'refused':
      return none('refused', 'the connection was refused');
  }
}

function reply(status: number, body: object): ReceivedAnswer {
  const bytes = bufferCodec.fromText(JSON.stringify(body));
  return { kind: 'response', protocol: 'grpc', status, headers: {}, body: bytes };
}

function response(status: number, body: string): Extract<ReceivedAnswer, { kind: 'response' }> {
  return { kind: 'response', status, headers: {}, body: bufferCodec.fromText(body) };
}

function none(code: AttemptErrorCode, message: string): ReceivedAnswer {
  return { kind: 'none', code, message };
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('the body is not a JSON object');
  return Object.fromEntries(Object.entries(value));
}
