/** A nats-server with JetStream of one's own for tests: on a free port, in a temporary folder, ended by its id. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { endServer } from './end-server.ts';
import { freePort } from './free-port.ts';
import { whyNoProgram } from './system-program.ts';

const PROGRAM = 'nats-server';
const START_LIMIT_MS = 60_000;
const POLL_INTERVAL_MS = 20;

export interface NatsServerOptions {
  readonly token?: string;
  readonly user?: { readonly name: string; readonly password: string };
  /** PEM texts: it speaks TLS only. `verify`: clients have to show a certificate that this one vouches for. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly verify?: boolean };
  readonly jetStream?: boolean;
}

/** Why tests with a real server cannot run here; undefined: they can. May install the system's package first. */
export function whyNoNats(): string | undefined {
  return whyNoProgram(PROGRAM);
}

export class NatsServer {
  readonly port: number;
  readonly #options: NatsServerOptions;
  readonly #folder: string;
  readonly #clients: NatsConnection[] = [];
  #process: ChildProcess | undefined;

  private constructor(port: number, options: NatsServerOptions) {
    this.port = port;
    this.#options = options;
    this.#folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-nats-'));
  }

  static async start(options: NatsServerOptions = {}): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), options);
    await server.start();
    return server;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `nats://${this.host}`;
  }

  /** Starts it (again) on its port and folder; resolves when it takes connections, and those of the test are there again. */
  async start(): Promise<void> {
    this.#process = spawn(PROGRAM, ['-c', this.#configuration()], { stdio: 'ignore' });
    const until = Date.now() + START_LIMIT_MS;
    while (!(await isOpen(this.port))) {
      if (Date.now() > until || this.#process.exitCode !== null) throw new Error('nats-server did not start');
      await setTimeout(POLL_INTERVAL_MS);
    }
    await Promise.all(this.#clients.map(isBack));
  }

  /** A plain connection of the test. */
  async client(): Promise<NatsConnection> {
    const { token, user, tls } = this.#options;
    const made = await connect({
      servers: this.host,
      maxReconnectAttempts: -1,
      reconnectTimeWait: POLL_INTERVAL_MS,
      ...(token === undefined ? {} : { token }),
      ...(user === undefined ? {} : { user: user.name, pass: user.password }),
      ...(tls === undefined ? {} : { tls: { ca: tls.cert, cert: tls.cert, key: tls.key } }),
    });
    this.#clients.push(made);
    return made;
  }

  /** Ends the server as a crash does. */
  async kill(): Promise<void> {
    await this.#end();
  }

  /** Ends it and removes its folder. */
  async stop(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map(async (client) => client.close()));
    await this.#end();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  async #end(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    await endServer(running);
  }

  #configuration(): string {
    const { token, user, tls, jetStream = true } = this.#options;
    const file = (name: string, text: string): string => {
      fs.writeFileSync(path.join(this.#folder, name), text);
      return JSON.stringify(path.join(this.#folder, name));
    };
    const lines = [
      `listen: "127.0.0.1:${this.port}"`,
      ...(jetStream ? [`jetstream { store_dir: ${JSON.stringify(path.join(this.#folder, 'js'))} }`] : []),
      ...(token === undefined ? [] : [`authorization { token: ${JSON.stringify(token)} }`]),
      ...(user === undefined
        ? []
        : [
            `authorization { user: ${JSON.stringify(user.name)}, password: ${JSON.stringify(user.password)} }`,
          ]),
      ...(tls === undefined
        ? []
        : [
            `tls { cert_file: ${file('cert.pem', tls.cert)}, key_file: ${file('key.pem', tls.key)}`,
            ...(tls.verify === true ? [`ca_file: ${file('ca.pem', tls.cert)}, verify: true`] : []),
            '}',
          ]),
    ];
    return JSON.parse(file('nats.conf', `${lines.join('\n')}\n`)) as string;
  }
}

/** Waits until a client has reconnected. A request sent before is dropped at its next attempt to connect and never answered. */
async function isBack(client: NatsConnection): Promise<void> {
  for (;;) {
    try {
      await client.flush();
      return;
    } catch {
      await setTimeout(POLL_INTERVAL_MS);
    }
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = net.connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
