/** Serves every call: prepares its input, and turns a result or an error into the answer. */
import type { Metadata, Server, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import { errorText } from '../contract/error-text.ts';
import { grpcCode, grpcCodeName } from '../contract/grpc.ts';
import type { Profile } from '../contract/profile.ts';
import type { ShutdownMode } from '../domain/shutdown-kind.ts';
import { keyCountComplaint } from '../domain/metadata.ts';
import { refusalFacts, Refusal, refusalOf } from '../domain/refusal.ts';
import type { RefusalParams } from '../domain/refusal.ts';
import type { Complaint } from '../domain/result.ts';
import type { MessageCodec, Protocol, RequestCodec } from '../grpc-protocol/protocol.ts';
import type { Log } from '../ports/log.ts';
import type { SidecarView } from '../runtime/api.ts';
import { CallRefused, callRefused, serviceError, statusOf } from './errors.ts';
import type { ErrorFacts, RefusedCall } from './errors.ts';
import type { GrpcLibrary } from './library.ts';

export const SERVICE = 'dapr.proto.runtime.v1.Dapr';

/** Dependencies of every method. */
export interface Edge {
  readonly sidecar: SidecarView;
  readonly profile: Profile;
  readonly log: Log;
  readonly grpc: GrpcLibrary;
  readonly protocol: Protocol;
  readonly shutdown: (how: ShutdownMode) => void;
  readonly onRefused: (info: RefusedCall) => void;
  /** Methods whose refusals are reported; `serve` adds those that have a subject. */
  readonly reported: Set<string>;
}

/** One call as a method sees it. */
export interface Call {
  readonly metadata: Metadata;
  /** Address and port of the client. */
  readonly peer: string;
  readonly userAgent: string;
}

/** One call with one request. */
interface UnaryCall extends Call {
  /** Calls back once if the client leaves before it has the answer. */
  whenLeft(act: () => void): void;
}

/** Maximum number of entries and metadata of a request together, and the complaint about one with more. */
export interface EntryBound {
  readonly most: number;
  readonly complaint: Complaint;
}

/** Decodes the requests of a method. */
type RequestDecoder<Request> = Omit<RequestCodec<Request>, 'encode'>;

export interface UnaryMethod<Request, Response> {
  readonly name: string;
  readonly request: RequestDecoder<Request>;
  readonly response: MessageCodec<Response>;
  /** Serves the call. Throws Refusal or CallRefused. */
  readonly act: (request: Request, call: UnaryCall) => Promise<Response> | Response;
  /** Facts for the details of a refusal. */
  readonly facts?: (request: Request) => ErrorFacts;
  /** Bound of a request with entries; absent: it has none. */
  readonly entries?: EntryBound;
  /** Names for the text of a request that is refused before it is decoded. */
  readonly names?: (request: Request) => RefusalParams;
  /** Subject of a refusal, for the report; absent: refusals are not reported. */
  readonly subject?: (request: Request) => string;
}

/** Registers one method with one request and one answer. */
export function serve<Request extends object, Response>(
  server: Server,
  edge: Edge,
  method: UnaryMethod<Request, Response>,
): void {
  const { response } = method;
  if (method.subject !== undefined) edge.reported.add(method.name);
  /**
   * Requests that are refused because they have too many metadata or entries, with the reason. These are not
   * decoded.
   */
  const refused = new WeakMap<object, Complaint>();
  const handler = (call: ServerUnaryCall<Request, Response>, reply: sendUnaryData<Response>): void => {
    const acted = async (): Promise<Response> => {
      const complaint = refused.get(call.request);
      if (complaint !== undefined) throw refusalOf(complaint, method.names?.(call.request));
      const whenLeft = (act: () => void): void => void call.once('cancelled', act);
      return method.act(call.request, { ...callOf(call), whenLeft });
    };
    void acted().then(
      (message) => reply(null, message),
      (error: unknown) => reply(refusedStatus(edge, method, call.request, error)),
    );
  };
  const decode = (bytes: Buffer): Request => {
    const { request, complaint } = decoded(method.request, bytes, method.entries);
    if (complaint !== undefined) refused.set(request, complaint);
    return request;
  };
  const encode = (message: Response): Buffer => response.encode(message);
  server.register(`/${SERVICE}/${method.name}`, handler, encode, decode, 'unary');
}

/**
 * Decodes a request. One with too many metadata or entries is decoded without them, and noted as refused.
 * @param entries bound of a request with entries; its metadata and those of entries count as entries do
 */
export function decoded<Request>(
  codec: RequestDecoder<Request>,
  bytes: Buffer,
  entries?: EntryBound,
): { readonly request: Request; readonly complaint?: Complaint } {
  const complaint =
    entries !== undefined && codec.partsIn(bytes, entries.most) > entries.most
      ? entries.complaint
      : keyCountComplaint(codec.mostEntries(bytes));
  if (complaint === undefined) return { request: codec.decode(bytes) };
  return { request: codec.decode(codec.withoutMaps(bytes)), complaint };
}

/** Facts about the caller, for a method. */
export function callOf(call: { readonly metadata: Metadata; getPeer(): string }): Call {
  const [userAgent] = call.metadata.get('user-agent');
  return {
    metadata: call.metadata,
    peer: call.getPeer(),
    userAgent: typeof userAgent === 'string' ? userAgent : '',
  };
}

function refusedStatus<Request, Response>(
  edge: Edge,
  { name, facts, subject }: UnaryMethod<Request, Response>,
  request: Request,
  error: unknown,
): ReturnType<typeof serviceError> {
  const refused = asRefused(edge, name, error, facts?.(request));
  if (subject !== undefined) {
    const { code, message } = refused;
    edge.onRefused({
      path: `${name} ${subject(request)}`,
      status: grpcCodeName(code),
      reason: message,
      ...(error instanceof Refusal ? { refusal: refusalFacts(error) } : {}),
    });
  }
  return serviceError(statusOf(refused, edge));
}

/** Turns any error into a status. A bug is logged and answered without its text. */
export function asRefused(edge: Edge, method: string, error: unknown, facts: ErrorFacts = {}): CallRefused {
  if (error instanceof CallRefused) return error;
  if (error instanceof Refusal) return callRefused(error, edge.profile, facts);
  const stack = error instanceof Error ? (error.stack ?? error.message) : errorText(error);
  edge.log.write('error', 'grpc', `${method}: ${stack}`);
  return new CallRefused(grpcCode('INTERNAL'), 'Something went wrong inside Sidelight.');
}
