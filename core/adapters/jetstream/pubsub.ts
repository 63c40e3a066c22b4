/** `pubsub.jetstream`: topics are subjects of a stream, apps are durable consumers. Implements ports/pubsub.ts. */
import { errors } from '@nats-io/transport-node';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type {
  BrokerSubscription,
  InboundMessage,
  LostConnection,
  OutboundMessage,
  PubSub,
  SubscribeOptions,
  Taken,
} from '../../ports/pubsub.ts';
import { clause, errorText } from '../../contract/error-text.ts';
import { PublishFailure } from '../../ports/pubsub.ts';
import { BrokerReaders } from '../broker-readers.ts';
import { readSettings } from '../setting-values.ts';
import type { ReadSetting } from '../setting-values.ts';
import { ConnectionWatch } from '../lost-connection.ts';
import { GroupSlots } from '../slots.ts';
import { Connection } from './connection.ts';
import { StreamConsumer } from './consumer.ts';
import { isForGoodRefusal, isTooLarge } from './for-good.ts';
import { headersOf, messageKey } from './layout.ts';
import { consumerName, subjectOf } from './names.ts';
import { OpenMessages } from './open-messages.ts';
import { readJetStreamSettings } from './settings.ts';
import type { JetStreamSettings } from './settings.ts';
import { Streams } from './streams.ts';

export interface JetStreamPubSubOptions {
  /** Settings of the component, read at its start. */
  readonly setting: ReadSetting;
  readonly clock: Clock;
  readonly log: Log;
}

interface Started {
  readonly settings: JetStreamSettings;
  readonly connection: Connection;
  readonly streams: Streams;
}

const PUBLISH_LIMIT_MS = 5_000;

/** Connects only at `start`, which rejects with the wrong setting or with the reason why the server cannot be used. */
export function createJetStreamPubSub(options: JetStreamPubSubOptions): PubSub {
  return new JetStreamPubSub(options);
}

class JetStreamPubSub implements PubSub {
  readonly capabilities = [];
  readonly #options: JetStreamPubSubOptions;
  readonly #readers = new BrokerReaders<StreamConsumer>();
  readonly #slots = new GroupSlots();
  readonly #watch: ConnectionWatch;
  #started: Started | undefined;
  #isClosed = false;

  constructor(options: JetStreamPubSubOptions) {
    this.#options = options;
    this.#watch = new ConnectionWatch(options.clock);
  }

  lost(): LostConnection | undefined {
    return this.#watch.lost;
  }

  onConnection(changed: () => void): void {
    this.#watch.changed = changed;
  }

  get features(): PubSub['features'] {
    return {
      bulkPublish: false,
      bulkSubscribe: false,
      ttl: false,
      wildcards: false,
      keepsHistory: (this.#started?.settings.start.policy ?? 'all') === 'all',
      redelivers: true,
    };
  }

  async start(): Promise<void> {
    if (this.#isClosed) throw new Error('the component is closed');
    if (this.#started !== undefined) return;
    const { setting, log } = this.#options;
    const settings = readSettings(readJetStreamSettings, setting);
    const connection = new Connection(settings, {
      onReconnecting: (tries, inMs) => this.#watch.tried(tries, undefined, inMs),
      onLost: (reason) => {
        this.#watch.connectionLost(reason);
        this.#readers.connectionLost();
        log.write(
          'warn',
          'jetstream',
          `The connection to NATS at ${connection.address} is lost: ${clause(reason)}. Sidelight refuses publishes until it is back.`,
        );
      },
      onRestored: () => {
        this.#watch.connectionBack();
        log.write('info', 'jetstream', `The connection to NATS at ${connection.address} is back.`);
      },
    });
    this.#started = { settings, connection, streams: new Streams(connection, settings) };
    await connection.open();
  }

  async publish(message: OutboundMessage): Promise<void> {
    const { streams } = this.#use();
    const subject = subjectToPublish(message.topic);
    try {
      await this.#publish(subject, message);
    } catch (error) {
      if (!isNobodyThere(error)) throw refusedBy(error);
      // The stream was deleted after it was looked up.
      streams.forget(message.topic);
      try {
        await this.#publish(subject, message);
      } catch (again) {
        throw refusedBy(again);
      }
    }
  }

  async subscribe(
    topic: string,
    options: SubscribeOptions,
    take: (message: InboundMessage) => Promise<Taken>,
  ): Promise<BrokerSubscription> {
    const { settings, connection, streams } = this.#use();
    const { clock, log } = this.#options;
    subjectOf(topic);
    const group = settings.group === '' ? options.group : settings.group;
    const consumer = consumerName(group, topic);
    const { backOffMs, maxDeliver } = settings;
    const slots = this.#slots.of(group, settings.single ? 1 : undefined);
    const made = new StreamConsumer({
      connection,
      settings,
      names: { topic, consumer },
      open: new OpenMessages({
        topic,
        group,
        consumer,
        backOffMs,
        maxDeliver,
        slots,
        log,
        take,
        send: (subject, answer) => connection.answer(subject, answer),
      }),
      stream: (again) => {
        if (again) streams.forget(topic);
        return streams.of(topic);
      },
      notHandedOver: this.#readers.beforeSubscription.doubtful(topic),
      onLost: (messageIds) => options.onLost?.(messageIds),
      onNew: () => options.onNew?.(),
      clock,
      log,
    });
    return this.#readers.open(made, {
      prepare: () => made.prepare(),
      mayWait: () => {
        if (connection.isReady) return false;
        log.write('warn', 'jetstream', `Sidelight subscribes ${group} to ${topic} as soon as NATS is back.`);
        return true;
      },
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#readers.close();
    await this.#started?.connection.end();
  }

  async #publish(subject: string, message: OutboundMessage): Promise<void> {
    const { connection, streams } = this.#use();
    const streamName = await streams.of(message.topic);
    const { client } = connection.use();
    try {
      const { seq } = await connection.abortOnDisconnect(
        client.publish(subject, message.wire, {
          headers: headersOf(message),
          timeout: PUBLISH_LIMIT_MS,
          expect: { streamName },
          retries: 1,
        }),
      );
      this.#readers.published(message, messageKey(seq, message.messageId));
    } catch (error) {
      throw isNobodyThere(error) || isTooLarge(error) ? error : connection.toError(error);
    }
  }

  #use(): Started {
    if (this.#isClosed) throw new Error('the component is closed');
    if (this.#started === undefined) throw new Error('the component was not started');
    return this.#started;
  }
}

function refusedBy(error: unknown): PublishFailure {
  return new PublishFailure(503, errorText(error), { cause: error, isForGood: isForGoodRefusal(error) });
}

/** Throws a PublishFailure if the topic cannot be a subject. */
function subjectToPublish(topic: string): string {
  try {
    return subjectOf(topic);
  } catch (error) {
    throw new PublishFailure(503, errorText(error), { cause: error, isForGood: true });
  }
}

/** True if no stream stores the subject; the client wraps this error in others. */
function isNobodyThere(error: unknown): boolean {
  if (error instanceof errors.NoRespondersError) return true;
  if (error instanceof errors.RequestError && error.isNoResponders()) return true;
  return error instanceof Error && isNobodyThere(error.cause);
}
