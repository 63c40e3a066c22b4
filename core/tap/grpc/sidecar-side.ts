/** The side from the app to the real sidecar over gRPC: reports publishes and streams, and lists all other calls. */
import { grpcCodeName } from '../../contract/grpc.ts';
import { tooLongName } from '../../domain/name-length.ts';
import { traceparentOf } from '../../domain/trace-binary.ts';
import { ownBytes } from '../../grpc-protocol/messages.ts';
import type { Protocol } from '../../grpc-protocol/protocol.ts';
import type { Moment, ObservedPublish, SeenPublish } from '../../ports/tap.ts';
import { unreadBody } from '../pass-through.ts';
import { withoutAnswer } from '../sidecar-side.ts';
import type { SidecarSideDependencies } from '../sidecar-side.ts';
import { statusOf, statusWithoutGrpc } from './answers.ts';
import { EventStream } from './event-stream.ts';
import type { EventStreamDependencies } from './event-stream.ts';
import { onlyMessage, plainBytes } from './frames.ts';
import { metadataOf, valueOf } from './headers.ts';
import { passThroughCall } from './pass-through.ts';
import type { Call, GrpcSide, StreamHead, MessageStream } from './side.ts';

const SERVICE = '/dapr.proto.runtime.v1.Dapr';
const PUBLISH = `${SERVICE}/PublishEvent`;
const BULK: readonly string[] = [`${SERVICE}/BulkPublishEvent`, `${SERVICE}/BulkPublishEventAlpha1`];
const STREAM = `${SERVICE}/SubscribeTopicEventsAlpha1`;

export interface GrpcSidecarSideDependencies
  extends
    Omit<SidecarSideDependencies, 'onUnreachable' | 'onRefused' | 'replays' | 'loopGuard'>,
    EventStreamDependencies {
  readonly protocol: Protocol;
  /** The sidecar could not be reached, or (undefined) it was. */
  readonly onReached: (reason: string | undefined) => void;
  /** A call was answered in gRPC (undefined), or by something else with this HTTP status. */
  readonly onAnswered: (otherStatus: string | undefined) => void;
  /** A connection to the sidecar came back to this tap. */
  readonly onComesBack: () => void;
}

type Published = Pick<SeenPublish, 'pubsubname' | 'topic' | 'body' | 'isBulk' | 'contentType' | 'metadata'>;

export class GrpcSidecarSide implements GrpcSide {
  readonly #dependencies: GrpcSidecarSideDependencies;

  constructor(dependencies: GrpcSidecarSideDependencies) {
    this.#dependencies = dependencies;
  }

  begin(head: StreamHead): Call | MessageStream {
    const { reports, others } = this.#dependencies;
    const to = { to: 'sidecar', reports, others } as const;
    const { path } = head;
    if (path === STREAM)
      return { kind: 'stream', open: (ends) => new EventStream(head, this.#dependencies, ends) };
    const isPublish = path === PUBLISH || BULK.includes(path);
    const call = isPublish
      ? this.#publish(
          head,
          passThroughCall(
            to,
            head,
            unreadBody('Its message cannot be read as a publish, or its topic or content type is too long.'),
          ),
        )
      : passThroughCall(to, head);
    return {
      ...call,
      responded: (reply) => {
        this.#dependencies.onAnswered(statusWithoutGrpc(reply));
        return call.responded(reply);
      },
    };
  }

  reached(reason: string | undefined): void {
    this.#dependencies.onReached(reason);
  }

  comesBack(): void {
    this.#dependencies.onComesBack();
  }

  #publish(head: StreamHead, other: Call): Call {
    const { reports } = this.#dependencies;
    let observed: ObservedPublish | undefined;
    return {
      ...other,
      readsRequest: true,
      requested: (body) => {
        void other.requested(body);
        const at = reports.moment();
        reports.defer(() => (observed = body && this.#observed(head, body, at)), body?.length);
        return undefined;
      },
      responded: (reply) => {
        reports.defer(() => {
          if (observed === undefined) {
            void other.responded(reply);
            return;
          }
          const { code, text } = statusOf(reply);
          const reason = `${grpcCodeName(code)} ${text}`.trim();
          observed.ended(code === 0 ? { kind: 'accepted' } : { kind: 'refused', reason });
        });
        return undefined;
      },
      lost: (why) =>
        reports.defer(() => {
          if (observed === undefined) other.lost(why);
          else observed.ended(withoutAnswer(why));
        }),
    };
  }

  /** Reports a publish; undefined: the call cannot be read as a publish, or has a name that is too long for a row. */
  #observed(head: StreamHead, body: Buffer, at: Moment): ObservedPublish | undefined {
    const { observer, appId, onPublish, profile } = this.#dependencies;
    const published = this.#read(head, body);
    if (published === undefined) return undefined;
    onPublish();
    return observer.published({
      appId,
      at,
      profile: profile(),
      protocol: 'grpc',
      ...published,
      ...traceOf(head),
      caller: { address: head.from, headers: metadataOf(head.headers) },
    });
  }

  #read({ path, headers }: StreamHead, body: Buffer): Published | undefined {
    const message = onlyMessage(body);
    const bytes = message && plainBytes(message, valueOf(headers, 'grpc-encoding'));
    if (bytes === undefined) return undefined;
    try {
      const { protocol } = this.#dependencies;
      const published = path === PUBLISH ? single(bytes, protocol) : bulk(bytes, protocol);
      return hasLongName(published) ? undefined : published;
    } catch {
      // Bytes that cannot be decoded pass anyway: the call is listed among the other calls, with a note.
      return undefined;
    }
  }
}

function hasLongName({ topic, contentType = '', body }: Published): boolean {
  const entries = body instanceof Uint8Array ? [] : body;
  const names = [topic, contentType, ...entries.map((entry) => entry.contentType)];
  return names.some((name) => tooLongName('a name', name) !== undefined);
}

function single(bytes: Buffer, { publishEventRequest }: Protocol): Published {
  const request = publishEventRequest.decode(bytes);
  return {
    pubsubname: request.pubsub_name,
    topic: request.topic,
    body: ownBytes(request.data),
    isBulk: false,
    ...(request.data_content_type === '' ? {} : { contentType: request.data_content_type }),
    metadata: { ...request.metadata },
  };
}

function bulk(bytes: Buffer, { bulkPublishRequest }: Protocol): Published {
  const request = bulkPublishRequest.decode(bytes);
  return {
    pubsubname: request.pubsub_name,
    topic: request.topic,
    body: request.entries.map((entry) => ({
      entryId: entry.entry_id,
      event: ownBytes(entry.event),
      contentType: entry.content_type,
      metadata: { ...entry.metadata },
    })),
    isBulk: true,
    metadata: { ...request.metadata },
  };
}

/** The trace of a call: the binary form takes precedence over the text. */
function traceOf({ headers }: StreamHead): Pick<SeenPublish, 'traceparent' | 'tracestate'> {
  const binary = valueOf(headers, 'grpc-trace-bin');
  const fromBinary = binary === undefined ? undefined : traceparentOf(Buffer.from(binary, 'base64'));
  const traceparent = fromBinary ?? valueOf(headers, 'traceparent');
  const tracestate = valueOf(headers, 'tracestate');
  return {
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(tracestate === undefined ? {} : { tracestate }),
  };
}
