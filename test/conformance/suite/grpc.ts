/** The gRPC side of a sidecar as the suite calls it. */
import { fileURLToPath } from 'node:url';
import { Client, credentials, Metadata, status as CODES } from '@grpc/grpc-js';
import type { ClientDuplexStream, MethodDefinition, ServiceDefinition, ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { Json } from './checks.ts';
import { objectOf } from './checks.ts';
import type { GrpcAnswer, GrpcSide, GrpcStream } from './grpc-answer.ts';

const PACKAGE = 'dapr.proto.runtime.v1';
const DEADLINE_MS = 10_000;

/** The services of the suite's own file, by short name. */
export function services(): (name: string) => ServiceDefinition {
  const file = fileURLToPath(new URL('runtime.proto', import.meta.url));
  const loaded = loadSync(file, {
    keepCase: true,
    longs: String,
    enums: String,
    defaults: true,
    oneofs: true,
  });
  return (name) => {
    const service = loaded[`${PACKAGE}.${name}`];
    if (service === undefined || 'format' in service) throw new Error(`there is no service ${name}`);
    return service;
  };
}

function metadataOf(given: Readonly<Record<string, string | Buffer>>): Metadata {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(given)) metadata.set(key, value);
  return metadata;
}

/** @param spoilt what each answer becomes on its way to the case */
export function grpcSide(address: string, spoilt: (answer: GrpcAnswer) => GrpcAnswer): GrpcSide {
  const of = services();
  const client = new Client(address, credentials.createInsecure(), { 'grpc.enable_http_proxy': 0 });
  const methodOf = (name: string): MethodDefinition<object, object> => {
    const method = of('Dapr')[name];
    if (method === undefined) throw new Error(`there is no method ${name}`);
    return method;
  };
  const failedWith = (error: ServiceError): GrpcAnswer => ({
    code: CODES[error.code] ?? String(error.code),
    text: error.details,
    reply: {},
    details: detailsOf(error, of('Details')),
  });
  return {
    address,
    close: () => client.close(),
    call: (name, message, metadata = {}, { deadlineMs = DEADLINE_MS } = {}) => {
      const { path, requestSerialize, responseDeserialize } = methodOf(name);
      return new Promise((resolve) => {
        client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          message,
          metadataOf(metadata),
          { deadline: Date.now() + deadlineMs },
          (error, reply) => resolve(spoilt(error === null ? answerOf(reply ?? {}) : failedWith(error))),
        );
      });
    },
    exchange: (path, requests) => {
      const asIs = (bytes: Buffer): Buffer => bytes;
      const deadline = Date.now() + DEADLINE_MS;
      const call = client.makeBidiStreamRequest(path, asIs, asIs, new Metadata(), { deadline });
      const came: Buffer[] = [];
      for (const bytes of requests) call.write(bytes);
      call.end();
      return new Promise((resolve) => {
        call.on('data', (bytes: Buffer) => came.push(bytes));
        call.on('error', (error: ServiceError) => resolve(spoilt(failedWith(error))));
        call.on('end', () => resolve(spoilt(answerOf({ text: Buffer.concat(came).toString('latin1') }))));
      });
    },
    stream: (metadata = {}) => {
      const { path, requestSerialize, responseDeserialize } = methodOf('SubscribeTopicEventsAlpha1');
      const call = client.makeBidiStreamRequest(
        path,
        requestSerialize,
        responseDeserialize,
        metadataOf(metadata),
        {},
      );
      const read = {
        message: (message: object) => spoilt(answerOf(message)),
        failure: (error: ServiceError) => spoilt(failedWith(error)),
      };
      return streamOf(call, read);
    },
  };
}

/** Events of a stream, parsed for a case. */
interface StreamReader {
  readonly message: (message: object) => GrpcAnswer;
  readonly failure: (error: ServiceError) => GrpcAnswer;
}

/** A plain end is an empty message. */
function streamOf(call: ClientDuplexStream<object, object>, read: StreamReader): GrpcStream {
  const came: GrpcAnswer[] = [];
  const waiting: ((answer: GrpcAnswer) => void)[] = [];
  const push = (answer: GrpcAnswer): void => {
    const go = waiting.shift();
    if (go === undefined) came.push(answer);
    else go(answer);
  };
  call.on('data', (message: object) => push(read.message(message)));
  call.on('error', (error: ServiceError) => push(read.failure(error)));
  call.on('end', () => push(read.message({})));
  return {
    send: (message) => void call.write(message),
    next: () => {
      const first = came.shift();
      return first === undefined ? new Promise((go) => waiting.push(go)) : Promise.resolve(first);
    },
    end: () => void call.end(),
    cancel: () => call.cancel(),
    pause: () => void call.pause(),
    resume: () => void call.resume(),
  };
}

function answerOf(reply: object): GrpcAnswer {
  return { code: 'OK', text: '', reply: objectOf(reply), details: [] };
}

function detailsOf(error: ServiceError, messages: ServiceDefinition): readonly Json[] {
  const [trailer] = error.metadata.get('grpc-status-details-bin');
  if (!Buffer.isBuffer(trailer)) return [];
  const { Status: status, Resource: resource } = messages;
  if (status === undefined || resource === undefined) throw new Error('the details have no messages');
  const { details } = objectOf(status.requestDeserialize(trailer));
  return (Array.isArray(details) ? details : []).map((each) => {
    const { type_url: url, value } = objectOf(each);
    const type = String(url).split('.').at(-1);
    if (!Buffer.isBuffer(value)) throw new Error('a detail has no bytes');
    const read =
      type === 'ErrorInfo' ? status.responseDeserialize(value) : resource.requestDeserialize(value);
    return { type, ...objectOf(read) };
  });
}
