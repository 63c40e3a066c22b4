/** `pubsub.redis`: topics are Redis Streams, apps are consumer groups. Implements ports/pubsub.ts. Behaviour 5.4. */
import { randomBytes } from 'node:crypto';
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
import { Connection, isReply } from './connection.ts';
import { StreamConsumer } from './consumer.ts';
import { isForGoodAnswer } from './for-good.ts';
import { Group } from './group.ts';
import { LargestText } from './largest-text.ts';
import { fieldsOf } from './layout.ts';
import { OpenEntries } from './open-entries.ts';
import { addressOf, readRedisSettings } from './settings.ts';
import type { RedisSettings } from './settings.ts';
import { ConnectionWatch } from '../lost-connection.ts';
import { GroupSlots } from '../slots.ts';

export interface RedisPubSubOptions {
  /** Whether the server's certificate is verified if the settings do not say it; default: true. */
  readonly verifiesTls?: boolean;
  /** Settings of the component, read at its start. */
  readonly setting: ReadSetting;
  readonly clock: Clock;
  readonly log: Log;
}

interface Started {
  readonly settings: RedisSettings;
  readonly commands: Connection;
}

/** Connects only at `start`, which rejects with the wrong setting or with the reason why the server cannot be used. */
export function createRedisPubSub(options: RedisPubSubOptions): PubSub {
  return new RedisPubSub(options);
}

class RedisPubSub implements PubSub {
  readonly features = {
    bulkPublish: false,
    bulkSubscribe: false,
    ttl: false,
    wildcards: false,
    keepsHistory: true,
    redelivers: true,
  } as const;
  readonly capabilities = [];
  readonly #options: RedisPubSubOptions;
  readonly #readers = new BrokerReaders<StreamConsumer>();
  readonly #slots = new GroupSlots();
  readonly #watch: ConnectionWatch;
  readonly #largest = new LargestText();
  #started: Started | undefined;
  #isClosed = false;

  constructor(options: RedisPubSubOptions) {
    this.#options = options;
    this.#watch = new ConnectionWatch(options.clock);
  }

  lost(): LostConnection | undefined {
    return this.#watch.lost;
  }

  onConnection(changed: () => void): void {
    this.#watch.changed = changed;
  }

  async start(): Promise<void> {
    if (this.#isClosed) throw new Error('the component is closed');
    if (this.#started !== undefined) return;
    const { setting, log } = this.#options;
    const settings = readSettings((one) => readRedisSettings(one, this.#options.verifiesTls), setting);
    const address = addressOf(settings);
    if (settings.tls?.verify === false)
      log.write(
        'warn',
        'redis',
        `The TLS connection to Redis at ${address} is encrypted, but the certificate is not checked. To check it, set insecureSkipTLSVerify to "false".`,
      );
    if (settings.maxLenApprox > 0 && settings.streamTtlMs > 0)
      log.write(
        'warn',
        'redis',
        `The component for Redis at ${address} has maxLenApprox and streamTTL: only maxLenApprox trims its streams.`,
      );
    const commands = new Connection(settings, {
      onLost: (reason) => {
        this.#watch.connectionLost(reason);
        this.#readers.connectionLost();
        log.write(
          'warn',
          'redis',
          `The connection to Redis at ${address} is lost: ${clause(reason)}. Sidelight refuses publishes until it is back.`,
        );
      },
      onReconnecting: (tries, reason, inMs) => this.#watch.tried(tries, reason, inMs),
      onRestored: () => {
        this.#watch.connectionBack();
        log.write('info', 'redis', `The connection to Redis at ${address} is back.`);
        void this.#largest.ask(commands);
        for (const reader of this.#readers) reader.connectionBack();
      },
    });
    this.#started = { settings, commands };
    await commands.open();
    await this.#largest.ask(commands);
  }

  publish(message: OutboundMessage): Promise<void> {
    // The promise also turns an error of an unusable component into a rejection.
    return new Promise((resolve, reject) => {
      const { settings, commands } = this.#use();
      const trim = trimOf(settings, this.#options.clock.now());
      const added = (id: unknown): void => {
        this.#readers.published(message, String(id));
        resolve();
      };
      const refused = (error: unknown): void => {
        const isForGood = isReply(error) && isForGoodAnswer(error.message);
        reject(new PublishFailure(this.#isClosed ? 400 : 503, errorText(error), { cause: error, isForGood }));
      };
      const fields = fieldsOf(message);
      const tooLarge = this.#largest.complaint(fields);
      if (tooLarge !== undefined) {
        reject(new PublishFailure(400, tooLarge, { isForGood: true }));
        return;
      }
      try {
        commands.ask('XADD', [message.topic, ...trim, '*', ...fields], added, refused);
        for (const reader of this.#readers) if (reader.topic === message.topic) reader.publishing();
      } catch (error) {
        refused(error);
      }
    });
  }

  async subscribe(
    topic: string,
    options: SubscribeOptions,
    take: (message: InboundMessage) => Promise<Taken>,
  ): Promise<BrokerSubscription> {
    const { settings, commands } = this.#use();
    const { clock, log } = this.#options;
    const name = settings.consumerId === '' ? options.group : settings.consumerId;
    // Each consumer has a unique name, so that its entries differ from those of consumers that have ended.
    const consumer = `sidelight-${randomBytes(4).toString('hex')}`;
    const group = new Group({ topic, group: name, consumer }, commands);
    const slots = this.#slots.of(name, settings.concurrency);
    const server = `${commands.address}/${settings.db}`;
    const { processingTimeoutMs, redeliverIntervalMs, queueDepth } = settings;
    const made = new StreamConsumer({
      group,
      entries: new OpenEntries({ group, server, slots, log, take }),
      commands,
      reader: new Connection(settings),
      depth: slots === undefined ? queueDepth : Math.min(queueDepth, slots.size),
      processingTimeoutMs,
      redeliverIntervalMs,
      trims: settings.maxLenApprox > 0 || settings.streamTtlMs > 0,
      ...this.#readers.beforeSubscription.all(topic),
      onLost: (messageIds) => options.onLost?.(messageIds),
      onNew: () => options.onNew?.(),
      clock,
      log,
    });
    return this.#readers.open(made, {
      prepare: async () => {
        const isNew = await group.make();
        made.prepared(isNew);
        if (isNew) await this.#logBeginning(group);
      },
      mayWait: (error) => {
        if (isReply(error)) return false;
        log.write('warn', 'redis', `Sidelight subscribes ${name} to ${topic} as soon as Redis is back.`);
        return true;
      },
    });
  }

  /** Logs how much history a new group will receive, which may surprise a person who used this stream before. */
  async #logBeginning(group: Group): Promise<void> {
    const { log } = this.#options;
    const { topic, group: name } = group.names;
    const logBeginning = (what: string): void =>
      log.write(
        'info',
        'redis',
        `The consumer group ${name} is new to ${topic}: it begins with ${what} already in the stream.`,
      );
    try {
      const count = await group.length();
      if (count > 0) logBeginning(count === 1 ? 'the entry that is' : `the ${count} entries that are`);
    } catch (error) {
      // Only the log line needs the number, so an error does not fail the subscription.
      logBeginning(`whatever is (${errorText(error)})`);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#readers.close();
    this.#started?.commands.end();
  }

  #use(): Started {
    if (this.#isClosed) throw new Error('the component is closed');
    if (this.#started === undefined) throw new Error('the component was not started');
    return this.#started;
  }
}

/** Arguments of a publish that trim its stream by length or age. Both are approximate, which is cheaper for the server. */
function trimOf({ maxLenApprox, streamTtlMs }: RedisSettings, nowMs: number): readonly (string | number)[] {
  if (maxLenApprox > 0) return ['MAXLEN', '~', maxLenApprox];
  return streamTtlMs > 0 ? ['MINID', '~', `${nowMs - streamTtlMs}`] : [];
}
