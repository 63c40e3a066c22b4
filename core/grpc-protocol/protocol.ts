/**
 * Encodes and decodes the messages, and has the services for the gRPC library. The library is loaded when the
 * first call needs it.
 */
import type { PackageDefinition } from '@grpc/proto-loader';
import type { Root, Type } from 'protobufjs';
import type {
  BindingEventRequest,
  BindingEventResponse,
  BulkPublishRequest,
  BulkPublishResponse,
  Empty,
  ErrorInfo,
  GetMetadataResponse,
  InvokeBindingRequest,
  InvokeBindingResponse,
  ListInputBindingsResponse,
  ListTopicSubscriptionsResponse,
  PublishEventRequest,
  ResourceInfo,
  SetMetadataRequest,
  StatusDetails,
  StreamRequest,
  StreamResponse,
  TopicEventBulkRequest,
  TopicEventBulkResponse,
  EncodedTopicEvent,
  TopicEventResponse,
} from './messages.ts';
import { CALLBACK_PROTO, RUNTIME_PROTO, STATUS_PROTO } from './runtime-proto.ts';

/** Codec of one kind of message. `decode` throws for bytes that are not a message. */
export interface MessageCodec<T> {
  encode(message: T): Buffer;
  decode(bytes: Uint8Array): T;
}

const WELL_KNOWN = ['empty', 'struct', 'any'] as const;
const RUNTIME = 'dapr.proto.runtime.v1';

let loading: Promise<Protocol> | undefined;

/** Loads the library once; later calls return the same. */
export function loadProtocol(): Promise<Protocol> {
  loading ??= load();
  return loading;
}

export type Protocol = Awaited<ReturnType<typeof load>>;

async function load() {
  const { default: protobuf } = await import('protobufjs');
  const rootOf = (...sources: readonly string[]): Root => {
    const root = new protobuf.Root();
    for (const name of WELL_KNOWN) {
      const known = protobuf.common.get(`google/protobuf/${name}.proto`);
      if (known?.nested === undefined) throw new Error(`google/protobuf/${name}.proto is missing`);
      root.addJSON(known.nested);
    }
    for (const source of sources) protobuf.parse(source, root, { keepCase: true });
    root.resolveAll();
    return root;
  };
  const root = rootOf(RUNTIME_PROTO, CALLBACK_PROTO, STATUS_PROTO);
  const runtime = <T>(name: string): MessageCodec<T> => codecOf<T>(root.lookupType(`${RUNTIME}.${name}`));
  const rpc = <T>(name: string): MessageCodec<T> => codecOf<T>(root.lookupType(`google.rpc.${name}`));
  return {
    empty: codecOf<Empty>(root.lookupType('google.protobuf.Empty')),
    publishEventRequest: runtime<PublishEventRequest>('PublishEventRequest'),
    bulkPublishRequest: runtime<BulkPublishRequest>('BulkPublishRequest'),
    bulkPublishResponse: runtime<BulkPublishResponse>('BulkPublishResponse'),
    streamRequest: runtime<StreamRequest>('SubscribeTopicEventsRequestAlpha1'),
    streamResponse: runtime<StreamResponse>('SubscribeTopicEventsResponseAlpha1'),
    getMetadataResponse: runtime<GetMetadataResponse>('GetMetadataResponse'),
    setMetadataRequest: runtime<SetMetadataRequest>('SetMetadataRequest'),
    invokeBindingRequest: runtime<InvokeBindingRequest>('InvokeBindingRequest'),
    invokeBindingResponse: runtime<InvokeBindingResponse>('InvokeBindingResponse'),
    topicEventRequest: runtime<EncodedTopicEvent>('TopicEventRequest'),
    topicEventResponse: runtime<TopicEventResponse>('TopicEventResponse'),
    topicEventBulkRequest: runtime<TopicEventBulkRequest>('TopicEventBulkRequest'),
    topicEventBulkResponse: runtime<TopicEventBulkResponse>('TopicEventBulkResponse'),
    listTopicSubscriptionsResponse: runtime<ListTopicSubscriptionsResponse>('ListTopicSubscriptionsResponse'),
    listInputBindingsResponse: runtime<ListInputBindingsResponse>('ListInputBindingsResponse'),
    bindingEventRequest: runtime<BindingEventRequest>('BindingEventRequest'),
    bindingEventResponse: runtime<BindingEventResponse>('BindingEventResponse'),
    status: rpc<StatusDetails>('Status'),
    errorInfo: rpc<ErrorInfo>('ErrorInfo'),
    resourceInfo: rpc<ResourceInfo>('ResourceInfo'),
    /**
     * The sidecar's service with its messages, for reflection. The app's services are not listed, because the
     * sidecar does not serve them.
     */
    served: async (): Promise<PackageDefinition> => {
      const { default: loader } = await import('@grpc/proto-loader');
      return loader.fromJSON(rootOf(RUNTIME_PROTO).toJSON(), { keepCase: true });
    },
  };
}

function codecOf<T>(type: Type): MessageCodec<T> {
  return {
    // The library's writer takes any object; `T` says which members it reads.
    encode: (message) => {
      const bytes = type.encode(message as Readonly<Record<string, unknown>>).finish();
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    decode: (bytes) => type.decode(bytes) as unknown as T,
  };
}
