/**
 * One JetStream subscription: pulls messages from its durable consumer, extends the ack deadline of open ones, and returns them on close.
 */
import type { Consumer, ConsumerMessages } from '@nats-io/jetstream';
import type { Cancel, Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { reasonOf } from './connection.ts';
import type { Connection } from './connection.ts';
import { durableConsumer, isMissing, messageAt } from './durable.ts';
import type { DurableNames } from './durable.ts';
import type { NotHandedOver } from '../not-handed-over.ts';
import { messageKeyIn } from './layout.ts';
import type { OpenMessages } from './open-messages.ts';
import type { JetStreamSettings } from './settings.ts';

export interface ConsumerDependencies {
  readonly connection: Connection;
  readonly settings: JetStreamSettings;
  readonly names: Omit<DurableNames, 'stream'>;
  readonly open: OpenMessages;
  /**
   * Name of the stream that stores the topic; creates a missing one.
   * @param again true: looks the stream up again, because it may have been deleted
   */
  readonly stream: (again: boolean) => Promise<string>;
  /** Messages published before this subscription, which the server may have lost since. */
  readonly notHandedOver: NotHandedOver;
  /** Called with messages that this instance published and the server lost before it delivered them. */
  readonly onLost: (messageIds: readonly string[]) => void;
  /** Called when the durable consumer was created for the first time. */
  readonly onNew: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Maximum number of messages in one pull, and how long the server waits for them. */
const BATCH = 256;
const WAIT_MS = 5_000;
const TROUBLE_PAUSE_MS = 1_000;
const GONE_PAUSE_MS = 500;

export class StreamConsumer {
  readonly #deps: ConsumerDependencies;
  /** Name of the stream; "" = not known yet. */
  #stream = '';
  #consumer: Consumer | undefined;
  #batch: ConsumerMessages | undefined;
  #isClosing = false;
  #closed: Promise<void> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #keeping: Cancel = () => undefined;
  #endPause: () => void = () => undefined;
  readonly #leaving: Promise<void>;
  #leave: () => void = () => undefined;
  readonly #notHandedOver: NotHandedOver;
  /** True after a lost connection or a failed read: stream and consumer may have been deleted, which a pull does not report. */
  #isDoubtful: boolean;
  /** Consumer sequence at the last empty pull with messages pending. If the next one finds the same, the consumer is stalled. */
  #stalledAt: number | undefined;
  /** Last error logged, so that a repeated error is logged once. */
  #lastLogged = '';

  constructor(deps: ConsumerDependencies) {
    this.#deps = deps;
    this.#notHandedOver = deps.notHandedOver;
    this.#isDoubtful = deps.notHandedOver.size > 0;
    this.#leaving = new Promise((go) => (this.#leave = go));
  }

  /** Begins to pull; continues after every error. */
  start(): void {
    this.#reading = this.#read();
    this.#keep();
  }

  /** Creates stream and durable consumer where they are missing. Rejects with the reason, and as soon as the connection is lost. */
  async prepare(): Promise<void> {
    try {
      await this.#prepare(false);
    } catch (error) {
      if (!isMissing(error)) throw error;
      // The stream was deleted after it was looked up.
      await this.#prepare(true);
    }
  }

  async #prepare(again: boolean): Promise<void> {
    const { connection, names, settings, stream } = this.#deps;
    const { client } = connection.use();
    this.#stream = await stream(again);
    const mark = this.#notHandedOver.mark();
    const { info, made } = await connection.abortOnDisconnect(
      durableConsumer(connection.use(), { ...names, stream: this.#stream }, settings),
    );
    if (made && this.#consumer === undefined) this.#deps.onNew();
    else if (made) this.#logCreated();
    // A new consumer whose start policy skips older messages never receives what was published before it.
    if (made && this.#consumer === undefined && settings.start.policy !== 'all')
      this.#notHandedOver.caughtUp(mark);
    this.#consumer = client.consumers.getConsumerFromInfo(info);
  }

  /** Called when the connection is lost: stops the pull in progress. */
  connectionLost(): void {
    this.#isDoubtful = true;
    this.#batch?.stop();
  }

  get topic(): string {
    return this.#deps.names.topic;
  }

  /** Notes a message that this instance has published and the stream has stored. */
  published(key: string, messageId: string): void {
    this.#notHandedOver.published(key, messageId);
  }

  /** Resolves when no `take` is running and unfinished messages have been nak'ed, if the server is reachable. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #read(): Promise<void> {
    const { connection, open } = this.#deps;
    while (!this.#isClosing) {
      try {
        await Promise.race([connection.ready(), this.#leaving]);
        if (!(await open.room())) return;
        if (this.#isDoubtful) await this.#lookAgain();
        else if (this.#consumer === undefined) await this.prepare();
        await this.#pull();
        if (this.#stalledAt === undefined) this.#lastLogged = '';
      } catch (error) {
        await this.#trouble(error);
      }
    }
  }

  async #pull(): Promise<void> {
    const { open, settings, connection } = this.#deps;
    const { heartbeatMs, single } = settings;
    if (this.#isClosing || this.#consumer === undefined || !connection.isReady) return;
    const mark = this.#notHandedOver.mark();
    const batch = await this.#consumer.fetch({
      max_messages: single ? 1 : BATCH,
      expires: Math.max(WAIT_MS, 2 * (heartbeatMs ?? 0)),
      ...(heartbeatMs === undefined ? {} : { idle_heartbeat: heartbeatMs }),
    });
    this.#batch = batch;
    // While the pull was sent, the consumer may have been closed or the connection lost: no answer would come.
    if (this.#isClosing || this.#isDoubtful) batch.stop();
    let isEmpty = true;
    try {
      for await (const message of batch) {
        isEmpty = false;
        this.#notHandedOver.seen(messageKeyIn(message.seq, message.headers));
        if (message.info.pending === 0) this.#notHandedOver.caughtUp(mark);
        open.hand(message);
      }
    } finally {
      this.#batch = undefined;
    }
    if (isEmpty && connection.isReady && !this.#isClosing) await this.#checkStalled(mark);
    else this.#stalledAt = undefined;
  }

  /** Logs an error after two empty pulls with messages pending, because nothing else reports a stalled consumer. */
  async #checkStalled(mark: number): Promise<void> {
    const { connection, names, settings, log } = this.#deps;
    const { manager } = connection.use();
    const info = await connection.abortOnDisconnect(manager.consumers.info(this.#stream, names.consumer));
    if (info.num_pending === 0) this.#notHandedOver.caughtUp(mark);
    const isWaiting = info.num_pending > 0 && info.num_ack_pending < settings.maxAckPending;
    const before = this.#stalledAt;
    this.#stalledAt = isWaiting ? info.delivered.consumer_seq : undefined;
    if (!isWaiting || before !== info.delivered.consumer_seq) return;
    const line = `${info.num_pending} messages wait for ${names.consumer} of ${this.#stream}, but the server does not deliver them.`;
    if (this.#lastLogged !== line) log.write('error', 'jetstream', line);
    this.#lastLogged = line;
  }

  /** Extends the ack deadline of open messages regularly, because a held message may stay open for hours. */
  #keep(): void {
    const { clock, settings, open } = this.#deps;
    const waitMs = Math.min(settings.ackWaitMs, ...settings.backOffMs);
    this.#keeping = clock.at(clock.now() + Math.max(1, Math.floor(waitMs / 3)), () => {
      open.keep();
      if (!this.#isClosing) this.#keep();
    });
  }

  async #lookAgain(): Promise<void> {
    // Set before the request, so that a connection lost meanwhile sets it to true again.
    this.#isDoubtful = false;
    try {
      await this.#prepare(true);
      await this.#lookForLost();
    } catch (error) {
      this.#isDoubtful = true;
      throw error;
    }
  }

  /** Reports messages that this instance published and the stream has lost: no subscriber will receive them. */
  async #lookForLost(): Promise<void> {
    const { connection, onLost } = this.#deps;
    const { manager } = connection.use();
    const isThere = async (key: string): Promise<boolean> => {
      const found = await messageAt(manager, this.#stream, Number.parseInt(key, 10));
      return found !== undefined && messageKeyIn(found.seq, found.header) === key;
    };
    const messageIds = await this.#notHandedOver.lost(async (keys) =>
      connection.abortOnDisconnect(Promise.all(keys.map(isThere))),
    );
    if (messageIds.length > 0) onLost(messageIds);
  }

  #logCreated(): void {
    const { names, log } = this.#deps;
    log.write(
      'warn',
      'jetstream',
      `The consumer ${names.consumer} of ${this.#stream} was gone. Sidelight created it again, and what is still in the stream comes once more.`,
    );
  }

  /** Recreates a missing stream or consumer; logs any other error and pauses. */
  async #trouble(error: unknown): Promise<void> {
    const { connection, names, log } = this.#deps;
    if (this.#isClosing || !connection.isReady) return;
    let reason = reasonOf(error);
    if (isMissing(error)) {
      // The server reports a deletion before it is finished, and would delete a stream that is recreated at once.
      await this.#pause(GONE_PAUSE_MS);
      if (this.#isClosing || !connection.isReady) return;
      try {
        await this.#lookAgain();
        return;
      } catch (again) {
        reason = reasonOf(again);
      }
    }
    this.#isDoubtful = true;
    const line = `Reading ${names.topic} for ${names.consumer} failed: ${reason}`;
    if (this.#lastLogged !== line) log.write('error', 'jetstream', line);
    this.#lastLogged = line;
    await this.#pause(TROUBLE_PAUSE_MS);
  }

  /** Ends early when the subscription is closed. */
  #pause(ms: number): Promise<void> {
    const { clock } = this.#deps;
    return new Promise<void>((go) => {
      const cancel = clock.at(clock.now() + ms, go);
      this.#endPause = () => {
        cancel();
        go();
      };
      if (this.#isClosing) this.#endPause();
    });
  }

  async #close(): Promise<void> {
    const { open, connection, log } = this.#deps;
    this.#keeping();
    this.#endPause();
    this.#leave();
    const closed = open.close();
    this.#batch?.stop();
    await this.#reading;
    await closed;
    try {
      await connection.flush();
      open.leave();
      await connection.flush();
    } catch (error) {
      log.write(
        'debug',
        'jetstream',
        `Sidelight could not return a message to the server: ${reasonOf(error)}`,
      );
    }
  }
}
