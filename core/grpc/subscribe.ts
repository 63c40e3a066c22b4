/** `SubscribeTopicEventsAlpha1`: a subscription that lasts as long as its stream. */
import type { Server, ServerDuplexStream } from '@grpc/grpc-js';
import { errorText } from '../contract/error-text.ts';
import { grpcCode } from '../contract/grpc.ts';
import { tooLongName } from '../domain/name-length.ts';
import { refusalOf } from '../domain/refusal.ts';
import { StepTurns } from '../domain/step-turns.ts';
import type { InitialRequest, StreamRequest, StreamResponse } from '../grpc-protocol/messages.ts';
import type { Complaint } from '../domain/result.ts';
import type { OpenStream } from '../runtime/api.ts';
import { asRefused, callOf, decoded, SERVICE } from './calls.ts';
import type { Edge } from './calls.ts';
import { EventTurns } from './event-turns.ts';
import { CallRefused, serviceError, statusOf } from './errors.ts';
import { StreamChannel } from './stream-channel.ts';

const NAME = 'SubscribeTopicEventsAlpha1';
/** Path of the streaming method. */
export const STREAM = `/${SERVICE}/${NAME}`;

/**
 * Wait before the end of the client's side counts as intended. A lost client looks the same at first: the
 * library reports it a few turns of the event loop later, and later still while an event is being written.
 */
const PARTING_MS = 100;

/** Requests with too many metadata, which are not decoded, with the reason. */
const tooManyKeys = new WeakMap<StreamRequest, Complaint>();

/** Turns in which events are sent. All sidecars share them, because one message may go to a thousand streams of several apps. */
const sends = new EventTurns(new StepTurns((run) => setImmediate(run)));

export interface OpenStreams {
  /** Ends every stream, so that its client reconnects elsewhere or later. */
  end(): void;
}

/** Registers the method. */
export function serveStreams(server: Server, edge: Edge): OpenStreams {
  const open = new Set<Stream>();
  const { streamRequest, streamResponse } = edge.protocol;
  const handler = (call: ServerDuplexStream<StreamRequest, StreamResponse>): void => {
    const stream: Stream = new Stream(edge, call, () => open.delete(stream));
    open.add(stream);
  };
  server.register(
    STREAM,
    handler,
    (message: StreamResponse) => streamResponse.encode(message),
    (bytes: Buffer) => {
      const { request, complaint } = decoded(streamRequest, bytes);
      if (complaint !== undefined) tooManyKeys.set(request, complaint);
      return request;
    },
    'bidi',
  );
  return {
    end: () => {
      for (const stream of [...open]) stream.refuse(unavailable());
    },
  };
}

class Stream {
  readonly #edge: Edge;
  readonly #call: ServerDuplexStream<StreamRequest, StreamResponse>;
  readonly #channel: StreamChannel;
  readonly #ended: () => void;
  #asked = false;
  #isOver = false;
  #parting: NodeJS.Timeout | undefined;
  #opened: Promise<OpenStream> | undefined;

  constructor(edge: Edge, call: ServerDuplexStream<StreamRequest, StreamResponse>, ended: () => void) {
    this.#edge = edge;
    this.#call = call;
    this.#ended = ended;
    this.#channel = new StreamChannel({
      peer: callOf(call).peer,
      send: (event, taken, bytes) => {
        sends.send(bytes, () => {
          if (this.#isOver) return;
          const message = event();
          if (message === undefined) taken();
          else call.write({ event_message: message }, taken);
        });
      },
      turns: edge.sidecar.turns,
    });
    call.on('data', (message: StreamRequest) => this.#take(message));
    call.on('end', () => {
      this.#parting = setTimeout(() => this.#clientEnded(), PARTING_MS);
    });
    call.on('cancelled', () => this.#over('lost'));
    call.on('close', () => this.#over('lost'));
    call.on('error', () => this.#over('lost'));
  }

  /** Ends the stream with this status. */
  refuse(refused: CallRefused): void {
    if (this.#isOver) return;
    this.#over('lost');
    this.#call.emit('error', serviceError(statusOf(refused, this.#edge)));
  }

  #clientEnded(): void {
    if (this.#isOver) return;
    if (this.#call.cancelled) {
      this.#over('lost');
      return;
    }
    this.#over('ended');
    this.#call.end();
  }

  #take(request: StreamRequest): void {
    if (this.#isOver) return;
    const complaint = tooManyKeys.get(request);
    if (complaint !== undefined) {
      this.refuse(asRefused(this.#edge, NAME, refusalOf(complaint)));
      return;
    }
    const { initial_request: initial, event_processed: processed } = request;
    if (!this.#asked) {
      this.#asked = true;
      if (initial === undefined || initial === null) this.refuse(bad('initial request is required'));
      else void this.#open(initial);
      return;
    }
    if (processed === undefined || processed === null) {
      this.refuse(bad('duplicate initial request received'));
      return;
    }
    if (this.#channel.processed(processed.id, processed.status?.status ?? 0)) return;
    this.#edge.log.write(
      'warn',
      'grpc',
      `A stream answered event ${processed.id}, which waits for no answer. The answer was ignored.`,
    );
  }

  async #open(initial: InitialRequest): Promise<void> {
    const { pubsub_name: pubsubname, topic, metadata, dead_letter_topic: deadLetterTopic } = initial;
    try {
      if (pubsubname === '') throw bad('pubsubName is required');
      if (topic === '') throw bad('topic is required');
      const tooLong =
        tooLongName('a topic', topic) ?? tooLongName('a dead-letter topic', deadLetterTopic ?? '');
      if (tooLong !== undefined) throw bad(tooLong);
      if (this.#edge.sidecar.stopping) throw unavailable();
      this.#opened = this.#edge.sidecar.openStream({
        pubsubname,
        topic,
        metadata: { ...metadata },
        ...(deadLetterTopic === undefined || deadLetterTopic === null || deadLetterTopic === ''
          ? {}
          : { deadLetterTopic }),
        channel: this.#channel,
      });
      await this.#opened;
      if (this.#isOver) return;
      this.#call.write({ initial_response: {} });
      this.#channel.begin();
    } catch (error) {
      this.#opened = undefined;
      this.refuse(asRefused(this.#edge, NAME, error));
    }
  }

  #over(how: 'ended' | 'lost'): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#parting);
    this.#ended();
    const { log } = this.#edge;
    const opened = this.#opened;
    if (opened === undefined) {
      this.#channel.end();
      return;
    }
    const close = async (): Promise<void> => {
      const closing = (await opened).close(how);
      // The channel ends after its subscription is closed, so that the events that it returns wait.
      this.#channel.end();
      await closing;
    };
    close().catch((error: unknown) => {
      this.#channel.end();
      log.write('error', 'grpc', `A stream did not close cleanly: ${errorText(error)}`);
    });
  }
}

function bad(text: string): CallRefused {
  return new CallRefused(grpcCode('INVALID_ARGUMENT'), text);
}

function unavailable(): CallRefused {
  return new CallRefused(grpcCode('UNAVAILABLE'), 'sidecar is shutting down');
}
