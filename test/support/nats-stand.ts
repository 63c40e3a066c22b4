/** The ground of every test with a real NATS server: started before, looked at, ended after. */
import { jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { isAnswer, STREAM_NOT_FOUND } from '../../core/adapters/jetstream/connection.ts';
import { createJetStreamPubSub } from '../../core/adapters/jetstream/pubsub.ts';
import type { PubSub } from '../../core/ports/pubsub.ts';
import { NatsServer, whyNoNats } from './nats-server.ts';
import type { NatsServerOptions } from './nats-server.ts';
import { Connections } from './broker-parts.ts';
import type { Settings } from './broker-parts.ts';

/** Short, so that what is not answered comes again soon. */
const QUICK: Settings = { ackWait: '300ms' };

export class NatsStand {
  readonly made = new Connections(QUICK, createJetStreamPubSub);
  #server: NatsServer | undefined;
  #nats: NatsConnection | undefined;
  #manager: JetStreamManager | undefined;

  /** Registers its hooks with the test file, once. Without a server every test is skipped, with the reason. */
  constructor(options: NatsServerOptions = {}) {
    const missing = whyNoNats();
    beforeAll(async () => {
      if (missing !== undefined) return;
      this.#server = await NatsServer.start(options);
      this.#nats = await this.#server.client();
      this.#manager = options.jetStream === false ? undefined : await jetstreamManager(this.#nats);
    });
    beforeEach(({ skip }) => skip(missing !== undefined, missing));
    afterEach(async () => this.made.close());
    afterAll(async () => this.#server?.stop());
  }

  get server(): NatsServer {
    if (this.#server === undefined) throw new Error('the server was not started');
    return this.#server;
  }

  /** The test's own connection. */
  get nats(): NatsConnection {
    if (this.#nats === undefined) throw new Error('the server was not started');
    return this.#nats;
  }

  get manager(): JetStreamManager {
    if (this.#manager === undefined) throw new Error('the server was not started');
    return this.#manager;
  }

  get js(): JetStreamClient {
    return this.manager.jetstream();
  }

  /** Not started. */
  make(more: Settings = {}): PubSub {
    return this.made.make({ natsURL: this.server.url, ...more });
  }

  /** A started component. */
  async connect(more: Settings = {}): Promise<PubSub> {
    const made = this.make(more);
    await made.start();
    return made;
  }

  /** Resolves when so many messages of a consumer are not acknowledged. */
  async pending(stream: string, consumer: string, count: number): Promise<void> {
    for (;;) {
      const info = await this.manager.consumers.info(stream, consumer);
      if (info.num_ack_pending === count) return;
    }
  }

  /** Resolves when a stream is there and has so many consumers. A component makes both after the runtime knows its subscriptions. */
  async served(stream: string, count: number): Promise<void> {
    for (;;) {
      const names = await this.consumers(stream).catch((error: unknown) => {
        if (isAnswer(error) && error.code === STREAM_NOT_FOUND) return [];
        throw error;
      });
      if (names.length === count) return;
    }
  }

  /** Names of a stream's consumers. */
  async consumers(stream: string): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of this.manager.consumers.list(stream)) names.push(name);
    return names.toSorted();
  }
}
