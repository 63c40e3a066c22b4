/** The gRPC way to one app, behind ports/app-channel.ts. The library is loaded with the first call. */
import { isIP } from 'node:net';
import type { ChannelCredentials, Client, ClientUnaryCall, Metadata } from '@grpc/grpc-js';
import { APP_METHODS, grpcCode } from '../../contract/grpc.ts';
import type { PortProtocol } from '../../contract/grpc.ts';
import { errorText } from '../../contract/error-text.ts';
import { MAX_ANSWER_BYTES } from '../../domain/answer.ts';
import { loadProtocol } from '../../grpc-protocol/protocol.ts';
import type { Protocol } from '../../grpc-protocol/protocol.ts';
import type { AppCall, AppChannel, PendingAnswer, ReceivedAnswer } from '../../ports/app-channel.ts';
import { accepts, hostOf, openBeside } from '../listening.ts';
import type { SocketAddress } from '../listening.ts';
import { protocolOfPort } from '../port-protocol.ts';
import { answered, broken, faultOf } from './answers.ts';
import { endedInMessage, flagOf, httpStatusOf, whenStatusCame } from './unsaid.ts';
import { methodOf } from './methods.ts';
import type { AppMethod } from './methods.ts';

type GrpcLibrary = typeof import('@grpc/grpc-js');

export interface GrpcAppChannelOptions {
  /** `grpc://HOST:PORT`; `grpcs://HOST:PORT` over TLS, where the app's certificate is not checked. */
  readonly url: string;
  /** Largest reply in bytes; default 4 MiB. */
  readonly maxBodyBytes?: number;
  /** User agent that every call names; default `sidelight`. */
  readonly userAgent?: string;
}

/** Deadline of a call without a timeout: the library needs a time that a timer can hold. */
const MAX_MS = 24 * 60 * 60 * 1000;

/** Opens no connection yet. Throws TypeError when `url` is no such address. */
export function createGrpcAppChannel(options: GrpcAppChannelOptions): AppChannel {
  const address = URL.canParse(options.url) ? new URL(options.url) : undefined;
  const speaksGrpc = address?.protocol === 'grpc:' || address?.protocol === 'grpcs:';
  if (!speaksGrpc || address.hostname === '' || address.port === '')
    throw new TypeError(
      `The app's address must be grpc://HOST:PORT or grpcs://HOST:PORT, got ${options.url}`,
    );
  return new GrpcAppChannel(address, options);
}

interface Ready {
  readonly grpc: GrpcLibrary;
  readonly protocol: Protocol;
}

class GrpcAppChannel implements AppChannel {
  readonly protocol = 'grpc';
  readonly url: string;
  readonly #address: URL;
  readonly #options: GrpcAppChannelOptions;
  readonly #open = new Set<(answer: ReceivedAnswer) => void>();
  #client: Client | undefined;
  /** The port did not answer when it was last looked at: the next time it does, the app is a new one. */
  #wasAway = true;
  /** The app does not know the stable method of bulk delivery. */
  #usesAlpha = false;
  #isClosed = false;

  constructor(address: URL, options: GrpcAppChannelOptions) {
    this.#address = address;
    this.#options = options;
    this.url = `${address.protocol}//${address.host}`;
  }

  deliver(call: AppCall): PendingAnswer {
    if (call.path !== APP_METHODS.onBulkTopicEvent) return this.#call(call);
    const first = this.#call(this.#usesAlpha ? { ...call, path: APP_METHODS.onBulkTopicEventAlpha1 } : call);
    if (this.#usesAlpha) return first;
    let running = first;
    const answer = first.answer.then(async (given) => {
      if (given.kind !== 'response' || given.status !== grpcCode('UNIMPLEMENTED')) return given;
      running = this.#call({ ...call, path: APP_METHODS.onBulkTopicEventAlpha1 });
      const older = await running.answer;
      // An app without either is asked for the stable one again: it may be another program next time.
      if (older.kind === 'response' && older.status !== given.status) this.#usesAlpha = true;
      return older;
    });
    return { answer, cancel: (reason) => running.cancel(reason) };
  }

  get(path: string, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<ReceivedAnswer> {
    return this.#call({ path, headers, body: '', timeoutMs }).answer;
  }

  async probe(timeoutMs: number): Promise<boolean> {
    if (this.#isClosed) return false;
    const isThere = await accepts(this.#target(), timeoutMs);
    // A connection in back-off would not be tried for a while: a new one is made at once.
    if (isThere && this.#wasAway) this.#renew();
    this.#wasAway = !isThere;
    return isThere;
  }

  async openBeside(timeoutMs: number): Promise<string | undefined> {
    return openBeside(this.#address, this.#target().port, timeoutMs);
  }

  async protocolOfPort(timeoutMs: number): Promise<PortProtocol | undefined> {
    const { host, port } = this.#target();
    return protocolOfPort(host, port, timeoutMs);
  }

  #target(): SocketAddress {
    return { host: hostOf(this.#address), port: Number(this.#address.port) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cut of this.#open) {
      cut({ kind: 'none', code: 'cancelled', message: 'The channel to the app was closed.' });
    }
    this.#client?.close();
  }

  #renew(): void {
    this.#usesAlpha = false;
    const old = this.#client;
    this.#client = undefined;
    // Calls that it still carries end by themselves.
    old?.close();
  }

  #call(call: AppCall): PendingAnswer {
    let settle: (answer: ReceivedAnswer) => void = () => undefined;
    const answer = new Promise<ReceivedAnswer>((resolve) => (settle = resolve));
    let sent: ClientUnaryCall | undefined;
    let isOver = false;
    const end = (given: ReceivedAnswer): void => {
      if (isOver) return;
      isOver = true;
      this.#open.delete(cut);
      settle(given);
    };
    const cut = (given: ReceivedAnswer): void => {
      end(given);
      sent?.cancel();
    };
    this.#open.add(cut);
    const send = async (): Promise<void> => {
      const [grpc, protocol] = await Promise.all([import('@grpc/grpc-js'), loadProtocol()]);
      if (!isOver) sent = this.#send({ grpc, protocol }, call, end);
    };
    send().catch((error: unknown) => end({ kind: 'none', code: 'reset', message: errorText(error) }));
    return {
      answer,
      cancel: (reason) => cut({ kind: 'none', code: 'cancelled', message: reason }),
    };
  }

  #send(ready: Ready, call: AppCall, end: (answer: ReceivedAnswer) => void): ClientUnaryCall | undefined {
    if (this.#isClosed) {
      end({ kind: 'none', code: 'cancelled', message: 'The channel to the app is closed.' });
      return undefined;
    }
    const method: AppMethod = methodOf(call, ready.protocol);
    const { timeoutMs = 0 } = call;
    const startedAt = performance.now();
    let headers: Metadata | undefined;
    let statusText: string | undefined;
    const sent: ClientUnaryCall = this.#clientOf(ready).makeUnaryRequest<Buffer, Buffer>(
      call.path,
      (bytes) => bytes,
      (bytes) => {
        // The library asks for one message only, and a call in which the app sent more does not end while they are unread.
        sent.call?.startRead();
        return bytes;
      },
      method.request,
      metadataOf(ready.grpc, call.headers),
      { deadline: Date.now() + (timeoutMs === 0 ? MAX_MS : timeoutMs) },
      (error, reply) => {
        const waitMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
        const { call: within } = sent;
        const fault = faultOf({ flag: flagOf(within), isCutOff: endedInMessage(within), statusText });
        const ended = { headers, httpStatus: httpStatusOf(within), fault, timeoutMs, waitMs };
        if (error !== null) end(broken(error, ended));
        else end(answered(reply, method, ended));
      },
    );
    sent.on('metadata', (received) => {
      headers = received;
      whenStatusCame(sent.call, (text) => (statusText = text));
    });
    return sent;
  }

  #clientOf({ grpc }: Ready): Client {
    this.#client ??= new grpc.Client(this.#address.host, credentialsFor(grpc, this.#address), {
      ...tlsNameOf(this.#address),
      // The library takes a proxy of the environment for this machine's own addresses too.
      'grpc.enable_http_proxy': 0,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1_000,
      'grpc.max_receive_message_length': this.#options.maxBodyBytes ?? MAX_ANSWER_BYTES,
      'grpc.max_send_message_length': -1,
      'grpc.primary_user_agent': this.#options.userAgent ?? 'sidelight',
    });
    return this.#client;
  }
}

/** Transport credentials for calls to an app. Any certificate is accepted, as over https, because a developer's app usually has a self-signed one. */
function credentialsFor({ credentials }: GrpcLibrary, { protocol }: URL): ChannelCredentials {
  if (protocol !== 'grpcs:') return credentials.createInsecure();
  return credentials.createSsl(null, null, null, { rejectUnauthorized: false });
}

/** TLS name of an address. TLS server names cannot be IP addresses. */
function tlsNameOf(address: URL): Readonly<Record<string, string>> {
  const isNumber = isIP(hostOf(address)) > 0;
  return address.protocol === 'grpcs:' && isNumber ? { 'grpc.ssl_target_name_override': 'localhost' } : {};
}

function metadataOf(grpc: GrpcLibrary, headers: Readonly<Record<string, string>>): Metadata {
  const metadata = new grpc.Metadata();
  for (const [key, value] of Object.entries(headers)) {
    metadata.set(key, key.endsWith('-bin') ? Buffer.from(value, 'base64') : value);
  }
  return metadata;
}
