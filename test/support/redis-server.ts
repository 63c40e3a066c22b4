/** A redis-server of one's own for tests: on a free port, in a temporary folder, ended by its id. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { endServer } from './end-server.ts';
import { freePort } from './free-port.ts';
import { whyNoProgram } from './system-program.ts';

const PROGRAM = 'redis-server';
const START_LIMIT_MS = 60_000;
const POLL_INTERVAL_MS = 20;

export interface RedisServerOptions {
  readonly password?: string;
  /** True: acknowledged entries survive a kill. */
  readonly durable?: boolean;
  /** PEM texts: it speaks TLS only. */
  readonly tls?: Certificate;
  /** PEM texts: it speaks TLS on a further port. */
  readonly tlsBeside?: Certificate;
}

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Why tests with a real server cannot run here; undefined: they can. May install the system's package first. */
export function whyNoRedis(): string | undefined {
  return whyNoProgram(PROGRAM);
}

export class RedisServer {
  readonly port: number;
  readonly #tlsPort: number;
  readonly #options: RedisServerOptions;
  readonly #folder: string;
  readonly #clients: Redis[] = [];
  #process: ChildProcess | undefined;

  private constructor(port: number, tlsPort: number, options: RedisServerOptions) {
    this.port = port;
    this.#tlsPort = tlsPort;
    this.#options = options;
    this.#folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-redis-'));
  }

  static async start(options: RedisServerOptions = {}): Promise<RedisServer> {
    const tlsPort = options.tlsBeside === undefined ? 0 : await freePort();
    const server = new RedisServer(await freePort(), tlsPort, options);
    await server.start();
    return server;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Where it speaks TLS beside its other port; port 0: nowhere. */
  get tlsHost(): string {
    return `127.0.0.1:${this.#tlsPort}`;
  }

  /** Starts it (again) on its port and folder; resolves when it answers. */
  async start(): Promise<void> {
    this.#process = spawn(PROGRAM, this.#arguments(), { stdio: 'ignore' });
    const until = Date.now() + START_LIMIT_MS;
    const probe = this.client();
    for (;;) {
      try {
        await probe.ping();
        probe.disconnect();
        return;
      } catch (error) {
        if (Date.now() > until || this.#process.exitCode !== null) throw error;
        await setTimeout(POLL_INTERVAL_MS);
      }
    }
  }

  /** A plain connection of the test. */
  client(): Redis {
    const { password, tls } = this.#options;
    const made = new Redis({
      host: '127.0.0.1',
      port: this.port,
      protocol: 2,
      ...(password === undefined ? {} : { password }),
      ...(tls === undefined ? {} : { tls: { rejectUnauthorized: false } }),
      retryStrategy: () => POLL_INTERVAL_MS,
      maxRetriesPerRequest: 5,
    });
    made.on('error', () => undefined);
    this.#clients.push(made);
    return made;
  }

  /** Ends the server as a crash does. */
  async kill(): Promise<void> {
    await this.#end();
  }

  /** Stops the process: the server is there and says nothing. */
  freeze(frozen: boolean): void {
    this.#process?.kill(frozen ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Ends it and removes its folder. */
  async stop(): Promise<void> {
    for (const client of this.#clients.splice(0)) client.disconnect();
    await this.#end();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  async #end(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    await endServer(running);
  }

  #arguments(): string[] {
    const { password, durable = false, tls, tlsBeside } = this.#options;
    const certificate = tls ?? tlsBeside;
    const file = (name: string, text: string): string => {
      fs.writeFileSync(path.join(this.#folder, name), text);
      return path.join(this.#folder, name);
    };
    return [
      ...(tls === undefined
        ? ['--port', String(this.port)]
        : ['--port', '0', '--tls-port', String(this.port)]),
      ...(tlsBeside === undefined ? [] : ['--tls-port', String(this.#tlsPort)]),
      ...(certificate === undefined
        ? []
        : [
            ...['--tls-auth-clients', 'no', '--tls-cert-file', file('cert.pem', certificate.cert)],
            ...['--tls-key-file', file('key.pem', certificate.key)],
          ]),
      ...['--bind', '127.0.0.1', '--save', '', '--dir', this.#folder, '--loglevel', 'warning'],
      ...(durable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no']),
      ...(password === undefined ? [] : ['--requirepass', password]),
    ];
  }
}
