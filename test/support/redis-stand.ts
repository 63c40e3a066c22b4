/** The ground of every test with a real Redis server: started before, looked at, ended after. */
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { PubSub } from '../../core/ports/pubsub.ts';
import { Connections } from './broker-parts.ts';
import type { Settings } from './broker-parts.ts';
import { RedisServer, whyNoRedis } from './redis-server.ts';
import type { RedisServerOptions } from './redis-server.ts';

export class RedisStand {
  readonly made = new Connections();
  #server: RedisServer | undefined;
  #redis: Redis | undefined;

  /** Registers its hooks with the test file, once. Without a server every test is skipped, with the reason. */
  constructor(options: RedisServerOptions = {}) {
    const missing = whyNoRedis();
    beforeAll(async () => {
      if (missing !== undefined) return;
      this.#server = await RedisServer.start(options);
      this.#redis = this.#server.client();
    });
    beforeEach(({ skip }) => skip(missing !== undefined, missing));
    afterEach(async () => this.made.close());
    afterAll(async () => this.#server?.stop());
  }

  get server(): RedisServer {
    if (this.#server === undefined) throw new Error('the server was not started');
    return this.#server;
  }

  /** The test's own connection. */
  get redis(): Redis {
    if (this.#redis === undefined) throw new Error('the server was not started');
    return this.#redis;
  }

  /** A started component. */
  async connect(more: Settings = {}): Promise<PubSub> {
    return this.made.start({ redisHost: this.server.host, ...more });
  }

  /** Resolves when so many entries of a group are not acknowledged. */
  async pending(topic: string, count: number, group = 'a'): Promise<void> {
    for (;;) {
      const [now] = await this.redis.xpending(topic, group);
      if (now === count) return;
    }
  }

  /** Resolves when so many connections are left besides the test's own. */
  async connections(count: number): Promise<void> {
    for (;;) {
      const lines = String(await this.redis.client('LIST'))
        .trim()
        .split('\n');
      if (lines.length - 1 === count) return;
    }
  }

  /** Ends every connection but the test's own. */
  async cut(): Promise<void> {
    await this.redis.call('CLIENT', ['KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
  }

  /** Names of a stream's groups. */
  async groups(topic: string): Promise<unknown[]> {
    return names(await this.redis.xinfo('GROUPS', topic));
  }

  /** Names of a group's consumers. */
  async consumers(topic: string, group = 'a'): Promise<unknown[]> {
    return names(await this.redis.xinfo('CONSUMERS', topic, group));
  }
}

function names(reply: unknown): unknown[] {
  return Array.isArray(reply) ? reply.map((one: readonly unknown[]) => one[1]) : [];
}
