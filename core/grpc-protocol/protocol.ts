/**
 * Encodes and decodes the messages, and has the services for the gRPC library. The library is loaded when the
 * first call needs it.
 */
import type { PackageDefinition } from '@grpc/proto-loader';
import type { Reader, Root, Type } from 'protobufjs';
import { contentsIn, listOf, mostEntries, partsIn, withoutList, withoutMaps } from './map-entries.ts';
import type { OpenReader } from './map-entries.ts';
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

/** Codec of a kind of message that clients send, whose maps may have any number of entries. */
export interface RequestCodec<T> extends MessageCodec<T> {
  /** Number of entries of the largest map in the bytes of a message, which is not decoded for that. */
  mostEntries(bytes: Uint8Array): number;
  /** Number of entries of maps and messages in the bytes, at all levels; counting ends at the first one above `most`. */
  partsIn(bytes: Uint8Array, most: number): number;
  /** Contents of the fields for any bytes, at all levels. */
  contentsIn(bytes: Uint8Array): Iterable<Uint8Array>;
  /** The bytes without their maps, and without the messages in them that have some. */
  withoutMaps(bytes: Uint8Array): Uint8Array;
}

/** Codec of a bulk publish, whose entries may be decoded one after another. */
export interface BulkCodec extends RequestCodec<BulkPublishRequest> {
  /** Decodes all but the entries. */
  decodeHead(bytes: Uint8Array): Omit<BulkPublishRequest, 'entries'> & { readonly entries: EncodedEntries };
}

/** Entries that are decoded as they are read. Reading throws for bytes that are no entry. */
export interface EncodedEntries extends Iterable<BulkPublishRequest['entries'][number]> {
  readonly length: number;
  /** Size of the whole request. */
  readonly bytes: number;
}

const WELL_KNOWN = ['empty', 'struct', 'any'] as const;
const RUNTIME = 'dapr.proto.runtime.v1';

/** The type of each message of the sidecar's and the app's services. */
interface RuntimeMessages {
  readonly PublishEventRequest: PublishEventRequest;
  readonly BulkPublishResponse: BulkPublishResponse;
  readonly SubscribeTopicEventsRequestAlpha1: StreamRequest;
  readonly SubscribeTopicEventsResponseAlpha1: StreamResponse;
  readonly GetMetadataResponse: GetMetadataResponse;
  readonly SetMetadataRequest: SetMetadataRequest;
  readonly InvokeBindingRequest: InvokeBindingRequest;
  readonly InvokeBindingResponse: InvokeBindingResponse;
  readonly TopicEventRequest: EncodedTopicEvent;
  readonly TopicEventResponse: TopicEventResponse;
  readonly TopicEventBulkRequest: TopicEventBulkRequest;
  readonly TopicEventBulkResponse: TopicEventBulkResponse;
  readonly ListTopicSubscriptionsResponse: ListTopicSubscriptionsResponse;
  readonly ListInputBindingsResponse: ListInputBindingsResponse;
  readonly BindingEventRequest: BindingEventRequest;
  readonly BindingEventResponse: BindingEventResponse;
}

/** The type of each message of errors. */
interface RpcMessages {
  readonly Status: StatusDetails;
  readonly ErrorInfo: ErrorInfo;
  readonly ResourceInfo: ResourceInfo;
}

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
  const open = (bytes: Uint8Array): Reader => protobuf.Reader.create(bytes);
  const root = rootOf(RUNTIME_PROTO, CALLBACK_PROTO, STATUS_PROTO);
  const runtime = <N extends keyof RuntimeMessages>(name: N): RequestCodec<RuntimeMessages[N]> =>
    codecOf(root.lookupType(`${RUNTIME}.${name}`), open);
  const rpc = <N extends keyof RpcMessages>(name: N): RequestCodec<RpcMessages[N]> =>
    codecOf(root.lookupType(`google.rpc.${name}`), open);
  return {
    empty: codecOf<Empty>(root.lookupType('google.protobuf.Empty'), open),
    publishEventRequest: runtime('PublishEventRequest'),
    bulkPublishRequest: bulkCodecOf(root.lookupType(`${RUNTIME}.BulkPublishRequest`), open),
    bulkPublishResponse: runtime('BulkPublishResponse'),
    streamRequest: runtime('SubscribeTopicEventsRequestAlpha1'),
    streamResponse: runtime('SubscribeTopicEventsResponseAlpha1'),
    getMetadataResponse: runtime('GetMetadataResponse'),
    setMetadataRequest: runtime('SetMetadataRequest'),
    invokeBindingRequest: runtime('InvokeBindingRequest'),
    invokeBindingResponse: runtime('InvokeBindingResponse'),
    topicEventRequest: runtime('TopicEventRequest'),
    topicEventResponse: runtime('TopicEventResponse'),
    topicEventBulkRequest: runtime('TopicEventBulkRequest'),
    topicEventBulkResponse: runtime('TopicEventBulkResponse'),
    listTopicSubscriptionsResponse: runtime('ListTopicSubscriptionsResponse'),
    listInputBindingsResponse: runtime('ListInputBindingsResponse'),
    bindingEventRequest: runtime('BindingEventRequest'),
    bindingEventResponse: runtime('BindingEventResponse'),
    status: rpc('Status'),
    errorInfo: rpc('ErrorInfo'),
    resourceInfo: rpc('ResourceInfo'),
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

function codecOf<T>(type: Type, open: OpenReader): RequestCodec<T> {
  return {
    // The library's writer takes any object; `T` says which members it reads.
    encode: (message) => {
      const bytes = type.encode(message as Readonly<Record<string, unknown>>).finish();
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    // The tables above say which type the library makes of which message.
    decode: (bytes) => type.decode(bytes) as unknown as T,
    mostEntries: (bytes) => mostEntries(type, bytes, open),
    partsIn: (bytes, most) => partsIn(type, bytes, most, open),
    contentsIn: (bytes) => contentsIn(type, bytes, open),
    withoutMaps: (bytes) => withoutMaps(type, bytes, open),
  };
}

function bulkCodecOf(type: Type, open: OpenReader): BulkCodec {
  const codec = codecOf<BulkPublishRequest>(type, open);
  return {
    ...codec,
    decodeHead: (bytes) => {
      const { bytes: head, length } = withoutList(type, bytes, ENTRIES, open);
      type Entries = Iterator<BulkPublishRequest['entries'][number]>;
      // The type says of which messages the list is.
      const read = (): Entries => listOf(type, bytes, ENTRIES, open) as Entries;
      // Members that were not sent stand in the prototype only, where a spread does not find them.
      const { pubsub_name, topic, metadata } = codec.decode(head);
      const entries = { length, bytes: bytes.length, [Symbol.iterator]: read };
      return { pubsub_name, topic, metadata, entries };
    },
  };
}

/** Name of the list in a bulk publish. */
const ENTRIES = 'entries';
